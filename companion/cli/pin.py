"""`shinpan pin`: the PINs that hold at a table."""

from collections.abc import Sequence
from pathlib import Path

import click

from companion.app.logins import FILE, load
from companion.cli.language import language_option
from companion.core.message import Thing, message
from companion.core.rulings import ShinpanError
from companion.core.wording import sentence
from web.pins import SeatPin


@click.command()
@language_option()
@click.option("--data", type=click.Path(path_type=Path, file_okay=False), default="data", show_default=True)
def pin(language: str, data: Path) -> None:
    """Print the PINs of the referee and of every seat, as they hold at the table that keeps its data there."""
    logins = load(data / FILE)
    if logins is None:
        raise ShinpanError(
            message("No PINs are kept in {folder} yet: `shinpan serve` makes them when it starts.", folder=str(data))
        )
    tell_pins(logins.referee_pin, logins.seats, language)


def tell_pins(referee_pin: str, seats: Sequence[SeatPin], language: str) -> None:
    """Only places where somebody sits; the others are handed out by the lobby."""
    click.echo(sentence(message("Referee PIN: {pin}", pin=referee_pin), language))
    for seat in seats:
        if seat.name:
            told = message("PIN of {player}'s seat: {pin}", player=Thing("player", seat.name), pin=seat.pin)
            click.echo("  " + sentence(told, language))
