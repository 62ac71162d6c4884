"""The referee's acts by hand in Sen So: time, points, the end of the match, another name."""

from msgspec.structs import replace

from companion.core.message import Thing, message
from companion.core.rulings import Refused, Ruling
from companion.games.kit.acts import ACT, does_not_fit, no_time_limit, points_given
from companion.games.kit.game import Sealed
from companion.games.sen_so.ending import Rulings, finish, tick, time_limit, winners
from companion.games.sen_so.play import drop_out
from companion.games.sen_so.state import SenSoState


def award(state: SenSoState, player: str, points: int, why: str) -> tuple[SenSoState, Rulings]:
    """Points count at once, in the middle of a set too. In a plain Knock Out they are endurance as well (SEN-A1)."""
    index = state.index(player)
    ninja = state.ninjas[index]
    changes: dict[str, tuple[object, object]] = {f"scores.{player}": (ninja.score, ninja.score + points)}
    endurance = ninja.endurance
    if endurance is not None and not state.options.advanced_knock_out:
        if ninja.out:
            raise does_not_fit(message("{player} is out of the match.", player=Thing("player", player)))
        changes[f"endurance.{player}"] = (endurance, endurance + points)
        endurance += points
    state = state.with_ninja(index, score=ninja.score + points, endurance=endurance)
    said: Rulings = (Ruling(ACT, points_given(player, points, why), changes),)
    if endurance is not None and endurance <= 0 and not ninja.out:
        state, more = drop_out(state, index, message("{player} is knocked out.", player=Thing("player", player)))
        return state, said + more
    limit = state.options.end.points if state.options.end else None
    if limit is not None and state.ninjas[index].score >= limit:
        return finish(state, said, "SEN-73")
    return state, said


def add_time(state: SenSoState, sealed: Sealed, seconds: float, why: str) -> tuple[SenSoState, Rulings]:
    """The limit is never moved below what has been played; there it ends the match as any limit does."""
    limit = time_limit(state)
    if limit is None:
        return no_time_limit(state, sealed, seconds, why)
    moved = max(limit + seconds, state.clock)
    changes: dict[str, tuple[object, object]] = {}
    if state.phase == "over":
        if state.time_ended is None:
            raise does_not_fit(message("It was not the time that ended this match."))
        if moved <= state.clock:
            raise _still_up(state)
        changes = {"over": (True, False), "phase": ("over", state.time_ended), "winners": (winners(state), [])}
        state = replace(state, phase=state.time_ended, time_ended=None)
    told = (
        message("The referee adds {seconds} s to the time limit: {why}", seconds=_plain(seconds), why=why)
        if seconds > 0
        else message("The referee takes {seconds} s from the time limit: {why}", seconds=_plain(-seconds), why=why)
    )
    state = replace(state, added_time=state.added_time + moved - limit, time_up=state.time_up and moved <= state.clock)
    state, more = tick(state, sealed, state.clock)
    return state, (Ruling(ACT, told, changes), *more)


def _still_up(state: SenSoState) -> Refused:
    return does_not_fit(message("The match clock stands at {reached}: that is not enough.", reached=state.clock))


def _plain(seconds: float) -> float:
    """60 and not 60.0."""
    return int(seconds) if seconds == int(seconds) else seconds


def end(state: SenSoState, winning: tuple[str, ...]) -> SenSoState:
    return replace(state, phase="over", attacks=(), asked=(), ended=tuple(state.index(player) for player in winning))


def rename(state: SenSoState, player: str, name: str) -> SenSoState:
    return state.with_ninja(state.index(player), name=name)
