"""The referee's acts by hand in San, Ni, Ichi!: damage, the end of the match, another name."""

from typing import Any

from msgspec.structs import replace

from companion.core.message import Thing, message, plural, things
from companion.core.rulings import Ruling
from companion.games.kit.acts import ACT, renamed
from companion.games.kit.seats import with_seat
from companion.games.san_ni_ichi.ending import least_damage
from companion.games.san_ni_ichi.moves import UseSmokeBomb
from companion.games.san_ni_ichi.state import SanNiIchiState


def award(state: SanNiIchiState, player: str, points: int, why: str) -> tuple[SanNiIchiState, tuple[Ruling, ...]]:
    """Damage is counted to a player, or taken off, without any card moving."""
    table = state.table
    seat, who = table.seats[player], Thing("player", player)
    if table.options.scoring == "cards":
        told = (
            plural(
                "The referee counts {count} card more as damage of {player}: {why}",
                "The referee counts {count} cards more as damage of {player}: {why}",
                points,
                player=who,
                why=why,
            )
            if points > 0
            else plural(
                "The referee counts {count} card less as damage of {player}: {why}",
                "The referee counts {count} cards less as damage of {player}: {why}",
                -points,
                player=who,
                why=why,
            )
        )
    elif points > 0:
        told = message("The referee gives {player} {points} damage: {why}", player=who, points=points, why=why)
    else:
        told = message("The referee takes {points} damage from {player}: {why}", player=who, points=-points, why=why)
    before = state.awarded or (0,) * len(table.players)
    total = state.total(seat)
    after = replace(state, awarded=with_seat(before, seat, before[seat] + points))
    return after, (Ruling(ACT, told, {f"damage.{player}": (total, total + points)}),)


def end(state: SanNiIchiState, winners: tuple[str, ...]) -> SanNiIchiState:
    """Everything stays where it lies."""
    seats = tuple(state.table.seats[player] for player in winners)
    return replace(state, phase="over", order=(), turn=0, selected=(), winners=seats)


def standing_winners(state: SanNiIchiState, without: str | None) -> list[str]:
    seats = least_damage(state, None if without is None else state.table.seats[without])
    return [state.table.players[seat] for seat in seats]


def rename(state: SanNiIchiState, player: str, name: str) -> SanNiIchiState:
    players = renamed(state.table.players, player, name)
    seats = {each: seat for seat, each in enumerate(players)}
    return replace(state, table=replace(state.table, players=players, seats=seats, things=things("player", players)))


def rename_in_move(move: Any, player: str, name: str) -> Any:
    """Of the moves that are held sealed, only a smoke bomb names somebody."""
    return replace(move, mate=name) if isinstance(move, UseSmokeBomb) and move.mate == player else move
