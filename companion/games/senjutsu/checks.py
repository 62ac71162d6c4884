"""Whether a move may be made: what is awaited, what is refused and by which rule."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from companion.core.message import message
from companion.core.rulings import Refused
from companion.games.kit.game import Awaits, Sealed
from companion.games.senjutsu import ability as a
from companion.games.senjutsu import moves as m
from companion.games.senjutsu.hexes import FACINGS, STEPS, WAYS, Arena, Hex, facing_of, minus, plus
from companion.games.senjutsu.instants import fits, in_hand, left
from companion.games.senjutsu.movement import turns
from companion.games.senjutsu.scribe import describe
from companion.games.senjutsu.script import KAMAE_WORDS
from companion.games.senjutsu.state import State


def awaits(state: State, sealed: Sealed) -> Awaits:
    if state.ask is not None:
        return {state.duel.players[state.ask.player]: state.ask.kinds}
    return {name: kinds for name in state.duel.players if (kinds := kinds_of(state, sealed, name))}


def kinds_of(state: State, sealed: Sealed, player: str) -> tuple[str, ...]:
    """What this player alone is awaited for."""
    seat = state.duel.seat[player]
    if state.ask is not None:
        return state.ask.kinds if state.ask.player == seat else ()
    if state.stage == "over" or state.samurai[seat].defeated or player in sealed:
        return ()
    return (state.stage,)


def check(state: State, sealed: Sealed, player: str, move: Any) -> None:
    CHECK[type(move)](state, state.duel.seat[player], move)


def _fine(state: State, seat: int, move: Any) -> None:
    """Nothing about this move can be wrong when it is awaited."""


def _reveal(state: State, seat: int, move: m.Reveal) -> None:
    duel, samurai, card = state.duel, state.samurai[seat], a.identity(move.card)
    player = duel.players[seat]
    if card == a.PASSIVE:
        return
    if card == a.STUN:
        if not samurai.stuns:
            raise Refused(("SJ-37", "SJ-38", "TABLE-1"), message("{player} holds no stun card.", player=player))
        return
    in_hand(duel, samurai, seat, card)
    ability = duel.cards[card]
    if not ability.of_a_round:
        say = "{card} is an instant without a speed and cannot be the card of the round."
        raise Refused(("R20", "SJ-24", "SJ-40", "SJ-19"), message(say, card=card))
    if ability.needs and samurai.kamae != ability.needs:
        say = "{card} can only be used in the kamae {kamae}."
        raise Refused("SJ-32", message(say, card=card, kamae=ability.needs))


def _speed(state: State, seat: int, move: m.Speed) -> None:
    bounds = boundaries(state, seat)
    if not bounds[-1] <= move.value <= bounds[0]:
        say = "The speed is chosen from {high} to {low}, not {value}."
        raise Refused(("SJ-15", "R7"), message(say, high=bounds[0], low=bounds[-1], value=move.value))


def boundaries(state: State, seat: int) -> tuple[int, ...]:
    """The speeds between which this player has to choose."""
    waiting = next(waiting for waiting in state.queue if waiting.player == seat and waiting.speed < 0)
    return state.duel.cards[waiting.card].segments[waiting.segment].speed


def _instant(state: State, seat: int, move: m.Instant) -> None:
    card, samurai = a.identity(move.card), state.samurai[seat]
    if card in (a.STUN, a.PASSIVE):
        raise Refused(("SJ-19", "SJ-18"), message("{card} is no instant.", card=card))
    in_hand(state.duel, samurai, seat, card)
    if refusal := fits(state, seat, state.duel.cards[card]):
        raise refusal


def _step(state: State, seat: int, move: m.Step) -> None:
    assert state.ask is not None
    assert isinstance(state.ask.line, a.Step)
    directions(state, seat, state.ask.line, move.places)


def directions(state: State, seat: int, line: a.Step, places: Sequence[str]) -> list[int]:
    """The steps that these hexes or facings name, as absolute directions; refused where the line has no such step."""
    duel, samurai, player = state.duel, state.samurai[seat], state.duel.players[seat]
    allowed = [(samurai.facing + way) % 6 for way in line.ways]
    others = {other.hex for at, other in enumerate(state.samurai) if at != seat and not other.defeated}
    here, found = samurai.hex, list[int]()
    if len(places) > line.hexes:
        say = "This line moves {player} {count} hexes at most."
        raise Refused(("SJ-54", "SJ-7"), message(say, player=player, count=line.hexes))
    for name in places:
        way = facing_of(name)
        if way is None:
            way = _way_to(duel.arena, here, name)
        if way not in allowed:
            say = "{player} cannot step {way}; this line goes {ways}."
            ways = ", ".join(WAYS[one] for one in line.ways)
            told = f"{FACINGS[way]} ({WAYS[(way - samurai.facing) % 6]})"
            raise Refused(("SJ-54", "SJ-7", "SJ-21"), message(say, player=player, way=told, ways=ways))
        found.append(way)
        there = plus(here, STEPS[way])
        if there in others:
            # A collision ends the move; what was written behind it is void.
            return found
        if there in duel.arena.hexes and there not in duel.terrain:
            here = there
    if not line.may and len(found) < line.hexes:
        say = "{player} must move {count} hexes: this move is forced."
        raise Refused("SJ-54", message(say, player=player, count=line.hexes))
    return found


def _way_to(arena: Arena, here: Hex, name: str) -> int:
    there = arena.hex_of(name)
    if there is None:
        raise Refused("TABLE-4", message("There is no hex or facing {name} in this arena.", name=name))
    if minus(there, here) not in STEPS:
        say = "{hex} is not next to {here}: a step goes one hex."
        raise Refused(("SJ-54", "TABLE-4"), message(say, hex=name, here=arena.hexes[here]))
    return STEPS.index(minus(there, here))


def _rotate(state: State, seat: int, move: m.Rotate) -> None:
    assert state.ask is not None
    line, samurai = state.ask.line, state.samurai[seat]
    assert isinstance(line, a.Rotate)
    facing = facing_of(move.facing)
    if facing is None:
        say = "There is no facing {facing}: {known}."
        raise Refused(("TABLE-4", "SJ-4"), message(say, facing=move.facing, known=FACINGS))
    allowed = turns(samurai.facing, line.sixths, line.side, line.may)
    if facing not in allowed:
        say = "{player} may turn to {allowed}, not to {facing}."
        names = ", ".join(FACINGS[one] for one in allowed)
        facts = {"player": state.duel.players[seat], "allowed": names, "facing": FACINGS[facing]}
        raise Refused(("SJ-54", "SJ-7"), message(say, **facts))


def _kamae(state: State, seat: int, move: m.Kamae) -> None:
    here, kamae = state.samurai[seat].kamae, KAMAE_WORDS.get(move.to.strip().lower())
    if kamae is None:
        say = "There is no kamae {kamae}: {known_kamae}."
        raise Refused(("TABLE-4", "SJ-31"), message(say, kamae=move.to, known_kamae=a.KAMAE))
    joined = state.duel.trees[seat].get(here, ())
    if kamae not in joined:
        say = "No branch leads from {own_kamae} to {kamae}; from there it goes to {joined_kamae}."
        raise Refused(("SJ-31", "SJ-29", "R26"), message(say, own_kamae=here, kamae=kamae, joined_kamae=joined))


def chosen(line: a.Either, option: int | str) -> int:
    """Which of the choices is meant: a number from 1, or a word that begins one of them and no other."""
    if isinstance(option, int):
        if 1 <= option <= len(line.choices):
            return option - 1
    else:
        words = option.strip().lower()
        found = [at for at, choice in enumerate(line.choices) if words and describe(choice).startswith(words)]
        if len(found) == 1:
            return found[0]
    told = " / ".join(f"{at}: {describe(choice)}" for at, choice in enumerate(line.choices, 1))
    raise Refused(("TABLE-4", "SJ-58", "SJ-7"), message("That is none of the choices: {choices}.", choices=told))


def _choose(state: State, seat: int, move: m.Choose) -> None:
    assert state.ask is not None
    assert isinstance(state.ask.line, a.Either)
    chosen(state.ask.line, move.option)


def _draw(state: State, seat: int, move: m.Draw) -> None:
    assert state.ask is not None
    assert isinstance(state.ask.line, a.Draw)
    if not 0 <= move.cards <= state.ask.line.cards:
        say = "This line draws up to {most} cards, not {count}."
        raise Refused(("SJ-54", "SJ-7"), message(say, most=state.ask.line.cards, count=move.cards))


def _discard(state: State, seat: int, move: m.Discard) -> None:
    assert state.ask is not None
    assert isinstance(state.ask.line, a.Drop)
    duel, samurai, count = state.duel, state.samurai[seat], state.ask.line.cards
    cards = Counter(a.identity(card) for card in move.cards)
    for card, copies in cards.items():
        if card == a.STUN:
            raise Refused(("SJ-38", "R14", "SJ-67"), message("A stun card cannot be discarded."))
        if card == a.PASSIVE:
            raise Refused(("SJ-13", "SJ-74", "R4"), message("The passive card is never discarded."))
        in_hand(duel, samurai, seat, card)
        if left(duel, samurai, seat, card) < copies:
            say = "{player} cannot hold {copies} copies of {card}."
            raise Refused("TABLE-1", message(say, player=duel.players[seat], copies=copies, card=card))
    if len(move.cards) != count:
        say = "{player} has to discard {count} cards face up."
        raise Refused(("SJ-59", "SJ-54", "R27"), message(say, player=duel.players[seat], count=count))


CHECK: dict[type[Any], Callable[[State, int, Any], None]] = {
    m.Select: _fine,
    m.Reveal: _reveal,
    m.Speed: _speed,
    m.Instant: _instant,
    m.Pass: _fine,
    m.Step: _step,
    m.Rotate: _rotate,
    m.Kamae: _kamae,
    m.Choose: _choose,
    m.Use: _fine,
    m.Draw: _draw,
    m.Discard: _discard,
}

UNTIMELY: dict[str, tuple[tuple[str, ...], str]] = {
    "select": (("SJ-47", "SJ-6", "R33"), "A card is chosen once, in the Draw Phase."),
    "reveal": (("SJ-48", "SJ-47", "SJ-6"), "Cards are revealed once, when all are chosen."),
    "speed": (("SJ-15", "R7"), "No speed is to be chosen by {player} now."),
    "instant": (("SJ-41", "SJ-43", "SJ-19"), "{player} can lay no instant now."),
    "pass": (("SJ-54",), "{player} cannot leave that out: it is forced."),
    "step": (("SJ-54", "SJ-7"), "No move is open to {player} now."),
    "rotate": (("SJ-54", "SJ-7"), "No rotation is open to {player} now."),
    "kamae": (("SJ-31", "R26"), "No card allows {player} a step to another kamae now."),
    "draw": (("SJ-46", "SJ-7"), "There is nothing for {player} to draw now."),
    "discard": (("SJ-51", "SJ-59"), "There is nothing for {player} to discard now."),
    "use": (("SJ-54", "SJ-7"), "Nothing optional is open to {player} now."),
    "choose": (("SJ-58", "SJ-7"), "There is nothing for {player} to choose now."),
}


def untimely(state: State, sealed: Sealed, player: str, move: Any) -> Refused | None:
    seat = state.duel.seat[player]
    if state.stage == "over":
        return Refused(("R13", "R12", "SJ-34", "SJ-39"), message("The duel is over."))
    if state.samurai[seat].defeated:
        return Refused(("R12", "SJ-34", "SJ-39"), message("{player} is defeated and acts no more.", player=player))
    if isinstance(move, m.Discard) and a.STUN in move.cards:
        return Refused(("SJ-38", "R14", "SJ-67"), message("A stun card cannot be discarded."))
    if isinstance(move, m.Instant) and state.stage == "resolve":
        try:
            _instant(state, seat, move)
        except Refused as refusal:
            return refusal.citing("SJ-41", "SJ-43")
    rules, say = UNTIMELY[move.kind]
    return Refused(rules, message(say, player=player))
