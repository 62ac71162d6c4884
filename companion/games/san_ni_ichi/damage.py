"""The Damage Phase: the smoke bombs, the highest top card, and the end of the round."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from companion.core.message import message
from companion.core.rulings import Refused, Ruling
from companion.games.san_ni_ichi.attack import check_mate
from companion.games.san_ni_ichi.cards import BLOCK, SAI, TONFA, TORINOKO
from companion.games.san_ni_ichi.ending import Changes, end_match
from companion.games.san_ni_ichi.hands import bombs_left, check_bombs, check_in_match, without
from companion.games.san_ni_ichi.moves import Pass, Smoke
from companion.games.san_ni_ichi.state import BOMB, Pile, State, Table, cards, put

PASS = Pass()


def begin_damage(state: State) -> tuple[State, tuple[Ruling, ...]]:
    """Every card is played. While a bomb may be in a hand, everybody who has a card is asked."""
    if not bombs_left(state) or not any(state.hands):
        return resolve_damage(state, {})
    asked = ", ".join([name for name, hand in zip(state.table.players, state.hands, strict=True) if hand])
    say = "The Damage Phase begins. Smoke bomb or not, all at once: {players}."
    return replace(state, phase="damage"), (
        Ruling("SNI-35", message(say, players=asked), {"phase": ("attack", "damage")}),
    )


def lowest(table: Table, pile: Pile) -> tuple[str, ...]:
    """The cards of lowest Strength in a pile, bottom first."""
    if not pile:
        return ()
    values = table.values
    least = min([values[laid.card].strength for laid in pile])
    return tuple([laid.card for laid in pile if values[laid.card].strength == least])


def check_smoke(state: State, sealed: Mapping[str, Any], seat: int, move: Smoke) -> None:
    table, player = state.table, state.table.players[seat]
    if move.card is not None:
        check_in_match(table, move.card)
        if table.values[move.card].kind != TORINOKO:
            raise Refused(("SNI-35", "TABLE-4"), message("{card} is not a smoke bomb.", card=move.card))
    protected = check_mate(state, seat, move.mate, "torinoko")
    others = {table.seats[name]: held for name, held in sealed.items() if isinstance(held, Smoke)}
    check_bombs(
        state,
        seat,
        (move.card or BOMB,),
        shown=tuple(held.card for held in others.values() if held.card),
        others=sum(BOMB not in state.known[other] for other in others),
    )
    _check_draw(table, state.piles[protected], table.players[protected], move.draw, player)


def _check_draw(table: Table, pile: Pile, owner: str, draw: str | None, player: str) -> None:
    tied = lowest(table, pile)
    facts = {"player": player, "owner": owner, "cards": tied, "drawn_card": draw}
    if draw is None:
        if len(set(tied)) > 1:
            raise Refused(
                ("SNI-38", "SNI-R20", "TABLE-4"),
                message("{cards} are the lowest in {owner}'s Combat Pile: say which one is drawn.", **facts),
            )
    elif not tied:
        raise Refused(("SNI-38", "SNI-R20"), message("{owner} has no Combat Pile: nothing is drawn.", **facts))
    elif draw not in tied:
        raise Refused(
            ("SNI-38", "SNI-R20"),
            message(
                "The card with the lowest Strength in {owner}'s Combat Pile is drawn ({cards}), not {drawn_card}.",
                **facts,
            ),
        )


def options(state: State, sealed: Mapping[str, Any], seat: int) -> list[Any]:
    """A smoke bomb for whoever may have one, or none."""
    table = state.table
    found: list[Any] = [PASS]
    mate = table.mates[seat]
    for protected in (seat,) if mate is None else (seat, mate):
        tied = dict.fromkeys(lowest(table, state.piles[protected]))
        for draw in tied if len(tied) > 1 else (None,):
            move = Smoke(draw, None if protected == seat else table.players[protected])
            try:
                check_smoke(state, sealed, seat, move)
            except Refused:
                return found
            found.append(move)
    return found


def resolve_damage(state: State, moves: Mapping[str, Any]) -> tuple[State, tuple[Ruling, ...]]:
    """Bombs first, then the highest top card among everybody else takes its pile."""
    rulings: list[Ruling] = []
    protected: dict[int, Pile] = {}
    piles = state.piles
    for seat, name in enumerate(state.table.players):
        move = moves.get(name)
        if isinstance(move, Smoke):
            state, safe = _smoke(state, seat, move, rulings)
            protected[safe] = piles[safe]
    state = _take_damage(state, protected, rulings)
    state, more = _end_round(state)
    return state, (*rulings, *more)


def _smoke(state: State, seat: int, move: Smoke, rulings: list[Ruling]) -> tuple[State, int]:
    """One bomb: it leaves the hand, and the protected player draws the lowest card of the own pile."""
    table = state.table
    names = table.players
    safe = seat if move.mate is None else table.seats[move.mate]
    left = [card for card in table.bombs if state.unseen[card]]
    bomb = move.card or (left[0] if len(left) == 1 else BOMB)
    hands = list(state.hands)
    hands[seat] -= 1
    state = replace(
        state,
        known=put(state.known, seat, without(state.known[seat], BOMB)),
        unseen=state.unseen if bomb == BOMB else {**state.unseen, bomb: state.unseen[bomb] - 1},
        unnamed=state.unnamed + (bomb == BOMB),
        discards=(*state.discards, bomb),
    )
    facts = {"player": names[seat], "owner": names[safe], "card": bomb}
    gone = {f"hands.{names[seat]}": (hands[seat] + 1, hands[seat])}
    if safe == seat:
        rulings.append(
            Ruling(
                "SNI-36",
                message("{player} discards {card} and takes no Combat Pile as damage this round.", **facts),
                gone,
            )
        )
    else:
        say = "{player} discards {card} for {owner}, who takes no Combat Pile as damage this round."
        rulings.append(Ruling("SNI-60", message(say, **facts), gone))
    pile = state.piles[safe]
    if pile:
        tied = lowest(table, pile)
        drawn = move.draw if move.draw in tied else tied[0]
        rest = _taken_out(pile, drawn)
        hands[safe] += 1
        state = replace(
            state,
            piles=put(state.piles, safe, rest),
            known=put(state.known, safe, (*state.known[safe], drawn)),
        )
        changes: Changes = {
            f"piles.{names[safe]}": (cards(pile), cards(rest)),
            f"hands.{names[safe]}": (hands[safe] - 1, hands[safe]),
        }
        facts = {"owner": names[safe], "card": drawn}
        rulings.append(
            Ruling("SNI-38", message("{owner} draws {card}, the lowest of the own Combat Pile.", **facts), changes)
        )
    return replace(state, hands=tuple(hands)), safe


def _taken_out(pile: Pile, card: str) -> Pile:
    at = next(at for at, laid in enumerate(pile) if laid.card == card)
    return pile[:at] + pile[at + 1 :]


def _take_damage(state: State, protected: Mapping[int, Pile], rulings: list[Ruling]) -> State:
    """`protected` has the piles of those whom a bomb saved, as they lay before the draw."""
    table = state.table
    names, values = table.players, table.values
    tops = {
        seat: values[pile[-1].card].strength for seat, pile in enumerate(state.piles) if pile and seat not in protected
    }
    if not tops:
        rulings.append(
            Ruling("SNI-R18", message("Only smoke bombs' users have a Combat Pile: nobody takes damage."))
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
        name, pile, before = names[seat], cards(piles[seat]), damage[seat]
        damage[seat] = (*before, *pile)
        piles[seat] = ()
        changes = {
            f"piles.{name}": (pile, []),
            f"damage.{name}": (table.total(before), table.total(damage[seat])),
            f"taken.{name}": (len(before), len(damage[seat])),
        }
        facts = {"player": name, "card": pile[-1], "number": len(pile)}
        say = "{player} has the highest top card, {card}, and takes the whole Combat Pile ({number})."
        rulings.append(Ruling(rule, message(say, **facts), changes))
    return replace(state, piles=tuple(piles), damage=tuple(damage))


_KEPT = {BLOCK: "SNI-33", SAI: "SNI-41", TONFA: "SNI-51"}
"""Weapons that stay in front of their players until the round is over."""


def _end_round(state: State) -> tuple[State, tuple[Ruling, ...]]:
    table = state.table
    rulings = []
    blocked = [table.players[seat] for seat in state.blocked]
    for seat, card in state.spent:
        rule = _KEPT[table.values[card].kind]
        changes: Changes = {"blocked": (blocked, [])} if blocked and rule == "SNI-33" else {}
        if changes:
            blocked = []
        facts = {"player": table.players[seat], "card": card}
        rulings.append(Ruling(rule, message("The round is over: {player}'s {card} is discarded.", **facts), changes))
    discards = state.discards + tuple([card for _, card in state.spent])
    if not any(state.hands):
        state, more = end_match(replace(state, blocked=(), spent=(), discards=discards))
        return state, (*rulings, *more)
    new_round: Changes = {
        "round": (state.round, state.round + 1),
        "phase": (state.phase, "selection"),
    }
    rulings.append(
        Ruling("SNI-17", message("Round {round} begins with the Selection Phase.", round=state.round + 1), new_round)
    )
    state = replace(
        state,
        round=state.round + 1,
        phase="selection",
        order=(),
        turn=0,
        blocked=(),
        spent=(),
        discards=discards,
    )
    return state, tuple(rulings)
