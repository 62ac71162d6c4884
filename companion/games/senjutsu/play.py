"""Whether a move may be made (`check`), and what it does (`apply`): a move of the player who is asked is an answer."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from companion.core.message import Thing, message, plural, things
from companion.core.rulings import Refused, Ruling
from companion.games.kit.game import Move, Sealed
from companion.games.senjutsu import moves as m
from companion.games.senjutsu.card_language import ability as a
from companion.games.senjutsu.card_language.scribe import describe
from companion.games.senjutsu.card_language.script import KAMAE_WORDS
from companion.games.senjutsu.desk import Desk, replace
from companion.games.senjutsu.hand import check_in_hand, left
from companion.games.senjutsu.hexes import FACINGS, facing_of
from companion.games.senjutsu.instants import lay, needs_kamae
from companion.games.senjutsu.movement import directions, face, turns, walk
from companion.games.senjutsu.order import check_instant, stun_discarded
from companion.games.senjutsu.resolve import shift
from companion.games.senjutsu.round import reveal, run
from companion.games.senjutsu.state import DuelState, Frame

ALL_CHOSEN = Ruling("SJ-47", message("All cards are chosen: turn them up together."), {"phase": ("draw", "activation")})


def check(state: DuelState, sealed: Sealed, player: str, move: Move) -> None:
    CHECK[type(move)](state, state.duel.seat[player], move)


def apply(state: DuelState, moves: Mapping[str, Any]) -> tuple[DuelState, tuple[Ruling, ...]]:
    if state.stage == "select":
        return replace(state, stage="reveal"), (ALL_CHOSEN,)
    desk, seat_of = Desk(state), state.duel.seat
    if state.stage == "reveal":
        reveal(desk, {seat_of[name]: a.identity(move.card) for name, move in moves.items()})
    else:
        ((name, answer),) = moves.items()
        desk.ask = None
        ANSWER[type(answer)](desk, state, seat_of[name], answer)
        if desk.wounded:
            desk.settle()
    run(desk)
    return desk.state(), tuple(desk.rulings)


def _fine(state: DuelState, seat: int, move: Move) -> None:
    """Nothing about this move can be wrong when it is awaited."""


# The card of the round


def _check_reveal(state: DuelState, seat: int, move: m.RevealCard) -> None:
    duel, samurai, card = state.duel, state.samurai[seat], a.identity(move.card)
    if card == a.PASSIVE:
        return
    if card == a.STUN:
        if not samurai.stuns:
            told = message("{player} holds no stun card.", player=duel.named[seat])
            raise Refused(("SJ-37", "SJ-38", "TABLE-1"), told)
        return
    check_in_hand(duel, samurai, seat, card)
    ability = duel.cards[card]
    if not ability.of_a_round:
        told = message(
            "{card} is an instant without a speed and cannot be the card of the round.", card=Thing("card", card)
        )
        raise Refused(("SJ-R20", "SJ-24", "SJ-40", "SJ-19"), told)
    if ability.needs and samurai.kamae != ability.needs:
        raise needs_kamae(ability)


def boundaries(state: DuelState, seat: int) -> tuple[int, ...]:
    """The speeds between which this player has to choose."""
    waiting = next(waiting for waiting in state.queue if waiting.player == seat and waiting.speed < 0)
    return state.duel.cards[waiting.card].segments[waiting.segment].speed


def _check_speed(state: DuelState, seat: int, move: m.ChooseSpeed) -> None:
    bounds = boundaries(state, seat)
    if not bounds[-1] <= move.value <= bounds[0]:
        told = message(
            "The speed is chosen from {high} to {low}, not {value}.",
            high=bounds[0],
            low=bounds[-1],
            value=move.value,
        )
        raise Refused(("SJ-15", "SJ-R7"), told)


def _speed(desk: Desk, state: DuelState, seat: int, move: m.ChooseSpeed) -> None:
    """Segments that print the same boundaries share the value that was chosen."""
    first = next(waiting for waiting in desk.queue if waiting.player == seat and waiting.speed < 0)
    segments = desk.duel.cards[first.card].segments
    for at, waiting in enumerate(desk.queue):
        same = waiting.player == seat and waiting.card == first.card and waiting.speed < 0
        if same and segments[waiting.segment].speed == segments[first.segment].speed:
            desk.queue[at] = replace(waiting, speed=move.value)
    told = message(
        "{player} plays {card} at {speed}.",
        player=desk.duel.named[seat],
        card=Thing("card", first.card),
        speed=move.value,
    )
    desk.rule("SJ-15", told)


# Instants, and what is left out


def _instant(desk: Desk, state: DuelState, seat: int, move: m.LayInstant) -> None:
    lay(desk, seat, desk.duel.cards[a.identity(move.card)])


def _pass(desk: Desk, state: DuelState, seat: int, move: m.PassUp) -> None:
    assert state.ask is not None
    if "instant" in state.ask.kinds:
        if move.rest:
            desk.quiet = (*desk.quiet, seat)
        if state.window != "open":
            # It was asked at the end of this player's turn, which is over now.
            desk.acting = -1
    elif isinstance(state.ask.line, a.MayLine):
        desk.frames.pop()


# The samurai


def _check_step(state: DuelState, seat: int, move: m.StepMove) -> None:
    directions(state, seat, state.asking_line(a.StepLine), move.places)


def _step(desk: Desk, state: DuelState, seat: int, move: m.StepMove) -> None:
    ways = directions(state, seat, state.asking_line(a.StepLine), move.places)
    if ways:
        walk(desk, seat, ways, seat)


def _check_rotate(state: DuelState, seat: int, move: m.RotateMove) -> None:
    line, facing = state.asking_line(a.RotateLine), facing_of(move.facing)
    if facing is None:
        raise no_facing(move.facing)
    allowed = turns(state.samurai[seat].facing, line.sixths, line.side, line.may)
    if facing not in allowed:
        told = message(
            "{player} may turn to {allowed}, not to {facing}.",
            player=state.duel.named[seat],
            allowed=things("direction", (FACINGS[one] for one in allowed)),
            facing=Thing("direction", FACINGS[facing]),
        )
        raise Refused(("SJ-54", "SJ-7"), told)


def no_facing(given: str, field: str = "") -> Refused:
    told = message("There is no facing {facing}: {known}.", facing=given, known=things("direction", FACINGS))
    return Refused(("TABLE-4", "SJ-4"), told, field)


def _rotate(desk: Desk, state: DuelState, seat: int, move: m.RotateMove) -> None:
    facing = facing_of(move.facing)
    assert facing is not None
    face(desk, seat, facing)


def _check_kamae(state: DuelState, seat: int, move: m.KamaeStep) -> None:
    here, kamae = state.samurai[seat].kamae, KAMAE_WORDS.get(move.to.strip().lower())
    if kamae is None:
        raise no_kamae(move.to, "SJ-31")
    joined = state.duel.trees[seat].get(here, ())
    if kamae not in joined:
        told = message(
            "No branch leads from {own_kamae} to {kamae}; from there it goes to {joined_kamae}.",
            own_kamae=Thing("kamae", here),
            kamae=Thing("kamae", kamae),
            joined_kamae=things("kamae", joined),
        )
        raise Refused(("SJ-31", "SJ-29", "SJ-R26"), told)


def no_kamae(given: str, rule: str, field: str = "") -> Refused:
    told = message("There is no kamae {kamae}: {known_kamae}.", kamae=given, known_kamae=things("kamae", a.KAMAE))
    return Refused(("TABLE-4", rule), told, field)


def _kamae(desk: Desk, state: DuelState, seat: int, move: m.KamaeStep) -> None:
    shift(desk, seat, KAMAE_WORDS[move.to.strip().lower()])


# Lines that leave a choice


def chosen(line: a.EitherLine, option: int | str) -> int:
    """Which of the choices is meant: a number from 1, or a word that begins one of them and no other."""
    if isinstance(option, int):
        if 1 <= option <= len(line.choices):
            return option - 1
    else:
        words = option.strip().lower()
        found = [at for at, choice in enumerate(line.choices) if words and describe(choice).startswith(words)]
        if len(found) == 1:
            return found[0]
    told = tuple(
        message("{number}: {lines}", number=at, lines=describe(choice)) for at, choice in enumerate(line.choices, 1)
    )
    raise Refused(("TABLE-4", "SJ-58", "SJ-7"), message("That is none of the choices: {choices}.", choices=told))


def _check_choose(state: DuelState, seat: int, move: m.ChooseLines) -> None:
    chosen(state.asking_line(a.EitherLine), move.option)


def _choose(desk: Desk, state: DuelState, seat: int, move: m.ChooseLines) -> None:
    line = state.asking_line(a.EitherLine)
    _put_in_place(desk, line.choices[chosen(line, move.option)])


def _use(desk: Desk, state: DuelState, seat: int, move: m.UseLine) -> None:
    _put_in_place(desk, state.asking_line(a.MayLine).lines)


def _put_in_place(desk: Desk, lines: a.Lines) -> None:
    """The lines that were chosen, instead of the line that asked."""
    frame = desk.frames.pop()
    desk.frames.append(Frame(frame.player, lines, frame.speed, frame.hit))


# Cards drawn and discarded


def _check_draw(state: DuelState, seat: int, move: m.DrawUpTo) -> None:
    most = state.asking_line(a.DrawLine).cards
    if not 0 <= move.cards <= most:
        told = plural(
            "This line draws up to {count} card, not {cards}.",
            "This line draws up to {count} cards, not {cards}.",
            most,
            cards=move.cards,
        )
        raise Refused(("SJ-54", "SJ-7"), told)


def _draw(desk: Desk, state: DuelState, seat: int, move: m.DrawUpTo) -> None:
    if move.cards:
        desk.draw(seat, move.cards, in_draw_phase=False)


def _check_discard(state: DuelState, seat: int, move: m.DiscardForced) -> None:
    duel, samurai, count = state.duel, state.samurai[seat], state.asking_line(a.ForcedDiscard).cards
    for card, copies in Counter(a.identity(card) for card in move.cards).items():
        if card == a.STUN:
            raise stun_discarded()
        if card == a.PASSIVE:
            raise Refused(("SJ-13", "SJ-74", "SJ-R4"), message("The passive card is never discarded."))
        check_in_hand(duel, samurai, seat, card)
        if left(duel, samurai, seat, card) < copies:
            told = message(
                "{player} cannot hold {copies} copies of {card}.",
                player=duel.named[seat],
                copies=copies,
                card=Thing("card", card),
            )
            raise Refused("TABLE-1", told)
    if len(move.cards) != count:
        told = plural(
            "{player} has to discard {count} card face up.",
            "{player} has to discard {count} cards face up.",
            count,
            player=duel.named[seat],
        )
        raise Refused(("SJ-59", "SJ-54", "SJ-R27"), told)


def _discard(desk: Desk, state: DuelState, seat: int, move: m.DiscardForced) -> None:
    desk.discard_shown(seat, tuple(a.identity(card) for card in move.cards))


CHECK: dict[type[Any], Callable[[DuelState, int, Any], None]] = {
    m.SelectCard: _fine,
    m.RevealCard: _check_reveal,
    m.ChooseSpeed: _check_speed,
    m.LayInstant: check_instant,
    m.PassUp: _fine,
    m.StepMove: _check_step,
    m.RotateMove: _check_rotate,
    m.KamaeStep: _check_kamae,
    m.ChooseLines: _check_choose,
    m.UseLine: _fine,
    m.DrawUpTo: _check_draw,
    m.DiscardForced: _check_discard,
}

ANSWER: dict[type[Any], Callable[[Desk, DuelState, int, Any], None]] = {
    m.ChooseSpeed: _speed,
    m.LayInstant: _instant,
    m.PassUp: _pass,
    m.StepMove: _step,
    m.RotateMove: _rotate,
    m.KamaeStep: _kamae,
    m.ChooseLines: _choose,
    m.UseLine: _use,
    m.DrawUpTo: _draw,
    m.DiscardForced: _discard,
}
