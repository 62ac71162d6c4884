"""A whole table that stays on for an evening, in a process of its own: `python -m tests.endurance.table FOLDER HOURS`.

Lobby, match, result and lobby again, every game in turn, through drawn pictures, serial bytes and HTTP, on a clock that
runs as fast as the machine allows. Whenever it rests in the lobby it prints a line of JSON and waits for an answer, so
that whoever watches can take its measure at the same point every time.
"""

import json
import logging
import sys
from datetime import datetime
from functools import partial
from itertools import count
from pathlib import Path

from flask.testing import FlaskClient

from companion.app.housekeeping import House
from companion.app.virtual_table import VirtualTable
from companion.cli.serving import apply_settings, new_settings
from companion.core.events import Tap
from companion.record.evidence import Evidence
from companion.record.journal import DataFolder
from companion.upkeep.config import configured
from web.server import Server

QUOTA = 64 * 2**20
"""Bytes of pictures and clips: 2 GB at a real table, here so few that an evening reaches them."""
GAMES = ("sen_so", "san_ni_ichi", "senjutsu", "sensu", "high_card")
"""A round of games, again and again."""
MOVES = 40
"""After so many the players agree on the result. Whatever leaks does so when a match ends: many short ones say more
than few long ones."""
CHAT = 120.0
"""Seconds at the result, and as many in the lobby, before somebody goes on."""
THINK = (30.0, 90.0)
"""Seconds in which people think."""
DAY = 86400.0
ORIGIN = {"Origin": "http://localhost"}


class Evening:
    """The table, somebody who arranges its matches from a phone, and its house, which makes backups."""

    def __init__(self, folder: DataFolder) -> None:
        settings = new_settings(data=folder.path)
        self.table = VirtualTable(folder, settings, None, 1, GAMES[0], alone=None, think=THINK)
        self.running = self.table.running
        holds = configured({"data": str(folder.path), "camera": "none", "panels": ("none",)}, None, {})
        apply = partial(apply_settings, self.table.table, settings)
        self.house = self.running.service.house = House(self.running, holds, apply, {}, None, first=False)
        self.server = Server(self.running.app, self.running.service, port=0)
        self.server.start()
        self.house.start(self.server.host, self.server.port, tls=False)
        self.phone: FlaskClient = self.running.app.test_client()
        self.matches = self.moves = 0

    def post(self, path: str, **body: object) -> None:
        answer = self.phone.post(path, json=body, headers=ORIGIN)
        assert answer.status_code == 200, answer.text

    def wait(self, seconds: float) -> None:
        until = self.table.clock.now + seconds
        while self.table.clock.now < until:
            self.table.beat()

    def play(self, game: str) -> None:
        """From the lobby to the result, a rematch one seat on where the game is short, and back to the lobby."""
        self.post("/api/lobby", what="game", data={"game": game})
        self.post("/api/lobby", what="start")
        self._to_its_end()
        if game == "high_card":
            self.post("/api/table/next", to="rotate")
            self._to_its_end()
        self.post("/api/table/next", to="lobby")
        self.wait(CHAT)

    def _to_its_end(self) -> None:
        service, match = self.running.service, self.running.service.match
        while not match.over and match.moves < MOVES:
            self.table.beat()
        if not match.over:
            service.submit(Tap("referee", "end", {"how": "agreed", "why": "it is late"}, service.now()))
        self.matches += 1
        self.moves += match.moves
        self.wait(CHAT)

    def close(self) -> None:
        self.house.stop()
        self.server.stop()
        self.table.close()


def main(folder: Path, hours: float) -> None:
    logging.disable(logging.INFO)
    # The quota is no setting: people would only ever want more of it.
    import companion.app.wiring as wiring

    wiring.Evidence = lambda path: Evidence(path, QUOTA)  # type: ignore[misc, assignment]
    with DataFolder(folder) as data:
        evening, days = Evening(data), 0
        try:
            for rounds in count():
                for game in GAMES:
                    told = {"port": evening.server.port, "at": evening.table.clock.now, "round": rounds}
                    print(json.dumps(told | {"matches": evening.matches, "moves": evening.moves}), flush=True)
                    sys.stdin.readline()
                    if evening.table.clock.now >= hours * 3600:
                        return
                    evening.play(game)
                    if evening.table.clock.now // 3600 > days:  # as if every hour were another day: a backup is due
                        days += 1
                        evening.house.do_what_is_due(datetime.now().timestamp() + days * DAY)
        finally:
            evening.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), float(sys.argv[2]))
