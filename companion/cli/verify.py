"""`shinpan verify`: whether a kifu is what the table wrote."""

from pathlib import Path

import click

from companion.cli.data_folder import data_option
from companion.cli.language import language_option
from companion.core.message import message
from companion.core.rulings import ShinpanError
from companion.core.wording import sentence
from companion.record.signing import public_key
from companion.record.verification import verify

SHORTEST = 16
"""Letters of a key that tell it from all others."""


@click.command(name="verify")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--key", help="The key of the table that should have signed, or its first 16 letters, from its page.")
@click.option("--head", default="", help="What the page showed, typed or scanned: the file must go at least that far.")
@data_option("Without --key: the data folder of the table that should have signed.")
@language_option()
def command(file: Path, key: str | None, head: str, data: Path, language: str) -> None:
    """Say who signed FILE, and whether a line of it was changed, taken out or cut off; its pictures too, where they lie
    beside it.

    Exit 0: the whole match, signed by the table that is known. 1: something was altered. 2: it is not a kifu.
    3: nothing was found to be altered, but not all of it is signed, or nobody knows whose key it is.
    """
    known = key.replace(" ", "").lower() if key else public_key(data)
    if known is not None and len(known) < SHORTEST:
        raise ShinpanError(message("Of a key at least {count} letters are needed.", count=SHORTEST))
    verdict = verify(file, known, head)
    for told in verdict.told:
        click.echo(sentence(told, language))
    raise SystemExit(int(verdict.proven))
