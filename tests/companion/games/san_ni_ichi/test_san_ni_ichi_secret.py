"""The window for smoke bombs gives away nothing: whoever holds or uses one, everybody receives the same."""

from itertools import permutations
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.events import Press, Tap, Tick
from companion.games.san_ni_ichi import GAME
from companion.games.san_ni_ichi.moves import NoSmokeBomb, UseSmokeBomb
from companion.record.match import Match
from companion.record.recorded_match import RecordedMatch
from companion.referee.referee import Referee
from companion.referee.service import Service

PLAYERS = ("Aki", "Ben", "Cho", "Dai")
VIEWERS = (*PLAYERS, "referee", None)
BOMBS = ["torinoko-1", "torinoko-2", "torinoko-3", "torinoko-4"]
CARDS = {"Aki": "fire-1", "Ben": "water-2", "Cho": "wood-3", "Dai": "fire-4"}


class Window:
    """A match in its first Damage Phase, and everything that leaves the table."""

    def __init__(self, **options: Any) -> None:
        match = Match(GAME, PLAYERS, {"deck": [8, 4], "weapons": BOMBS, **options})
        self.lines: list[Any] = []
        self.service = Service(Referee(RecordedMatch(match, self._write)), lambda: 100.0)
        self.sent: list[Any] = []
        self.service.listen(lambda effect: self.sent.append(msgspec.to_builtins(effect)))
        for name in PLAYERS:
            self.tap(name, move="select")
        for second in (1.0, 2.0, 3.0):
            self.service.submit(Tick(100.0 + second))
        for name, card in CARDS.items():
            self.tap(name, move="reveal", card=card)
        for name in CARDS:
            self.tap(name, move="play", on=name)
        assert match.facts["phase"] == "damage"

    def _write(self, fields: Any) -> int:
        self.lines.append(fields)
        return len(self.lines)

    def tap(self, name: str, **move: Any) -> None:
        self.service.submit(Tap(name, "move", move, 100.0))

    def press(self, name: str, button: str) -> None:
        self.service.submit(Press(PLAYERS.index(name), button, 100.0))

    def received(self) -> list[Any]:
        """What every viewer, in both languages, and every panel has."""
        pages = [self.service.page(viewer, language) for viewer in VIEWERS for language in ("en", "it")]
        return [pages, [self.service.options(name) for name in PLAYERS], self.sent]


def while_open(order: tuple[str, ...], users: frozenset[str]) -> list[Any]:
    """What is received before the first answer and after each but the last, which ends the window."""
    window = Window()
    received = [msgspec.json.encode(window.received())]
    for name in order[:-1]:
        window.tap(name, move="smoke" if name in users else "pass")
        received.append(msgspec.json.encode(window.received()))
    return received


@pytest.mark.rule("SNI-35", "SNI-R16")
@given(st.sampled_from(sorted(permutations(PLAYERS))), st.frozensets(st.sampled_from(PLAYERS)))
def test_until_the_last_answer_everybody_receives_the_same_whoever_uses_a_bomb(
    order: tuple[str, ...], users: frozenset[str]
) -> None:
    assert while_open(order, users) == while_open(order, frozenset())


def test_the_last_answer_shows_all_of_them_at_once() -> None:
    window = Window()
    for name in PLAYERS:
        window.tap(name, move="smoke" if name in ("Aki", "Dai") else "pass")

    told = [sentence.text for sentence in window.service.page(None).said]
    assert sum("takes no Combat Pile as damage this round" in text for text in told) == 2
    assert msgspec.to_builtins(window.service.page(None))["view"]["phase"] == "selection"


def test_the_panels_show_the_same_whether_a_bomb_was_picked_or_a_pass() -> None:
    def pressed(*buttons: str) -> Any:
        window = Window()
        for button in buttons:
            window.press("Ben", button)
        return window.sent[-1], [window.service.page(viewer) for viewer in (*PLAYERS, None)]

    passed, (*_, table) = pressed("select")
    used, (*_, table_then) = pressed("down", "select")

    assert passed == used
    unversioned = [msgspec.structs.replace(page, version=0) for page in (table, table_then)]
    assert unversioned[0] == unversioned[1]


def test_everybody_is_offered_a_bomb_who_could_hold_one() -> None:
    window = Window()

    for name in PLAYERS:
        assert window.service.page(name).choices == (NoSmokeBomb(), UseSmokeBomb())
