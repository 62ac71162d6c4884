"""Sen So: programmed moves on a grid, revealed together, for points."""

from companion.catalogue import rules_of
from companion.game import Game
from companion.games.sen_so import cards, ending, options, order, play, setup, table, view
from companion.games.sen_so.moves import Moves

GAME = Game(
    name="sen_so",
    title="Sen So",
    seats=range(2, 5),
    moves=Moves,
    together=play.TOGETHER,
    setup=setup.setup,
    awaits=order.awaits,
    check=play.check,
    apply=play.apply,
    tick=ending.tick,
    facts=ending.facts,
    view=view.view,
    options=options.options,
    layout=table.layout,
    deck=cards.deck,
    read=table.read,
    rules=lambda: rules_of(__package__),
    untimely=order.untimely,
    locks=frozenset({"set"}),
    reveals=("show", "change_block", "change_weapon", "reveal"),
    prompts={
        "arm": "Choose the weapons of this match.",
        "aim": "Choose the location of the attack.",
        "glance": "Choose what the glancing attack counts as.",
        "guard": "You are hit: turn up the block if it faces the blow, or say that it does not.",
    },
    time_limit=ending.time_limit,
    misplaced=table.misplaced,
)
