"""`shinpan rules`: the numbered rules that rulings cite."""

import click

from companion.cli.game_name import GameName
from companion.cli.language import language_option
from companion.core.message import message
from companion.core.wording import sentence
from companion.games import game
from companion.games.kit.game import ORIGINS


@click.command()
@click.argument("name", metavar="GAME", type=GameName())
@language_option()
def rules(name: str, language: str) -> None:
    """Print the numbered rules of GAME, each with its origin: booklet, inferred or house."""
    chosen = game(name)
    least, most = chosen.seats[0], chosen.seats[-1]
    title = message("{game} ({least} to {most} players)", game=chosen.title, least=least, most=most)
    click.echo(sentence(title, language))
    for number, rule in chosen.rules.catalogue().items():
        click.echo(f"{number:8} [{sentence(ORIGINS[rule.origin], language)}] {rule.told(number, language)}")
    sources = chosen.printed.sources()
    if sources:
        click.echo("\n" + sentence(message("Data and its origin:"), language))
        for thing, origin in sources.items():
            click.echo(f"  {thing}: {origin}")
