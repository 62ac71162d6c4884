"""What happened on the board, as data for the page to draw. Players are named, spaces have their names (`e5`)."""

from companion.core.rulings import Happening


class NinjaMoved(Happening, frozen=True, tag="moved"):
    """Somebody went from one space to another, bouncing back included."""

    player: str
    start: str
    cell: str


class NinjaCollided(Happening, frozen=True, tag="collided"):
    """Somebody ran into the wall or into another player, and ended on this space."""

    player: str
    cell: str


class AttackAimed(Happening, frozen=True, tag="aimed"):
    """An attacker chose a space, which may be empty."""

    attacker: str
    start: str
    cell: str


class NinjaStruck(Happening, frozen=True, tag="struck"):
    """A blow landed on the space where the defender stands."""

    attacker: str
    defender: str
    start: str
    cell: str
    blocked: bool
    """It met the defender's block, and costs the defender nothing."""


class BlowsExchanged(Happening, frozen=True, tag="exchanged"):
    """Two players struck each other and both blocked: nobody scores."""

    attacker: str
    defender: str
    start: str
    cell: str


class AttackGlanced(Happening, frozen=True, tag="glanced"):
    """An attack landed next to these players."""

    attacker: str
    others: tuple[str, ...]
    start: str
    cell: str
