"""The second action of a turn, step A: a combination of 20 is laid, some of it redeemed, the rest discarded."""

from companion.core.message import Thing, message, plural
from companion.core.rulings import Ruling
from companion.games.kit.faults import Faults
from companion.games.kit.seats import with_seat
from companion.games.sensu.cards import CARDS, TARGET
from companion.games.sensu.columns import leave_columns, report_not_free
from companion.games.sensu.combination import Worth, reasons, wild_in, wild_made_trio, worth
from companion.games.sensu.hands import out_of_hand, report_not_in_hand, report_unknown_cards
from companion.games.sensu.happenings import LaidCombination, RedeemedCards
from companion.games.sensu.moves import Combine
from companion.games.sensu.names import CARD, all_cards
from companion.games.sensu.piles import onto_pile
from companion.games.sensu.state import Changes, SensuState, replace


def check_combine(state: SensuState, move: Combine) -> None:
    faults = Faults()
    cards = move.cards
    if report_unknown_cards(state, cards, faults):
        if state.terms.solo:
            report_not_free(state, cards, faults)
        else:
            _report_hand(state, cards, faults)
        _report_wild(move, faults)
        found = worth(cards, move.wild, state.terms.table)
        if found.total != TARGET:
            _report_sum(cards, found.total, faults)
        _report_redeem(move, found, faults)
    faults.refuse()


def _report_hand(state: SensuState, cards: tuple[str, ...], faults: Faults) -> None:
    seat = state.seat
    if len(cards) > seat.hand:
        told = plural(
            "{player} lays {count} card but holds only {hand}.",
            "{player} lays {count} cards but holds only {hand}.",
            len(cards),
            player=Thing("player", seat.player),
            hand=seat.hand,
        )
        faults.add(("TABLE-2", "SU-21"), told)
    report_not_in_hand(state, seat, cards, faults, "SU-21")


def _report_sum(cards: tuple[str, ...], total: int, faults: Faults) -> None:
    if not cards:
        faults.add("SU-21", message("No card is laid: a combination adds up to 20."))
        return
    told = plural(
        "{cards} counts {total}, not 20.",
        "{cards} add up to {total}, not to 20.",
        len(cards),
        cards=all_cards(cards),
        total=total,
    )
    faults.add("SU-21", told)


def _report_wild(move: Combine, faults: Faults) -> None:
    wilds = tuple([card for card in move.cards if CARDS[card].wild])
    if not wilds and move.wild is None:
        return
    if len(wilds) > 1:
        told = message(
            "A combination takes one wild at most, and {cards} are {number}.",
            cards=all_cards(wilds),
            number=len(wilds),
        )
        faults.add("SU-30", told)
    if move.wild is None and wilds:
        told = message("The move does not say which value {card} takes.", card=CARD[wilds[0]])
        faults.add(("SU-31", "TABLE-4"), told)
    elif move.wild is not None and not wilds:
        told = message("A value for a wild is named, but there is no wild in the combination.")
        faults.add(("SU-31", "TABLE-4"), told)
    elif move.wild is not None and not any(move.wild in CARDS[card].values for card in wilds):
        told = message("{card} cannot count as {value}.", card=CARD[wilds[0]], value=move.wild)
        faults.add("SU-31", told)


def _report_redeem(move: Combine, found: Worth, faults: Faults) -> None:
    cards, redeem = move.cards, move.redeem
    if move.discard is None and redeem in found.redemptions:
        return
    strangers = tuple(card for card in redeem if card not in cards)
    if strangers:
        told = message("{card} is not in the combination and cannot be redeemed.", card=Thing("card", strangers[0]))
        faults.add(("SU-22", "SU-26", "TABLE-1", "TABLE-4"), told)
    if len(set(redeem)) < len(redeem):
        faults.add("TABLE-1", message("A card is redeemed twice."))
    due = 1 + found.bonuses
    if len(redeem) != due:
        told = plural(
            "This combination redeems {count} card, not {given}.",
            "This combination redeems {count} cards, not {given}.",
            due,
            given=len(redeem),
        )
        faults.add(_earned(move, found) if len(redeem) < due else _unearned(move, found), told)
    if redeem and not strangers and redeem[0] not in found.highest:
        told = message(
            "{card} does not have the most sticks; the choice is: {cards}.",
            card=CARD[redeem[0]],
            cards=all_cards(found.highest),
        )
        faults.add(("SU-22", "SU-27"), told)
    elif redeem and not strangers and len(redeem) == due and not found.allows(redeem):
        told = plural(
            "The bonus card is the one with the fewest sticks, and {cards} is not.",
            "Bonus cards are those with the fewest sticks, and {cards} are not.",
            len(redeem) - 1,
            cards=all_cards(redeem[1:]),
        )
        faults.add(("SU-26", "SU-27", "SU-R5"), told)
    rest = {card for card in cards if card not in redeem}
    if move.discard is not None and (len(move.discard) != len(rest) or set(move.discard) != rest):
        told = message("The cards to discard are those of the combination that are not redeemed, each once.")
        faults.add(("SU-29", "TABLE-1"), told)


def _earned(move: Combine, found: Worth) -> tuple[str, ...]:
    """The rules by which more is due."""
    because = {
        "SU-22": not move.redeem,
        "SU-23": found.pairs,
        "SU-24": found.trio,
        "SU-32": wild_made_trio(move.cards, found),
        "SU-25": found.bonuses == 2,
        "SU-R4": True,
        "TABLE-4": not move.redeem,
    }
    return tuple(rule for rule, holds in because.items() if holds)


def _unearned(move: Combine, found: Worth) -> tuple[str, ...]:
    """The rules by which less is due. More than a pair, or more than three of a type, is still one bonus."""
    false_pair = not found.pairs and any(CARDS[card].values == (move.wild,) for card in move.cards)
    because = {
        "SU-33": false_pair,
        "SU-R7": false_pair,
        "SU-23": found.bonuses or not found.pairs,
        "SU-24": found.bonuses or not found.trio,
        "SU-R6": found.bonuses,
        "SU-25": True,
        "SU-22": True,
    }
    return tuple(rule for rule, holds in because.items() if holds)


def combine(state: SensuState, move: Combine, said: list[Ruling]) -> SensuState:
    cards, redeem, player = move.cards, move.redeem, state.player
    found = worth(cards, move.wild, state.terms.table)
    if state.terms.solo:
        state, changes = leave_columns(state, cards)
    else:
        before = state.seat.hand
        seat, unseen = out_of_hand(state, cards)
        state = replace(state, seats=with_seat(state.seats, state.turn, seat), unseen=unseen)
        changes = {f"hands.{player}": (before, before - len(cards))}
    said.append(_laid(move, player, changes))
    said.append(
        Ruling(
            "SU-22",
            message(
                "{player} redeems {card}, with the most sticks.",
                player=Thing("player", player),
                card=CARD[redeem[0]],
            ),
            {"redeemed": ((), redeem[:1])},
            RedeemedCards(player, redeem[:1]),
        )
    )
    said += reasons(cards, found)
    if found.bonuses:
        said.append(_bonus(redeem, found.bonuses, player))
    rest = move.discard if move.discard is not None else tuple([card for card in cards if card not in redeem])
    state = replace(state, phase="place", redeemed=redeem)
    return onto_pile(state, state.turn, rest, said, "SU-29")


def _laid(move: Combine, name: str, changes: Changes) -> Ruling:
    player, cards = Thing("player", name), all_cards(move.cards)
    happened = LaidCombination(name, move.cards)
    if move.wild is None:
        return Ruling("SU-21", message("{player} lays {cards}: 20.", player=player, cards=cards), changes, happened)
    told = message(
        "{player} lays {cards}: 20, with {wild} as {value}.",
        player=player,
        cards=cards,
        wild=CARD[wild_in(move.cards) or ""],
        value=move.wild,
    )
    return Ruling("SU-31", told, changes, happened)


def _bonus(redeem: tuple[str, ...], bonuses: int, player: str) -> Ruling:
    return Ruling(
        "SU-26" if bonuses == 1 else "SU-25",
        message(
            "{player} redeems as a bonus, with the fewest sticks: {cards}.",
            player=Thing("player", player),
            cards=all_cards(redeem[1:]),
        ),
        {"redeemed": (redeem[:1], redeem)},
        RedeemedCards(player, redeem[1:]),
    )
