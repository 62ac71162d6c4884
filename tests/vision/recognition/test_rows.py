"""Rows of overlapping cards: each is read in order, from the strip that is to be seen of it."""

from functools import cache
from itertools import pairwise
from random import Random

import numpy as np
import pytest

from companion.core.drawing import Face, Text, rectangle
from companion.core.layout import Layout, SeenCard, Zone
from companion.virtual.physical_table import PhysicalTable
from tests.bench.vision import many
from tests.bench.vision.curves import once
from tests.bench.vision.full_tables import Conditions, FullTable
from tests.bench.vision.pairing import DOUBT, slips
from vision.calibration.calibrate import calibrate
from vision.calibration.projection import TableProjection
from vision.recognition.gallery import Gallery
from vision.recognition.recogniser import Recogniser
from vision.simulation.scene import Lighting, Lying, Scene, SceneRenderer
from vision.watching.zone_reader import ZoneReader

Row = list[tuple[str | None, bool]]


@cache
def sensu(players: int = 2, light: Lighting | None = None) -> FullTable:
    return FullTable("sensu", players, Conditions(light=light or Lighting()))


def read(table: FullTable, lying: PhysicalTable, zone: str) -> tuple[SeenCard, ...]:
    frame = table.frame(table.scene(lying))
    return table.watcher().reader.read(frame, lying.zones[zone])


def gist(seen: tuple[SeenCard, ...]) -> Row:
    return [(card.card, card.face_up) for card in seen]


def lay(table: FullTable, lying: PhysicalTable, zone: str, count: int, rng: Random) -> Row:
    row: Row = []
    for _ in range(count):
        card, up = rng.choice(sorted(table.deck.cards)), rng.random() < 0.85
        lying.lay(zone, card, face_up=up)
        row.append((card if up else None, up))
    return row


@pytest.mark.parametrize("count", range(2, 9))
def test_a_fan_is_read_from_the_bottom_to_the_top(count: int) -> None:
    table, rng = sensu(), Random(count)
    lying = PhysicalTable(table.layout, rng)
    fans = [f"{player}.{kind}" for player in "AB" for kind in ("gun_sen", "hi_ogi")]
    laid = {fan: lay(table, lying, fan, count, rng) for fan in fans}
    frame, reader = table.frame(table.scene(lying)), table.watcher().reader

    assert {fan: gist(reader.read(frame, lying.zones[fan])) for fan in fans} == laid


def test_a_column_grows_towards_its_owner() -> None:
    table, rng = sensu(1), Random(5)
    lying = PhysicalTable(table.layout, rng)
    row = lay(table, lying, "A.column2", 6, rng)
    seen = read(table, lying, "A.column2")

    assert gist(seen) == row
    assert all(a.y > b.y for a, b in pairwise(seen))
    assert {card.rotation for card in seen if card.face_up} == {0.0}


def test_rows_are_read_in_warm_uneven_light() -> None:
    table, rng = sensu(2, Lighting(0.75, slope=0.3, cast=(0.8, 0.95, 1.1), shadows=((200, 90, 70, 0.35),))), Random(8)
    lying = PhysicalTable(table.layout, rng)
    laid = {fan: lay(table, lying, fan, 6, rng) for fan in ("A.gun_sen", "A.mai_ougi", "B.hi_ogi")}

    assert {fan: gist(read(table, lying, fan)) for fan in laid} == laid


def test_rows_are_read_in_a_quarter_of_the_light_the_table_was_measured_in() -> None:
    """The light at the top card was never taken to be so weak, and every strip was off by what that left."""
    table, rng = FullTable("sensu", 2, Conditions(light=Lighting(0.22))), Random(8)
    table.measured = sensu(2).measured
    lying = PhysicalTable(table.layout, rng)
    laid = {fan: lay(table, lying, fan, 6, rng) for fan in ("A.gun_sen", "A.mai_ougi", "B.hi_ogi")}

    assert {fan: gist(read(table, lying, fan)) for fan in laid} == laid


def test_rows_are_read_through_a_lens_that_is_out_of_focus() -> None:
    """The looks were too sharp for what was seen: cards were unknown, and hid the cards below them."""
    table, rng = FullTable("sensu", 2, Conditions(blur=2.0)), Random(6)
    lying = PhysicalTable(table.layout, rng)
    laid = {fan: lay(table, lying, fan, 6, rng) for fan in ("A.gun_sen", "B.mai_ougi")}

    assert {fan: gist(read(table, lying, fan)) for fan in laid} == laid


def test_cards_of_a_row_under_a_lamps_reflection_are_read() -> None:
    table, rng = sensu(), Random(4)
    lying = PhysicalTable(table.layout, rng)
    row = lay(table, lying, "A.gun_sen", 5, rng)
    zone = lying.zones["A.gun_sen"]
    frame = table.frame(table.scene(lying))
    x, y = table.camera.projection.pixels([(zone.x - 30, zone.y)])[0]
    down, across = np.mgrid[0 : frame.shape[0], 0 : frame.shape[1]]
    shine = 0.4 * np.exp(-(((across - x) / 80) ** 2) - ((down - y) / 40) ** 2)[..., None]
    lit = (frame + (255 - frame) * shine).astype(np.uint8)

    assert gist(table.watcher().reader.read(lit, zone)) == row


def test_a_strip_is_compared_with_every_card_that_looks_like_it() -> None:
    """A card of which few millimetres were to be seen was not among those looked at closely, and its twin was named."""
    found = once(FullTable("senjutsu", seen=Conditions(strip=7.0)), 1, 40)

    assert found.wrong == []


def test_a_lamps_reflection_beside_a_row_is_no_error() -> None:
    """What was left of it was too short to hold a strip, and the reader stumbled."""
    found = once(FullTable("senjutsu", seen=Conditions(glare=0.6)), 5, 40)

    assert found.wrong == []


@pytest.mark.parametrize("shown", [(14.0, 4.2, 14.0), (4.2, 14.0, 14.0), (9.0, 4.4, 8.0), (4.4, 6.8, 8.9)])
@pytest.mark.parametrize("seed", range(3))
def test_a_card_of_which_few_millimetres_show_is_never_lost_without_a_doubt(
    shown: tuple[float, ...], seed: int
) -> None:
    """The strip below explained most of what was to be seen, and the rest was passed over; at the start of a row so
    little was not looked at."""
    table, rng = sensu(), Random(seed)
    zone = next(zone for zone in table.layout.zones if zone.name == "A.combination")
    names = rng.sample(sorted(table.deck.cards), 4)
    places = np.cumsum([zone.x - 40, *shown])
    cards = [Lying(table.deck.cards[name].face, x, zone.y) for name, x in zip(names, places, strict=True)]
    frame = table.camera.frame(Scene(tuple(cards)), table.noise)
    seen = [card.card or DOUBT for card in table.watcher().reader.read(frame, zone)]

    assert [slip for slip in slips(names, seen) if not slip.honest] == []


def test_an_empty_row_is_empty_and_one_card_is_a_row() -> None:
    table = sensu()
    lying = PhysicalTable(table.layout, Random(1))
    lying.lay("A.gun_sen", "gun_sen-5-1", face_up=True)

    assert read(table, lying, "A.hi_ogi") == ()
    assert gist(read(table, lying, "A.gun_sen")) == [("gun_sen-5-1", True)]


def test_cards_of_a_row_that_lie_apart_are_read_too() -> None:
    table = sensu()
    zone = next(zone for zone in table.layout.zones if zone.name == "A.combination")
    names = ("gun_sen-4-1", "mai_ougi-7-0")
    cards = [Lying(table.deck.cards[name].face, zone.x + dx, zone.y) for name, dx in zip(names, (-45, 50), strict=True)]
    frame = table.camera.frame(Scene(tuple(cards)), table.noise)

    assert gist(table.watcher().reader.read(frame, zone)) == [(name, True) for name in names]


def test_a_covered_card_that_is_not_enrolled_is_counted_and_not_named() -> None:
    table = sensu()
    few = Recogniser(table.recogniser.gallery.without([card for card in table.deck.cards if "hi_ogi" in card]))
    lying = PhysicalTable(table.layout, Random(3))
    for card in ("gun_sen-2-0", "hi_ogi-3-1", "mai_ougi-6-0"):
        lying.lay("A.gun_sen", card, face_up=True)
    frame = table.frame(table.scene(lying))
    seen = ZoneReader(table.layout, few, table.measured).read(frame, lying.zones["A.gun_sen"])

    assert gist(seen) == [("gun_sen-2-0", True), (None, True), ("mai_ougi-6-0", True)]


def small_row(faces: dict[str, Face], rotations: int) -> tuple[SceneRenderer, ZoneReader, Zone]:
    """A table with one row on it, and who reads it."""
    zone = Zone("row", 240, 150, 220, 96, rotations=rotations, holds="row")
    layout = Layout(480, 300, (zone,), (60, 90))
    camera = SceneRenderer(layout, TableProjection.overhead(480, 300))
    measured = calibrate(camera.frame(Scene(), np.random.default_rng(0)), layout)
    return camera, ZoneReader(layout, Recogniser(Gallery.from_faces("few", faces)), measured), zone


def test_a_strip_that_looks_the_same_turned_by_half_counts_as_not_turned() -> None:
    sheet, *edges = (
        rectangle(60, 90, fill="#eeeedd"),
        *(rectangle(14, 90, fill="#aa2222", at=(x, 0)) for x in (-23, 23)),
    )
    plain = Face(60, 90, (sheet, *edges, Text((0, 10), "I", 14)))
    marked = Face(60, 90, (sheet, *edges, *(Text((x, 25), "V", 10, "#ffffff") for x in (-22, 22))))
    camera, reader, zone = small_row({"plain": plain, "marked": marked}, 2)
    faces = (plain, plain, marked, marked, plain, plain, marked)
    turns = (180.0, 0.0, 180.0, 0.0, 180.0, 180.0, 0.0)
    cards = [Lying(face, 165 + 18 * k, 150, turn) for k, (face, turn) in enumerate(zip(faces, turns, strict=True))]
    seen = reader.read(camera.frame(Scene(tuple(cards)), np.random.default_rng(1)), zone)

    assert [card.rotation for card in seen] == [0.0, 0.0, 180.0, 0.0, 0.0, 0.0, 0.0]


def test_a_strip_alike_both_ways_is_not_turned_by_noise() -> None:
    """One of ten thousand cards was: both ways explained it, and a breath of difference at one spot decided."""
    assert many.read(many.Part("as usual", "senjutsu", 9)).wrong == []


def test_a_strip_that_two_cards_share_is_not_guessed() -> None:
    def face(word: str, edge: str) -> Face:
        sheet, spine = rectangle(60, 90, fill="#eeeedd"), rectangle(14, 90, fill=edge, at=(-23, 0))
        return Face(60, 90, (sheet, spine, Text((8, 10), word, 14)))

    faces = {"one": face("I", "#aa2222"), "two": face("II", "#aa2222"), "top": face("III", "#2244aa")}
    camera, reader, zone = small_row(faces, 1)
    cards = (Lying(faces["two"], 200, 150), Lying(faces["top"], 220, 151))
    below, top = reader.read(camera.frame(Scene(cards), np.random.default_rng(0)), zone)

    assert (below.card, below.face_up) == (None, True)
    assert set(below.guesses[:2]) == {"one", "two"}
    assert top.card == "top"
