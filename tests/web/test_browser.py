"""The pages in a real browser: what people see, live, on a tablet, a phone and a wall."""

import dataclasses
import re

import pytest
from playwright.sync_api import expect

from companion.core.events import Seen
from companion.core.layout import SeenCard, Sight
from companion.games.sen_so import GAME
from tests.web.chromium import SCREENS, log_in
from tests.web.evening import PINS, SETTINGS, Evening
from web.app import create_app
from web.server import Server

pytestmark = pytest.mark.browser


@pytest.fixture
def evening() -> Evening:
    """Close quarters, so that the first blow can land."""
    return Evening(starts={"Aki": "e4", "Ben": "e6"}, end={"actions": 2})


def blow(evening: Evening) -> None:
    """One whole set: Aki strikes Ben, who has walked into it and shows no block."""
    evening.reveal(Aki=("attack", "F"), Ben=("move", "F"))
    evening.move("Aki", "aim", cell="e5")
    evening.move("Ben", "guard", direction=None)


def test_scores_and_rulings_change_live_without_a_reload(open_page, evening):
    page = open_page()
    page.evaluate("window.sameDocument = true")
    expect(page.locator(".player .score")).to_have_text(["0", "0"])

    evening.begin()
    blow(evening)

    expect(page.locator(".player .score")).to_have_text(["5", "−5"])
    expect(page.locator("#rulings li").first).to_contain_text("Aki strikes Ben: +5 and −5.")
    expect(page.locator("#rulings li").first.locator("button")).to_have_text("SEN-58")
    assert page.evaluate("window.sameDocument") is True


def test_a_rules_number_can_be_tapped_to_read_the_rule(open_page, evening):
    page = open_page("?lang=it")
    evening.arm()
    page.locator("#rulings button").first.click()

    expect(page.locator("#rule h2")).to_have_text("SEN-10")
    expect(page.locator("#rule p").first).not_to_be_empty()
    page.locator("#rule button").click()
    expect(page.locator("#rule")).to_be_hidden()


def test_what_is_awaited_from_whom_is_shown(open_page, evening):
    page = open_page()
    evening.move("Aki", "arm", weapons=["katana"])

    prompts = page.locator(".player .prompt")
    expect(prompts.nth(0)).to_contain_text("Lay the cards face down")
    expect(prompts.nth(1)).to_have_text("Choose the weapons of this match.")
    expect(page.locator(".player .state")).to_have_text(["Placing", "Choosing"])


def test_the_count_of_three_is_shown_big_and_then_everyone_turns_up(open_page, evening):
    page = open_page()
    evening.arm()
    evening.place()
    expect(page.locator(".player .state")).to_have_text(["Locked", "Locked"])
    for count in "3", "2", "1":
        expect(page.locator("#moment .number")).to_have_text(count)
        assert page.locator("#moment .brush path").count() == int(count)
        assert page.locator("#moment .number").bounding_box()["height"] > 150
        evening.wait(1.0)

    expect(page.locator("#moment .turn")).to_have_text("Turn up!")
    expect(page.locator(".player .state")).to_have_text(["Turn up!", "Turn up!"])


def test_the_board_shows_pawns_cards_blocks_and_attacks(open_page, evening):
    page = open_page()
    evening.begin(Ben="bo_staff")
    evening.reveal(Aki=("attack", "F"), Ben=("move", "F"))

    expect(page.locator(".sen-so .choice")).to_have_count(4)
    expect(page.locator(".sen-so .caption")).to_contain_text(["Katana", "", "Attack", "", "Bo Staff", "", "Move", ""])
    expect(page.locator(".sen-so .wind.blows")).to_have_count(1)
    evening.move("Aki", "aim", cell="e5")
    expect(page.locator(".sen-so .aimed")).to_have_count(1)
    evening.move("Ben", "guard", direction="F")
    expect(page.locator(".sen-so .shield.open")).to_have_count(1)
    expect(page.locator(".player .notes").nth(1)).to_contain_text("Block ↓")
    expect(page.locator(".sen-so .strike.echo")).to_have_count(1)


def test_what_nobody_may_know_is_drawn_as_the_back_of_a_card(open_page, evening):
    page = open_page()
    evening.arm(Aki=["nunchaku"])
    evening.place()

    expect(page.locator(".sen-so .face")).to_have_count(8)
    assert "nunchaku" not in page.locator("main").inner_text().lower()


def test_the_clock_counts_in_the_browser_between_two_news(browser, server, open_page, evening):
    page = open_page()
    expect(page.locator("#clock span")).to_have_text("0:00")
    evening.tap("referee", "resume")

    expect(page.locator("#clock span")).not_to_have_text("0:00")


def test_pause_and_the_end_are_shown(open_page, evening):
    page = open_page()
    evening.begin()
    evening.tap("referee", "pause")
    expect(page.locator(".banner.hold")).to_have_text("Paused. The clock is stopped.")
    evening.tap("referee", "resume")
    expect(page.locator(".banner")).to_have_count(0)
    blow(evening)
    evening.place()
    blow_back = {"Aki": ("move", "B"), "Ben": ("move", "B")}
    evening.reveal(**blow_back)

    expect(page.locator("#outcome-title")).to_have_text("Aki wins")
    expect(page.locator(".player.won .state")).to_have_text("Winner")


def test_senses_are_named_and_what_is_simulated_says_so_for_good(open_page, evening):
    evening.service.picture = lambda: PIXEL
    page, spectator = open_page("referee"), open_page()
    log_in(page, SETTINGS.referee_pin)
    expect(page.locator("#acts")).to_be_visible()
    page.locator("a.mark").click()
    evening.sense("camera", "simulated")
    evening.sense("timer", "missing")
    evening.sense("panel 1", "ok")

    expect(page.locator(".title .mock")).to_have_text("SIMULATED")
    expect(page.locator("#senses li")).to_have_text(["camera SIMULATED", "panel 1 ok", "timer missing"])
    expect(page.locator("#camera figcaption")).to_contain_text("SIMULATED")
    expect(page.locator("#camera img")).to_be_visible()
    # The picture is the referee's; for others the course of the match has its place.
    expect(spectator.locator("#senses li")).to_have_text(["camera SIMULATED", "panel 1 ok", "timer missing"])
    expect(spectator.locator("#camera")).to_have_count(0)
    expect(spectator.locator("#chart svg")).to_have_attribute("aria-label", "Points: Aki 0, Ben 0. 0 moves.")


def test_a_game_that_nobody_has_drawn_yet_is_shown_as_a_plain_table(browser):
    evening = Evening(game=dataclasses.replace(GAME, name="not_drawn_yet"))
    with Server(create_app(evening.service, SETTINGS), evening.service, port=0) as server:
        page = browser.new_page()
        page.goto(server.url, wait_until="domcontentloaded")
        evening.arm()
        expect(page.locator(".plain th").first).to_have_text("Board")
        expect(page.locator(".player .prompt").first).to_contain_text("Lay the cards face down")
        page.close()


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("players", [("Aki", "Ben"), ("Aki", "Benedetta Montecuccoli", "Cho", "Dai")], ids=len)
def test_no_screen_has_to_be_scrolled_sideways(browser, screen, players):
    evening = Evening(players)
    with Server(create_app(evening.service, SETTINGS), evening.service, port=0) as server:
        width, height = SCREENS[screen]
        page = browser.new_page(viewport={"width": width, "height": height})
        page.goto(server.url, wait_until="domcontentloaded")
        evening.begin()
        evening.reveal(**dict.fromkeys(players, ("attack", "F")))
        expect(page.locator(".player .state").first).to_have_text("Choosing")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        if screen in ("tablet", "wall"):  # what stands upright may be scrolled
            assert page.evaluate("document.documentElement.scrollHeight") <= height
            boxes = [card.bounding_box() for card in page.locator(".player").all()]
            assert all(box["y"] >= 0 and box["y"] + box["height"] <= height for box in boxes)
        page.close()


def test_letters_stand_out_from_the_ground_by_day_and_by_night(open_page, evening):
    evening.arm()
    for scheme in ("light", "dark"):
        page = open_page(color_scheme=scheme)
        expect(page.locator("#rulings li")).to_have_count(2)
        weak = page.evaluate(CONTRAST)
        assert weak == []


def test_a_viewer_who_wants_no_motion_gets_none(open_page, evening):
    page = open_page(reduced_motion="reduce")
    evening.begin()
    blow(evening)

    expect(page.locator(".player .score")).to_have_text(["5", "−5"])
    assert page.evaluate("document.getAnimations().length") == 0


def test_the_page_is_in_italian_and_can_be_switched(open_page):
    page = open_page("?lang=it")
    expect(page.locator("#rulings-title")).to_have_text("Decisioni")
    expect(page.locator(".player .state").first).to_have_text("Sceglie")
    page.get_by_role("link", name="EN", exact=True).click()
    expect(page.locator("#rulings-title")).to_have_text("Rulings")


def test_a_page_that_hears_nothing_says_that_it_is_stale(open_page, evening):
    page = open_page()
    evening.sense("camera", "ok")
    expect(page.locator("#senses li")).to_have_text("camera ok")
    evening.sense("camera", "missing")
    expect(page.locator("#senses li")).to_have_text("camera missing")  # so the stream is heard
    page.evaluate("() => { const real = Date.now; Date.now = () => real() + 25000; }")

    expect(page.locator(".banner.lost")).to_contain_text("No news from the table")


def test_two_players_without_panels_or_camera_play_from_their_seats(open_page, evening):
    aki, ben = open_page("seat/Aki", "phone"), open_page("seat/Ben", "phone")
    log_in(aki, PINS["Aki"])
    log_in(ben, PINS["Ben"])
    for page, weapon in ((aki, "Katana"), (ben, "Bo Staff")):
        page.get_by_role("button", name=weapon).click()
        page.get_by_role("button", name="Take these weapons").click()
    for page in (aki, ben):
        page.get_by_role("button", name="My cards lie face down").click()
    expect(aki.locator("#moment .number")).to_have_text("3")
    evening.count()
    aki.get_by_role("button", name="Start with Katana").click()
    ben.get_by_role("button", name="Start with Bo staff").click()
    for page in (aki, ben):
        page.get_by_role("button", name="Ready for the count of three").click()
    expect(aki.locator("#moment .number")).to_have_text("3")
    evening.count()
    aki.get_by_role("button", name="Attack", exact=True).click()
    aki.get_by_role("button", name="Attack: ahead", exact=True).click()
    ben.get_by_role("button", name="Move", exact=True).click()
    ben.get_by_role("button", name="Move: ahead", exact=True).click()
    aki.get_by_role("button", name="Attack e5").click()
    ben.get_by_role("button", name="No block on that side").click()

    expect(ben.locator("#own .score")).to_have_text("−5")
    expect(aki.locator("#own .score")).to_have_text("5")
    for page in (aki, ben):
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_an_inventory_says_how_full_it_is_and_takes_no_more_than_fits(open_page, evening):
    page = open_page("seat/Aki")
    log_in(page, PINS["Aki"])
    expect(page.locator("#bar-acts .go")).to_be_disabled()
    for weapon in ("Katana", "Nunchaku"):
        page.get_by_role("button", name=weapon).click()

    expect(page.locator(".picker .hint")).to_have_text("7 of 8 spaces filled")
    expect(page.get_by_role("button", name="Nagamaki")).to_have_attribute("aria-disabled", "true")
    page.get_by_role("button", name="Take these weapons").click()
    expect(page.locator("#own-notes")).to_contain_text("Inventory: Katana, Nunchaku")


def test_the_referee_pauses_moves_for_a_player_and_takes_back(open_page, evening):
    page = open_page("referee")
    log_in(page, SETTINGS.referee_pin)
    page.get_by_role("button", name="Pause").click()
    expect(page.locator(".banner.hold")).to_be_visible()
    page.get_by_role("button", name="Go on").click()
    page.get_by_role("button", name="Enter a move").nth(1).click()
    page.get_by_role("button", name="Katana").click()
    page.get_by_role("button", name="Take these weapons").click()
    expect(page.locator("#rulings li").first).to_contain_text("Ben has chosen the weapons")
    page.fill("#why", "a wrong tap")
    page.locator(".undo button").click()

    expect(page.locator("#rulings li").first).to_contain_text("a wrong tap")
    assert evening.lines[-1] == {"undo": 1, "why": "a wrong tap"}


def test_the_referee_settles_an_unsure_card_with_one_tap(open_page, evening):
    page = open_page("referee")
    log_in(page, SETTINGS.referee_pin)
    unsure = SeenCard(None, True, 90.0, guesses=("move", "leap"))
    evening.service.submit(Seen(Sight({"Aki.action1": (unsure,)}), evening.at))
    expect(page.locator(".banner.ask")).to_contain_text("Aki: first action")
    expect(page.locator(".question")).to_contain_text("Which card lies at Aki: first action?")
    page.locator(".question").get_by_role("button", name="Leap").click()

    expect(page.locator(".question")).to_have_count(0)
    assert evening.service.referee.sight.zones["Aki.action1"][0].card == "leap"


# The smallest picture that is one.
PIXEL = bytes.fromhex(
    "ffd8ffe000104a46494600010100000100010000ffdb004300ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
    "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc0000b080001000101011100ffc4001f000001050101010101"
    "0100000000000000000102030405060708090a0bffc400b5100002010303020403050504040000017d01020300041105122131410613516107227114"
    "328191a1082342b1c11552d1f02433627282090a161718191a25262728292a3435363738393a434445464748494a535455565758595a63646566"
    "6768696a737475767778797a838485868788898a92939495969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3"
    "d4d5d6d7d8d9dae1e2e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7f8f9faffda0008010100003f00fbd2803fffd9"
)

# Every text on the page whose colour is closer than 4.5 to 1 to the ground behind it.
CONTRAST = """() => {
  const rgb = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = (colour) => {
    const [r, g, b] = colour.slice(0, 3).map((each) => each / 255)
      .map((each) => (each <= 0.03928 ? each / 12.92 : Math.pow((each + 0.055) / 1.055, 2.4)));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    for (let each = element; each; each = each.parentElement) {
      const colour = rgb(getComputedStyle(each).backgroundColor);
      if (getComputedStyle(each).backgroundImage !== "none") return null;
      if (colour.length < 4 || colour[3] > 0.9) return colour;
    }
    return [255, 255, 255];
  };
  const weak = [];
  for (const element of document.querySelectorAll("body *:not(svg *)")) {
    const own = Array.from(element.childNodes).some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!own || !element.getClientRects().length) continue;
    const behind = ground(element);
    if (!behind) continue;
    const [a, b] = [light(rgb(getComputedStyle(element).color)), light(behind)].sort((x, y) => y - x);
    if ((a + 0.05) / (b + 0.05) < 4.5) weak.push(`${element.className} ${element.textContent}`);
  }
  return weak;
}"""


def test_pages_follow_a_player_who_gets_another_name(open_page, enter, tap, evening):
    seat, status = open_page("/seat/Ben", screen="phone"), open_page()
    log_in(seat, PINS["Ben"])
    tap(enter("referee"), "rename", player="Ben", name="Bea")

    expect(seat).to_have_url(re.compile(r"/seat/Bea$"))
    expect(seat.locator("#own .name")).to_contain_text("Bea")
    expect(seat.locator("#acts button").first).to_be_visible()
    expect(status.locator(".player").nth(1)).to_contain_text("Bea")
    expect(status.locator("#rulings li.act").first).to_contain_text("Referee Ben is called Bea from now on.")
