"""One kifu in short: who played what, how it ended, and the figures that are worth counting over many matches."""

import re
from datetime import datetime
from hashlib import blake2b
from typing import Any

import msgspec

from companion.core.message import Message, message
from companion.core.rulings import Refused, ShinpanError
from companion.history.retelling import Retelling, retold
from companion.history.then import Then
from companion.history.thinking import Thinking
from companion.record import kifu

_STAMPED = re.compile(r"(\d{4}-\d\d-\d\d)-(\d\d)(\d\d)(\d\d)(?:-\d{3,})?-\w+(?:-.*)?")
"""A name that a table has given: when the match was begun, and its game."""


class FigureOf(msgspec.Struct, frozen=True):
    value: int
    rounds: int
    """Sets or rounds in which it came together; 0 where it is not shared out."""


class ChosenThing(msgspec.Struct, frozen=True):
    times: int
    cost: int | None
    """What the card says that it costs to use it once."""


class SeatSummary(msgspec.Struct, frozen=True):
    name: str
    """As it stands in the kifu at the end."""
    won: bool = False
    figures: dict[str, FigureOf] = {}
    chosen: dict[str, ChosenThing] = {}
    thought: float = 0.0
    """Seconds between being asked and answering, all together."""
    thoughts: int = 0
    """How many answers were timed; 0: the kifu has no times."""


class MatchSummary(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    """Of the file, without its ending: what the match is known by."""
    game: str = ""
    began: str = ""
    """Local time, `2026-11-14 20:15:00`; empty where the name of the file does not say."""
    seats: tuple[SeatSummary, ...] = ()
    lines: int = 0
    moves: int = 0
    seconds: float = 0.0
    over: bool = False
    how: str = ""
    """How it ended, where the referee has ended it: `agreed`, `conceded`, `abandoned`, `disqualified`."""
    fault: Message | None = None
    """What is wrong with the file; what comes before the fault counts nothing."""
    digest: str = ""

    @property
    def counts(self) -> bool:
        """Whether it counts in standings."""
        return self.over and self.how != "abandoned" and self.fault is None


def began(name: str) -> str:
    """When a match was begun, from its name."""
    stamped = _STAMPED.fullmatch(name)
    try:
        return str(datetime.fromisoformat(f"{stamped[1]} {stamped[2]}:{stamped[3]}:{stamped[4]}")) if stamped else ""
    except ValueError:
        return ""


def digest(data: bytes) -> str:
    return blake2b(data, digest_size=16).hexdigest()


def glance(name: str, first_line: bytes) -> MatchSummary:
    """What the header alone tells; for a match that is being played, and before a file has been read as a whole."""
    text = first_line.strip().removeprefix(b"\xef\xbb\xbf")
    try:
        header = kifu.parse(kifu.without_check(text, kifu.START)[0])
        if not isinstance(header, kifu.Header):
            raise kifu.NotAKifu(message("it has no header"))
    except (kifu.NotAKifu, kifu.Altered) as error:
        return MatchSummary(name=name, began=began(name), fault=error.message)
    seats = tuple(SeatSummary(player) for player in header.players)
    return MatchSummary(name=name, game=header.game, began=began(name), seats=seats)


def summarise(name: str, data: bytes) -> MatchSummary:
    """Play the whole match again and sum it up. What is wrong with it stands in the summary."""
    told = retold(f"{name}.kifu", data)
    short = MatchSummary(name=name, began=began(name), digest=digest(data))
    if told.header is None:
        return msgspec.structs.replace(short, fault=told.fault)
    header, fault = told.header, told.fault
    if header.refused and fault is not None:
        fault = message("its header is refused, as it says itself: {reason}", reason=fault)
    if not told.then or fault is not None:
        seats = tuple(SeatSummary(player) for player in header.players)
        return msgspec.structs.replace(short, game=header.game, seats=seats, fault=fault, lines=len(told.then))
    last, match = told.then[-1], told.match
    ended = match.ended_by_hand
    return msgspec.structs.replace(
        short,
        game=header.game,
        seats=_seats(told, last),
        lines=last.number,
        moves=last.moves,
        seconds=last.reached,
        over=match.over,
        how=ended.how if ended is not None and match.over else "",
    )


def _seats(told: Retelling, last: Then) -> tuple[SeatSummary, ...]:
    match = told.match
    winners = match.facts.get("winners", ()) if match.over else ()
    figures = _figures(told) if match.over else {}
    chosen = _chosen(told, last)
    thinking = Thinking(told).by_seat()
    return tuple(
        SeatSummary(
            player,
            player in winners,
            {name: FigureOf(values[seat], rounds) for name, (values, rounds) in figures.items()},
            {thing: ChosenThing(*counted) for thing, counted in chosen[seat].items()},
            *thinking[seat],
        )
        for seat, player in enumerate(match.players)
    )


def _figures(told: Retelling) -> dict[str, tuple[list[int], int]]:
    state = told.match.state
    found = {}
    for name, counted in told.match.game.figures.counted.items():
        rounds = counted.rounds(state) if counted.rounds is not None else 0
        found[name] = ([int(value) for value in counted.by_seat(state)], rounds)
    return found


def _chosen(told: Retelling, last: Then) -> list[dict[str, tuple[int, int | None]]]:
    """By seat: each thing that was chosen, how often, and its cost. What was taken back was not chosen."""
    figures, match = told.match.game.figures, told.match
    found: list[dict[str, tuple[int, int | None]]] = [{} for _ in match.players]
    for before, then in zip(told.then, told.then[1:], strict=False):
        line = then.line
        if not isinstance(line, kifu.Moved) or then.refusal is not None or then.number in last.struck:
            continue
        for thing in figures.chosen(before.state, line.by, _move(told, line)):
            mine = found[before.players.index(line.by)]
            times = mine.get(thing, (0, None))[0]
            mine[thing] = times + 1, figures.cost(before.state, thing)
    return found


def _move(told: Retelling, line: kifu.Moved) -> Any:
    try:
        return told.match.decode(line.fields)
    except (Refused, ShinpanError):
        return None
