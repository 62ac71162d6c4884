"""The referee turns what the senses tell into moves. No camera, no wire: hand-made events, a list for a journal."""

from typing import Any

import pytest

from companion.core.events import MISSING, Effect, Light, Press, Said, Seen, Sense, Tap, Tick
from companion.core.layout import SeenCard, SeenPiece, Sight
from companion.core.rulings import Refusal
from companion.games import game
from companion.record.journal import JournalFailed
from companion.record.match import Match
from companion.record.recorded_match import RecordedMatch
from companion.referee.referee import Referee
from companion.referee.reveal import COUNT, PATIENCE
from companion.referee.table_view import Question, page

DOWN = SeenCard(None, False)
SLOTS = ("weapon", "block", "action1", "action2")


class RefereedTable:
    """Two players, and what lies before them."""

    def __init__(self, **options: Any) -> None:
        self.lines: list[Any] = []
        match = Match(game("sen_so"), ["Aki", "Ben"], options)
        self.referee = Referee(RecordedMatch(match, self._write))
        self.match = match
        self.now = 0.0
        self.zones: dict[str, tuple[SeenCard, ...]] = {f"{name}.{slot}": () for name in match.players for slot in SLOTS}
        self.disk_full = False

    def _write(self, fields: Any) -> int:
        if self.disk_full:
            raise JournalFailed("The disk is full.")
        self.lines.append(fields)
        return len(self.lines) + 1

    def lay(self, zone: str, *cards: SeenCard) -> list[Effect]:
        self.zones[zone] = cards
        return self.look()

    def look(self) -> list[Effect]:
        return self.referee.handle(Seen(Sight(dict(self.zones)), self.now)).effects

    def press(self, seat: int, button: str = "ready") -> list[Effect]:
        return self.referee.handle(Press(seat, button, self.now)).effects

    def tap(self, by: str, what: str, **data: Any) -> list[Effect]:
        return self.referee.handle(Tap(by, what, data, self.now)).effects

    def refusal(self, by: str, what: str, **data: Any) -> Refusal:
        """What a tap is refused with."""
        refusal = self.referee.handle(Tap(by, what, data, self.now)).refusal
        assert refusal is not None
        return refusal

    def wait(self, seconds: float) -> list[Effect]:
        effects: list[Effect] = []
        end = self.now + seconds
        while self.now < end:
            self.now = min(end, self.now + 0.25)
            effects += self.referee.handle(Tick(self.now)).effects
        return effects

    def armed(self) -> "RefereedTable":
        for name in self.match.players:
            self.tap(name, "move", move="arm", weapons=["katana", "nagamaki", "shuriken"])
        return self

    def locked(self) -> "RefereedTable":
        self.armed()
        for seat, name in enumerate(self.match.players):
            for slot in SLOTS:
                self.lay(f"{name}.{slot}", DOWN)
            self.press(seat)
        return self

    def shown(self) -> "RefereedTable":
        self.locked().wait(COUNT)
        for name in self.match.players:
            self.lay(f"{name}.weapon", SeenCard("katana", True))
        return self

    def revealing(self) -> "RefereedTable":
        """Start weapons are up, both are ready again, the count is over."""
        self.shown()
        self.press(0)
        self.press(1)
        self.wait(COUNT)
        return self

    @property
    def sentences(self) -> list[str]:
        return [str(said.message) for said in self.referee.said]


def up(card: str, eighths: int = 0) -> SeenCard:
    return SeenCard(card, True, -45.0 * eighths % 360)


def phases(effects: list[Effect]) -> list[tuple[int, str, int]]:
    return [(light.seat, light.phase, light.count) for light in effects if isinstance(light, Light)]


def test_a_player_is_locked_when_the_cards_lie_there_and_ready_is_pressed() -> None:
    table = RefereedTable().armed()
    for slot in SLOTS:
        table.lay(f"Aki.{slot}", DOWN)
    assert "Aki" not in table.referee.ready

    effects = table.press(0)

    assert (0, "locked", 0) in phases(effects)
    assert table.lines[-1]["slots"] == SLOTS


def test_ready_before_the_camera_has_seen_the_cards_counts_when_it_sees_them() -> None:
    table = RefereedTable().armed()
    table.press(0)
    assert "Aki" not in table.referee.ready

    for slot in SLOTS:
        table.lay(f"Aki.{slot}", DOWN)

    assert "Aki" in table.referee.ready


def test_ready_without_cards_is_told_after_a_while() -> None:
    table = RefereedTable().armed()
    table.press(0)

    effects = table.wait(PATIENCE + 0.5)

    assert (0, "refused", 0) in phases(effects)
    assert "Aki: the cards are not in their places, face down, yet." in table.sentences


def test_the_count_goes_three_two_one_and_then_everyone_turns_up() -> None:
    table = RefereedTable().locked()
    assert table.referee.stage == "countdown"
    assert table.referee.count == 3

    effects = table.wait(COUNT)

    assert [count for seat, phase, count in phases(effects) if seat == 0 and phase == "countdown"] == [2, 1]
    assert phases(effects)[-2:] == [(0, "reveal", 0), (1, "reveal", 0)]


@pytest.mark.parametrize("moved", [(), (up("katana"),)], ids=["taken away", "turned up early"])
def test_a_card_that_moves_before_the_count_is_over_unlocks_its_player(moved: tuple[SeenCard, ...]) -> None:
    table = RefereedTable().locked()
    table.wait(1.0)

    table.lay("Aki.weapon", *moved)

    assert table.referee.ready == {"Ben"}
    assert table.referee.stage == "placing"
    assert table.sentences[-1].startswith("A card of Aki was moved after ready")
    table.lay("Aki.weapon", DOWN)
    table.press(0)
    assert table.referee.stage == "countdown"


def test_nothing_of_a_reveal_counts_until_every_card_is_read() -> None:
    table = RefereedTable().revealing()
    before = len(table.lines)

    table.lay("Aki.action1", up("move"))
    assert len(table.lines) == before
    table.lay("Ben.action1", up("move", 2))

    assert [line["move"] for line in table.lines[before:]] == ["reveal", "reveal"]
    assert table.match.facts["players"]["Aki"]["cell"] == "e2"
    assert table.match.facts["players"]["Ben"]["cell"] == "d9"


def test_changes_are_taken_in_the_order_of_the_rules_however_they_are_seen() -> None:
    table = RefereedTable().revealing()
    before = len(table.lines)

    table.zones["Aki.action1"] = ()
    table.zones["Aki.weapon"] = (up("nagamaki"),)
    table.lay("Ben.action1")

    assert [(line["by"], line["move"]) for line in table.lines[before:]] == [
        ("Ben", "change_block"),
        ("Aki", "change_weapon"),
    ]


def test_a_card_that_cannot_be_there_is_refused_once_and_the_others_wait() -> None:
    table = RefereedTable().revealing()
    table.zones["Ben.action1"] = (up("move"),)
    table.lay("Aki.action1", up("bo_staff"))
    refused = [said for said in table.referee.said if said.kind == "refused"]
    table.look()

    assert len(refused) == 1
    assert "SEN-20" in refused[0].rules
    assert [said for said in table.referee.said if said.kind == "refused"] == refused
    table.lay("Aki.action1", up("move"))
    assert table.match.facts["set"] == 1


def test_an_unsure_card_is_a_question_and_one_tap_settles_it() -> None:
    table = RefereedTable().revealing()
    table.lay("Ben.action1", up("move"))
    unsure = SeenCard(None, True, 0.0, 10, 10, 0.3, ("leap", "move"))
    table.lay("Aki.action1", unsure)
    for viewer, guesses in (("Aki", ("leap", "move")), ("referee", ("leap", "move")), ("Ben", ()), (None, ())):
        assert page(table.referee, viewer, "en", 0.0).questions == (
            Question(zone="Aki.action1", place="Aki: first action", guesses=guesses, rotation=0.0),
        )

    table.tap("Aki", "correct", zone="Aki.action1", card="move")

    assert table.match.facts["players"]["Aki"]["cell"] == "e2"


def test_nobody_corrects_a_rivals_card() -> None:
    table = RefereedTable().revealing()
    table.lay("Aki.action1", SeenCard(None, True))
    refusal = table.refusal("Ben", "correct", zone="Aki.action1", card="move")

    assert refusal.rules == ("TABLE-3",)
    assert "own cards" in str(refusal.message)


def test_a_reveal_by_tap_waits_for_the_count() -> None:
    table = RefereedTable().shown()
    refusal = table.refusal("Aki", "move", move="reveal", card="move", direction="F")

    assert "count of three" in str(refusal.message)


def test_a_whole_set_can_be_played_by_taps_alone() -> None:
    table = RefereedTable().armed()
    for name in table.match.players:
        table.tap(name, "move", move="set", slots=list(SLOTS))
    table.wait(COUNT)
    for name in table.match.players:
        table.tap(name, "move", move="show", weapon="katana")
    for name in table.match.players:
        table.tap(name, "ready")
    table.wait(COUNT)
    for name in table.match.players:
        table.tap(name, "move", move="reveal", card="move", direction="F")

    assert table.match.facts["set"] == 1


def test_panel_buttons_go_through_the_choices() -> None:
    table = RefereedTable()
    table.press(0, "down")
    table.press(0, "down")
    expected = table.referee.choices("Aki")[2]

    table.press(0, "select")

    assert table.lines[-1]["weapons"] == expected.weapons  # type: ignore[attr-defined]


def test_the_clock_runs_from_the_first_count_and_its_lines_reach_the_kifu() -> None:
    table = RefereedTable().armed()
    table.wait(100.0)
    assert not [line for line in table.lines if "clock" in line]
    for seat, name in enumerate(table.match.players):
        for slot in SLOTS:
            table.lay(f"{name}.{slot}", DOWN)
        table.press(seat)

    table.wait(25.0)

    assert [line["clock"] for line in table.lines if "clock" in line] == [10.0, 20.0]


def test_the_time_limit_ends_the_match_on_the_dot() -> None:
    table = RefereedTable(end={"time": 60}).shown()

    effects = table.wait(120.0)

    assert table.match.over
    assert [line["clock"] for line in table.lines if "clock" in line][-1] == 60.0
    assert any(isinstance(said, Said) and said.rules == ("SEN-71",) for said in effects)
    assert table.referee.stage == "over"


def test_a_set_that_is_being_turned_up_is_played_although_the_time_is_up() -> None:
    """The limit used to fall between the count of three and the first card: the set was thrown away."""
    table = RefereedTable(end={"time": 60}).revealing()
    table.wait(120.0)
    assert not table.match.over

    table.lay("Aki.action1", up("move"))
    table.lay("Ben.action1", up("move"))
    table.wait(1.0)

    assert table.match.over
    assert table.match.facts["set"] == 1
    assert table.match.facts["players"]["Aki"]["cell"] == "e2"
    assert "clock" in table.lines[-1], "the line that ends the match comes after the moves of the set"


def test_a_paused_match_stands_still() -> None:
    table = RefereedTable().shown()
    table.tap("referee", "pause")
    reached = table.referee.clock.read(table.now)

    table.wait(50.0)
    table.press(0)
    table.press(1)

    assert table.referee.clock.read(table.now) == reached
    assert table.referee.stage == "placing"
    table.tap("referee", "resume")
    assert table.referee.stage == "countdown"


def test_the_referee_takes_back_a_misread_card() -> None:
    table = RefereedTable().revealing()
    table.lay("Aki.action1", up("move"))
    table.lay("Ben.action1", up("move"))
    assert table.match.facts["set"] == 1

    table.tap("referee", "undo", moves=2, why="misread card")

    assert table.match.facts["set"] == 0
    assert table.lines[-1] == {"undo": 2, "why": "misread card"}


def test_only_the_referee_takes_back_and_pauses() -> None:
    table = RefereedTable().shown()
    for what in ("undo", "pause", "resume", "dance"):
        assert table.refusal("Aki", what).rules == ("TABLE-4",)


def test_a_full_disk_is_said_and_the_same_card_counts_when_there_is_room() -> None:
    table = RefereedTable().revealing()
    table.disk_full = True
    table.lay("Aki.action1", up("move"))
    table.lay("Ben.action1", up("move"))
    table.look()
    assert table.sentences[-1] == "The disk is full."
    assert table.sentences.count("The disk is full.") == 1
    assert table.match.facts["set"] == 0

    table.disk_full = False
    table.look()

    assert table.match.facts["set"] == 1


def test_a_pawn_that_was_not_moved_is_called_when_its_player_says_ready() -> None:
    table = RefereedTable().shown()
    table.referee.handle(Seen(Sight(dict(table.zones), {"pawn.Aki": SeenPiece(320, 320)}), table.now))

    table.press(0)

    assert table.sentences[-1] == "Aki's piece stands on e5; it belongs on e1."


def test_a_refused_tap_flashes_the_red_light_of_its_player() -> None:
    """It answered the tablet and left the panel dark."""
    table = RefereedTable().shown()
    early = table.referee.handle(Tap("Ben", "move", {"move": "reveal", "card": "move", "direction": "F"}, table.now))
    unread = table.referee.handle(Tap("Ben", "move", {"move": "dance"}, table.now))
    illegal = table.referee.handle(Tap("Ben", "move", {"move": "arm", "weapons": []}, table.now))

    for outcome in (early, unread, illegal):
        assert outcome.refusal is not None
        assert Light(1, "refused") in outcome.effects


def test_senses_that_come_and_go_are_shown() -> None:
    table = RefereedTable()
    table.referee.handle(Sense("camera", MISSING, 0.0))
    assert table.referee.senses == {"camera": MISSING}


def test_an_evening_played_again_from_its_events_is_the_same_evening() -> None:
    """`handle` reads no clock and does no I/O: the same events give the same lines."""

    def evening() -> list[Any]:
        table = RefereedTable().revealing()
        table.lay("Aki.action1", up("attack", 1))
        table.lay("Ben.action1", up("leap"))
        table.tap("Aki", "move", move="aim", cell="f2")
        return table.lines

    assert evening() == evening()


def test_who_has_set_up_stays_locked_while_the_others_still_choose_their_weapons() -> None:
    table = RefereedTable()
    table.tap("Aki", "move", move="arm", weapons=["katana"])
    for slot in SLOTS:
        table.lay(f"Aki.{slot}", DOWN)
    table.press(0)
    assert table.referee.ready == {"Aki"}

    table.tap("Ben", "move", move="arm", weapons=["katana"])
    for slot in SLOTS:
        table.lay(f"Ben.{slot}", DOWN)
    table.press(1)

    assert table.referee.stage == "countdown"


def test_start_weapons_are_counted_up_as_soon_as_every_one_of_them_is_locked() -> None:
    table = RefereedTable().armed()
    for seat, name in enumerate(table.match.players):
        table.lay(f"{name}.weapon", DOWN)
        table.press(seat)
    assert table.referee.stage == "countdown"
    table.wait(COUNT)
    assert page(table.referee, None, "en", table.now).prompts == {"Aki": "Turn up!", "Ben": "Turn up!"}

    for name in table.match.players:
        table.lay(f"{name}.weapon", SeenCard("katana", True))
    assert table.match.facts["players"]["Aki"]["weapon"] == "katana"
    assert page(table.referee, None, "en", table.now).prompts["Aki"] == "Lay the cards face down and press ready."

    for seat, name in enumerate(table.match.players):
        for slot in SLOTS[1:]:
            table.lay(f"{name}.{slot}", DOWN)
        table.press(seat)
    assert table.match.facts["phase"] == "pre_actions"
    table.press(0)
    assert table.referee.stage == "countdown"


def test_who_has_locked_the_start_weapon_may_lay_the_rest_but_not_move_the_weapon() -> None:
    table = RefereedTable().armed()
    table.lay("Aki.weapon", DOWN)
    table.press(0)
    assert page(table.referee, None, "en", table.now).phases["Aki"] == "placing"

    for slot in SLOTS[1:]:
        assert not [said for said in table.lay(f"Aki.{slot}", DOWN) if isinstance(said, Said)]
    table.press(0)
    assert table.lines[-1]["slots"] == SLOTS[1:]
    assert page(table.referee, None, "en", table.now).phases["Aki"] == "locked"
    assert [said for said in table.lay("Aki.weapon") if isinstance(said, Said)]


def test_after_taking_back_a_locked_start_weapon_needs_only_ready() -> None:
    table = RefereedTable().armed()
    for seat, name in enumerate(table.match.players):
        table.lay(f"{name}.weapon", DOWN)
        table.press(seat)
    for slot in SLOTS[1:]:
        table.lay(f"Aki.{slot}", DOWN)
    table.press(0)
    table.tap("referee", "undo", moves=1, why="too early")
    for slot in SLOTS[1:]:
        table.lay(f"Aki.{slot}")

    table.press(0)
    table.press(1)

    assert table.referee.stage == "countdown"


@pytest.mark.parametrize(
    ("what", "data"),
    [
        ("undo", {"moves": "all"}),
        ("undo", {"moves": [{}]}),
        ("correct", {"zone": "Aki.block", "card": {"x": {}}}),
        ("correct", {"zone": [], "card": None, "rotation": "left"}),
    ],
)
def test_a_tap_of_the_wrong_kind_is_refused_and_raises_nothing(what: str, data: dict[str, Any]) -> None:
    referee = Referee(RecordedMatch(Match(game("sen_so"), ("Aki", "Ben")), lambda fields: 1))

    assert referee.handle(Tap("referee", what, data, 1.0)).refusal is not None
