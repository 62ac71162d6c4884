"""Who plays whom in the next round. The same tournament is always paired the same way."""

from collections.abc import Sequence

from companion.club.tournament import seating, swiss
from companion.club.tournament.ledger import PairedBoard, RoundPaired
from companion.club.tournament.tournament import NotInThisTournament, Tournament, TournamentRound
from companion.core.message import message


def next_round(tournament: Tournament, tables: Sequence[str] = (), at: float = 0.0) -> RoundPaired:
    """The pairings of the next round, given to these tables in this order. Raises NotInThisTournament."""
    if tournament.finished:
        raise NotInThisTournament(message("All rounds are played."))
    if len(tournament.present) < 2:
        raise NotInThisTournament(message("It takes at least two players."))
    seated, byes = _seated(tournament)
    boards = tuple(
        PairedBoard(number, tuple(players), tables[number - 1] if number <= len(tables) else "")
        for number, players in enumerate(seated, 1)
    )
    return RoundPaired(len(tournament.rounds) + 1, boards, tuple(byes), at)


def _seated(tournament: Tournament) -> tuple[list[tuple[int, ...]], list[int]]:
    match tournament.rules.kind:
        case "swiss":
            pairs, byes = swiss.paired(tournament)
            return [*pairs], byes
        case "round_robin":
            return round_robin(tournament)
        case "knockout":
            return knockout(tournament)
        case "tables":
            return seating.seated(tournament)


def round_robin(tournament: Tournament) -> tuple[list[tuple[int, ...]], list[int]]:
    """The circle: one stands still, the others go round. Who first is alternates for everybody; whoever has left gives
    the opponent of that round a bye, as does an empty place."""
    known = tournament.entrants
    players: list[int | None] = [*sorted(known, key=lambda each: (-known[each].rating, each))]
    if len(players) % 2:
        players.append(None)
    count, turn = len(players), len(tournament.rounds)
    still, around = players[0], players[1:]
    around = around[-turn % len(around) :] + around[: -turn % len(around)] if around else []
    circle = [still, *around]
    pairs, byes = [], []
    gone = {each.id for each in tournament.entrants.values() if each.left}
    for at in range(count // 2):
        one, other = circle[at], circle[count - 1 - at]
        if (turn + at) % 2 if at else turn % 2:
            one, other = other, one
        here = [each for each in (one, other) if each is not None and each not in gone]
        if len(here) == 2:
            pairs.append((here[0], here[1]))
        else:
            byes += here
    return [*pairs], byes


def knockout(tournament: Tournament) -> tuple[list[tuple[int, ...]], list[int]]:
    """The bracket: first against last, and the strongest have the byes of the first round. Then winner against winner
    as they stand in the bracket."""
    if not tournament.rounds:
        slots = bracket([each.id for each in tournament.present])
    else:
        slots = _went_on(tournament, tournament.rounds[-1])
    pairs, byes = [], []
    for one, other in zip(slots[::2], slots[1::2], strict=True):
        here = [each for each in (one, other) if each is not None and not tournament.entrants[each].left]
        if len(here) == 2:
            pairs.append((here[0], here[1]))
        else:
            byes += here
    return [*pairs], byes


def bracket(seeds: Sequence[int]) -> list[int | None]:
    """The places of a bracket, in order, so that the first two can only meet in the final."""
    places = [0]
    while len(places) < len(seeds):
        size = 2 * len(places)
        places = [each for place in places for each in (place, size - 1 - place)]
    return [seeds[place] if place < len(seeds) else None for place in places]


def _went_on(tournament: Tournament, last: TournamentRound) -> list[int | None]:
    """Who goes on, in bracket order: found by following the bracket of the first round."""
    alive = set(last.byes)
    for number, board in last.boards.items():
        points = last.results[number].points
        alive.add(board.players[points.index(max(points))])
    first = tournament.rounds[0]
    entered = {*first.byes, *(player for board in first.boards.values() for player in board.players)}
    order = sorted(entered, key=lambda each: (-tournament.entrants[each].rating, each))
    slots = bracket(order)
    for _ in tournament.rounds:
        slots = [
            next((each for each in pair if each in alive), None) for pair in zip(slots[::2], slots[1::2], strict=True)
        ]
    return slots if len(slots) > 1 else [*slots, None]
