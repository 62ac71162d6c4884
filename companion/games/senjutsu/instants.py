"""Instants: who may lay one over the card of the round, when, and what it does (SJ-40 to SJ-45, SJ-R20 to SJ-R23)."""

from collections.abc import Mapping

from companion.core.message import Thing, message
from companion.core.rulings import Refused
from companion.games.senjutsu.card_language.ability import PASSIVE, STUN, Ability, Lines, Segment
from companion.games.senjutsu.desk import Desk, opened, replace
from companion.games.senjutsu.moves import LayInstant, RevealCard
from companion.games.senjutsu.state import Activation, Ask, CardInDeck, DuelState


def on_each_card(deck: Mapping[str, int], cards: Mapping[str, Ability]) -> dict[str, tuple[CardInDeck, ...]]:
    """For each card of the round, the instants of this deck whose type allows them there (SJ-40)."""
    instants = [cards[card] for card in deck if cards[card].instant]
    return {
        base: tuple(
            CardInDeck(card.id, deck[card.id], card.needs, LayInstant(card.id), card.instant == "replace")
            for card in instants
            if card.type != cards[base].type
        )
        for base in (PASSIVE, *deck)
        if not cards[base].instant
    }


def check_fits(state: DuelState, seat: int, card: Ability) -> None:
    """Refuse an instant that cannot be laid over this player's card now."""
    player, thing = state.duel.named[seat], Thing("card", card.id)
    if not card.instant:
        raise Refused(("SJ-19", "SJ-18"), message("{card} is not an instant.", card=thing))
    samurai, cards = state.samurai[seat], state.duel.cards
    if samurai.card is None or samurai.card == STUN:
        raise Refused(("SJ-40", "SJ-R14"), message("{player} has no ability card to lay an instant on.", player=player))
    base = cards[samurai.card]
    if base.instant or _replaced(state, seat):
        told = message("The card of {player} is an instant already; nothing is laid on an instant.", player=player)
        raise Refused(("SJ-40", "SJ-R20"), told)
    if state.acting != seat and all(waiting.player != seat for waiting in state.queue):
        raise Refused("SJ-43", message("The turn of {player} is over.", player=player))
    if base.type == card.type:
        told = message(
            "{card} is {type} like {own_card}: an instant goes on a card of another type.",
            card=thing,
            type=Thing("type", card.type),
            own_card=Thing("card", base.id),
        )
        raise Refused(("SJ-40", "SJ-R20"), told)
    if card.needs and samurai.kamae != card.needs:
        raise needs_kamae(card)
    if card.instant == "replace" and not _unresolved(state, seat, base.id):
        told = message("The card of {player} is resolved and cannot be replaced any more.", player=player)
        raise Refused(("SJ-41", "SJ-R20"), told)


def needs_kamae(card: Ability) -> Refused:
    told = message(
        "{card} can only be used in the kamae {kamae}.",
        card=Thing("card", card.id),
        kamae=Thing("kamae", card.needs),
    )
    return Refused("SJ-32", told)


def _replaced(state: DuelState | Desk, seat: int) -> bool:
    return any(state.duel.cards[card].instant == "replace" for card in state.samurai[seat].laid)


def _unresolved(state: DuelState | Desk, seat: int, card: str) -> bool:
    """Whether a segment of the card of the round still waits."""
    return any(waiting.card == card and waiting.player == seat for waiting in state.queue)


def fitting(state: DuelState | Desk, seat: int) -> list[RevealCard | LayInstant]:
    """The instants that this player may hold and lay now, by what the table shows."""
    samurai = state.samurai[seat]
    base, shown = samurai.card, samurai.shown
    on_it = state.duel.instants_on[seat].get(base or "")
    if not on_it or not samurai.hand or seat in state.quiet or samurai.defeated:
        return []
    if samurai.laid and _replaced(state, seat):
        return []
    turn_over, unresolved = state.acting != seat, False
    for waiting in state.queue:
        if waiting.player == seat:
            turn_over = False
            unresolved = unresolved or waiting.card == base
    if turn_over:
        return []
    return [
        move
        for card, copies, needs, move, replaces in on_it
        if (card not in shown or shown[card] < copies)
        and (not needs or needs == samurai.kamae)
        and (unresolved or not replaces)
    ]


def open_window(desk: Desk) -> None:
    """Before the next activation everyone who may lay an instant is asked, in advantage order (SJ-R23)."""
    order = desk.advantage if desk.duel.options.instant_order == "top" else desk.advantage[::-1]
    waiting = [activation.player for activation in desk.queue]
    desk.asking = tuple([seat for seat in order if seat in waiting and fitting(desk, seat)])
    desk.window = "open" if desk.asking else "shut"


def ask_next(desk: Desk) -> None:
    if desk.asking:
        desk.ask = Ask(desk.asking[0], ("instant", "pass"))
        desk.asking = desk.asking[1:]
    else:
        desk.window = "shut"


def lay(desk: Desk, seat: int, card: Ability) -> None:
    samurai = desk.samurai[seat]
    player, own, new = desk.duel.named[seat], Thing("card", samurai.card or ""), Thing("card", card.id)
    held = samurai.hand + samurai.stuns
    desk.change(seat, hand=samurai.hand - 1, laid=(*samurai.laid, card.id), shown=opened(samurai.shown, (card.id,)))
    changes = {f"hands.{desk.players[seat]}": (held, held - 1)}
    if card.instant == "replace":
        told = message("{player} replaces {own_card} with {card}.", player=player, own_card=own, card=new)
        desk.rule("SJ-42", told, changes)
        _replace(desk, seat, card)
    else:
        told = message("{player} adds {card} to {own_card}.", player=player, own_card=own, card=new)
        desk.rule("SJ-43", told, changes)
        _add(desk, seat, card)
    desk.window, desk.asking = "", ()


def _replace(desk: Desk, seat: int, card: Ability) -> None:
    """Its segments take the place of the old ones; without a speed of its own it keeps the old card's (SJ-R21)."""
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
    """Without a speed it joins the card's next activation; with one, or `=`, it follows right after it (SJ-R22)."""
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
