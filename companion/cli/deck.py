"""`shinpan deck`: Senjutsu decks and card files, checked with reasons; and as options for a match."""

import sys
from pathlib import Path

import click
import msgspec

from companion.cli.data_folder import data_option
from companion.cli.language import language_option
from companion.core.message import message
from companion.core.rulings import ShinpanError
from companion.core.wording import sentence
from companion.games import game
from companion.games.kit.catalogue import namer
from companion.games.senjutsu.card_language.ability import Ability
from companion.games.senjutsu.card_language.rows import BadCard
from companion.games.senjutsu.card_language.script import read_cards
from companion.games.senjutsu.cards import FIGHTERS, starter_cards
from companion.games.senjutsu.decks import BadDeck, problems, read_deck, write_deck
from companion.record.corrections import script_of

FILE = click.Path(path_type=Path, dir_okay=False)
Decks = dict[str, dict[str, int]]


@click.command()
@click.argument("files", metavar="[DECK]…", nargs=-1, type=FILE)
@click.option("--cards", "scripts", multiple=True, type=FILE, help="A file of cards; may be given several times.")
@click.option("--starter", type=click.Choice(list(FIGHTERS)), help="Print a samurai's starter deck, to begin from.")
@click.option("--json", "as_json", is_flag=True, help="Print the options of a match with these cards and decks.")
@data_option()
@language_option()
def deck(
    files: tuple[Path, ...], scripts: tuple[Path, ...], starter: str | None, as_json: bool, data: Path, language: str
) -> None:
    """Check Senjutsu decks, one card on each line (`3 Swift Mind`), and files of cards; say everything that is wrong.

    Without --cards the owner's file in the data folder, cards/senjutsu.txt, is read; every new match knows its cards.
    A deck file has the name of its player (Aki.txt), so that --json can be given to `shinpan serve --options`.
    Exit 0: all is well. 1: something is wrong.
    """
    owned = script_of(data, game("senjutsu"))
    scripts = scripts or ((owned,) if owned.exists() else ())
    texts = {path: _text(path) for path in (*scripts, *files)}
    if starter:
        click.echo(write_deck(FIGHTERS[starter].deck, starter_cards()), nl=False)
    cards, amiss = starter_cards(), False
    for path in scripts:
        try:
            found = read_cards(texts[path])
        except BadCard as mistake:
            amiss = True
            _tell(path, sentence(mistake.message, language))
            continue
        cards = cards | found
        if not as_json:
            _tell(path, sentence(message("cards that can be read: {count}.", count=len(found)), language))
    decks: Decks = {}
    for path in files:
        decks[path.stem], wrong = _read(texts[path], cards, language)
        amiss = amiss or bool(wrong)
        for reason in wrong:
            _tell(path, reason)
        if not wrong and not as_json:
            _tell(path, sentence(message("this deck of 40 cards may be played."), language))
    if as_json and not amiss:
        options = {"cards": "\n".join(texts[path] for path in scripts)} if scripts else {}
        click.echo(msgspec.json.encode({**options, "decks": decks}))
    sys.exit(amiss)


def _read(text: str, cards: dict[str, Ability], language: str) -> tuple[dict[str, int], list[str]]:
    """A deck, and what is wrong with it."""
    try:
        found = read_deck(text)
    except BadDeck as bad:
        return {}, [sentence(bad.message, language)]
    wrong = problems(found, cards)
    return found, [f"[{', '.join(each.rules)}] {sentence(each.message, language, _names)}" for each in wrong]


def _names(thing: str, language: str) -> str | None:
    return namer("companion.games.senjutsu")(None, thing, language)


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except OSError as error:
        raise ShinpanError(message("{file} cannot be read: {detail}.", file=str(path), detail=error.strerror)) from None
    except UnicodeDecodeError:
        raise ShinpanError(message("{file} is not a text file.", file=str(path))) from None


def _tell(path: Path, what: str) -> None:
    click.echo(f"{path}: {what}")
