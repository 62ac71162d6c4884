"""Whose turn it is, what may be done, and which rule answers which move."""

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import permutations, product

from companion.core.message import message
from companion.core.rulings import Refused, Ruling
from companion.games.kit.game import Awaits, Sealed
from companion.games.sensu import columns, play, powers
from companion.games.sensu.cards import CARDS, TYPES
from companion.games.sensu.combination import SMALLEST, lays, sampler
from companion.games.sensu.faults import Faults
from companion.games.sensu.hands import may_hold, possible
from companion.games.sensu.moves import Chosen, Combine, Courage, Discard, Draw, Harmony, Moves, Pass, Place, Wisdom
from companion.games.sensu.packs import spelled
from companion.games.sensu.piles import DECK
from companion.games.sensu.solo import PLACES, playable
from companion.games.sensu.state import State, asked, fan_of

ACTIONS = ("draw", "combine")
NOTHING_TO_DRAW = ("combine", "pass")
ALONE: Mapping[str, tuple[str, ...]] = {
    kind: (kind,) for kind in ("discard", "place", "chosen", "wisdom", "harmony", "courage")
}

PROMPTS = {
    "draw": message("Draw a card, or lay a combination of 20."),
    "combine": message("Draw a card, or lay a combination of 20."),
    "pass": message("There is nothing to draw: lay a combination, or pass."),
    "discard": message("Discard one card on your own pile."),
    "place": message("Lay the redeemed cards into your fans."),
    "chosen": message("Which Closed fan card have you kept?"),
    "wisdom": message("Wisdom: where do you draw the next card from?"),
    "harmony": message("Harmony: whose top discard joins your fan?"),
    "courage": message("Courage: which fan does each opponent lose a card from?"),
}


def awaits(state: State, sealed: Sealed) -> Awaits:
    phase = asked(state)
    if phase == "over":
        return {}
    if phase == "action":
        return {state.player: ACTIONS if state.deck else NOTHING_TO_DRAW}
    return {state.player: ALONE[phase]}


def check(state: State, sealed: Sealed, player: str, move: Moves) -> None:
    match move:
        case Draw():
            columns.check_draw_open(state, move) if state.terms.solo else play.check_draw(state, move)
        case Discard():
            play.check_discard(state, move)
        case Combine():
            play.check_combine(state, move)
        case Place():
            play.check_place(state, move)
        case Wisdom():
            powers.check_wisdom(state, move)
        case Harmony():
            powers.check_harmony(state, move)
        case Courage():
            powers.check_courage(state, move)
        case Chosen():
            powers.check_chosen(state, move)


def apply(state: State, moves: Mapping[str, Moves]) -> tuple[State, tuple[Ruling, ...]]:
    said: list[Ruling] = []
    (move,) = moves.values()
    match move:
        case Draw():
            state = columns.draw_open(state, move, said) if state.terms.solo else play.draw(state, move, said)
        case Discard():
            state = play.discard(state, move, said)
        case Combine():
            state = play.combine(state, move, said)
        case Place():
            state = play.place(state, move, said)
        case Pass():
            said.append(Ruling("SU-R3", message("There is nothing to draw: {player} passes.", player=state.player)))
            state = play.pass_on(state, said, "SU-20")
        case Wisdom():
            state = play.carry_on(powers.wisdom(state, move, said), said)
        case Harmony():
            state = play.carry_on(powers.harmony(state, move, said), said)
        case Courage():
            state = play.carry_on(powers.courage(state, move, said), said)
        case Chosen():
            state = play.carry_on(powers.chosen(state, move, said), said)
    return state, tuple(said)


def tick(state: State, sealed: Sealed, seconds: float) -> tuple[State, tuple[Ruling, ...]]:
    """Sensu knows no time."""
    return state, ()


POWER_RULES = {"wisdom": "SU-55", "harmony": "SU-56", "courage": "SU-57"}


def untimely(state: State, sealed: Sealed, player: str, move: Moves) -> Refused | None:
    """Why this move does not belong here: what the table waits for, and what would have to come before the move."""
    faults = Faults()
    phase, solo = asked(state), state.terms.solo
    if phase == "over":
        faults.add(("SU-74", "SU-R22") if solo else "SU-50", "The match is over.")
    elif player != state.player:
        rules = ("SU-16", "SU-15", "SU-20", "SU-47", *(("SU-48",) if move.kind == "draw" else ()))
        faults.add(rules, "It is the turn of {turn}, not of {player}.", turn=state.player, player=player)
    else:
        _call_awaited(phase, player, faults)
    _call_unasked(state, player, move.kind, faults)
    return faults.refusal


def _call_awaited(phase: str, player: str, faults: Faults) -> None:
    """Something else comes first."""
    if phase in POWER_RULES:
        rules = (POWER_RULES[phase], "SU-54", "SU-53", "SU-R14")
        faults.add(rules, "A power acts at once: {player} has to follow it first.", player=player)
    elif phase == "chosen":
        faults.add(("SU-63", "SU-64"), "{player} has to draw a new chosen fan first.", player=player)
    elif phase == "discard":
        faults.add(("SU-19", "SU-16"), "{player} has to discard a card first.", player=player)
    elif phase == "place":
        rules = ("SU-38", "SU-16", "SU-48", "SU-28")
        faults.add(rules, "{player} has to place the redeemed cards first.", player=player)


def _call_unasked(state: State, player: str, kind: str, faults: Faults) -> None:
    """An answer to a question that nobody has asked this player."""
    terms = state.terms
    if kind in POWER_RULES:
        rules = (POWER_RULES[kind], "SU-52", "SU-53", *(() if terms.powers else ("SU-51",)))
        faults.add(rules, "No power of that kind acts now.")
    elif kind == "chosen":
        rules = ("SU-63", "SU-59", "SU-60", *(() if terms.chosen_fan else ("SU-51",)))
        faults.add(rules, "{player} has not just closed a chosen fan.", player=player)
    elif kind == "discard":
        faults.add(("SU-19", "SU-R1", "SU-16"), "{player} does not hold more than five cards.", player=player)
    elif kind == "place":
        faults.add(("SU-38", "SU-28"), "{player} has no redeemed cards to place.", player=player)
    elif kind == "pass":
        faults.add(("SU-16", "SU-R3"), "{player} can draw, and must act.", player=player)
    elif kind == "draw" and asked(state) == "action" and player == state.player:
        faults.add(("SU-18", "SU-17", "SU-49"), "There is nothing to draw: the deck and all piles are empty.")


DISCARDS = {card: Discard(card) for card in CARDS}


def options(state: State, sealed: Sealed, player: str) -> Sequence[Moves]:
    """For a referee who does not see the hand: every move but `combine`, of which a fair sample stands for all."""
    if state.phase == "over" or player != state.player:
        return ()
    phase = asked(state)
    if phase == "action":
        return _actions(state)
    if phase == "discard":
        return list(map(DISCARDS.__getitem__, spelled(possible(state, state.seat))))
    return _answers(state, phase)


def choices(state: State, sealed: Sealed, player: str) -> Sequence[Moves]:
    """What is said by button or tap: where a card comes from, and how a power is used. The rest is laid."""
    if state.phase == "over" or player != state.player:
        return ()
    phase = asked(state)
    if phase == "action":
        return () if state.terms.solo else draws(state)
    return () if phase in ("discard", "place") else _answers(state, phase)


def options_with(state: State, hand: Sequence[str]) -> Sequence[Moves]:
    """For whoever holds this hand and has the turn: exactly what may be done (the order of discards left open)."""
    phase = asked(state)
    if phase == "action":
        return [*draws(state), *lays(tuple(hand), state.terms.table)]
    if phase == "discard":
        return [DISCARDS[card] for card in hand]
    return _answers(state, phase)


def _answers(state: State, phase: str) -> Sequence[Moves]:
    match phase:
        case "place":
            return [Place(order) for order in permutations(state.redeemed)]
        case "wisdom":
            return [Wisdom(source) for source in _sources(state)]
        case "harmony":
            return [Harmony(player) for player in powers.harmonies(state)]
        case "courage":
            must = powers.losers(state)
            return [Courage(dict(zip(must, kinds, strict=True))) for kinds in product(*must.values())]
        case "chosen":
            return [Chosen(kind) for kind in TYPES if not fan_of(state.seat, kind).closed]
    return ()


def _sources(state: State) -> list[str]:
    piles = [seat.player for seat in state.seats if seat.discards]
    return [DECK, *piles] if state.deck else piles


def draws(state: State) -> Sequence[Moves]:
    """The draws of a turn, or the pass where there is none. Alone, the card is the deck's to name."""
    if state.terms.solo:
        return [Draw(card=card, to=place) for card in spelled(state.unseen[0]) for place in PLACES]
    return _draws_from(*_sources(state))


@cache
def _draws_from(*sources: str) -> tuple[Moves, ...]:
    return tuple(map(Draw, sources)) or (Pass(),)


def _actions(state: State) -> Sequence[Moves]:
    terms = state.terms
    return [*draws(state), *(lays(playable(state), terms.table) if terms.solo else _sample(state))]


TRIED, ENOUGH = 12, 6


def _sample(state: State) -> Sequence[Combine]:
    """Every combination of a hand that is known; else some that it may hold, spread by what has been seen so far."""
    seat, table = state.seat, state.terms.table
    free = sum(seat.unknown)
    hand = seat.known.bit_count() + free
    if hand < SMALLEST:
        return ()
    if not free:
        return lays(spelled(seat.known), table)
    maybe = possible(state, seat)
    every = sampler(state.terms.cards, table)
    start = (7919 * maybe.bit_count() + 104729 * state.deck) % (len(every) - TRIED)
    found: list[Combine] = []
    never, strange = ~maybe, ~seat.known
    for cards, ways in every[start : start + TRIED]:
        if cards & never or (cards & strange).bit_count() > free:
            continue
        if may_hold(state, seat, cards):
            found += ways
            if len(found) >= ENOUGH:
                break
    return found
