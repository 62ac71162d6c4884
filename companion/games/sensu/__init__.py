"""Sensu: combinations of twenty, fans of ten. Enrico Vicario, DV Games / daVinci Editrice 2023."""

from companion.core.message import message
from companion.games.kit.game import Game, OnTable, PrintedCards, Reveals, Rules
from companion.games.sensu import happenings, moves
from companion.games.sensu.acts import award, end, rename, standing_winners
from companion.games.sensu.advice import advice
from companion.games.sensu.faces import deck
from companion.games.sensu.figures import FIGURES
from companion.games.sensu.layout import layout
from companion.games.sensu.legal_moves import choices, legal_moves, parts
from companion.games.sensu.lobby import SET_UP
from companion.games.sensu.lying import lies
from companion.games.sensu.names import names
from companion.games.sensu.order import PROMPTS, awaits, out_of_turn
from companion.games.sensu.paper import paper
from companion.games.sensu.play import apply, check
from companion.games.sensu.printed import corrected, printed
from companion.games.sensu.reading import laid, read, ready
from companion.games.sensu.setup import SEATS, setup
from companion.games.sensu.topics import topics
from companion.games.sensu.view import facts, view

GAME = Game(
    name="sensu",
    title="Sensu",
    seats=SEATS,
    rules=Rules(
        home=__name__,
        moves=moves,
        setup=setup,
        awaits=awaits,
        check=check,
        apply=apply,
        facts=facts,
        view=view,
        legal_moves=legal_moves,
        names=names,
        standing="sticks",
        tally_title=message("Sticks"),
        award=award,
        end=end,
        standing_winners=standing_winners,
        rename=rename,
        prompts=PROMPTS,
        out_of_turn=out_of_turn,
        happenings=happenings,
    ),
    reveals=Reveals(
        ready=ready,
    ),
    table=OnTable(
        layout=layout,
        deck=deck,
        read=read,
        lies=lies,
        laid=laid,
        choices=choices,
        parts=parts,
        advice=advice,
    ),
    printed=PrintedCards(
        rows=printed,
        corrected=corrected,
    ),
    set_up=SET_UP,
    topics=topics,
    figures=FIGURES,
    paper=paper,
)
