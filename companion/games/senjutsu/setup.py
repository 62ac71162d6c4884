"""Before the first round: samurai, decks, arena, starts and the advantage order (SJ-8 to SJ-13)."""

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

import msgspec

from companion.core.message import Thing, message, things
from companion.core.rulings import Refused
from companion.games.kit.game import decode_options
from companion.games.senjutsu.card_language.ability import KAMAE, Ability, identity
from companion.games.senjutsu.card_language.given import read_any
from companion.games.senjutsu.card_language.rows import BadCard
from companion.games.senjutsu.card_language.script import KAMAE_WORDS
from companion.games.senjutsu.cards import ALIASES, FIGHTERS, starter_cards
from companion.games.senjutsu.decks import BadDeck, problems, read_deck
from companion.games.senjutsu.hexes import Arena, Hex, arena, bearing, facing_of, minus
from companion.games.senjutsu.instants import on_each_card
from companion.games.senjutsu.moves import RevealCard
from companion.games.senjutsu.play import no_facing, no_kamae
from companion.games.senjutsu.state import CardInDeck, Console, Duel, DuelState, Samurai, SenjutsuOptions

START_HAND = 5
LOOKS = {2: "NS", 3: "NES", 4: "NESW"}
"""Which way the seats look over the arena: clockwise from seat 1 at the near side, who looks N."""
BY_PLAYER = ("samurai", "start_hexes", "starts", "facings", "health", "hand_limit")
"""Options that may have an entry for each player."""


def setup(players: Sequence[str], raw: Mapping[str, Any]) -> DuelState:
    if len(players) not in LOOKS:
        told = message("Senjutsu is for two to four samurai, not {players}.", players=len(players))
        raise Refused(("SJ-1", "SJ-3", "TABLE-4"), told, "players")
    options = decode_options(raw, SenjutsuOptions)
    for option in BY_PLAYER:
        value = getattr(options, option)
        _only_players(players, value if isinstance(value, dict) else {}, option)
    consoles = _consoles(players, options)
    duel = _duel(players, options, consoles)
    places = _starts(players, options, duel.arena, duel.terrain)
    # The first round's draw leaves nothing to decide, so it is made with the five cards of the set-up.
    drawn = START_HAND + 1
    samurai = tuple(
        Samurai(place, _facing(name, options, place, places), hand=drawn, deck=sum(deck.values()) - drawn)
        for name, place, deck in zip(players, places, duel.decks, strict=True)
    )
    return DuelState(duel, samurai, _advantage(players, options, consoles))


def _duel(players: Sequence[str], options: SenjutsuOptions, consoles: Sequence[Console]) -> Duel:
    cards = _cards(options)
    decks, board = tuple(_decks(players, options, cards, consoles)), _arena(options)
    starter = cards is starter_cards()
    playable = [
        _starter_deck(console.id) if starter and deck is FIGHTERS[console.id].deck else _playable(deck, cards)
        for console, deck in zip(consoles, decks, strict=True)
    ]
    health = [_or(console.health, FIGHTERS[console.id].health) for console in consoles]
    limits = [_or(console.hand, FIGHTERS[console.id].hand) for console in consoles]
    return Duel(
        players=tuple(players),
        named=things("player", players),
        seat={name: at for at, name in enumerate(players)},
        samurai=tuple(console.id for console in consoles),
        trees=tuple(_tree(console) for console in consoles),
        health=_each(players, options.health, health, "health"),
        limit=_each(players, options.hand_limit, limits, "hand_limit"),
        decks=decks,
        of_a_round=tuple(deck.of_a_round for deck in playable),
        instants_on=tuple(deck.instants_on for deck in playable),
        cards=cards,
        arena=board,
        terrain=_terrain(board, options),
        options=options,
    )


class PlayableDeck(NamedTuple):
    """What of a deck can be played when."""

    of_a_round: tuple[CardInDeck, ...]
    instants_on: dict[str, tuple[CardInDeck, ...]]


def _playable(deck: Mapping[str, int], cards: Mapping[str, Ability]) -> PlayableDeck:
    chooseable = [cards[name] for name in deck if cards[name].of_a_round]
    of_a_round = [CardInDeck(card.id, deck[card.id], card.needs, RevealCard(card.id)) for card in chooseable]
    return PlayableDeck(tuple(of_a_round), on_each_card(deck, cards))


@cache
def _starter_deck(samurai: str) -> PlayableDeck:
    """Most matches are played with these."""
    return _playable(FIGHTERS[samurai].deck, starter_cards())


def _or(value: int | None, other: int) -> int:
    return other if value is None else value


def _only_players(players: Sequence[str], given: Mapping[str, Any], option: str) -> None:
    for name in given:
        if name not in players:
            told = message(
                "The option {option} names {player}, who does not play.", option=option, player=Thing("player", name)
            )
            raise Refused("TABLE-4", told, option)


def _cards(options: SenjutsuOptions) -> dict[str, Ability]:
    if not options.cards:
        return starter_cards()
    try:
        return starter_cards() | read_any(options.cards)
    except BadCard as error:
        raise Refused((error.rule, "TABLE-4"), error.message, "cards") from None


def _consoles(players: Sequence[str], options: SenjutsuOptions) -> list[Console]:
    """Who fights as whom; a player who did not choose takes the first samurai that is left."""
    given = {name: options.samurai.get(name, "") for name in players}
    consoles = {name: Console(one) if isinstance(one, str) else one for name, one in given.items()}
    chosen: dict[str, str] = {}
    for name, console in consoles.items():
        if not console.id:
            continue
        fighter = identity(console.id).removeprefix("the_")
        fighter = ALIASES.get(fighter, fighter)
        if fighter not in FIGHTERS:
            told = message(
                "There is no samurai {samurai}: {known}.", samurai=console.id, known=things("samurai", FIGHTERS)
            )
            raise Refused(("TABLE-4", "SJ-1"), told, "samurai")
        if fighter in chosen.values():
            told = message("Two players have chosen {samurai}.", samurai=Thing("samurai", fighter))
            raise Refused(("SJ-8", "SJ-1", "TABLE-1"), told, "samurai")
        chosen[name] = fighter
    left = [fighter for fighter in FIGHTERS if fighter not in chosen.values()]
    return [msgspec.structs.replace(console, id=chosen.get(name) or left.pop(0)) for name, console in consoles.items()]


def _tree(console: Console) -> dict[str, tuple[str, ...]]:
    if console.tree is None:
        return FIGHTERS[console.id].tree
    tree: dict[str, tuple[str, ...]] = dict.fromkeys(KAMAE, ())
    for start, ends in console.tree.items():
        for name in (start, *ends):
            if name.lower() not in KAMAE_WORDS:
                raise no_kamae(name, "SJ-29", "samurai")
        tree[KAMAE_WORDS[start.lower()]] = tuple(KAMAE_WORDS[end.lower()] for end in ends)
    return tree


def _decks(
    players: Sequence[str], options: SenjutsuOptions, cards: dict[str, Ability], consoles: Sequence[Console]
) -> list[dict[str, int]]:
    given = options.decks
    if given and all(isinstance(copies, int) for copies in given.values()):
        given = dict.fromkeys(players, given)
    _only_players(players, given, "decks")
    decks = []
    for name, console in zip(players, consoles, strict=True):
        if name not in given and cards is starter_cards():
            decks.append(FIGHTERS[console.id].deck)
            continue
        deck = _deck(name, given[name]) if name in given else FIGHTERS[console.id].deck
        wrong = problems(deck, cards)
        if wrong:
            rules = tuple(dict.fromkeys(rule for problem in wrong for rule in problem.rules))
            told = message(
                "The deck of {player} is not legal: {problems}.",
                player=Thing("player", name),
                problems=tuple(problem.message for problem in wrong),
            )
            raise Refused(rules, told, "decks")
        decks.append(deck)
    return decks


def _deck(player: str, given: Any) -> dict[str, int]:
    try:
        if isinstance(given, str):
            return read_deck(given)
        if not isinstance(given, dict) or not all(type(copies) is int for copies in given.values()):
            raise BadDeck(message("a deck is a list as text, or cards with their copies"))
        deck: dict[str, int] = {}
        for card, copies in given.items():
            if copies:
                deck[identity(card)] = deck.get(identity(card), 0) + copies
        return deck
    except BadDeck as error:
        told = message(
            "The deck of {player} cannot be read: {reason}.", player=Thing("player", player), reason=error.message
        )
        raise Refused(("TABLE-4", "SJ-5"), told, "decks") from None


def _each(
    players: Sequence[str], given: int | dict[str, int] | None, otherwise: Sequence[int], option: str
) -> tuple[int, ...]:
    wanted = given if isinstance(given, dict) else {} if given is None else dict.fromkeys(players, given)
    values = tuple(wanted.get(name, value) for name, value in zip(players, otherwise, strict=True))
    if min(values) < 1:
        raise Refused("TABLE-4", message("The option {option} must be at least 1.", option=option), option)
    return values


def _arena(options: SenjutsuOptions) -> Arena:
    columns, rows = options.arena
    if not (1 <= columns <= 26 and 1 <= rows <= 26):
        told = message("An arena has 1 to 26 columns and rows, not {columns} and {rows}.", columns=columns, rows=rows)
        raise Refused("TABLE-4", told, "arena")
    return arena(columns, rows)


def _place(board: Arena, name: str, option: str) -> Hex:
    found = board.hex_of(name)
    if found is None:
        raise Refused("TABLE-4", message("There is no hex {hex} in this arena.", hex=Thing("place", name)), option)
    return found


def _terrain(board: Arena, options: SenjutsuOptions) -> dict[Hex, str]:
    given = options.terrain
    kinds = given if isinstance(given, dict) else dict.fromkeys(given, "object")
    return {_place(board, name, "terrain"): kind for name, kind in kinds.items()}


def _marked(board: Arena, given: str | list[str]) -> tuple[Hex, ...]:
    return tuple(_place(board, name, "start_hexes") for name in ([given] if isinstance(given, str) else given))


def _starts(players: Sequence[str], options: SenjutsuOptions, board: Arena, terrain: Mapping[Hex, str]) -> list[Hex]:
    """Each on one of the marked hexes nearest to that player; the middle one that is free by default."""
    marked = {
        name: _marked(board, options.start_hexes[name]) if name in options.start_hexes else board.side(look)
        for name, look in zip(players, LOOKS[len(players)], strict=True)
    }
    chosen = {name: _chosen_start(name, options, board, marked[name]) for name in players if name in options.starts}
    for name in players:
        taken = {*chosen.values(), *terrain}
        if name not in chosen:
            free = [hex for hex in marked[name] if hex not in taken]
            if not free:
                told = message("No start hex is left for {player}.", player=Thing("player", name))
                raise Refused(("SJ-11", "SJ-R30"), told, "start_hexes" if name in options.start_hexes else "arena")
            chosen[name] = free[(len(free) - 1) // 2]
        elif chosen[name] in terrain:
            told = message("{player} cannot start on terrain.", player=Thing("player", name))
            raise Refused(("SJ-11", "TABLE-4"), told, "starts")
    if len(set(chosen.values())) < len(players):
        raise Refused(("SJ-11", "SJ-R30", "TABLE-1"), message("Two samurai cannot start on one hex."), "starts")
    return [chosen[name] for name in players]


def _chosen_start(name: str, options: SenjutsuOptions, board: Arena, marked: tuple[Hex, ...]) -> Hex:
    place = _place(board, options.starts[name], "starts")
    if place not in marked:
        told = message(
            "{player} starts on one of the marked hexes at that side of the arena ({marked}), not on {hex}.",
            player=Thing("player", name),
            marked=things("place", (board.hexes[hex] for hex in marked)),
            hex=Thing("place", options.starts[name]),
        )
        raise Refused(("SJ-11", "SJ-R30"), told, "starts")
    return place


def _facing(player: str, options: SenjutsuOptions, place: Hex, places: Sequence[Hex]) -> int:
    if player in options.facings:
        facing = facing_of(options.facings[player])
        if facing is None:
            raise no_facing(options.facings[player], "facings")
        return facing
    others = [minus(other, place) for other in places if other != place]
    return bearing((sum(x for x, _ in others), sum(y for _, y in others)))


def _advantage(players: Sequence[str], options: SenjutsuOptions, consoles: Sequence[Console]) -> tuple[int, ...]:
    """Highest initiative number on top; a tie as the header has it, or by seat."""
    numbers = [_or(console.initiative, FIGHTERS[console.id].initiative) for console in consoles]
    if not options.advantage:
        return tuple(sorted(range(len(players)), key=lambda seat: -numbers[seat]))
    if sorted(options.advantage) != sorted(players):
        raise Refused(("TABLE-4", "SJ-10"), message("The option advantage names every player once."), "advantage")
    order = tuple(players.index(name) for name in options.advantage)
    if any(numbers[above] < numbers[below] for above, below in pairwise(order)):
        each = tuple(f"{name} {number}" for name, number in zip(players, numbers, strict=True))
        told = message("The highest initiative number stands on top of the advantage track: {numbers}.", numbers=each)
        raise Refused(("SJ-10", "SJ-R19"), told, "advantage")
    return order
