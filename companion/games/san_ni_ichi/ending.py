"""The end of the match: the remaining Combat Piles are discarded and the Damage Piles are counted."""

from typing import Any

from msgspec.structs import replace

from companion.core.message import message
from companion.core.rulings import Ruling
from companion.games.san_ni_ichi.state import SanNiIchiState, cards

Changes = dict[str, tuple[Any, Any]]


def end_match(state: SanNiIchiState) -> tuple[SanNiIchiState, tuple[Ruling, ...]]:
    """Nobody holds a card that could be selected (SNI-R24)."""
    table = state.table
    owners = [seat for seat, pile in enumerate(state.piles) if pile]
    rulings = []
    if owners:
        left: Changes = {f"piles.{table.players[seat]}": (cards(state.piles[seat]), []) for seat in owners}
        told = message(
            "The Combat Piles still in play are discarded and hurt nobody: {players}.",
            players=tuple(table.things[seat] for seat in owners),
        )
        rulings.append(Ruling("SNI-55", told, left))
    totals = tuple(
        message("{player} {total}", player=player, total=state.total(seat)) for seat, player in enumerate(table.things)
    )
    rulings.append(
        Ruling("SNI-65", message("Cards in the Damage Piles: {totals}.", totals=totals))
        if table.options.scoring == "cards"
        else Ruling("SNI-56", message("Total Damage: {totals}.", totals=totals))
    )
    winners = least_damage(state)
    won = message(
        "The match is over. Least damage wins: {players}.", players=tuple(table.things[seat] for seat in winners)
    )
    changes: Changes = {
        "phase": (state.phase, "over"),
        "over": (False, True),
        "winners": ([], [table.players[seat] for seat in winners]),
    }
    rulings.append(Ruling("SNI-57", won, changes))
    state = replace(
        state,
        phase="over",
        piles=((),) * len(table.players),
        discards=state.discards + tuple(laid.card for pile in state.piles for laid in pile),
        winners=winners,
        order=(),
        turn=0,
    )
    return state, tuple(rulings)


def least_damage(state: SanNiIchiState, without: int | None = None) -> tuple[int, ...]:
    """Everybody in the teams with the lowest damage; a tie is a shared win (SNI-R29). `without` and mate cannot win."""
    total = {team: sum(state.total(seat) for seat in team) for team in state.table.teams if without not in team}
    least = min(total.values())
    return tuple(sorted(seat for team, damage in total.items() if damage == least for seat in team))
