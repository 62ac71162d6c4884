"""Set-up: who plays, with which cards and options."""

from collections.abc import Mapping, Sequence
from typing import Any

from companion.core.message import message, things
from companion.games.kit.faults import Faults
from companion.games.kit.game import decode_options
from companion.games.sensu.card_sets import EMPTY, card_set
from companion.games.sensu.cards import CARDS, HAND, SYMBOLS, TYPES, deck_of, sticks_of
from companion.games.sensu.piles import DECK
from companion.games.sensu.solo import COLUMNS
from companion.games.sensu.state import Fan, FanSeat, SensuOptions, SensuState, Terms

SEATS = range(1, 6)
VARIANTS = ("powers", "chosen_fan")


def setup(players: Sequence[str], raw: Mapping[str, Any]) -> SensuState:
    faults = Faults()
    if len(players) not in SEATS:
        told = message("Sensu is for 1 to 5 players, not for {number}.", number=len(players))
        faults.add("SU-6", told, "players")
    faults.refuse()
    options = decode_options(raw, SensuOptions)
    _report_players(players, options, faults)
    _report_cards(options, faults)
    _report_variants(players, options, faults)
    faults.refuse()
    return _state(tuple(players), options)


def _report_players(players: Sequence[str], options: SensuOptions, faults: Faults) -> None:
    if DECK in players:
        told = message("Nobody can be called deck: a card is drawn from the deck or from a player's pile.")
        faults.add("TABLE-4", told, "players")
    if options.first is not None and options.first not in players:
        told = message("{name} cannot start: no player has that name.", name=options.first)
        faults.add(("SU-15", "TABLE-4"), told, "first")


def _report_cards(options: SensuOptions, faults: Faults) -> None:
    if len(options.sticks) != 9 or not all(1 <= count <= 4 for count in options.sticks):
        told = message("Sticks are nine numbers from 1 to 4, for the values 1 to 9.")
        faults.add(("SU-4", "TABLE-4"), told, "sticks")
    if options.wild_winds not in (0, 2):
        told = message(
            "A wild has no wind or two, not {number}: only numbered cards, those of the solo game, have one wind.",
            number=options.wild_winds,
        )
        faults.add(("SU-66", "TABLE-4"), told, "wild_winds")
    for card in options.symbols or ():
        if card not in CARDS or (CARDS[card].wild and CARDS[card].winds != options.wild_winds):
            told = message("There is no card called {name} to carry a power symbol.", name=card)
            faults.add(("SU-52", "TABLE-4"), told, "symbols")


def _report_variants(players: Sequence[str], options: SensuOptions, faults: Faults) -> None:
    for variant in options.variants:
        if variant not in VARIANTS:
            told = message("There is no variant called {name}.", name=variant)
            faults.add(("SU-51", "TABLE-4"), told, "variants")
    if len(players) == 1 and options.variants:
        told = message("The solo game is played without the variants.")
        faults.add(("SU-R24", "SU-51", "SU-73", "SU-78", "TABLE-4"), told, "variants")
    chosen = options.chosen
    if chosen and "chosen_fan" not in options.variants:
        told = message("Chosen fans are named, but the variant is not in use.")
        faults.add(("SU-59", "SU-51", "TABLE-4"), told, "chosen")
    for player, kind in chosen.items():
        if player not in players:
            told = message("There is no player called {name} to have a chosen fan.", name=player)
            faults.add(("SU-59", "TABLE-4"), told, "chosen")
        if kind not in TYPES:
            told = message("There is no type of fan called {name}.", name=kind)
            faults.add(("SU-59", "SU-2", "TABLE-4"), told, "chosen")
    without = [player for player in players if player not in chosen]
    if "chosen_fan" in options.variants and without:
        told = message("Every player needs a chosen fan; without one: {players}.", players=things("player", without))
        faults.add(("SU-59", "SU-60", "TABLE-4"), told, "chosen")


def _state(players: tuple[str, ...], options: SensuOptions) -> SensuState:
    solo = len(players) == 1
    cards = deck_of(len(players), options.wild_winds)
    terms = Terms(
        players=players,
        cards=cards,
        table=options.sticks,
        sticks={card: sticks_of(CARDS[card], options.sticks) for card in cards},
        symbols=SYMBOLS if options.symbols is None else frozenset(options.symbols),
        powers="powers" in options.variants,
        chosen_fan="chosen_fan" in options.variants,
        harmony_may_start_fan=options.harmony_may_start_fan,
        wisdom_takes_any=options.wisdom == "any",
        wild_winds=options.wild_winds,
        seat={player: at for at, player in enumerate(players)},
        solo=solo,
        goal=3 if solo else 2,
    )
    hand = 0 if solo else HAND
    fans = (Fan(),) * len(TYPES)
    seats = tuple(FanSeat(name, fans, (), EMPTY, (hand,), options.chosen.get(name)) for name in players)
    return SensuState(
        terms=terms,
        seats=seats,
        deck=len(cards) - hand * len(players),
        unseen=(card_set(cards),),
        turn=players.index(options.first) if options.first is not None else 0,
        columns=((),) * COLUMNS if solo else (),
    )
