"""Sensu: combinations of twenty, fans of ten. Enrico Vicario, DV Games / daVinci Editrice 2023."""

from companion.games.kit.catalogue import rules_of
from companion.games.kit.game import Game, OnTable, PrintedCards, Reveals, Rules
from companion.games.sensu.advice import advice
from companion.games.sensu.faces import deck
from companion.games.sensu.facts import facts
from companion.games.sensu.moves import Moves
from companion.games.sensu.names import names
from companion.games.sensu.printed import corrected, printed
from companion.games.sensu.reading import read, ready
from companion.games.sensu.setup import SEATS, setup
from companion.games.sensu.table import layout
from companion.games.sensu.turn import PROMPTS, apply, awaits, check, choices, options, tick, untimely
from companion.games.sensu.view import view

GAME = Game(
    name="sensu",
    title="Sensu",
    seats=SEATS,
    rules=Rules(
        moves=Moves,
        together=frozenset(),
        setup=setup,
        awaits=awaits,
        check=check,
        apply=apply,
        tick=tick,
        facts=facts,
        view=view,
        legal_moves=options,
        catalogue=lambda: rules_of(__name__),
        names=names,
        standing="sticks",
        prompts=PROMPTS,
        out_of_turn=untimely,
    ),
    reveals=Reveals(
        ready=ready,
    ),
    table=OnTable(
        layout=layout,
        deck=deck,
        read=read,
        choices=choices,
        advice=advice,
    ),
    printed=PrintedCards(
        rows=printed,
        corrected=corrected,
    ),
)
