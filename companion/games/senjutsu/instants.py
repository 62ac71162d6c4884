"""Instants: who may lay one over the own card, when, and what becomes of it (SJ-40 to SJ-45, R20 to R23)."""

from collections.abc import Iterator

from companion.core.message import message
from companion.core.rulings import Refused
from companion.games.senjutsu.ability import STUN, Ability, Lines, Segment
from companion.games.senjutsu.desk import Desk, replace
from companion.games.senjutsu.state import Activation, Ask, Duel, Samurai, State


def left(duel: Duel, samurai: Samurai, seat: int, card: str) -> int:
    """Copies of a card that this player may still hold, by what lies open on the table."""
    return duel.decks[seat].get(card, 0) - samurai.shown.get(card, 0)


def in_hand(duel: Duel, samurai: Samurai, seat: int, card: str) -> None:
    """Refuse a card that this player cannot hold."""
    player = duel.players[seat]
    if card not in duel.cards:
        raise Refused("TABLE-4", message("There is no card {card} in this match.", card=card))
    if card not in duel.decks[seat]:
        say = "{card} is not in the deck of {player}."
        raise Refused(("TABLE-1", "SJ-5", "TABLE-4"), message(say, card=card, player=player))
    if not samurai.hand:
        raise Refused("TABLE-2", message("{player} has no ability card in hand.", player=player))
    if left(duel, samurai, seat, card) < 1:
        say = "Every copy of {card} in the deck of {player} already lies open."
        raise Refused("TABLE-1", message(say, card=card, player=player))


Obstacle = tuple[tuple[str, ...], str]
"""The rules and the sentence; it becomes a refusal only where somebody has to be told."""


def fits(state: State | Desk, seat: int, card: Ability) -> Refused | None:
    """Why this instant cannot be laid over the player's card now; None: it can."""
    obstacle = (None if card.instant else NO_INSTANT) or _shut(state, seat) or _unfit(state, seat, card)
    if obstacle is None:
        return None
    rules, say = obstacle
    player, own = state.duel.players[seat], state.samurai[seat].card
    return Refused(rules, message(say, player=player, card=card.id, own_card=own, type=card.type, kamae=card.needs))


def _shut(state: State | Desk, seat: int) -> Obstacle | None:
    """Why nothing at all can be laid over this player's card."""
    samurai, cards = state.samurai[seat], state.duel.cards
    if samurai.card is None or samurai.card == STUN:
        return NO_CARD
    if cards[samurai.card].instant or (samurai.laid and any(cards[laid].instant == "replace" for laid in samurai.laid)):
        return ON_AN_INSTANT
    if state.acting != seat and all(waiting.player != seat for waiting in state.queue):
        return TURN_OVER
    return None


def _unfit(state: State | Desk, seat: int, card: Ability) -> Obstacle | None:
    """Why just this instant cannot."""
    samurai = state.samurai[seat]
    base = state.duel.cards[samurai.card or ""]
    if base.type == card.type:
        return SAME_TYPE
    if card.needs and samurai.kamae != card.needs:
        return OTHER_KAMAE
    if card.instant == "replace" and all(waiting.card != base.id or waiting.player != seat for waiting in state.queue):
        return RESOLVED
    return None


NO_INSTANT: Obstacle = ("SJ-19", "SJ-18"), "{card} is no instant."
NO_CARD: Obstacle = ("SJ-40", "R14"), "{player} has no ability card to lay an instant on."
ON_AN_INSTANT: Obstacle = (
    ("SJ-40", "R20"),
    "The card of {player} is an instant already; nothing is laid on an instant.",
)
TURN_OVER: Obstacle = ("SJ-43",), "The turn of {player} is over."
SAME_TYPE: Obstacle = ("SJ-40", "R20"), "{card} is {type} like {own_card}: an instant goes on a card of another type."
OTHER_KAMAE: Obstacle = ("SJ-32",), "{card} can only be used in the kamae {kamae}."
RESOLVED: Obstacle = ("SJ-41", "R20"), "The card of {player} is resolved and cannot be replaced any more."


def may_lay(state: State | Desk, seat: int) -> bool:
    """Whether this player may hold an instant that fits now, by what the table shows."""
    samurai = state.samurai[seat]
    if seat in state.quiet or not samurai.hand or samurai.defeated:
        return False
    return next(fitting(state, seat), None) is not None


def fitting(state: State | Desk, seat: int) -> Iterator[str]:
    """The instants that this player may hold and lay now."""
    duel = state.duel
    if not duel.instants[seat] or _shut(state, seat):
        return
    copies, shown = duel.decks[seat], state.samurai[seat].shown
    for card in duel.instants[seat]:
        if shown.get(card, 0) < copies[card] and _unfit(state, seat, duel.cards[card]) is None:
            yield card


def open_window(desk: Desk) -> None:
    """Before the next activation everyone who may lay an instant is asked, in advantage order (R23)."""
    order = desk.advantage if desk.duel.options.instant_order == "top" else desk.advantage[::-1]
    waiting = {activation.player for activation in desk.queue}
    desk.asking = [seat for seat in order if seat in waiting and may_lay(desk, seat)]
    desk.window = "open"


def ask_next(desk: Desk) -> None:
    if desk.asking:
        desk.ask = Ask(desk.asking.pop(0), ("instant", "pass"))
    else:
        desk.window = "shut"


def lay(desk: Desk, seat: int, card: Ability) -> None:
    samurai, name = desk.samurai[seat], desk.players[seat]
    held = samurai.hand + samurai.stuns
    desk.change(seat, hand=samurai.hand - 1, laid=(*samurai.laid, card.id), shown=desk.opened(seat, card.id))
    changes = {f"hands.{name}": (held, held - 1)}
    facts = {"player": name, "own_card": samurai.card, "card": card.id}
    if card.instant == "replace":
        desk.rule("SJ-42", "{player} replaces {own_card} with {card}.", changes, **facts)
        _replace(desk, seat, card)
    else:
        desk.rule("SJ-43", "{player} adds {card} to {own_card}.", changes, **facts)
        _add(desk, seat, card)
    desk.window, desk.asking = "", []


def _replace(desk: Desk, seat: int, card: Ability) -> None:
    """Its segments take the place of the old ones; without a speed of its own it keeps the old card's (R21)."""
    base = desk.samurai[seat].card
    others = [waiting for waiting in desk.queue if waiting.player != seat]
    own = [waiting for waiting in desk.queue if waiting.player == seat]
    kept = next(waiting for waiting in own if waiting.card == base)
    new = [
        Activation(seat, card.id, at, _speed(segment, kept.speed), added=kept.added if not at else ())
        for at, segment in enumerate(card.segments)
    ]
    desk.queue = others + new + [waiting for waiting in own if waiting.card != base]


def _speed(segment: Segment, otherwise: int) -> int:
    """The speed that is printed, -1 where it has to be chosen."""
    return otherwise if not segment.speed else segment.speed[0] if len(segment.speed) == 1 else -1


def _add(desk: Desk, seat: int, card: Ability) -> None:
    """Without a speed it is part of the card's next activation; with one, or `=`, it follows behind the card (R22)."""
    own = [at for at, waiting in enumerate(desk.queue) if waiting.player == seat]
    attached = desk.queue[own[0]] if own else None
    moment = attached.speed if attached else desk.clock
    if card.equal or card.speed:
        for at, segment in enumerate(card.segments):
            desk.queue.append(Activation(seat, card.id, at, _speed(segment, moment), at_once=True))
    elif attached:
        desk.queue[own[0]] = replace(attached, added=(*attached.added, card.id))
    else:
        desk.push(seat, all_lines(card), moment)


def all_lines(card: Ability) -> Lines:
    return tuple(line for segment in card.segments for line in segment.lines)
