"""`shinpan venue`: many tables, one wall, one desk."""

import threading
from importlib.util import find_spec
from pathlib import Path

import click

from companion.cli.language import language_option
from companion.core.message import message
from companion.core.rulings import ShinpanError
from companion.core.wording import sentence


def needs_club() -> None:
    """One clear sentence where the extra is missing."""
    if any(find_spec(each) is None for each in ("paho", "sqlalchemy", "caissify_pairings", "openskill")):
        raise ShinpanError(message("Clubs need the extra `club`: pip install 'shinpan[club]'."))


@click.command()
@click.option("--name", default="", help="What the venue is called.")
@click.option(
    "--broker", default="auto", show_default=True, help="auto, mosquitto, nats, or mqtts://USER:SECRET@HOST:PORT."
)
@click.option("--broker-port", type=click.IntRange(0, 65535), default=8883, show_default=True)
@click.option("--no-tls", is_flag=True, help="Tables and broker speak in the open; only for trying things out.")
@click.option("--database", default="", help="postgresql+psycopg://…; SQLite in the data folder by default.")
@click.option("--data", type=click.Path(path_type=Path, file_okay=False), default="venue", show_default=True)
@click.option("--host", default="0.0.0.0", show_default=True)
@click.option("--port", type=click.IntRange(0, 65535), default=8090, show_default=True)
@language_option()
def venue(
    name: str,
    broker: str,
    broker_port: int,
    no_tls: bool,
    database: str,
    data: Path,
    host: str,
    port: int,
    language: str,
) -> None:
    """Run a venue: a broker where none is given, the wall, the desk, tournaments.

    Tables come in with `shinpan club join`; the desk makes the codes for it.
    """
    needs_club()
    from companion.app.venue_wiring import RunningVenue, VenueConfig
    from companion.cli.serving import until_stopped

    with until_stopped(language):
        config = VenueConfig(data, name, broker, broker_port, database, host, port, not no_tls)
        running = RunningVenue(config)
        tell_venue(running.server.url, running.pin, language)
        stop = threading.Event()

        def watch() -> None:
            while not stop.wait(1.0):
                running.keep_broker()

        threading.Thread(target=watch, name="broker", daemon=True).start()
        try:
            running.server.run()
        finally:
            stop.set()
            running.close()


def tell_venue(url: str, pin: str, language: str) -> None:
    click.echo(sentence(message("The wall is at {url}wall, the desk at {url}desk.", url=url), language))
    click.echo(sentence(message("Referee PIN: {pin}", pin=pin), language))
