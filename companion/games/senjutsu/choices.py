"""Every move that a player could make now, as far as the table shows: for pages, bots and tests."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from typing import Any

from companion.games.kit.game import Sealed
from companion.games.senjutsu import ability as a
from companion.games.senjutsu import moves as m
from companion.games.senjutsu.checks import boundaries, kinds_of
from companion.games.senjutsu.hexes import FACINGS, STEPS, Hex, plus
from companion.games.senjutsu.instants import fitting, left
from companion.games.senjutsu.movement import turns
from companion.games.senjutsu.state import State

MANY = 200
"""A fair sample where there are more paths, or more hands to discard from, than anyone would list."""


_revealed = cache(m.Reveal)
"""The same few moves are offered in every round."""


def options(state: State, sealed: Sealed, player: str) -> Sequence[Any]:
    seat, found = state.duel.seat[player], list[Any]()
    for kind in kinds_of(state, sealed, player):
        found += islice(OFFER[kind](state, seat), MANY)
    return found


def _reveal(state: State, seat: int) -> Iterable[Any]:
    samurai = state.samurai[seat]
    cards = [a.PASSIVE, a.STUN] if samurai.stuns else [a.PASSIVE]
    if samurai.hand:
        shown, kamae = samurai.shown, samurai.kamae
        for card, copies, needs in state.duel.chooseable[seat]:
            if (not needs or needs == kamae) and (card not in shown or shown[card] < copies):
                cards.append(card)
    return map(_revealed, cards)


def _speed(state: State, seat: int) -> Iterator[Any]:
    bounds = boundaries(state, seat)
    for value in range(bounds[0], bounds[-1] - 1, -1):
        yield m.Speed(value)


def _instant(state: State, seat: int) -> Iterator[Any]:
    for card in fitting(state, seat):
        yield m.Instant(card)


def _pass(state: State, seat: int) -> Iterator[Any]:
    yield m.Pass()
    if state.ask and "instant" in state.ask.kinds:
        yield m.Pass(rest=True)


def _step(state: State, seat: int) -> Iterator[Any]:
    assert state.ask is not None
    line, samurai = state.ask.line, state.samurai[seat]
    assert isinstance(line, a.Step)
    ways = [(samurai.facing + way) % 6 for way in line.ways]
    others = {other.hex for at, other in enumerate(state.samurai) if at != seat and not other.defeated}
    board, terrain = state.duel.arena.hexes, state.duel.terrain

    def paths(here: Hex, names: tuple[str, ...]) -> Iterator[Any]:
        for way in ways:
            there, path = plus(here, STEPS[way]), (*names, FACINGS[way])
            collides, last = there in others, len(path) == line.hexes
            if collides or last or line.may:
                yield m.Step(list(path))
            if not collides and not last:
                yield from paths(there if there in board and there not in terrain else here, path)

    yield from paths(samurai.hex, ())


def _rotate(state: State, seat: int) -> Iterator[Any]:
    assert state.ask is not None
    line = state.ask.line
    assert isinstance(line, a.Rotate)
    for facing in turns(state.samurai[seat].facing, line.sixths, line.side, line.may):
        yield m.Rotate(FACINGS[facing])


def _kamae(state: State, seat: int) -> Iterator[Any]:
    for kamae in state.duel.trees[seat][state.samurai[seat].kamae]:
        yield m.Kamae(kamae)


def _choose(state: State, seat: int) -> Iterator[Any]:
    assert state.ask is not None
    assert isinstance(state.ask.line, a.Either)
    for number in range(1, len(state.ask.line.choices) + 1):
        yield m.Choose(number)


def _draw(state: State, seat: int) -> Iterator[Any]:
    assert state.ask is not None
    assert isinstance(state.ask.line, a.Draw)
    for cards in range(state.ask.line.cards + 1):
        yield m.Draw(cards)


def _discard(state: State, seat: int) -> Iterator[Any]:
    assert state.ask is not None
    assert isinstance(state.ask.line, a.Drop)
    duel, samurai = state.duel, state.samurai[seat]
    held = [(card, left(duel, samurai, seat, card)) for card in duel.decks[seat]]

    def hands(count: int, start: int, taken: tuple[str, ...]) -> Iterator[Any]:
        if not count:
            yield m.Discard(list(taken))
            return
        for at in range(start, len(held)):
            card, copies = held[at]
            for some in range(1, min(copies, count) + 1):
                yield from hands(count - some, at + 1, taken + (card,) * some)

    yield from hands(state.ask.line.cards, 0, ())


OFFER = {
    "select": lambda state, seat: (m.Select(),),
    "reveal": _reveal,
    "speed": _speed,
    "instant": _instant,
    "pass": _pass,
    "step": _step,
    "rotate": _rotate,
    "kamae": _kamae,
    "choose": _choose,
    "use": lambda state, seat: (m.Use(),),
    "draw": _draw,
    "discard": _discard,
}
