"""The variants: the powers of the fans, and the chosen fan."""

from collections.abc import Mapping

from companion.core.message import Message, Thing, message, plural, things
from companion.core.rulings import Refused, Ruling
from companion.games.kit.faults import Faults
from companion.games.sensu.cards import CARDS, TYPES
from companion.games.sensu.fans import lay, obstacle, why_not
from companion.games.sensu.happenings import DrewFanCard, LostFanCard
from companion.games.sensu.moves import Chosen, Courage, Harmony, Wisdom
from companion.games.sensu.names import CARD, FAN
from companion.games.sensu.piles import DECK, off_pile, onto_pile, report_bad_source, take
from companion.games.sensu.state import Fan, FanSeat, SensuState, fan_of, replace, set_fan, set_seat


def possible_now(state: SensuState, ask: str) -> bool:
    """Whether there is anything to answer."""
    if ask == "wisdom":
        return bool(state.deck) or any(seat.discards for seat in state.seats)
    if ask == "harmony":
        return bool(harmonies(state))
    return bool(losers(state)) if ask == "courage" else True


# --- Wisdom --------------------------------------------------------------------------------------------------------


def check_wisdom(state: SensuState, move: Wisdom) -> None:
    faults = Faults()
    report_bad_source(state, move.from_, faults, "SU-55")
    if not faults and move.card is not None:
        _report_bad_choice(state, move.from_, move.card, faults)
    faults.refuse()


def _report_bad_choice(state: SensuState, source: str, card: str, faults: Faults) -> None:
    """Say what is wrong with naming this card."""
    if source == DECK:
        faults.add(("SU-55", "TABLE-4"), message("A card from the deck is drawn unseen: it is not named."))
        return
    pile, owner = state.seats[state.terms.seat[source]].discards, Thing("player", source)
    if card not in pile:
        told = message("{card} is not in the discard pile of {owner}.", card=Thing("card", card), owner=owner)
        faults.add(("SU-55", "TABLE-1", "TABLE-4"), told)
    elif card != pile[-1] and not state.terms.wisdom_takes_any:
        told = message(
            "In this match Wisdom takes the top of a pile: {top_card}, not {card}.",
            top_card=CARD[pile[-1]],
            card=CARD[card],
        )
        faults.add(("SU-55", "SU-R15"), told)


def wisdom(state: SensuState, move: Wisdom, said: list[Ruling]) -> SensuState:
    return take(replace(state, asks=state.asks[1:]), move.from_, said, "SU-55", move.card)


# --- Harmony -------------------------------------------------------------------------------------------------------


def harmonies(state: SensuState) -> tuple[str, ...]:
    """The players whose top discard would fit a fan of the player whose turn it is."""
    return tuple(seat.player for seat in state.seats if seat.discards and _fits(state, seat.discards[-1]))


def _may_start(state: SensuState, card: str) -> bool:
    return state.terms.harmony_may_start_fan or bool(fan_of(state.seat, CARDS[card].type).cards)


def _fits(state: SensuState, card: str) -> bool:
    return obstacle(state.terms, state.seat, card) is None and _may_start(state, card)


def check_harmony(state: SensuState, move: Harmony) -> None:
    faults = Faults()
    if move.from_ == DECK:
        faults.add(("SU-56", "TABLE-4"), message("Harmony takes a card from a discard pile, not from the deck."))
    else:
        report_bad_source(state, move.from_, faults, "SU-56")
    if not faults:
        card = state.seats[state.terms.seat[move.from_]].discards[-1]
        stop = obstacle(state.terms, state.seat, card)
        if stop:
            faults.add((*stop.rules, "SU-56", "SU-R16"), why_not(stop, card, state.player))
        if not _may_start(state, card):
            told = message(
                "{card} cannot be used: in this match Harmony starts no fan, and {player} has no {fan} fan.",
                card=CARD[card],
                fan=FAN[CARDS[card].type],
                player=Thing("player", state.player),
            )
            faults.add(("SU-56", "SU-R16"), told)
    faults.refuse()


def harmony(state: SensuState, move: Harmony, said: list[Ruling]) -> SensuState:
    before = state.seats[state.terms.seat[move.from_]].discards
    state, card = off_pile(replace(state, asks=state.asks[1:]), move.from_)
    said.append(
        Ruling(
            "SU-56",
            _taken_by_harmony(state.player, card, move.from_),
            {f"discards.{move.from_}": (before, before[:-1])},
            DrewFanCard(state.player, move.from_, card),
        )
    )
    return lay(state, card, said, {})


def _taken_by_harmony(name: str, card: str, owner: str) -> Message:
    player = Thing("player", name)
    if owner == name:
        return message("Harmony: {player} takes {card} from their own pile.", player=player, card=CARD[card])
    return message(
        "Harmony: {player} takes {card} from the pile of {owner}.",
        player=player,
        card=CARD[card],
        owner=Thing("player", owner),
    )


# --- Courage -------------------------------------------------------------------------------------------------------


def exposed(state: SensuState, seat: FanSeat) -> tuple[str, ...]:
    """The types of the fans from which Courage may take the last card."""
    symbols = state.terms.symbols
    return tuple(
        kind
        for kind, fan in zip(TYPES, seat.fans, strict=True)
        if fan.cards and not fan.closed and fan.cards[-1] not in symbols
    )


def losers(state: SensuState) -> Mapping[str, tuple[str, ...]]:
    """Every opponent that has a card to lose, with the fans to choose from."""
    others = (seat for at, seat in enumerate(state.seats) if at != state.turn)
    return {seat.player: kinds for seat in others if (kinds := exposed(state, seat))}


def check_courage(state: SensuState, move: Courage) -> None:
    faults = Faults()
    must = losers(state)
    for player, kind in move.fans.items():
        if player not in state.terms.seat:
            faults.add(("SU-57", "TABLE-4"), message("There is no player called {name} in this match.", name=player))
        elif kind not in TYPES:
            faults.add(("SU-57", "SU-2", "TABLE-4"), message("There is no type of fan called {name}.", name=kind))
        elif player == state.player:
            told = message("Courage takes from opponents, not from {player}.", player=Thing("player", player))
            faults.add("SU-57", told)
        elif kind not in must.get(player, ()):
            _report_safe(state.seats[state.terms.seat[player]], kind, faults)
    left = [player for player in must if player not in move.fans]
    if left:
        told = message(
            "Courage takes a card from every opponent that has one to lose; not named: {players}.",
            players=things("player", left),
        )
        faults.add(("SU-57", "SU-54", "SU-R17", *(() if move.fans else ("TABLE-4",))), told)
    faults.refuse()


def _report_safe(seat: FanSeat, kind: str, faults: Faults) -> None:
    lying, fan, player = fan_of(seat, kind), FAN[kind], Thing("player", seat.player)
    if lying.closed:
        faults.add("SU-57", message("The {fan} fan of {player} is closed and safe.", fan=fan, player=player))
    elif not lying.cards:
        faults.add("SU-57", message("{player} has no {fan} fan.", fan=fan, player=player))
    else:
        told = message(
            "The last card of the {fan} fan of {player} carries a power symbol and cannot be taken.",
            fan=fan,
            player=player,
        )
        faults.add(("SU-58", "SU-R17"), told)


def courage(state: SensuState, move: Courage, said: list[Ruling]) -> SensuState:
    state = replace(state, asks=state.asks[1:])
    for player in state.terms.players:
        if player in move.fans:
            state = _lose(state, player, move.fans[player], said)
    return state


def _lose(state: SensuState, player: str, kind: str, said: list[Ruling]) -> SensuState:
    """The last card of that fan goes to the discards of its owner."""
    at = state.terms.seat[player]
    fan = fan_of(state.seats[at], kind)
    card = fan.cards[-1]
    less = Fan(fan.cards[:-1], fan.sticks - state.terms.sticks[card])
    path = f"fans.{player}.{kind}"
    said.append(
        Ruling(
            "SU-57",
            plural(
                "Courage: {player} loses {card} from the {fan} fan: {count} stick.",
                "Courage: {player} loses {card} from the {fan} fan: {count} sticks.",
                less.sticks,
                player=Thing("player", player),
                card=CARD[card],
                fan=FAN[kind],
            ),
            {f"{path}.cards": (fan.cards, less.cards), f"{path}.sticks": (fan.sticks, less.sticks)},
            LostFanCard(player, kind, card),
        )
    )
    state = set_seat(state, at, set_fan(state.seats[at], kind, less))
    return onto_pile(state, at, (card,), said, "SU-57")


# --- the chosen fan ------------------------------------------------------------------------------------------------


def check_chosen(state: SensuState, move: Chosen) -> None:
    if move.fan not in TYPES:
        raise Refused(("SU-2", "TABLE-4"), message("There is no type of fan called {name}.", name=move.fan))
    if fan_of(state.seat, move.fan).closed:
        told = message(
            "{player} has just closed a {fan} fan: that card is discarded, and another is drawn.",
            player=Thing("player", state.player),
            fan=FAN[move.fan],
        )
        raise Refused("SU-64", told)


def chosen(state: SensuState, move: Chosen, said: list[Ruling]) -> SensuState:
    said.append(
        Ruling(
            "SU-64",
            message(
                "The new chosen fan of {player} is {fan}.",
                player=Thing("player", state.player),
                fan=FAN[move.fan],
            ),
            {f"chosen.{state.player}": (state.seat.chosen, move.fan)},
        )
    )
    state = replace(state, asks=state.asks[1:])
    return set_seat(state, state.turn, replace(state.seat, chosen=move.fan))
