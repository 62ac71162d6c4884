"""The end of the match: remaining piles are discarded and the Damage Piles are counted."""

from typing import Any

from msgspec.structs import replace

from companion.core.message import message
from companion.core.rulings import Ruling
from companion.games.san_ni_ichi.state import State, cards

Changes = dict[str, tuple[Any, Any]]


def end_match(state: State) -> tuple[State, tuple[Ruling, ...]]:
    """Nobody holds a card that could be selected."""
    names = state.table.players
    rulings = []
    left: Changes = {f"piles.{name}": (cards(pile), []) for name, pile in zip(names, state.piles, strict=True) if pile}
    if left:
        owners = ", ".join([name for name, pile in zip(names, state.piles, strict=True) if pile])
        rulings.append(
            Ruling(
                "SNI-55",
                message("The Combat Piles still in play are discarded and hurt nobody: {players}.", players=owners),
                left,
            )
        )
    winners = _winners(state)
    totals = ", ".join([f"{name} {state.table.total(pile)}" for name, pile in zip(names, state.damage, strict=True)])
    by_cards = state.table.options.scoring == "cards"
    rulings.append(
        Ruling("SNI-65", message("Cards in the Damage Piles: {totals}.", totals=totals))
        if by_cards
        else Ruling("SNI-56", message("Total Damage: {totals}.", totals=totals))
    )
    won = [names[seat] for seat in winners]
    changes = {"phase": (state.phase, "over"), "over": (False, True), "winners": ([], won)}
    facts = {"players": ", ".join(won)}
    rulings.append(Ruling("SNI-57", message("The match is over. Least damage wins: {players}.", **facts), changes))
    discards = state.discards + tuple(laid.card for pile in state.piles for laid in pile)
    state = replace(state, phase="over", piles=((),) * len(names), discards=discards, winners=winners, order=(), turn=0)
    return state, tuple(rulings)


def _winners(state: State) -> tuple[int, ...]:
    """Everybody in a team (without team play: alone) whose damage is lowest; a tie is a shared win."""
    table = state.table
    total = {team: sum(table.total(state.damage[seat]) for seat in team) for team in table.teams}
    least = min(total.values())
    return tuple(sorted(seat for team, damage in total.items() if damage == least for seat in team))
