"""Where the data of the game comes from."""

from companion.core.message import Message, message
from companion.games.kit.game import Source
from companion.games.senjutsu.cards import starter_cards

NOTES: dict[str, Message] = {
    "passive": message("speed 0, the cost, move or kamae are booklet; how far it moves is house"),
    "swift_mind": message("speed 9, move and optional rotation are booklet; rank, grid, kamae line house"),
    "firm_mind": message("speed 5, two optional hexes, rotation, draw 2 are booklet; rank, kamae line house"),
    "wild_swing": message("speed 7, two wounds, the Balanced discard are booklet; rank, grid house"),
    "calm_defence": message("speed 6-2 and the compulsory step back are booklet; rank, grid house"),
    "quick_stab": message(
        "draw up to 2 in the defensive kamae is the publisher's page; the copies need wood; speed, grid house"
    ),
    "circling_defence": message("a block with good movement, by the designers' diary; speed, grid, rank house"),
    "crimson_whirlwind": message(
        "an all-round sweep with long reach, by the designers' diary; speed, rank, kamae house"
    ),
}
"""What of a card is in the booklet, and what is ours."""


def sources() -> tuple[Source, ...]:
    cards = (
        Source(message("{card}", card=card.name), card.origin, NOTES.get(name))
        for name, card in starter_cards().items()
    )
    tree = message("except the branch from the gateway to balance")
    return (
        *cards,
        Source(message("health of five"), "inferred", option="health"),
        Source(message("hand limit of five"), "booklet", option="hand_limit"),
        Source(message("arena of 8 by 5 hexes"), "house", option="arena"),
        Source(message("marked start hexes"), "house", option="start_hexes"),
        Source(message("initiative numbers"), "house", option="samurai"),
        Source(message("kamae trees"), "house", tree, option="samurai"),
        Source(message("starter decks"), "house", option="decks"),
    )
