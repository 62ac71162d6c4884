"""The Damage Phase: the smoke bombs, the highest top card, and the end of the round."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from companion.core.message import Thing, message, things
from companion.core.rulings import Refused, Ruling
from companion.games.kit.seats import with_seat
from companion.games.san_ni_ichi.attack import check_mate
from companion.games.san_ni_ichi.cards import BLOCK, SAI, TONFA, TORINOKO
from companion.games.san_ni_ichi.ending import Changes, end_match
from companion.games.san_ni_ichi.hands import bombs_left, check_bombs, check_in_match, without
from companion.games.san_ni_ichi.happenings import CardDiscarded, CardDrawn, PileTaken
from companion.games.san_ni_ichi.moves import UseSmokeBomb
from companion.games.san_ni_ichi.state import BOMB, Pile, SanNiIchiState, SanNiIchiTable, cards


def begin_damage(state: SanNiIchiState) -> tuple[SanNiIchiState, tuple[Ruling, ...]]:
    """Every card has been played. While a bomb may be in a hand, everybody who has a card is asked."""
    if not bombs_left(state) or not any(state.hands):
        return resolve_damage(state, {})
    told = message(
        "The Damage Phase begins. Smoke bomb or not, all at once: {players}.",
        players=tuple(player for player, hand in zip(state.table.things, state.hands, strict=True) if hand),
    )
    return replace(state, phase="damage"), (Ruling("SNI-35", told, {"phase": ("attack", "damage")}),)


def lowest(table: SanNiIchiTable, pile: Pile) -> tuple[str, ...]:
    """The cards of lowest Strength in a pile, bottom first."""
    if not pile:
        return ()
    values = table.values
    least = min([values[laid.card].strength for laid in pile])
    return tuple([laid.card for laid in pile if values[laid.card].strength == least])


def check_smoke(state: SanNiIchiState, sealed: Mapping[str, Any], seat: int, move: UseSmokeBomb) -> None:
    table = state.table
    if move.card is not None:
        check_in_match(table, move.card)
        if table.values[move.card].kind != TORINOKO:
            raise Refused(("SNI-35", "TABLE-4"), message("{card} is not a smoke bomb.", card=Thing("card", move.card)))
    if state.hands[seat] == 1 and not table.options.last_smoke_bomb:
        told = message(
            "The smoke bomb is the last card in {player}'s hand: in this match it cannot be played.",
            player=table.things[seat],
        )
        raise Refused(("SNI-39", "SNI-R21"), told)
    protected = check_mate(state, seat, move.mate, BOMB)
    others = {table.seats[name]: held for name, held in sealed.items() if isinstance(held, UseSmokeBomb)}
    check_bombs(
        state,
        seat,
        (move.card or BOMB,),
        shown=tuple(held.card for held in others.values() if held.card),
        others=sum(BOMB not in state.known[other] for other in others),
    )
    _check_draw(table, state.piles[protected], table.things[protected], move.draw)


def _check_draw(table: SanNiIchiTable, pile: Pile, owner: Thing, draw: str | None) -> None:
    tied = lowest(table, pile)
    if draw is None:
        if len(set(tied)) > 1:
            told = message(
                "{cards} are the lowest in {owner}'s Combat Pile: say which one is drawn.",
                cards=things("card", tied),
                owner=owner,
            )
            raise Refused(("SNI-38", "SNI-R20", "TABLE-4"), told)
    elif not tied:
        raise Refused(("SNI-38", "SNI-R20"), message("{owner} has no Combat Pile: nothing is drawn.", owner=owner))
    elif draw not in tied:
        told = message(
            "The card with the lowest Strength in {owner}'s Combat Pile is drawn ({cards}), not {drawn_card}.",
            owner=owner,
            cards=things("card", tied),
            drawn_card=Thing("card", draw),
        )
        raise Refused(("SNI-38", "SNI-R20"), told)


def resolve_damage(state: SanNiIchiState, moves: Mapping[str, Any]) -> tuple[SanNiIchiState, tuple[Ruling, ...]]:
    """Bombs first, then the highest top card among everybody else takes its pile."""
    rulings: list[Ruling] = []
    protected: dict[int, Pile] = {}
    piles = state.piles
    for seat, name in enumerate(state.table.players):
        move = moves.get(name)
        if isinstance(move, UseSmokeBomb):
            safe = seat if move.mate is None else state.table.seats[move.mate]
            protected[safe] = piles[safe]
            state = _use_bomb(state, seat, safe, move, rulings)
            state = _draw_lowest(state, safe, move.draw, rulings)
    state = _take_damage(state, protected, rulings)
    state, more = _end_round(state)
    return state, (*rulings, *more)


def _use_bomb(state: SanNiIchiState, seat: int, safe: int, move: UseSmokeBomb, rulings: list[Ruling]) -> SanNiIchiState:
    """A bomb leaves the hand of `seat` and protects `safe`."""
    table = state.table
    left = [card for card in table.bombs if state.unseen[card]]
    bomb = move.card or (left[0] if len(left) == 1 else BOMB)
    hand = state.hands[seat] - 1
    player, card = table.things[seat], Thing("card", bomb)
    if safe == seat:
        rule = "SNI-36"
        told = message(
            "{player} discards {card} and takes no Combat Pile as damage this round.", player=player, card=card
        )
    else:
        rule = "SNI-60"
        told = message(
            "{player} discards {card} for {owner}, who takes no Combat Pile as damage this round.",
            player=player,
            card=card,
            owner=table.things[safe],
        )
    rulings.append(Ruling(rule, told, {f"hands.{player.id}": (hand + 1, hand)}, CardDiscarded(player.id, bomb)))
    return replace(
        state,
        hands=with_seat(state.hands, seat, hand),
        known=with_seat(state.known, seat, without(state.known[seat], BOMB)),
        unseen=state.unseen if bomb == BOMB else {**state.unseen, bomb: state.unseen[bomb] - 1},
        unnamed=state.unnamed + (bomb == BOMB),
        discards=(*state.discards, bomb),
    )


def _draw_lowest(state: SanNiIchiState, seat: int, wanted: str | None, rulings: list[Ruling]) -> SanNiIchiState:
    """Whoever a bomb protects takes the lowest card of their own pile into the hand."""
    pile = state.piles[seat]
    if not pile:
        return state
    tied = lowest(state.table, pile)
    drawn = wanted if wanted in tied else tied[0]
    at = next(at for at, laid in enumerate(pile) if laid.card == drawn)
    rest = pile[:at] + pile[at + 1 :]
    owner, hand = state.table.things[seat], state.hands[seat]
    changes: Changes = {
        f"piles.{owner.id}": (cards(pile), cards(rest)),
        f"hands.{owner.id}": (hand, hand + 1),
    }
    told = message("{owner} draws {card}, the lowest of their own Combat Pile.", owner=owner, card=Thing("card", drawn))
    rulings.append(Ruling("SNI-38", told, changes, CardDrawn(owner.id, drawn, owner.id)))
    return replace(
        state,
        piles=with_seat(state.piles, seat, rest),
        known=with_seat(state.known, seat, (*state.known[seat], drawn)),
        hands=with_seat(state.hands, seat, hand + 1),
    )


def _take_damage(state: SanNiIchiState, protected: Mapping[int, Pile], rulings: list[Ruling]) -> SanNiIchiState:
    """`protected` has the piles of those whom a bomb saved, as they were before the draw."""
    table = state.table
    values = table.values
    tops = {
        seat: values[pile[-1].card].strength for seat, pile in enumerate(state.piles) if pile and seat not in protected
    }
    if not tops:
        rulings.append(
            Ruling(
                "SNI-R18",
                message("Only players protected by a smoke bomb have a Combat Pile: nobody takes damage."),
            )
            if any(protected.values())
            else Ruling("SNI-R27", message("There is no Combat Pile: nobody takes damage."))
        )
        return state
    highest = max(tops.values())
    hurt = [seat for seat, strength in tops.items() if strength == highest]
    spared = any(pile and values[pile[-1].card].strength >= highest for pile in protected.values())
    rule = "SNI-53" if len(hurt) > 1 else "SNI-37" if spared else "SNI-15"
    piles, damage = list(state.piles), list(state.damage)
    for seat in hurt:
        player, pile, before = table.things[seat], cards(piles[seat]), damage[seat]
        damage[seat] = (*before, *pile)
        piles[seat] = ()
        changes: Changes = {
            f"piles.{player.id}": (pile, []),
            f"damage.{player.id}": (state.total(seat), table.total(damage[seat]) + state.given(seat)),
            f"taken.{player.id}": (len(before), len(damage[seat])),
        }
        told = message(
            "{player} has the highest top card, {card}, and takes the whole Combat Pile ({number}).",
            player=player,
            card=Thing("card", pile[-1]),
            number=len(pile),
        )
        rulings.append(Ruling(rule, told, changes, PileTaken(player.id, tuple(pile))))
    return replace(state, piles=tuple(piles), damage=tuple(damage))


_KEPT = {BLOCK: "SNI-33", SAI: "SNI-41", TONFA: "SNI-51"}
"""Weapons that stay in front of their players until the round is over."""


def _end_round(state: SanNiIchiState) -> tuple[SanNiIchiState, tuple[Ruling, ...]]:
    table = state.table
    rulings = []
    blocked = [table.players[seat] for seat in state.blocked]
    for seat, card in state.spent:
        kind = table.values[card].kind
        changes: Changes = {}
        if blocked and kind == BLOCK:
            changes, blocked = {"blocked": (blocked, [])}, []
        player = table.things[seat]
        told = message("The round is over: {player}'s {card} is discarded.", player=player, card=Thing("card", card))
        rulings.append(Ruling(_KEPT[kind], told, changes, CardDiscarded(player.id, card)))
    discards = state.discards + tuple([card for _, card in state.spent])
    if not any(state.hands):
        state, more = end_match(replace(state, blocked=(), spent=(), discards=discards))
        return state, (*rulings, *more)
    begins = state.round + 1
    new_round: Changes = {"round": (state.round, begins), "phase": (state.phase, "selection")}
    rulings.append(Ruling("SNI-17", message("Round {round} begins with the Selection Phase.", round=begins), new_round))
    state = replace(
        state,
        round=begins,
        phase="selection",
        order=(),
        turn=0,
        blocked=(),
        spent=(),
        discards=discards,
    )
    return state, tuple(rulings)
