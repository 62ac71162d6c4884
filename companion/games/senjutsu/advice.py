"""Help for the people at the table: what they have still to move or lay out as the rules have it."""

import msgspec

from companion.core.layout import Sight
from companion.games.senjutsu.reading import stray_miniatures, stray_rings
from companion.games.senjutsu.state import DuelState


class SenjutsuAdvice(msgspec.Struct, frozen=True):
    """What lies or stands somewhere else than the rules have it, for people to put right."""

    strays: dict[str, tuple[str, str]]
    """Player -> (where the miniature stands, where it belongs), `d3 N` each."""
    wounds: dict[str, tuple[int, int]]
    """Player -> (wound cards laid out, wound cards taken)."""
    rings: dict[str, tuple[str, str]]
    """Player -> (where the kamae ring lies, where it belongs)."""


def advice(state: DuelState, sight: Sight) -> SenjutsuAdvice | None:
    strays, rings, wounds = stray_miniatures(state, sight), stray_rings(state, sight), dict[str, tuple[int, int]]()
    for player, samurai in zip(state.duel.players, state.samurai, strict=True):
        laid = sight.zones.get(f"{player}.wounds")
        if laid is not None and len(laid) != len(samurai.row) and not samurai.defeated:
            wounds[player] = len(laid), len(samurai.row)
    return SenjutsuAdvice(strays, wounds, rings) if strays or wounds or rings else None
