"""What beats what, and what each weapon does, drawn."""

from companion.core.message import Thing, message
from companion.games.kit.topics import Branches, Examples, Node, Topic
from companion.games.san_ni_ichi.cards import BEATS, BLOCK, ELEMENTS, SAI, SHURIKEN, TONFA, TORINOKO, YOSO
from companion.games.san_ni_ichi.state import SanNiIchiState

CORNERS = {"fire": (0.5, 0.16), "wood": (0.84, 0.8), "water": (0.16, 0.8)}
RULES = {
    BLOCK: ("SNI-29", "SNI-30", "SNI-31", "SNI-32"),
    TORINOKO: ("SNI-34", "SNI-35", "SNI-36", "SNI-38"),
    SAI: ("SNI-40", "SNI-41"),
    SHURIKEN: ("SNI-42", "SNI-43"),
    YOSO: ("SNI-44", "SNI-45", "SNI-46"),
    TONFA: ("SNI-48", "SNI-49", "SNI-50"),
}


def topics(state: SanNiIchiState) -> tuple[Topic, ...]:
    cards = state.table.values
    nodes = tuple(Node(message("{element}", element=Thing("card", each)), each, CORNERS[each]) for each in ELEMENTS)
    beats = tuple((ELEMENTS.index(winner), ELEMENTS.index(loser)) for winner, loser in BEATS.items())
    elements = Topic(message("What beats what"), ("SNI-25", "SNI-19"), Branches(nodes, beats))
    weapons = (
        Topic(
            message("What does it do? {weapon}", weapon=Thing("card", found[0])),
            rules,
            Examples(found),
        )
        for kind, rules in RULES.items()
        if (found := tuple(card for card in cards if card.startswith(f"{kind}-")))
    )
    return (elements, *weapons)
