"""What a viewer may know, field by field.

All players and spectators see the same open table. Kept back: the cards in a Damage Pile, what it counts until the
match is over (unless the players asked to see it), and what the referee remembers of hands.
"""

from typing import Any, Literal

import msgspec

from companion.core.message import Fact, Message, Thing, message
from companion.games.kit.game import Move
from companion.games.san_ni_ichi import attack
from companion.games.san_ni_ichi.attack import Attempt, PlayObstacle
from companion.games.san_ni_ichi.cards import ATTACK, BEATEN_BY, BLOCK, ELEMENTS, SAI, TORINOKO, YOSO, Value
from companion.games.san_ni_ichi.legal_moves import legal_moves
from companion.games.san_ni_ichi.moves import PlayOnPile, UseBlock, UseSai, UseShuriken, UseTonfa
from companion.games.san_ni_ichi.state import Phase, PileCard, SanNiIchiState, cards


class RuleNote(msgspec.Struct, frozen=True):
    """A sentence on the page with the rule that it comes from."""

    rule: str
    """Empty where no rule is behind it."""
    text: Message


class SanNiIchiSeat(msgspec.Struct, frozen=True):
    name: str
    hand: int
    selected: bool
    """A card lies face down."""
    card: str | None
    """This round's card, once it is turned up."""
    played: bool
    lies: Literal["upright", "crosswise"] | None
    """How that card lies in front of its player; None: it is no longer there."""
    pile: tuple[str, ...]
    """Bottom to top."""
    strength: int | None
    """Of the top card."""
    element: str | None
    """Of the top card; for a Yoso Kogeki the one that it has taken."""
    beaten_by: str | None
    """The element that may follow."""
    caption: Message | None
    """The top card's element and Strength, and what may follow."""
    blocked: bool
    taken: int
    total: int | None
    """Kept back until the match is over."""
    mate: str | None


class OrderedCard(msgspec.Struct, frozen=True):
    """A card in the order of play."""

    player: str
    card: str
    strength: int
    letter: str
    played: bool
    why: RuleNote
    """Why it has this place in the order."""


class PossiblePlay(msgspec.Struct, frozen=True):
    """Something that the next card may do, and to whom."""

    move: str
    players: tuple[str, ...] = ()


class DisplayedWeapon(msgspec.Struct, frozen=True):
    card: str
    strength: int
    letter: str
    damage: int
    origin: str


class SanNiIchiView(msgspec.Struct, frozen=True):
    you: str | None
    round: int
    phase: Phase
    over: bool
    winners: tuple[str, ...]
    scoring: str
    seats: tuple[SanNiIchiSeat, ...]
    order: tuple[OrderedCard, ...]
    next: int | None
    """Index into `order`."""
    now: RuleNote
    """What is going on."""
    reminders: tuple[RuleNote, ...]
    """Rules that are worth remembering while cards are chosen."""
    may: tuple[PossiblePlay, ...]
    """What may be done with the next card."""
    barred: dict[str, RuleNote]
    """Where the next card may not go, and why."""
    block: tuple[RuleNote, ...]
    """What Block forbids now."""
    asked: tuple[str, ...]
    """Who is asked for a smoke bomb: everybody who has a card."""
    weapons: tuple[DisplayedWeapon, ...]
    discards: tuple[str, ...]
    names: dict[str, Message]
    """What buttons call the elements and the smoke bombs, whose number means nothing to a player."""


def facts(state: SanNiIchiState) -> dict[str, Any]:
    """The state as the kifu names it."""
    table = state.table
    names = table.players
    return {
        "over": state.phase == "over",
        "winners": [names[seat] for seat in state.winners],
        "piles": {name: cards(pile) for name, pile in zip(names, state.piles, strict=True)},
        "damage": {name: state.total(seat) for seat, name in enumerate(names)},
        "taken": {name: len(pile) for name, pile in zip(names, state.damage, strict=True)},
        "hands": dict(zip(names, state.hands, strict=True)),
        "blocked": [names[seat] for seat in state.blocked],
        "round": state.round,
        "phase": state.phase,
    }


def view(state: SanNiIchiState, viewer: str | None) -> SanNiIchiView:
    table = state.table
    names = table.players
    attacking = state.phase == "attack"
    order = tuple(_ordered(state, at) for at in range(len(state.order)))
    asked = [name for name, hand in zip(names, state.hands, strict=True) if hand] if state.phase == "damage" else []
    return SanNiIchiView(
        you=viewer if viewer in table.seats else None,
        round=state.round,
        phase=state.phase,
        over=state.phase == "over",
        winners=tuple(names[seat] for seat in state.winners),
        scoring=table.options.scoring,
        seats=tuple(_seat(state, seat) for seat in range(len(names))),
        order=order,
        next=state.turn if attacking else None,
        now=order[state.turn].why if attacking else _now(state),
        reminders=_reminders(state),
        may=_possible(state) if attacking else (),
        barred=_barred(state) if attacking else {},
        block=tuple(_block(table.things[seat]) for seat in state.blocked),
        asked=tuple(asked),
        weapons=tuple(_weapon(state, card) for card in table.display),
        discards=state.discards,
        names={element: _name(Thing("element", element)) for element in ELEMENTS}
        | {bomb: _name(Thing("card", TORINOKO)) for bomb in table.bombs},
    )


def _seat(state: SanNiIchiState, seat: int) -> SanNiIchiSeat:
    table = state.table
    pile = state.piles[seat]
    turn = next(((at, card) for at, (who, card) in enumerate(state.order) if who == seat), None)
    top = pile[-1] if pile else None
    mate = table.mates[seat]
    strength = table.values[top.card].strength if top else None
    return SanNiIchiSeat(
        name=table.players[seat],
        hand=state.hands[seat],
        selected=seat in state.selected,
        card=turn[1] if turn else None,
        played=turn is not None and turn[0] < state.turn,
        lies=_lies(state, *turn, seat) if turn else None,
        pile=tuple(cards(pile)),
        strength=strength,
        element=top.element if top else None,
        beaten_by=BEATEN_BY[top.element] if top else None,
        caption=_caption(top, strength) if top else None,
        blocked=seat in state.blocked,
        taken=len(state.damage[seat]),
        total=state.total(seat) if state.phase == "over" or table.options.show_totals else None,
        mate=None if mate is None else table.players[mate],
    )


def _caption(top: PileCard, strength: int | None) -> Message:
    return message(
        "{element} {strength}, then {next_element}",
        element=Thing("element", top.element),
        strength=strength,
        next_element=Thing("element", BEATEN_BY[top.element]),
    )


def _lies(state: SanNiIchiState, at: int, card: str, seat: int) -> Literal["upright", "crosswise"] | None:
    """Upright until it is played. Weapons that stay for the round: Block upright, Sai and Tonfa crosswise."""
    if at >= state.turn:
        return "upright"
    if (seat, card) not in state.spent:
        return None
    return "upright" if state.table.values[card].kind == BLOCK else "crosswise"


def _ordered(state: SanNiIchiState, at: int) -> OrderedCard:
    table = state.table
    seat, card = state.order[at]
    value = table.values[card]
    why = _why(state, at, table.things[seat], value)
    return OrderedCard(table.players[seat], card, value.strength, value.letter, at < state.turn, why)


def _why(state: SanNiIchiState, at: int, player: Thing, value: Value) -> RuleNote:
    """What decided the place of this card in the order."""
    facts: dict[str, Fact] = {"player": player, "card": Thing("card", value.card), "strength": value.strength}
    others = [state.table.values[other] for place, (_, other) in enumerate(state.order) if place != at]
    tied = [other for other in others if other.strength == value.strength]
    if not tied:
        return RuleNote("SNI-13", message("{player}: {card}, Strength {strength}.", **facts))
    facts["letter"] = value.letter
    if all(other.letter != value.letter for other in tied):
        rule = "SNI-52" if all(each.kind == ATTACK for each in (value, *tied)) else "SNI-R3"
        return RuleNote(rule, message("{player}: {card}, Strength {strength}, letter {letter}.", **facts))
    told = message("{player}: {card}, Strength {strength}, letter {letter}, clockwise from the dealer.", **facts)
    return RuleNote("SNI-R3", told)


def _now(state: SanNiIchiState) -> RuleNote:
    if state.phase == "over":
        return RuleNote("", message("The Damage Piles are turned up and counted."))
    if state.phase == "damage":
        return RuleNote("SNI-35", message("Damage Phase: smoke bomb or not, all at once."))
    if state.selected:
        return RuleNote("SNI-12", message("All cards lie face down: three, two, one!"))
    return RuleNote("SNI-11", message("Everybody chooses a card."))


def _reminders(state: SanNiIchiState) -> tuple[RuleNote, ...]:
    if state.phase != "selection":
        return ()
    cycle = RuleNote("SNI-25", message("Water beats Fire, Fire beats Wood, Wood beats Water."))
    if not state.selected:
        return (cycle,)
    return RuleNote("SNI-13", message("The lowest Strength acts first, then the earlier letter.")), cycle


def _barred(state: SanNiIchiState) -> dict[str, RuleNote]:
    """Players whom the next card cannot be used on, each with the first thing that stands in its way."""
    seat, value = state.next_card()
    return {
        name: RuleNote(found.rules[0], found.sentence(Attempt(state, seat, value, on)))
        for on, name in enumerate(state.table.players)
        for found in _obstacles(state, value, on)[:1]
    }


def _obstacles(state: SanNiIchiState, value: Value, on: int) -> tuple[PlayObstacle, ...]:
    if value.kind in (ATTACK, YOSO):
        return attack.play_obstacles(state, value, on)
    return attack.swap_obstacles(state, on) if value.kind == SAI else ()


def _possible(state: SanNiIchiState) -> tuple[PossiblePlay, ...]:
    """What may be done with the card that is next, and to whom."""
    player = state.table.players[state.next_card()[0]]
    found: dict[str, dict[str, None]] = {}
    for move in legal_moves(state, {}, player):
        kind, players = _aim(player, move)
        found.setdefault(kind, {}).update(dict.fromkeys(players))
    return tuple(PossiblePlay(kind, tuple(players)) for kind, players in found.items())


def _aim(player: str, move: Move) -> tuple[str, tuple[str, ...]]:
    """What kind of play a move is, and whom it concerns."""
    match move:
        case PlayOnPile(on, None):
            return "play", (on,)
        case PlayOnPile(_, str(target)):
            return "counter", (target,)
        case UseSai(swap):
            return "sai", swap
        case UseTonfa(source):
            return "tonfa", (source,)
        case UseShuriken(target):
            return "shuriken", (target,)
        case UseBlock(mate):
            return "block", (mate or player,)
    return move.kind, ()


def _block(player: Thing) -> RuleNote:
    told = message(
        "{player} is under Block: no attack card and no Sai on this Combat Pile; Shuriken and Tonfa may.",
        player=player,
    )
    return RuleNote("SNI-29", told)


def _name(thing: Thing) -> Message:
    return message("{name}", name=thing)


def _weapon(state: SanNiIchiState, card: str) -> DisplayedWeapon:
    value = state.table.values[card]
    return DisplayedWeapon(card, value.strength, value.letter, value.score, value.origin)
