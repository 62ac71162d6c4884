"""How a set and a match end (SEN-29, SEN-30, SEN-70 to SEN-74, SEN-A1, SEN-A2)."""

import msgspec

from companion.core.message import Message, message, things
from companion.core.rulings import Ruling
from companion.games.kit.game import Sealed
from companion.games.sen_so.state import SenSoState

Rulings = tuple[Ruling, ...]
ENDS = {
    "SEN-71": message("The time is up."),
    "SEN-72": message("The agreed number of actions has been played."),
    "SEN-73": message("The agreed score has been reached."),
    "SEN-A1": message("The Knock Out is decided."),
}


def end_set(state: SenSoState, rulings: Rulings) -> tuple[SenSoState, Rulings]:
    """After the Scoring: see who is out and whether the match ends; if not, everyone locks and selects."""
    state = msgspec.structs.replace(state, set=state.set + 1, phase="select")
    for index in state.present:
        ninja = state.ninjas[index]
        if ninja.endurance is not None and ninja.endurance <= 0:
            knocked_out = message("{player} is knocked out.", player=ninja.thing)
            state, said = leave(state, index, knocked_out)
            rulings += (said,)
    rule = _end_reached(state)
    return (state, rulings) if rule is None else finish(state, rulings, rule)


def _end_reached(state: SenSoState) -> str | None:
    """The rule by which the match ends with this set (SEN-R27)."""
    end = state.options.end
    assert end is not None
    if state.options.knock_out is not None and len(state.present) <= 1:
        return "SEN-A1"
    if end.points is not None and max(ninja.score for ninja in state.ninjas) >= end.points:
        return "SEN-73"
    if end.actions is not None and state.set >= end.actions:
        return "SEN-72"
    return "SEN-71" if state.time_up else None


def leave(state: SenSoState, index: int, said: Message) -> tuple[SenSoState, Ruling]:
    """A player is out and leaves the board (SEN-A1)."""
    ninja = state.ninjas[index]
    place = f"players.{ninja.name}"
    changes = {f"{place}.out": (False, True), f"{place}.cell": (state.board.name(ninja.cell), None)}
    return state.with_ninja(index, out=True, acted=True), Ruling("SEN-A1", said, changes)


def finish(state: SenSoState, rulings: Rulings, rule: str) -> tuple[SenSoState, Rulings]:
    time_ended = state.phase if rule == "SEN-71" else None
    state = msgspec.structs.replace(state, phase="over", attacks=(), asked=(), time_ended=time_ended)
    names = winners(state)
    told = message("The match goes to {winners}.", winners=things("player", names))
    won = Ruling("SEN-70", told, {"over": (False, True), "winners": ([], names)})
    return state, (*rulings, Ruling(rule, ENDS[rule]), won)


def winners(state: SenSoState) -> list[str]:
    """Most points wins, and equal points win together (SEN-R27). A plain Knock Out is won by those still in."""
    if state.phase != "over":
        return []
    if state.ended is not None:
        return [state.ninjas[index].name for index in state.ended]
    return leaders(state)


def leaders(state: SenSoState, without: str | None = None) -> list[str]:
    """Who wins as everybody stands; `without` cannot."""
    judged = [ninja for ninja in state.ninjas if not ninja.out and ninja.name != without]
    if not judged or state.options.advanced_knock_out:
        judged = [ninja for ninja in state.ninjas if ninja.name != without]
    best = max(ninja.score for ninja in judged)
    return [ninja.name for ninja in judged if ninja.score == best]


def time_limit(state: SenSoState) -> float | None:
    end = state.options.end
    return None if end is None or end.time is None else end.time + state.added_time


def tick(state: SenSoState, sealed: Sealed, seconds: float) -> tuple[SenSoState, Rulings]:
    """A time limit reached during a set ends the match after its Scoring, between sets at once (SEN-71, SEN-R27)."""
    state = msgspec.structs.replace(state, clock=seconds)
    limit = time_limit(state)
    if state.phase == "over" or limit is None or seconds < limit:
        return state, ()
    if not _in_set(state, sealed):
        return finish(state, (), "SEN-71")
    said = () if state.time_up else (Ruling("SEN-71", message("The time is up: this set is played to its end.")),)
    return msgspec.structs.replace(state, time_up=True), said


def _in_set(state: SenSoState, sealed: Sealed) -> bool:
    """A set has begun as soon as anybody has acted in it."""
    if state.phase == "pre_actions":
        return bool(sealed) or any(state.ninjas[index].acted for index in state.present)
    return state.phase in ("attack", "glance", "guard")
