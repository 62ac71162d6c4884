"""An ability card as data: segments of lines, each line one action, resolved from top to bottom.

The text in which an owner writes a card is read by `script` and written by `scribe`; both speak of these structs.
Offsets on a card are doubled hex coordinates with the samurai in the middle, looking up.
"""

import re
from functools import cache
from unicodedata import combining, normalize

import msgspec

from companion.games.senjutsu.hexes import Hex

TYPES = ("defence", "attack", "meditation", "core")
"""In the order in which they act on a tie (SJ-26; SJ-R3 for the passive card)."""
RANKS = ("jade", "gold", "steel", "wood")
KAMAE = ("gateway", "aggression", "balance", "determination")
PASSIVE, STUN = "passive", "stun"
FASTEST = 10


class CardLine(msgspec.Struct, frozen=True, tag_field="do", omit_defaults=True):
    """One action of a card."""


class Harm(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is done to a samurai: cards taken, hexes pushed, cards discarded face up."""

    wound: int = 0
    bleed: int = 0
    stun: int = 0
    push: int = 0
    discard: int = 0


class AttackLine(CardLine, frozen=True, tag="attack"):
    """Strikes every other samurai on these hexes."""

    hexes: tuple[tuple[Hex, int], ...]
    """The offset, and how many wounds a samurai there takes."""
    harm: Harm = Harm()
    """The rest of the harm; its `wound` is the number that an `x` in the picture stands for."""


class BlockLine(CardLine, frozen=True, tag="block"):
    """Stops attacks that come from these hexes at its own initiative."""

    hexes: tuple[Hex, ...]
    then: tuple["AnyLine", ...] = ()
    """Resolved at once when it has stopped an attack."""


class StepLine(CardLine, frozen=True, tag="move"):
    hexes: int
    ways: tuple[int, ...] = (0, 1, 2, 3, 4, 5)
    """Relative to the samurai's facing."""
    may: bool = False
    """From none up to that many hexes; otherwise exactly that many."""


class RotateLine(CardLine, frozen=True, tag="rotate"):
    sixths: int
    side: int = 0
    """-1 left, 1 right, 0 either."""
    may: bool = False


class DrawLine(CardLine, frozen=True, tag="draw"):
    cards: int
    may: bool = False


class DiscardLine(CardLine, frozen=True, tag="discard"):
    """The player's own choice of cards, face down."""

    cards: int


class SufferLine(CardLine, frozen=True, tag="suffer"):
    harm: Harm


class FoesLine(CardLine, frozen=True, tag="foes"):
    """Done to every other samurai, wherever it stands."""

    harm: Harm


class EveryoneLine(CardLine, frozen=True, tag="everyone"):
    """Done to every samurai at the same moment, including the player's."""

    harm: Harm


class AdvantageLine(CardLine, frozen=True, tag="advantage"):
    pass


class KamaeLine(CardLine, frozen=True, tag="kamae"):
    """May follow one branch of the kamae tree."""


class CostLine(CardLine, frozen=True, tag="cost"):
    """Paid at once; if it cannot be paid, the rest of this block is skipped."""

    discard: int = 0
    harm: Harm = Harm()


class InKamaeLine(CardLine, frozen=True, tag="in"):
    """Counts only in one of these kamae, tested when the line comes up."""

    kamae: tuple[str, ...]
    lines: tuple["AnyLine", ...]


class EitherLine(CardLine, frozen=True, tag="either"):
    choices: tuple[tuple["AnyLine", ...], ...]


class MayLine(CardLine, frozen=True, tag="may"):
    lines: tuple["AnyLine", ...]


class OnHitLine(CardLine, frozen=True, tag="hit"):
    """Only if the attack above struck somebody."""

    lines: tuple["AnyLine", ...]


class ForcedDiscard(CardLine, frozen=True, tag="drop"):
    """A discard that an opponent forces, face up. No card has this line: an attack or `foes` causes it."""

    cards: int


AnyLine = (
    AttackLine
    | BlockLine
    | StepLine
    | RotateLine
    | DrawLine
    | DiscardLine
    | SufferLine
    | FoesLine
    | EveryoneLine
    | AdvantageLine
    | KamaeLine
    | CostLine
    | InKamaeLine
    | EitherLine
    | MayLine
    | OnHitLine
    | ForcedDiscard
)
Lines = tuple[AnyLine, ...]


class Segment(msgspec.Struct, frozen=True, omit_defaults=True):
    lines: Lines
    speed: tuple[int, ...] = ()
    """`(7,)`; `(6, 2)` for the values between, chosen after the reveal; `()` where none is printed."""


class Ability(msgspec.Struct, frozen=True, omit_defaults=True):
    id: str
    name: str
    type: str
    rank: str
    segments: tuple[Segment, ...]
    instant: str = ""
    """`replace`, `add`, or not an instant."""
    equal: bool = False
    """An additional instant marked `=`: it acts right after the card it is laid on, at that card's initiative."""
    needs: str = ""
    """Only playable in this kamae (some sensei cards)."""
    sensei: bool = False
    number: str = ""
    season: int = 1
    origin: str = "house"
    note: str = ""
    """Which of its values have which origin."""

    @property
    def speed(self) -> tuple[int, ...]:
        return self.segments[0].speed

    @property
    def of_a_round(self) -> bool:
        """Whether it can be the card of a round: an instant only with a speed of its own (SJ-R20)."""
        return not self.instant or bool(self.speed)


ALSO = {"core": PASSIVE, "core_card": PASSIVE, "passive_card": PASSIVE, "stun_card": STUN}
"""Other names of the same cards (SJ-R32)."""


@cache
def identity(name: str) -> str:
    """`Wild Swing` -> `wild_swing`; an id stays as it is."""
    bare = "".join(sign for sign in normalize("NFKD", name.lower()) if not combining(sign))
    plain = re.sub(r"[^a-z0-9]+", "_", re.sub("['’]", "", bare)).strip("_")
    return ALSO.get(plain, plain)
