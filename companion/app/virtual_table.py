"""The virtual table that stays on: a lobby, bots at every seat that nobody has taken, and people who sit down."""

from collections.abc import Collection, Mapping, Sequence
from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.app.demo import FRAME, DemoClock, Sitting, Studio, VirtualDevices
from companion.app.table import Table, VirtualParts
from companion.app.wiring import Eyes
from companion.core.events import Tap
from companion.core.message import Message, message
from companion.core.own_hand import OwnHand
from companion.core.rulings import Refused
from companion.games import game
from companion.games.kit.game import Move
from companion.record.journal import DataFolder
from companion.record.match import Match
from companion.referee.lobby import Arrangement, Lobby
from companion.referee.offers import Offer
from companion.virtual import dealt
from companion.virtual.person import Person
from vision.simulation.scene import Scene
from web.app import Settings

BOTS = ("Aki", "Ben", "Cho", "Dai", "Emi", "Fumi")
THINK = (3.0, 8.0)
"""Seconds that a bot takes to think, where people look."""
ALONE = 20.0
"""Seconds after which a match of bots begins by itself, where nobody touches anything."""


class VirtualTable:
    """Call `beat()` for as long as it is on; the pages are served by other threads meanwhile."""

    def __init__(
        self,
        folder: DataFolder,
        settings: Settings,
        speed: float | None,
        seed: int,
        first_game: str,
        alone: float | None = ALONE,
        think: tuple[float, float] = THINK,
    ) -> None:
        """`alone`: seconds after which bots begin by themselves; None: they wait to be called, as in a club. `think`:
        the least and the most seconds that a bot thinks."""
        self._alone, self._think = alone, think
        self.clock = DemoClock(speed)
        self._devices = VirtualDevices(len(settings.seats), self.clock)
        self._seed, self._random = seed, Random(seed)
        self._studio: Studio | None = None
        self._sitting: Sitting | None = None
        self._people: dict[str, Person] = {}
        self.table = Table(
            folder,
            lambda: self.clock.now,
            settings,
            self._devices.plugged,
            self._eyes,
            virtual=VirtualParts(self._with_bots, self._deal, HandsAtTable(self)),
        )
        self.running = self.table.running
        self._open_lobby(first_game)
        self._shown: dict[str, OwnHand] = {}
        """What the people who play here were last shown of their hands."""
        self._touched = self.running.service.version
        self._still_since = 0.0

    def _open_lobby(self, first_game: str) -> None:
        """As it was left, but with nobody's phone: whoever comes back sits down again."""
        before, interrupted = self.table.arrangement, self.table.interrupted
        made = replace(before, game=before.game or first_game, people=before.people or BOTS, with_phone=())
        self.table.arrange(self._with_bots(made))
        lobby = self.running.service.lobby
        if interrupted and lobby is not None:
            lobby.notice(
                message("The last match cannot go on: nobody knows the covered cards any more. Its kifu is kept.")
            )

    def beat(self) -> None:
        service = self.running.service
        if service.lobby is not None:
            self._rest(service.lobby)
        elif service.referee.match.over:
            self._idle(0.5)
        else:
            if self._sitting is None or self._sitting.match is not service.referee.match:
                self._sit_down(service.referee.match)
            assert self._sitting is not None
            self._sitting.beat()
            self._show_hands()

    def _show_hands(self) -> None:
        """What the hands ask is news for a page, although nothing has happened at the table."""
        hands = {name: person.hand for name, person in self._people.items()}
        if hands != self._shown:
            self._shown = hands
            self.running.service.freshen()

    def close(self) -> None:
        self.running.senses.stop()
        self.table.close()
        self._devices.close()

    def _rest(self, lobby: Lobby) -> None:
        self._sitting, self._people = None, {}
        service, now = self.running.service, self.clock.now
        if service.version != self._touched:
            self._touched, self._still_since = service.version, now
        waited = self._alone is not None and now - self._still_since > self._alone
        if waited and not lobby.arrangement.with_phone and lobby.obstacle is None:
            service.submit(Tap("", "start", {}, now))
        self._idle(0.1)

    def _idle(self, seconds: float) -> None:
        """Nobody touches the table; the panels and the clock go on."""
        if self._studio is not None:
            self._devices.camera.show(self._studio.frame(Scene()))
            self.running.senses.look()
        for _ in range(round(seconds / FRAME)):
            self.clock.advance(FRAME)
            self._devices.listen(self.running.senses)

    def _sit_down(self, match: Match) -> None:
        made = self.table.arrangement
        names = [made.seats[place] for place in made.with_phone if made.seats[place] in match.players]
        self._people = {name: Person() for name in names}
        self._seed += 1
        self.running.service.referee.record.listen(self._moved)
        assert self._studio is not None
        self._sitting = Sitting(self.running, self._devices, self._studio, self._seed, self._think, self._people)

    def _moved(self, fields: Mapping[str, Any], trouble: Message | None) -> None:
        person = self._people.get(fields.get("by", ""))
        if person is not None and trouble is None and "move" in fields and "refused" not in fields:
            person.moved()

    # --- what the table asks --------------------------------------------------------------------------------------

    def _eyes(self, match: Match) -> Eyes:
        self._studio = Studio(match, self._seed)
        return self._studio.eyes()

    def _deal(self, name: str, players: Sequence[str], options: Mapping[str, Any]) -> Mapping[str, Any]:
        return dealt(name, players, options, self._random)

    def _with_bots(self, made: Arrangement) -> Arrangement:
        """Bots take empty seats until enough sit there, and leave seats that the game does not have."""
        if not made.game or made.order:
            return made
        seats, names = list(made.seats), iter(name for name in BOTS if name not in made.seats)
        wanted = game(made.game).seats
        bots = [place for place, name in enumerate(seats) if name and place not in made.with_phone]
        while sum(map(bool, seats)) > wanted.stop - 1 and bots:
            seats[bots.pop()] = ""
        for place, name in enumerate(seats):
            if not name and sum(map(bool, seats)) < max(wanted.start, 2 if 2 in wanted else 1):
                seats[place] = next(names)
        return replace(made, seats=tuple(seats))

    @property
    def sitting(self) -> Sitting | None:
        return self._sitting

    def person(self, name: str) -> Person | None:
        return self._people.get(name)

    @property
    def people(self) -> Collection[str]:
        """Who plays here and is no bot."""
        return self._people.keys()

    def bot_takes_over(self, name: str) -> None:
        """A bot plays on with the cards of somebody who leaves."""
        if self._people.pop(name, None) is not None and self._sitting is not None:
            self._sitting.player(name).hands.person = None
            self.table.phone_left(self.running.service.places[name])
            self.running.service.freshen()

    def leave(self) -> None:
        """Back to the lobby from a match that only bots play, or whose people have had enough."""
        service = self.running.service
        if service.lobby is None and not service.referee.match.over:
            why = {"how": "abandoned", "why": "Back to the lobby."}
            refusal = service.submit(Tap("referee", "end", why, service.now())).refusal
            if refusal is not None:
                raise Refused(refusal.rules, refusal.message)
        service.go_on("lobby")


class HandsAtTable:
    """What pages may ask of the hands at a virtual table."""

    def __init__(self, table: VirtualTable) -> None:
        self._table = table

    def of(self, player: str) -> OwnHand | None:
        """What this player holds and is asked; None: a bot plays there."""
        person = self._table.person(player)
        return None if person is None else person.hand

    def answer(self, player: str, number: int, chosen: Sequence[int]) -> None:
        person = self._table.person(player)
        if person is None:
            raise Refused("TABLE-4", message("A bot plays there."))
        person.answer(number, chosen)
        self._table.running.service.freshen()

    def takes_back(self, player: str) -> None:
        """Raises Refused for a player whose hands have done what was tapped: a drawn card has been seen."""
        if self._table.person(player) is not None:
            raise Refused("TABLE-3", message("Your hands have already done that: it cannot be taken back here."))

    def takes(self, player: str, fields: dict[str, Any]) -> bool:
        """Whether the hands carry out a move that was tapped; raises Refused where it may not be made, or where it is
        for the cards to make."""
        person, sitting = self._table.person(player), self._table.sitting
        match = self._table.running.service.match
        if person is None or sitting is None:
            return False
        move = match.decode(fields)
        if move.kind in match.game.reveals.kinds or move.kind in match.game.reveals.locks:
            raise Refused("TABLE-3", message("Your hands do that: say which card they are to lay."))
        seated = sitting.player(player)
        if move.kind not in seated.carries:
            return False
        self._table.running.service.check(player, move)
        if not seated.holds(fields):
            raise Refused("TABLE-4", message("You do not hold that."))
        person.tap(fields)
        return True

    def narrowed(self, player: str, offer: Offer[Move]) -> Offer[Move]:
        """Of what may be done at the table, what this player taps: no cards that the hands lay, or that they lack."""
        sitting, reveals = self._table.sitting, self._table.running.service.match.game.reveals
        if self._table.person(player) is None or sitting is None:
            return offer
        seated = sitting.player(player)

        def able(fields: dict[str, Any]) -> bool:
            kind = fields["move"]
            if kind in reveals.kinds or kind in reveals.locks:
                return False
            return kind not in seated.carries or seated.holds(fields)

        def most(kind: str, field: str, part: str, count: int) -> int:
            return next((many for many in range(count, 0, -1) if able({"move": kind, field: [part] * many})), 0)

        parts = {
            kind: replace(
                each,
                of={part: held for part, count in each.of.items() if (held := most(kind, each.field, part, count))},
            )
            for kind, each in offer.parts.items()
        }
        moves = tuple(move for move in offer.moves if able(msgspec.to_builtins(move)))
        return Offer(moves, {kind: each for kind, each in parts.items() if each.of})

    def leave(self, asked_by: Sequence[str]) -> None:
        """Whoever plays alone may stop the match; a match of bots alone anybody."""
        people = set(self._table.people)
        if people and not set(asked_by) & people:
            raise Refused("TABLE-4", message("Somebody plays here: wait until the match is over."))
        if people - set(asked_by):
            raise Refused("TABLE-4", message("Others play here too: let a bot play on for you."))
        self._table.leave()

    def hand_over(self, asked_by: Sequence[str]) -> None:
        """Bots play on for these."""
        for name in asked_by:
            self._table.bot_takes_over(name)
