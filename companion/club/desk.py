"""The arbiter's desk: one tournament at a time, run by hand or by itself, and every step of it written down first."""

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from companion.club.payloads import Deed, Order
from companion.club.results import MatchResult
from companion.club.store import Store
from companion.club.tournament import ledger
from companion.club.tournament.ledger import AnyLedgerEvent, BoardFinished, PairedBoard, TournamentRules
from companion.club.tournament.pairing import next_round
from companion.club.tournament.tournament import NotInThisTournament, Tournament, TournamentRound, points_of
from companion.core.message import Message, message
from companion.games import game, names

_ORDER = re.compile(r"(t\d+)-(\d+)-(\d+)")


class Slot(NamedTuple):
    """A board of a round of a tournament: what an order is for."""

    tournament: str
    round: int
    board: int

    @property
    def order(self) -> str:
        return f"{self.tournament}-{self.round}-{self.board}"


def slot_of(order: str) -> Slot | None:
    found = _ORDER.fullmatch(order)
    return None if found is None else Slot(found[1], int(found[2]), int(found[3]))


def _without_strangers(event: AnyLedgerEvent, tables: Collection[str]) -> AnyLedgerEvent:
    """The same step, but for tables that nobody here knows."""
    if isinstance(event, ledger.RoundPaired):
        boards = tuple(replace(board, table=board.table if board.table in tables else "") for board in event.boards)
        return replace(event, boards=boards)
    if isinstance(event, ledger.BoardMoved) and event.table not in tables:
        return replace(event, table="")
    return event


class ArbitersDesk:
    def __init__(self, store: Store) -> None:
        self._store = store
        ids = store.tournaments()
        self.id = ids[-1] if ids else ""
        self.tournament = Tournament(map(ledger.decode, store.ledger(self.id))) if self.id else Tournament()

    @property
    def running(self) -> bool:
        return bool(self.id)

    def _happen(self, *events: AnyLedgerEvent) -> None:
        """Check, write down, apply: raises before anything has changed."""
        if not self.id:
            raise NotInThisTournament(message("No tournament has been begun."))
        for event in events:
            self.tournament.check(event)
        self._store.write_down(self.id, [ledger.encode(event) for event in events])
        for event in events:
            self.tournament.apply(event)

    # --- begin, players -------------------------------------------------------------------------------------------

    def begin(self, rules: TournamentRules, at: float) -> None:
        if self.id and not self.tournament.finished:
            raise NotInThisTournament(message("{title} is not over; end it first.", title=self.tournament.rules.title))
        if rules.game not in names():
            raise NotInThisTournament(message("There is no game called {name} here.", name=rules.game))
        seats = game(rules.game).seats
        if rules.least > rules.most or rules.least not in seats or rules.most not in seats:
            told = message(
                "{title} is for {least} to {most} players at a table.",
                title=game(rules.game).title,
                least=seats[0],
                most=seats[-1],
            )
            raise NotInThisTournament(told)
        if rules.kind != "tables" and rules.most != 2:
            raise NotInThisTournament(message("That kind of tournament is for two at a table."))
        id, began = self._new_id(), ledger.TournamentBegan(rules, at)
        self._store.write_down(id, [ledger.encode(began)])
        self.id, self.tournament = id, Tournament([began])

    def bring_in(self, events: Sequence[AnyLedgerEvent], tables: Collection[str]) -> None:
        """Go on with a tournament that was exported. It keeps its results; boards of tables that are not in this club
        wait for one."""
        if self.id and not self.tournament.finished:
            raise NotInThisTournament(message("{title} is not over; end it first.", title=self.tournament.rules.title))
        fitting = [_without_strangers(event, tables) for event in events]
        id = self._new_id()
        self._store.write_down(id, [ledger.encode(event) for event in fitting])
        self.id, self.tournament = id, Tournament(fitting)

    def _new_id(self) -> str:
        return f"t{1 + max((int(each[1:]) for each in self._store.tournaments()), default=0)}"

    def enter(self, name: str, rating: float = 0.0) -> int:
        id = max(self.tournament.entrants, default=0) + 1
        self._happen(ledger.EntrantCame(id, " ".join(name.split())[:40], rating))
        return id

    def leave(self, id: int, why: str = "") -> None:
        self._happen(ledger.EntrantLeft(id, why))

    def come_back(self, id: int) -> None:
        self._happen(ledger.EntrantBack(id))

    # --- rounds ---------------------------------------------------------------------------------------------------

    def pair(self, tables: Sequence[str], at: float) -> None:
        if not self.id:
            raise NotInThisTournament(message("No tournament has been begun."))
        self._happen(next_round(self.tournament, tables, at))

    def unpair(self) -> None:
        self._happen(ledger.RoundUnpaired(len(self.tournament.rounds)))

    def start(self, at: float) -> None:
        self._happen(ledger.RoundStarted(len(self.tournament.rounds), at))

    def move(self, board: int, table: str) -> None:
        self._happen(ledger.BoardMoved(len(self.tournament.rounds), board, table))

    def extend(self, seconds: float, board: int = 0) -> None:
        self._current()
        self._happen(ledger.TimeExtended(len(self.tournament.rounds), seconds, board))

    def pause(self, at: float) -> None:
        if self._current().paused_at is None:
            self._happen(ledger.RoundPaused(len(self.tournament.rounds), at))

    def resume(self, at: float) -> None:
        if self._current().paused_at is not None:
            self._happen(ledger.RoundResumed(len(self.tournament.rounds), at))

    def end(self, at: float) -> None:
        self._happen(ledger.TournamentEnded(at))

    def _current(self) -> TournamentRound:
        found = self.tournament.round
        if found is None or found.started_at is None:
            raise NotInThisTournament(message("No round is being played."))
        return found

    # --- results --------------------------------------------------------------------------------------------------

    def result(self, slot: Slot, table: str, match: str, result: MatchResult | None) -> Message | None:
        """What a table says of a board; what a person should know about it."""
        tournament = self.tournament
        if slot.tournament != self.id or slot.round > len(tournament.rounds):
            return None
        board = tournament.rounds[slot.round - 1].boards.get(slot.board)
        if board is None:
            return None
        before = tournament.rounds[slot.round - 1].results.get(slot.board)
        if board.table != table:
            return message(
                "A match for table {board} of round {round} came from another table than the one that plays it; it "
                "does not count.",
                board=slot.board,
                round=slot.round,
            )
        if before is not None and not before.match:
            return message(
                "Table {board} of round {round} has a result by the arbiter's hand; that one counts.",
                board=slot.board,
                round=slot.round,
            )
        name = f"{table}/{match}"
        try:
            if result is None:
                if before is not None:
                    self._happen(ledger.BoardReopened(slot.round, slot.board, "taken back at the table"))
                return None
            points = points_of(result.players, result.winners, result.standing, result.least_wins)
            standing = tuple(result.standing.get(each, 0.0) for each in result.players)
            came = BoardFinished(slot.round, slot.board, points, standing, name, tournament.rules.hold)
            if before != came:
                self._happen(came)
        except NotInThisTournament as refused:
            return refused.message
        return None

    def correct(self, round: int, board: int, points: Sequence[float], why: str) -> None:
        self._happen(BoardFinished(round, board, tuple(points), (), "", False, why))

    def release(self, round: int, board: int) -> None:
        self._happen(ledger.ResultReleased(round, board))

    def penalise(self, id: int, points: float, why: str) -> None:
        self._happen(ledger.PenaltyGiven(max(self.tournament.penalties, default=0) + 1, id, points, why))

    def forgive(self, number: int) -> None:
        self._happen(ledger.PenaltyDropped(number))

    # --- by itself ------------------------------------------------------------------------------------------------

    def tick(self, now: float, free: Sequence[str]) -> None:
        """What is due at this moment. `free` are the tables that nobody needs, in order."""
        tournament, last = self.tournament, self.tournament.round
        if not self.id or tournament.ended or last is None:
            return
        self._give_tables(last, free)
        if not tournament.rules.alone:
            return
        if tournament.finished:
            self.end(now)
        elif last.over:
            self.pair(free, now)
        elif last.started_at is None and now >= last.paired_at + 60.0 * tournament.rules.between:
            self.start(now)

    def _give_tables(self, last: TournamentRound, free: Sequence[str]) -> None:
        """Boards that had to wait for a table get one as soon as it is free."""
        spare = list(free)
        for number, board in last.boards.items():
            if not board.table and number not in last.results and spare:
                self.move(number, spare.pop(0))

    # --- what the tables are to do --------------------------------------------------------------------------------

    def taken(self) -> set[str]:
        """Tables that are needed for this round."""
        last = self.tournament.round
        if last is None or self.tournament.ended:
            return set()
        return {board.table for number, board in last.boards.items() if board.table and number not in last.results}

    def orders(self) -> dict[str, Order]:
        """Table -> what it is to play."""
        last = self.tournament.round
        if last is None or self.tournament.ended:
            return {}
        started = last.started_at is not None
        return {board.table: self._order(last, board, started) for board in self._open(last)}

    @staticmethod
    def _open(last: TournamentRound) -> list[PairedBoard]:
        return [board for number, board in last.boards.items() if board.table and number not in last.results]

    def _order(self, last: TournamentRound, board: PairedBoard, started: bool) -> Order:
        rules = self.tournament.rules
        return Order(
            id=Slot(self.id, last.number, board.number).order,
            title=f"{rules.title} · {last.number}/{self.tournament.planned} · {board.number}",
            game=rules.game,
            players=tuple(self.tournament.name(each) for each in board.players),
            options=rules.options,
            start=started,
        )

    def deeds(self, board: int) -> tuple[Deed, ...]:
        """What was done from the desk at this board in this round, in order."""
        last = self.tournament.round
        if last is None:
            return ()
        return tuple(
            Deed(id=f"{self.id}-{last.number}-d{number}", kind=kind, seconds=seconds, why="From the desk")
            for number, (kind, seconds, at) in enumerate(last.deeds)
            if at in (0, board)
        )[-32:]

    def board_at(self, table: str) -> PairedBoard | None:
        last = self.tournament.round
        return None if last is None else next((each for each in last.boards.values() if each.table == table), None)
