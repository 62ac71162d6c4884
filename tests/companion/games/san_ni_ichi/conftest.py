"""A table of San, Ni, Ichi! that tests can play at in a few words."""

from collections.abc import Callable
from typing import Any

import pytest

from companion.core.rulings import Refused, Ruling
from companion.games.san_ni_ichi import GAME
from companion.record.match import Match
from companion.record.replay import MISSING, look_up

NAMES = ("Aki", "Ben", "Cho", "Dai", "Eri", "Fuu")
NO_BOMBS = ("block-0", "block-0", "sai-13", "tonfa-11", "yoso_kogeki-15", "shuriken-22")
"""Six weapons for three players, none of them a smoke bomb: no Damage Phase has to be answered."""


class Bout:
    def __init__(self, players: int = 3, **options: Any) -> None:
        self.match = Match(GAME, NAMES[:players], options)

    def __getitem__(self, path: str) -> Any:
        """The state at a kifu path."""
        found = look_up(self.match.facts, path)
        assert found is not MISSING, path
        return found

    def do(self, by: str, move: str, **fields: Any) -> tuple[Ruling, ...]:
        """A move by its kifu fields; `for_` and `from_` stand for the words that Python keeps for itself."""
        fields = {name.rstrip("_"): value for name, value in fields.items()}
        return self.match.move(by, self.match.decode({"move": move, **fields}))

    def refused(self, by: str, move: str, **fields: Any) -> tuple[str, ...]:
        """The rules that forbid this move; nothing may have changed."""
        before, sealed = self.match.state, self.match.sealed
        with pytest.raises(Refused) as refusal:
            self.do(by, move, **fields)
        assert self.match.state == before
        assert self.match.sealed == sealed
        assert "{" not in refusal.value.text
        return refusal.value.rules

    def select(self, *but: str) -> None:
        """Everybody who is awaited lays a card face down, except those named."""
        for name in self.match.awaits:
            if name not in but:
                self.do(name, "select")

    def reveal(self, **cards: str) -> tuple[Ruling, ...]:
        """Select and turn up: the Attack Phase is next."""
        if not self.match.state.selected:
            self.select()
        rulings: tuple[Ruling, ...] = ()
        for name, card in cards.items():
            rulings = self.do(name, "reveal", card=card)
        return rulings

    def round(self, **turns: Any) -> tuple[Ruling, ...]:
        """A whole round. A turn is a card to give up, (card, whose pile), or (card, move and fields)."""
        given = {name: (turn, {"move": "discard"}) if isinstance(turn, str) else turn for name, turn in turns.items()}
        rulings = self.reveal(**{name: card for name, (card, _) in given.items()})
        while self["phase"] == "attack":
            (name,) = self.match.awaits
            play = given[name][1]
            rulings = self.do(name, **({"move": "play", "on": play} if isinstance(play, str) else play))
        return self.passes() or rulings

    def passes(self) -> tuple[Ruling, ...]:
        """Nobody uses a smoke bomb."""
        rulings: tuple[Ruling, ...] = ()
        while self["phase"] == "damage":
            rulings = self.do(next(iter(self.match.awaits)), "pass")
        return rulings


@pytest.fixture
def bout() -> Callable[..., Bout]:
    """Sit down to a match, `bout(players, **options)`: three without smoke bombs if nothing is said."""

    def sit_down(players: int = 3, **options: Any) -> Bout:
        if players == 3 and not options.keys() & {"deck", "weapons"}:
            options["weapons"] = NO_BOMBS
        return Bout(players, **options)

    return sit_down
