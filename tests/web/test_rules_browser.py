"""The rules, found by number or by word, and what of them is drawn."""

import re

import pytest
from playwright.sync_api import expect

from companion.games import game
from companion.games.kit.topics import Branches, Examples, Squares
from companion.record.match import Match
from tests.web.axe import findings
from tests.web.evening import Evening
from tests.web.hit_test import covered_anywhere

TABLES = {"sen_so": 4, "san_ni_ichi": 3, "senjutsu": 2, "sensu": 2}
PEOPLE = ("Aki", "Ben", "Cho", "Dai")


@pytest.mark.parametrize("name", TABLES)
def test_every_game_draws_something_and_each_drawing_is_explained_by_its_rules(name):
    known = game(name)
    state = Match(known, PEOPLE[: TABLES[name]]).state
    rules, deck = known.rules.catalogue(), known.table.deck(state)
    drawn = known.topics(state)
    assert drawn
    for topic in drawn:
        assert topic.rules
        assert set(topic.rules) <= set(rules)
        match topic.drawing:
            case Squares(struck):
                assert len(struck) == 8
                assert len({len(each) for each in struck}) == 1
            case Branches(nodes, arrows):
                assert all(max(arrow) < len(nodes) for arrow in arrows)
            case Examples(cards):
                assert cards
                assert set(cards) <= set(deck.cards)


def test_what_a_weapon_hits_is_what_its_owner_has_put_right():
    known = game("sen_so")
    state = Match(known, PEOPLE[:2], {"patterns": {"katana": [[3, 1]]}}).state
    katana = next(topic for topic in known.topics(state) if "katana" in str(topic.title).lower())
    assert isinstance(katana.drawing, Squares)
    assert katana.drawing.struck[0] == ((1, 3),)


def test_combinations_are_worth_what_their_titles_say():
    known = game("sensu")
    state = Match(known, PEOPLE[:2]).state
    numbers = [[int(card.split("-")[1]) for card in topic.drawing.cards] for topic in known.topics(state)]
    assert [sum(each) for each in numbers] == [20, 20, 20, 20]
    assert [len(set(each)) < len(each) for each in numbers] == [False, True, False, True]


@pytest.mark.browser
@pytest.mark.parametrize("screen", ["phone", "upright", "tablet", "wall"])
def test_rules_are_found_by_number_and_by_word_in_the_viewers_language(open_page, screen):
    page = open_page("rules?lang=it", screen=screen)
    found = page.locator(".rule-list dt")
    expect(found).to_have_count(len(game("sen_so").rules.catalogue()))
    assert findings(page) == []
    assert covered_anywhere(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    page.fill("#rule-search", "sen-58")
    expect(found).to_have_text(["SEN-58"])
    expect(page.locator(".count")).to_have_text("1 regola")
    page.fill("#rule-search", "nunchàku")
    expect(found.first).to_be_visible()
    expect(page.locator(".topic h2")).to_have_text(["Che cosa colpisce? Nunchaku"])
    page.fill("#rule-search", "no such word")
    expect(found).to_have_count(0)


@pytest.mark.browser
def test_an_attack_can_be_turned_on_the_drawing(open_page):
    page = open_page("rules")
    katana = page.locator(".topic").first
    expect(katana.locator(".struck")).to_have_count(4)
    before = katana.locator("svg").inner_html()
    for _ in range(8):
        katana.locator("button").click()
        expect(katana.locator(".struck")).to_have_count(4)
    assert katana.locator("svg").inner_html() == before


@pytest.mark.browser
def test_the_rules_can_be_read_beside_the_board_where_there_is_no_camera(open_page, evening: Evening):
    page = open_page()
    evening.arm()
    page.locator("#rules-here summary").click()
    page.fill("#rule-search", "knock out")
    expect(page.locator(".rule-list dt").first).to_have_text(re.compile("SEN-"))
    assert covered_anywhere(page) == []
    assert findings(page) == []


def test_the_rules_of_any_game_can_be_asked_for_whatever_is_played(client):
    sensu = client.get("/rules?game=sensu&lang=it")
    assert sensu.status_code == 200
    assert "Sensu" in sensu.text
    assert "SU-1" in client.get("/api/rules?game=sensu").get_json()
    assert "SEN-1" in client.get("/api/rules").get_json()
    assert client.get("/api/topics?game=senjutsu").get_json()
    assert client.get("/api/deck?game=sensu").get_json()["cards"].keys() >= {"hi_ogi-9-0"}
    for path in ("/rules", "/api/rules", "/api/topics", "/api/deck"):
        assert client.get(f"{path}?game=../../etc").status_code == 404
