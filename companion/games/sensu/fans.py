"""Building fans: what fits, what closes, and what follows when a fan is closed."""

from enum import Enum, auto

from companion.core.message import Message, Thing, message, plural
from companion.core.rulings import Ruling
from companion.games.sensu.cards import CARDS, FULL, POWERS
from companion.games.sensu.happenings import BuiltFan, ClosedFan
from companion.games.sensu.names import CARD, FAN
from companion.games.sensu.piles import onto_pile
from companion.games.sensu.solo import LEVEL_TITLES, level, score
from companion.games.sensu.state import Changes, Fan, FanSeat, SensuState, Terms, fan_of, replace, set_fan, set_seat


class FanObstacle(Enum):
    """Why a card cannot join its fan."""

    CLOSED = auto()
    TOO_MANY_STICKS = auto()
    NOT_CHOSEN = auto()

    @property
    def rules(self) -> tuple[str, ...]:
        return ("SU-62", "SU-61", "SU-60", "SU-R19") if self is FanObstacle.NOT_CHOSEN else ("SU-46", "SU-44")


def obstacle(terms: Terms, seat: FanSeat, card: str) -> FanObstacle | None:
    kind = CARDS[card].type
    fan = fan_of(seat, kind)
    sticks = fan.sticks + terms.sticks[card]
    if fan.closed:
        return FanObstacle.CLOSED
    if sticks > FULL:
        return FanObstacle.TOO_MANY_STICKS
    if sticks == FULL and terms.chosen_fan and seat.chosen != kind:
        return FanObstacle.NOT_CHOSEN
    return None


def why_not(stop: FanObstacle, name: str, owner: str) -> Message:
    """The obstacle in words."""
    card, fan, player = CARD[name], FAN[CARDS[name].type], Thing("player", owner)
    match stop:
        case FanObstacle.CLOSED:
            return message(
                "{card} cannot be used: the {fan} fan of {player} is complete.", card=card, fan=fan, player=player
            )
        case FanObstacle.TOO_MANY_STICKS:
            return message(
                "{card} cannot be used: the {fan} fan of {player} would pass ten sticks.",
                card=card,
                fan=fan,
                player=player,
            )
        case FanObstacle.NOT_CHOSEN:
            return message(
                "{card} cannot be used: it would close the {fan} fan of {player} before the chosen one.",
                card=card,
                fan=fan,
                player=player,
            )


def missing(fan: Fan) -> int:
    """Sticks that this fan still needs."""
    return FULL - fan.sticks


def put(state: SensuState, card: str, said: list[Ruling], changes: Changes) -> SensuState:
    """A redeemed card goes into its fan, or to the discards where it cannot be used."""
    stop = obstacle(state.terms, state.seat, card)
    if stop is None:
        return lay(state, card, said, changes)
    said.append(Ruling(stop.rules[0], why_not(stop, card, state.player), changes))
    return onto_pile(state, state.turn, (card,), said, stop.rules[0])


def lay(state: SensuState, card: str, said: list[Ruling], changes: Changes) -> SensuState:
    """A card that fits goes into the fan of the player whose turn it is. `changes` are those that led to it."""
    terms, seat, kind = state.terms, state.seat, CARDS[card].type
    fan = fan_of(seat, kind)
    laid = Fan((*fan.cards, card), fan.sticks + terms.sticks[card])
    after = set_seat(state, state.turn, set_fan(seat, kind, laid))
    path = f"fans.{seat.player}.{kind}"
    changes = {
        **changes,
        f"{path}.cards": (fan.cards, laid.cards),
        f"{path}.sticks": (fan.sticks, laid.sticks),
        **_scored(state, after),
    }
    rule, told = ("SU-40", _joins) if fan.cards else ("SU-42", _starts)
    happened = BuiltFan(seat.player, kind, card, laid.sticks)
    said.append(Ruling(rule, told(seat.player, card, kind, laid.sticks), changes, happened))
    if laid.sticks == FULL:
        after = _close(after, kind, said)
    if after.phase != "over":
        after = _wake(after, kind, card, said)
    return after


def _joins(player: str, card: str, kind: str, sticks: int) -> Message:
    return plural(
        "{player} lays {card} into the {fan} fan: {count} stick.",
        "{player} lays {card} into the {fan} fan: {count} sticks.",
        sticks,
        player=Thing("player", player),
        card=CARD[card],
        fan=FAN[kind],
    )


def _starts(player: str, card: str, kind: str, sticks: int) -> Message:
    return plural(
        "{player} starts a {fan} fan with {card}: {count} stick.",
        "{player} starts a {fan} fan with {card}: {count} sticks.",
        sticks,
        player=Thing("player", player),
        card=CARD[card],
        fan=FAN[kind],
    )


def _close(state: SensuState, kind: str, said: list[Ruling]) -> SensuState:
    seat = state.seat
    player = Thing("player", seat.player)
    closed = set_fan(seat, kind, replace(fan_of(seat, kind), closed=True))
    after = set_seat(state, state.turn, closed)
    said.append(
        Ruling(
            "SU-45",
            message("Ten sticks: the {fan} fan of {player} is closed.", fan=FAN[kind], player=player),
            {f"fans.{seat.player}.{kind}.closed": (False, True)},
            ClosedFan(seat.player, kind),
        )
    )
    if closed.closed == state.terms.goal:
        return _finish(after, said, _scored(state, after))
    if state.terms.chosen_fan:
        said.append(
            Ruling(
                "SU-63",
                message("{player} closed the chosen fan and draws a new Closed fan card.", player=player),
                {f"chosen.{seat.player}": (kind, None)},
            )
        )
        after = set_seat(after, after.turn, replace(closed, chosen=None))
        after = replace(after, asks=("chosen", *after.asks))
    return after


def _finish(state: SensuState, said: list[Ruling], scored: Changes) -> SensuState:
    player = Thing("player", state.player)
    if not state.terms.solo:
        ended = {"over": (False, True), "winners": ((), (state.player,))}
        said.append(Ruling("SU-50", message("{player} has completed two fans and wins.", player=player), ended))
        return replace(state, phase="over")
    if scored:
        counted = message("All three fans are closed: the sticks left in the deck count too.")
        said.append(Ruling("SU-76", counted, scored))
    return end_solo(state, message("{player} has closed the third fan: the game ends.", player=player), said)


def end_solo(state: SensuState, why: Message, said: list[Ruling]) -> SensuState:
    points = score(state)
    said.append(Ruling("SU-74", why, {"over": (False, True), "winners": ((), (state.player,))}))
    told = message(
        "{player} scores {score}: {level}.",
        player=Thing("player", state.player),
        score=points,
        level=LEVEL_TITLES[level(points)],
    )
    said.append(Ruling("SU-77", told))
    return replace(state, phase="over")


def _wake(state: SensuState, kind: str, card: str, said: list[Ruling]) -> SensuState:
    """The second card with the type's symbol sets off its power."""
    terms = state.terms
    if not terms.powers or card not in terms.symbols:
        return state
    if sum(other in terms.symbols for other in fan_of(state.seat, kind).cards) != 2:
        return state
    power = POWERS[kind]
    said.append(
        Ruling(
            "SU-52",
            message(
                "The second power symbol in the {fan} fan of {player}: its power acts.",
                fan=FAN[kind],
                player=Thing("player", state.player),
            ),
        )
    )
    asks = (power,) * (3 if power == "wisdom" else 1)
    # A new chosen fan is asked for at once, before the power: it decides what Harmony may close.
    first = state.asks[:1] if state.asks[:1] == ("chosen",) else ()
    return replace(state, asks=(*first, *asks, *state.asks[len(first) :]))


def _scored(before: SensuState, after: SensuState) -> Changes:
    if not before.terms.solo:
        return {}
    old, new = score(before), score(after)
    changes: Changes = {"score": (old, new)} if old != new else {}
    if level(old) != level(new):
        changes["level"] = (level(old), level(new))
    return changes
