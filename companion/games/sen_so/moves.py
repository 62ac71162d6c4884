"""Everything a player can do in Sen So, as the kifu has it."""

from companion.games.kit.game import Move
from companion.games.sen_so.geometry import NUMBER, Direction
from companion.games.sen_so.state import Glance, Slot


class Arm(Move, frozen=True, tag="arm"):
    """Choose the weapons of this match; Shuriken once per card."""

    weapons: tuple[str, ...]


class Set(Move, frozen=True, tag="set"):
    """A card lies face down in each of these places."""

    slots: tuple[Slot, ...]


class Show(Move, frozen=True, tag="show"):
    """The start weapon is turned up."""

    weapon: str


class ChangeBlock(Move, frozen=True, tag="change_block"):
    """The first action was a block: it takes the old one's place, unseen."""


class ChangeWeapon(Move, frozen=True, tag="change_weapon"):
    """The first action was a weapon: it takes the old one's place."""

    weapon: str


class SecondWeapon(Move, frozen=True, tag="second_weapon"):
    """SEN-A5: the first action was a weapon, and it takes the block's place."""

    weapon: str


class RotateBlock(Move, frozen=True, tag="rotate_block"):
    """SEN-A4: a face-up block is turned by one angle."""

    direction: Direction


class RevealAction(Move, frozen=True, tag="reveal"):
    """The first action is turned up."""

    card: str
    direction: str | None = None
    """Any text is taken here, so that a wrong or missing direction is refused by the rule that asks for one (SEN-7)."""

    @property
    def turn(self) -> int:
        """The direction in eighths, clockwise from straight ahead."""
        return NUMBER[self.direction or ""]  # `check` has made sure that there is one


class AimAt(Move, frozen=True, tag="aim"):
    """The one location that is attacked."""

    cell: str


class AsGlance(Move, frozen=True, tag="glance"):
    """SEN-A3 `choice`: what a glancing attack counts as."""

    result: Glance


class ShowBlock(Move, frozen=True, tag="guard"):
    """The hidden block is turned up because it stops a blow, or it does not face that side."""

    direction: Direction | None


class Concede(Move, frozen=True, tag="concede"):
    """SEN-A1: give up."""


Changes = ChangeBlock | ChangeWeapon | SecondWeapon
Moves = Arm | Set | Show | Changes | RotateBlock | RevealAction | AimAt | AsGlance | ShowBlock | Concede
