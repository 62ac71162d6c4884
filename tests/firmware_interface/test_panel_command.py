"""`shinpan panel`, at the terminal and in real time, with simulated boards behind real device files."""

import json
import stat
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import panel as command
from companion.core.events import Press
from companion.core.message import Message
from companion.core.rulings import ShinpanError
from firmware_interface import bindings, flash
from firmware_interface import examine as examination
from firmware_interface.panels import Panels
from firmware_interface.simulator import SimulatedPanel


@pytest.fixture
def board() -> Iterator[SimulatedPanel]:
    with SimulatedPanel(seats=2, uid="c0ffee0000000001", now=time.monotonic()) as board:
        board.run()
        yield board


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(examination, "LOOK", 0.02)


@pytest.fixture
def mpremote(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A stand-in for the real tool that writes down what it was asked to do."""
    log = tmp_path / "calls"
    tool = tmp_path / "mpremote"
    tool.write_text(f'#!/bin/sh\necho "$@" >> {log}\n')
    tool.chmod(tool.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setattr(flash, "LEAVE", 0.01)  # a simulated board stays where it is
    return log


def run(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(command.panel, words)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.output


def finger(board: SimulatedPanel, press: Callable[[int, str], None]) -> Callable[..., list[Message]]:
    """Somebody who reads the instructions and does something about them."""

    def examine(
        panels: Panels,
        seats: tuple[int, ...],
        step: Callable[[float], list[Press]],
        say: Callable[[Message], None],
        now: Callable[[], float],
        patience: float,
    ) -> list[Message]:
        def hear(told: Message) -> None:
            say(told)
            text = str(told)
            if ": press " in text:
                press(int(text[5]) - 1, text.split()[-1].lower().rstrip("."))

        return examination.examine(panels, seats, step, hear, now, patience)

    return examine


def test_what_is_connected_is_listed(board: SimulatedPanel) -> None:
    code, text = run("list", "--json", "--port", board.port)
    (status,) = map(json.loads, text.splitlines())

    assert code == 0
    assert (status["port"], status["uid"], status["state"]) == (board.port, "c0ffee0000000001", "simulated")
    assert status["capabilities"] == ["rgb", "buzzer", "simulated"]


def test_the_list_is_readable_and_a_port_in_trouble_says_why(board: SimulatedPanel) -> None:
    _, text = run("list", "--port", board.port, "--port", "/dev/ttyACM99")

    assert f"{board.port}: panel c0ffee0000000001 (simulated), firmware 1.1, 2 seats, rgb, buzzer" in text
    assert "/dev/ttyACM99: there is no port /dev/ttyACM99\n" in text


def test_without_any_panel_the_list_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware_interface.panels.usb_ports", list)

    assert "No panel found." in run("list")[1]
    with pytest.raises(ShinpanError, match="No panel found"):
        run("test")


def test_a_good_panel_passes(board: SimulatedPanel, quick: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "examine", finger(board, board.tap))
    code, text = run("test", "--port", board.port)

    assert (code, text.splitlines()[-1]) == (0, "All lights shown, all buttons heard.")
    assert "Panel c0ffee0000000001" in text
    assert "(simulated)" in text
    assert text.count("good, timed to") == 8


def test_crossed_wires_and_a_dead_button_fail(
    board: SimulatedPanel, quick: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    wires = {"ready": "ready", "up": "down", "down": "up"}

    def press(seat: int, button: str) -> None:
        if button in wires:
            board.tap(seat, wires[button])

    monkeypatch.setattr(command, "examine", finger(board, press))
    code, text = run("test", "--port", board.port, "--patience", "0.1")

    assert code == 1
    assert "seat 1: up was asked for, and down of seat 1 came; check the wires" in text
    assert "seat 2: select was not heard within 0.1 seconds" in text
    assert text.splitlines()[-1].startswith("6 wrong:")


def test_flashing_sends_the_panel_to_its_prompt_and_copies_the_firmware(board: SimulatedPanel, mpremote: Path) -> None:
    code, text = run("flash", "--port", board.port)
    calls = mpremote.read_text().splitlines()

    assert code == 0
    assert board.wants_repl
    assert [call.rpartition(" :")[2] for call in calls[:-1]] == ["protocol.py", "board.py", "pins.py", "main.py"]
    assert all(Path(call.split()[3]).is_file() for call in calls[:-1])
    assert calls[-1] == f"connect {board.port} reset"
    assert text.splitlines()[-1] == f"Panel c0ffee0000000001 at {board.port} now runs firmware 1.1."


def test_the_pins_on_the_board_can_be_kept_or_replaced(tmp_path: Path) -> None:
    mine = tmp_path / "hub.py"

    assert [file.name for file in flash.sources(None, True)] == ["protocol.py", "board.py", "main.py"]
    assert flash.sources(mine, False)[2] == mine
    assert run("flash", "--keep-pins", "--pins", __file__)[0] == 2


def test_flashing_without_mpremote_says_how_to_get_it(board: SimulatedPanel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)

    with pytest.raises(flash.FlashFailed, match="pip install mpremote"):
        run("flash", "--port", board.port)


def test_what_mpremote_complains_of_is_passed_on(board: SimulatedPanel, mpremote: Path) -> None:
    (mpremote.parent / "mpremote").write_text("#!/bin/sh\necho could not enter raw repl >&2\nexit 1\n")

    with pytest.raises(flash.FlashFailed, match="could not enter raw repl"):
        run("flash", "--port", board.port)


def test_a_port_in_trouble_is_no_missing_panel() -> None:
    with pytest.raises(ShinpanError, match=r"there is no port /dev/ttyACM99"):
        run("test", "--port", "/dev/ttyACM99")


def test_a_socket_that_nobody_listens_at_is_told_in_a_sentence() -> None:
    assert run("list", "--port", "socket://127.0.0.1:9")[1].endswith("cannot be opened: Connection refused\n")


def test_a_board_is_given_its_seat_and_the_list_shows_it(board: SimulatedPanel, tmp_path: Path) -> None:
    data = ("--data", str(tmp_path))
    run("seat", *data, "c0ffee0000000002", "2", "3")
    code, text = run("seat", *data, board.uid, "4", "2")

    assert (code, text) == (0, f"Board {board.uid} has seat 4, 2 from the next start on.\n")
    assert bindings.load(tmp_path / bindings.FILE) == {"c0ffee0000000002": (2,), board.uid: (3, 1)}
    assert "2 seats (at the table: 4, 2), rgb" in run("list", *data, "--port", board.port)[1]
    with pytest.raises(ShinpanError, match="16 hex digits"):
        run("seat", *data, "panel-1", "1")
