"""The command line. Commands are loaded when they are called: `shinpan rules` need not wait for OpenCV."""

import logging
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any

import click

from companion.cli.language import LANGUAGE
from companion.core.rulings import Refused, ShinpanError
from companion.core.wording import SOURCE, sentence

COMMANDS = {
    "demo": ("companion.cli.demo:demo", "Open the virtual table, refereed for real."),
    "serve": ("companion.cli.serve:serve", "Referee a real table."),
    "pin": ("companion.cli.pin:pin", "Print the PINs that hold at a table."),
    "replay": ("companion.cli.replay:replay", "Play each FILE through the rules and hold it to what it says."),
    "verify": ("companion.cli.verify:command", "Say who signed FILE, and whether it was changed or cut off."),
    "history": ("companion.cli.history:history", "List the matches of a table; rename, delete, export, import them."),
    "show": ("companion.cli.show:show", "Show any moment of the match in FILE, as it was."),
    "export": ("companion.cli.export:export", "Write every move of all matches as one table: CSV or Parquet."),
    "stats": ("companion.cli.stats:stats", "People over many matches: standings, one person's figures, head to head."),
    "relive": (
        "companion.cli.relive:command",
        "Play the events of a recorded evening through the referee again, and compare.",
    ),
    "rules": ("companion.cli.rules:rules", "Print the numbered rules of GAME, each with its origin."),
    "cards": ("companion.cli.cards:cards", "Print what is printed on the cards of GAME, each value with its origin."),
    "deck": ("companion.cli.deck:deck", "Check Senjutsu decks and files of cards."),
    "enrol": ("companion.cli.vision:enrol", "Learn what the cards of DECK look like."),
    "recognise": ("companion.cli.vision:recognise", "Name the cards in pictures."),
    "calibrate": ("companion.cli.vision:calibrate", "Measure the table of GAME by its four corner markers."),
    "print": (
        "companion.cli.vision:print_",
        "Write a PDF to print: markers, mat, cards, score sheets, consoles.",
    ),
    "club": ("companion.cli.club:club", "This table's place in a club: join, leave, show."),
    "venue": ("companion.cli.venue:venue", "Run a venue: many tables, one wall, one desk, tournaments."),
    "panel": ("companion.cli.panel:panel", "The players' panels: list, test, flash."),
    "config": ("companion.cli.config:config", "The table's settings: show, check, mend, example, set."),
    "doctor": ("companion.cli.doctor:doctor", "Say what is wrong with this table, and the command that mends it."),
    "backup": ("companion.cli.backup:backup", "Write matches, cards, measurements and settings into one file."),
    "restore": ("companion.cli.backup:restore", "Bring BACKUP back, here or on another machine."),
    "update": ("companion.cli.update:update", "Put the version in FILE beside the one that runs; back if it fails."),
    "bench-pi": ("companion.cli.bench_pi:bench_pi", "Measure what each part of a table costs on this machine."),
    "game": ("companion.cli.game:game", "Your own games: list what is here, begin one, check one."),
}
"""Where each command is, and a line about it, so that `--help` need not import them all."""


class Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module, function = COMMANDS[name][0].split(":")
        command: click.Command = getattr(import_module(module), function)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, about) for name, (_, about) in COMMANDS.items()])


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="shinpan")
def shinpan() -> None:
    """Shinpan (審判), the referee that sits over a real table."""


def main() -> None:
    """What goes wrong is told in one sentence; exit 2."""
    logging.basicConfig(format="%(asctime)s %(levelname)s %(message)s", level=logging.INFO)
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run a command; errors of ours are told in the language that it was asked to speak."""
    asked: dict[str, Any] = {}
    try:
        shinpan.main(list(arguments), prog_name="shinpan", obj=asked)
    except (ShinpanError, Refused) as error:
        _tell(sentence(error.message, asked.get(LANGUAGE, SOURCE)))
    except OSError as error:
        _tell(_in_words(error))
    return 2


def _tell(text: str) -> None:
    with suppress(OSError):  # where even that cannot be written
        click.echo(f"shinpan: {text}", err=True)


def _in_words(error: OSError) -> str:
    """`[Errno 13] Permission denied: 'data'` is for programmers."""
    words = error.strerror or str(error)
    return f"{error.filename}: {words}." if error.filename else f"{words}."
