"""Sen So: programmed moves on a grid, revealed together, for points."""

from companion.core.message import Thing, message
from companion.games.kit.game import Game, OnTable, PrintedCards, Reveals, Rules, Source
from companion.games.sen_so import (
    acts,
    ending,
    faces,
    happenings,
    layout,
    legal_moves,
    lobby,
    lying,
    moves,
    order,
    placement,
    play,
    reading,
    setup,
    topics,
    view,
)
from companion.games.sen_so.cards import WEAPONS
from companion.games.sen_so.figures import FIGURES


def sources() -> tuple[Source, ...]:
    """What the booklet gives, what follows from it, and what is ours."""
    patterns = (
        Source(message("attack pattern of the {weapon}", weapon=Thing("card", name)), each.pattern_origin)
        for name, each in WEAPONS.items()
    )
    return (
        Source(message("inventory spaces of the weapons"), "booklet"),
        *patterns,
        Source(message("board of 9 by 9 spaces"), "house", option="board"),
        Source(message("starts in the middle of each side"), "house", option="starts"),
        Source(message("hands that each weapon takes (SEN-A5)"), "house", option="hands"),
        Source(message("two copies of each action card"), "inferred"),
    )


GAME = Game(
    name="sen_so",
    title="Sen So",
    seats=range(2, 5),
    rules=Rules(
        home=__name__,
        moves=moves,
        together=play.TOGETHER,
        secret=frozenset({"arm"}),
        setup=setup.setup,
        awaits=order.awaits,
        check=play.check,
        apply=play.apply,
        tick=ending.tick,
        facts=view.facts,
        view=view.view,
        legal_moves=legal_moves.legal_moves,
        out_of_turn=order.out_of_turn,
        happenings=happenings,
        prompts={
            "arm": message("Choose the weapons of this match."),
            "aim": message("Choose the location of the attack."),
            "glance": message("Choose what the glancing attack counts as."),
            "guard": message("You are hit: turn up your block if it faces the blow, or say that it does not."),
        },
        time_limit=ending.time_limit,
        award=acts.award,
        add_time=acts.add_time,
        end=acts.end,
        standing_winners=ending.leaders,
        rename=acts.rename,
    ),
    reveals=Reveals(
        locks=frozenset({"set"}),
        covered_rules=lambda place: tuple(rule for slot, rule in placement.SLOT_RULES.items() if slot == place),
        kinds=("show", "change_block", "change_weapon", "second_weapon", "reveal"),
    ),
    table=OnTable(
        layout=layout.layout,
        deck=faces.deck,
        read=reading.read,
        lies=lying.lies,
        laid=reading.laid,
        misplaced=reading.misplaced,
    ),
    printed=PrintedCards(
        sources=sources,
    ),
    set_up=lobby.SET_UP,
    topics=topics.topics,
    figures=FIGURES,
)
