"""`shinpan update`: another version of Shinpan on an installed table."""

import os
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from companion.cli.language import language_option
from companion.core.message import Message, message
from companion.core.rulings import ShinpanError
from companion.core.wording import sentence
from companion.upkeep import releases, tags
from companion.upkeep.config import SYSTEM_DATA, SYSTEM_FILE, TableConfig, load
from companion.upkeep.this_machine import ThisMachine
from companion.upkeep.updating import Installation, Updater


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=Path, dir_okay=False, exists=True))
@click.option(
    "--sha256", default="", help="The SHA-256 of the file, where it is not signed by a key that is known here."
)
@click.option("--tag", help="A tag of a git repository instead of a file; with --from.")
@click.option("--from", "origin", help="The repository.")
@click.option("--commit", default="", help="The commit of the tag, where the tag is not signed by somebody known here.")
@click.option("--back", is_flag=True, help="Go back to the version before.")
@click.option("--undo-interrupted", is_flag=True, hidden=True, help="At the start of the machine.")
@language_option()
def update(
    file: Path | None,
    sha256: str,
    tag: str | None,
    origin: str | None,
    commit: str,
    back: bool,
    undo_interrupted: bool,
    language: str,
) -> None:
    """Put the version in FILE beside the one that runs, switch to it, and go back by itself if it does not come up.

    Never while a match is played. Matches, cards and settings stay.
    """

    def tell(told: Message) -> None:
        click.echo(sentence(told, language))

    if sum((file is not None, tag is not None, back, undo_interrupted)) != 1:
        raise ShinpanError(message("Update to what? Give a release file, or --tag and --from, or --back."))
    if os.geteuid():
        raise ShinpanError(message("An update has to be made as root: sudo shinpan update ..."))
    place = Installation(data=SYSTEM_DATA)
    if undo_interrupted:  # no table runs yet, and its settings may be as broken as they like
        Updater(place, ThisMachine(""), tell).undo_interrupted()
        return
    updater = Updater(place, ThisMachine(_health_url()), tell)
    if back:
        name = updater.back()
    else:
        # Beside the versions: /tmp may be small, or in memory.
        with TemporaryDirectory(dir=place.opt if place.opt.is_dir() else None, prefix="new-") as folder:
            name = updater.update(_source(Path(folder), place, file, sha256, tag, origin, commit))
    tell(message("Version {version} runs. To go back: sudo shinpan update --back", version=name))


def _source(
    into: Path, place: Installation, file: Path | None, sha256: str, tag: str | None, origin: str | None, commit: str
) -> Path:
    if file is not None:
        return releases.checked(file, into, place.keys, sha256)
    if not origin:
        raise ShinpanError(message("From which repository? Give it with --from."))
    return tags.fetched(origin, tag or "", into, place.keys, commit)


def _health_url() -> str:
    table = load(SYSTEM_FILE) if SYSTEM_FILE.exists() else TableConfig()
    host = "127.0.0.1" if table.host in ("", "0.0.0.0", "::") else table.host
    return f"http://{host}:{table.port}/healthz"
