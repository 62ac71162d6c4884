"""A small real match, driven through the service by hand-made events: no camera, no wires, no sleeping."""

from typing import Any

import msgspec

from companion import games
from companion.core.events import MISSING, OK, SIMULATED, Sense, Tap, Tick, trouble
from companion.core.message import message
from companion.games.kit.game import Game
from companion.games.sen_so import GAME
from companion.record.match import Match
from companion.record.recorded_match import RecordedMatch
from companion.referee.referee import Referee
from companion.referee.service import NO_DEVICES, Service, TableDevices
from web.app import Settings
from web.pins import SeatPin

PINS = {"Aki": "111111", "Ben": "222222", "Cho": "333333", "Dai": "444444"}
SETTINGS = Settings(
    referee_pin="987654",
    seats=tuple(map(SeatPin, PINS.values())),
    secret="a long secret for tests only",
    hosts=("dojo.example",),
)


class Evening:
    """Players who tap what they would lay; time passes when they say so."""

    def __init__(
        self,
        players: tuple[str, ...] = ("Aki", "Ben"),
        game: Game = GAME,
        devices: TableDevices = NO_DEVICES,
        **options: Any,
    ) -> None:
        self.at = 0.0
        self.lines: list[Any] = []
        if game.name in games.names():
            games.game(game.name)  # its translations are looked for from now on
        match = Match(game, players, options or {"end": {"actions": 3}})
        self.service = Service(Referee(RecordedMatch(match, self._write)), lambda: self.at, devices)
        self.players = players

    def _write(self, fields: Any) -> int:
        self.lines.append(fields)
        return len(self.lines)

    def tap(self, by: str, what: str, **data: Any) -> None:
        self.service.submit(Tap(by, what, data, self.at))

    def move(self, by: str, kind: str, **fields: Any) -> None:
        self.tap(by, "move", move=kind, **fields)

    def sense(self, name: str, state: str) -> None:
        known = {"ok": OK, "missing": MISSING, "simulated": SIMULATED}
        condition = known[state] if state in known else trouble(message("{text}", text=state))
        self.service.submit(Sense(name, condition, self.at))

    def wait(self, seconds: float) -> None:
        self.at += seconds
        self.service.submit(Tick(self.at))

    def arm(self, **weapons: list[str]) -> None:
        for player in self.players:
            self.move(player, "arm", weapons=weapons.get(player, ["katana", "bo_staff", "shuriken"]))

    def place(self) -> None:
        """Everyone lays what is due, face down."""
        for player in self.players:
            for move in self.service.options(player):
                if move.kind == "set":
                    self.tap(player, "move", **msgspec.to_builtins(move))

    def ready(self) -> None:
        for player in self.players:
            self.tap(player, "ready")

    def count(self) -> None:
        """Three, two, one."""
        for _ in range(3):
            self.wait(1.0)

    def begin(self, **weapons: str) -> None:
        """Up to the first set: weapons chosen, cards laid, start weapons shown."""
        self.arm()
        self.place()
        self.ready()
        self.count()
        for player in self.players:
            self.move(player, "show", weapon=weapons.get(player, "katana"))

    def reveal(self, **cards: tuple[str, str]) -> None:
        """Everyone presses ready, the count runs, and each turns up a card: `Aki=("move", "F")`."""
        self.ready()
        self.count()
        for player, (card, direction) in cards.items():
            self.move(player, "reveal", card=card, direction=direction)
