"""`shinpan relive`: a recorded evening played again."""

from collections.abc import Iterator
from pathlib import Path

import click
import msgspec

from companion.app.relive import KIFU, LIGHTS, PAGE, SENTENCES, Difference, relive
from companion.cli.language import language_option
from companion.core.message import Message, message, plural
from companion.core.wording import sentence

DIFFERS = {
    KIFU: message("the kifu comes out differently"),
    LIGHTS: message("the lights come out differently"),
    SENTENCES: message("the sentences come out differently"),
    PAGE: message("the page is told something else"),
}


@click.command(name="relive")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@language_option()
def command(file: Path, as_json: bool, language: str) -> None:
    """Play the events in FILE again (`shinpan serve --events FILE` records them) and compare.

    Exit 0 when kifu, lights and sentences come out the same, 1 when they do not, 2 for a file that cannot be used.
    """
    relived = relive(file)
    difference = relived.difference
    if as_json:
        click.echo(
            msgspec.json.encode({"file": str(file), "same": difference is None, **msgspec.structs.asdict(relived)})
        )
    elif difference is None:
        click.echo(
            sentence(
                plural(
                    "{file}: {count} event, and kifu, lights and sentences are the same.",
                    "{file}: {count} events, and kifu, lights and sentences are the same.",
                    relived.events,
                    file=str(file),
                ),
                language,
            )
        )
    else:
        for told in _told(file, difference):
            click.echo(sentence(told, language))
    if difference is not None:
        raise SystemExit(1)


def _told(file: Path, difference: Difference) -> Iterator[Message]:
    yield message("{file}, line {line}: {what}.", file=str(file), line=difference.line, what=DIFFERS[difference.what])
    yield message("  event: {event}", event=_json(difference.event))
    yield message("  recorded: {recorded}", recorded=_json(difference.recorded))
    yield message("  now: {now}", now=_json(difference.now))


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
