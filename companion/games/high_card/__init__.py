"""High Card: three rounds, and the highest card wins each. The smallest game here, to begin your own from."""

from companion.core.message import message
from companion.games.high_card import faces, happenings, layout, lobby, moves, play, reading, view
from companion.games.kit.catalogue import namer, rules_of
from companion.games.kit.game import Game, OnTable, Reveals, Rules

GAME = Game(
    name="high_card",
    title="High Card",
    seats=range(2, 5),
    rules=Rules(
        moves=moves.Moves,
        together=play.TOGETHER,
        setup=play.setup,
        awaits=play.awaits,
        check=play.check,
        apply=play.apply,
        legal_moves=play.legal_moves,
        facts=view.facts,
        view=view.view,
        happenings=happenings.Happenings,
        catalogue=lambda: rules_of(__package__),
        names=namer(__package__),
        prompts={"lay": message("Lay a card face down and press ready.")},
    ),
    reveals=Reveals(kinds=("turn_up",), locks=frozenset({"lay"}), covered_rules=lambda place: ("HC-2",)),
    table=OnTable(layout=layout.layout, deck=faces.deck, read=reading.read, laid=reading.laid),
    set_up=lobby.SET_UP,
)
