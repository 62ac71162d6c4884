"""Whole matches of the virtual Sensu players in front of a perfect camera: what they do is what is ruled."""

from random import Random
from typing import Any

import msgspec
import pytest

from companion.core.events import Press, Seen, Tap
from companion.core.layout import SeenCard, Sight
from companion.games.sensu import GAME
from companion.record.match import Match
from companion.record.recorded_match import RecordedMatch
from companion.referee.referee import Referee
from companion.referee.table_view import page
from companion.virtual.physical_table import PhysicalTable
from companion.virtual.player import Hands
from companion.virtual.sensu import seat
from tests.companion.app.evenings import PEOPLE
from tests.companion.app.test_demo_sensu import options_of

LONGEST = 3_000


class Parlour:
    """The players' side of a table, with the referee told exactly what lies there."""

    def __init__(self, players: int, seed: int, options: dict[str, Any]) -> None:
        self.lines: list[Any] = []
        self.match = Match(GAME, PEOPLE[:players], options)
        self.referee = Referee(RecordedMatch(self.match, self._write))
        random = Random(seed)
        self.table = PhysicalTable(GAME.table.layout(self.match.state), random)
        hands = [self._hands(at, name, random) for at, name in enumerate(self.match.players)]
        self.players = seat(hands, self.match.state)
        self.now = 0.0

    def _write(self, fields: Any) -> int:
        self.lines.append(msgspec.json.decode(msgspec.json.encode(fields)))
        return len(self.lines)

    def _hands(self, at: int, name: str, random: Random) -> Hands:
        def press(button: str) -> None:
            self.look()
            self.referee.handle(Press(at, button, self.now))

        def tap(what: str, data: dict[str, Any]) -> None:
            self.referee.handle(Tap(name, what, data, self.now))

        return Hands(name, self.table, press, tap, Random(random.random()), lambda seconds: None)

    def look(self) -> None:
        zones = {}
        for name, cards in self.table.cards.items():
            seen = cards if self.table.zones[name].holds == "row" else cards[-1:]
            zones[name] = tuple(SeenCard(card.card if card.face_up else None, card.face_up) for card in seen)
        self.referee.handle(Seen(Sight(zones), self.now))

    def play(self) -> None:
        for _ in range(LONGEST):
            if self.match.over:
                return
            self.now += 1.0
            for player in self.players:
                player.act(msgspec.to_builtins(page(self.referee, player.hands.name, "en", self.now)), "choice")
                self.look()

    def told(self, name: str) -> list[Any]:
        moves = [line for line in self.lines if line.get("by") == name]
        return [{key: value for key, value in line.items() if key not in ("by", "at")} for line in moves]


@pytest.mark.parametrize("seed", [*range(1, 21), 59, 86, 91, 178, 272])
def test_a_whole_match_is_ruled_as_it_was_played(seed: int) -> None:
    """The last five were misread once: a fan closed with the card just chosen, a new deck on the last move, Wisdom
    taken for another pile's, a first card that lay on top before, hands that nobody wants to change."""
    players = 1 + seed % 5
    parlour = Parlour(players, seed, options_of(players, seed))
    parlour.play()

    assert parlour.match.over
    assert [said for said in parlour.referee.said if said.kind in ("refused", "call")] == []
    for player in parlour.players:
        name = player.hands.name
        assert parlour.told(name) == player.hands.deeds
        for fact, value in player.counts().items():
            assert parlour.match.facts[fact][name] == value


def test_a_deck_that_runs_out_is_made_of_all_discards_before_anybody_goes_on() -> None:
    """Four players with the chosen fan need more than the ninety cards."""
    parlour = Parlour(4, 13, options_of(4, 13))
    parlour.play()

    shuffles = [said for said in parlour.referee.said if "SU-49" in said.rules]
    assert shuffles or len(parlour.match.state.unseen) > 1
