"""A table that stays on: match after match, its pages asked for as the browsers at the table would."""

from pathlib import Path
from random import Random

from companion.app.table import Table
from companion.app.wiring import NO_EYES, Devices
from companion.core.events import Tap, Tick
from companion.games import game, names
from companion.record.journal import DataFolder
from companion.referee.lobby import Arrangement
from tests.faults.tried import Tried
from web.app import Settings

GROWTH = 0.10
"""By how much of its size after the first matches the process may grow."""
SETTLED = 10
"""Matches after which every game has been loaded and everything that is kept once has been made."""
MOVES = 30


def resident() -> float:
    """Megabytes of memory that this process has."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 2**20


def matches(folder: Path, times: int, random: Random) -> Tried:
    played = [name for name in names() if 2 in game(name).seats]
    with DataFolder(folder) as opened:
        settings = Settings(referee_pin="123456", secret="s" * 64, data=folder)
        table = Table(opened, lambda: 0.0, settings, Devices(), lambda match: NO_EYES)
        service, browser = table.running.service, table.running.app.test_client()
        first = most = 0.0
        for number in range(times):
            chosen, players = played[number % len(played)], ("Aki", "Ben")
            table.begin(Arrangement(game=chosen, seats=(*players, "", "", "", "")))
            for step in range(MOVES):
                referee = service.referee
                awaited = list(referee.match.awaits)
                if not awaited:
                    break
                player = random.choice(awaited)
                moves = referee.match.game.rules.legal_moves(referee.match.state, referee.match.sealed, player)
                referee.record.move(player, random.choice(list(moves)), float(step))
                service.submit(Tick(float(step)))
            for path in ("/", "/api/page", "/api/deck"):
                assert browser.get(path).status_code == 200
            if not service.referee.match.over:
                service.submit(Tap("referee", "end", {"how": "agreed", "why": "late"}, 100.0))
            service.go_on("lobby")
            if number == SETTLED:
                first = resident()
            most = max(most, resident()) if number >= SETTLED else most
        table.close()
        table.running.let_go()
    grown = most / first - 1
    held = f"{first:.0f} MB after {SETTLED} matches, at most {most:.0f} MB ({grown:+.0%})"
    return Tried("matches at one table, one after the other", f"{times}", held, int(grown > GROWTH), "grew too much")
