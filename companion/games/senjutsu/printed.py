"""Where the data of the game comes from: the booklet, what follows from it, and what is ours."""

from companion.games.senjutsu.cards import starter_cards


def sources() -> dict[str, str]:
    cards = {
        card.name: f"{card.origin} ({card.note})" if card.note else card.origin for card in starter_cards().values()
    }
    return cards | {
        "health of five": "inferred (option `health`)",
        "hand limit of five": "booklet (option `hand_limit`)",
        "arena of 8 by 5 hexes": "house (option `arena`)",
        "marked start hexes": "house (option `start_hexes`)",
        "initiative numbers": "house (option `samurai`)",
        "kamae trees": "house, except the branch from the gateway to balance (option `samurai`)",
        "starter decks": "house (option `decks`)",
    }
