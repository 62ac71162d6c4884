"""The watcher on drawn frames: what it reads is what was laid."""

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from companion.core.layout import SeenCard, SeenPiece, Sight, Zone
from tests.vision.small_table import BACK_FACE, FACES, PAWN, TABLE, ZONES, sloppy, studio
from vision.calibration.calibrate import Calibration, calibrate
from vision.calibration.projection import TableProjection
from vision.pictures import Image
from vision.recognition.gallery import Gallery
from vision.recognition.recogniser import Recogniser
from vision.simulation.scene import Hand, Lying, Scene, SceneRenderer
from vision.watching.watcher import Watcher


@pytest.fixture(scope="module")
def camera() -> SceneRenderer:
    return studio()


@pytest.fixture(scope="module")
def measured(camera: SceneRenderer) -> Calibration:
    return calibrate(camera.frame(Scene(), np.random.default_rng(0)), TABLE)


@pytest.fixture(scope="module")
def recogniser() -> Recogniser:
    return Recogniser(Gallery.from_faces("test", FACES, BACK_FACE))


class Table:
    """The simulator's side: what lies there, and frames of it for the watcher."""

    def __init__(self, camera: SceneRenderer, watcher: Watcher) -> None:
        self.camera, self.watcher = camera, watcher
        self.rng = np.random.default_rng(7)
        self.cards: dict[str, tuple[str, int, Lying]] = {}
        self.pieces = dict(PAWN)
        self.at = 0.0

    def lay(self, slot: int, card: str, eighths: int) -> None:
        face = FACES.get(card, BACK_FACE)
        self.cards[ZONES[slot].name] = (card, eighths, sloppy(ZONES[slot], face, eighths, self.rng))

    def frames(self, count: int, *hands: Hand) -> Sight | None:
        """Show so many frames; the last news, if there was any."""
        news = None
        for _ in range(count):
            scene = Scene(tuple(lying for _, _, lying in self.cards.values()), self.pieces, hands)
            self.at += 1 / 30
            news = self.watcher.look(self.camera.frame(scene, self.rng), self.at) or news
        return news


@pytest.fixture
def table(camera: SceneRenderer, measured: Calibration, recogniser: Recogniser) -> Table:
    return Table(camera, Watcher(TABLE, recogniser, measured))


def told(watcher: Watcher) -> str:
    """What is wrong with the picture, in English; empty when it is fine."""
    return "" if watcher.notice is None else str(watcher.notice)


def test_an_empty_table_is_seen_as_empty_zones_and_a_standing_pawn(table: Table) -> None:
    sight = table.frames(4)

    assert sight is not None
    assert all(sight.zones[zone.name] == () for zone in ZONES)
    assert sight.pieces["pawn.Aki"].x == pytest.approx(240, abs=1.5)
    assert sight.pieces["pawn.Aki"].rotation == pytest.approx(30, abs=3)


def test_a_pawn_is_seen_though_nobody_knows_how_the_table_looks_without_it(
    camera: SceneRenderer, measured: Calibration, recogniser: Recogniser
) -> None:
    """The first picture is then the measure of what has changed, so nothing has; tags are looked for all the same."""
    table = Table(camera, Watcher(TABLE, recogniser, replace(measured, empty=b"")))
    sight = table.frames(8)  # empty places are looked at more than once then

    assert sight is not None
    assert sight.pieces["pawn.Aki"].x == pytest.approx(240, abs=1.5)


def test_every_card_and_direction_is_read_as_it_was_laid(table: Table) -> None:
    table.frames(4)
    cards = sorted(FACES)
    for turn in range(12):
        for slot in range(4):
            table.lay(slot, cards[(5 * turn + 7 * slot) % len(cards)], (turn + 3 * slot) % 8)
        sight = table.frames(7)

        assert sight is not None
        for zone in ZONES:
            card, eighths, _ = table.cards[zone.name]
            (seen,) = sight.zones[zone.name]
            assert (seen.card, seen.rotation, seen.face_up) == (card, 45.0 * eighths, True)


def test_a_face_down_card_is_told_by_its_back_and_has_no_name(table: Table) -> None:
    table.lay(1, "back", 3)
    sight = table.frames(4)

    assert sight is not None
    (seen,) = sight.zones["slot.1"]
    assert seen.card is None
    assert not seen.face_up
    assert seen.guesses == ()


def test_a_covered_card_is_seen_in_a_dim_room(recogniser: Recogniser) -> None:
    dim = studio(level=0.35)
    measured = calibrate(dim.frame(Scene(), np.random.default_rng(0)), TABLE)
    table = Table(dim, Watcher(TABLE, recogniser, measured))
    table.frames(4)
    table.lay(1, "back", 3)
    sight = table.frames(5)

    assert sight is not None
    assert [card.face_up for card in sight.zones["slot.1"]] == [False]


def test_a_table_that_does_not_change_is_not_news(table: Table) -> None:
    table.lay(0, "move1", 2)

    assert table.frames(4) is not None
    assert table.frames(6) is None


def test_nothing_is_said_while_a_hand_moves(table: Table) -> None:
    table.frames(4)
    for step in range(5):
        assert table.frames(1, Hand(200 + 20 * step, 100, 240, -80)) is None


@pytest.fixture
def reads(table: Table, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The zones that were read, in order."""
    names: list[str] = []
    read = table.watcher.reader.read

    def noted(frame: Image, zone: Zone) -> tuple[SeenCard, ...]:
        names.append(zone.name)
        return read(frame, zone)

    monkeypatch.setattr(table.watcher.reader, "read", noted)
    return names


def waving(step: int) -> Hand:
    """A hand that moves over the right half of the table."""
    return Hand(370 + 12 * (step % 3), 90, 390, -80)


def test_a_zone_that_lies_still_is_read_while_a_hand_moves_elsewhere_and_told_when_all_is_still(
    table: Table, reads: list[str]
) -> None:
    table.frames(4)
    table.lay(0, "leap2", 3)
    reads.clear()
    for step in range(6):
        assert table.frames(1, waving(step)) is None
    assert reads == ["slot.0"]

    sight = table.frames(5)

    assert sight is not None
    assert [(seen.card, seen.rotation) for seen in sight.zones["slot.0"]] == [("leap2", 135.0)]
    assert reads.count("slot.0") == 1


def test_a_card_that_is_changed_after_it_was_read_ahead_is_read_again(table: Table, reads: list[str]) -> None:
    table.frames(4)
    table.lay(0, "leap2", 3)
    for step in range(6):
        table.frames(1, waving(step))
    table.lay(0, "move1", 0)
    sight = table.frames(5)

    assert sight is not None
    assert [(seen.card, seen.rotation) for seen in sight.zones["slot.0"]] == [("move1", 0.0)]


def test_zones_are_read_ahead_one_in_a_frame_and_never_under_the_hand(table: Table, reads: list[str]) -> None:
    table.frames(4)
    for slot in range(4):
        table.lay(slot, "fly1", slot)
    reads.clear()
    for step in range(9):
        before = len(reads)
        table.frames(1, waving(step))
        assert len(reads) - before <= 1
    assert "slot.0" in reads
    assert "slot.3" not in reads


def test_a_zone_under_a_resting_hand_is_left_out_and_the_others_stay(table: Table) -> None:
    table.lay(0, "leap0", 0)
    table.lay(3, "fly2", 1)
    table.frames(4)
    sight = table.frames(5, Hand(ZONES[0].x, ZONES[0].y, ZONES[0].x - 40, -90))

    assert sight is not None
    assert "slot.0" not in sight.zones
    assert sight.zones["slot.3"][0].card == "fly2"

    sight = table.frames(5)
    assert sight is not None
    assert sight.zones["slot.0"][0].card == "leap0"


def test_a_pawn_that_was_moved_is_news_and_one_under_a_hand_is_remembered(table: Table) -> None:
    table.frames(4)
    table.pieces = {10: SeenPiece(280, 200, 200)}
    sight = table.frames(5)

    assert sight is not None
    assert (sight.pieces["pawn.Aki"].x, sight.pieces["pawn.Aki"].y) == pytest.approx((280, 200), abs=1.5)

    table.frames(5, Hand(280, 200, 280, 460))
    assert table.watcher._piece_tracker.pieces["pawn.Aki"].x == pytest.approx(280, abs=1.5)


def test_a_bumped_camera_says_so_measures_the_table_again_and_reads_on(table: Table, camera: SceneRenderer) -> None:
    table.lay(0, "leap0", 0)
    table.lay(2, "fly2", 3)
    table.frames(4)
    table.camera = SceneRenderer(TABLE, TableProjection.overhead(TABLE.width, TABLE.height, 1.6, tilt=6.0, swing=1.2))
    notices = []
    for _ in range(8):
        table.frames(1)
        notices.append(told(table.watcher))

    assert any("The camera was moved" in notice for notice in notices)
    assert notices[-1] == ""

    table.lay(1, "move3", 5)
    sight = table.frames(6)

    assert sight is not None
    assert [sight.zones[zone.name][0].card for zone in ZONES[:3]] == ["leap0", "move3", "fly2"]
    assert sight.zones["slot.3"] == ()
    assert sight.pieces["pawn.Aki"].x == pytest.approx(240, abs=1.5)


def test_a_bumped_camera_says_which_markers_are_hidden_and_reads_nothing_until_one_is_to_be_seen(table: Table) -> None:
    table.lay(0, "leap0", 0)
    table.frames(4)
    table.camera = SceneRenderer(TABLE, TableProjection.overhead(TABLE.width, TABLE.height, 1.6, tilt=6.0, swing=1.2))
    arms = Hand(30, 30, -40, -60), Hand(30, 330, -40, 420)
    assert table.frames(8, *arms) is None
    said = "The camera was moved. Markers 0 (near left) and 3 (far left) are hidden or too blurred to read."
    assert told(table.watcher) == said

    sight = table.frames(12)

    assert sight is not None
    assert sight.zones["slot.0"][0].card == "leap0"
    assert told(table.watcher) == ""


def test_a_card_that_is_not_enrolled_is_not_named(camera: SceneRenderer, measured: Calibration) -> None:
    strangers = Gallery.from_faces("few", {name: FACES[name] for name in FACES if "katana" not in name}, BACK_FACE)
    table = Table(camera, Watcher(TABLE, strangers, measured))
    table.lay(2, "katana2", 4)
    sight = table.frames(8)

    assert sight is not None
    (seen,) = sight.zones["slot.2"]
    assert seen.card is None
    assert seen.face_up


def test_a_lamp_that_goes_out_in_the_middle_of_a_match_is_told_until_it_is_on_again(table: Table) -> None:
    """All pixels alike are darker: that was once taken for other light, and a covered lens for a quiet table."""
    table.lay(0, "move1", 0)
    assert table.frames(4) is not None
    for _ in range(4):
        table.watcher.look(np.zeros((608, 816, 3), np.uint8), table.at)
    assert "black" in told(table.watcher)

    table.lay(1, "leap2", 0)
    sight = table.frames(6)
    assert told(table.watcher) == ""
    assert sight is not None
    assert [seen.card for seen in sight.zones["slot.1"]] == ["leap2"]


def test_a_camera_that_comes_back_with_smaller_pictures_is_measured_again(table: Table) -> None:
    table.lay(0, "move1", 0)
    assert table.frames(4) is not None
    table.lay(1, "leap2", 0)
    scene = Scene(tuple(lying for _, _, lying in table.cards.values()), table.pieces)
    news, said = [], set()
    for _ in range(9):
        whole = table.camera.frame(scene, table.rng)
        half = np.asarray(cv2.resize(whole, None, fx=0.75, fy=0.75, interpolation=cv2.INTER_AREA), np.uint8)
        news.append(table.watcher.look(half, table.at))
        said.add(told(table.watcher))

    assert said == {"", "The camera's pictures have another size: the table is being measured again."}
    assert told(table.watcher) == ""
    (sight,) = (each for each in news if each is not None)
    assert [sight.zones[f"slot.{k}"][0].card for k in (0, 1)] == ["move1", "leap2"]


def test_a_calibration_of_another_table_is_not_read_by(
    camera: SceneRenderer, measured: Calibration, recogniser: Recogniser
) -> None:
    other = Table(camera, Watcher(replace(TABLE, height=400.0), recogniser, measured))

    assert other.frames(5) is None
    assert "this game's has 480 x 400 mm: calibrate again" in told(other.watcher)
