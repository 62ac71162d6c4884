"""Senjutsu in a real browser: the arena, what lies before each samurai, the order, and choosing by tap."""

from typing import Any

import pytest
from playwright.sync_api import expect

from companion import games
from companion.core.events import Seen
from companion.core.layout import SeenPiece, Sight
from companion.games.senjutsu import GAME
from companion.games.senjutsu.kamae_board import ring
from companion.games.senjutsu.layout import ArenaOnTable, piece
from companion.record.match import Match
from companion.record.recorded_match import RecordedMatch
from companion.referee.referee import Referee
from companion.referee.service import NO_DEVICES, Service
from tests.web.chromium import log_in
from tests.web.evening import PINS, Evening

pytestmark = pytest.mark.browser

CARDS = """
card Cut
type attack
rank wood
speed 6
attack wound 1 bleed 1 at F FL

card Guard
type defence
rank wood
speed 8-4
block at F FR
move up to 2 back

card Lesson
type meditation
rank wood
speed 9
kamae
rotate up to 1
foes discard 2
"""


class Duel(Evening):
    """Two samurai, face to face, whose players tap what they would lay."""

    def __init__(self, players: tuple[str, ...] = ("Aki", "Ben"), **options: Any) -> None:
        self.at, self.lines, self.players = 0.0, [], players
        deck = {"cards": CARDS, "decks": {"cut": 14, "guard": 13, "lesson": 13}}
        close = {"start_hexes": {"Aki": ["d2"], "Ben": ["d3"]}} if len(players) == 2 else {}
        games.game("senjutsu")  # its translations are looked for from now on
        self.match = Match(GAME, players, {**deck, **close, **options})
        self.service = Service(Referee(RecordedMatch(self.match, self._write)), lambda: self.at)

    def play(self, **cards: str) -> None:
        """Everybody lays a card, the count runs, and all are turned up."""
        for player in cards:
            self.move(player, "select")
        self.count()
        for player, card in cards.items():
            self.move(player, "reveal", card=card)


@pytest.fixture
def evening() -> Duel:
    return Duel()


def test_a_blow_is_told_and_the_wounds_are_laid_out(open_page, evening):
    page = open_page()
    expect(page.locator(".player .score")).to_have_text(["5", "5"])
    expect(page.locator(".senjutsu .wounds").nth(1).locator(".health")).to_have_count(5)
    evening.play(Aki="cut", Ben="cut")

    expect(page.locator(".player .score")).to_have_text(["3", "3"])
    expect(page.locator(".senjutsu .wounds").nth(1).locator(".face")).to_have_count(2)
    expect(page.locator(".senjutsu .wounds").nth(1).locator(".health")).to_have_count(3)
    expect(page.locator(".player .notes").nth(1)).to_contain_text("Wounds 2 of 5")
    expect(page.locator(".player .notes").nth(1)).to_contain_text("Bleeds 1")
    expect(page.locator(".senjutsu .discards .count")).to_have_text(["2", "2"])


def test_reach_blocks_kamae_advantage_and_the_order_are_shown(open_page, evening):
    page = open_page()
    expect(page.locator(".senjutsu .lists text").filter(has_text="Ben")).to_have_count(1)
    evening.play(Aki="cut", Ben="guard")
    expect(page.locator(".senjutsu .entry .speed")).to_have_text(["6", "?"])
    expect(page.locator(".senjutsu .struck")).to_have_count(2)
    evening.move("Ben", "speed", value=6)

    expect(page.locator(".senjutsu .shield")).to_have_count(2)
    expect(page.locator(".senjutsu .entry.now")).to_contain_text("Guard")
    expect(page.locator("#progress")).to_have_text("Round 1 · Ben: move up to 2 BR B BL")
    expect(page.locator(".senjutsu .node.gateway.here")).to_have_count(2)
    evening.move("Ben", "pass")
    expect(page.locator(".player .score")).to_have_text(["5", "5"])
    expect(page.locator("#rulings")).to_contain_text(
        "Ben blocks the attack of Aki: both come at speed 6, and a block comes first."
    )


def test_a_chosen_card_is_a_back_until_it_is_turned_up(open_page, evening):
    page = open_page()
    evening.move("Aki", "select")

    expect(page.locator(".senjutsu .console").first.locator(".card .face")).to_have_count(1)
    expect(page.locator(".senjutsu .console").nth(1).locator(".card .face")).to_have_count(0)
    expect(page.locator(".senjutsu .console").first.locator(".hand .face")).to_have_count(5)
    assert "cut" not in page.locator("main").inner_text().lower()


def test_a_miniature_that_stands_elsewhere_is_shown_with_where_it_belongs(open_page, evening):
    page = open_page()
    duel = evening.match.state.duel
    x, y = ArenaOnTable(duel).centre(duel.arena.names["e3"])
    evening.service.submit(Seen(Sight({}, {piece("Aki"): SeenPiece(x, y, 0.0)}), evening.at))

    expect(page.locator(".senjutsu .stray")).to_have_count(1)
    expect(page.locator(".player .notes").first).to_contain_text("Samurai to d2 N")
    there = ArenaOnTable(duel).kamae_board(0).places["balance"]
    evening.service.submit(Seen(Sight({}, {ring("Aki"): SeenPiece(*there)}), evening.at))
    expect(page.locator(".player .notes").first).to_contain_text("Ring to Gateway")
    evening.play(Aki="cut", Ben="cut")
    evening.service.submit(Seen(Sight({"Ben.wounds": ()}), evening.at))
    expect(page.locator(".player .notes").nth(1)).to_contain_text("Laid out: 0")


def test_everything_can_be_chosen_from_the_own_seat(open_page, evening):
    ben, aki = open_page("seat/Ben", "phone"), open_page("seat/Aki?lang=it", "phone")
    log_in(ben, PINS["Ben"])
    log_in(aki, PINS["Aki"])
    ben.get_by_role("button", name="My card lies face down").click()
    aki.get_by_role("button", name="La mia carta è coperta").click()
    expect(ben.locator("#moment .number")).to_have_text("3")
    evening.count()
    ben.get_by_role("button", name="Guard", exact=True).click()
    ben.get_by_role("button", name="I turned up Guard").click()
    aki.get_by_role("button", name="Lesson", exact=True).click()
    aki.get_by_role("button", name="Ho girato Lesson").click()
    ben.get_by_role("button", name="Speed 5").click()
    aki.get_by_role("button", name="Cambia guardia: Equilibrio").click()
    expect(aki.locator(".senjutsu .node.balance.here")).to_have_count(1)
    expect(aki.locator("#progress")).to_contain_text("ruota fino a 1")
    aki.get_by_role("button", name="NE", exact=True).click()
    ben.get_by_role("button", name="Cut", exact=True).click()
    ben.get_by_role("button", name="Cut", exact=True).click()
    ben.get_by_role("button", name="Discard Cut, Cut").click()
    ben.locator(".senjutsu .offer[aria-label=d5]").click()

    expect(ben.locator("#progress")).to_have_text("Round 2")
    facts = evening.match.facts
    assert (facts["samurai"]["Ben"]["hex"], facts["samurai"]["Aki"]["facing"]) == ("d5", "NE")
    for page in (aki, ben):
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_path_is_put_together_step_by_step(open_page, evening):
    ben = open_page("seat/Ben")
    evening.play(Aki="passive", Ben="guard")
    log_in(ben, PINS["Ben"])
    ben.get_by_role("button", name="Speed 8").click()
    ben.get_by_role("button", name="NE", exact=True).click()
    expect(ben.get_by_role("button", name="Go NE")).to_be_visible()
    ben.get_by_role("button", name="N", exact=True).click()

    expect(ben.locator("#rulings")).to_contain_text("Ben moves to e5.")


@pytest.mark.parametrize("screen", ["tablet", "phone", "wall"])
def test_four_samurai_fit_on_every_screen(open_page, evening, screen):
    duel = Duel(("Aki", "Benedetta Montecuccoli", "Cho", "Dai"), terrain=["d3"])
    evening.match = duel.match
    evening.service.hand_over(duel.service.referee, NO_DEVICES)
    page = open_page("", screen)

    expect(page.locator(".senjutsu .console")).to_have_count(4)
    expect(page.locator(".senjutsu .rock")).to_have_count(1)
    width, height = page.viewport_size["width"], page.viewport_size["height"]
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert screen == "phone" or page.evaluate("document.documentElement.scrollHeight") <= height
