"""`shinpan club`: this table's place in a club."""

import json
import urllib.error
import urllib.request
from importlib.metadata import version
from pathlib import Path
from urllib.parse import urlsplit

import click
import msgspec

from companion.cli.language import language_option
from companion.cli.venue import needs_club
from companion.core.message import Message, message
from companion.core.rulings import ShinpanError
from companion.core.validation import read_json
from companion.core.wording import sentence

SECONDS = 15.0


@click.group()
def club() -> None:
    """This table's place in a club."""


data_option = click.option(
    "--data", type=click.Path(path_type=Path, file_okay=False), default="data", show_default=True
)


@club.command()
@click.argument("code")
@click.option("--venue", default="", help="Where the venue is, where CODE is not its whole address.")
@data_option
@language_option()
def join(code: str, venue: str, data: Path, language: str) -> None:
    """Join a club with the CODE from its desk: the whole address that stands there."""
    needs_club()
    told = join_club(code, venue, data)
    click.echo(sentence(told, language))


@club.command()
@data_option
@language_option()
def leave(data: Path, language: str) -> None:
    """Leave the club. What was played stays with the venue, and here."""
    from companion.club import membership

    left = membership.leave(data)
    click.echo(sentence(message("This table has left {venue}.", venue=left.venue_name), language))


@club.command()
@data_option
@language_option()
def show(data: Path, language: str) -> None:
    """Say which club this table is in."""
    from companion.club import membership

    found, _ = membership.load(data)
    if found is None:
        raise ShinpanError(message("This table is in no club."))
    where = f"{found.broker.host}:{found.broker.port}"
    told = message("{name} in {venue}, broker {where}.", name=found.name, venue=found.venue_name, where=where)
    click.echo(sentence(told, language))


@club.command()
@click.option("--tables", type=click.IntRange(1, 16), default=4, show_default=True)
@click.option("--players", type=click.IntRange(2, 32), default=8, show_default=True)
@click.option("--broker", default="auto", show_default=True, help="auto, mosquitto or nats.")
@click.option("--speed", default="4", show_default=True, help="Of the virtual tables; 1 is real time.")
@click.option("--port", type=click.IntRange(0, 65535), default=8090, show_default=True)
@click.option("--once", is_flag=True, help="Stop when the tournament is over.")
@language_option()
def demo(tables: int, players: int, broker: str, speed: str, port: int, once: bool, language: str) -> None:
    """Show a club on this machine: a real broker, a venue, virtual tables, and a small Swiss that runs by itself."""
    needs_club()
    from companion.app.club_demo import run_club
    from companion.cli.serving import until_stopped
    from companion.cli.venue import tell_venue

    with until_stopped(language):
        run_club(tables, players, broker, speed, port, once, lambda url, pin: tell_venue(url, pin, language))


def join_club(code: str, venue: str, data: Path) -> Message:
    from companion.club import joining, membership
    from companion.record.journal import DataFolder
    from companion.record.signing import TableKey

    where, secret = joining.parted(code, venue)
    key, _ = TableKey.kept(data)
    asked = joining.JoinRequest(code=secret, key=key.public, software=version("shinpan"))
    answer = read_json(_post(f"{where}api/join", msgspec.json.encode(asked)), joining.JoinAnswer)
    newest = DataFolder(data).newest("*")
    membership.save(data, answer.membership(newest.stem if newest else "", where))
    return message(
        "This table is {name} in {venue} now. Start it again, and it plays along.",
        name=answer.name,
        venue=answer.venue_name,
    )


def _post(url: str, body: bytes) -> bytes:
    parts = urlsplit(url)
    origin = f"{parts.scheme}://{parts.netloc}"
    request = urllib.request.Request(url, body, {"Content-Type": "application/json", "Origin": origin})
    try:
        with urllib.request.urlopen(request, timeout=SECONDS) as answer:
            told: bytes = answer.read(1 << 20)
            return told
    except urllib.error.HTTPError as error:
        try:
            text = str(json.loads(error.read(1 << 16))["text"])
        except (ValueError, KeyError, TypeError):
            text = f"HTTP {error.code}"
        raise ShinpanError(message("The venue says: {text}", text=text)) from None
    except OSError as error:
        why = str(getattr(error, "reason", error))
        raise ShinpanError(message("The venue does not answer at {url}: {why}.", url=origin, why=why)) from None
