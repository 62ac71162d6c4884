"""Building fans: what fits, what closes, what a closing brings about."""

from typing import NamedTuple

from companion.core.message import message
from companion.core.rulings import Ruling
from companion.games.sensu.cards import CARDS, FULL, POWERS
from companion.games.sensu.piles import onto_pile
from companion.games.sensu.solo import level, score
from companion.games.sensu.state import Changes, Fan, Seat, State, Terms, fan_of, refan, replace, reseat


class Obstacle(NamedTuple):
    """Why a card cannot join its fan."""

    rules: tuple[str, ...]
    say: str


CLOSED = Obstacle(("SU-46", "SU-44"), "{card} cannot be used: the {fan} fan of {player} is complete.")
TOO_MANY = Obstacle(("SU-46", "SU-44"), "{card} cannot be used: the {fan} fan of {player} would pass ten sticks.")
NOT_CHOSEN = Obstacle(
    ("SU-62", "SU-61", "SU-60", "SU-R19"),
    "{card} cannot be used: it would close the {fan} fan of {player} before the chosen one.",
)


def obstacle(terms: Terms, seat: Seat, card: str) -> Obstacle | None:
    kind = CARDS[card].type
    fan = fan_of(seat, kind)
    sticks = fan.sticks + terms.sticks[card]
    if fan.closed:
        return CLOSED
    if sticks > FULL:
        return TOO_MANY
    if sticks == FULL and terms.chosen_fan and seat.chosen != kind:
        return NOT_CHOSEN
    return None


def missing(fan: Fan) -> int:
    """Sticks that this fan still needs."""
    return FULL - fan.sticks


def put(state: State, card: str, said: list[Ruling], changes: Changes) -> State:
    """A redeemed card goes into its fan, or to the discards where it cannot be used."""
    stop = obstacle(state.terms, state.seat, card)
    if stop is None:
        return lay(state, card, said, changes)
    facts = {"card": card, "fan": CARDS[card].type, "player": state.player}
    said.append(Ruling(stop.rules[0], message(stop.say, **facts), changes))
    return onto_pile(state, state.turn, (card,), said, "SU-62" if stop is NOT_CHOSEN else "SU-46")


def lay(state: State, card: str, said: list[Ruling], changes: Changes) -> State:
    """A card that fits goes into the fan of the player whose turn it is; `changes` led to it."""
    terms, seat, kind = state.terms, state.seat, CARDS[card].type
    fan = fan_of(seat, kind)
    laid = Fan((*fan.cards, card), fan.sticks + terms.sticks[card])
    after = reseat(state, state.turn, refan(seat, kind, laid))
    path = f"fans.{seat.player}.{kind}"
    changes = {
        **changes,
        f"{path}.cards": (fan.cards, laid.cards),
        f"{path}.sticks": (fan.sticks, laid.sticks),
        **_scored(state, after),
    }
    facts = {"player": seat.player, "card": card, "fan": kind, "sticks": laid.sticks}
    if fan.cards:
        rule, say = "SU-40", "{player} lays {card} into the {fan} fan: {sticks} sticks."
    else:
        rule, say = "SU-42", "{player} starts a {fan} fan with {card}: {sticks} sticks."
    said.append(Ruling(rule, message(say, **facts), changes))
    if laid.sticks == FULL:
        after = _close(after, kind, said)
    if after.phase != "over":
        after = _wake(after, kind, card, said)
    return after


def _close(state: State, kind: str, said: list[Ruling]) -> State:
    seat = state.seat
    closed = refan(seat, kind, replace(fan_of(seat, kind), closed=True))
    after = reseat(state, state.turn, closed)
    facts = {"player": seat.player, "fan": kind}
    changes: Changes = {f"fans.{seat.player}.{kind}.closed": (False, True)}
    said.append(Ruling("SU-45", message("Ten sticks: the {fan} fan of {player} is closed.", **facts), changes))
    if closed.closed == state.terms.goal:
        return _finish(after, said, _scored(state, after))
    if state.terms.chosen_fan:
        said.append(
            Ruling(
                "SU-63",
                message("{player} closed the chosen fan and draws a new Closed fan card.", **facts),
                {f"chosen.{seat.player}": (kind, None)},
            )
        )
        after = reseat(after, after.turn, replace(closed, chosen=None))
        after = replace(after, asks=("chosen", *after.asks))
    return after


def _finish(state: State, said: list[Ruling], scored: Changes) -> State:
    facts = {"player": state.player}
    ended = {"over": (False, True), "winners": ((), (state.player,))}
    if not state.terms.solo:
        said.append(Ruling("SU-50", message("{player} has completed two fans and wins.", **facts), ended))
        return replace(state, phase="over")
    if scored:
        say = "All three fans are closed: the sticks left in the deck count too."
        said.append(Ruling("SU-76", message(say, **facts), scored))
    return end_solo(state, "{player} has closed the third fan: the game ends.", said)


LEVEL_SAYS = {
    "gutted": "{player} scores {score}: Gutted.",
    "beginner": "{player} scores {score}: Beginner.",
    "apprentice": "{player} scores {score}: Apprentice.",
    "samurai": "{player} scores {score}: Samurai.",
    "master": "{player} scores {score}: Master.",
    "grandmaster": "{player} scores {score}: Grandmaster.",
}


def end_solo(state: State, say: str, said: list[Ruling]) -> State:
    facts = {"player": state.player, "score": score(state)}
    said.append(Ruling("SU-74", message(say, **facts), {"over": (False, True), "winners": ((), (state.player,))}))
    said.append(Ruling("SU-77", message(LEVEL_SAYS[level(score(state))], **facts)))
    return replace(state, phase="over")


def _wake(state: State, kind: str, card: str, said: list[Ruling]) -> State:
    """The second card with the type's symbol wakes its power."""
    terms = state.terms
    if not terms.powers or card not in terms.symbols:
        return state
    if sum(other in terms.symbols for other in fan_of(state.seat, kind).cards) != 2:
        return state
    power = POWERS[kind]
    facts = {"player": state.player, "fan": kind}
    said.append(
        Ruling("SU-52", message("The second power symbol in the {fan} fan of {player}: its power acts.", **facts))
    )
    asks = (power,) * (3 if power == "wisdom" else 1)
    # A new chosen fan is asked for at once, before the power: it decides what Harmony may close.
    first = state.asks[:1] if state.asks[:1] == ("chosen",) else ()
    return replace(state, asks=(*first, *asks, *state.asks[len(first) :]))


def _scored(before: State, after: State) -> Changes:
    if not before.terms.solo:
        return {}
    old, new = score(before), score(after)
    changes: Changes = {"score": (old, new)} if old != new else {}
    if level(old) != level(new):
        changes["level"] = (level(old), level(new))
    return changes
