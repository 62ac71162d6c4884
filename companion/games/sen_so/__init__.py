"""Sen So: programmed moves on a grid, revealed together, for points."""

from companion.games.kit.catalogue import namer, names_of, rules_of
from companion.games.kit.game import Game
from companion.games.sen_so import cards, ending, options, order, play, setup, table, view
from companion.games.sen_so.moves import Moves
from companion.games.sen_so.state import WEAPONS


def sources() -> dict[str, str]:
    """What the booklet gives, what follows from it, and what is ours."""
    titles = names_of(__package__)
    patterns = {f"attack pattern of the {titles[name]}": each.pattern_origin for name, each in WEAPONS.items()}
    return {
        "inventory spaces of the weapons": "booklet",
        **patterns,
        "board of 9 by 9 spaces": "house (option `board`)",
        "starts in the middle of each side": "house (option `starts`)",
        "hands that each weapon takes (SEN-A5)": "house (option `hands`)",
        "two copies of each action card": "inferred",
    }


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
    names=namer(__package__),
    untimely=order.untimely,
    locks=frozenset({"set"}),
    lies_still=lambda place: tuple(rule for slot, rule in setup.SLOT_RULES.items() if slot == place),
    reveals=("show", "change_block", "change_weapon", "second_weapon", "reveal"),
    sources=sources,
    prompts={
        "arm": "Choose the weapons of this match.",
        "aim": "Choose the location of the attack.",
        "glance": "Choose what the glancing attack counts as.",
        "guard": "You are hit: turn up the block if it faces the blow, or say that it does not.",
    },
    time_limit=ending.time_limit,
    misplaced=table.misplaced,
)
