"""The variants: the powers of the fans, and the chosen fan."""

from collections.abc import Mapping

from companion.core.message import message
from companion.core.rulings import Refused, Ruling
from companion.games.sensu.cards import CARDS, TYPES
from companion.games.sensu.fans import lay, obstacle
from companion.games.sensu.faults import Faults
from companion.games.sensu.moves import Chosen, Courage, Harmony, Wisdom
from companion.games.sensu.piles import DECK, call_source, off_pile, onto_pile, take
from companion.games.sensu.state import Fan, Seat, State, fan_of, refan, replace, reseat


def possible_now(state: State, ask: str) -> bool:
    """Whether there is anything to answer."""
    if ask == "wisdom":
        return bool(state.deck) or any(seat.discards for seat in state.seats)
    if ask == "harmony":
        return bool(harmonies(state))
    return bool(losers(state)) if ask == "courage" else True


def check_wisdom(state: State, move: Wisdom) -> None:
    faults = Faults()
    call_source(state, move.from_, faults, "SU-55")
    faults.refuse()


def wisdom(state: State, move: Wisdom, said: list[Ruling]) -> State:
    return take(replace(state, asks=state.asks[1:]), move.from_, said, "SU-55")


def harmonies(state: State) -> tuple[str, ...]:
    """The players whose top discard would fit a fan of the player whose turn it is."""
    return tuple(seat.player for seat in state.seats if seat.discards and _fits(state, seat.discards[-1]))


def _may_start(state: State, card: str) -> bool:
    return state.terms.harmony_may_start_fan or bool(fan_of(state.seat, CARDS[card].type).cards)


def _fits(state: State, card: str) -> bool:
    return obstacle(state.terms, state.seat, card) is None and _may_start(state, card)


def check_harmony(state: State, move: Harmony) -> None:
    faults = Faults()
    if move.from_ == DECK:
        faults.add(("SU-56", "TABLE-4"), "Harmony takes a card from a discard pile, not from the deck.")
    else:
        call_source(state, move.from_, faults, "SU-56")
    if not faults:
        card = state.seats[state.terms.seat[move.from_]].discards[-1]
        facts = {"card": card, "fan": CARDS[card].type, "player": state.player}
        stop = obstacle(state.terms, state.seat, card)
        if stop:
            faults.add((*stop.rules, "SU-56", "SU-R16"), stop.say, **facts)
        if not _may_start(state, card):
            say = "{card} cannot be used: in this match Harmony starts no fan, and {player} has no {fan} fan."
            faults.add(("SU-56", "SU-R16"), say, **facts)
    faults.refuse()


def harmony(state: State, move: Harmony, said: list[Ruling]) -> State:
    before = state.seats[state.terms.seat[move.from_]].discards
    state, card = off_pile(replace(state, asks=state.asks[1:]), move.from_)
    facts = {"player": state.player, "card": card, "source": move.from_}
    changes = {f"discards.{move.from_}": (before, before[:-1])}
    said.append(Ruling("SU-56", message("Harmony: {player} takes {card} from the pile of {source}.", **facts), changes))
    return lay(state, card, said, {})


def exposed(state: State, seat: Seat) -> tuple[str, ...]:
    """The types of the fans from which Courage may take the last card."""
    symbols = state.terms.symbols
    return tuple(
        kind
        for kind, fan in zip(TYPES, seat.fans, strict=True)
        if fan.cards and not fan.closed and fan.cards[-1] not in symbols
    )


def losers(state: State) -> Mapping[str, tuple[str, ...]]:
    """Every opponent that has a card to lose, with the fans to choose from."""
    others = (seat for at, seat in enumerate(state.seats) if at != state.turn)
    return {seat.player: kinds for seat in others if (kinds := exposed(state, seat))}


def check_courage(state: State, move: Courage) -> None:
    faults = Faults()
    must = losers(state)
    for player, kind in move.fans.items():
        if player not in state.terms.seat:
            faults.add(("SU-57", "TABLE-4"), "There is no player called {player} in this match.", player=player)
        elif kind not in TYPES:
            faults.add(("SU-57", "SU-2", "TABLE-4"), "There is no type of fan called {fan}.", fan=kind)
        elif player == state.player:
            faults.add("SU-57", "Courage takes from opponents, not from {player}.", player=player)
        elif kind not in must.get(player, ()):
            _call_safe(state, state.seats[state.terms.seat[player]], kind, faults)
    left = [player for player in must if player not in move.fans]
    if left:
        say = "Courage takes a card from every opponent that has one to lose; not named: {players}."
        rules = ("SU-57", "SU-54", "SU-R17", *(() if move.fans else ("TABLE-4",)))
        faults.add(rules, say, players=", ".join(left))
    faults.refuse()


def _call_safe(state: State, seat: Seat, kind: str, faults: Faults) -> None:
    fan = fan_of(seat, kind)
    facts = {"fan": kind, "player": seat.player}
    if fan.closed:
        faults.add("SU-57", "The {fan} fan of {player} is closed and safe.", **facts)
    elif not fan.cards:
        faults.add("SU-57", "{player} has no {fan} fan.", **facts)
    else:
        say = "The last card of the {fan} fan of {player} carries a power symbol and cannot be taken."
        faults.add(("SU-58", "SU-R17"), say, **facts)


def courage(state: State, move: Courage, said: list[Ruling]) -> State:
    state = replace(state, asks=state.asks[1:])
    for player in state.terms.players:
        kind = move.fans.get(player)
        if kind is None:
            continue
        at = state.terms.seat[player]
        fan = fan_of(state.seats[at], kind)
        card = fan.cards[-1]
        less = Fan(fan.cards[:-1], fan.sticks - state.terms.sticks[card])
        path = f"fans.{player}.{kind}"
        changes = {f"{path}.cards": (fan.cards, less.cards), f"{path}.sticks": (fan.sticks, less.sticks)}
        facts = {"player": player, "card": card, "fan": kind, "sticks": less.sticks}
        say = "Courage: {player} loses {card} from the {fan} fan: {sticks} sticks."
        said.append(Ruling("SU-57", message(say, **facts), changes))
        state = reseat(state, at, refan(state.seats[at], kind, less))
        state = onto_pile(state, at, (card,), said, "SU-57")
    return state


def check_chosen(state: State, move: Chosen) -> None:
    if move.fan not in TYPES:
        raise Refused(("SU-2", "TABLE-4"), message("There is no type of fan called {fan}.", fan=move.fan))
    if fan_of(state.seat, move.fan).closed:
        raise Refused(
            "SU-64",
            message(
                "{player} has just closed a {fan} fan: that card is discarded, and another is drawn.",
                player=state.player,
                fan=move.fan,
            ),
        )


def chosen(state: State, move: Chosen, said: list[Ruling]) -> State:
    facts = {"player": state.player, "fan": move.fan}
    changes = {f"chosen.{state.player}": (state.seat.chosen, move.fan)}
    said.append(Ruling("SU-64", message("The new chosen fan of {player} is {fan}.", **facts), changes))
    state = replace(state, asks=state.asks[1:])
    return reseat(state, state.turn, replace(state.seat, chosen=move.fan))
