"""Sensu: combinations of twenty, fans of ten. Enrico Vicario, DV Games / daVinci Editrice 2023."""

from companion.games.kit.catalogue import rules_of
from companion.games.kit.game import Game
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
    moves=Moves,
    together=frozenset(),
    setup=setup,
    awaits=awaits,
    check=check,
    apply=apply,
    tick=tick,
    facts=facts,
    view=view,
    options=options,
    layout=layout,
    deck=deck,
    read=read,
    rules=lambda: rules_of(__name__),
    names=names,
    ready=ready,
    choices=choices,
    advice=advice,
    standing="sticks",
    printed=printed,
    corrected=corrected,
    prompts=PROMPTS,
    untimely=untimely,
)
