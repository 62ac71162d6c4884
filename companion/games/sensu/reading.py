"""What a changed table means: a move is read by asking which moves would make the table look as it does.

The deck is a stack of card backs, so a draw from it can be seen only by the discard that follows a hand of six; with a
smaller hand the player reports it by button or tap. So does a player who takes back the top of their own pile and
discards another card at once: it would look like a draw from the deck. The order of placing cards in different fans
cannot be seen where it makes no difference.
"""

from collections.abc import Iterator, Mapping
from itertools import permutations
from typing import NamedTuple

from companion.core.layout import Sight
from companion.games.kit.game import Sealed
from companion.games.kit.reading import Row, all_named, up
from companion.games.sensu import moves as m
from companion.games.sensu.card_sets import BIT
from companion.games.sensu.cards import CARDS, TARGET, TYPES
from companion.games.sensu.combination import wild_in, wild_value, worth
from companion.games.sensu.faces import closed_id
from companion.games.sensu.legal_moves import legal_moves
from companion.games.sensu.piles import DECK
from companion.games.sensu.play import apply
from companion.games.sensu.state import Fan, FanSeat, SensuState, asked, fan_of, replace

Cards = tuple[str, ...]
FURTHEST = 4
"""How many moves there may be between two pictures: a card laid, two powers and a new chosen fan."""


def read(state: SensuState, sealed: Sealed, player: str, sight: Sight) -> m.SensuMoves | None:
    if player != state.player or state.phase == "over":
        return None
    phase = asked(state)
    if phase == "action":
        return _read_combination(state, sight) or _read_draw(state, sight)
    if phase == "discard":
        return _read_discard(state, sight)
    if phase == "chosen" and (kept := all_named(sight, f"{player}.chosen")):
        return next((m.Chosen(kind) for kind in TYPES if closed_id(kind) == kept[-1]), None)
    return _first_step(state, sight)


def ready(state: SensuState, sealed: Sealed, player: str, sight: Sight) -> m.SensuMoves | None:
    """The move that a press of ready stands for: a draw from the deck, which cannot be seen."""
    if player != state.player or not _cleared(state, sight):
        return None
    phase = asked(state)
    if phase == "wisdom":
        return m.Wisdom(DECK) if state.deck else None
    if phase != "action" or state.terms.solo:
        return None
    if state.deck:
        return m.DrawFanCard(DECK)
    return None if any(seat.discards for seat in state.seats) else m.PassTurn()


def _cleared(state: SensuState, sight: Sight) -> bool:
    """No combination is being laid."""
    places = (f"{state.player}.combination", f"{state.player}.redeemed") if asked(state) == "action" else ()
    return not any(sight.zones.get(place) for place in places)


def laid(state: SensuState, player: str, move: m.SensuMoves) -> dict[str, Row] | None:
    """How the cards lie once the move is made; None for a move that leaves no trace, or that is tapped."""
    match move:
        case m.Combine(cards, redeem, _, discard):
            rest = discard or [card for card in cards if card not in redeem]
            return {f"{player}.combination": up(*rest), f"{player}.redeemed": up(*redeem)}
        case m.DrawFanCard(card=str(card), to=str(place)):
            columns = {f"{player}.column{at}": up(*column) for at, column in enumerate(state.columns, 1)}
            return columns | {f"{player}.{place}": (*columns.get(f"{player}.{place}", ()), *up(card))}
        case m.DrawFanCard("deck") | m.Wisdom("deck") | m.Wisdom(card=str()) | m.PassTurn():
            return None
        case m.DiscardFanCard(card) if card in state.old_tops:
            return None
    after = _picture(apply(state, {player: move})[0])
    rows = {zone: up(*(held.cards if isinstance(held, Fan) else held)) for zone, held in after.items()}
    return rows | {f"{player}.combination": ()}


# --- a turn's action --------------------------------------------------------------------------------------------


def _read_combination(state: SensuState, sight: Sight) -> m.Combine | None:
    """The redeemed cards have been moved to their own place; the rest lie where they were laid, in discard order."""
    laid = all_named(sight, f"{state.player}.combination")
    redeemed = all_named(sight, f"{state.player}.redeemed")
    if laid is None or not redeemed or any(card not in CARDS for card in (*laid, *redeemed)):
        return None
    cards = (*redeemed, *laid)
    wild = wild_value(cards)
    if wild is None and (joker := wild_in(cards)) is not None:
        wild = CARDS[joker].values[0]
    found = worth(cards, wild, state.terms.table)
    # With less than twenty, or less redeemed than is due, the player is not finished; anything else is for the rules.
    if found.total < TARGET or (found.total == TARGET and len(redeemed) <= found.bonuses):
        return None
    return m.Combine(cards, redeemed, wild, laid)


def _read_draw(state: SensuState, sight: Sight) -> m.DrawFanCard | None:
    """The draw that explains best how the piles look."""
    if not _cleared(state, sight):
        return None
    if state.terms.solo:
        return _read_open_draw(state, sight)
    explained = [(found, move) for move, after in _draws(state, sight) if (found := _explained(state, after, sight))]
    return max(explained, key=lambda each: each[0])[1] if explained else None


def _draws(state: SensuState, sight: Sight) -> Iterator[tuple[m.DrawFanCard, SensuState]]:
    """Each possible draw with the state after it, and with the state after a discard that may already be there. The
    deck comes last, because a draw from a pile can be seen and is the safer explanation."""
    own = state.seat
    others = [seat.player for seat in state.seats if seat.discards and seat is not own]
    sources = [*others, *([own.player] if own.discards else []), *([DECK] if state.deck else [])]
    for source in sources:
        move = m.DrawFanCard(source)
        drawn = apply(state, {own.player: move})[0]
        yield move, drawn
        if source == own.player and state.deck:
            continue
        discard = _read_discard(drawn, sight) if drawn.phase == "discard" else None
        if discard and not _waits(state, discard.card):
            # Whether that card may be discarded is for the rules; here it only matters that it lies there.
            pile = (*drawn.seat.discards, discard.card)
            yield move, replace(drawn, seats=tuple(_with_pile(seat, pile, drawn.player) for seat in drawn.seats))


def _with_pile(seat: FanSeat, pile: Cards, player: str) -> FanSeat:
    return replace(seat, discards=pile) if seat.player == player else seat


def _read_open_draw(state: SensuState, sight: Sight) -> m.DrawFanCard | None:
    for at, column in enumerate(state.columns, 1):
        seen = all_named(sight, f"{state.player}.column{at}")
        if seen and seen[:-1] == column and seen[-1] in CARDS:
            return m.DrawFanCard(card=seen[-1], to=f"column{at}")
    top = all_named(sight, f"{state.player}.discards")
    return m.DrawFanCard(card=top[-1], to="discards") if top and BIT.get(top[-1], 0) & state.unseen[0] else None


def _read_discard(state: SensuState, sight: Sight) -> m.DiscardFanCard | None:
    seat = state.seat
    seen = all_named(sight, f"{seat.player}.discards")
    if not seen or seen[-1:] == seat.discards[-1:] or seen[-1] not in CARDS or _waits(state, seen[-1]):
        return None
    return m.DiscardFanCard(seen[-1])


def _waits(state: SensuState, top: str) -> bool:
    """Whether this card is still there from before the reshuffle: piles that have not been gathered yet are not read as
    discards until somebody has drawn from the new deck. (If that player happens to draw and discard a former top card,
    the move has to be tapped.)"""
    return top in state.old_tops and not state.seat.discards


# --- building ---------------------------------------------------------------------------------------------------


def _first_step(state: SensuState, sight: Sight) -> m.SensuMoves | None:
    """The first move of the shortest sequence that leads to a table that looks like this one. Where none does, because
    somebody has already gone on, it is the first move of the sequence that explains most."""
    best: tuple[Explained, m.SensuMoves] | None = None
    ways: list[tuple[m.SensuMoves | None, SensuState]] = [(None, state)]
    for _ in range(FURTHEST):
        further: list[tuple[m.SensuMoves | None, SensuState]] = []
        for first, before in ways:
            for move in _visible(before):
                after = apply(before, {state.player: move})[0]
                found = _explained(state, after, sight)
                if found and (best is None or found > best[0]):
                    best = found, first or move
                if after.asks:
                    further.append((first or move, after))
        if best and best[0].whole:
            break
        ways = further
    return best[1] if best else None


def _visible(state: SensuState) -> Iterator[m.SensuMoves]:
    if asked(state) == "place":
        yield from (m.PlaceRedeemed(order) for order in permutations(state.redeemed))
    else:
        # What is drawn from the deck or from under the top of a pile leaves no trace: it is said by ready or by a tap.
        moves = legal_moves(state, {}, state.player)
        yield from (move for move in moves if not (isinstance(move, m.Wisdom) and (move.from_ == DECK or move.card)))


# --- how a table looks ------------------------------------------------------------------------------------------


class Explained(NamedTuple):
    """How well moves explain what lies there."""

    whole: bool
    """Nothing else has changed."""
    places: int
    """How many changed places look as the moves would leave them."""


def _explained(before: SensuState, after: SensuState, sight: Sight) -> Explained | None:
    """None where nothing would change, or where a place that would change looks different."""
    old, new = _picture(before), _picture(after)
    seen = {zone: all_named(sight, zone) for zone in new}
    changed = [zone for zone in new if new[zone] != old[zone]]
    if not changed or not all(_looks(new[zone], seen[zone]) for zone in changed):
        return None
    rest = (zone for zone in new if new[zone] == old[zone])
    return Explained(all(seen[zone] is None or _looks(new[zone], seen[zone]) for zone in rest), len(changed))


Holding = Cards | Fan
"""What a place holds: the cards that can be seen there (of a pile only the top), or a fan, which may be covered."""


def _picture(state: SensuState) -> Mapping[str, Holding]:
    """Fans, tops of piles, redeemed cards and chosen fans as this state has them."""
    places: dict[str, Holding] = {}
    for seat in state.seats:
        name = seat.player
        for kind in TYPES:
            places[f"{name}.{kind}"] = fan_of(seat, kind)
        places[f"{name}.discards"] = seat.discards[-1:]
        places[f"{name}.redeemed"] = state.redeemed if name == state.player else ()
        if state.terms.chosen_fan:
            # The card that closed a fan lies on that fan.
            chosen = seat.chosen and not fan_of(seat, seat.chosen).closed
            places[f"{name}.chosen"] = (closed_id(str(seat.chosen)),) if chosen else ()
    return places


def _looks(place: Holding, seen: Cards | None) -> bool:
    """Whether what is seen there fits; a place that is hidden or not read for sure fits nothing."""
    if seen is None:
        return False
    if isinstance(place, Fan):
        covered = bool(place.closed and seen and seen[-1] == closed_id(CARDS[place.cards[0]].type))
        return seen == place.cards or covered
    return seen == place
