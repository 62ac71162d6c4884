"""`shinpan rules`: the numbered rules that rulings cite."""

import click

from companion.cli.game_name import GameName
from companion.cli.language import language_option
from companion.core.message import Message, message
from companion.core.wording import sentence
from companion.games import game
from companion.games.kit.game import ORIGINS, Game, Source


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
        for source in sources:
            click.echo(f"  {_told(chosen, source, language)}")


def _told(chosen: Game, source: Source, language: str) -> str:
    def say(said: Message) -> str:
        return sentence(said, language, lambda thing, into: chosen.rules.names(None, thing, into))

    option = [message("option `{option}`", option=source.option)] if source.option else []
    notes = "; ".join(say(note) for note in (*filter(None, [source.note]), *option))
    return f"{say(source.what)}: {say(ORIGINS[source.origin])}{f' ({notes})' if notes else ''}"
