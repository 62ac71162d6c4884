"""A panel has the same seat tomorrow in whatever order the panels are plugged in; a replacement is announced."""

import itertools
from functools import partial
from pathlib import Path

import pytest

from companion.app.wiring import open_panels
from companion.core.events import SIMULATED, Press, Sense
from companion.core.wording import sentence
from companion.games import game
from companion.record.match import Match
from companion.record.recorded_match import RecordedMatch
from companion.referee.referee import Referee
from companion.referee.table_view import page
from firmware_interface import bindings
from firmware_interface.panels import GONE, Panels
from firmware_interface.simulator import SimulatedPanel, lockstep

UIDS = tuple(letter * 16 for letter in "abcd")
ORDERS = list(itertools.permutations(UIDS))[::5]


class Night:
    """One evening at a table: its service is started anew, and boards are plugged in one after the other."""

    def __init__(self, kept: Path, seats: int, *boards: SimulatedPanel) -> None:
        self.now = 1000.0
        self.boards = list(boards)
        self.panels = Panels(seats, self._ports, bindings.load(kept), remember=partial(bindings.save, kept))
        self.heard: list[Press | Sense] = []

    def _ports(self) -> list[str]:
        return [board.port for board in self.boards if board.port]

    def run(self, seconds: float) -> "Night":
        for _ in range(round(seconds / 0.05)):
            self.now += 0.05
            self.heard += lockstep(self.panels, self.boards, self.now)
        return self

    def plug(self, uid: str) -> "Night":
        self.boards.append(SimulatedPanel(uid=uid, now=self.now))
        return self.run(0.7)

    @property
    def seats(self) -> dict[str, tuple[int, ...]]:
        """Who sits where, by what really comes over the wire."""
        found: dict[str, tuple[int, ...]] = {}
        for board in self.boards:
            self.heard.clear()
            board.tap(0, "ready")
            self.run(0.3)
            found[board.uid] = tuple(event.seat for event in self.heard if isinstance(event, Press))
        return found

    @property
    def told(self) -> list[str]:
        return [sentence(event.news) for event in self.heard if isinstance(event, Sense) and event.news]

    def end(self) -> None:
        self.panels.close()
        for board in self.boards:
            board.close()


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """The first evening: a, b and c take their seats."""
    path = tmp_path / bindings.FILE
    night = Night(path, 3)
    for uid in UIDS[:3]:
        night.plug(uid)
    night.end()
    return path


def test_seats_are_kept_in_a_file_that_a_person_can_read(kept: Path) -> None:
    assert bindings.load(kept) == {UIDS[0]: (0,), UIDS[1]: (1,), UIDS[2]: (2,)}
    assert f'"{UIDS[1]}": [\n    2\n  ]' in kept.read_text()


@pytest.mark.parametrize("order", ORDERS, ids=lambda order: "".join(uid[0] for uid in order))
def test_after_a_restart_everybody_has_its_old_seat_in_any_plug_order(kept: Path, order: tuple[str, ...]) -> None:
    """With a spare board among them, that may well be the first to say hello."""
    night = Night(kept, 3)
    for uid in order:
        night.plug(uid)

    assert night.seats == {UIDS[0]: (0,), UIDS[1]: (1,), UIDS[2]: (2,), UIDS[3]: ()}
    night.end()


def test_a_panel_that_replaces_a_broken_one_gets_its_seat_and_that_is_said(kept: Path) -> None:
    night = Night(kept, 3)
    for uid in (UIDS[0], UIDS[2], UIDS[3]):
        night.plug(uid)
    night.run(GONE + 8.0)
    told = night.told
    referee = Referee(RecordedMatch(Match(game("sen_so"), ("Aki", "Ben", "Cho"), {}), lambda fields: 1))
    for event in night.heard:
        referee.handle(event)
    assert page(referee, None, "it", night.now).said[-1].text.startswith("Il posto 2 ha ora un altro pannello")
    assert referee.senses["panel 2"] == SIMULATED
    assert night.seats[UIDS[3]] == (1,)
    night.end()

    assert told == [f"Seat 2 has another panel now: board {UIDS[3]} in place of {UIDS[1]}."]
    assert bindings.load(kept) == {UIDS[0]: (0,), UIDS[2]: (2,), UIDS[3]: (1,)}


def test_a_panel_from_a_larger_table_plays_at_a_smaller_one(kept: Path) -> None:
    night = Night(kept, 2).plug(UIDS[2]).run(GONE + 8.0)

    assert night.seats == {UIDS[2]: (0,)}
    night.end()


def test_the_service_takes_its_panels_seats_from_there(kept: Path) -> None:
    panels, _ = open_panels(("socket://127.0.0.1:9",), 3, kept)

    assert panels is not None
    assert panels.bound == bindings.load(kept)


@pytest.mark.parametrize("text", ["{", '{"a": "one"}', '{"a": [0]}', '{"a": [1], "b": [2, 1]}'])
def test_a_file_that_makes_no_sense_is_told_with_its_name(tmp_path: Path, text: str) -> None:
    path = tmp_path / bindings.FILE
    path.write_text(text)

    with pytest.raises(bindings.BadBindings, match=r"panels\.json.*delete it"):
        bindings.load(path)


def test_a_disk_that_takes_nothing_costs_no_match(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / f"{bindings.FILE}.new").mkdir()  # where the file would be written before it takes its name
    night = Night(tmp_path / bindings.FILE, 1).plug(UIDS[0])

    assert night.seats == {UIDS[0]: (0,)}
    assert "could not be kept" in caplog.text
    night.end()
