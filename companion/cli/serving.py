"""What `serve` and `demo` share: PINs, telling people where the page is, and stopping when asked to."""

import gc
import logging
import secrets
import signal
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
import msgspec
import segno
from flask import Flask

from companion.app import logins
from companion.app.match_store import record_events
from companion.app.table import Table
from companion.cli.pin import NEW_PINS, tell_pins
from companion.core.events import Effect, Said
from companion.core.message import Message, message
from companion.core.validation import read_json
from companion.core.wording import sentence
from companion.record.event_log import EventLog
from companion.record.journal import DataFolder, Journal
from companion.referee.lobby import PLACES
from companion.referee.referee import Referee
from companion.referee.service import Service
from companion.upkeep.config import TableConfig
from web.app import Settings
from web.pins import Pins, SeatPin, new_pin

log = logging.getLogger("shinpan")


def new_settings(players: Sequence[str] = (), data: Path | None = None) -> Settings:
    """Fresh PINs for a table that forgets them when it ends."""
    names = (*players, *[""] * (PLACES - len(players)))
    return Settings(
        referee_pin=new_pin(),
        seats=tuple(SeatPin(new_pin(), name) for name in names),
        secret=secrets.token_hex(logins.SECRET_BYTES),
        camera_for="everyone",  # nobody at a simulated table has anything to hide
        data=data,
    )


def kept_settings(
    data: Path, table: TableConfig, names: Mapping[int, str] | None = None
) -> tuple[Settings, Message | None]:
    """The PINs of the last start, and those that the table's configuration fixes; and a notice if the file of them was
    damaged. `names` are those who sit down without the lobby, by place."""
    kept, notice = logins.kept(data, table.referee_pin)
    seats = logins.handed_out(kept.seats, names or {}, table.seat_pins)

    def keep(seats: Sequence[SeatPin]) -> None:
        logins.keep_seats(data / logins.FILE, kept, seats)

    keep(seats)
    settings = Settings(
        referee_pin=kept.referee_pin,
        seats=seats,
        fixed_pins=table.seat_pins,
        keep_pins=keep,
        screen=kept.screen,
        secret=kept.secret,
        data=data,
        seconds=logins.TableSeconds(data / logins.COUNT_FILE),
        camera_for=table.camera_for,
        lobby_for=table.lobby_for,
        language=table.language,
        api_origins=table.api_origins,
    )
    return settings, notice


def match_options(text: str) -> dict[str, Any]:
    """What was given as --options."""
    try:
        return read_json(text, dict[str, Any])
    except msgspec.DecodeError:
        raise click.BadParameter("it is not a JSON object.", param_hint="--options") from None


@contextmanager
def until_stopped(language: str) -> Iterator[None]:
    """Ctrl-C and SIGTERM (from a service manager) both close everything and exit with 0."""
    # What has been imported stays for good. Going through it again and again for what could be freed holds up every
    # thread, for tenths of a second on a small machine.
    gc.freeze()
    here = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGTERM, signal.default_int_handler) if here else None
    if here:
        signal.signal(NEW_PINS, signal.SIG_IGN)  # until somebody minds it, it must not end the table
    try:
        yield
    except KeyboardInterrupt:
        click.echo(sentence(message("Stopped; the match is kept."), language))
    finally:
        if here:
            signal.signal(signal.SIGTERM, before)


@contextmanager
def taking_new_pins(app: Flask, data: Path) -> Iterator[None]:
    """`shinpan pin --new` has changed the file of PINs and tells the table by a signal."""
    pins: Pins = app.extensions["shinpan"]["pins"]

    def take(*_: object) -> None:
        try:
            found = logins.load(data / logins.FILE)
        except logins.BadLogins as error:
            log.warning("%s", error)
            return
        if found is not None:
            pins.take(found.referee_pin, found.seats)

    here = threading.current_thread() is threading.main_thread()
    before = signal.signal(NEW_PINS, take) if here else None
    try:
        yield
    finally:
        if here:
            signal.signal(NEW_PINS, before)


@contextmanager
def in_club(table: Table, folder: DataFolder, language: str) -> Iterator[None]:
    """The table plays along in its club, where it is in one. Nothing that is missing for that keeps it from playing."""
    if not (folder.path / "club.json").exists():
        yield
        return
    try:
        from companion.app.club_table import member_of
        from companion.club import membership
    except ImportError:
        told = message("This table is in a club, and the extra `club` is not installed: it plays by itself.")
        click.echo(sentence(told, language))
        yield
        return
    found, notice = membership.load(folder.path)
    if found is None:
        if notice is not None:
            click.echo(sentence(notice, language))
        yield
        return
    member = member_of(found, table, folder)
    member.start()
    try:
        yield
    finally:
        member.stop()


def apply_settings(at_table: Table, settings: Settings, table: TableConfig) -> None:
    """Use of a changed configuration what can be used at once."""
    settings.lobby_for, settings.fixed_pins, settings.language = table.lobby_for, table.seat_pins, table.language
    at_table.review = table.review
    running = at_table.running
    running.feed.pace.idle = 1 / table.idle_frames
    if table.referee_pin and settings.data is not None:
        claim_table(running.app, settings.data, table.referee_pin)


def claim_table(app: Flask, data: Path, pin: str) -> None:
    """From now on this is the referee's PIN."""
    pins: Pins = app.extensions["shinpan"]["pins"]
    found = logins.load(data / logins.FILE)
    if found is not None and found.referee_pin != pin:
        logins.write(data / logins.FILE, msgspec.structs.replace(found, referee_pin=pin))
        pins.take(pin, pins.seats)


events_option = click.option(
    "--events",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Record every event in this file, for `shinpan relive`; no pictures.",
)


@contextmanager
def recording(path: Path | None, referee: Referee, journal: Journal, language: str) -> Iterator[EventLog | None]:
    """The record of a match's events, where one is wanted."""
    if path is None:
        yield None
        return
    log = record_events(path, referee, journal)
    click.echo(sentence(message("Every event is recorded in {file}.", file=str(log.path)), language), err=True)
    try:
        yield log
    finally:
        log.close()


def tell_trouble(service: Service, language: str) -> None:
    """Log notices about the table too: a full disk has to be dealt with at the machine."""

    def tell(effect: Effect) -> None:
        if isinstance(effect, Said) and effect.kind == "notice":
            log.warning("%s", sentence(effect.message, language))

    service.listen(tell)


def announce(addresses: Sequence[str], settings: Settings, language: str, *, into_logs: bool = False) -> None:
    """Print addresses, PINs and a code to scan. The last address is the one for tablets.

    PINs are for whoever stands at the terminal: where a service manager would write them into a log, they are left out.
    """
    click.echo(sentence(message("The page is at {addresses}", addresses=tuple(addresses)), language))
    if into_logs or sys.stdout.isatty():
        tell_pins(settings.referee_pin, settings.seats, language)
    else:
        where = message("The PINs are printed by: shinpan pin --data {folder}", folder=str(settings.data))
        click.echo(sentence(where, language))
    if settings.authority is not None:
        trust = message(
            "A phone that does not trust this table yet is shown how at {address}. The certificate's fingerprint is "
            "{fingerprint}",
            address=f"{_plain(addresses[-1])}trust",
            fingerprint=settings.authority.fingerprint,
        )
        click.echo(sentence(trust, language))
    if into_logs or sys.stdout.isatty():
        code: Any = segno.make(_plain(addresses[-1]))  # its methods carry no types
        code.terminal(compact=True)


def _plain(address: str) -> str:
    """By plain HTTP: where the table speaks TLS, this leads to the page that a new phone has to read first."""
    return address.replace("https:", "http:", 1)
