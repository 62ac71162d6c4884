"""What a viewer may know, and the state as the kifu names it. The duel keeps nothing hidden: everyone sees the same."""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from companion.core.message import Message, Thing, message
from companion.games.senjutsu.card_language import ability as a
from companion.games.senjutsu.card_language.scribe import describe
from companion.games.senjutsu.card_language.telling import tell
from companion.games.senjutsu.hexes import FACINGS, Hex, plus, turned
from companion.games.senjutsu.initiative import in_order
from companion.games.senjutsu.state import PHASES, Activation, DuelState, Samurai, StandingBlock


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


class WaitingView(msgspec.Struct, frozen=True):
    player: str
    card: str
    speed: int | None
    """None: still to be chosen."""
    reach: tuple[str, ...]
    """Hexes that its attacks would strike from where the samurai stands now."""


class BlockView(msgspec.Struct, frozen=True):
    """A block that protects its samurai until the end of the round."""

    player: str
    speed: int
    hexes: tuple[str, ...]
    """Attacks from there are stopped."""


class SenjutsuView(msgspec.Struct, frozen=True):
    viewer: str | None
    round: int
    phase: str
    over: bool
    winners: tuple[str, ...]
    columns: int
    rows: int
    terrain: dict[str, str]
    advantage: tuple[str, ...]
    order: tuple[WaitingView, ...]
    """Activations still to come, in order."""
    blocks: tuple[BlockView, ...]
    acting: str | None
    asked: str | None
    question: tuple[str, ...]
    """The kinds of move that are awaited from the one who is asked."""
    line: str
    """The line of the card that asks, in the card language."""
    asks: Message | None
    """The same in words."""
    alternatives: tuple[Message, ...]
    """What may be chosen or used, where that is the question."""
    samurai: tuple[SamuraiView, ...]
    names: dict[str, Message]
    """What the kamae are called."""


def view(state: DuelState, viewer: str | None) -> SenjutsuView:
    duel, ask = state.duel, state.ask
    return SenjutsuView(
        viewer=viewer,
        round=state.round,
        phase=PHASES[state.stage],
        over=state.stage == "over",
        winners=tuple(duel.players[seat] for seat in state.winners),
        columns=duel.arena.columns,
        rows=duel.arena.rows,
        terrain={duel.arena.hexes[place]: kind for place, kind in duel.terrain.items()},
        advantage=tuple(duel.players[seat] for seat in state.advantage),
        order=tuple(_waiting(state, activation) for activation in in_order(state)),
        blocks=tuple(_block(state, block) for block in state.blocks),
        acting=duel.players[state.acting] if state.acting >= 0 else None,
        asked=duel.players[ask.player] if ask else None,
        question=ask.kinds if ask else (),
        line=describe((ask.line,)) if ask and ask.line else "",
        asks=tell((ask.line,)) if ask and ask.line else None,
        alternatives=_alternatives(ask.line) if ask else (),
        samurai=tuple(_samurai(state, seat) for seat in range(len(duel.players))),
        names={kamae: message("{name}", name=Thing("kamae", kamae)) for kamae in a.KAMAE},
    )


def _alternatives(line: a.AnyLine | None) -> tuple[Message, ...]:
    match line:
        case a.EitherLine():
            return tuple(tell(choice) for choice in line.choices)
        case a.MayLine():
            return (tell(line.lines),)
    return ()


def _samurai(state: DuelState, seat: int) -> SamuraiView:
    duel, one = state.duel, state.samurai[seat]
    return SamuraiView(
        player=duel.players[seat],
        samurai=duel.samurai[seat],
        hex=None if one.defeated else duel.arena.hexes[one.hex],
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


def _waiting(state: DuelState, activation: Activation) -> WaitingView:
    return WaitingView(
        state.duel.players[activation.player],
        activation.card,
        activation.speed if activation.speed >= 0 else None,
        _hexes(state, state.samurai[activation.player], _struck(state, activation)),
    )


def _block(state: DuelState, block: StandingBlock) -> BlockView:
    hexes = _hexes(state, state.samurai[block.player], block.hexes)
    return BlockView(state.duel.players[block.player], block.speed, hexes)


def _hexes(state: DuelState, samurai: Samurai, offsets: Iterable[Hex]) -> tuple[str, ...]:
    """Hexes of a card as they lie in the arena when its samurai stands and looks as it does."""
    places = dict.fromkeys(plus(samurai.hex, turned(offset, samurai.facing)) for offset in offsets)
    return tuple(state.duel.arena.hexes[place] for place in places if place in state.duel.arena.hexes)


def _struck(state: DuelState, activation: Activation) -> Iterator[Hex]:
    """The hexes that the attacks of this activation would strike."""
    kamae = state.samurai[activation.player].kamae
    parts = [state.duel.cards[activation.card].segments[activation.segment].lines]
    parts += [segment.lines for card in activation.added for segment in state.duel.cards[card].segments]
    while parts:
        for line in parts.pop(0):
            if isinstance(line, a.AttackLine):
                yield from (offset for offset, _ in line.hexes)
            elif isinstance(line, a.InKamaeLine) and kamae in line.kamae:
                parts.append(line.lines)


def facts(state: DuelState) -> dict[str, Any]:
    """The state as the kifu names it."""
    duel, seats = state.duel, list(zip(state.duel.players, state.samurai, strict=True))
    return {
        "over": state.stage == "over",
        "winners": [duel.players[seat] for seat in state.winners],
        "round": state.round,
        "phase": PHASES[state.stage],
        "advantage": [duel.players[seat] for seat in state.advantage],
        "wounds": {name: seat.wounds for name, seat in seats},
        "bleeding": {name: seat.bleeding for name, seat in seats},
        "row": {name: list(seat.row) for name, seat in seats},
        "stuns": {name: seat.stuns for name, seat in seats},
        "hands": {name: seat.hand + seat.stuns for name, seat in seats},
        "decks": {name: seat.deck for name, seat in seats},
        "discards": {name: len(seat.pile) for name, seat in seats},
        "pile": {name: list(seat.pile) for name, seat in seats},
        "played": {name: [seat.card, *seat.laid] if seat.card else [] for name, seat in seats},
        "health": {name: duel.health[at] for at, (name, _) in enumerate(seats)},
        "initiative": state.clock if state.acting >= 0 else None,
        "order": [
            [duel.players[waiting.player], waiting.card, waiting.speed if waiting.speed >= 0 else None]
            for waiting in in_order(state)
        ],
        "samurai": {
            name: {
                "id": duel.samurai[at],
                "hex": None if seat.defeated else duel.arena.hexes[seat.hex],
                "facing": FACINGS[seat.facing],
                "kamae": seat.kamae,
                "defeated": seat.defeated,
            }
            for at, (name, seat) in enumerate(seats)
        },
    }
