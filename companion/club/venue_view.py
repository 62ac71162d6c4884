"""What the venue's pages show: one struct for wall, desk, standings and pairings, with more in it for the arbiter."""

import msgspec

from companion.club.desk import slot_of
from companion.club.payloads import RoundOut, TableState
from companion.club.round_news import round_out
from companion.club.tournament.standings import StandingRow, standings, tie_breaks
from companion.club.venue import LiveTable, Venue, natural
from companion.core.wording import sentence

REFEREE = "referee"


class WallPlayer(msgspec.Struct, frozen=True):
    name: str
    standing: float | None
    awaited: bool
    ready: bool
    won: bool


class WallTable(msgspec.Struct, frozen=True):
    id: str
    name: str
    here: bool
    stage: str
    count: int
    game: str
    title: str
    board: int
    """Which board of the round it plays; 0: none."""
    players: tuple[WallPlayer, ...]
    unit: str
    reached: float
    running: bool
    limit: float | None
    age: float
    """Seconds since the table said this."""
    calls: tuple[str, ...]
    said: tuple[str, ...]
    """The last rulings, the newest first."""
    excitement: float
    trouble: tuple[str, ...] = ()
    """What is wrong there; for the arbiter."""
    unsent: int = 0
    behind: bool = False
    """It has not done yet what is wanted of it."""


class PairingShown(msgspec.Struct, frozen=True):
    board: int
    table: str
    """What people call the table; empty: it waits for one."""
    table_id: str
    players: tuple[str, ...]
    points: tuple[float, ...]
    """By seat; empty: no result that counts yet."""
    held: bool
    by_hand: str
    """Why the arbiter gave this result; empty: it came from the table."""


class RoundShown(msgspec.Struct, frozen=True):
    number: int
    pairings: tuple[PairingShown, ...]
    byes: tuple[str, ...]


class BreakShown(msgspec.Struct, frozen=True):
    name: str
    explained: str


class EntrantShown(msgspec.Struct, frozen=True):
    id: int
    name: str
    left: bool


class AlarmShown(msgspec.Struct, frozen=True):
    number: int
    table: str
    text: str


class PenaltyShown(msgspec.Struct, frozen=True):
    number: int
    name: str
    points: float
    why: str


class VenuePage(msgspec.Struct, frozen=True, kw_only=True):
    version: int
    build: str = ""
    name: str
    now: float
    """The venue's clock, seconds since 1970."""
    broker: bool
    """The venue reaches its broker."""
    round: RoundOut
    kind: str
    tables: tuple[WallTable, ...]
    rounds: tuple[RoundShown, ...]
    """The newest last."""
    breaks: tuple[BreakShown, ...]
    standings: tuple[StandingRow, ...]
    entrants: tuple[EntrantShown, ...]
    alarms: tuple[AlarmShown, ...] = ()
    penalties: tuple[PenaltyShown, ...] = ()


def venue_page(venue: Venue, viewer: str | None, language: str, now: float, *, tables: bool = True) -> VenuePage:
    """`now` is the steady clock by which the age of news is counted; without `tables` it says nothing of them."""
    desk, arbiter = venue.desk, viewer == REFEREE
    tournament = desk.tournament
    shown = sorted(venue.tables.values() if tables else (), key=lambda each: natural(each.name))
    return VenuePage(
        version=venue.version,
        name=venue.name,
        now=round(venue.clock(), 2),
        broker=venue.connected,
        round=round_out(desk, venue.clock()),
        kind=tournament.rules.kind if desk.running else "",
        tables=tuple(_table(venue, each, language, now, arbiter) for each in shown),
        rounds=tuple(_round(venue, number) for number in range(1, len(tournament.rounds) + 1)),
        breaks=tuple(
            BreakShown(sentence(each.name, language), sentence(each.explained, language))
            for each in tie_breaks(tournament)
        ),
        standings=tuple(standings(tournament)),
        entrants=tuple(EntrantShown(each.id, each.name, each.left) for each in tournament.entrants.values()),
        alarms=_alarms(venue, language) if arbiter else (),
        penalties=tuple(
            PenaltyShown(number, tournament.name(each.id), each.points, each.why)
            for number, each in tournament.penalties.items()
        )
        if arbiter
        else (),
    )


def _alarms(venue: Venue, language: str) -> tuple[AlarmShown, ...]:
    names = {each.id: each.name for each in venue.tables.values()}
    return tuple(
        AlarmShown(each.number, names.get(each.table, each.table), sentence(each.told, language))
        for each in reversed(venue.alarms)
    )


def _table(venue: Venue, live: LiveTable, language: str, now: float, arbiter: bool) -> WallTable:
    state, slot = live.state, slot_of(live.state.order)
    current = venue.desk.board_at(live.id)
    played = slot.board if slot is not None and slot.tournament == venue.desk.id else 0
    trouble = tuple(f"{each.name}: {each.text or each.state}" for each in state.health if each.state == "trouble")
    return WallTable(
        id=live.id,
        name=live.name,
        here=live.here,
        stage=state.stage if live.here else "gone",
        count=state.count,
        game=state.game,
        title=state.title,
        board=current.number if current is not None else played,
        players=tuple(
            WallPlayer(each.name, each.standing, each.awaited, each.ready, each.name in state.winners)
            for each in state.players
        ),
        unit=state.unit,
        reached=state.reached,
        running=state.running and live.here,
        limit=state.limit,
        age=round(max(0.0, now - live.state_at), 2),
        calls=state.calls,
        said=tuple(_said(live, language)),
        excitement=excitement(state) if live.here else 0.0,
        trouble=(*trouble, *filter(None, [state.obstacle])) if arbiter else (),
        unsent=state.unsent,
        behind=live.wanted.serial != state.wanted and live.wanted.order is not None,
    )


def _said(live: LiveTable, language: str) -> list[str]:
    rulings = [each for each in live.rulings if each.kind in ("ruling", "act") and each.match == live.state.match]
    return [each.text.get(language) or next(iter(each.text.values()), "") for each in reversed(rulings)][:3]


def excitement(state: TableState) -> float:
    """How much there is to see, from 0 to about 5: a count of three, a close match, little time left, the end."""
    told = {"lobby": 0.0, "paused": 0.3, "placing": 1.0, "choice": 1.0, "countdown": 2.5, "reveal": 2.5, "over": 0.8}
    value = told[state.stage]
    if state.stage in ("lobby", "over"):
        return value
    numbers = sorted((each.standing for each in state.players if each.standing is not None), reverse=True)
    if len(numbers) > 1 and state.moves:
        spread = abs(numbers[0] - numbers[1]) / max(1.0, abs(numbers[0]), abs(numbers[1]))
        value += (1.0 - min(1.0, spread)) * min(1.0, state.moves / 20)
    if state.limit:
        value += max(0.0, min(1.0, (state.reached / state.limit - 0.7) / 0.3))
    return round(value + 0.5 * bool(state.calls), 3)


def _round(venue: Venue, number: int) -> RoundShown:
    tournament = venue.desk.tournament
    each = tournament.rounds[number - 1]
    pairings = []
    for board in each.boards.values():
        result = each.results.get(board.number)
        live = venue.tables.get(board.table)
        pairings.append(
            PairingShown(
                board=board.number,
                table=live.name if live is not None else board.table,
                table_id=board.table,
                players=tuple(map(tournament.name, board.players)),
                points=result.points if result is not None and each.counts(board.number) else (),
                held=result is not None and not each.counts(board.number),
                by_hand=result.why if result is not None and not result.match else "",
            )
        )
    return RoundShown(number, tuple(pairings), tuple(map(tournament.name, each.byes)))
