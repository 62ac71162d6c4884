"""How a set and a match end (SEN-29, SEN-30, SEN-70 to SEN-74, SEN-A1, SEN-A2), and the state as the kifu names it."""

from typing import Any

import msgspec

from companion.core.message import message
from companion.core.rulings import Ruling
from companion.games.kit.game import Sealed
from companion.games.sen_so.geometry import NAMES
from companion.games.sen_so.state import HIDDEN, NO_BLOCK, State

Rulings = tuple[Ruling, ...]


def end_set(state: State, rulings: Rulings) -> tuple[State, Rulings]:
    """Scoring is done: see who is out and whether the match ends; else everyone locks and selects (SEN-29, SEN-30)."""
    state = msgspec.structs.replace(state, set=state.set + 1)
    for index in state.present:
        endurance = state.ninjas[index].endurance
        if endurance is not None and endurance <= 0:
            state, said = leave(state, index, "{player} is knocked out.")
            rulings += (said,)
    end = state.options.end
    assert end is not None
    if state.options.knock_out is not None and len(state.present) <= 1:
        return finish(state, rulings, "SEN-A1")
    if end.points is not None and max(ninja.score for ninja in state.ninjas) >= end.points:
        return finish(state, rulings, "SEN-73")
    if end.actions is not None and state.set >= end.actions:
        return finish(state, rulings, "SEN-72")
    if state.time_up:
        return finish(state, rulings, "SEN-71")
    return msgspec.structs.replace(state, phase="select"), rulings


def leave(state: State, index: int, say: str) -> tuple[State, Ruling]:
    """A player is out and leaves the board (SEN-A1)."""
    ninja = state.ninjas[index]
    place = f"players.{ninja.name}"
    changes = {f"{place}.out": (False, True), f"{place}.cell": (state.board.name(ninja.cell), None)}
    return state.with_ninja(index, out=True, acted=True), Ruling("SEN-A1", message(say, player=ninja.name), changes)


def finish(state: State, rulings: Rulings, rule: str) -> tuple[State, Rulings]:
    state = msgspec.structs.replace(state, phase="over", attacks=(), asked=())
    names = winners(state)
    said = {
        "SEN-71": "The time is up.",
        "SEN-72": "The agreed number of actions is played.",
        "SEN-73": "The agreed score is reached.",
        "SEN-A1": "The Knock Out is decided.",
    }[rule]
    changes = {"over": (False, True), "winners": ([], names)}
    won = Ruling("SEN-70", message("The match goes to {winners}.", winners=", ".join(names)), changes)
    return state, (*rulings, Ruling(rule, message(said)), won)


def winners(state: State) -> list[str]:
    """Most points wins; equal is equal (R27). A plain Knock Out is won by who is still in."""
    if state.phase != "over":
        return []
    judged = [ninja for ninja in state.ninjas if not ninja.out]
    if not judged or state.options.advanced_knock_out:
        judged = list(state.ninjas)
    best = max(ninja.score for ninja in judged)
    return [ninja.name for ninja in judged if ninja.score == best]


def time_limit(state: State) -> float | None:
    return None if state.options.end is None else state.options.end.time


def tick(state: State, sealed: Sealed, seconds: float) -> tuple[State, Rulings]:
    """A time limit reached during a set ends the match after its Scoring, between sets at once (SEN-71)."""
    state = msgspec.structs.replace(state, clock=seconds)
    end = state.options.end
    if state.phase == "over" or end is None or end.time is None or seconds < end.time:
        return state, ()
    in_set = (
        bool(sealed) or any(state.ninjas[index].acted for index in state.present)
        if state.phase == "pre_actions"
        else (state.phase in ("attack", "glance", "guard"))
    )
    if in_set:
        said = () if state.time_up else (Ruling("SEN-71", message("The time is up: this set is played to its end.")),)
        return msgspec.structs.replace(state, time_up=True), said
    return finish(state, (), "SEN-71")


def block_name(side: int) -> str | None:
    if side == NO_BLOCK:
        return None
    return "hidden" if side == HIDDEN else NAMES[side]


def facts(state: State) -> dict[str, Any]:
    found: dict[str, Any] = {
        "over": state.phase == "over",
        "winners": winners(state),
        "scores": {ninja.name: ninja.score for ninja in state.ninjas},
        "players": {
            ninja.name: {
                "cell": None if ninja.out else state.board.name(ninja.cell),
                "weapon": ninja.weapon,
                "block": block_name(ninja.block),
                "momentum": ninja.momentum,
                "loadout": list(ninja.left),
                "out": ninja.out,
            }
            for ninja in state.ninjas
        },
        "set": state.set,
        "phase": state.phase,
        "clock": state.clock,
    }
    if state.options.dual_wield:
        for ninja in state.ninjas:
            found["players"][ninja.name]["second"] = ninja.second
    if state.options.knock_out is not None:
        found["endurance"] = {ninja.name: ninja.endurance for ninja in state.ninjas}
    return found
