"""The round: draw, choose, reveal, resolve by initiative, discard; and on to the next (SJ-46 to SJ-52)."""

from functools import lru_cache

from companion.core.message import Message, Thing, message, plural, things
from companion.games.senjutsu.card_language.ability import FASTEST, PASSIVE, STUN
from companion.games.senjutsu.desk import KEPT, Desk, opened, replace
from companion.games.senjutsu.happenings import CardsDiscarded, SamuraiBled
from companion.games.senjutsu.initiative import first_of, tied_with
from companion.games.senjutsu.instants import all_lines, ask_next, fitting, open_window
from companion.games.senjutsu.resolve import resolve_line
from companion.games.senjutsu.state import Activation, Ask, Samurai

IDLE_ROUNDS = 3
"""After so many rounds without an ability card, with all decks empty, the duel is a draw (SJ-R36)."""


def reveal(desk: Desk, cards: dict[int, str]) -> None:
    """All chosen cards are turned up; their segments wait for their initiative."""
    for seat, card in sorted(cards.items()):
        if card == STUN:
            _play_stun(desk, seat)
            continue
        samurai, name = desk.samurai[seat], desk.players[seat]
        held, counted = samurai.hand + samurai.stuns, card != PASSIVE
        desk.samurai[seat] = replace(
            samurai, card=card, hand=samurai.hand - counted, shown=opened(samurai.shown, (card,))
        )
        desk.rule("SJ-48", _reveals(name, card), {f"hands.{name}": (held, held - 1)} if counted else {})
        for at, segment in enumerate(desk.duel.cards[card].segments):
            speed = segment.speed[0] if len(segment.speed) == 1 else -1
            desk.queue.append(Activation(seat, card, at, speed))
    desk.stage = "resolve"


def _play_stun(desk: Desk, seat: int) -> None:
    samurai, name = desk.samurai[seat], desk.players[seat]
    held, stuns = samurai.hand + samurai.stuns, samurai.stuns
    desk.change(seat, card=STUN, stuns=stuns - 1)
    told = message("{player} plays a stun card and does nothing.", player=desk.duel.named[seat])
    desk.rule("SJ-38", told, {f"stuns.{name}": (stuns, stuns - 1), f"hands.{name}": (held, held - 1)})


def run(desk: Desk) -> None:
    """Go on until somebody has to be asked, or the duel is over."""
    while desk.ask is None and desk.stage == "resolve":
        if desk.frames:
            resolve_line(desk)
        elif desk.acting >= 0:
            _finish(desk)
        elif not desk.queue:
            _end_round(desk)
        elif desk.window == "open":
            ask_next(desk)
        elif desk.window == "shut":
            _begin(desk)
        elif unset := [waiting.player for waiting in desk.queue if waiting.speed < 0]:
            desk.ask = Ask(min(unset, key=desk.advantage.index), ("speed",))
        else:
            open_window(desk)


def _begin(desk: Desk) -> None:
    """The next card acts."""
    activation = first_of(desk.queue, desk.duel, desk.advantage)
    desk.queue.remove(activation)
    seat, duel = activation.player, desk.duel
    # A speed above the current initiative acts now, at the current one (SJ-R21). An addition acts at the moment of the
    # card it was laid on, whatever its own speed: that only orders additions (SJ-R22).
    speed = desk.clock if activation.at_once else min(activation.speed, desk.clock)
    desk.clock = speed
    desk.window, desk.acting = "", seat
    lines = duel.cards[activation.card].segments[activation.segment].lines
    for card in activation.added:
        lines += all_lines(duel.cards[card])
    desk.rule(*_why_now(desk, activation, speed))
    desk.push(seat, lines, speed)


def _why_now(desk: Desk, activation: Activation, speed: int) -> tuple[str, Message]:
    """The rule that makes this the next to act, and the sentence."""
    duel, player, card = desk.duel, desk.players[activation.player], activation.card
    if activation.at_once:
        return "SJ-45", _follows(player, card, desk.samurai[activation.player].card or "", speed)
    other = tied_with(activation, desk.queue)
    if other is None:
        return "SJ-14", _resolves(player, card, speed)
    types = duel.cards[card].type, duel.cards[other.card].type
    if types[0] == types[1]:
        return "SJ-27", _resolves_by_advantage(player, card, speed, desk.players[other.player])
    return "SJ-R3" if "core" in types else "SJ-26", _resolves_by_type(player, card, speed, *types)


def _finish(desk: Desk) -> None:
    """An activation has come to its end. Before a player's turn is over, an instant may still be added."""
    seat = desk.acting
    if fitting(desk, seat) and all(waiting.player != seat for waiting in desk.queue):
        desk.ask = Ask(seat, ("instant", "pass"))
    else:
        desk.acting = -1


def _end_round(desk: Desk) -> None:
    if desk.idle >= 0:
        desk.idle = 0 if any(map(_played_ability, desk.samurai)) else desk.idle + 1
    _discard_played(desk)
    _keep_limit(desk)
    if desk.stage == "over":
        return
    if desk.idle == IDLE_ROUNDS:
        desk.draw_duel()
        return
    if desk.idle < 0 and desk.duel.options.empty_deck == "stun":
        desk.idle = -1 if any(desk.samurai[seat].deck for seat in desk.standing()) else 0
    desk.round += 1
    changes = {"round": (desk.round - 1, desk.round), "phase": ("activation", "draw")}
    desk.rule("SJ-3", _begins(desk.round), changes)
    desk.stage, desk.clock, desk.window = "select", FASTEST, ""
    desk.blocks, desk.quiet, desk.stirred = (), (), ()
    _draw_phase(desk)


def _played_ability(samurai: Samurai) -> bool:
    return bool(samurai.laid) or samurai.card not in (None, PASSIVE, STUN)


def _discard_played(desk: Desk) -> None:
    """Face up, instants on top; the passive card goes back to its hand and a stun to the supply."""
    for seat, samurai in enumerate(desk.samurai):
        if samurai.card is None:
            continue
        played = samurai.laid if samurai.card in (PASSIVE, STUN) else (samurai.card, *samurai.laid)
        if played:
            name, pile = desk.players[seat], len(samurai.pile)
            changes = {f"discards.{name}": (pile, pile + len(played))}
            desk.rule("SJ-50", _discards(name, played), changes, CardsDiscarded(name, played))
        desk.samurai[seat] = replace(samurai, card=None, laid=(), pile=samurai.pile + played)


def _keep_limit(desk: Desk) -> None:
    """Everyone discards down to the limit; a samurai with nothing but stuns above it is defeated."""
    fallen = []
    for seat, samurai in enumerate(desk.samurai):
        if samurai.defeated:
            continue
        limit, stuns = desk.duel.limit[seat], samurai.stuns
        over = samurai.hand + stuns - limit
        if over > 0:
            desk.discard(seat, over, "SJ-51")
        if stuns > limit or (stuns == limit and desk.duel.options.stun_defeat == "limit"):
            fallen.append(seat)
    if fallen:
        desk.fell(fallen, "SJ-39", _stunned_out)


def _stunned_out(player: Thing) -> Message:
    return message("{player} holds too many stun cards and is defeated.", player=player)


def _draw_phase(desk: Desk) -> None:
    """Bleeding first, then the round's card."""
    for seat, samurai in enumerate(desk.samurai):
        if samurai.defeated:
            continue
        lost = min(samurai.bleeding, samurai.deck) if samurai.row else 0
        if lost:
            _bleed(desk, seat, lost)
        desk.draw(seat, 1, in_draw_phase=True)
    desk.settle()


def _bleed(desk: Desk, seat: int, lost: int) -> None:
    samurai, name = desk.samurai[seat], desk.players[seat]
    deck, pile = samurai.deck, len(samurai.pile)
    desk.change(seat, deck=deck - lost, pile=samurai.pile + (None,) * lost)
    desk.rule(
        "SJ-36",
        plural(
            "{player} bleeds: a card goes face down from the deck to the discards.",
            "{player} bleeds: {count} cards go face down from the deck to the discards.",
            lost,
            player=desk.duel.named[seat],
        ),
        {f"decks.{name}": (deck, deck - lost), f"discards.{name}": (pile, pile + lost)},
        SamuraiBled(name, lost),
    )


# What is said in every round, made once


@lru_cache(KEPT)
def _reveals(player: str, card: str) -> Message:
    return message("{player} reveals {card}.", player=Thing("player", player), card=Thing("card", card))


@lru_cache(KEPT)
def _resolves(player: str, card: str, speed: int) -> Message:
    return message(
        "{player} resolves {card} at speed {speed}.",
        player=Thing("player", player),
        card=Thing("card", card),
        speed=speed,
    )


@lru_cache(KEPT)
def _resolves_by_advantage(player: str, card: str, speed: int, other: str) -> Message:
    return message(
        "{player} resolves {card} at speed {speed}, before {other}: same speed, same type, higher advantage.",
        player=Thing("player", player),
        card=Thing("card", card),
        speed=speed,
        other=Thing("player", other),
    )


@lru_cache(KEPT)
def _resolves_by_type(player: str, card: str, speed: int, kind: str, other: str) -> Message:
    return message(
        "{player} resolves {card} at speed {speed}: at the same speed {kind} comes before {other_kind}.",
        player=Thing("player", player),
        card=Thing("card", card),
        speed=speed,
        kind=Thing("type", kind),
        other_kind=Thing("type", other),
    )


@lru_cache(KEPT)
def _follows(player: str, card: str, base: str, speed: int) -> Message:
    return message(
        "{player} resolves {card} right after {own_card}, at speed {speed}.",
        player=Thing("player", player),
        card=Thing("card", card),
        own_card=Thing("card", base),
        speed=speed,
    )


@lru_cache(KEPT)
def _discards(player: str, cards: tuple[str, ...]) -> Message:
    return message("{player} discards {cards} face up.", player=Thing("player", player), cards=things("card", cards))


@lru_cache(KEPT)
def _begins(number: int) -> Message:
    return message("Round {round} begins.", round=number)
