"""What a player says or does, put into the duel: `apply`."""

from collections.abc import Callable, Mapping
from typing import Any

from companion.core.message import message
from companion.core.rulings import Ruling
from companion.games.senjutsu import ability as a
from companion.games.senjutsu import moves as m
from companion.games.senjutsu.checks import chosen, directions
from companion.games.senjutsu.desk import Desk, replace
from companion.games.senjutsu.hexes import facing_of
from companion.games.senjutsu.instants import lay
from companion.games.senjutsu.movement import face, walk
from companion.games.senjutsu.resolve import shift
from companion.games.senjutsu.round import reveal, run
from companion.games.senjutsu.script import KAMAE_WORDS
from companion.games.senjutsu.state import State


def apply(state: State, moves: Mapping[str, Any]) -> tuple[State, tuple[Ruling, ...]]:
    if state.stage == "select":
        chosen = Ruling(
            "SJ-47", message("All cards are chosen: turn them up together."), {"phase": ("draw", "activation")}
        )
        return replace(state, stage="reveal"), (chosen,)
    desk, seat_of = Desk(state), state.duel.seat
    if state.stage == "reveal":
        reveal(desk, {seat_of[name]: a.identity(move.card) for name, move in moves.items()})
    else:
        ((name, move),) = moves.items()
        desk.ask = None
        ANSWER[type(move)](desk, state, seat_of[name], move)
        desk.settle()
    run(desk)
    return desk.state(), tuple(desk.rulings)


def _speed(desk: Desk, state: State, seat: int, move: m.Speed) -> None:
    """Segments that print the same boundaries share the value that was chosen."""
    first = next(waiting for waiting in desk.queue if waiting.player == seat and waiting.speed < 0)
    segments = desk.duel.cards[first.card].segments
    for at, waiting in enumerate(desk.queue):
        same = waiting.player == seat and waiting.card == first.card and waiting.speed < 0
        if same and segments[waiting.segment].speed == segments[first.segment].speed:
            desk.queue[at] = replace(waiting, speed=move.value)
    say = "{player} plays {card} at {speed}."
    desk.rule("SJ-15", say, player=desk.players[seat], card=first.card, speed=move.value)


def _instant(desk: Desk, state: State, seat: int, move: m.Instant) -> None:
    lay(desk, seat, desk.duel.cards[a.identity(move.card)])


def _pass(desk: Desk, state: State, seat: int, move: m.Pass) -> None:
    assert state.ask is not None
    if "instant" in state.ask.kinds:
        if move.rest:
            desk.quiet = (*desk.quiet, seat)
        if state.window != "open":
            # The question at the end of the own turn: now it is over.
            desk.acting = -1
    elif isinstance(state.ask.line, a.May):
        desk.frames.pop()


def _step(desk: Desk, state: State, seat: int, move: m.Step) -> None:
    assert state.ask is not None
    assert isinstance(state.ask.line, a.Step)
    ways = directions(state, seat, state.ask.line, move.places)
    if ways:
        walk(desk, seat, ways, seat)


def _rotate(desk: Desk, state: State, seat: int, move: m.Rotate) -> None:
    facing = facing_of(move.facing)
    assert facing is not None
    face(desk, seat, facing)


def _kamae(desk: Desk, state: State, seat: int, move: m.Kamae) -> None:
    shift(desk, seat, KAMAE_WORDS[move.to.strip().lower()])


def _choose(desk: Desk, state: State, seat: int, move: m.Choose) -> None:
    assert state.ask is not None
    assert isinstance(state.ask.line, a.Either)
    frame = desk.frames.pop()
    desk.frames.append(replace(frame, lines=state.ask.line.choices[chosen(state.ask.line, move.option)]))


def _use(desk: Desk, state: State, seat: int, move: m.Use) -> None:
    assert state.ask is not None
    assert isinstance(state.ask.line, a.May)
    frame = desk.frames.pop()
    desk.frames.append(replace(frame, lines=state.ask.line.lines))


def _draw(desk: Desk, state: State, seat: int, move: m.Draw) -> None:
    if move.cards:
        desk.draw(seat, move.cards, in_draw_phase=False)


def _discard(desk: Desk, state: State, seat: int, move: m.Discard) -> None:
    desk.discard_shown(seat, tuple(a.identity(card) for card in move.cards))


ANSWER: dict[type[Any], Callable[[Desk, State, int, Any], None]] = {
    m.Speed: _speed,
    m.Instant: _instant,
    m.Pass: _pass,
    m.Step: _step,
    m.Rotate: _rotate,
    m.Kamae: _kamae,
    m.Choose: _choose,
    m.Use: _use,
    m.Draw: _draw,
    m.Discard: _discard,
}
