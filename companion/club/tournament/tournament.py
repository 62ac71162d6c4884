"""A tournament as it stands: the fold over its ledger. What may not happen is refused with one sentence."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from companion.club.tournament import ledger
from companion.club.tournament.ledger import AnyLedgerEvent, BoardFinished, PairedBoard, TournamentRules
from companion.core.message import Thing, message
from companion.core.rulings import ShinpanError

MOST_PLAYERS = 1000


class NotInThisTournament(ShinpanError):
    """It cannot happen, and why."""


@dataclass
class Entrant:
    id: int
    name: str
    rating: float
    joined: int
    """The first round that this player can be paired in."""
    left: bool = False


@dataclass
class TournamentRound:
    number: int
    boards: dict[int, PairedBoard]
    byes: tuple[int, ...]
    paired_at: float = 0.0
    started_at: float | None = None
    results: dict[int, BoardFinished] = field(default_factory=dict)
    released: set[int] = field(default_factory=set)
    extra: float = 0.0
    """Seconds more for all."""
    extra_of: dict[int, float] = field(default_factory=dict)
    deeds: list[tuple[Literal["time", "pause", "resume"], float, int]] = field(default_factory=list)
    """What the desk did at the tables, in order: what, seconds, and at which board (0: all)."""
    moved: set[int] = field(default_factory=set)
    """Boards that were taken to another table after they had one."""
    paused_at: float | None = None
    stood: float = 0.0
    """Seconds for which the clock of the round was paused."""

    def counts(self, board: int) -> bool:
        """Whether there is a result, and it is not held."""
        result = self.results.get(board)
        return result is not None and (not result.held or board in self.released)

    @property
    def over(self) -> bool:
        return all(self.counts(board) for board in self.boards)


@dataclass(frozen=True)
class Penalty:
    id: int
    points: float
    why: str


class Tournament:
    def __init__(self, events: Iterable[AnyLedgerEvent] = ()) -> None:
        self.rules = TournamentRules(title="?", kind="swiss", game="")
        self.began_at = 0.0
        self.entrants: dict[int, Entrant] = {}
        self.rounds: list[TournamentRound] = []
        self.penalties: dict[int, Penalty] = {}
        self.ended = False
        for event in events:
            self.apply(event)

    # --- how it stands --------------------------------------------------------------------------------------------

    @property
    def round(self) -> TournamentRound | None:
        """The last one that was paired."""
        return self.rounds[-1] if self.rounds else None

    @property
    def present(self) -> list[Entrant]:
        """Whoever can be paired in the next round, the strongest first."""
        number = len(self.rounds) + 1
        here = [each for each in self.entrants.values() if not each.left and each.joined <= number]
        return sorted(here, key=lambda each: (-each.rating, each.id))

    @property
    def planned(self) -> int:
        """How many rounds there are to be."""
        players = sum(1 for each in self.entrants.values() if not each.left)
        match self.rules.kind:
            case "round_robin":
                return max(1, len(self.entrants) - 1 + len(self.entrants) % 2)
            case "knockout":
                return max(1, (len(self.entrants) - 1).bit_length())
        enough = max(1, (max(players, 2) - 1).bit_length())
        return self.rules.rounds or (enough if self.rules.kind == "swiss" else 4)

    @property
    def finished(self) -> bool:
        """All rounds are played, or it was ended."""
        last = self.round
        return self.ended or (last is not None and last.over and len(self.rounds) >= self.planned)

    def name(self, id: int) -> str:
        return self.entrants[id].name

    def by_name(self, name: str) -> Entrant | None:
        folded = name.casefold()
        return next((each for each in self.entrants.values() if each.name.casefold() == folded), None)

    def met(self) -> dict[frozenset[int], int]:
        """How often two have sat at one table."""
        met: dict[frozenset[int], int] = {}
        for each in self.rounds:
            for board in each.boards.values():
                for at, one in enumerate(board.players):
                    for other in board.players[at + 1 :]:
                        pair = frozenset((one, other))
                        met[pair] = met.get(pair, 0) + 1
        return met

    def points(self) -> dict[int, float]:
        """Player -> points of all results that count, byes and penalties among them."""
        points = dict.fromkeys(self.entrants, 0.0)
        for each in self.rounds:
            for number, board in each.boards.items():
                if each.counts(number):
                    for player, scored in zip(board.players, each.results[number].points, strict=True):
                        points[player] += scored
            for player in each.byes:
                points[player] += 1.0
        for penalty in self.penalties.values():
            points[penalty.id] -= penalty.points
        return points

    def had_bye(self) -> set[int]:
        return {player for each in self.rounds for player in each.byes}

    # --- what happens ---------------------------------------------------------------------------------------------

    def check(self, event: AnyLedgerEvent) -> None:
        """Raises NotInThisTournament where that cannot happen now."""
        match event:
            case ledger.EntrantCame():
                self._check_entrant(event)
            case ledger.RoundPaired():
                if self.round is not None and not self.round.over:
                    raise NotInThisTournament(message("Round {number} is not over.", number=len(self.rounds)))
                if self.ended:
                    raise NotInThisTournament(message("The tournament is over."))
            case ledger.RoundUnpaired() | ledger.RoundStarted():
                if self.round is None or self.round.started_at is not None:
                    raise NotInThisTournament(message("No round is called that has not started."))
            case ledger.EntrantLeft() | ledger.EntrantBack() | ledger.PenaltyGiven() if event.id not in self.entrants:
                raise NotInThisTournament(message("There is no such player in this tournament."))
            case ledger.PenaltyDropped() if event.number not in self.penalties:
                raise NotInThisTournament(message("There is no such penalty."))
            case BoardFinished():
                self._check_result(event)
            case ledger.BoardMoved() | ledger.ResultReleased() | ledger.BoardReopened():
                self._board(event.round, event.board)
            case _:
                pass

    def _check_entrant(self, event: ledger.EntrantCame) -> None:
        name = " ".join(event.name.split())
        if not name or not name.isprintable() or name.casefold() == "referee":
            raise NotInThisTournament(message("That cannot be a player's name."))
        if self.by_name(name) is not None:
            raise NotInThisTournament(
                message("{player} is registered already; add something to the name.", player=Thing("player", name))
            )
        if len(self.entrants) >= MOST_PLAYERS:
            raise NotInThisTournament(message("{most} players are registered; no more fit.", most=MOST_PLAYERS))
        if self.rounds and self.rules.kind in ("round_robin", "knockout"):
            raise NotInThisTournament(message("This kind of tournament takes nobody after the first pairing."))
        if self.ended:
            raise NotInThisTournament(message("The tournament is over."))

    def _check_result(self, event: BoardFinished) -> None:
        board = self._board(event.round, event.board)
        if len(event.points) != len(board.players) or not all(0.0 <= each <= 1.0 for each in event.points):
            raise NotInThisTournament(message("Each player at that table needs points from 0 to 1."))
        if self.rules.kind == "knockout" and event.points.count(max(event.points)) > 1:
            raise NotInThisTournament(message("In a knock-out one has to win: let the arbiter decide who goes on."))
        if not event.match and not event.why.strip():
            raise NotInThisTournament(message("Say why: the reason is kept with the result."))
        if event.round < len(self.rounds) and self.rules.kind == "knockout":
            raise NotInThisTournament(message("The next round is paired already; that result stands."))

    def _board(self, number: int, board: int) -> PairedBoard:
        if not 1 <= number <= len(self.rounds) or board not in self.rounds[number - 1].boards:
            raise NotInThisTournament(message("There is no such table in that round."))
        return self.rounds[number - 1].boards[board]

    def apply(self, event: AnyLedgerEvent) -> None:
        """It has happened."""
        match event:
            case ledger.TournamentBegan():
                self.rules, self.began_at = event.rules, event.at
            case ledger.EntrantCame():
                started = self.round is not None and self.round.started_at is not None
                first = len(self.rounds) + (1 if started or not self.rounds else 0)
                self.entrants[event.id] = Entrant(event.id, event.name, event.rating, first)
            case ledger.EntrantLeft():
                self.entrants[event.id].left = True
            case ledger.EntrantBack():
                self.entrants[event.id].left = False
            case ledger.RoundPaired():
                boards = {board.number: board for board in event.boards}
                self.rounds.append(TournamentRound(event.round, boards, event.byes, event.at))
            case ledger.RoundUnpaired():
                self.rounds.pop()
            case ledger.PenaltyGiven():
                self.penalties[event.number] = Penalty(event.id, event.points, event.why)
            case ledger.PenaltyDropped():
                self.penalties.pop(event.number, None)
            case ledger.TournamentEnded():
                self.ended = True
            case _:
                self._apply_to_round(event)

    def _apply_to_round(self, event: AnyLedgerEvent) -> None:
        number: int = event.round  # type: ignore[union-attr]
        each = self.rounds[number - 1]
        match event:
            case ledger.RoundStarted():
                each.started_at = event.at
            case ledger.BoardMoved():
                board = each.boards[event.board]
                each.moved |= {event.board} if board.table else set()
                each.boards[event.board] = PairedBoard(board.number, board.players, event.table)
            case BoardFinished():
                each.results[event.board] = event
                each.released.discard(event.board)
            case ledger.BoardReopened():
                each.results.pop(event.board, None)
            case ledger.ResultReleased():
                each.released.add(event.board)
            case ledger.TimeExtended():
                each.deeds.append(("time", event.seconds, event.board))
                if event.board:
                    each.extra_of[event.board] = each.extra_of.get(event.board, 0.0) + event.seconds
                else:
                    each.extra += event.seconds
            case ledger.RoundPaused():
                each.paused_at = event.at
                each.deeds.append(("pause", 0.0, 0))
            case ledger.RoundResumed():
                each.stood += max(0.0, event.at - each.paused_at) if each.paused_at is not None else 0.0
                each.paused_at = None
                each.deeds.append(("resume", 0.0, 0))


def points_of(
    players: Sequence[str], winners: Sequence[str], standing: Mapping[str, float], least_wins: bool
) -> tuple[float, ...]:
    """What a result is worth, by seat: the share of the others at the table who were beaten, ties by half. Winners come
    before all others; those by how they stand."""
    if len(players) == 1:
        return (1.0,)
    sign = -1.0 if least_wins else 1.0

    def rank(name: str) -> tuple[bool, float]:
        return (name in winners, 0.0 if name in winners else sign * standing.get(name, 0.0))

    ranks = [rank(name) for name in players]
    others = len(players) - 1
    return tuple(
        round((sum(mine > each for each in ranks) + (sum(mine == each for each in ranks) - 1) / 2) / others, 6)
        for mine in ranks
    )
