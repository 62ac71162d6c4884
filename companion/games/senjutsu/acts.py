"""The referee's acts by hand in Senjutsu: wounds, the end of the duel, another name."""

from companion.core.message import message, plural, things
from companion.core.rulings import Ruling
from companion.games.kit.acts import ACT, does_not_fit, renamed
from companion.games.senjutsu.desk import Desk, replace
from companion.games.senjutsu.round import run
from companion.games.senjutsu.state import DuelState


def award(state: DuelState, player: str, points: int, why: str) -> tuple[DuelState, tuple[Ruling, ...]]:
    """Wound cards are given, or taken as far as there are any; at the health limit the samurai falls."""
    desk, seat = Desk(state), state.duel.seat[player]
    named, samurai = state.duel.named[seat], state.samurai[seat]
    if samurai.defeated:
        raise does_not_fit(message("{player} is defeated.", player=named))
    was = samurai.wounds
    now = max(0, was + points)
    told = (
        plural(
            "The referee gives {player} {count} wound card: {why}",
            "The referee gives {player} {count} wound cards: {why}",
            points,
            player=named,
            why=why,
        )
        if points > 0
        else plural(
            "The referee takes {count} wound card from {player}: {why}",
            "The referee takes {count} wound cards from {player}: {why}",
            was - now,
            player=named,
            why=why,
        )
    )
    row = samurai.row + ("wound",) * points
    for _ in range(was - now):
        last = len(row) - 1 - row[::-1].index("wound")
        row = row[:last] + row[last + 1 :]
    desk.change(seat, row=row)
    desk.rule(ACT, told, {f"wounds.{player}": (was, now)})
    desk.wounded = points > 0
    desk.settle()
    desk.asking = tuple(each for each in desk.asking if not desk.samurai[each].defeated)
    if desk.ask is not None and desk.samurai[desk.ask.player].defeated:
        desk.ask = None
    run(desk)
    return desk.state(), tuple(desk.rulings)


def end(state: DuelState, winners: tuple[str, ...]) -> DuelState:
    seats = tuple(state.duel.seat[player] for player in winners)
    return replace(state, stage="over", ask=None, queue=(), frames=(), winners=seats)


def standing_winners(state: DuelState, without: str | None) -> list[str]:
    """Of those who stand, whoever has most health left."""
    health = {
        player: limit - len(samurai.row)
        for player, limit, samurai in zip(state.duel.players, state.duel.health, state.samurai, strict=True)
        if not samurai.defeated and player != without
    }
    return [player for player, left in health.items() if left == max(health.values())]


def rename(state: DuelState, player: str, name: str) -> DuelState:
    players = renamed(state.duel.players, player, name)
    seat = {each: number for number, each in enumerate(players)}
    return replace(state, duel=replace(state.duel, players=players, named=things("player", players), seat=seat))
