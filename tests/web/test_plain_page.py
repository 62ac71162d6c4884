"""High Card has no drawing of its own: the plain tables show it, in both languages."""

from playwright.sync_api import expect

from companion.games import game
from tests.web.chromium import log_in
from tests.web.evening import PINS, SETTINGS, Evening
from web.app import create_app
from web.server import Server


def test_a_match_of_high_card_is_played_on_the_plain_page(browser):
    evening = Evening(game=game("high_card"), rounds=3)
    with Server(create_app(evening.service, SETTINGS), evening.service, port=0) as server:
        table = browser.new_page(viewport={"width": 390, "height": 844})
        table.goto(f"{server.url}?lang=it", wait_until="domcontentloaded")
        seat = browser.new_page()
        seat.goto(f"{server.url}seat/Aki", wait_until="domcontentloaded")
        log_in(seat, PINS["Aki"])

        seat.get_by_role("button", name="Lay a card", exact=True).click()
        expect(seat.locator(".locked")).to_be_visible()  # the tap has reached the table
        evening.move("Ben", "lay")
        evening.ready()
        evening.count()
        seat.get_by_role("button", name="Red 7", exact=True).click()
        seat.get_by_role("button", name="Turn up: Red 7").click()
        expect(seat.get_by_role("button", name="Turn up: Red 7")).to_have_count(0)
        evening.move("Ben", "turn_up", card="blue-3")

        expect(table.locator(".plain")).to_contain_text("Rosso 7")
        expect(table.locator(".plain")).to_contain_text("Blu 3")
        expect(table.locator(".plain th").first).to_have_text("Mano")
        expect(table.locator(".player .score").first).to_have_text("1")
        assert table.evaluate("document.documentElement.scrollWidth") <= 390
        seat.close()
        table.close()
