"""Which part of the rules answers which move."""

from collections.abc import Mapping

from companion.core.message import Thing, message
from companion.core.rulings import Ruling
from companion.games.kit.game import Sealed
from companion.games.sensu import building, columns, drawing, powers, redeeming
from companion.games.sensu import moves as m
from companion.games.sensu.order import pass_on
from companion.games.sensu.state import SensuState


def check(state: SensuState, sealed: Sealed, player: str, move: m.SensuMoves) -> None:
    match move:
        case m.DrawFanCard():
            columns.check_draw_open(state, move) if state.terms.solo else drawing.check_draw(state, move)
        case m.DiscardFanCard():
            drawing.check_discard(state, move)
        case m.Combine():
            redeeming.check_combine(state, move)
        case m.PlaceRedeemed():
            building.check_place(state, move)
        case m.Wisdom():
            powers.check_wisdom(state, move)
        case m.Harmony():
            powers.check_harmony(state, move)
        case m.Courage():
            powers.check_courage(state, move)
        case m.Chosen():
            powers.check_chosen(state, move)


def apply(state: SensuState, moves: Mapping[str, m.SensuMoves]) -> tuple[SensuState, tuple[Ruling, ...]]:
    said: list[Ruling] = []
    (move,) = moves.values()
    match move:
        case m.DrawFanCard():
            state = columns.draw_open(state, move, said) if state.terms.solo else drawing.draw(state, move, said)
        case m.DiscardFanCard():
            state = drawing.discard(state, move, said)
        case m.Combine():
            state = redeeming.combine(state, move, said)
        case m.PlaceRedeemed():
            state = building.place(state, move, said)
        case m.PassTurn():
            player = Thing("player", state.player)
            said.append(Ruling("SU-R3", message("There is nothing to draw: {player} passes.", player=player)))
            state = pass_on(state, said, "SU-20")
        case m.Wisdom():
            state = building.carry_on(powers.wisdom(state, move, said), said)
        case m.Harmony():
            state = building.carry_on(powers.harmony(state, move, said), said)
        case m.Courage():
            state = building.carry_on(powers.courage(state, move, said), said)
        case m.Chosen():
            state = building.carry_on(powers.chosen(state, move, said), said)
    return state, tuple(said)
