"""Whom the table waits for, and who calls the referee."""

from collections.abc import Mapping

NOTED_EVERY = 60.0
"""Seconds between two calls of one player that go into the kifu: nobody can fill it by calling."""


class Attention:
    def __init__(self) -> None:
        self.calls: dict[str, float] = {}
        """Who calls the referee, and since when."""
        self._awaited: dict[str, tuple[object, float]] = {}
        """What is awaited from whom, and since when."""
        self._noted: dict[str, float] = {}

    @property
    def waits(self) -> dict[str, float]:
        """Player -> since when this one thing is awaited from them."""
        return {player: since for player, (_, since) in self._awaited.items()}

    def watch(self, asked: Mapping[str, object], at: float) -> None:
        """`asked`: player -> what is awaited from them now."""
        before = self._awaited
        self._awaited = {
            player: before[player] if player in before and before[player][0] == what else (what, at)
            for player, what in asked.items()
        }

    def call(self, player: str, at: float) -> bool:
        """False: this player is calling already."""
        return self.calls.setdefault(player, at) == at

    def answer(self, player: str) -> bool:
        """False: nobody of that name was calling."""
        return self.calls.pop(player, None) is not None

    def worth_noting(self, player: str, at: float) -> bool:
        """Whether this call goes into the kifu."""
        if at - self._noted.get(player, at - NOTED_EVERY) < NOTED_EVERY:
            return False
        self._noted[player] = at
        return True

    def rename(self, names: Mapping[str, str]) -> None:
        """Players have new names: {old: new}."""
        self.calls = {names.get(player, player): at for player, at in self.calls.items()}
        self._awaited = {names.get(player, player): kept for player, kept in self._awaited.items()}
        self._noted = {names.get(player, player): at for player, at in self._noted.items()}
