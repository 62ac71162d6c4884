"""`shinpan rules`: the numbered rules that rulings cite."""

import click

from companion.games import NAMES, game
from companion.wording import LANGUAGES


@click.command()
@click.argument("name", metavar="GAME", type=click.Choice(NAMES))
@click.option("--language", type=click.Choice(LANGUAGES), default="en", show_default=True)
def rules(name: str, language: str) -> None:
    """Print the numbered rules of GAME, each with its origin: booklet, inferred or house."""
    chosen = game(name)
    click.echo(f"{chosen.title} ({chosen.seats.start} to {chosen.seats.stop - 1} players)")
    for number, rule in chosen.rules().items():
        text = rule.it if language == "it" else rule.en
        click.echo(f"{number:8} [{rule.origin}] {text}")
    sources = chosen.sources()
    if sources:
        click.echo("\nData and its origin:")
        for thing, origin in sources.items():
            click.echo(f"  {thing}: {origin}")
