"""Every move that a player could make now, as far as the table shows: for pages, bots and tests."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import islice

from companion.games.kit.game import Sealed
from companion.games.senjutsu import moves as m
from companion.games.senjutsu.card_language import ability as a
from companion.games.senjutsu.hand import left
from companion.games.senjutsu.hexes import FACINGS, STEPS, Hex, plus
from companion.games.senjutsu.instants import fitting
from companion.games.senjutsu.movement import turns
from companion.games.senjutsu.order import kinds_of
from companion.games.senjutsu.play import boundaries
from companion.games.senjutsu.state import DuelState

MANY = 200
"""So many at most where there are more paths, or more hands to discard from, than anyone would list."""

# The same few moves are offered in every round, so they are made once.
_SELECT, _USE, _PASS, _PASS_ALL = m.SelectCard(), m.UseLine(), m.PassUp(), m.PassUp(rest=True)
_reveal_of = cache(m.RevealCard)
_instant_of = cache(m.LayInstant)
_speed_of = cache(m.ChooseSpeed)
_facing_of = cache(lambda facing: m.RotateMove(FACINGS[facing]))
_kamae_of = cache(m.KamaeStep)
_choice_of = cache(m.ChooseLines)
_draw_of = cache(m.DrawUpTo)


def legal_moves(state: DuelState, sealed: Sealed, player: str) -> Sequence[m.AnyMove]:
    seat, found = state.duel.seat[player], list[m.AnyMove]()
    for kind in kinds_of(state, sealed, player):
        found += OFFER[kind](state, seat)
    return found


def _reveal(state: DuelState, seat: int) -> Iterable[m.AnyMove]:
    samurai = state.samurai[seat]
    cards = [a.PASSIVE, a.STUN] if samurai.stuns else [a.PASSIVE]
    if samurai.hand:
        shown, kamae = samurai.shown, samurai.kamae
        for card, copies, needs in state.duel.chooseable[seat]:
            if (card not in shown or shown[card] < copies) and (not needs or needs == kamae):
                cards.append(card)
    return map(_reveal_of, cards)


def _speed(state: DuelState, seat: int) -> Iterable[m.AnyMove]:
    bounds = boundaries(state, seat)
    return map(_speed_of, range(bounds[0], bounds[-1] - 1, -1))


def _instant(state: DuelState, seat: int) -> Iterable[m.AnyMove]:
    return map(_instant_of, fitting(state, seat))


def _pass(state: DuelState, seat: int) -> Iterable[m.AnyMove]:
    assert state.ask is not None
    return (_PASS, _PASS_ALL) if state.ask.kinds[0] == "instant" else (_PASS,)


def _step(state: DuelState, seat: int) -> Iterable[m.AnyMove]:
    assert state.ask is not None
    line, samurai = state.ask.line, state.samurai[seat]
    assert isinstance(line, a.StepLine)
    ways = [(samurai.facing + way) % 6 for way in line.ways]
    others = [other.hex for at, other in enumerate(state.samurai) if at != seat and not other.defeated]
    if line.hexes == 1:
        return [m.StepMove([FACINGS[way]]) for way in ways]
    board, terrain = state.duel.arena.hexes, state.duel.terrain

    def paths(here: Hex, names: tuple[str, ...]) -> Iterator[m.AnyMove]:
        for way in ways:
            there, path = plus(here, STEPS[way]), (*names, FACINGS[way])
            collides, last = there in others, len(path) == line.hexes
            if collides or last or line.may:
                yield m.StepMove(list(path))
            if not collides and not last:
                yield from paths(there if there in board and there not in terrain else here, path)

    return islice(paths(samurai.hex, ()), MANY)


def _rotate(state: DuelState, seat: int) -> Iterable[m.AnyMove]:
    assert state.ask is not None
    line = state.ask.line
    assert isinstance(line, a.RotateLine)
    return map(_facing_of, turns(state.samurai[seat].facing, line.sixths, line.side, line.may))


def _kamae(state: DuelState, seat: int) -> Iterable[m.AnyMove]:
    return map(_kamae_of, state.duel.trees[seat][state.samurai[seat].kamae])


def _choose(state: DuelState, seat: int) -> Iterable[m.AnyMove]:
    assert state.ask is not None
    assert isinstance(state.ask.line, a.EitherLine)
    return map(_choice_of, range(1, len(state.ask.line.choices) + 1))


def _draw(state: DuelState, seat: int) -> Iterable[m.AnyMove]:
    assert state.ask is not None
    assert isinstance(state.ask.line, a.DrawLine)
    return map(_draw_of, range(state.ask.line.cards + 1))


def _discard(state: DuelState, seat: int) -> Iterable[m.AnyMove]:
    assert state.ask is not None
    assert isinstance(state.ask.line, a.ForcedDiscard)
    duel, samurai = state.duel, state.samurai[seat]
    held = [(card, left(duel, samurai, seat, card)) for card in duel.decks[seat]]

    def hands(count: int, start: int, taken: tuple[str, ...]) -> Iterator[m.AnyMove]:
        if not count:
            yield m.DiscardForced(list(taken))
            return
        for at in range(start, len(held)):
            card, copies = held[at]
            for some in range(1, min(copies, count) + 1):
                yield from hands(count - some, at + 1, taken + (card,) * some)

    return islice(hands(state.ask.line.cards, 0, ()), MANY)


OFFER = {
    "select": lambda state, seat: (_SELECT,),
    "reveal": _reveal,
    "speed": _speed,
    "instant": _instant,
    "pass": _pass,
    "step": _step,
    "rotate": _rotate,
    "kamae": _kamae,
    "choose": _choose,
    "use": lambda state, seat: (_USE,),
    "draw": _draw,
    "discard": _discard,
}
