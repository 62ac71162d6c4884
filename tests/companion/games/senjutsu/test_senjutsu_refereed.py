"""The duel under the referee's eyes: miniatures that answer, and those that do not yet."""

from typing import Any

from companion.core.events import Press, Seen, Tap, Tick
from companion.core.layout import SeenCard, SeenPiece, Sight
from companion.games.senjutsu import GAME
from companion.games.senjutsu.layout import ArenaOnTable, piece
from companion.record.match import Match
from companion.record.recorded_match import RecordedMatch
from companion.referee.referee import Referee

LUNGE = """
card Lunge
type attack
rank wood
speed 6
move 1 F
move up to 1
rotate up to 1

card Stroll
type meditation
rank wood
speed 4
move up to 2
rotate up to 2

card Stand
type meditation
rank wood
speed 1
draw 1
"""
TURN = {"N": 0.0, "NE": 300.0, "S": 180.0}


class Table:
    """Aki and Ben, their cards and their miniatures, seen by a referee who has no pixels."""

    def __init__(self) -> None:
        deck = {"lunge": 20, "stand": 10, "stroll": 10}
        self.match = Match(GAME, ("Aki", "Ben"), {"cards": LUNGE, "decks": {"Aki": deck, "Ben": deck}})
        self.lines: list[Any] = []
        self.referee = Referee(RecordedMatch(self.match, self._write))
        self.zones: dict[str, tuple[SeenCard, ...]] = {}
        self.pieces: dict[str, SeenPiece] = {}
        self.now = 0.0

    def _write(self, fields: Any) -> int:
        self.lines.append(fields)
        return len(self.lines)

    def stand(self, player: str, hex: str, facing: str) -> None:
        x, y = ArenaOnTable(self.match.state.duel).centre(self.match.state.duel.arena.names[hex])
        self.pieces[piece(player)] = SeenPiece(x, y, TURN[facing])
        self.look()

    def look(self) -> None:
        self.referee.handle(Seen(Sight(dict(self.zones), dict(self.pieces)), self.now))

    def play(self, **cards: str) -> None:
        """Everybody lays a card, presses ready, and turns it up at the count of three."""
        for seat, player in enumerate(cards):
            self.zones[f"{player}.card"] = (SeenCard(None, False),)
            self.look()
            self.referee.handle(Press(seat, "ready", self.now))
        for _ in range(4):
            self.now += 1.0
            self.referee.handle(Tick(self.now))
        for player, card in cards.items():
            self.zones[f"{player}.card"] = (SeenCard(card, True),)
        self.look()

    @property
    def aki(self) -> tuple[str, str]:
        samurai = self.match.facts["samurai"]["Aki"]
        return samurai["hex"], samurai["facing"]


def table() -> Table:
    made = Table()
    made.stand("Aki", "d1", "N")
    made.stand("Ben", "d5", "S")
    return made


def test_a_miniature_that_a_ruling_has_moved_answers_only_when_it_was_moved() -> None:
    """The lunge leads to d2; the miniature still stands on d1, and that is not a step back."""
    duel = table()
    duel.play(Aki="lunge", Ben="stand")
    assert duel.aki == ("d2", "N")
    assert duel.match.awaits == {"Aki": ("step", "pass")}

    duel.look()
    assert duel.aki == ("d2", "N")
    duel.stand("Aki", "d2", "N")
    assert duel.match.awaits == {"Aki": ("step", "pass")}
    duel.stand("Aki", "d1", "N")
    assert duel.aki == ("d1", "N")
    assert duel.match.awaits == {"Aki": ("rotate", "pass")}
    duel.stand("Aki", "d1", "NE")
    assert duel.aki == ("d1", "NE")


def test_a_miniature_may_follow_the_ruling_and_take_its_step_in_one_go() -> None:
    duel = table()
    duel.play(Aki="lunge", Ben="stand")
    duel.stand("Aki", "d3", "N")

    assert duel.aki == ("d3", "N")
    assert not [said for said in duel.referee.said if said.kind in ("refused", "call")]


def test_ready_leaves_a_step_out_and_a_miniature_elsewhere_is_called() -> None:
    duel = table()
    duel.play(Aki="lunge", Ben="stand")
    for _ in range(2):
        duel.referee.handle(Press(0, "ready", duel.now))
    assert duel.match.facts["round"] == 2
    duel.zones = {"Aki.card": (SeenCard(None, False),)}
    duel.look()
    duel.referee.handle(Press(0, "ready", duel.now))

    calls = [str(said.message) for said in duel.referee.said if said.kind == "call"]
    assert calls == ["Aki's piece stands on d1 N; it belongs on d2 N."]


def test_what_the_camera_cannot_tell_is_tapped() -> None:
    duel = table()
    duel.play(Aki="lunge", Ben="stand")
    duel.referee.handle(Tap("Aki", "move", {"move": "step", "path": ["NE"]}, duel.now))

    assert duel.aki == ("e3", "N")


def test_a_choice_begun_on_the_panel_and_made_on_the_tablet_leaves_no_mark_on_the_next() -> None:
    duel = table()
    duel.play(Aki="lunge", Ben="stand")
    duel.referee.handle(Press(0, "down", duel.now))
    assert duel.referee.cursor == {"Aki": 1}
    duel.referee.handle(Tap("Aki", "move", {"move": "step", "path": ["N"]}, duel.now))

    assert duel.match.awaits == {"Aki": ("rotate", "pass")}
    assert duel.referee.cursor == {}


def test_a_shorter_way_is_gone_by_moving_the_miniature_and_pressing_ready() -> None:
    duel = table()
    duel.play(Aki="stroll", Ben="stand")
    duel.stand("Aki", "d2", "N")
    assert duel.aki == ("d1", "N"), "it may still be on its way"
    duel.referee.handle(Press(0, "ready", duel.now))
    assert duel.aki == ("d2", "N")
    duel.stand("Aki", "d2", "NE")
    assert duel.aki == ("d2", "N")
    duel.referee.handle(Press(0, "ready", duel.now))

    assert duel.aki == ("d2", "NE")
    assert duel.match.facts["round"] == 2
    assert not [said for said in duel.referee.said if said.kind in ("refused", "call")]


def test_ready_is_no_step_back_for_a_miniature_that_still_waits_for_its_hand() -> None:
    """The lunge has led to d2; the miniature on d1 has not followed yet, and its player wants no more."""
    duel = table()
    duel.play(Aki="lunge", Ben="stand")
    duel.referee.handle(Press(0, "ready", duel.now))

    assert duel.match.awaits == {"Aki": ("rotate", "pass")}
    assert duel.aki == ("d2", "N")
