"""What a viewer may know. The duel keeps nothing hidden, so everyone sees the same, but for the own options."""

import msgspec

from companion.games.senjutsu.hexes import FACINGS
from companion.games.senjutsu.scribe import describe
from companion.games.senjutsu.state import PHASES, State, in_order


class SamuraiView(msgspec.Struct, frozen=True):
    player: str
    samurai: str
    hex: str | None
    facing: str
    kamae: str
    branches: tuple[str, ...]
    """Where the kamae tree leads from here."""
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
            Waiting(duel.players[waiting.player], waiting.card, waiting.speed if waiting.speed >= 0 else None)
            for waiting in in_order(state)
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
                branches=duel.trees[seat].get(one.kamae, ()),
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
