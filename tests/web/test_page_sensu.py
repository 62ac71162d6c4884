"""Sensu in a real browser: fans with their sticks, piles, deck and turn, help with what is laid, and the solo game."""

import pytest
from playwright.sync_api import expect

from companion.core.events import Seen, Tap
from companion.core.layout import SeenCard, Sight
from companion.games.sensu import GAME
from tests.web.chromium import log_in
from tests.web.evening import PINS, Evening

pytestmark = pytest.mark.browser

TRIO = ["hi_ogi-6-0", "hi_ogi-7-0", "hi_ogi-7-1"]
TRIO_OF_BEN = ["mai_ougi-6-0", "mai_ougi-7-0", "mai_ougi-7-1"]


class Salon(Evening):
    """Players whose cards the camera sees as they are told here."""

    def sees(self, **places: list[str]) -> None:
        up = {place: tuple(SeenCard(card, True) for card in cards) for place, cards in places.items()}
        zones = {place.replace("__", "."): cards for place, cards in up.items()}
        self.service.submit(Seen(Sight(zones), self.at))


@pytest.fixture
def evening() -> Salon:
    return Salon(game=GAME, variants=["powers"], symbols=["gun_sen-3-0"])


def test_the_board_shows_fans_with_their_sticks_piles_deck_and_turn(open_page, evening):
    page = open_page()
    expect(page.locator(".sensu .deck-count")).to_have_text("×53")
    expect(page.locator(".sensu .acts .who")).to_have_text("Aki")

    evening.move("Aki", "combine", cards=TRIO, redeem=TRIO)
    evening.move("Aki", "place", cards=TRIO)
    evening.move("Ben", "draw", **{"from": "deck"})
    evening.move("Ben", "discard", card="gun_sen-1-0")

    expect(page.locator(".sensu .deck-count")).to_have_text("×52")
    expect(page.locator(".sensu .caption")).to_contain_text(["Gun-sen 0/10", "Hi-ōgi 4/10", "Mai-ougi 0/10"])
    expect(page.locator(".sensu .section[data-card^='hi_ogi']")).to_have_count(3)
    expect(page.locator(".sensu .section .ribs line")).to_have_count(4)
    expect(page.locator(".sensu .count")).to_have_text(["", "×1"])
    expect(page.locator(".player .notes").nth(0)).to_contain_text("2 in hand")
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280


def test_what_has_just_been_built_unfolds_and_nothing_else_does(open_page, evening):
    redeemed = ["gun_sen-6-0", "hi_ogi-7-0"]
    evening.move("Aki", "combine", cards=[*redeemed, "hi_ogi-7-1"], redeem=redeemed)
    page = open_page()
    page.evaluate("""() => {
      window.unfolded = [];
      const animate = Element.prototype.animate;
      Element.prototype.animate = function (...how) {
        if (this.matches(".section")) window.unfolded.push(this.dataset.card);
        return animate.apply(this, how);
      };
    }""")
    evening.move("Aki", "place", cards=redeemed)
    expect(page.locator(".sensu .section")).to_have_count(2)
    assert page.evaluate("window.unfolded") == redeemed

    evening.move("Ben", "combine", cards=TRIO_OF_BEN, redeem=TRIO_OF_BEN)
    evening.move("Ben", "place", cards=TRIO_OF_BEN)
    expect(page.locator(".sensu .section")).to_have_count(5)
    assert page.evaluate("window.unfolded") == [*redeemed, *TRIO_OF_BEN]


def test_a_laid_combination_is_explained_while_it_lies_there(open_page, evening):
    page = open_page()
    evening.sees(Aki__combination=["hi_ogi-7-0", "hi_ogi-7-1"])
    expect(page.locator(".sensu .next .sum")).to_contain_text("6 missing to 20")

    evening.sees(Aki__combination=["hi_ogi-7-0", "hi_ogi-7-1", "gun_sen-6-0"])
    help_ = page.locator(".sensu .next")
    expect(page.locator(".sensu text.sum")).to_have_text("= 20")
    expect(help_).to_contain_text("Equal numbers (7) give one bonus card.")
    expect(help_).to_contain_text("Redeemed, with the most sticks: Gun-sen 6")
    expect(help_).to_contain_text("Bonus, with the fewest sticks: Hi-ōgi 7 or Hi-ōgi 7~")
    expect(help_).to_contain_text("Fits: Hi-ōgi 7 → 1/10, 7~ → 1/10 · Gun-sen 6 → 2/10")
    expect(help_).to_contain_text("Sticks still missing: Gun-sen 10, Hi-ōgi 10, Mai-ougi 10")
    help_.get_by_role("button", name="SU-23").click()
    expect(page.locator("#rule h2")).to_have_text("SU-23")


@pytest.mark.parametrize("screen", ["tablet", "wall"])
def test_all_that_is_said_about_five_cards_is_seen_without_scrolling(open_page, evening, screen):
    page = open_page("?lang=it", screen)
    cards = ["gun_sen-7-0", "gun_sen-8-0", "gun_sen-2-0", "mai_ougi-2-0", "hi_ogi-1-0"]
    evening.sees(Aki__combination=cards)

    help_ = page.locator(".sensu .next")
    expect(help_).to_contain_text("Stecche ancora mancanti")
    expect(help_).to_contain_text("Bonus, con meno stecche: Gun-sen 7 + Gun-sen 8")
    assert help_.evaluate("box => box.scrollHeight <= box.clientHeight")


@pytest.mark.parametrize(
    ("cards", "bonus"),
    [
        (["gun_sen-5-0", "gun_sen-5-1", "gun_sen-9-0", "hi_ogi-1-0"], "Gun-sen 9 + (Gun-sen 5 or Gun-sen 5~)"),
        (["gun_sen-7-0", "gun_sen-7-1", "gun_sen-123-0", "hi_ogi-5-0"], "2 of Gun-sen 7, Gun-sen 7~, Gun-sen 1/2/3"),
    ],
)
def test_ties_for_the_bonus_are_shown_as_the_choice_they_are(open_page, evening, cards, bonus):
    page = open_page()
    evening.sees(Aki__combination=cards)
    expect(page.locator(".sensu .next")).to_contain_text(f"Bonus, with the fewest sticks: {bonus}")


def test_a_closed_fan_is_folded_and_its_card_taken_from_the_stack(open_page, evening):
    redeemed = ["gun_sen-1-0", "gun_sen-9-0", "gun_sen-9-1"]
    evening.move("Aki", "combine", cards=[*redeemed, "hi_ogi-1-0"], redeem=redeemed)
    page = open_page("?lang=it")
    evening.move("Aki", "place", cards=redeemed)
    expect(page.locator(".sensu .caption").first).to_have_text("Gun-sen 6/10")
    evening.move("Ben", "draw", **{"from": "deck"})
    evening.move("Ben", "discard", card="mai_ougi-9-0")
    for value in range(4, 8):
        evening.move("Aki", "draw", **{"from": "deck"})
        evening.move("Ben", "draw", **{"from": "deck"})
        evening.move("Ben", "discard", card=f"mai_ougi-{value}-0")
    redeemed = ["gun_sen-1-1", "gun_sen-8-0", "gun_sen-8-1"]
    evening.move("Aki", "combine", cards=[*redeemed, "hi_ogi-3-0"], redeem=redeemed)
    evening.move("Aki", "place", cards=redeemed)

    expect(page.locator(".sensu .folded")).to_have_count(1)
    expect(page.locator(".sensu .caption.done")).to_have_text("Gun-sen ✓")
    expect(page.locator(".sensu .closed-count")).to_have_text(["4", "5", "5"])
    expect(page.locator(".player .score").first).to_have_text("1")


def test_a_turn_is_played_from_the_seat_alone(open_page, evening):
    page = open_page("seat/Aki", "phone")
    log_in(page, PINS["Aki"])
    page.get_by_role("button", name="Hi-ōgi", exact=True).click()
    for card in ("Hi-ōgi 6", "Hi-ōgi 7", "Hi-ōgi 7~"):
        page.get_by_role("button", name=card, exact=True).click()
    told = page.locator(".told")
    expect(told).to_contain_text("Equal numbers (7) give one bonus card.")
    expect(told).to_contain_text("Bonus, with the fewest sticks: Hi-ōgi 7 + Hi-ōgi 7~")
    expect(told).to_contain_text("Fits: Hi-ōgi 6 → 2/10, 7 → 1/10, 7~ → 1/10")
    page.get_by_role("button", name="Lay 20, redeem Hi-ōgi 6 + 7 + 7~").click()
    page.get_by_role("button", name="Hi-ōgi 7 → 6 → 7~").click()

    expect(page.locator("#ask")).to_have_text("Wait for the others.")
    assert evening.service.referee.match.facts["fans"]["Aki"]["hi_ogi"]["sticks"] == 4
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_with_a_camera_a_seat_is_asked_only_what_nobody_sees(open_page, evening):
    evening.sense("camera", "ok")
    page = open_page("seat/Aki", "phone")
    log_in(page, PINS["Aki"])
    expect(page.locator("#bar-acts button")).to_have_text(["Draw from the deck"])
    page.get_by_role("button", name="Draw from the deck").click()
    expect(page.locator("#ask")).to_have_text("Your turn: Discard one card on your own pile.")
    expect(page.locator("#bar-acts button")).to_have_count(0)


@pytest.mark.parametrize(
    ("ended", "said"), [({"how": "agreed"}, "A draw"), ({"how": "conceded", "player": "Ben"}, "Aki wins")]
)
def test_a_match_that_the_referee_ends_names_the_winners_and_not_whose_turn_it_was(open_page, evening, ended, said):
    evening.move("Aki", "draw", **{"from": "deck"})
    evening.service.submit(Tap("referee", "end", {**ended, "why": "late"}, evening.at))
    expect(open_page().locator(".sensu .next .now")).to_have_text(said)


class TestAlone:
    @pytest.fixture
    def evening(self) -> Salon:
        return Salon(("Aki",), game=GAME, sticks=[4, 3, 3, 2, 2, 2, 1, 1, 1])

    def test_columns_score_and_on_request_every_combination(self, open_page, evening):
        page = open_page()
        for at, card in enumerate(("gun_sen-7-1", "hi_ogi-7-1", "mai_ougi-6-1"), 1):
            evening.move("Aki", "draw", card=card, to=f"column{at}")
        expect(page.locator(".sensu .columns .face")).to_have_count(3)
        expect(page.locator(".sensu .combinations")).to_have_count(0)
        page.get_by_role("button", name="Show the combinations").click()
        expect(page.locator(".sensu .combinations li")).to_have_count(1)
        expect(page.locator(".sensu .combinations")).to_contain_text("= 20")
        expect(page.locator(".sensu .combinations .best")).to_contain_text("3 points can be reached")
        evening.move("Aki", "draw", card="gun_sen-4-1", to="column4")
        evening.move("Aki", "draw", card="hi_ogi-3-1", to="discards")
        expect(page.locator(".sensu .combinations li")).to_have_count(3)
        expect(page.locator(".sensu .combinations li").first).to_contain_text("The best now")

        cards = ["gun_sen-7-1", "hi_ogi-7-1", "mai_ougi-6-1"]
        evening.move("Aki", "combine", cards=cards, redeem=["mai_ougi-6-1", "gun_sen-7-1"])
        evening.move("Aki", "place", cards=["mai_ougi-6-1", "gun_sen-7-1"])
        expect(page.locator(".player .score")).to_have_text("3")
        expect(page.locator(".player .notes")).to_contain_text("Gutted")

    def test_at_the_end_score_and_level_stand_where_the_turn_stood(self, open_page, evening):
        for card in sorted(evening.service.referee.match.state.terms.cards):
            evening.move("Aki", "draw", card=card, to="discards")
        page = open_page("?lang=it")
        expect(page.locator(".sensu .next .now")).to_have_text("Aki: 0 punti · Sventurato")
        expect(page.get_by_role("button", name="Mostra le combinazioni")).to_be_hidden()
