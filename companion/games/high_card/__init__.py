"""High Card: three rounds, and the highest card wins each. The smallest game here, to begin your own from."""

from companion.core.message import message
from companion.games.high_card import layout, lobby, moves, play, view
from companion.games.kit.game import Game, OnTable, Reveals, Rules

GAME = Game(
    name="high_card",
    title="High Card",
    seats=range(2, 5),
    rules=Rules(
        home=__package__,
        moves=moves,
        happenings=moves,
        together=frozenset({"lay", "turn_up"}),
        setup=play.setup,
        check=play.check,
        apply=play.apply,
        legal_moves=play.legal_moves,
        view=view.view,
        prompts={"lay": message("Lay a card face down and press ready.")},
    ),
    reveals=Reveals(kinds=("turn_up",), locks=frozenset({"lay"}), covered_rules=lambda place: ("HC-2",)),
    table=OnTable(layout=layout.layout, deck=layout.deck, read=layout.read, laid=layout.CARD.laid),
    set_up=lobby.SET_UP,
)
