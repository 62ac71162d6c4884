"""All that the wall shows of a table, from what everybody may see of it there."""

from typing import Any, cast

from companion.club.payloads import HealthState, PlayerState, Stage, TableState
from companion.core.events import Said
from companion.referee.lobby_view import LobbyPage
from companion.referee.service import Service

SHOWN = 24
"""Senses whose health is told."""


def table_state(service: Service) -> TableState:
    page = service.page(None)
    if isinstance(page, LobbyPage):
        lobby = service.lobby
        if lobby is None:  # a match has just begun
            return table_state(service)
        made = lobby.arrangement
        players = tuple(PlayerState(name) for name in made.players)
        return TableState(stage="lobby", game=made.game, players=players, health=_health(service))
    last = page.tally.steps[-1].tally if page.tally.steps else (None,) * len(page.players)
    stage = "over" if page.over else "paused" if page.paused else page.stage
    winners = tuple(service.match.facts["winners"]) if page.over else ()
    return TableState(
        stage=cast(Stage, stage),
        count=page.count,
        game=page.game,
        title=page.title,
        match=page.match,
        moves=page.moves,
        players=tuple(
            PlayerState(name, standing, name in page.awaited, name in page.ready)
            for name, standing in zip(page.players, last, strict=True)
        ),
        unit=page.tally.title,
        winners=winners,
        reached=page.clock.reached,
        running=page.clock.running,
        limit=page.clock.limit,
        calls=tuple(sorted(page.calls)),
        health=_health(service),
    )


def _health(service: Service) -> tuple[HealthState, ...]:
    told = []
    for name, condition in sorted(service.senses.items())[:SHOWN]:
        text = "" if condition.message is None else str(condition.message)
        told.append(HealthState(name, condition.state.value, text[:600]))
    return tuple(told)


def happened(said: Said) -> str:
    """What a sentence is about in one word, where the game has one."""
    if said.happened is None:
        return ""
    config: Any = said.happened.__struct_config__
    return str(config.tag)
