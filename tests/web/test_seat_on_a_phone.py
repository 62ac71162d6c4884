"""A seat on a phone: whole games by taps, Oops, the keyboard, and nothing that covers a control."""

import itertools
import re
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Page, expect

from companion.core.events import Seen
from companion.core.layout import SeenCard, Sight
from companion.games import game
from companion.games.sensu.cards import NAMES as FAN_CARDS
from companion.games.sensu.cards import TITLES
from companion.games.sensu.combination import lays
from companion.games.sensu.moves import Combine, DiscardFanCard, DrawFanCard
from companion.record.match import Match
from companion.referee.offers import offer
from tests.web.axe import findings
from tests.web.chromium import SCREENS, log_in
from tests.web.evening import PINS, SETTINGS, Evening
from tests.web.hit_test import covered
from tests.web.sensu_hands import SensuHands, Wish
from tests.web.test_page_san_ni_ichi import Bout
from tests.web.test_page_senjutsu import Duel
from web.app import create_app
from web.server import Server

pytestmark = pytest.mark.browser

SUMS = Path("web/static/games/sensu_sums.js")


def covered_on_the_way_down(page: Page) -> list[list[str]]:
    """Controls that something lies over, at every height to which the page can be scrolled."""
    found: list[list[str]] = []
    page.evaluate("document.querySelector('main').scrollTop = 0")
    while True:
        found += covered(page)
        if not page.evaluate("""() => {
          const main = document.querySelector("main"), before = main.scrollTop;
          main.scrollTop += main.clientHeight - 60;
          return main.scrollTop > before;
        }"""):
            return found


def fits_the_screen(page: Page) -> None:
    """Nothing is wider than the phone, nothing lies over a control, and the action bar is in view."""
    width, height = page.viewport_size["width"], page.viewport_size["height"]
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert covered_on_the_way_down(page) == []
    box = page.locator("#bar").bounding_box()
    assert box is None or box["y"] + box["height"] <= height


# --- Sensu by taps alone ------------------------------------------------------------------------------------------


ASKED = {
    "draw": re.compile("lay a combination of 20|cala una combinazione da 20"),
    "combine": re.compile("lay a combination of 20|cala una combinazione da 20"),
    "discard": re.compile("Discard one card|Scarta una carta"),
    "place": re.compile("Lay the redeemed cards|carte riscattate"),
}


class Parlour(Evening):
    def __init__(self, seed: int) -> None:
        super().__init__(game=game("sensu"), wild_winds=0)
        self.hands = SensuHands(self.service.referee.match, seed)


def tap_cards(page: Page, cards: tuple[str, ...]) -> None:
    for card in cards:
        page.get_by_role("button", name=TITLES[card.split("-")[0]], exact=True).click()
        page.get_by_role("button", name=FAN_CARDS[card], exact=True).click()


def tap_wish(page: Page, wish: Wish) -> None:
    bar = page.locator("#bar")
    match wish:
        case DrawFanCard():
            bar.get_by_role("button", name=re.compile("Draw from the deck|Pesca dal mazzo")).click()
        case DiscardFanCard():
            tap_cards(page, (wish.card,))
            bar.locator(".go:enabled").click()
        case Combine():
            tap_cards(page, wish.cards)
            lay = bar.locator(".last > button:enabled")
            expect(lay).to_be_visible()
            for way in bar.locator("[data-key^='redeem ']").all():
                if set(str(way.get_attribute("data-key"))[7:].split(",")) == set(wish.redeem):
                    way.click()
            for card in wish.discard or () if len(wish.discard or ()) > 1 else ():
                bar.locator(f"[data-key='rest {card}']").click()
            lay.click()
        case _:
            page.locator("#acts, #bar").locator(".choices button").first.click()


@pytest.mark.parametrize(("seed", "combinations"), [(0, 1), pytest.param(86, 10, marks=pytest.mark.long)])
def test_two_play_sensu_to_its_end_by_taps_alone(browser, seed, combinations):
    """Every day until each kind of step was made once, in the long run until the match is over."""
    evening = Parlour(seed)
    match, hands = evening.hands.match, evening.hands
    with Server(create_app(evening.service, SETTINGS, now=lambda: evening.at), evening.service, port=0) as server:
        pages = {}
        for player, screen, language in (("Aki", "phone", "en"), ("Ben", "small phone", "it")):
            width, height = SCREENS[screen]
            page = browser.new_context(viewport={"width": width, "height": height}).new_page()
            page.goto(f"{server.url}seat/{player}?lang={language}", wait_until="domcontentloaded")
            log_in(page, PINS[player])
            pages[player] = page
        seen: set[str] = set()
        wishes: list[Wish] = []
        while not match.over and (combinations > 1 or seen != set(ASKED)):
            player, wish, version = match.state.player, hands.wish(), evening.service.version
            if wish.kind not in seen:
                seen.add(wish.kind)
                expect(pages[player].locator("#bar button, #acts .choices button").first).to_be_visible()
                fits_the_screen(pages[player])
            expect(pages[player].locator("#ask")).to_contain_text(ASKED[wish.kind])
            tap_wish(pages[player], wish)
            evening.service.wait(version, 30)
            hands.done(player, wish)
            wishes.append(wish)
            evening.wait(1.0)
        assert {"combine", "place", "draw", "discard"} <= seen
        for page in pages.values():
            if match.over:
                expect(page.locator("#ask")).to_have_text(re.compile("The match is over|La partita è finita"))
            page.context.close()
    made = [line for line in evening.lines if "move" in line]
    assert not [line for line in made if "refused" in line]
    laid = [line for line in made if line["move"] == "combine"]
    wanted = [wish for wish in wishes if isinstance(wish, Combine)]
    assert len(laid) == len(wanted) == combinations
    for line, wish in zip(laid, wanted, strict=True):
        assert (set(line["cards"]), set(line["redeem"])) == (set(wish.cards), set(wish.redeem))
        assert tuple(line["discard"]) == wish.discard


def test_the_script_lets_every_combination_of_a_hand_be_tapped_in_any_order(browser):
    """The cards that the page greys out are never part of a combination with those that are chosen."""
    page = browser.new_page()
    page.evaluate(f"""() => {{ {SUMS.read_text().replace("export ", "")}
      const goes = (cards) => cards.every((card, at) => fits(card, cards.slice(0, at)));
      window.refused = (orders) => orders.filter((cards) => !goes(cards)); }}""")
    orders = []
    for seed in range(60):
        chance = Random(seed)
        match = Match(game("sensu"), ["Aki", "Ben", "Cho", "Dai"][: 2 + seed % 3], {})
        hand = chance.sample(sorted(offer(match, "Aki").parts["combine"].of), 5)
        for move in lays(tuple(hand), match.state.terms.table):
            orders += [list(order) for order in itertools.permutations(move.cards)]
    assert len(orders) > 1000
    assert page.evaluate("orders => window.refused(orders)", orders) == []
    assert page.evaluate("window.refused([['hi_ogi-9-0', 'hi_ogi-8-0', 'gun_sen-4-0']]).length") == 1
    page.close()


# --- Oops -----------------------------------------------------------------------------------------------------------


class TestOops:
    @pytest.fixture
    def evening(self) -> Evening:
        return Parlour(seed=1)

    def test_a_slip_is_taken_back_from_the_own_page_alone(self, open_page, evening):
        aki, ben = open_page("seat/Aki", "phone"), open_page("seat/Ben?lang=it", "small phone")
        log_in(aki, PINS["Aki"])
        ben.fill("#pin", PINS["Ben"])
        ben.click("#login button")
        expect(aki.locator("#oops")).to_be_hidden()
        aki.get_by_role("button", name="Draw from the deck").click()
        expect(aki.locator("#ask")).to_contain_text("Discard one card")
        expect(ben.locator("#oops")).to_be_hidden()
        aki.get_by_role("button", name="Oops! Take it back").click()

        expect(aki.locator("#ask")).to_have_text("Your turn: Draw a card, or lay a combination of 20.")
        expect(aki.locator("#oops")).to_be_hidden()
        expect(ben.locator("#rulings li").first).to_contain_text("Aki annulla il suo ultimo tocco.")
        expect(ben.locator("#ask")).to_have_text("Aspetta gli altri.")
        assert evening.lines[-1]["undo"] == 1


# --- alone ------------------------------------------------------------------------------------------------------------


class TestAlone:
    @pytest.fixture
    def evening(self) -> Evening:
        return Evening(("Aki",), game=game("sensu"), sticks=[4, 3, 3, 2, 2, 2, 1, 1, 1])

    def test_cards_are_drawn_and_a_combination_is_laid_with_its_discards_in_any_order(self, open_page, evening):
        page = open_page("seat/Aki", "small phone")
        log_in(page, PINS["Aki"])
        for column, card in enumerate(("gun_sen-7-1", "hi_ogi-8-1", "mai_ougi-5-1"), 1):
            tap_cards(page, (card,))
            page.get_by_role("button", name=f"{FAN_CARDS[card]} → Column {column}").click()
            expect(page.locator(".sensu .columns .face")).to_have_count(column)
            evening.wait(6.0)
        for card in ("gun_sen-7-1", "hi_ogi-8-1", "mai_ougi-5-1"):
            page.get_by_role("button", name=FAN_CARDS[card], exact=True).click()
        page.get_by_role("button", name="Put Gun-sen 7~ on top").click()
        page.get_by_role("button", name="Lay 20, redeem Mai-ougi 5~").click()

        expect(page.locator("#ask")).to_contain_text("Lay the redeemed cards into your fans")
        assert evening.lines[-1]["discard"] == ("hi_ogi-8-1", "gun_sen-7-1")


# --- whose turn it is -------------------------------------------------------------------------------------------------


class TestNudge:
    @pytest.fixture
    def evening(self) -> Evening:
        return Parlour(seed=1)

    def test_the_phone_shakes_once_when_it_is_ones_turn(self, open_page, evening):
        page = open_page("seat/Ben", "phone")
        log_in(page, PINS["Ben"])
        page.evaluate("() => { window.shaken = 0; navigator.vibrate = () => { window.shaken += 1; }; }")
        page.locator("#menu-button").click()
        expect(page.locator("#ask")).to_have_text("Wait for the others.")
        evening.move("Aki", "draw", **{"from": "deck"})
        evening.move("Aki", "discard", card="gun_sen-1-0")
        expect(page.locator("#ask")).to_contain_text("Your turn")
        assert page.evaluate("window.shaken") == 1
        evening.move("Ben", "draw", **{"from": "deck"})
        expect(page.locator("#ask")).to_contain_text("Discard one card")
        assert page.evaluate("window.shaken") == 1


class TestNoAnswer:
    @pytest.fixture
    def evening(self) -> Evening:
        return Parlour(seed=1)

    def test_a_page_that_was_not_told_what_can_be_done_asks_again(self, open_page, evening):
        page = open_page("seat/Aki", "phone")
        page.add_init_script("""
          const fetched = window.fetch;
          const busy = () => Promise.resolve(new Response("", { status: 503 }));
          window.unanswered = [() => Promise.reject(new TypeError("no way")), busy];
          window.fetch = (path, more) => {
            const fails = String(path).startsWith("/api/options") && window.unanswered.shift();
            return fails ? fails() : fetched(path, more);
          };
        """)
        log_in(page, PINS["Aki"])
        expect(page.locator("#bar-acts button:enabled").first).to_be_visible()
        assert page.evaluate("window.unanswered.length") == 0


# --- what is offered, and where ---------------------------------------------------------------------------------------


def sensu() -> Evening:
    return Parlour(seed=1)


def at_turn_up(evening: Evening) -> Evening:
    evening.count()
    return evening


def sen_so() -> Evening:
    evening = Evening(starts={"Aki": "e4", "Ben": "e6"}, end={"actions": 2})
    evening.begin()
    evening.ready()
    return at_turn_up(evening)


def san_ni_ichi() -> Evening:
    evening = Bout()
    evening.select()
    return at_turn_up(evening)


def senjutsu() -> Evening:
    evening = Duel()
    for player in evening.players:
        evening.move(player, "select")
    return at_turn_up(evening)


def high_card() -> Evening:
    evening = Evening(game=game("high_card"), rounds=3)
    for player in evening.players:
        evening.move(player, "lay")
    evening.ready()
    return at_turn_up(evening)


GAMES = (sen_so, san_ni_ichi, senjutsu, high_card, sensu)
LOOKS = (("small phone", "it"), ("phone", "en"))


@pytest.mark.parametrize(
    ("begun", "screen", "language"),
    [
        # Each game on one phone every day, on the other in the long run.
        pytest.param(begun, *look, marks=() if (at + nth) % 2 == 0 else pytest.mark.long)
        for nth, begun in enumerate(GAMES)
        for at, look in enumerate(LOOKS)
    ],
)
def test_every_control_can_be_met_on_a_phone(browser, begun, screen, language):
    evening = begun()
    with Server(create_app(evening.service, SETTINGS, now=lambda: evening.at), evening.service, port=0) as server:
        width, height = SCREENS[screen]
        page = browser.new_page(viewport={"width": width, "height": height})
        page.goto(f"{server.url}seat/Aki?lang={language}", wait_until="domcontentloaded")
        log_in(page, PINS["Aki"])
        expect(page.locator(".card-choice:visible").first).to_be_visible()
        fits_the_screen(page)
        page.locator(".card-choice:visible").first.click()
        page.locator("#menu-button").click()
        fits_the_screen(page)
        assert findings(page) == []
        # Choosing takes no more than a screen and a half.
        assert page.locator("#acts").bounding_box()["height"] < 1.2 * height
        page.close()


class TestReady:
    """Ready stands only where it means something."""

    @pytest.fixture
    def evening(self) -> Bout:
        return Bout()

    def test_it_does_not_stand_beside_a_weapon_that_cannot_act(self, open_page, evening):
        page = open_page("seat/Cho", "phone")
        evening.turn_up(Aki="fire-1", Ben="wood-2", Cho="sai-13")
        evening.move("Aki", "discard")
        evening.move("Ben", "discard")
        log_in(page, PINS["Cho"])
        expect(page.locator("#bar-acts button")).to_have_text(["Discard it"])

    def test_it_says_what_it_does(self, open_page, evening):
        page = open_page("seat/Aki?lang=it", "phone")
        evening.sense("camera", "ok")
        log_in(page, PINS["Aki"])
        expect(page.locator("#bar-acts button")).to_have_text(["Pronto: le mie carte sono posate"])


# --- without eyes -----------------------------------------------------------------------------------------------------


def press(page: Page, name: str) -> None:
    """Go to a control by the keyboard, as somebody who hears only names would, and press it."""
    heard = []
    for _ in range(120):
        page.keyboard.press("Tab")
        name_here = page.evaluate("""() => {
          const here = document.activeElement, told = here.cloneNode(true);
          for (const hidden of told.querySelectorAll("[aria-hidden=true]")) hidden.remove();
          return here.getAttribute("aria-label") || told.textContent.trim().slice(0, 60) || here.tagName;
        }""")
        if name_here == name:
            page.keyboard.press("Enter")
            return
        heard.append(name_here)
    raise AssertionError(f"no {name!r} among {heard[:60]}")


class TestWithoutEyes:
    @pytest.fixture
    def evening(self) -> Evening:
        return Evening(starts={"Aki": "e4", "Ben": "e6"}, end={"actions": 2})

    def test_a_whole_game_is_played_by_keyboard_and_what_is_said(self, open_page, evening):
        page = open_page("seat/Aki", "small phone")
        log_in(page, PINS["Aki"])
        ask = page.locator("#ask[aria-live=assertive]")
        expect(ask).to_have_text("Your turn: Choose the weapons of this match.")
        press(page, "Katana · 4")
        expect(page.locator(".picker [aria-live]")).to_have_text("4 of 8 spaces filled")
        evening.move("Ben", "arm", weapons=["bo_staff"])
        expect(page.locator("#aloud[aria-live]")).to_contain_text("Ben has chosen the weapons")
        assert page.evaluate("document.activeElement.dataset.key") == "katana"  # the focus stays with the card
        press(page, "Take these weapons")
        expect(ask).to_contain_text("Lay the cards face down")
        assert page.evaluate("document.activeElement !== document.body")
        press(page, "My cards lie face down")
        expect(ask).to_have_text("Wait for the others.")
        for move in evening.service.options("Ben"):
            if move.kind == "set":
                evening.move("Ben", "set", slots=list(move.slots))
                break
        evening.count()
        expect(ask).to_have_text("Turn up!")
        press(page, "Start with Katana")
        evening.move("Ben", "show", weapon="bo_staff")
        for turn in range(2):
            if turn:
                expect(ask).to_contain_text("Lay")
                press(page, "My cards lie face down")
            else:
                expect(ask).to_contain_text("Press ready")
                press(page, "Ready for the count of three")
            expect(ask).to_have_text("Wait for the others.")
            evening.place()
            evening.tap("Ben", "ready")
            evening.count()
            expect(ask).to_have_text("Turn up!")
            press(page, "Move")
            press(page, "Move: to the right")
            evening.move("Ben", "reveal", card="move", direction="R")
            expect(page.locator("#aloud[aria-live]")).not_to_be_empty()
        expect(ask).to_have_text("The match is over.")
        assert evening.service.referee.match.over

    def test_a_card_that_is_shown_to_the_camera_is_told_to_its_own_seat_alone(self, open_page, evening):
        aki, ben, table = open_page("seat/Aki", "phone"), open_page("seat/Ben", "phone"), open_page()
        for page, name in ((aki, "Aki"), (ben, "Ben")):
            log_in(page, PINS[name])
            page.locator("#menu-button").click()
            page.locator("#read-aloud").select_option("reader")
        shown = (SeenCard("flying_attack", True),)
        evening.service.submit(Seen(Sight({"Aki.action1": shown, "Ben.action1": (SeenCard(None, False),)}), evening.at))

        expect(aki.locator("#spoken[aria-live=assertive]")).to_have_text("Aki: first action: Flying Attack")
        evening.move("Ben", "arm", weapons=["katana"])
        for page in (ben, table):
            expect(page.locator("#rulings li").first).to_contain_text("Ben has chosen the weapons")
            assert "flying attack" not in page.locator("body").inner_text().lower()
        for viewer in ("Ben", "referee", None):
            told = evening.service.page(viewer)
            assert told.read_aloud == ()
        assert "Flying" in str(evening.service.page("Aki").read_aloud)

    def test_the_phone_speaks_what_is_asked_and_what_has_happened(self, open_page, evening):
        page = open_page("seat/Aki?lang=it", "phone")
        log_in(page, PINS["Aki"])
        page.evaluate("""() => {
          window.spoken = [];
          window.speechSynthesis.speak = (said) => window.spoken.push([said.lang, said.text]);
        }""")
        page.locator("#menu-button").click()
        page.locator("#read-aloud").select_option("voice")
        evening.move("Ben", "arm", weapons=["katana"])
        expect(page.locator("#spoken")).to_contain_text("Ben")
        said = page.evaluate("window.spoken")
        assert said[0] == ["it", "Qui si legge tutto ad alta voce."]
        assert "Ben" in said[1][1]
        page.get_by_role("button", name="Leggimi il tavolo").click()
        assert "Aki e4" in page.evaluate("window.spoken[window.spoken.length - 1][1]")

    def test_every_control_has_a_name(self, open_page, evening):
        page = open_page("seat/Aki?lang=it", "phone")
        log_in(page, PINS["Aki"])
        page.locator("#menu-button").click()
        nameless = page.evaluate("""() => {
          const controls = document.querySelectorAll("button, a, input, select, summary, [role=button]");
          const labelled = (each) => each.getAttribute("aria-label") || (each.labels || []).length;
          const named = (each) => labelled(each) || each.textContent.trim();
          return Array.from(controls).filter((each) => !named(each)).map((each) => each.outerHTML);
        }""")
        assert nameless == []
