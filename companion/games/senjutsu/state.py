"""The public state of a duel. Hands and decks are counts; nothing hidden is kept, so nothing hidden can leak."""

from typing import Any, Literal, NamedTuple, TypeVar

import msgspec

from companion.core.message import Thing
from companion.games.senjutsu import moves as m
from companion.games.senjutsu.card_language.ability import Ability, AnyLine, CardLine, Lines
from companion.games.senjutsu.hexes import Arena, Hex

L = TypeVar("L", bound=CardLine)


class Console(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A samurai as given in a header; what it leaves out is taken from the starter set."""

    id: str = ""
    initiative: int | None = None
    health: int | None = None
    hand: int | None = None
    tree: dict[str, list[str]] | None = None


class SenjutsuOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
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
    """What does not change during a match. Players are known by their seat, counted from 0."""

    players: tuple[str, ...]
    named: tuple[Thing, ...]
    """The players, as sentences name them."""
    seat: dict[str, int]
    samurai: tuple[str, ...]
    trees: tuple[dict[str, tuple[str, ...]], ...]
    health: tuple[int, ...]
    limit: tuple[int, ...]
    decks: tuple[dict[str, int], ...]
    of_a_round: tuple[tuple["CardInDeck", ...], ...]
    """In each deck the cards that can be the card of a round."""
    instants_on: tuple[dict[str, tuple["CardInDeck", ...]], ...]
    """For each seat, the instants of its deck that can be laid on each card of the round, as far as types go."""
    cards: dict[str, Ability]
    arena: Arena
    terrain: dict[Hex, str]
    options: SenjutsuOptions


class CardInDeck(NamedTuple):
    """A card of a deck, with what tells whether it can be played now."""

    card: str
    copies: int
    needs: str
    """The only kamae in which it can be used; empty: any."""
    move: m.RevealCard | m.LayInstant
    """Playing it; the same moves are offered in every round, so they are made once."""
    replaces: bool = False
    """Of an instant, whether it replaces the card that it is laid on; otherwise it adds to it."""


class Samurai(msgspec.Struct, frozen=True, gc=False):
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
    """How many copies of each card are face up: in play, or among the discards."""

    @property
    def wounds(self) -> int:
        return self.row.count("wound")

    @property
    def bleeding(self) -> int:
        return self.row.count("bleeding")


class Activation(msgspec.Struct, frozen=True, gc=False):
    """A segment that waits for its initiative. Those of one player act in the order in which they stand here."""

    player: int
    card: str
    segment: int
    speed: int
    """-1: its player has not chosen it yet."""
    at_once: bool = False
    """An addition that acts before everything else, right after the card it was laid on."""
    added: tuple[str, ...] = ()
    """Additional instants without a speed, whose lines are appended."""


class Frame(msgspec.Struct, frozen=True, gc=False):
    """Lines that are being resolved. Lines nested in a line are a frame of their own on top of the stack."""

    player: int
    lines: Lines
    speed: int
    hit: bool = False
    """Whether the last attack among them struck somebody."""


class StandingBlock(msgspec.Struct, frozen=True, gc=False):
    """A block that has been resolved and protects its samurai until the end of the round."""

    player: int
    speed: int
    hexes: tuple[Hex, ...]
    then: Lines


class Ask(msgspec.Struct, frozen=True, gc=False):
    """What one player has to decide before the round goes on."""

    player: int
    kinds: tuple[str, ...]
    line: AnyLine | None = None


class DuelState(msgspec.Struct, frozen=True, gc=False):
    duel: Duel
    samurai: tuple[Samurai, ...]
    advantage: tuple[int, ...]
    round: int = 1
    stage: str = "select"
    """`select`, `reveal`, `resolve`, `over`."""
    queue: tuple[Activation, ...] = ()
    frames: tuple[Frame, ...] = ()
    blocks: tuple[StandingBlock, ...] = ()
    clock: int = 10
    """The initiative that the round has come down to."""
    acting: int = -1
    """Whose card is being resolved."""
    window: str = ""
    """Whether players are being asked for instants before the next activation: empty for not yet, `open`, `shut`."""
    asking: tuple[int, ...] = ()
    """Who is still to be asked in the open window."""
    quiet: tuple[int, ...] = ()
    """Who wants no more instants this round."""
    stirred: tuple[int, ...] = ()
    """Who has moved this round, the first first."""
    ask: Ask | None = None
    winners: tuple[int, ...] = ()
    idle: int = -1
    """Whole rounds in a row in which nobody played an ability card; -1 until all decks are empty (SJ-R36)."""

    def asking_line(self, kind: type[L]) -> L:
        """The line of a card that asks for the next answer."""
        assert self.ask is not None
        assert isinstance(self.ask.line, kind)
        return self.ask.line


PHASES = {"select": "draw", "reveal": "activation", "resolve": "activation", "over": "over"}
