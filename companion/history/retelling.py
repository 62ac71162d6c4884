"""A kifu told again, line by line, by the same referee that ruled on the match.

One fold over the file keeps for each line where everything stood; the page of any line can then be made without going
through the lines before it. A match that is still being played grows, and the telling goes on where it stopped.
"""

from collections.abc import Mapping, Sequence
from hashlib import blake2b

import msgspec

from companion.core.events import Press
from companion.core.layout import owner_of
from companion.core.message import Message, message
from companion.core.rulings import Mistake, Refusal, Refused, ShinpanError
from companion.core.wording import sentence
from companion.games import game
from companion.games.kit.acts import renamed
from companion.games.kit.game import Move
from companion.history.other_names import called_otherwise
from companion.history.then import RefereeThen, Then
from companion.record import acts, kifu
from companion.record.journal import KifuHead
from companion.record.match import Match
from companion.record.recorded_match import RecordedMatch
from companion.referee import by_hand, oops
from companion.referee.history import StandingAt, tally
from companion.referee.press_order import told
from companion.referee.referee import Referee, moved_after_ready
from companion.referee.reveal import COUNT
from companion.referee.table_view import AnyPage, page

COUNTED = COUNT + 1.0
"""Seconds after which a count is over for certain."""
ROUNDED = 0.005
"""Seconds that a time in the kifu may be off."""
MOST_LINES = 100_000
"""More than a hundred evenings. What lies beyond is not shown."""


class Retelling:
    """`take` the bytes of a kifu, again when it has grown; then ask for its moments."""

    def __init__(self, file: str, key: str = "", names: Mapping[str, str] | None = None) -> None:
        """`key` is the public key of the table that writes this file, for the head of the record; `names` are those of
        people who want to be called otherwise: name in the file -> name that is shown."""
        self.file = file
        self.names = dict(names or {})
        self.fault: Message | None = None
        """Why the telling ends before the file does."""
        self.header: kifu.Header | None = None
        self.then: list[Then] = []
        """One for each line that is part of the match, in order."""
        self._key = key
        self._taken, self._digest = 0, b""
        self._chain = kifu.START
        self._number = 0
        self._referee: Referee | None = None
        self._reached = 0.0
        self._first: kifu.FirstReady | None = None
        self._order = ""
        """Who was ready first, in the words of an older file."""
        self._steps: list[StandingAt] = []
        self._struck: frozenset[int] = frozenset()

    # --- reading ------------------------------------------------------------------------------------------------

    def take(self, data: bytes) -> bool:
        """Go on with the lines that are new. False: what was told before is not in the file any more."""
        if blake2b(data[: self._taken]).digest() != self._digest and self._taken:
            return False
        number = data[: self._taken].count(b"\n")
        at = self._taken
        while at < len(data) and self.fault is None:
            end = data.find(b"\n", at)
            whole = end >= 0
            raw = data[at : end if whole else len(data)]
            number += 1
            if not self._take_line(number, raw, torn=not whole):
                break
            at = end + 1 if whole else len(data)
            if not whole:
                break
        self._taken, self._digest = at, blake2b(data[:at]).digest()
        if self.header is None and self.fault is None:
            self.fault = message("it has no header")
        return True

    def _take_line(self, number: int, raw: bytes, *, torn: bool) -> bool:
        """False: the last line is not whole yet."""
        text = raw.strip()
        if number == 1:
            text = text.removeprefix(b"\xef\xbb\xbf")
        if not text or text.startswith(b"#") or (number <= self._number and self.then):
            return not torn
        try:
            body, chain = kifu.without_check(text, self._chain)
            line = self._under_shown_names(kifu.parse(body))
        except (kifu.NotAKifu, kifu.Altered) as error:
            if torn:
                return False
            self.fault = message("line {number}: {reason}", number=number, reason=error.message)
            return True
        self._chain, self._number = chain, number
        try:
            self._tell(number, line)
        except Refused as refusal:
            self.fault = message("line {number}: {reason}", number=number, reason=refusal.message)
        except ShinpanError as error:
            self.fault = message("line {number}: {reason}", number=number, reason=error.message)
        if len(self.then) >= MOST_LINES:
            self.fault = message("it has more than {count} lines; the others are not shown", count=MOST_LINES)
        return True

    def _under_shown_names(self, line: kifu.Line) -> kifu.Line:
        """The line as if everybody had sat down under the name that is shown."""
        return called_otherwise(line, self.names) if self.names else line

    # --- telling ------------------------------------------------------------------------------------------------

    def _tell(self, number: int, line: kifu.Line) -> None:
        if isinstance(line, kifu.Header) != (self.header is None):
            second = message("it is a second header")
            missing = message("it is something else where the header should be")
            raise Mistake(missing if self.header is None else second)
        if isinstance(line, kifu.Header):
            self._begin(number, line)
            return
        referee = self._referee
        if referee is None:
            raise Mistake(message("there is no match: its header was refused"))
        referee.tell.begin()
        at = line.clock if isinstance(line, kifu.Clock) else getattr(line, "at", None) or 0.0
        self._reached = max(self._reached, at)
        referee.reveal.pass_time(self._reached + ROUNDED)
        refusal: Refusal | None = None
        match line:
            case kifu.Moved():
                refusal = self._move(referee, line)
            case kifu.Acted():
                refusal = self._act(referee, line)
            case kifu.Clock():
                self._clock(referee, line)
            case kifu.Undo():
                refusal = self._undo(referee, line)
            case kifu.Note():
                self._note(referee, line, number)
            case kifu.Signed():
                referee.paused = line.signed == "pause"
        self._keep(referee, number, line, refusal)

    def _begin(self, number: int, line: kifu.Header) -> None:
        self.header = line
        if line.unknown:
            raise Refused("TABLE-4", message("A header has no such field: {names}.", names=line.unknown))
        match = Match(game(line.game), line.players, line.options)
        self._referee = Referee(RecordedMatch(match, lambda fields: self._number))
        self._steps = [StandingAt(0, tally(match.game.rules, match.state))]
        self._keep(self._referee, number, line, None)

    def _move(self, referee: Referee, line: kifu.Moved) -> Refusal | None:
        match = referee.match
        try:
            move = match.decode(line.fields)
        except Refused as refused:
            return self._foretold(line.refused, refused.refusal)
        referee.paused = False
        if not line.refused:
            self._get_ready(referee, line.by, move)
        referee.make(line.by, move, 0.0)
        refusal = referee.tell.outcome().refusal
        if refusal is None and not line.refused and move.kind in match.game.reveals.locks and not match.over:
            referee.reveal.lock(line.by, self._press(match, line.by))
        return self._foretold(line.refused, refusal)

    def _get_ready(self, referee: Referee, player: str, move: Move) -> None:
        """What is turned up was covered, everybody was ready, and the count was over."""
        match, reveal = referee.match, referee.reveal
        turns_up = move.kind in match.game.reveals.kinds and move.kind in match.awaits.get(player, ())
        if not turns_up or reveal.stage == "reveal":
            return
        if reveal.stage != "countdown":
            self._count(referee)
        reveal.pass_time(self._reached + COUNTED)

    def _count(self, referee: Referee) -> None:
        """Everybody who has something to turn up is ready, and the count begins."""
        match, reveal = referee.match, referee.reveal
        kinds = set(match.game.reveals.kinds)
        for player, awaited in match.awaits.items():
            if kinds.intersection(awaited) and player not in reveal.ready:
                reveal.lock(player, self._press(match, player))
        if reveal.begin(match, self._reached):
            referee.turned_up = {}
            self._first, self._order = None, ""

    @staticmethod
    def _press(match: Match, player: str) -> Press:
        return Press(match.players.index(player), "ready", 0.0)

    @staticmethod
    def _foretold(rules: Sequence[str], refusal: Refusal | None) -> Refusal | None:
        """The refusal, where the line says that there is one."""
        if refusal is not None and not rules:
            raise Refused(refusal.rules, refusal.message)
        if rules and refusal is None:
            raise Mistake(message("it should be refused by {rules}, and is allowed", rules=tuple(rules)))
        return refusal

    def _act(self, referee: Referee, line: kifu.Acted) -> Refusal | None:
        try:
            done = acts.decode(line.fields)
            if isinstance(done, acts.RenamePlayer) and done.player == done.name and not line.refused:
                return None  # both names stand for somebody anonymous
            by_hand.act(referee, done, 0.0)
            if isinstance(done, acts.RenamePlayer) and self._first is not None:
                self._first = _renamed(self._first, done)
        except Refused as refused:
            return self._foretold(line.refused, refused.refusal)
        return self._foretold(line.refused, None)

    def _clock(self, referee: Referee, line: kifu.Clock) -> None:
        rulings = referee.match.clock(line.clock)
        referee.match.written(self._number)
        referee.tell.rulings(rulings, self._number)
        if referee.match.over:
            referee.settle()

    def _undo(self, referee: Referee, line: kifu.Undo) -> Refusal | None:
        try:
            if line.by in referee.match.players:
                oops.granted(referee, line.by, line.why)
            else:
                by_hand.take_back(referee, line.undo, line.why)
        except Refused as refused:
            return self._foretold(line.refused, refused.refusal)
        return self._foretold(line.refused, None)

    def _note(self, referee: Referee, line: kifu.Note, number: int) -> None:
        player = owner_of(line.place)
        if line.ready:
            self._count(referee)
            self._first, self._order = line.first, line.note
        elif line.rules:
            known = line.place and player in referee.match.players
            called = moved_after_ready(player) if known else message("{note}", note=line.note)
            if player in referee.reveal.ready:
                referee.reveal.call(player)
            referee.tell.say("call", line.rules, called, number)

    # --- keeping ------------------------------------------------------------------------------------------------

    def _keep(self, referee: Referee, number: int, line: kifu.Line, refusal: Refusal | None) -> None:
        match, struck = referee.match, referee.tell.struck
        if len(struck) != len(self._struck):
            self._struck = frozenset(struck)
        moves = self.then[-1].moves if self.then else 0
        if isinstance(line, kifu.Moved | kifu.Acted) and refusal is None:
            moves += line.fields.get("referee") != "rename"
        elif isinstance(line, kifu.Undo) and refusal is None:
            moves -= line.undo
            self._steps = [step for step in self._steps if step.moves <= moves] or self._steps[:1]
        self._count_standing(match, moves)
        reveal = referee.reveal
        self.then.append(
            Then(
                number=number,
                line=line,
                reached=self._reached,
                players=match.players,
                state=match.state,
                sealed=match.sealed,
                awaited=tuple(match.awaits),
                moves=moves,
                refusal=refusal,
                said=referee.said,
                spoken=referee.spoken,
                struck=self._struck,
                stage=reveal.stage,
                ready=tuple(reveal.ready),
                called=tuple(reveal.called),
                turned_up=referee.turned_up,
                put_back=referee.put_back,
                paused=referee.paused,
                order=message("{note}", note=self._order) if self._first is None else told(self._first),
                chain=self._chain,
                steps=self._steps,
                stands=len(self._steps),
            )
        )

    def _count_standing(self, match: Match, moves: int) -> None:
        """Only where something has changed; a new list is begun where some of it was taken back."""
        if self.then and self.then[-1].state is match.state:
            return
        now = tally(match.game.rules, match.state)
        if now != self._steps[-1].tally:
            self._steps.append(StandingAt(moves, now))

    # --- asking -------------------------------------------------------------------------------------------------

    @property
    def match(self) -> Match:
        """The match as it stands at the last line; raises Mistake where the header was refused."""
        if self._referee is None:
            raise Mistake(self.fault or message("it has no header"))
        return self._referee.match

    def at(self, number: int) -> Then:
        """How everything stood once that line was written; before the first, as it was set up."""
        if not self.then:
            raise Mistake(self.fault or message("it has no header"))
        low, high = 0, len(self.then)
        while high - low > 1:
            middle = (low + high) // 2
            if self.then[middle].number <= number:
                low = middle
            else:
                high = middle
        return self.then[low]

    def page(self, then: Then, language: str = "en", viewer: str | None = None) -> AnyPage:
        """The page of that moment, made by what makes the live page."""
        referee = RefereeThen(self.match, then)
        shown = page(referee, viewer, language, then.reached, then.number)
        return msgspec.structs.replace(
            shown,
            match=self.file.removesuffix(".kifu"),
            order=sentence(then.order, language),
            record=self._head(then),
        )

    def _head(self, then: Then) -> KifuHead | None:
        if not then.chain.lines:
            return None
        return KifuHead(self.file, then.number, then.chain.head.hex(), self._key)


def _renamed(first: kifu.FirstReady, act: acts.RenamePlayer) -> kifu.FirstReady:
    """The page knows everybody by their present names."""
    before = act.name if first.before == act.player else first.before
    return msgspec.structs.replace(first, players=renamed(first.players, act.player, act.name), before=before)


def retold(file: str, data: bytes, key: str = "", names: Mapping[str, str] | None = None) -> Retelling:
    telling = Retelling(file, key, names)
    telling.take(data)
    return telling
