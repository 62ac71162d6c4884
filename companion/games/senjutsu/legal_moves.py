"""Every move that a player could make now, as far as the table shows: for pages, bots and tests."""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from companion.games.kit.game import Move, Parts, Sealed
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
_PASSIVE, _STUN = m.RevealCard(a.PASSIVE), m.RevealCard(a.STUN)
_SPEEDS = tuple(m.ChooseSpeed(value) for value in range(a.FASTEST + 1))
_ROTATIONS = tuple(m.RotateMove(facing) for facing in FACINGS)


def legal_moves(state: DuelState, sealed: Sealed, player: str) -> Sequence[Move]:
    seat, kinds = state.duel.seat[player], kinds_of(state, sealed, player)
    if len(kinds) == 1:
        return OFFER[kinds[0]](state, seat)
    found: list[Move] = []
    for kind in kinds:
        found += OFFER[kind](state, seat)
    return found


def parts(state: DuelState, player: str) -> dict[str, Parts]:
    """Long paths, and hands to discard from, where they are too many to list."""
    if state.ask is None or state.duel.players[state.ask.player] != player:
        return {}
    seat, line = state.ask.player, state.ask.line
    if isinstance(line, a.StepLine) and "step" in state.ask.kinds and len(_step(state, seat)) == MANY:
        ways = {FACINGS[(state.samurai[seat].facing + way) % 6]: line.hexes for way in line.ways}
        return {"step": Parts("path", ways, 1, line.hexes)}
    if isinstance(line, a.ForcedDiscard) and "discard" in state.ask.kinds and len(_discard(state, seat)) == MANY:
        duel, samurai = state.duel, state.samurai[seat]
        held = {card: copies for card in duel.decks[seat] if (copies := left(duel, samurai, seat, card))}
        return {"discard": Parts("cards", held, line.cards, line.cards)}
    return {}


def _reveal(state: DuelState, seat: int) -> Sequence[Move]:
    samurai = state.samurai[seat]
    always = [_PASSIVE, _STUN] if samurai.stuns else [_PASSIVE]
    if not samurai.hand:
        return always
    shown, kamae = samurai.shown, samurai.kamae
    return always + [
        move
        for card, copies, needs, move, _ in state.duel.of_a_round[seat]
        if (card not in shown or shown[card] < copies) and (not needs or needs == kamae)
    ]


def _speed(state: DuelState, seat: int) -> Sequence[Move]:
    bounds = boundaries(state, seat)
    return [_SPEEDS[value] for value in range(bounds[0], bounds[-1] - 1, -1)]


def _pass(state: DuelState, seat: int) -> Sequence[Move]:
    assert state.ask is not None
    return [_PASS, _PASS_ALL] if state.ask.kinds[0] == "instant" else [_PASS]


def _step(state: DuelState, seat: int) -> Sequence[Move]:
    line, samurai = state.asking_line(a.StepLine), state.samurai[seat]
    ways = [(samurai.facing + way) % 6 for way in line.ways]
    if line.hexes == 1:
        return [m.StepMove([FACINGS[way]]) for way in ways]
    others = [other.hex for at, other in enumerate(state.samurai) if at != seat and not other.defeated]
    board, terrain = state.duel.arena.hexes, state.duel.terrain

    def paths(here: Hex, names: tuple[str, ...]) -> Iterator[Move]:
        for way in ways:
            there, path = plus(here, STEPS[way]), (*names, FACINGS[way])
            collides, last = there in others, len(path) == line.hexes
            if collides or last or line.may:
                yield m.StepMove(list(path))
            if not collides and not last:
                yield from paths(there if there in board and there not in terrain else here, path)

    return list(islice(paths(samurai.hex, ()), MANY))


def _rotate(state: DuelState, seat: int) -> Sequence[Move]:
    line = state.asking_line(a.RotateLine)
    return [_ROTATIONS[way] for way in turns(state.samurai[seat].facing, line.sixths, line.side, line.may)]


def _kamae(state: DuelState, seat: int) -> Sequence[Move]:
    return [m.KamaeStep(kamae) for kamae in state.duel.trees[seat][state.samurai[seat].kamae]]


def _choose(state: DuelState, seat: int) -> Sequence[Move]:
    return [m.ChooseLines(number) for number in range(1, len(state.asking_line(a.EitherLine).choices) + 1)]


def _draw(state: DuelState, seat: int) -> Sequence[Move]:
    return [m.DrawUpTo(cards) for cards in range(state.asking_line(a.DrawLine).cards + 1)]


def _discard(state: DuelState, seat: int) -> Sequence[Move]:
    duel, samurai = state.duel, state.samurai[seat]
    held = [(card, left(duel, samurai, seat, card)) for card in duel.decks[seat]]

    def hands(count: int, start: int, taken: tuple[str, ...]) -> Iterator[Move]:
        if not count:
            yield m.DiscardForced(list(taken))
            return
        for at in range(start, len(held)):
            card, copies = held[at]
            for some in range(1, min(copies, count) + 1):
                yield from hands(count - some, at + 1, taken + (card,) * some)

    return list(islice(hands(state.asking_line(a.ForcedDiscard).cards, 0, ()), MANY))


OFFER: dict[str, Callable[[DuelState, int], Sequence[Move]]] = {
    "select": lambda state, seat: [_SELECT],
    "reveal": _reveal,
    "speed": _speed,
    "instant": fitting,
    "pass": _pass,
    "step": _step,
    "rotate": _rotate,
    "kamae": _kamae,
    "choose": _choose,
    "use": lambda state, seat: [_USE],
    "draw": _draw,
    "discard": _discard,
}
