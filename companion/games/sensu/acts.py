"""The referee's acts by hand in Sensu: points of the solo game, the end of the match, another name."""

from msgspec.structs import replace

from companion.core.rulings import Ruling
from companion.games.kit.acts import ACT, nothing_to_award, points_given, renamed
from companion.games.sensu.solo import level, score
from companion.games.sensu.state import SensuState


def award(state: SensuState, player: str, points: int, why: str) -> tuple[SensuState, tuple[Ruling, ...]]:
    """Only the solo game has a score."""
    if not state.terms.solo:
        return nothing_to_award()
    after = replace(state, awarded=state.awarded + points)
    changes: dict[str, tuple[object, object]] = {"score": (score(state), score(after))}
    was, now = level(score(state)), level(score(after))
    if was != now:
        changes["level"] = (was, now)
    return after, (Ruling(ACT, points_given(player, points, why), changes),)


def end(state: SensuState, winners: tuple[str, ...]) -> SensuState:
    """Everything stays where it lies; what was still to be answered is not."""
    seats = tuple(state.terms.seat[player] for player in winners)
    return replace(state, phase="over", asks=(), ended=seats)


def standing_winners(state: SensuState, without: str | None) -> list[str]:
    """The match goes to whoever closes the last fan: so most closed fans, then most sticks."""
    stands = {
        seat.player: (seat.closed, sum(fan.sticks for fan in seat.fans))
        for seat in state.seats
        if seat.player != without
    }
    return [player for player, stand in stands.items() if stand == max(stands.values())]


def rename(state: SensuState, player: str, name: str) -> SensuState:
    players = renamed(state.terms.players, player, name)
    terms = replace(state.terms, players=players, seat={each: seat for seat, each in enumerate(players)})
    seats = tuple(replace(seat, player=each) for seat, each in zip(state.seats, players, strict=True))
    return replace(state, terms=terms, seats=seats)
