"""The watcher in rooms that are not kind to it, rendered without the virtual table's painter."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from companion.core.layout import Sight
from tests.bench.vision.harsh_table import Arm, HarshCamera, Lamp, Room, Thing, coaster, phone, printed
from tests.vision.small_table import BACK_FACE, FACES, HOLDER, TABLE, ZONES
from vision.calibration.calibrate import Calibration, calibrate
from vision.recognition.gallery import Gallery
from vision.recognition.recogniser import Recogniser
from vision.watching.watcher import RESTED, Watcher

ROOM = Room(size=(832, 608), ground="wood")
LAID = {"slot.0": "leap2", "slot.1": "katana1", "slot.3": "back"}
EMPTY = "slot.2"


@pytest.fixture(scope="module")
def camera() -> HarshCamera:
    return HarshCamera(TABLE, ROOM)


@pytest.fixture(scope="module")
def measured(camera: HarshCamera) -> Calibration:
    return calibrate(camera.frame([]), TABLE)


@pytest.fixture(scope="module")
def recogniser() -> Recogniser:
    return Recogniser(Gallery.from_faces("test", FACES, BACK_FACE))


@pytest.fixture
def watcher(camera: HarshCamera, measured: Calibration, recogniser: Recogniser) -> Watcher:
    """It has seen the empty table by day."""
    watching = Watcher(TABLE, recogniser, measured)
    look(watching, camera, [])
    return watching


def laid() -> list[Thing]:
    zones = {zone.name: zone for zone in ZONES}
    things = [printed(HOLDER, zone.x, zone.y, zone.turn) for zone in ZONES]
    for name, card in LAID.items():
        zone = zones[name]
        things.append(printed(FACES.get(card, BACK_FACE), zone.x + 2, zone.y - 1, zone.turn + 2))
    return things


def look(watcher: Watcher, camera: HarshCamera, scene: Sequence[Thing | Arm], frames: int = 9) -> Sight | None:
    """The last news of so many frames, if there was any."""
    news = None
    for _ in range(frames):
        news = watcher.look(camera.frame(scene), 0.0) or news
    return news


def names(sight: Sight | None) -> dict[str, list[str | None]]:
    """What lies where; a card that lies face down is a back."""
    assert sight is not None
    return {zone: [card.card if card.face_up else "back" for card in cards] for zone, cards in sight.zones.items()}


ALL_RIGHT = {**{zone: [card] for zone, card in LAID.items()}, EMPTY: []}

CHANGES = {
    "a lamp is switched on": {"lamps": (Lamp(-120, 450, 400, 0.8, 2700.0),)},
    "a lamp is switched off": {"stops": -2.0},
    "dusk falls by four stops": {"stops": -4.0, "kelvin": 3500.0},
    "a candle is all there is": {"stops": -2.0, "kelvin": 1900.0, "follows": 0.6},
    "the camera turns up its gain": {"stops": -4.0, "follows": 0.8},
    "somebody leans in": {"shadows": ((200.0, -200.0, 220.0, 60.0, 220.0, 0.4),), "softness": 60.0},
    "an arm casts its shadow": {"shadows": ((150.0, -200.0, 190.0, 110.0, 60.0, 0.5),), "softness": 15.0},
    "an arm casts a hard shadow": {"shadows": ((150.0, -200.0, 190.0, 110.0, 60.0, 0.6),), "softness": 9.0},
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_cards_are_read_and_empty_holders_are_empty_when(
    change: dict[str, object], camera: HarshCamera, watcher: Watcher
) -> None:
    other_light = camera.relit(replace(ROOM, **change))  # type: ignore[arg-type]

    # In the grain of a dim room it may stay unknown whether a holder is empty; it is never taken for a card.
    assert {EMPTY: [], **names(look(watcher, other_light, laid()))} == ALL_RIGHT


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_cards_that_lie_there_are_no_news_when(
    change: dict[str, object], camera: HarshCamera, watcher: Watcher
) -> None:
    cards = laid()
    assert names(look(watcher, camera, cards)) == ALL_RIGHT
    other_light = camera.relit(replace(ROOM, **change))  # type: ignore[arg-type]

    assert look(watcher, other_light, cards) is None
    assert watcher.settled


def test_an_arm_in_a_persons_shadow_is_still_an_arm(camera: HarshCamera, watcher: Watcher) -> None:
    cards = laid()
    look(watcher, camera, cards)
    shadow = camera.relit(replace(ROOM, shadows=((110.0, -200.0, 110.0, 80.0, 220.0, 0.4),), softness=60.0))
    sight = look(watcher, shadow, [*cards, Arm(ZONES[0].x, ZONES[0].y, ZONES[0].x, -90.0)])

    assert sight is not None
    assert "slot.0" not in sight.zones
    assert names(sight)["slot.3"] == ["back"]


def test_a_card_that_a_hand_at_rest_only_touches_is_read_after_a_second(camera: HarshCamera, watcher: Watcher) -> None:
    at = ZONES[2]
    scene = [*laid(), Arm(at.x, at.y + 20, at.x, -90.0, height=12)]
    soon = names(look(watcher, camera, scene))
    later = names(look(watcher, camera, scene, frames=RESTED))

    assert {"slot.2", "slot.3"}.isdisjoint(soon)
    assert later == {zone: [card] for zone, card in LAID.items()}
    assert look(watcher, camera, scene) is None  # and it is told once


def test_a_coaster_or_a_phone_is_no_card(camera: HarshCamera, watcher: Watcher) -> None:
    things = [coaster(ZONES[0].x, ZONES[0].y), phone(ZONES[2].x, ZONES[2].y + 10, 10.0)]
    look(watcher, camera, things)
    sight = look(watcher, camera, [*things, printed(FACES["move3"], ZONES[3].x, ZONES[3].y, ZONES[3].turn)])

    assert not names(sight).get("slot.0")
    assert not names(sight).get("slot.2")
    assert names(sight)["slot.3"] == ["move3"]


def test_cards_are_read_through_grain_that_hides_them_in_a_single_frame(camera: HarshCamera, watcher: Watcher) -> None:
    loud = camera.relit(replace(ROOM, stops=-4.5, follows=1.0, gain=10.0))
    pair = [loud.frame(laid()).astype(float) for _ in range(2)]
    assert np.std(pair[0] - pair[1]) > 35  # grey levels

    assert names(look(watcher, loud, laid(), frames=16)) == ALL_RIGHT


def test_what_is_too_dark_to_be_read_is_said(camera: HarshCamera, watcher: Watcher) -> None:
    night = camera.relit(replace(ROOM, stops=-6.5, gain=4.0))
    look(watcher, night, laid())

    assert watcher.notice is not None
    assert "dark" in str(watcher.notice) or "black" in str(watcher.notice)


def test_a_camera_that_is_turned_upside_down_in_mid_match_says_so_and_reads_on(
    camera: HarshCamera, watcher: Watcher
) -> None:
    cards, said = laid(), set()
    look(watcher, camera, cards)
    for _ in range(12):
        watcher.look(np.ascontiguousarray(camera.frame(cards)[::-1, ::-1]), 0.0)
        said.add(str(watcher.notice))

    assert "The camera was moved: the table is being measured again." in said
    assert watcher.notice is None
    assert {zone: [card.card if card.face_up else "back" for card in watcher._cards[zone]] for zone in ALL_RIGHT} == (
        ALL_RIGHT
    )


def test_a_camera_turned_upside_down_in_mid_match_is_told_and_reads_on(camera: HarshCamera, watcher: Watcher) -> None:
    """A phone that is put back the other way round."""
    seen = look(watcher, camera, laid())
    assert seen is not None

    news, told = None, set()
    for _ in range(24):
        news = watcher.look(np.ascontiguousarray(camera.frame(laid())[::-1, ::-1]), 0.0) or news
        told.add(str(watcher.notice))
    assert any("was moved" in each for each in told)
    assert watcher.notice is None
    assert news is not None
    assert {name: [card.card for card in cards] for name, cards in news.zones.items() if cards} == {
        name: [card.card for card in cards] for name, cards in seen.zones.items() if cards
    }
