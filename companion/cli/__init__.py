"""The command line. Commands are loaded when they are called: `shinpan rules` need not wait for OpenCV."""

import logging
import sys
from contextlib import suppress
from importlib import import_module

import click

from companion.core.rulings import Refused, ShinpanError

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
    try:
        shinpan(prog_name="shinpan")
    except (ShinpanError, Refused, OSError) as error:
        with suppress(OSError):  # where even that cannot be written
            told = _in_words(error) if isinstance(error, OSError) else error
            click.echo(f"shinpan: {told}", err=True)
        sys.exit(2)


def _in_words(error: OSError) -> str:
    """`[Errno 13] Permission denied: 'data'` is for those who write programs."""
    words = error.strerror or str(error)
    return f"{error.filename}: {words}." if error.filename else f"{words}."
