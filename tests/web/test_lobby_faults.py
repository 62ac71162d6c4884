"""What will not do in the lobby is said in one sentence, in the reader's language, where the reader looks."""

from collections.abc import Iterator
from pathlib import Path
from threading import Barrier, Thread

import pytest
from playwright.sync_api import Browser, expect

from companion.core.events import Press, Tap
from companion.record.journal import DataFolder
from companion.upkeep.facts import CardFacts, Facts
from companion.upkeep.sense_checks import cards, examined
from tests.web.test_whole_evening import PEOPLE, WholeEvening

pytestmark = pytest.mark.browser
SAID = {
    "en": {
        "name": "Aki sits at this table already.",
        "taken": "That seat is taken: scan its code to sit there.",
        "chosen": "Every player needs a chosen fan; without one: Aki, Ben.",
        "title": "Give it a name of 1 to 40 letters.",
        "health": "Health: a whole number from 1 to 20.",
        "samurai": "Two players have chosen the Ronin.",
        "cards": "11 cards of this game are not enrolled.",
        "asked": "Who is that?",
        "panel": "Nobody plays at seat 6: its buttons do nothing until the match is over.",
        "second": "A match is being played; the lobby opens when it is over.",
    },
    "it": {
        "name": "Aki siede già a questo tavolo.",
        "taken": "Quel posto è occupato: per sedervi lì inquadrate il suo codice.",
        "chosen": "A ogni giocatore serve un ventaglio prescelto; senza: Aki, Ben.",
        "title": "Datele un nome da 1 a 40 lettere.",
        "health": "Salute: un numero intero da 1 a 20.",
        "samurai": "Due giocatori hanno scelto il Ronin.",
        "cards": "11 carte di questo gioco non sono registrate.",
        "asked": "Chi è?",
        "panel": "Al posto 6 non gioca nessuno: i suoi pulsanti non fanno nulla finché la partita non è finita.",
        "second": "Si sta giocando una partita: l'atrio si apre quando è finita.",
    },
}


@pytest.fixture(params=["en", "it"])
def hall(tmp_path: Path, browser: Browser, request: pytest.FixtureRequest) -> Iterator[WholeEvening]:
    with DataFolder(tmp_path) as folder:
        evening = WholeEvening(folder, browser, request.param)
        try:
            yield evening
        finally:
            evening.close()
        assert evening.troubles == []


def test_each_fault_stands_at_its_field_in_the_readers_language(hall: WholeEvening) -> None:
    said, tablet = SAID[hall.language], hall.tablet
    hall.service.checks = lambda: examined(Facts(cards=CardFacts("sensu", True, 11, 63)), (cards,))
    hall.sit_at_tablet(0)

    # A name that somebody has already.
    tablet.click("#place-1")
    tablet.fill("#sitting-name", " AKI ")
    tablet.keyboard.press("Enter")
    expect(tablet.locator("#sitting .fault")).to_have_text(said["name"].replace("Aki", "AKI"))
    tablet.keyboard.press("Escape")

    # A phone that sits down where somebody else has just done so.
    hall.upright.click("#place-1")
    hall.upright.check("#sitting-own")
    hall.sit_at_tablet(1)
    hall.upright.fill("#sitting-name", "Zoe")
    hall.upright.keyboard.press("Enter")
    expect(hall.upright.locator("#sitting .fault")).to_have_text(said["taken"])
    hall.upright.keyboard.press("Escape")
    expect(hall.upright.locator("#place-1")).to_contain_text("Ben")

    # Options that contradict each other, one that is no number, and a preset without a name.
    tablet.click("#tile-sensu")
    tablet.click("#all-options summary")
    tablet.click("#option-variants-1")
    expect(tablet.locator("#fault-option-chosen")).to_have_text(said["chosen"])
    expect(tablet.locator("#option-variants-1")).to_have_attribute("aria-pressed", "true")
    expect(tablet.locator("#start")).to_be_disabled()
    hall.looked_at(tablet, "fault-contradiction")
    for seat in range(2):
        tablet.select_option(f"#option-chosen-{seat}", "0")
    expect(tablet.locator("#start")).to_be_enabled()
    expect(tablet.locator("#fault-option-chosen")).to_be_empty()
    tablet.click("#keep-preset")
    expect(tablet.locator("#fault-title")).to_have_text(said["title"])
    tablet.click("#tile-senjutsu")
    tablet.fill("#option-health", "900")
    tablet.keyboard.press("Tab")
    expect(tablet.locator("#fault-option-health")).to_have_text(said["health"])
    expect(tablet.locator("#option-health")).to_have_value("")
    for seat in range(2):
        tablet.select_option(f"#option-samurai-{seat}", "2")
    expect(tablet.locator("#fault-option-samurai")).to_have_text(said["samurai"])
    hall.looked_at(hall.upright, "fault-samurai")
    tablet.click("#preset-0")
    expect(tablet.locator("#start")).to_be_enabled()

    # Cards that are not enrolled, with the page on which that is put right.
    expect(tablet.locator("#checks li.trouble span")).to_have_text(said["cards"], timeout=60_000)
    expect(tablet.locator("#checks li.trouble a")).to_have_attribute("href", "/enrol")

    # A panel pressed by nobody known: the lobby asks who that is, and in a match it is said that nobody plays there.
    hall.service.submit(Press(5, "ready", hall.service.now()))
    expect(tablet.locator("#place-5")).to_contain_text(said["asked"])
    tablet.keyboard.press("Escape")
    tablet.click("#start")
    tablet.wait_for_selector("#board")
    for _ in range(3):
        hall.service.submit(Press(5, "ready", hall.service.now()))
    expect(tablet.get_by_text(said["panel"]).first).to_be_visible()
    assert [str(each.message) for each in hall.service.referee.said].count(SAID["en"]["panel"]) == 1


def test_of_two_tablets_that_start_at_once_one_begins_the_match_and_the_other_is_told(hall: WholeEvening) -> None:
    for place in range(2):
        tap = Tap("", "sit", {"place": place, "name": PEOPLE[place]}, hall.service.now())
        assert hall.service.submit(tap).refusal is None
    assert hall.service.submit(Tap("", "game", {"game": "sen_so"}, hall.service.now())).refusal is None
    app, both, answers = hall.table.running.app, Barrier(2), []

    def start() -> None:
        client = app.test_client()
        both.wait()
        body = {"what": "start", "data": {}}
        answers.append(
            client.post(f"/api/lobby?lang={hall.language}", json=body, headers={"Origin": "http://localhost"})
        )

    tablets = [Thread(target=start) for _ in range(2)]
    for each in tablets:
        each.start()
    for each in tablets:
        each.join()

    assert sorted(answer.status_code for answer in answers) == [200, 409]
    assert [answer.json["text"] for answer in answers if answer.status_code == 409] == [SAID[hall.language]["second"]]
    hall.tablet.wait_for_selector("#board")
