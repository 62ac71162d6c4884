"""The kamae trees of the samurai in the duel, drawn."""

from companion.core.message import Thing, message
from companion.games.kit.topics import Branches, Node, Topic
from companion.games.senjutsu.card_language.ability import KAMAE
from companion.games.senjutsu.kamae_board import CORNERS
from companion.games.senjutsu.state import DuelState


def topics(state: DuelState) -> tuple[Topic, ...]:
    duel = state.duel
    return tuple(
        Topic(
            message("Kamae tree: {player}", player=Thing("player", player)),
            ("SJ-29", "SJ-31", "SJ-32"),
            Branches(
                tuple(
                    Node(
                        message("{kamae}", kamae=Thing("kamae", kamae)),
                        kamae,
                        (0.5 + 0.28 * CORNERS[kamae][0], 0.5 - 0.28 * CORNERS[kamae][1]),
                    )
                    for kamae in KAMAE
                ),
                tuple((KAMAE.index(one), KAMAE.index(other)) for one, ends in tree.items() for other in ends),
            ),
        )
        for player, tree in zip(duel.players, duel.trees, strict=True)
    )
