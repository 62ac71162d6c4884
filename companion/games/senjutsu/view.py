"""What a viewer may know. The duel keeps nothing hidden, so everyone sees the same, but for the own options."""

from collections.abc import Iterable, Iterator

import msgspec

from companion.games.senjutsu import ability as a
from companion.games.senjutsu.hexes import FACINGS, Hex, plus, turned
from companion.games.senjutsu.scribe import describe
from companion.games.senjutsu.state import PHASES, Activation, Samurai, State, in_order


class SamuraiView(msgspec.Struct, frozen=True):
    player: str
    samurai: str
    hex: str | None
    facing: str
    kamae: str
    tree: dict[str, tuple[str, ...]]
    """The kamae tree: where the branches of each kamae lead."""
    wounds: tuple[str, ...]
    """Wound cards as they lie, in the order taken: `wound` or `bleeding`."""
    health: int
    stuns: int
    hand: int
    """Cards in hand, stuns among them, the passive card not."""
    deck: int
    discards: tuple[str | None, ...]
    """Bottom to top; None lies face down."""
    played: tuple[str, ...]
    """The round's card once it is revealed, and the instants laid over it."""
    defeated: bool


class Waiting(msgspec.Struct, frozen=True):
    player: str
    card: str
    speed: int | None
    """None: still to be chosen."""
    reach: tuple[str, ...]
    """Hexes that its attacks would strike from where the samurai stands now."""


class Block(msgspec.Struct, frozen=True):
    """A block that stands."""

    player: str
    speed: int
    hexes: tuple[str, ...]
    """Attacks from there are stopped."""


class View(msgspec.Struct, frozen=True):
    viewer: str | None
    round: int
    phase: str
    over: bool
    winners: tuple[str, ...]
    columns: int
    rows: int
    terrain: dict[str, str]
    advantage: tuple[str, ...]
    order: tuple[Waiting, ...]
    """Activations still to come, in order."""
    blocks: tuple[Block, ...]
    acting: str | None
    asked: str | None
    question: tuple[str, ...]
    """The kinds of move that are awaited from the one who is asked."""
    line: str
    """The line of the card that asks, in the card language."""
    samurai: tuple[SamuraiView, ...]


def view(state: State, viewer: str | None) -> View:
    duel = state.duel
    names = duel.arena.hexes
    return View(
        viewer=viewer,
        round=state.round,
        phase=PHASES[state.stage],
        over=state.stage == "over",
        winners=tuple(duel.players[seat] for seat in state.winners),
        columns=duel.arena.columns,
        rows=duel.arena.rows,
        terrain={names[place]: kind for place, kind in duel.terrain.items()},
        advantage=tuple(duel.players[seat] for seat in state.advantage),
        order=tuple(
            Waiting(
                duel.players[waiting.player],
                waiting.card,
                waiting.speed if waiting.speed >= 0 else None,
                _names(state, state.samurai[waiting.player], _struck(state, waiting)),
            )
            for waiting in in_order(state)
        ),
        blocks=tuple(
            Block(duel.players[guard.player], guard.speed, _names(state, state.samurai[guard.player], guard.hexes))
            for guard in state.guards
        ),
        acting=duel.players[state.acting] if state.acting >= 0 else None,
        asked=duel.players[state.ask.player] if state.ask else None,
        question=state.ask.kinds if state.ask else (),
        line=describe((state.ask.line,)) if state.ask and state.ask.line else "",
        samurai=tuple(
            SamuraiView(
                player=name,
                samurai=duel.samurai[seat],
                hex=None if one.defeated else names[one.hex],
                facing=FACINGS[one.facing],
                kamae=one.kamae,
                tree=duel.trees[seat],
                wounds=one.row,
                health=duel.health[seat],
                stuns=one.stuns,
                hand=one.hand + one.stuns,
                deck=one.deck,
                discards=one.pile,
                played=(one.card, *one.laid) if one.card else (),
                defeated=one.defeated,
            )
            for seat, (name, one) in enumerate(zip(duel.players, state.samurai, strict=True))
        ),
    )


def _names(state: State, samurai: Samurai, offsets: Iterable[Hex]) -> tuple[str, ...]:
    """Hexes of a card as they lie in the arena when its samurai stands and looks as it does."""
    places = dict.fromkeys(plus(samurai.hex, turned(offset, samurai.facing)) for offset in offsets)
    return tuple(state.duel.arena.hexes[place] for place in places if place in state.duel.arena.hexes)


def _struck(state: State, waiting: Activation) -> Iterator[Hex]:
    kamae = state.samurai[waiting.player].kamae
    parts = [state.duel.cards[waiting.card].segments[waiting.segment].lines]
    parts += [segment.lines for card in waiting.added for segment in state.duel.cards[card].segments]
    while parts:
        for line in parts.pop(0):
            if isinstance(line, a.Attack):
                yield from (offset for offset, _ in line.hexes)
            elif isinstance(line, a.In) and kamae in line.kamae:
                parts.append(line.lines)
