"""`shinpan serve`: referee a real table."""

import time
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

import click
import msgspec

from companion.app import logins
from companion.app.encryption import open_certificates
from companion.app.housekeeping import House
from companion.app.match_store import begin, notices_of, resume
from companion.app.service_manager import watched
from companion.app.table import Table, seated
from companion.app.webhooks import webhooks_of
from companion.app.wiring import eyes_for, open_devices
from companion.cli.game_name import GameName
from companion.cli.language import language_option
from companion.cli.serving import (
    announce,
    apply_settings,
    claim_table,
    events_option,
    in_club,
    kept_settings,
    match_options,
    taking_new_pins,
    tell_trouble,
    until_stopped,
)
from companion.core.message import message, plural, things
from companion.core.rulings import ShinpanError
from companion.core.wording import sentence
from companion.games import game
from companion.record.journal import DataFolder, Journal
from companion.referee.referee import Referee
from companion.upkeep import data_version
from companion.upkeep.config import Configured, TableConfig, configured
from web.mdns import MdnsService, public_url
from web.server import Server


@click.command()
@click.argument("name", metavar="[GAME]", required=False, type=GameName())
@click.option("--players", help="Names in seat order, clockwise from the near side: Aki,Ben")
@click.option("--options", help="Match options, as in the kifu's header (JSON).")
@click.option("--new", is_flag=True, help="Begin a new match even if the last one is not over.")
@click.option(
    "--config",
    "config_file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Default: shinpan.toml in the data folder, or /etc/shinpan/shinpan.toml.",
)
@click.option("--camera", help="auto, none, phone, v4l2:DEVICE, picamera2, file:VIDEO or images:FOLDER.")
@click.option("--panels", multiple=True, help="auto, none, or a device or URL; may be given several times.")
@click.option(
    "--timer", type=click.Choice(["none", "gpio", "simulated"]), help="A timer panel on this machine's own pins."
)
@events_option
@language_option()
@click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    show_default="that of the configuration, or ./data",
    help="The data folder.",
)
@click.option("--host", help="Address to serve the page on; all of them by default.")
@click.option("--port", type=click.IntRange(0, 65535))
@click.option("--tls", is_flag=True, help="Encrypted pages; a page walks phones through trusting the certificate.")
def serve(
    name: str | None,
    players: str | None,
    options: str | None,
    new: bool,
    config_file: Path | None,
    camera: str | None,
    panels: tuple[str, ...],
    timer: str | None,
    events: Path | None,
    language: str,
    data: Path | None,
    host: str | None,
    port: int | None,
    tls: bool,
) -> None:
    """Referee a real table: camera, panels and pages, each of which may be missing.

    The page asks what is played and by whom; with GAME and --players a match begins at once. What was not over when the
    service stopped goes on where it was.
    """
    given: dict[str, Any] = {
        "data": None if data is None else str(data),
        "game": name,
        "players": tuple(filter(None, map(str.strip, players.split(",")))) if players else None,
        "options": None if options is None else match_options(options),
        "camera": camera,
        "panels": panels or None,
        "timer": timer,
        "host": host,
        "port": port,
        "tls": tls or None,
    }
    holds = configured(given, config_file)
    table = holds.table
    with until_stopped(language), DataFolder(holds.data) as folder:
        data_version.bring_up_to_date(folder.path)
        at_once = match_of(folder, table, new, language) if name or table.players else None
        _serve(folder, holds, at_once, new, events, language, given)


def match_of(folder: DataFolder, table: TableConfig, new: bool, language: str = "en") -> tuple[Referee, Journal]:
    """The match that was not over, or a new one."""
    chosen = game(table.game or "sen_so")
    going_on = None if new else resume(folder, chosen)
    if going_on is not None:
        referee, journal = going_on
        match = referee.match
        others = table.players not in ((), match.players)
        if match.moves or not others:
            told = [
                plural(
                    "Going on with {file}, {count} move in.",
                    "Going on with {file}, {count} moves in.",
                    match.moves,
                    file=journal.path.name,
                ),
                *notices_of(referee),
            ]
            click.echo(" ".join(sentence(each, language) for each in told))
            if others:
                players = things("player", match.players)
                of_others = message("It is the match of {players}; --new begins another one.", players=players)
                click.echo(sentence(of_others, language))
            return referee, journal
        journal.close()  # nobody has moved in it, so the players who are here now begin a new one
    if not table.players:
        raise ShinpanError(message("Who plays? Give the names in seat order: --players Aki,Ben"))
    return begin(folder, chosen, table.players, table.options, datetime.now())


def _serve(
    folder: DataFolder,
    holds: Configured,
    at_once: tuple[Referee, Journal] | None,
    new: bool,
    events: Path | None,
    language: str,
    given: Mapping[str, Any],
) -> None:
    table, first = holds.table, not (folder.path / logins.FILE).exists()
    names = {} if at_once is None else seated(folder.path, *at_once)
    settings, notice = kept_settings(folder.path, table, names)
    certificates = open_certificates(table, folder.path)
    settings = msgspec.structs.replace(
        settings,
        address=public_url(table.host, table.port, "https" if table.tls else "http"),
        authority=None if certificates is None else certificates.authority,
    )
    devices = open_devices(table, folder.path, time.monotonic)
    devices = replace(
        devices, notices=(*devices.notices, *filter(None, [notice]), *(certificates.notices if certificates else ()))
    )
    eyes = partial(eyes_for, folder.path)
    at_table = Table(folder, time.monotonic, settings, devices, eyes, events, review=table.review)
    running = at_table.running
    tell_trouble(running.service, language)
    hooks = webhooks_of(running.service, table.webhooks, folder.path)
    if at_once is not None:
        at_table.adopt(*at_once)
    elif not new:
        at_table.resume()
    apply = partial(apply_settings, at_table, settings)
    claim = partial(claim_table, running.app, folder.path)
    house = House(running, holds, apply, given, holds.file, first=first and at_once is None, claim=claim)
    running.service.house = house
    running.feed.pace.idle = 1 / table.idle_frames
    server = Server(running.app, running.service, table.host, table.port, certificates)
    running.senses.start()
    house.start(server.host, server.port, tls=table.tls)
    with (
        in_club(at_table, folder, language),
        MdnsService(server.host, server.port, server.scheme) as mdns,
        taking_new_pins(running.app, folder.path),
    ):
        announce(mdns.urls, settings, language)
        try:
            with watched(running.service.heartbeats):
                server.run()
        finally:
            house.stop()
            running.senses.stop()
            at_table.close()
            hooks.close()
