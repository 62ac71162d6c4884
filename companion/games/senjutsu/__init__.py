"""Senjutsu: Battle for Japan. Duels of two to four samurai with wounds, initiative, kamae and instants.

A card is a script (`card_language`), a duel is the public state (`state`). `play` puts a move into the duel, and
`round` goes on from there: lines in `resolve`, steps in `movement`, instants in `instants`.
"""

from companion.core.message import message
from companion.games.kit.game import Game, OnTable, PrintedCards, Reveals, Rules
from companion.games.senjutsu import happenings, moves
from companion.games.senjutsu.acts import award, end, rename, standing_winners
from companion.games.senjutsu.advice import advice
from companion.games.senjutsu.card_language.given import scripted
from companion.games.senjutsu.faces import deck
from companion.games.senjutsu.figures import FIGURES
from companion.games.senjutsu.layout import layout
from companion.games.senjutsu.legal_moves import legal_moves, parts
from companion.games.senjutsu.lobby import SET_UP
from companion.games.senjutsu.lying import lies
from companion.games.senjutsu.moves import TOGETHER
from companion.games.senjutsu.names import names
from companion.games.senjutsu.order import PROMPTS, awaits, out_of_turn
from companion.games.senjutsu.paper import paper
from companion.games.senjutsu.play import apply, check
from companion.games.senjutsu.printed import sources
from companion.games.senjutsu.reading import laid, misplaced, read, ready
from companion.games.senjutsu.setup import setup
from companion.games.senjutsu.topics import topics
from companion.games.senjutsu.view import facts, view

GAME = Game(
    name="senjutsu",
    title="Senjutsu: Battle for Japan",
    seats=range(2, 5),
    rules=Rules(
        can_be_drawn=True,
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
        names=names,
        out_of_turn=out_of_turn,
        happenings=happenings,
        standing="row",
        tally_title=message("Wounds"),
        award=award,
        end=end,
        standing_winners=standing_winners,
        rename=rename,
        prompts=PROMPTS,
    ),
    reveals=Reveals(
        locks=frozenset({"select"}),
        covered_rules=lambda place: ("SJ-47", "SJ-48"),
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
        advice=advice,
    ),
    printed=PrintedCards(
        sources=sources,
        scripted=scripted,
    ),
    set_up=SET_UP,
    topics=topics,
    figures=FIGURES,
    paper=paper,
)
