"""The public state of a duel. Hands and decks are counts; nothing hidden is kept, so nothing hidden can leak."""

from typing import Any, Literal

import msgspec

from companion.games.senjutsu.ability import Ability, AnyLine, Lines
from companion.games.senjutsu.hexes import FACINGS, Arena, Hex


class Console(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A samurai as a header may bring it: what is left out is the starter set's."""

    id: str = ""
    initiative: int | None = None
    health: int | None = None
    hand: int | None = None
    tree: dict[str, list[str]] | None = None


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    samurai: dict[str, str | Console] = {}
    decks: dict[str, Any] = {}
    cards: str | list[Any] | dict[str, Any] = {}
    arena: tuple[int, int] = (8, 5)
    start_hexes: dict[str, str | list[str]] = {}
    starts: dict[str, str] = {}
    facings: dict[str, str] = {}
    terrain: dict[str, str] | list[str] = {}
    health: int | dict[str, int] | None = None
    hand_limit: int | dict[str, int] | None = None
    advantage: list[str] = []
    empty_deck: Literal["mixed", "wound", "stun"] = "mixed"
    block_timing: Literal["equal", "equal_or_faster"] = "equal"
    stun_defeat: Literal["over", "limit"] = "over"
    collision_cancels: Literal["mover", "first_mover"] = "mover"
    edge_cancels: bool = False
    advantage_symbol: Literal["top", "up"] = "top"
    instant_order: Literal["top", "bottom"] = "top"


class Duel(msgspec.Struct, frozen=True):
    """What does not change during a match. Players are meant by their seat, counted from 0."""

    players: tuple[str, ...]
    seat: dict[str, int]
    samurai: tuple[str, ...]
    trees: tuple[dict[str, tuple[str, ...]], ...]
    health: tuple[int, ...]
    limit: tuple[int, ...]
    decks: tuple[dict[str, int], ...]
    instants: tuple[tuple[str, ...], ...]
    """The instants in each deck."""
    chooseable: tuple[tuple[tuple[str, int, str], ...], ...]
    """In each deck the cards that can be the card of a round, their copies, and the kamae that they need."""
    cards: dict[str, Ability]
    arena: Arena
    terrain: dict[Hex, str]
    options: Options


class Samurai(msgspec.Struct, frozen=True):
    hex: Hex
    facing: int
    kamae: str = "gateway"
    row: tuple[str, ...] = ()
    """Wound cards as they lie before the player, in the order taken: `wound` or `bleeding`."""
    stuns: int = 0
    hand: int = 0
    """Ability cards in hand: neither stuns nor the passive card."""
    deck: int = 0
    pile: tuple[str | None, ...] = ()
    """Discards from bottom to top; None lies face down."""
    card: str | None = None
    """The round's card once it is revealed."""
    laid: tuple[str, ...] = ()
    """Instants laid over it."""
    defeated: bool = False
    shown: dict[str, int] = {}
    """Copies of each card that lie open: in play, or face up among the discards."""

    @property
    def wounds(self) -> int:
        return self.row.count("wound")

    @property
    def bleeding(self) -> int:
        return self.row.count("bleeding")


class Activation(msgspec.Struct, frozen=True):
    """A segment that waits for its initiative. A player's own come in their order, first one first."""

    player: int
    card: str
    segment: int
    speed: int
    """-1: its player has still to choose it."""
    at_once: bool = False
    """Before everything else: it follows right after the card it was laid on."""
    added: tuple[str, ...] = ()
    """Additional instants without a speed, whose lines are appended."""


class Frame(msgspec.Struct, frozen=True):
    """Lines in the middle of being resolved; a block inside a card is a frame of its own, above it."""

    player: int
    lines: Lines
    speed: int
    hit: bool = False
    """Whether the last attack among them struck somebody."""


class Guard(msgspec.Struct, frozen=True):
    """A block that stands."""

    player: int
    speed: int
    hexes: tuple[Hex, ...]
    then: Lines


class Ask(msgspec.Struct, frozen=True):
    """What one player has to say before anything goes on."""

    player: int
    kinds: tuple[str, ...]
    line: AnyLine | None = None


class State(msgspec.Struct, frozen=True):
    duel: Duel
    samurai: tuple[Samurai, ...]
    advantage: tuple[int, ...]
    round: int = 1
    stage: str = "select"
    """`select`, `reveal`, `resolve`, `over`."""
    queue: tuple[Activation, ...] = ()
    frames: tuple[Frame, ...] = ()
    guards: tuple[Guard, ...] = ()
    clock: int = 10
    """The initiative that the round has come down to."""
    acting: int = -1
    """Whose card is being resolved."""
    window: str = ""
    """Instants before the next activation: not asked yet, `open`, `shut`."""
    asking: tuple[int, ...] = ()
    """Who is still to be asked in the open window."""
    quiet: tuple[int, ...] = ()
    """Who wants no more instants this round."""
    stirred: tuple[int, ...] = ()
    """Who has moved this round, first one first."""
    ask: Ask | None = None
    winners: tuple[int, ...] = ()


def facts(state: State) -> dict[str, Any]:
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


PHASES = {"select": "draw", "reveal": "activation", "resolve": "activation", "over": "over"}
TYPE_ORDER = {"defence": 0, "attack": 1, "meditation": 2, "core": 3}


def in_order(state: State) -> list[Activation]:
    """What still waits, in the order in which it will act as things stand now."""
    waiting, found = list(state.queue), []
    while waiting:
        nearest = first_of(waiting, state.duel, state.advantage)
        found.append(nearest)
        waiting.remove(nearest)
    return found


def first_of(waiting: list[Activation], duel: Duel, advantage: tuple[int, ...] | list[int]) -> Activation:
    """The next to act: highest initiative, then by type, then by advantage (SJ-14, SJ-26, SJ-27)."""
    heads: dict[int, Activation] = {}
    for activation in waiting:
        heads.setdefault(activation.player, activation)
    if len(heads) == 1:
        return waiting[0]

    def rank(head: Activation) -> tuple[bool, int, int, int]:
        kind = TYPE_ORDER[duel.cards[head.card].type]
        return not head.at_once, -head.speed, kind, advantage.index(head.player)

    return min(heads.values(), key=rank)
