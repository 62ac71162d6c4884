"""A Sen So match in a few words, for tests that read like play."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

from companion.core.rulings import Refused, Ruling
from companion.games.sen_so import GAME
from companion.games.sen_so.cards import WEAPONS
from companion.games.sen_so.geometry import NAMES
from companion.record.match import Match

COMPASS = ("n", "ne", "e", "se", "s", "sw", "w", "nw")


class Bout:
    """A match that has been set up. Players have no weapon unless one is given; the first one named is held.

    Without a weapon an attack has one location, straight ahead, so that nobody has to aim.
    """

    def __init__(
        self,
        players: str = "Aki Ben",
        *,
        weapons: Mapping[str, Sequence[str]] | None = None,
        armed: bool = True,
        **options: Any,
    ) -> None:
        self.match = Match(GAME, players.split(), options)
        self.rulings: list[Ruling] = []
        self._weapons = {name: list((weapons or {}).get(name, ())) for name in self.match.players}
        if armed:
            self.arm()
            self.lay()
            self.show()

    def arm(self) -> None:
        for name, weapons in self._weapons.items():
            self.do(name, "arm", weapons=weapons)

    def lay(self) -> None:
        for name, weapons in self._weapons.items():
            slots = ["weapon"] if set(weapons) - {"shuriken"} else []
            self.do(name, "set", slots=[*slots, "block", "action1", "action2"])

    def show(self) -> None:
        for name, weapons in self._weapons.items():
            held = [weapon for weapon in weapons if weapon != "shuriken"]
            if held:
                self.do(name, "show", weapon=held[0])

    def do(self, player: str, move: str, **fields: Any) -> tuple[Ruling, ...]:
        rulings = self.match.move(player, self.match.decode({"move": move, **fields}))
        self.rulings += rulings
        return rulings

    def set(self, **cards: str) -> "Bout":
        """Play a set up to its aims and guards: `bout.set(Aki="move F", Ben="block", Cho="katana")`."""
        self.select()
        self.rulings.clear()
        for name in sorted(cards, key=lambda name: _turn(cards[name])):
            card, _, direction = cards[name].partition(" ")
            if card == "block":
                self.do(name, "change_block")
            elif card in WEAPONS and not direction:
                self.do(name, "change_weapon", weapon=card)
            else:
                self.do(name, "reveal", card=card, direction=self.read(name, direction))
        return self

    def read(self, player: str, direction: str) -> str:
        """A direction on a card; small letters are a compass over the board, the same for all (`move ne`)."""
        if direction.isupper():
            return direction
        facing = self.match.state.ninjas[self.match.players.index(player)].facing
        return NAMES[(COMPASS.index(direction) - facing) % 8]

    def select(self) -> None:
        """Everyone places the next second action, if it is time for that."""
        for name in self.match.players:
            if "set" in self.match.awaits.get(name, ()) and self["phase"] == "select":
                self.do(name, "set", slots=["action2"])

    def aim(self, **cells: str) -> "Bout":
        for name, cell in cells.items():
            self.do(name, "aim", cell=cell)
        return self

    def guard(self, **sides: str | None) -> "Bout":
        for name, side in sides.items():
            self.do(name, "guard", direction=side)
        return self

    def __getitem__(self, path: str) -> Any:
        found: Any = self.match.facts
        for step in path.split("."):
            found = found[step]
        return found

    @property
    def scores(self) -> tuple[int, ...]:
        return tuple(self["scores"].values())

    @property
    def cells(self) -> tuple[str, ...]:
        return tuple(player["cell"] for player in self["players"].values())

    @property
    def rules(self) -> list[str]:
        """Rules cited since the set began."""
        return [ruling.rule for ruling in self.rulings]

    @contextmanager
    def refuses(self, *rules: str) -> Iterator[None]:
        """What happens inside is refused, citing every one of these rules, and changes nothing."""
        before = (self.match.state, self.match.sealed)
        with pytest.raises(Refused) as refusal:
            yield
        assert set(rules) <= set(refusal.value.rules), refusal.value.rules
        assert refusal.value.text
        assert (self.match.state, self.match.sealed) == before


def _turn(card: str) -> int:
    """Blocks change first, then weapons, then everybody reveals."""
    return 0 if card == "block" else 1 if " " not in card else 2


@pytest.fixture
def bout() -> Callable[..., Bout]:
    return Bout


@contextmanager
def _refused(*rules: str) -> Iterator[None]:
    with pytest.raises(Refused) as refusal:
        yield
    assert set(rules) <= set(refusal.value.rules), refusal.value.rules


@pytest.fixture
def refused() -> Callable[..., Any]:
    """A match that the rules do not allow."""
    return _refused
