"""Which part of the rules answers which move."""

from collections.abc import Mapping

from companion.core.message import Thing, message
from companion.core.rulings import Ruling
from companion.games.kit.game import Sealed
from companion.games.sensu import building, columns, drawing, powers, redeeming
from companion.games.sensu.moves import (
    Chosen,
    Combine,
    Courage,
    DiscardFanCard,
    DrawFanCard,
    Harmony,
    PassTurn,
    PlaceRedeemed,
    SensuMoves,
    Wisdom,
)
from companion.games.sensu.order import pass_on
from companion.games.sensu.state import SensuState


def check(state: SensuState, sealed: Sealed, player: str, move: SensuMoves) -> None:
    match move:
        case DrawFanCard():
            columns.check_draw_open(state, move) if state.terms.solo else drawing.check_draw(state, move)
        case DiscardFanCard():
            drawing.check_discard(state, move)
        case Combine():
            redeeming.check_combine(state, move)
        case PlaceRedeemed():
            building.check_place(state, move)
        case Wisdom():
            powers.check_wisdom(state, move)
        case Harmony():
            powers.check_harmony(state, move)
        case Courage():
            powers.check_courage(state, move)
        case Chosen():
            powers.check_chosen(state, move)


def apply(state: SensuState, moves: Mapping[str, SensuMoves]) -> tuple[SensuState, tuple[Ruling, ...]]:
    said: list[Ruling] = []
    (move,) = moves.values()
    match move:
        case DrawFanCard():
            state = columns.draw_open(state, move, said) if state.terms.solo else drawing.draw(state, move, said)
        case DiscardFanCard():
            state = drawing.discard(state, move, said)
        case Combine():
            state = redeeming.combine(state, move, said)
        case PlaceRedeemed():
            state = building.place(state, move, said)
        case PassTurn():
            player = Thing("player", state.player)
            said.append(Ruling("SU-R3", message("There is nothing to draw: {player} passes.", player=player)))
            state = pass_on(state, said, "SU-20")
        case Wisdom():
            state = building.carry_on(powers.wisdom(state, move, said), said)
        case Harmony():
            state = building.carry_on(powers.harmony(state, move, said), said)
        case Courage():
            state = building.carry_on(powers.courage(state, move, said), said)
        case Chosen():
            state = building.carry_on(powers.chosen(state, move, said), said)
    return state, tuple(said)
