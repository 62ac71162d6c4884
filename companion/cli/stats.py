"""`shinpan stats`: people over many matches."""

from pathlib import Path

import click
import msgspec

from companion.cli.history import data_option, opened, wanted_options
from companion.cli.language import language_option
from companion.core.message import Message, Thing, message, plural
from companion.core.rulings import ShinpanError
from companion.core.wording import Names, nameless, sentence
from companion.games import game as game_of
from companion.history.listing import WantedMatches
from companion.history.standings import PersonInGame, figures_of, head_to_head, people, standings, title_of


@click.command()
@click.argument("names", nargs=-1)
@wanted_options
@click.option("--merge", nargs=2, metavar="NAME OTHER", help="NAME is the same person as OTHER, and OTHER counts.")
@click.option("--split", metavar="NAME", help="NAME is a person of their own again.")
@click.option("--anonymous", metavar="NAME", help="Show NAME by a number everywhere but in the kifus.")
@click.option("--named", metavar="NAME", help="Show that person by name again.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@data_option()
@language_option()
def stats(
    names: tuple[str, ...],
    game: str,
    player: str,
    day: str,
    merge: tuple[str, str] | None,
    split: str | None,
    anonymous: str | None,
    named: str | None,
    as_json: bool,
    data: Path,
    language: str,
) -> None:
    """People over many matches: the standings of everybody; of one NAME, everything that is counted; of two NAMES, one
    against the other.

    Counted from the kifus alone: matches that are over and were not abandoned. An evening is asked for with --day.
    """
    library = opened(data)
    if merge:
        library.merge(*merge)
    if split:
        library.merge(split, "")
    if anonymous:
        library.make_anonymous(anonymous, True)
    if named:
        library.make_anonymous(named, False)
    library.refresh()
    wanted, index = WantedMatches(game, player, day), library.index

    def told(what: Message) -> str:
        return sentence(what, language)

    if len(names) > 1:
        duel = head_to_head(index, names[0], names[1], wanted)
        if as_json:
            click.echo(msgspec.json.encode(duel))
            return
        click.echo(told(plural("{count} match together.", "{count} matches together.", duel.matches)))
        for name, won in ((duel.one, duel.one_won), (duel.other, duel.other_won)):
            click.echo(
                told(plural("{player} won {count}.", "{player} won {count}.", won, player=Thing("player", name)))
            )
        return
    if names:
        for person in people(index, wanted, names[0]):
            click.echo(msgspec.json.encode(person) if as_json else _account(person, language))
        return
    for line in standings(index, wanted):
        if as_json:
            click.echo(msgspec.json.encode(line))
        else:
            score = told(message("{wins} won of {matches}", wins=line.wins, matches=line.matches))
            click.echo(f"{line.name:24} {score}")


def _account(person: PersonInGame, language: str) -> str:
    def told(what: Message) -> str:
        return sentence(what, language, _names(person.game))

    lines = [
        f"{person.name}, {title_of(person.game)}: "
        + told(message("{wins} won of {matches}", wins=person.wins, matches=person.matches))
    ]
    for figure in person.figures:
        lines.append(f"  {told(figure.title)}: {figure.total}, " + told(message("{mean} a match", mean=figure.mean)))
        if figure.round_title is not None and figure.a_round is not None:
            lines.append(f"  {told(figure.round_title)}: {figure.a_round}")
    if person.thought is None:
        lines.append("  " + told(message("Time to think: the kifus have no times.")))
    else:
        thought = message(
            "Time to think: {seconds} s an answer ({count} timed).", seconds=person.thought, count=person.answers
        )
        lines.append("  " + told(thought))
    if person.favourites:
        figures = figures_of(person.game)
        lines.append(f"  {told(figures.chosen_title)}:")
        for liked in person.favourites:
            cost = "" if liked.cost is None else f" ({told(figures.cost_title)}: {liked.cost})"
            lines.append(
                "    " + told(message("{card}: {times}×", card=Thing("card", liked.thing), times=liked.times)) + cost
            )
    return "\n".join(lines)


def _names(played: str) -> Names:
    """What the things of a game are called; nothing where it is not installed any more."""
    try:
        names = game_of(played).rules.names
    except ShinpanError:
        return nameless
    return lambda thing, language: names(None, thing, language)
