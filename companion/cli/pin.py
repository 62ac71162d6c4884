"""`shinpan pin`: the PINs that hold at a table."""

import os
import signal
from collections.abc import Sequence
from pathlib import Path

import click

from companion.app.logins import FILE, Logins, load, renewed, write
from companion.cli.data_folder import data_option
from companion.cli.language import language_option
from companion.core.message import Thing, message
from companion.core.rulings import ShinpanError
from companion.core.wording import sentence
from companion.record.journal import DataFolder
from web.pins import REFEREE, SeatPin

NEW_PINS = signal.SIGUSR1
"""Tells a table that runs to read its PINs again."""


@click.command()
@click.option(
    "--new", is_flag=True, help="New PINs, at once, for the table that runs too: whoever is logged in is logged out."
)
@click.option(
    "--for", "whose", multiple=True, metavar="WHO", help="With --new: `referee` or a player; may be repeated."
)
@language_option()
@data_option()
def pin(new: bool, whose: tuple[str, ...], language: str, data: Path) -> None:
    """Print the PINs of the referee and of every seat, as they hold at the table that keeps its data there."""
    logins = load(data / FILE)
    if logins is None:
        told = message("No PINs are kept in {folder} yet: `shinpan serve` makes them when it starts.", folder=str(data))
        raise ShinpanError(told)
    if new:
        logins = _change(data, logins, whose, language)
    tell_pins(logins.referee_pin, logins.seats, language)
    if logins.screen:
        told = message(
            "The table's own screen shows codes and PINs once it has opened /screen#{key}", key=logins.screen
        )
        click.echo(sentence(told, language))


def _change(data: Path, logins: Logins, whose: tuple[str, ...], language: str) -> Logins:
    known = {REFEREE, *(seat.name for seat in logins.seats)}
    for each in whose:
        if each not in known:
            raise ShinpanError(message("Nobody called {player} sits at this table.", player=Thing("player", each)))
    changed = renewed(logins, whose)
    write(data / FILE, changed)
    running = DataFolder.user(data)
    if running is not None:
        os.kill(running, NEW_PINS)
        told = message("The table that runs takes them at once; whoever was logged in with an old one is logged out.")
    else:
        told = message("They hold from the next start on; logins with the old ones have ended.")
    click.echo(sentence(told, language))
    return changed


def tell_pins(referee_pin: str, seats: Sequence[SeatPin], language: str) -> None:
    """Only places where somebody sits; the others are handed out by the lobby."""
    click.echo(sentence(message("Referee PIN: {pin}", pin=referee_pin), language))
    for seat in seats:
        if seat.name:
            told = message("PIN of {player}'s seat: {pin}", player=Thing("player", seat.name), pin=seat.pin)
            click.echo("  " + sentence(told, language))
