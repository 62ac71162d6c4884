"""The referee: takes events from the senses, one at a time, and makes moves of them.

It does no I/O of its own and reads no clock, so a whole evening can be recorded and played again. A simultaneous
reveal goes placing -> locked -> countdown -> reveal -> read -> resolve.
"""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from companion.core.clock import MatchClock
from companion.core.events import (
    Changed,
    Condition,
    Event,
    Outcome,
    Press,
    Read,
    Said,
    Seen,
    Sense,
    Tap,
    Tick,
)
from companion.core.layout import SeenCard, Sight, owner_of
from companion.core.message import Message, Thing, message
from companion.core.rulings import Refusal, Refused, Ruling, ShinpanError
from companion.games.kit.game import Move
from companion.record.journal import JournalFailed
from companion.record.recorded_match import RecordedMatch
from companion.referee import by_hand, taps
from companion.referee import press_order as presses
from companion.referee.announcements import Announcements
from companion.referee.attention import Attention
from companion.referee.history import History
from companion.referee.mending import MendingOffer
from companion.referee.observed_table import ObservedTable, renamed_places
from companion.referee.offers import NOBODY
from companion.referee.oops import Oops
from companion.referee.readings import Readings
from companion.referee.reveal import Reveal
from companion.referee.timekeeper import Timekeeper

AT_ONCE = 12
"""How many moves of one player a single still picture may show."""


class Referee:
    def __init__(self, record: RecordedMatch, elapsed: float = 0.0) -> None:
        self.record = record
        self.match = record.match
        self.paused = elapsed > 0.0
        """After a restart the clock stands until somebody resumes the match."""
        self.table = ObservedTable()
        self.reveal = Reveal()
        self.senses: dict[str, Condition] = {}
        self.timekeeper = Timekeeper(record, elapsed)
        self.tell = Announcements(record.match.players)
        self.turned_up: dict[str, Move] = {}
        """What each player turned up in the last reveal."""
        self.cursor: dict[str, int] = {}
        """Which of a player's options the panel's up and down buttons have reached."""
        self._seen_as = record.match.players
        """The players' names in what the camera reports, by seat: its table was laid out when the match began."""
        self.history = History(record.match)
        self._readings = Readings(record.match, self.table)
        self.attention = Attention()
        self.oops = Oops(record)
        self.offer: MendingOffer | None = None
        """To put a move right that was made of a misread card."""
        self.put_back: tuple[Message, ...] = ()
        """What has to be done on the table since moves were taken back."""
        self.settle()

    def handle(self, event: Event) -> Outcome:
        """Never raises. An event that is not accepted gives a refusal, along with any effects it had."""
        self.tell.begin()
        match event:
            case Tick():
                self._pass_time(event.at)
            case Seen():
                self._see(self._by_present_names(event.sight), event.at)
            case Press():
                self._press(event)
            case Tap():
                taps.take(self, event)
            case Sense():
                self._sense(event)
        self.record.rest(paused=self.paused)
        asked = {player: (kinds, self.phase(player)) for player, kinds in self.match.awaits.items()}
        self.attention.watch(
            {player: what for player, what in asked.items() if player not in self.reveal.ready}, event.at
        )
        self.tell.lights(self.light, self.count)
        return self.tell.outcome()

    def notice(self, news: Message) -> None:
        """Something about the table itself that everybody should read."""
        self.tell.notice(news)

    def picture_kept(self, digest: str, names: Sequence[str], at: float) -> None:
        """The camera's picture of some lines was put beside the kifu."""
        try:
            self.record.picture(digest, names, self.clock.read(at))
        except JournalFailed as failure:
            self.notice(failure.message)
        self.record.rest(paused=self.paused)

    @property
    def said(self) -> list[Said]:
        """The latest sentences, oldest first."""
        return self.tell.said

    @property
    def spoken(self) -> int:
        """How many sentences there have been, those no longer kept among them."""
        return self.tell.spoken

    @property
    def clock(self) -> MatchClock:
        return self.timekeeper.clock

    # --- time -------------------------------------------------------------------------------------------------

    def _pass_time(self, at: float) -> None:
        if self.reveal.pass_time(at):
            self.tell.changed()
        asked = {owner_of(zone) for zone in self.unsure}
        for player in self.reveal.give_up(at, asked):
            late = message(
                "{player}: the cards are not in their places, face down, yet.", player=Thing("player", player)
            )
            self.tell.say("refused", (), late)
            self.tell.flash(player)
        revealing = self.stage in ("countdown", "reveal")
        self._keep_time(lambda: self.timekeeper.pass_time(at, revealing=revealing))
        left = self.timekeeper.warning(at)
        if left is not None:
            self.tell.warn(left)

    def write_time_down(self, at: float) -> None:
        """Bring the rules up to date with the match clock."""
        if self.clock.running:
            self._keep_time(lambda: self.timekeeper.write_down(at))

    def _keep_time(self, step: Callable[[], tuple[tuple[Ruling, ...], int] | None]) -> None:
        """The clock goes on counting although a line of it could not be written."""
        try:
            written = step()
        except ShinpanError as error:
            self.notice(error.message)
            return
        if written is not None:
            self.tell.rulings(*written)
            if self.match.over:
                self.settle()

    # --- what lies on the table -------------------------------------------------------------------------------

    def _see(self, sight: Sight, at: float) -> None:
        before, lay = self._shown(), dict(self.table.last_seen)
        self.table.take(sight)
        for call in self.match.game.table.misplaced_cards(self.match.state, lay, self.sight):
            self._call((call.rule,), call.message, at)
        if before != self._shown():
            self.tell.changed()
        self._watch_locked(at)
        for player, press in list(self.reveal.early.items()):
            self.make_ready(player, press, at)
        self._read(at)

    def _by_present_names(self, sight: Sight) -> Sight:
        """Somebody may have been renamed since the camera learnt whose place is whose."""
        if self._seen_as == self.match.players:
            return sight
        return renamed_places(sight, dict(zip(self._seen_as, self.match.players, strict=True)))

    def _shown(self) -> object:
        """The parts of the page that depend on the picture alone."""
        named = {zone: [card.card for card in cards if card.face_up] for zone, cards in self.sight.zones.items()}
        return [(zone, card.guesses) for zone, card in self.unsure.items()], self.advice, named

    @property
    def advice(self) -> msgspec.Struct | None:
        """Help with the cards that are being laid."""
        return self.match.game.table.advice(self.match.state, self.sight)

    @property
    def sight(self) -> Sight:
        return self.table.sight

    @property
    def unsure(self) -> dict[str, SeenCard]:
        return self.table.unsure

    def _watch_locked(self, at: float) -> None:
        """Between ready and the count of three no card may move."""
        for player in self.reveal.watched(self.match):
            place = self.table.disturbed(player, laying=self.reveal.laying(self.match, player))
            if place is None:
                continue
            self.reveal.call(player)
            rules = (*self.match.game.reveals.covered_rules(place), "TABLE-3")
            self._call(rules, moved_after_ready(player), at, place=f"{player}.{place}")
            self.tell.flash(player)

    def _watch_piece(self, player: str) -> None:
        """Whoever presses ready has moved their piece; one that stands wrong is called, and nobody waits for it."""
        wrong = self.match.game.table.misplaced(self.match.state, self.sight).get(player)
        if wrong:
            self.tell.say("call", (), self.match.game.table.misplaced_call(player, *wrong))

    def _read(self, at: float) -> None:
        """One still picture may show several moves, one after the other."""
        if self.stage == "reveal":
            for player, move in self._readings.reveal():
                if not self.make(player, move, at, read=True):
                    break
        for _ in range(AT_ONCE):
            made = [self._read_answer(player, at) for player in list(self.match.awaits)]
            if not any(made):
                return

    def _read_answer(self, player: str, at: float) -> bool:
        move = self._readings.answer(player)
        return move is not None and self.make(player, move, at, read=True)

    # --- buttons and taps -------------------------------------------------------------------------------------

    def _press(self, press: Press) -> None:
        if press.button in ("start", "reset"):
            self._timer_button(press)
            return
        if not 0 <= press.seat < len(self.match.players):
            return
        player = self.match.players[press.seat]
        if press.button == "ready":
            self.make_ready(player, press, press.at)
        elif press.button == "call":
            by_hand.call(self, player, press.at)
        else:
            self._choose(player, press.button, press.at)

    def _timer_button(self, press: Press) -> None:
        """The timer's own buttons: start resumes and pauses in turn; reset only pauses, since time that was played
        stays in the record."""
        if self.match.over:
            return
        if press.button == "start":
            if self.clock.running:
                self.pause(press.at)
            else:
                self.resume(press.at)
            return
        if self.clock.running:
            self.pause(press.at)
        self.notice(message("Reset: the clock is stopped. The time played stays in the record."))

    def make_ready(self, player: str, press: Press, at: float) -> None:
        """A press of ready. It counts when the camera sees the cards in their places, which may be a little later."""
        reveals, kinds = self.match.game.reveals, self.match.awaits.get(player, ())
        if player in self.reveal.called:
            if not self.table.put_right(player, laying=self.reveal.laying(self.match, player)):
                self.reveal.wait(player, press)
                return
        elif any(kind in reveals.locks for kind in kinds):
            placed = self._readings.lock(player)
            turns_up = self.stage == "placing" and any(kind in reveals.kinds for kind in kinds)
            if placed is None and not (turns_up and player not in self.reveal.ready):
                self.reveal.wait(player, press)
                return
            if placed is not None and not self.make(player, placed, at, read=True):
                self.reveal.early.pop(player, None)
                return
        elif self.stage == "choice":
            self._ready_means(player, at)
            return
        elif not any(kind in reveals.kinds for kind in kinds) or self.stage != "placing":
            return
        self._watch_piece(player)
        self.lock(player, press, at)

    def _ready_means(self, player: str, at: float) -> None:
        """Where a choice is open, ready may be a move of its own."""
        match = self.match
        if player in match.awaits:
            meant = match.game.reveals.ready(match.state, match.sealed, player, self.table.telling)
            if meant is not None:
                self.make(player, meant, at)

    def lock(self, player: str, press: Press, at: float) -> None:
        self.reveal.lock(player, press)
        self.table.lock(player)
        self.tell.changed()
        self._start_countdown(at)

    def _start_countdown(self, at: float) -> None:
        before = self.reveal.presses
        if not self.paused and self.reveal.begin(self.match, at):
            self.turned_up = {}
            self.clock.start(at)
            first = presses.first_ready(self.reveal.presses, self.match.players)
            if first is not None and self.reveal.presses != before:  # the same presses count again after a pause
                listed = presses.listed(self.reveal.presses, self.match.players)
                self.note(at, presses.told(first), ready=listed, first=msgspec.to_builtins(first))

    def _choose(self, player: str, button: str, at: float) -> None:
        """Up and down step through what this player may do now; select does it."""
        options = self.choices(player)
        if not options:
            return
        at_option = self.cursor.get(player, 0) % len(options)
        if button == "select":
            self.make(player, options[at_option], at)
        else:
            self.cursor[player] = (at_option + (1 if button == "down" else -1)) % len(options)
            self.tell.changed()

    def choices(self, player: str) -> list[Move]:
        """What this player can choose by button or tap now, and not by laying cards."""
        game = self.match.game
        kinds = self.match.awaits.get(player, ())
        if not kinds or any(kind in game.reveals.locks or kind in game.reveals.kinds for kind in kinds):
            return []
        offered = game.rules.legal_moves if game.table.choices is None else game.table.choices
        return list(offered(self.match.state, NOBODY, player))

    def pause(self, at: float) -> None:
        self.paused = True
        if self.stage == "countdown":
            self.reveal.call_off()
        self._keep_time(lambda: self.timekeeper.pause(at))
        self.notice(message("The match is paused."))

    def resume(self, at: float) -> None:
        self.paused = False
        self.clock.start(at)
        self.notice(message("The match goes on."))
        self._start_countdown(at)

    def start_over(self, put_back: tuple[Message, ...], by: str = "") -> None:
        """Moves were taken back: what lies there may be read again, and nobody is ready; where it was a player's own
        tap, all but that player stay so."""
        self.put_back, self.offer = put_back, None
        self._readings.forget()
        if by:
            self.turned_up = {player: move for player, move in self.turned_up.items() if player != by}
            self.reveal.step_back(by)
        else:
            self.turned_up = {}
            self.reveal.start_over()
        self.settle()

    def rename(self, player: str, name: str) -> None:
        """Whatever is kept by a player's name is kept by the new one."""
        names = {player: name}
        self.table.rename(names)
        self.reveal.rename(names)
        self.attention.rename(names)
        self._readings.forget()
        self.offer = None
        self.tell.players = self.match.players
        self.turned_up = {names.get(who, who): move for who, move in self.turned_up.items()}
        self.cursor = {names.get(who, who): at for who, at in self.cursor.items()}

    def correct(self, zone: str, card: str | None, rotation: float | None, at: float) -> None:
        """From now on that card lies there, whatever the camera says."""
        self.table.correct(zone, card, rotation)
        self._readings.forget()
        self._see(self.sight, at)

    def _sense(self, event: Sense) -> None:
        if self.senses.get(event.name) != event.condition:
            self.senses[event.name] = event.condition
            self.tell.changed()
        if event.news is not None:
            self.notice(event.news)

    # --- moves ------------------------------------------------------------------------------------------------

    def make(self, player: str, move: Move, at: float, *, read: bool = False) -> bool:
        """Make a move. False if it was refused; the refusal is announced and becomes part of the outcome."""
        try:
            rulings, line = self.record.move(player, move, self.clock.read(at))
        except Refused as refusal:
            if read:
                self._readings.refuse(player, move)
            # A card that the camera has read lies open; what is chosen in secret stays secret when it is refused, too.
            rules = self.match.game.rules
            hidden = not read and move.kind in rules.together | rules.secret
            self._refuse(player, refusal.refusal, only=player if hidden else "")
            return False
        except JournalFailed as failure:
            self.fail(failure)
            return False
        self._readings.accept(player)
        self.put_back, self.offer = (), None
        self.cursor.pop(player, None)
        if move.kind in self.match.game.reveals.kinds:
            self.reveal.turned_up(player)
            self.turned_up = {**self.turned_up, player: move}
        elif not self.match.game.reveals.kinds and not self.paused:
            self.clock.start(at)
        self.tell.rulings(rulings, line)
        self.settle()
        self.tell.add(*[Read(line)] if read else [], Changed())
        return True

    def _refuse(self, player: str, refusal: Refusal, only: str = "") -> None:
        """However the move was made, by card, button or tap: everybody reads why it does not count, or `only` that
        player, and its player's light is red for a moment."""
        self.tell.answer(refusal)
        self.tell.say("refused", refusal.rules, refusal.message, only=only)
        self.tell.flash(player)

    def fail(self, error: ShinpanError) -> None:
        """What keeps a move from counting although the rules allow it (a full disk) concerns everybody."""
        self.tell.answer(Refusal((), error.message))
        self.notice(error.message)

    def _call(self, rules: tuple[str, ...], what: Message, at: float, **more: Any) -> None:
        """Something on the table is wrong: it is said, and noted in the kifu."""
        line = self.note(at, what, rules=rules, **more)
        self.tell.say("call", rules, what, line)

    def note(self, at: float, noticed: Message, **more: Any) -> int:
        """Write down something that is not a move; the match goes on whether or not that worked."""
        try:
            return self.record.note(str(noticed), self.clock.read(at), **more)
        except JournalFailed as failure:
            self.notice(failure.message)
            return 0

    def settle(self) -> None:
        """Bring the table and the reveal in line with the match after a step."""
        wrong = self.match.game.table.misplaced(self.match.state, self.sight) if self.sight.pieces else {}
        self.table.leave_behind(wrong)
        self.reveal.settle(self.match)

    def phase(self, player: str) -> str:
        """Where this player stands."""
        return self.reveal.phase(self.match, player)

    def light(self, player: str) -> str:
        """What this player's panel shows: that they call the referee, unless a count is on."""
        phase = self.phase(player)
        return "call" if player in self.attention.calls and phase not in ("countdown", "reveal") else phase

    @property
    def stage(self) -> str:
        """placing, countdown, reveal, choice, over"""
        return self.reveal.stage

    @property
    def count(self) -> int:
        return self.reveal.count

    @property
    def ready(self) -> set[str]:
        return set(self.reveal.ready)


def moved_after_ready(player: str) -> Message:
    return message(
        "A card of {player} was moved after ready: put it right and press ready again.",
        player=Thing("player", player),
    )
