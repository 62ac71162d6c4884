"""The people of a duel at the virtual table: their real cards, their miniatures, and what befalls them.

A miniature stands somewhere in millimetres, and the table is the plane of complex numbers: a turn is a factor.
"""

from cmath import exp, pi
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from random import Random

from companion.games.senjutsu.card_language import ability as a
from companion.games.senjutsu.hexes import Hex
from companion.games.senjutsu.layout import ArenaOnTable
from companion.games.senjutsu.state import DuelState

SIXTH = exp(-1j * pi / 3)
"""A sixth of a turn clockwise."""


@dataclass(eq=False)
class Fighter:
    """A person at the table: the cards that only they know, what lies before them, and their miniature."""

    name: str
    place: complex
    facing: int
    tree: dict[str, tuple[str, ...]]
    health: int
    limit: int
    deck: list[str]
    hand: list[str] = field(default_factory=list)
    """Ability cards; stuns are counted and the passive card is always there."""
    stuns: int = 0
    row: list[str] = field(default_factory=list)
    """Wound cards: `wound` or `bleeding`."""
    pile: list[tuple[str, bool]] = field(default_factory=list)
    """Discards from bottom to top, and whether each lies face up."""
    card: str = ""
    """The round's card, first face down."""
    laid: list[str] = field(default_factory=list)
    kamae: str = "gateway"
    fallen: bool = False
    quiet: bool = False
    """Has said: no more instants this round."""
    broken: int = 0
    """How often the rest of this player's card was cancelled."""

    @property
    def open_cards(self) -> list[str]:
        return [*(card for card, up in self.pile if up), self.card, *self.laid]


@dataclass(eq=False)
class Turn:
    """A segment that waits for its initiative; what is left of it once it is broken is not played."""

    who: Fighter
    card: str
    lines: a.Lines
    speeds: tuple[int, ...]
    speed: int
    """-1: its player has still to choose."""
    behind: bool = False
    """Right after the card that it was laid on."""
    added: a.Lines = ()
    """Of instants without a speed that were laid on it."""


@dataclass(eq=False)
class Guard:
    who: Fighter
    speed: int
    line: a.BlockLine


class People:
    """Everybody at the table, where they stand, what waits and what is held up against it."""

    def __init__(self, state: DuelState, random: Random, spare: Callable[[Fighter], str]) -> None:
        duel = state.duel
        self.random, self.spare = random, spare
        """`spare` names the card that a player gives up when one has to go."""
        self.cards, self.options = duel.cards, duel.options
        self.decks = dict(zip(duel.players, duel.decks, strict=True))
        ground = ArenaOnTable(duel)
        self.across, self.up = 1.5 * ground.side, ground.tall / 2
        self.hexes = [complex(*ground.centre(place)) for place in duel.arena.hexes if place not in duel.terrain]
        self.fighters: dict[str, Fighter] = {}
        for seat, name in enumerate(duel.players):
            deck = [card for card, copies in duel.decks[seat].items() for _ in range(copies)]
            random.shuffle(deck)
            stands = state.samurai[seat]
            self.fighters[name] = Fighter(
                name=name,
                place=complex(*ground.centre(stands.hex)),
                facing=stands.facing,
                tree=duel.trees[seat],
                health=duel.health[seat],
                limit=duel.limit[seat],
                deck=deck[: -stands.hand],
                hand=deck[-stands.hand :],
            )
        self.advantage = [duel.players[seat] for seat in state.advantage]
        self.over = False
        self.queue: list[Turn] = []
        self.guards: list[Guard] = []
        self.moved: list[Fighter] = []
        """Who has moved this round, first one first."""
        self.acting: Fighter | None = None

    @property
    def standing(self) -> list[Fighter]:
        return [who for who in self.fighters.values() if not who.fallen]

    # --- places -------------------------------------------------------------------------------------------------

    def spot(self, who: Fighter, offset: Hex) -> complex:
        """Where a hex of the card lies on the table when its samurai stands and looks so."""
        return who.place + complex(self.across * offset[0], self.up * offset[1]) * SIXTH**who.facing

    def walked(self, who: Fighter, ways: Iterable[int]) -> complex:
        """Where so many steps lead if nothing is in the way."""
        return who.place + sum(2j * self.up * SIXTH**way for way in ways)

    def at(self, place: complex) -> Fighter | None:
        return next((who for who in self.standing if near(who.place, place)), None)

    def walk(self, who: Fighter, ways: Sequence[int], cause: Fighter) -> None:
        if ways and who not in self.moved:
            self.moved.append(who)
        against = False
        for way in ways:
            there = self.walked(who, (way,))
            other = self.at(there)
            if other:
                who.stuns += 1
                other.stuns += 1
                first = self.options.collision_cancels == "first_mover" and other in self.moved
                self.cancel(min(who, other, key=self.moved.index) if first else cause)
                break
            if any(near(there, place) for place in self.hexes):
                who.place = there
            elif self.options.edge_cancels:
                against = True
                self.cancel(cause)
                break
            else:
                against = True
        who.stuns += against

    # --- cards and wounds ---------------------------------------------------------------------------------------

    def hurt(self, who: Fighter, harm: a.Harm, wounds: int) -> None:
        who.row += ["wound"] * wounds + ["bleeding"] * harm.bleed
        who.stuns += harm.stun

    def draw(self, who: Fighter, count: int, mixed: str) -> None:
        """What cannot be drawn hurts, as the match has it."""
        missing = mixed if self.options.empty_deck == "mixed" else self.options.empty_deck
        for _ in range(count):
            if who.deck:
                who.hand.append(who.deck.pop())
            elif missing == "wound":
                who.row.append("wound")
            else:
                who.stuns += 1

    def give_up(self, who: Fighter, count: int) -> None:
        for _ in range(min(count, len(who.hand))):
            card = self.spare(who)
            who.hand.remove(card)
            who.pile.append((card, False))

    def cancel(self, who: Fighter) -> None:
        """Nothing more of this player's card is played."""
        who.broken += 1
        self.queue = [turn for turn in self.queue if turn.who is not who]
        if self.acting is who:
            self.acting = None

    def count_wounds(self) -> None:
        self.fall([who for who in self.standing if len(who.row) >= who.health])

    def fall(self, fallen: list[Fighter]) -> None:
        for who in fallen:
            who.fallen = True
            self.cancel(who)
        self.over = self.over or len(self.standing) < 2


def near(one: complex, other: complex) -> bool:
    return abs(one - other) < 4.0


def direction(way: complex) -> int:
    """The facing that points most nearly along this way; exactly between two the clockwise one."""
    along = [round((way.conjugate() * 1j * SIXTH**facing).real, 3) for facing in range(6)]
    best = [facing for facing in range(6) if along[facing] == max(along)]
    return 0 if best == [0, 5] else best[-1]
