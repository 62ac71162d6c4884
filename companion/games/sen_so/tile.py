"""Sen So's drawing for the lobby: two ninja on the board, and a blow between them."""

from companion.core.drawing import Circle, Face, Polygon, Shape, placed, rectangle
from companion.games.kit.tiles import HEIGHT, WIDTH
from companion.games.sen_so.faces import BLUE, GOLD, INK, PAPER, RED, star

SPACE = 10.0


def _ninja(band: str, side: int) -> tuple[Shape, ...]:
    """The ends of the headband fly to that side."""
    return (
        Polygon(((side * 7, 4), (side * 14, 9), (side * 12, 4), (side * 15, 1)), band, INK, 0.4),
        Circle((0, 0), 9, INK, "#000000", 0.4),
        rectangle(14, 5.5, fill="#f0c8a0", at=(0, -0.5)),
        rectangle(17, 2.6, fill=band, at=(0, 4)),
        Circle((-3.2, -0.7), 1.1, INK),
        Circle((3.2, -0.7), 1.1, INK),
    )


TILE = Face(
    WIDTH,
    HEIGHT,
    (
        *(
            rectangle(
                SPACE, SPACE, fill=("#dcd3bd", PAPER)[(column + row) % 2], at=(SPACE * column - 35, SPACE * row - 25)
            )
            for column in range(8)
            for row in range(6)
        ),
        *placed([star(GOLD, (0.0, 0.0), 15.0, 8, 0.5)], (0, 0), 10),
        *placed([star("#6b6b78", (0.0, 0.0), 10.0), Circle((0, 0), 2, PAPER, INK)], (0, 0), 22),
        *placed(_ninja(RED, -1), (-20, -15), 0, 1.1),
        *placed(_ninja(BLUE, 1), (20, 15), 0, 1.1),
    ),
)
