"""San, Ni, Ichi! in a real browser: the table as it lies, the order of play, and nothing that is face down."""

import json
from typing import Any

import pytest
from playwright.sync_api import expect

from companion.games import game
from companion.record.match import Match
from companion.record.recorded_match import RecordedMatch
from companion.referee.referee import Referee
from companion.referee.service import Service
from tests.web.chromium import log_in
from tests.web.evening import PINS, Evening

GAME = game("san_ni_ichi")
pytestmark = pytest.mark.browser

WEAPONS = ["torinoko-1", "block-0", "tonfa-11", "sai-13", "yoso_kogeki-15", "shuriken-22"]


class Bout(Evening):
    """Three players who tap what they would lay."""

    def __init__(self, **options: Any) -> None:
        self.at, self.lines, self.players = 0.0, [], ("Aki", "Ben", "Cho")
        match = Match(GAME, self.players, {"weapons": WEAPONS, **options})
        self.service = Service(Referee(RecordedMatch(match, self._write)), lambda: self.at)

    def select(self, *players: str) -> None:
        for player in players or self.players:
            self.move(player, "select")

    def turn_up(self, **cards: str) -> None:
        """Everybody selects, the count runs, and all are turned up."""
        self.select()
        self.count()
        for player, card in cards.items():
            self.move(player, "reveal", card=card)

    def pass_all(self) -> None:
        for player in self.players:
            self.move(player, "pass")


@pytest.fixture
def evening() -> Bout:
    return Bout()


def test_the_count_calls_san_ni_ichi_and_the_cards_line_up_in_the_order_of_play(open_page, evening):
    page = open_page()
    evening.select("Aki")
    expect(page.locator(".next")).to_contain_text("Still to choose: Ben, Cho")
    expect(page.locator(".san-ni-ichi .cards .card")).to_have_count(1)
    evening.select("Ben", "Cho")
    for called in "San!", "Ni!", "Ichi!":
        expect(page.locator("#moment .number")).to_have_text(called)
        evening.wait(1.0)
    expect(page.locator("#moment .turn")).to_have_text("Turn up!")

    for player, card in (("Aki", "wood-5"), ("Ben", "fire-5"), ("Cho", "water-1")):
        evening.move(player, "reveal", card=card)

    expect(page.locator(".san-ni-ichi .turn .letter")).to_have_text(["1 B", "5 A", "5 C"])
    expect(page.locator(".san-ni-ichi .turn.now .letter")).to_have_text("1 B")
    expect(page.locator(".next")).to_contain_text("Cho: Water 1, Strength 1.")
    expect(page.locator(".next")).to_contain_text("May be played on Aki, Ben, Cho")


def test_piles_blocks_and_what_may_not_be_done_are_shown(open_page, evening):
    page = open_page()
    evening.turn_up(Aki="block-0", Ben="fire-2", Cho="water-4")
    evening.move("Aki", "block")
    evening.move("Ben", "play", on="Cho")

    captions = page.locator(".san-ni-ichi .caption.first")
    expect(captions).to_have_text(["Combat", "Combat", "Fire 2, then Water"])
    expect(page.locator(".san-ni-ichi .shield.on")).to_have_count(1)
    expect(page.locator(".san-ni-ichi .slot.open")).to_have_count(2)
    expect(page.locator(".next")).to_contain_text("Aki is under Block")
    expect(page.locator(".player .notes").nth(0)).to_contain_text("Under Block")


def test_totals_and_taken_cards_are_kept_back_until_the_match_is_over(open_page, evening, client):
    page = open_page()
    evening.turn_up(Aki="fire-1", Ben="fire-2", Cho="fire-5")
    for player, victim in (("Aki", "Aki"), ("Ben", "Ben"), ("Cho", "Cho")):
        evening.move(player, "play", on=victim)
    evening.pass_all()

    expect(page.locator(".san-ni-ichi .caption").nth(5)).to_have_text("Damage 1")
    expect(page.locator(".player .score")).to_have_text(["", "", ""])
    sent = client.get("/api/page").get_json()
    assert [seat["total"] for seat in sent["view"]["seats"]] == [None, None, None]
    assert not any("damage" in json.dumps(said["happened"]) for said in sent["said"])
    assert "changes" not in json.dumps(sent)


def test_nobody_can_tell_from_the_page_who_used_a_smoke_bomb_before_all_have_declared(open_page, evening):
    def up_to_the_answer_of_aki(bout: Bout, answer: str) -> None:
        bout.turn_up(Aki="fire-1", Ben="fire-2", Cho="fire-5")
        for player in bout.players:
            bout.move(player, "play", on=player)
        bout.move("Aki", answer)

    other = Bout()
    up_to_the_answer_of_aki(other, "pass")
    page = open_page()
    up_to_the_answer_of_aki(evening, "smoke")
    for viewer in (None, "Ben", "Cho", "referee"):
        assert evening.service.page(viewer) == other.service.page(viewer)

    expect(page.locator(".next")).to_contain_text("Still to answer: Ben, Cho")
    expect(page.locator("#rulings")).not_to_contain_text("discards")
    evening.move("Ben", "pass")
    evening.move("Cho", "pass")
    expect(page.locator("#rulings")).to_contain_text("Aki discards Smoke bomb 1")


def test_a_seat_chooses_with_words_and_cards(open_page, evening):
    page = open_page("/seat/Ben")
    log_in(page, PINS["Ben"])
    evening.turn_up(Aki="fire-1", Ben="tonfa-11", Cho="sai-13")
    evening.move("Aki", "play", on="Cho")

    page.get_by_role("button", name="Wood 5", exact=True).click()
    page.get_by_role("button", name="Take Cho's top card, discard Wood 5").click()

    expect(page.locator("#rulings")).to_contain_text("takes Fire 1 from Cho's Combat Pile; Wood 5 is discarded.")
    expect(page.locator("#bar-acts .big")).to_have_count(0)
    evening.move("Cho", "discard")
    page.get_by_role("button", name="No smoke bomb").click()
    expect(page.locator("#bar-acts .big")).to_have_count(0)


def test_a_phone_stacks_the_seats_and_nothing_is_wider_than_the_screen(open_page, evening):
    page = open_page("?lang=it", screen="phone")
    evening.turn_up(Aki="fire-1", Ben="fire-2", Cho="fire-5")

    expect(page.locator(".next")).to_contain_text("Aki: Fuoco 1, Forza 1.")
    trays = page.locator(".san-ni-ichi .tray")
    lefts = trays.evaluate_all("all => all.map((each) => each.getBoundingClientRect().left)")
    assert max(lefts) - min(lefts) < 1
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_the_page_is_told_where_a_card_went(client, evening):
    evening.turn_up(Aki="fire-1", Ben="shuriken-22", Cho="wood-3")
    evening.move("Aki", "play", on="Aki")
    evening.move("Cho", "discard")
    evening.move("Ben", "shuriken", target="Cho")
    evening.pass_all()

    happened = [said["happened"] for said in client.get("/api/page").get_json()["said"] if said["happened"]]
    assert happened == [
        {"what": "discarded", "player": "Cho", "card": "wood-3"},
        {"what": "thrown", "player": "Ben", "card": "shuriken-22", "target": "Cho"},
        {"what": "taken", "player": "Aki", "cards": ["fire-1"]},
    ]


def test_a_weapon_that_stays_for_the_round_lies_as_at_the_table(client, evening):
    evening.turn_up(Aki="block-0", Ben="tonfa-11", Cho="fire-3")
    evening.move("Aki", "block")
    evening.move("Cho", "play", on="Cho")
    evening.move("Ben", "tonfa", **{"from": "Cho"}, discard="fire-3")

    seats = client.get("/api/page").get_json()["view"]["seats"]
    assert [seat["lies"] for seat in seats] == ["upright", "crosswise", None]
