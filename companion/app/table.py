"""A table that stays on: lobby, match, result, and lobby again, for as long as it is switched on."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.app.checklist import check_list
from companion.app.match_store import begin, record_events, reopen, resume
from companion.app.wiring import Devices, Eyes, Keeping, put_together
from companion.core.events import Tap
from companion.core.files import NotWritten, set_aside, write_whole
from companion.core.message import Message, message
from companion.core.rulings import ShinpanError
from companion.core.validation import read_json
from companion.core.wording import sentence
from companion.games import game
from companion.games.kit.option_forms import header_options
from companion.record.event_log import EventLog
from companion.record.journal import DataFolder, Journal
from companion.record.match import Match
from companion.referee.lobby import PLACES, Arrangement, Lobby
from companion.referee.referee import Referee
from companion.referee.service import VirtualHands
from web.app import Settings
from web.pins import Pins

log = logging.getLogger("shinpan")

FILE = "table.json"


class Kept(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a table remembers of itself over restarts."""

    arrangement: Arrangement = Arrangement()
    match: str = ""
    """The kifu of the match that has the table, its result included; empty: it is in the lobby."""
    places: tuple[int, ...] = ()
    """Where the players of that match sit."""
    confirmed: bool = False
    """Its result has been confirmed by the referee."""

    def places_in(self, referee: Referee, journal: Journal) -> tuple[int, ...]:
        """Where the players of this match sit; in order, where nothing says otherwise."""
        players = len(referee.match.players)
        known = self.match == journal.path.name and len(self.places) == players
        return self.places if known else tuple(range(players))


@dataclass(frozen=True)
class VirtualParts:
    """What a virtual table does differently, besides keeping nothing that is measured or enrolled there."""

    seated: Callable[[Arrangement], Arrangement]
    """Lets bots take seats."""
    deal: Callable[[str, Sequence[str], Mapping[str, Any]], Mapping[str, Any]]
    """Deals the cards of a match: game, players and options in, options out."""
    hands: VirtualHands


class Table:
    """`open` it, serve its pages, `close` it. Everything that begins or ends a match happens under the table's lock."""

    def __init__(
        self,
        folder: DataFolder,
        now: Callable[[], float],
        settings: Settings,
        devices: Devices,
        eyes: Callable[[Match], Eyes],
        events: Path | None = None,
        *,
        review: bool = False,
        virtual: VirtualParts | None = None,
    ) -> None:
        """`eyes` makes what reads the cards of a match; `events` is the file in which its events are recorded; with
        `review` results wait for the referee."""
        self._folder, self._eyes, self._events, self.review = folder, eyes, events, review
        self._eyes_folder = folder.path if virtual is None else None
        self._virtual = virtual
        self._kept, notice = load(folder.path / FILE)
        self._journal: Journal | None = None
        self._log: EventLog | None = None
        lobby = self._lobby()
        if notice is not None:
            lobby.notice(notice)
        hands = None if virtual is None else virtual.hands
        self.running = put_together(lobby, now, settings, devices, self._go_on, hands)
        self._rest(lobby)

    @property
    def arrangement(self) -> Arrangement:
        return self._kept.arrangement

    @property
    def interrupted(self) -> bool:
        """Whether a match had the table when it was switched off."""
        return bool(self._kept.match)

    def phone_left(self, place: int) -> None:
        """Whoever sits there no longer has a phone of their own."""
        phones = tuple(each for each in self.arrangement.with_phone if each != place)
        self._remember(replace(self._kept, arrangement=replace(self.arrangement, with_phone=phones)))

    def resume(self) -> Referee | None:
        """The match that had the table when it was switched off, its result included; None: it was in the lobby, or
        the match cannot go on, which is said there."""
        path = self._folder.matches / self._kept.match
        known = self._kept.match and path.exists()
        found = None
        try:
            found = reopen(self._folder, path) if known else resume(self._folder)
        except ShinpanError as error:
            self._folder.tell(error.message)
        if found is None:
            lobby = self.running.service.lobby
            assert lobby is not None
            for each in self._folder.news():
                lobby.notice(each)
            self._remember(Kept(self._kept.arrangement))
            return None
        referee, journal = found
        self.adopt(referee, journal)
        return referee

    def adopt(self, referee: Referee, journal: Journal) -> None:
        """Go on with this match, or begin it."""
        self._play(referee, journal, self._kept.places_in(referee, journal))

    def adopt_order(self, referee: Referee, journal: Journal, order: str, title: str) -> None:
        """Go on here with a match that was begun at another table."""
        players = referee.match.players
        seats = (*players, *[""] * (PLACES - len(players)))
        game_name = referee.match.game.name
        made = replace(self._kept.arrangement, seats=seats, game=game_name, order=order, order_title=title)
        self._kept = Kept(made)
        self.adopt(referee, journal)

    def begin(self, arrangement: Arrangement) -> None:
        """Begin the match that was arranged. Raises what stands in its way, and then nothing has changed."""
        chosen, players = game(arrangement.game), arrangement.players
        given = header_options(chosen, players, arrangement.chosen_options)
        options = given if self._virtual is None else self._virtual.deal(chosen.name, players, given)
        referee, journal = begin(self._folder, chosen, players, options, datetime.now())
        if arrangement.order:  # the kifu itself says what it was played for
            referee.record.note(arrangement.order_title, 0.0, order=arrangement.order)
        self._kept = replace(self._kept, arrangement=arrangement)
        self._play(referee, journal, arrangement.places)

    @property
    def in_play(self) -> tuple[str, int] | None:
        """The match that is being written, and how many of its lines are safely on the disk."""
        journal = self._journal
        return None if journal is None else (journal.path.stem, journal.lines)

    def close(self) -> None:
        """After the senses have stopped. The match goes on with exactly this time."""
        service = self.running.service
        if service.lobby is None and service.referee.clock.running:
            service.submit(Tap("referee", "pause", {}, service.now()))
        self._finish()

    def _play(self, referee: Referee, journal: Journal, places: tuple[int, ...]) -> None:
        self._finish()
        self._journal = journal
        if self._events is not None:
            self._log = record_events(_free(self._events), referee, journal)
        pictures = journal.path.with_suffix("")
        keeping = Keeping(self._eyes_folder, pictures, self._log)
        name = journal.path.name
        confirmed = self._kept.confirmed and self._kept.match == name
        review = self.review and not confirmed
        self.running.play(referee, keeping, self._eyes(referee.match), places, journal.path.stem, review)
        self._remember(replace(self._kept, match=name, places=places, confirmed=confirmed))

    def _finish(self) -> None:
        """Let go of the match that had the table."""
        for held in (self._journal, self._log):
            if held is not None:
                held.close()
        self._journal = self._log = None

    # --- the lobby ------------------------------------------------------------------------------------------------

    def _lobby(self) -> Lobby:
        seated = (lambda arrangement: arrangement) if self._virtual is None else self._virtual.seated
        return Lobby(self._kept.arrangement, self.begin, self._arrange, seated)

    def _rest(self, lobby: Lobby) -> None:
        eyes = self._eyes(lobby.trial)
        self.running.rest(lobby, self._eyes_folder, lambda: check_list(self.running, self._folder.path), eyes)

    def arrange(self, arrangement: Arrangement) -> None:
        """Begin in the lobby, with this."""
        self._remember(Kept(arrangement))
        self._rest(self._lobby())

    def _arrange(self, arrangement: Arrangement) -> None:
        """The lobby has changed."""
        before = self._kept.arrangement
        self._remember(replace(self._kept, arrangement=arrangement))
        lobby = self.running.service.lobby
        if lobby is not None and (before.game, len(before.players)) != (arrangement.game, len(arrangement.players)):
            trial = Lobby(arrangement, self.begin).trial
            self.running.arranged(trial, self._eyes_folder, self._eyes(trial))

    def _go_on(self, to: str) -> None:
        """From a match that is over to the next one."""
        service = self.running.service
        referee = service.referee
        if to == "confirm":
            self._confirm()
            return
        seats = [""] * PLACES
        for place, player in zip(self._kept.places, referee.match.players, strict=True):
            seats[place] = player  # somebody may have been renamed
        made = replace(self._kept.arrangement, order="", order_title="")
        arrangement = replace(made, seats=tuple(seats), game=referee.match.game.name)
        if to == "rotate":
            self._begin_one_seat_on(arrangement)
            return
        if to == "rematch":
            self.begin(arrangement)
            return
        self._finish()
        self._remember(Kept(arrangement))
        self._rest(self._lobby())

    def _begin_one_seat_on(self, arrangement: Arrangement) -> None:
        """Whoever is logged in stays so, at the new place."""
        pins: Pins = self.running.app.extensions["shinpan"]["pins"]
        to = one_seat_on(arrangement)
        pins.move(to)
        try:
            self.begin(moved(arrangement, to))
        except ShinpanError:
            pins.move({other: place for place, other in to.items()})
            raise

    def _confirm(self) -> None:
        """The referee lets the result count; it stands in the kifu as a ruling by hand."""
        service = self.running.service
        if service.review:
            said = sentence(message("The result is confirmed."))
            refusal = service.submit(Tap("referee", "rule", {"say": said}, service.now())).refusal
            if refusal is not None:
                raise ShinpanError(refusal.message)
            service.review = False
            self._remember(replace(self._kept, confirmed=True))
            service.freshen()

    def _remember(self, kept: Kept) -> None:
        self._kept = kept
        try:
            write_whole(self._folder.path / FILE, msgspec.json.format(msgspec.json.encode(kept)) + b"\n")
        except NotWritten as error:  # no reason to stop anybody
            log.warning("Who sits where could not be kept: %s", error)


def one_seat_on(arrangement: Arrangement) -> dict[int, int]:
    """Where everybody who plays goes from their place: to the next, and the last to the first."""
    places = arrangement.places
    return dict(zip(places, (*places[1:], *places[:1]), strict=True))


def moved(arrangement: Arrangement, to: Mapping[int, int]) -> Arrangement:
    """The same people, and their phones, at these places."""
    seats = list(arrangement.seats)
    for place, other in to.items():
        seats[other] = arrangement.seats[place]
    phones = sorted(to.get(place, place) for place in arrangement.with_phone)
    return replace(arrangement, seats=tuple(seats), with_phone=tuple(phones))


def load(path: Path) -> tuple[Kept, Message | None]:
    """What the table remembers, and a notice if that was damaged."""
    try:
        kept = read_json(path.read_bytes(), Kept)
        if len(kept.arrangement.seats) != PLACES or not {*kept.places} <= {*range(PLACES)} or "/" in kept.match:
            raise msgspec.ValidationError("seats")
    except FileNotFoundError:
        return Kept(), None
    except (OSError, msgspec.DecodeError):
        return Kept(), set_aside(path, message("{file} is damaged.", file=path.name))
    return kept, None


def seated(data: Path, referee: Referee, journal: Journal) -> dict[int, str]:
    """Who sits where in this match, as far as the table in this folder remembers it."""
    places = load(data / FILE)[0].places_in(referee, journal)
    return dict(zip(places, referee.match.players, strict=True))


def _free(path: Path) -> Path:
    """This file, or one with a number where it is there already: each match has one of its own."""
    numbered = (path.with_stem(f"{path.stem}-{number}") for number in range(2, 10_000))
    return path if not path.exists() else next(each for each in numbered if not each.exists())
