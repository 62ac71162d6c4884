"""`shinpan panel`: what is connected, does it work, and new firmware for it."""

import time
from collections.abc import Sequence
from pathlib import Path

import click
import msgspec

from companion.core.events import Press
from companion.core.rulings import ShinpanError, Unknown
from firmware_interface import bindings, protocol
from firmware_interface.examine import examine
from firmware_interface.flash import flash as flash_board
from firmware_interface.flash import sources
from firmware_interface.panels import Panels, PanelStatus
from firmware_interface.ports import usb_ports

MOST_SEATS = 32
UID_DIGITS = -protocol.UID
FIND = 4.0
"""Seconds until a port without an answer is called one."""

NONE_FOUND = (
    "No panel found. Is the Pico plugged in with a cable that carries data? One that is new needs MicroPython first, "
    "then 'shinpan panel flash'; hardware/README.md shows every step."
)

port_option = click.option(
    "--port", "ports", multiple=True, metavar="PORT", help="A device path or URL; otherwise every Pico on USB."
)


data_option = click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    default="data",
    show_default=True,
    help="Where the table keeps who sits where.",
)


class Bench:
    """All panels there are, each with seats of its own, in real time."""

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
        """Wait until every port has answered, or has had its time to."""
        end = time.monotonic() + FIND
        self.step(0.1)
        while time.monotonic() < end and any(status.state == "greeting" for status in self.panels.status()):
            self.step(0.05)
        self.step(0.1)  # a few heartbeats, for the round trip
        return self.panels.status()


@click.group()
def panel() -> None:
    """The players' panels: list, test, flash."""


@panel.command(name="list")
@port_option
@data_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def list_(ports: tuple[str, ...], data: Path, as_json: bool) -> None:
    """What is connected, which seat it has at this table, and what is wrong with it."""
    bound = bindings.load(data / bindings.FILE)
    with Bench(ports) as bench:
        found = bench.find()
    if as_json:
        for status in found:
            click.echo(msgspec.json.encode(status))
    elif not found:
        click.echo(NONE_FOUND)
    else:
        click.echo("\n".join(_line(status, bound.get(status.uid, ())) for status in found))


@panel.command()
@data_option
@click.argument("board")
@click.argument("seats", nargs=-1, required=True, type=click.IntRange(1, MOST_SEATS))
def seat(data: Path, board: str, seats: tuple[int, ...]) -> None:
    """Give BOARD (its number, as `list` shows it) these SEATS, counted from 1 clockwise from the near side."""
    if len(board) != UID_DIGITS or not set(board) <= set(protocol.HEX):
        raise Unknown(f"a board's number is {UID_DIGITS} hex digits, as 'shinpan panel list' shows it")
    mine = tuple(number - 1 for number in seats)
    kept = bindings.load(data / bindings.FILE)
    others = {uid: tuple(each for each in theirs if each not in mine) for uid, theirs in kept.items() if uid != board}
    bindings.save(data / bindings.FILE, {uid: theirs for uid, theirs in others.items() if theirs} | {board: mine})
    click.echo(f"Board {board} has seat {', '.join(map(str, seats))} from the next start on.")


@panel.command()
@port_option
@click.option("--patience", default=15.0, show_default=True, help="Seconds to wait for each button.")
def test(ports: tuple[str, ...], patience: float) -> None:
    """Show every light and ask for every button."""
    with Bench(ports) as bench:
        ports_found = bench.find()
        found = [status for status in ports_found if status.uid]
        if not found:
            raise Unknown("\n".join(_line(status) for status in ports_found) or NONE_FOUND)
        failed = []
        for status in found:
            click.echo(f"Panel {status.uid} at {status.port}{' (simulated)' if status.state == 'simulated' else ''}")
            failed += examine(bench.panels, status.seats, bench.step, click.echo, time.monotonic, patience)
    click.echo(f"{len(failed)} wrong: {'; '.join(failed)}." if failed else "All lights shown, all buttons heard.")
    if failed:
        raise SystemExit(1)


@panel.command()
@port_option
@click.option("--pins", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Your own pins.py.")
@click.option("--keep-pins", is_flag=True, help="Leave the pins.py that is on the board.")
def flash(ports: tuple[str, ...], pins: Path | None, keep_pins: bool) -> None:
    """Copy the firmware to a board that has MicroPython, with mpremote."""
    if pins and keep_pins:
        raise click.UsageError("--pins brings new pins and --keep-pins keeps the old ones: choose one")
    boards = ports or tuple(usb_ports())
    if not boards:
        raise ShinpanError(NONE_FOUND)
    for port in boards:
        hello = flash_board(port, sources(pins, keep_pins), click.echo)
        click.echo(f"Panel {hello.uid} at {port} now runs firmware {hello.firmware[0]}.{hello.firmware[1]}.")


def _line(status: PanelStatus, seats: Sequence[int] = ()) -> str:
    if not status.uid:
        return f"{status.port}: {'no answer' if status.state == 'greeting' else status.state}"
    return (
        f"{status.port}: panel {status.uid} ({status.state}), firmware {status.firmware}, "
        f"{len(status.seats)} seat{'s' if len(status.seats) > 1 else ''}{_placed(seats)}, "
        f"{', '.join(status.capabilities)}; "
        f"round trip {status.trip * 1000:.1f} ms, {status.lost} lines lost, {status.bad} damaged"
    )


def _placed(seats: Sequence[int]) -> str:
    return f" (at the table: {', '.join(str(seat + 1) for seat in seats)})" if seats else ""
