"""`shinpan pin`: the PINs that hold at a table."""

from pathlib import Path

import click

from companion.app.logins import FILE, load
from companion.cli.language import language_option
from companion.core.message import Thing, message
from companion.core.rulings import ShinpanError
from companion.core.wording import sentence


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
    tell_pins(logins.referee_pin, logins.seat_pins, language)


def tell_pins(referee_pin: str, seat_pins: dict[str, str], language: str) -> None:
    click.echo(sentence(message("Referee PIN: {pin}", pin=referee_pin), language))
    for player, own in seat_pins.items():
        click.echo(
            "  " + sentence(message("PIN of {player}'s seat: {pin}", player=Thing("player", player), pin=own), language)
        )
