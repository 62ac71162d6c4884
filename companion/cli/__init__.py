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
    "demo": "companion.cli.demo:demo",
    "serve": "companion.cli.serve:serve",
    "replay": "companion.cli.replay:replay",
    "rules": "companion.cli.rules:rules",
    "cards": "companion.cli.cards:cards",
    "deck": "companion.cli.deck:deck",
    "enrol": "companion.cli.vision:enrol",
    "recognise": "companion.cli.vision:recognise",
    "calibrate": "companion.cli.vision:calibrate",
    "print": "companion.cli.vision:print_",
    "panel": "companion.cli.panel:panel",
}


class Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module, function = COMMANDS[name].split(":")
        command: click.Command = getattr(import_module(module), function)
        return command


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
