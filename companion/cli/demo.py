"""`shinpan demo`: a match on the virtual table, refereed for real."""

import time
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path
from random import Random
from typing import Any

import click
import msgspec

from companion.app.demo import Evening, differences
from companion.app.match_store import begin
from companion.app.virtual_table import ALONE, VirtualTable
from companion.app.wiring import Keeping
from companion.cli.game_name import GameName
from companion.cli.language import language_option
from companion.cli.serving import (
    announce,
    events_option,
    in_club,
    match_options,
    new_settings,
    recording,
    until_stopped,
)
from companion.core.message import Message, message, plural, things
from companion.core.wording import sentence
from companion.games import game
from companion.record.journal import DataFolder
from companion.virtual import dealt
from web.mdns import MdnsService, public_url
from web.server import Server

PEOPLE = ("Aki", "Ben", "Cho", "Dai", "Emi", "Fumi")
PAUSE_BETWEEN = 15.0


class Speed(click.ParamType[float | None]):
    name = "speed"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float | None:
        if value in (None, "max"):
            return None
        try:
            speed = float(value)
        except ValueError:
            speed = 0.0
        if speed <= 0:
            self.fail("it is a number above 0, or max.", param, ctx)
        return speed


@click.command()
@click.argument("name", metavar="[GAME]", type=GameName(), required=False)
@click.option("--players", type=int, help="How many play; the game's smallest number by default.")
@click.option("--options", default="{}", help="Match options, as in the kifu's header (JSON).")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed gives the same match.")
@click.option("--speed", type=Speed(), default="1", show_default=True, help="1 is real time; max as fast as it goes.")
@click.option("--once", is_flag=True, help="One match, then stop.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@events_option
@language_option()
@click.option("--data", type=click.Path(path_type=Path, file_okay=False), default="data", show_default=True)
@click.option("--host", help="Address to serve the page on.")
@click.option("--local", is_flag=True, help="Only this machine can open the page.")
@click.option("--port", type=click.IntRange(0, 65535), default=8080, show_default=True)
def demo(
    name: str | None,
    players: int | None,
    options: str,
    seed: int,
    speed: float | None,
    once: bool,
    as_json: bool,
    events: Path | None,
    language: str,
    data: Path,
    host: str | None,
    local: bool,
    port: int,
) -> None:
    """Open the virtual table: simulated players, a drawn camera picture, panels on serial devices.

    Without GAME it has a lobby: watch a match, or sit down against the bots from any phone in the house. With GAME the
    bots play it at once. The referee gets pixels, bytes and taps, as it would from a real table.
    """
    if name is None:
        _stay_on(data, host or ("127.0.0.1" if local else "0.0.0.0"), port, speed or 1.0, seed, language)
        return
    host = host or "127.0.0.1"
    chosen = game(name)
    people = PEOPLE[: players if players is not None else chosen.seats.start]
    if players is not None and players > len(PEOPLE):
        raise click.BadParameter(f"there are at most {len(PEOPLE)} simulated players.", param_hint="--players")
    agreed = match_options(options)
    settings = new_settings(people, data=data)
    with until_stopped(language), DataFolder(data) as folder:
        while True:
            wanted = dealt(name, people, agreed, Random(seed))
            referee, journal = begin(folder, chosen, people, wanted, datetime.now())
            think = (15.0, 45.0) if speed is None else (3.0, 8.0)
            # At full speed nobody looks, and pictures would only cost time.
            pictures = journal.path.with_suffix("") if speed is not None else None
            with closing(journal), recording(events, referee, journal, language) as log:
                evening = Evening(referee, seed, settings, speed, think, Keeping(None, pictures, log))
                # At full speed nobody could read the page, and nobody waits for it.
                server = Server(evening.app, evening.service, host, port) if speed is not None else None
                try:
                    if server:
                        server.start()
                        announce([server.url], settings, language, into_logs=True)
                    result = _play(evening, journal.path)
                    _print(result, as_json, language)
                    if once:
                        return
                    time.sleep(PAUSE_BETWEEN if server else 0.0)
                finally:
                    if server:
                        server.stop()
                    evening.close()
            seed += 1


def _stay_on(data: Path, host: str, port: int, speed: float | None, seed: int, language: str) -> None:
    settings = msgspec.structs.replace(new_settings(data=data), address=public_url(host, port))
    with until_stopped(language), DataFolder(data) as folder:
        alone = None if (data / "club.json").exists() else ALONE
        table = VirtualTable(folder, settings, speed, seed, "sen_so", alone)
        server = Server(table.running.app, table.running.service, host, port)
        try:
            server.start()
            with in_club(table.table, folder, language), MdnsService(server.host, server.port) as mdns:
                announce(mdns.urls, settings, language, into_logs=True)
                while True:
                    table.beat()
        finally:
            server.stop()
            table.close()


def _play(evening: Evening, path: Path) -> dict[str, Any]:
    began = time.perf_counter()
    while not evening.over:
        evening.beat()
    match = evening.service.referee.match
    facts = match.facts
    return {
        "game": match.game.name,
        "players": match.players,
        "result": {"over": facts["over"], "winners": facts["winners"]},
        "scores": facts[match.game.rules.standing],
        "kifu": str(path),
        "moves": match.moves,
        "frames": evening.feed.frames,
        "presses": len(evening.presses),
        "corrections": evening.corrections,
        "differences": differences(evening, path),
        "seconds": round(time.perf_counter() - began, 2),
    }


def _print(result: dict[str, Any], as_json: bool, language: str) -> None:
    if as_json:
        click.echo(msgspec.json.encode({**result, "differences": [str(each) for each in result["differences"]]}))
        return
    for told in _told(result):
        click.echo(sentence(told, language).rstrip())


def _told(result: dict[str, Any]) -> Iterator[Message]:
    winners = things("player", result["result"]["winners"])
    yield message("Won by: {winners}. {scores}", winners=winners, scores=str(result["scores"] or ""))
    yield message(
        "The kifu is {kifu}: {moves}, {pictures}.",
        kifu=result["kifu"],
        moves=plural("{count} move", "{count} moves", result["moves"]),
        pictures=plural("{count} picture read", "{count} pictures read", result["frames"]),
    )
    for difference in result["differences"]:
        yield message("The referee saw it differently: {difference}", difference=difference)
