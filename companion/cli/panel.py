"""`shinpan panel`: list the connected panels, test them, flash their firmware."""

import time
from collections.abc import Sequence
from pathlib import Path

import click
import msgspec

from companion.cli.data_folder import data_option
from companion.cli.language import language_option
from companion.core.events import Press, SenseState
from companion.core.message import Message, message, plural
from companion.core.rulings import ShinpanError, Unknown
from companion.core.wording import sentence
from firmware_interface import bindings, protocol
from firmware_interface.examine import examine
from firmware_interface.flash import flash as flash_board
from firmware_interface.flash import sources
from firmware_interface.panels import Panels, PanelStatus
from firmware_interface.ports import usb_ports

MOST_SEATS = 32
UID_DIGITS = -protocol.UID
FIND = 4.0
"""Seconds after which a port counts as one without an answer."""

NONE_FOUND = message(
    "No panel found. Is the Pico plugged in with a cable that carries data? A new one needs MicroPython first, then "
    "'shinpan panel flash'; hardware/README.md shows every step."
)

port_option = click.option(
    "--port", "ports", multiple=True, metavar="PORT", help="A device path or URL; otherwise every Pico on USB."
)

seats_option = data_option("Where the table keeps who sits where.")


class Bench:
    """All connected panels in real time, each with different seats."""

    def __init__(self, ports: tuple[str, ...]) -> None:
        self.panels = Panels(MOST_SEATS, ports or None, clock=time.monotonic)

    def __enter__(self) -> "Bench":
        return self

    def __exit__(self, *_: object) -> None:
        self.panels.close()

    def step(self, seconds: float) -> list[Press]:
        """Let time pass; what was pressed."""
        presses: list[Press] = []
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            presses += [event for event in self.panels.poll(time.monotonic()) if isinstance(event, Press)]
            self.panels.wait(min(left, 0.02))
        return presses

    def find(self) -> list[PanelStatus]:
        """Wait until every port has answered or has had enough time to."""
        end = time.monotonic() + FIND
        self.step(0.1)
        while time.monotonic() < end and any(status.greeting for status in self.panels.status()):
            self.step(0.05)
        self.step(0.1)  # a few heartbeats, for the round trip
        return self.panels.status()


@click.group()
def panel() -> None:
    """The players' panels: list, test, flash."""


@panel.command(name="list")
@port_option
@seats_option
@language_option()
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def list_(ports: tuple[str, ...], data: Path, language: str, as_json: bool) -> None:
    """What is connected, which seat it has at this table, and what is wrong with it."""
    bound = bindings.load(data / bindings.FILE)
    with Bench(ports) as bench:
        found = bench.find()
    if as_json:
        for status in found:
            fields = msgspec.to_builtins(status)
            del fields["condition"]
            click.echo(msgspec.json.encode({**fields, "state": sentence(_state(status), language)}))
    elif not found:
        click.echo(sentence(NONE_FOUND, language))
    else:
        click.echo("\n".join(sentence(_line(status, bound.get(status.uid, ())), language) for status in found))


@panel.command()
@seats_option
@language_option()
@click.argument("board")
@click.argument("seats", nargs=-1, required=True, type=click.IntRange(1, MOST_SEATS))
def seat(data: Path, language: str, board: str, seats: tuple[int, ...]) -> None:
    """Give BOARD (its number, as `list` shows it) these SEATS, counted from 1 clockwise from the near side."""
    if len(board) != UID_DIGITS or not set(board) <= set(protocol.HEX):
        told = message("a board's number is {digits} hex digits, as 'shinpan panel list' shows it", digits=UID_DIGITS)
        raise Unknown(told)
    mine = tuple(number - 1 for number in seats)
    kept = bindings.load(data / bindings.FILE)
    others = {uid: tuple(each for each in theirs if each not in mine) for uid, theirs in kept.items() if uid != board}
    bindings.save(data / bindings.FILE, {uid: theirs for uid, theirs in others.items() if theirs} | {board: mine})
    told = message("Board {board} has seat {seats} from the next start on.", board=board, seats=seats)
    click.echo(sentence(told, language))


@panel.command()
@port_option
@language_option()
@click.option("--patience", default=15.0, show_default=True, help="Seconds to wait for each button.")
def test(ports: tuple[str, ...], language: str, patience: float) -> None:
    """Show every light and ask for every button."""

    def say(told: Message) -> None:
        click.echo(sentence(told, language))

    failed: list[Message] = []
    with Bench(ports) as bench:
        ports_found = bench.find()
        found = [status for status in ports_found if status.uid]
        if not found:
            raise Unknown(message("{ports}", ports=tuple(map(_line, ports_found))) if ports_found else NONE_FOUND)
        for status in found:
            if status.condition.state is SenseState.SIMULATED:
                say(message("Panel {board} at {port} (simulated)", board=status.uid, port=status.port))
            else:
                say(message("Panel {board} at {port}", board=status.uid, port=status.port))
            failed += examine(bench.panels, status.seats, bench.step, say, time.monotonic, patience)
    if failed:
        say(plural("{count} wrong: {faults}.", "{count} wrong: {faults}.", len(failed), faults=tuple(failed)))
        raise SystemExit(1)
    say(message("All lights shown, all buttons heard."))


@panel.command()
@port_option
@language_option()
@click.option("--pins", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Your own pins.py.")
@click.option("--keep-pins", is_flag=True, help="Leave the pins.py that is on the board.")
def flash(ports: tuple[str, ...], language: str, pins: Path | None, keep_pins: bool) -> None:
    """Copy the firmware to a board that has MicroPython, with mpremote."""
    if pins and keep_pins:
        raise click.UsageError("--pins brings new pins and --keep-pins keeps the old ones: choose one")
    boards = ports or tuple(usb_ports())
    if not boards:
        raise ShinpanError(NONE_FOUND)

    def say(told: Message) -> None:
        click.echo(sentence(told, language))

    for port in boards:
        hello = flash_board(port, sources(pins, keep_pins), say)
        firmware = "{}.{}".format(*hello.firmware)
        say(
            message(
                "Panel {board} at {port} now runs firmware {firmware}.", board=hello.uid, port=port, firmware=firmware
            )
        )


def _state(status: PanelStatus) -> Message:
    """Its condition in a word or a sentence."""
    if status.condition.message is not None:
        return status.condition.message
    return message("no answer") if status.greeting else message("{state}", state=status.condition.state.value)


def _line(status: PanelStatus, seats: Sequence[int] = ()) -> Message:
    if not status.uid:
        return message("{port}: {state}", port=status.port, state=_state(status))
    count = len(status.seats)
    return message(
        "{port}: panel {board} ({state}), firmware {firmware}, {seats}, {capabilities}; round trip {trip} ms, "
        "{lost} lines lost, {damaged} damaged",
        port=status.port,
        board=status.uid,
        state=_state(status),
        firmware=status.firmware,
        seats=plural(
            "{count} seat (at the table: {places})",
            "{count} seats (at the table: {places})",
            count,
            places=tuple(each + 1 for each in seats),
        )
        if seats
        else plural("{count} seat", "{count} seats", count),
        capabilities=status.capabilities,
        trip=f"{status.trip * 1000:.1f}",
        lost=status.lost,
        damaged=status.bad,
    )
