"""Zones as the watcher reads them: whole tables of every game, fits that went astray once, piles, and doubts."""

from functools import cache
from random import Random

import numpy as np
import pytest

from companion.core.layout import Layout, SeenCard, Zone
from companion.virtual.physical_table import PhysicalTable
from tests.bench.vision.curves import once
from tests.bench.vision.full_tables import PLAYERS, Conditions, FullTable, tally
from tests.vision.small_table import FACES, TABLE, ZONES, studio
from vision.calibration.calibrate import calibrate
from vision.pictures import Image
from vision.recognition.gallery import Gallery
from vision.simulation.scene import Lighting, Lying, Scene
from vision.watching.watcher import PATIENCE, RETRY_EVERY, Watcher


@cache
def full(name: str) -> FullTable:
    return FullTable(name)


@pytest.mark.parametrize("name", PLAYERS)
def test_a_full_table_is_read_as_it_was_laid(name: str) -> None:
    found = tally(full(name), 3, cards=60)

    assert (found.wrong, found.unsure) == ([], [])


def test_covered_cards_are_seen_in_a_quarter_of_the_light_the_table_was_measured_in() -> None:
    """How little a dark card differs from the table was judged by the light of the day it was measured on."""
    table = FullTable("san_ni_ichi", seen=Conditions(light=Lighting(0.25)))
    table.measured = full("san_ni_ichi").measured
    found = once(table, 1, 10)

    assert (found.wrong, found.unsure) == ([], [])


@pytest.mark.long
@pytest.mark.parametrize("name", PLAYERS)
def test_of_ten_thousand_cards_none_is_read_wrong(name: str) -> None:
    found = tally(full(name), 17, cards=2500)

    assert found.wrong == []
    assert len(found.unsure) <= found.cards // 1000


@pytest.mark.parametrize("seed", [4, 8, 10])
def test_neighbours_that_lie_close_do_not_draw_a_fit_away(seed: int) -> None:
    """Holders that nearly touch made one patch of difference, and its middle was no card's middle."""
    table = full("sen_so")
    lying, reader = PhysicalTable(table.layout, Random(seed)), table.watcher().reader
    for zone in table.layout.zones:
        lying.lay(zone.name, "move", face_up=False)
    frame = table.frame(table.scene(lying))
    for zone, thing in zip(table.layout.zones, lying.things(), strict=True):
        (seen,) = reader.read(frame, zone)

        assert not seen.face_up
        assert (seen.x, seen.y) == pytest.approx((thing.x, thing.y), abs=0.5)


def test_the_top_of_a_pile_is_read_although_cards_below_stick_out() -> None:
    table = full("senjutsu")
    names, zone = sorted(table.deck.cards), next(z for z in table.layout.zones if z.name == "A.discards")
    reader, rng = table.watcher().reader, np.random.default_rng(4)
    for top in names[:8]:
        pile = [
            Lying(table.deck.cards[card].face, zone.x + dx, zone.y + dy, zone.turn + da)
            for card, (dx, dy, da) in zip([*rng.choice(names, 4), top], rng.uniform(-4, 4, (5, 3)), strict=True)
        ]
        (seen,) = reader.read(table.camera.frame(Scene(tuple(pile)), table.noise), zone)

        assert seen.card == top


def test_a_like_card_on_a_pile_is_news() -> None:
    table = full("senjutsu")
    lying, watcher = PhysicalTable(table.layout, Random(2)), table.watcher()
    lying.lay("A.deck", "war_cry", face_up=False)
    first = table.look(watcher, table.scene(lying))
    lying.lay("A.deck", "war_cry", face_up=False)
    second = table.look(watcher, table.scene(lying))

    assert first is not None
    assert second is not None
    assert [(c.card, c.face_up) for c in first.zones["A.deck"]] == [(c.card, c.face_up) for c in second.zones["A.deck"]]
    assert table.look(watcher, table.scene(lying)) is None


class Doubter:
    """Reads a zone, but for the first looks is not sure."""

    def __init__(self, templates: int) -> None:
        self.templates = templates

    def read(self, frame: Image, zone: Zone) -> tuple[SeenCard, ...]:
        self.templates -= 1
        sure = SeenCard("move1", True, guesses=("move1",))
        return (sure,) if self.templates < 0 else (SeenCard(None, True, confidence=0.1, guesses=("move1", "move2")),)


def test_an_unsure_card_is_told_and_looked_at_again_until_it_is_sure(monkeypatch: pytest.MonkeyPatch) -> None:
    camera, noise = studio(), np.random.default_rng(0)
    measured = calibrate(camera.frame(Scene(), noise), TABLE)
    few = Gallery.from_faces("few", {"move1": FACES["move1"], "move2": FACES["move2"]})
    one: Layout = type(TABLE)(TABLE.width, TABLE.height, ZONES[:1], TABLE.card, TABLE.mat)
    watcher = Watcher(one, few, measured)
    monkeypatch.setattr(watcher.reader, "read", Doubter(PATIENCE + 5).read)
    frames = (camera.frame(Scene(), noise) for _ in range(3 + PATIENCE + 8 * RETRY_EVERY))
    news = [sight.zones["slot.0"][0].card for frame in frames if (sight := watcher.look(frame, 0.0))]

    assert news == [None, "move1"]
