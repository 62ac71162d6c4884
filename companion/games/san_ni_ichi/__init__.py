"""San, Ni, Ichi! for three to six players: seven rounds of one hidden card each."""

from companion.core.message import message
from companion.games.kit.game import Game, OnTable, PrintedCards, Reveals, Rules
from companion.games.san_ni_ichi import happenings, moves
from companion.games.san_ni_ichi.acts import award, end, rename, rename_in_move, standing_winners
from companion.games.san_ni_ichi.faces import deck
from companion.games.san_ni_ichi.figures import FIGURES
from companion.games.san_ni_ichi.layout import layout
from companion.games.san_ni_ichi.legal_moves import legal_moves, parts
from companion.games.san_ni_ichi.lobby import SET_UP
from companion.games.san_ni_ichi.lying import lies
from companion.games.san_ni_ichi.moves import TOGETHER
from companion.games.san_ni_ichi.order import awaits, out_of_turn
from companion.games.san_ni_ichi.play import apply, check
from companion.games.san_ni_ichi.printed import corrected, printed
from companion.games.san_ni_ichi.reading import laid, misplaced, misplaced_cards, misplaced_pile, read, ready
from companion.games.san_ni_ichi.setup import setup
from companion.games.san_ni_ichi.topics import topics
from companion.games.san_ni_ichi.view import facts, view

GAME = Game(
    name="san_ni_ichi",
    title="San, Ni, Ichi!",
    seats=range(3, 7),
    rules=Rules(
        home=__name__,
        moves=moves,
        together=TOGETHER,
        setup=setup,
        awaits=awaits,
        check=check,
        apply=apply,
        facts=facts,
        view=view,
        legal_moves=legal_moves,
        out_of_turn=out_of_turn,
        happenings=happenings,
        standing="damage",
        tally=lambda state: [len(pile) for pile in state.damage],
        tally_title=message("Cards in the Damage Pile"),
        award=award,
        end=end,
        standing_winners=standing_winners,
        rename=rename,
        rename_in_move=rename_in_move,
        prompts={
            "select": message("Lay a card face down and crosswise; press ready."),
            "sit_out": message("Show your smoke bombs face up, and press ready."),
            "play": message("Your card is next: play it on a Combat Pile, or discard it."),
            "block": message("Your Block is next: turn it upright, or discard it."),
            "sai": message("Your Sai is next: swap two Combat Piles, or discard it."),
            "shuriken": message("Your Shuriken is next: into whose Damage Pile?"),
            "tonfa": message("Your Tonfa is next: take a top card and discard one from the hand."),
            "smoke": message("Smoke bomb, or ready to pass?"),
        },
    ),
    reveals=Reveals(
        locks=frozenset({"select", "sit_out"}),
        open_locks=frozenset({"sit_out"}),
        covered_rules=lambda place: ("SNI-11", "SNI-12"),
        kinds=("reveal",),
        ready=ready,
    ),
    table=OnTable(
        layout=layout,
        deck=deck,
        read=read,
        lies=lies,
        laid=laid,
        parts=parts,
        misplaced=misplaced,
        misplaced_cards=misplaced_cards,
        misplaced_call=misplaced_pile,
    ),
    printed=PrintedCards(
        rows=printed,
        corrected=corrected,
    ),
    set_up=SET_UP,
    topics=topics,
    figures=FIGURES,
)
