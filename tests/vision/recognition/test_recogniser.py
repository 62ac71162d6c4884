"""Naming cards in drawn photographs of other decks: no markers, any turn, bad light."""

import json
import weakref
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from companion.cli.vision import _told, enrol, recognise
from companion.games import game
from tests.vision.small_table import BACK_FACE, FACES
from vision.bench.cuts import ART, NEAT, Care, cut_out, scans
from vision.bench.decks import Snap, flower_cards, photograph, playing_cards, scanned, some_snap, striped_back
from vision.detection.card_outlines import find_quads, overlap
from vision.enrolment.from_folder import enrol_folder
from vision.pictures import BadPicture, load
from vision.recognition.gallery import BACK, BadGallery, Gallery
from vision.recognition.photo import read_crop, read_photo
from vision.recognition.recogniser import CardReading, Recogniser
from vision.simulation.paint import paint

PLAYING, FLOWERS = playing_cards(), flower_cards()


@pytest.fixture(scope="module")
def flowers() -> Recogniser:
    return Recogniser(scanned("flowers", FLOWERS))


@pytest.fixture(scope="module")
def playing() -> Recogniser:
    return Recogniser(Gallery.from_faces("playing", PLAYING, striped_back()))


def test_flower_cards_are_found_named_and_placed_in_free_photographs(flowers: Recogniser) -> None:
    rng = np.random.default_rng(11)
    for card in list(FLOWERS)[::8]:
        image, corners = photograph(FLOWERS[card], some_snap(rng), rng)
        (reading,) = read_photo(flowers, image)
        assert reading.card == card
        assert np.abs(reading.corners - corners).max() < 0.05 * np.ptp(corners, axis=0).max()


def test_playing_cards_are_named_and_never_wrongly(playing: Recogniser) -> None:
    rng = np.random.default_rng(5)
    named = 0
    for card in list(PLAYING)[::8]:
        image, corners = photograph(PLAYING[card], some_snap(rng), rng)
        cards = [reading.card for reading in read_photo(playing, image) if overlap(reading.corners, corners) > 0.5]
        assert set(cards) <= {card, None}
        named += cards == [card]
    assert named >= 6


def test_a_reader_that_nobody_needs_any_more_is_let_go_of_at_once() -> None:
    """Each holds a hundred megabytes, and every match has its own."""
    reader = Recogniser(Gallery.from_faces("playing", PLAYING))
    reader.prepare()
    grids = [weakref.ref(reader.coarse), weakref.ref(reader.fine)]
    del reader
    assert [grid() for grid in grids] == [None, None]


def test_a_reader_that_was_prepared_in_quiet_moments_reads_as_one_that_was_not() -> None:
    deck = {card: FLOWERS[card] for card in list(FLOWERS)[:6]}
    fresh, ready = (Recogniser(scanned("few", deck)) for _ in range(2))
    for _ in range(len(ready.names) + 2):
        ready.prepare()
    for face in deck.values():
        crop = paint(face, 4.0).image
        one, other = read_crop(fresh, crop), read_crop(ready, crop)
        assert (one.card, one.rotation, one.confidence) == (other.card, other.rotation, other.confidence)


@pytest.mark.parametrize(("card", "pip"), [("5d", (0, 0)), ("7c", (0, 14)), ("9h", (0, 0))])
def test_a_pip_in_the_shine_of_a_lamp_is_pale_but_not_overlooked(
    playing: Recogniser, card: str, pip: tuple[int, int]
) -> None:
    """Taken for the card without it, with all confidence: a pale pip weighs nothing in the likeness of whole cards."""
    scan = paint(PLAYING[card], 4.0).image.astype(float)
    down, along = np.indices(scan.shape[:2]) / 4.0
    at = (along - PLAYING[card].width / 2 - pip[0], PLAYING[card].height / 2 - down - pip[1])
    lamp = np.exp(-(at[0] ** 2 + at[1] ** 2) / 9**2)[..., None]
    for strength in (0.6, 0.75, 0.9):
        reading = read_crop(playing, (scan + (255 - scan) * strength * lamp).astype(np.uint8))
        assert reading.card in (card, None)


@pytest.mark.parametrize("turn", [0, 37, 90, 180, 271])
def test_rotation_is_counter_clockwise_against_the_enrolled_picture(flowers: Recogniser, turn: int) -> None:
    image, corners = photograph(FLOWERS["03-4"], Snap(turn=turn), np.random.default_rng(0))
    (reading,) = read_photo(flowers, image)

    assert (reading.rotation - turn + 180) % 360 - 180 == pytest.approx(0, abs=2)
    assert reading.corners[0] == pytest.approx(corners[0], abs=3)


def test_a_card_that_was_never_enrolled_is_not_named(flowers: Recogniser) -> None:
    rng = np.random.default_rng(2)
    few = Recogniser(flowers.gallery.without([card for card in FLOWERS if card.startswith(("02", "05"))]))
    for card in ("02-1", "02-4", "05-2", "05-3"):
        image, _ = photograph(FLOWERS[card], some_snap(rng, 0.5), rng)
        assert all(reading.card is None for reading in read_photo(few, image))


def test_a_face_down_card_is_read_as_a_back(playing: Recogniser) -> None:
    image, _ = photograph(striped_back(), Snap(turn=20, noise=3), np.random.default_rng(1))

    assert [reading.card for reading in read_photo(playing, image)] == [BACK]


def test_an_empty_cloth_holds_no_cards(playing: Recogniser) -> None:
    cloth = np.random.default_rng(0).normal(90, 6, (400, 500, 3)).clip(0, 255).astype(np.uint8)

    assert read_photo(playing, cloth) == []


def test_a_black_picture_is_told(playing: Recogniser) -> None:
    with pytest.raises(BadPicture, match="black"):
        read_photo(playing, np.zeros((300, 300, 3), np.uint8))


def test_a_crop_gets_exactly_one_reading_in_any_quarter_turn(playing: Recogniser) -> None:
    upright = paint(PLAYING["7h"], 3.0).image
    for quarter in range(4):
        reading = read_crop(playing, np.rot90(upright, quarter).copy())
        assert reading.card == "7h"
        assert (reading.rotation - 90 * quarter + 180) % 360 - 180 == pytest.approx(0, abs=2)


def test_a_careless_cut_of_a_known_card_is_named_and_of_an_unknown_one_is_not(playing: Recogniser) -> None:
    """A card missing from the gallery was once taken for the one beside it: a pip hardly moves a whole card's likeness.
    And a cut a few per cent off was once too strange to be named."""
    rng = np.random.default_rng(4)
    strangers = Recogniser(playing.gallery.without(["8h", "Qs"]))
    for card in ("8h", "Qs"):
        image, corners = photograph(PLAYING[card], Snap(ppmm=4, tilt=12, turn=20, noise=3, slope=0.2), rng)
        cut = cut_out(image, corners, Care((0.03, 0.03), (0.03, 0.05)), rng)
        assert read_crop(playing, cut).card == card
        assert read_crop(strangers, cut).card is None


@pytest.mark.parametrize("card", ["4s", "5s", "6c", "7s", "9c"])
def test_a_spade_that_was_never_enrolled_is_not_taken_for_the_club(playing: Recogniser, card: str) -> None:
    """As a whole the two are nearly the same picture. But other spades have such pips in such places."""
    rng = np.random.default_rng(8)
    strangers = Recogniser(playing.gallery.without([card]))
    image, corners = photograph(PLAYING[card], Snap(ppmm=4, tilt=8, turn=20, noise=3), rng)
    cut = cut_out(image, corners, NEAT, rng)
    assert read_crop(playing, cut).card == card
    assert read_crop(strangers, cut).card is None


def test_references_without_the_border_of_the_cards_will_do() -> None:
    rng = np.random.default_rng(6)
    few = {card: FLOWERS[card] for card in list(FLOWERS)[::4]}
    recogniser = Recogniser(scans(few, 100, ART))
    for card in list(few)[:3]:
        image, corners = photograph(few[card], Snap(ppmm=4, tilt=8, noise=3, cast=(0.85, 1.0, 1.1)), rng)
        assert read_crop(recogniser, cut_out(image, corners, NEAT, rng)).card == card


def test_two_cards_side_by_side_are_two_outlines() -> None:
    table = np.full((300, 400, 3), 60, np.uint8)
    table[50:239, 40:163] = 235
    table[60:249, 200:323] = 235
    quads = [quad for quad in find_quads(table, 89 / 58) if quad.quality > 0.8]

    assert len(quads) == 2
    assert overlap(quads[0].corners, quads[1].corners) == 0


# Enrolment


def folder_of(path: Path, cards: list[str], **more: np.ndarray) -> Path:  # type: ignore[type-arg]
    path.mkdir()
    for card in cards:
        cv2.imwrite(str(path / f"{card}.png"), paint(PLAYING[card], 3.0).image)
    for name, image in more.items():
        cv2.imwrite(str(path / f"{name.replace('__', '~')}.png"), image)
    return path


def test_a_picture_of_one_colour_is_not_enrolled_and_the_reason_is_said(tmp_path: Path) -> None:
    red = np.full((300, 200, 3), (20, 20, 200), np.uint8)
    found = enrol_folder("deck", folder_of(tmp_path / "deck", ["Ah", "Kd"], Qs=red))

    assert found.gallery.cards == ("Ah", "Kd")
    assert any("Qs.png shows nothing but one colour. It is left out." in str(one) for one in found.warnings)


def test_a_folder_is_enrolled_by_its_file_names(tmp_path: Path) -> None:
    templates = folder_of(
        tmp_path / "deck", ["Ah", "Kd"], Ah__2=paint(PLAYING["Ah"], 2.0).image, back2=paint(striped_back(), 3.0).image
    )
    gallery = enrol_folder("deck", templates).gallery

    assert gallery.cards == ("Ah", "Kd")
    assert [look.card for look in gallery.templates] == ["Ah", "Ah", "Kd", BACK]


def test_photographs_of_cards_on_a_table_are_cut_out_before_they_are_enrolled(tmp_path: Path) -> None:
    rng = np.random.default_rng(8)
    folder = tmp_path / "photos"
    folder.mkdir()
    for card in list(FLOWERS)[:12]:
        image, _ = photograph(FLOWERS[card], Snap(ppmm=4, turn=float(rng.uniform(-15, 15)), tilt=5, noise=2), rng)
        cv2.imwrite(str(folder / f"{card}.png"), image)
    gallery = enrol_folder("photos", folder).gallery

    assert gallery.size[1] == pytest.approx(54 / 33, rel=0.06)
    image, _ = photograph(FLOWERS["02-3"], Snap(turn=100, noise=3), rng)
    assert [reading.card for reading in read_photo(Recogniser(gallery), image)] == ["02-3"]


@pytest.mark.parametrize("name", ["senjutsu", "san_ni_ichi"])
def test_scans_are_enrolled_whole_though_frames_are_printed_on_them(tmp_path: Path, name: str) -> None:
    """A few cards with another frame than the rest once made photographs of all scans: they lost their upper edge."""
    chosen = game(name)
    deck = chosen.table.deck(chosen.rules.setup(["Aki", "Ben", "Cho"][: chosen.seats.start], {}))
    for card, kind in list(deck.cards.items())[::2]:
        cv2.imwrite(str(tmp_path / f"{card}.png"), paint(kind.face, 4.0).image)

    face = next(iter(deck.cards.values())).face
    assert enrol_folder(name, tmp_path).gallery.size[1] == pytest.approx(face.height / face.width, rel=0.01)


def test_one_scan_is_enrolled_whole_and_one_photograph_is_cut_out(tmp_path: Path) -> None:
    framed = np.full((440, 320, 3), 225, np.uint8)
    cv2.rectangle(framed, (25, 45), (295, 415), (20, 20, 20), 4)
    cv2.imwrite(str(tmp_path / "one.png"), framed)
    assert enrol_folder("scan", tmp_path).gallery.size[1] == pytest.approx(440 / 320, rel=0.01)

    table = np.full((700, 900, 3), 60, np.uint8)
    table[130:570, 280:600] = framed
    cv2.imwrite(str(tmp_path / "one.png"), table)
    assert enrol_folder("photo", tmp_path).gallery.size[1] == pytest.approx(440 / 320, rel=0.03)


def test_bad_pictures_and_twins_are_warned_of(tmp_path: Path) -> None:
    sharp = paint(PLAYING["9c"], 3.0).image
    templates = folder_of(
        tmp_path / "deck",
        ["Ah", "Kd", "Qs", "5h"],
        dim=(paint(PLAYING["2d"], 3.0).image // 8),
        soft=cv2.GaussianBlur(sharp, (0, 0), 9),
        tiny=cv2.resize(sharp, (20, 31)),
        pale=cv2.addWeighted(paint(PLAYING["8c"], 3.0).image, 0.15, np.full_like(sharp, 255), 0.85, 0),
        twin=paint(PLAYING["Ah"], 3.0).image,
    )
    (templates / "notes.jpg").write_text("not a picture")
    words = " ".join(map(str, enrol_folder("deck", templates).warnings))

    for wanted in (
        "dim.png is too dark",
        "soft.png is blurred",
        "tiny.png is only",
        "pale.png is too bright",
        "Ah.png and twin.png are the same",
        "notes.jpg",
    ):
        assert wanted in words
    assert "Kd.png" not in words


def test_a_folder_without_pictures_cannot_be_enrolled(tmp_path: Path) -> None:
    with pytest.raises(BadGallery, match="holds no pictures"):
        enrol_folder("deck", tmp_path)
    with pytest.raises(BadGallery, match="is not a folder"):
        enrol_folder("deck", tmp_path / "nowhere")
    with pytest.raises(BadGallery, match="cannot be the name of a deck"):
        enrol_folder("../deck", folder_of(tmp_path / "deck", ["Ah"]))


def test_only_pictures_are_enrolled_and_the_rest_is_said(tmp_path: Path) -> None:
    templates = folder_of(tmp_path / "deck", ["Ah", "Kd", "Qs"])
    (templates / "Kd.png").rename(templates / "Kd.PNG")
    (templates / ".hidden.png").write_bytes((templates / "Ah.png").read_bytes())
    (templates / "._Qs.png").write_bytes(b"what some systems leave beside a file")
    (templates / "folder.png").mkdir()
    (templates / "notes.txt").write_text("hello")
    (templates / "IMG_1.HEIC").write_bytes(b"a telephone's picture")
    (templates / "zero.jpg").write_bytes(b"")
    cv2.imwrite(str(templates / "speck.png"), np.full((3, 2, 3), 90, np.uint8))
    gallery, warnings = enrol_folder("deck", templates)

    assert gallery.cards == ("Ah", "Kd", "Qs")
    assert [str(warning).split()[0].rsplit("/")[-1] for warning in warnings] == ["IMG_1.HEIC", "speck.png", "zero.jpg"]


def test_one_letter_is_one_card_however_a_system_spells_it(tmp_path: Path) -> None:
    templates = folder_of(tmp_path / "deck", ["Ah", "Kd"])
    (templates / "Kd.png").rename(templates / "ko\u0308nig.png")

    assert enrol_folder("deck", templates).gallery.cards == ("Ah", "könig")


def test_a_folder_is_added_to_a_deck_only_once_and_turned_as_the_deck_stands(tmp_path: Path) -> None:
    first = enrol_folder("deck", folder_of(tmp_path / "first", ["Ah", "Kd", "Qs"])).gallery
    again = enrol_folder("deck", tmp_path / "first", onto=first)
    assert again.gallery.templates == first.templates
    assert list(map(str, again.warnings)) == ["Enrolled before and left out: Ah.png, Kd.png, Qs.png."]

    lying = folder_of(tmp_path / "lying", [], two=np.rot90(paint(PLAYING["2c"], 3.0).image))
    more = enrol_folder("deck", lying, onto=first)
    assert more.gallery.size == first.size
    assert read_crop(Recogniser(more.gallery), paint(PLAYING["2c"], 3.0).image).card == "two"
    assert more.warnings == []

    twin = folder_of(tmp_path / "twin", [], ace=paint(PLAYING["Ah"], 3.0).image)
    assert list(map(str, enrol_folder("deck", twin, onto=first).warnings)) == [
        "the known Ah and ace.png are the same picture."
    ]


def test_a_picture_of_another_shape_than_the_deck_is_warned_of(tmp_path: Path) -> None:
    wide = np.asarray(cv2.resize(paint(PLAYING["2c"], 3.0).image, (300, 320)))
    templates = folder_of(tmp_path / "deck", ["Ah", "Kd", "Qs"], wide=wide)

    assert list(map(str, enrol_folder("deck", templates).warnings)) == [
        "wide.png has another shape than the deck's cards and is stretched: cut it like the others."
    ]


# Files from anywhere


def test_what_is_transparent_in_a_picture_does_not_show_what_lies_beneath(tmp_path: Path) -> None:
    for deep in (np.uint8, np.uint16):
        image = np.full((40, 30, 4), 200 * (257 if deep is np.uint16 else 1), deep)
        image[..., 3] = np.iinfo(deep).max
        image[:10, :10] = (0, 0, np.iinfo(deep).max, 0)
        cv2.imwrite(str(tmp_path / "holes.png"), image)

        assert np.abs(load(tmp_path / "holes.png").astype(int) - 200).max() <= 1


def test_a_picture_that_was_never_written_to_its_end_is_refused(tmp_path: Path) -> None:
    art = np.random.default_rng(0).integers(0, 255, (400, 300, 3)).astype(np.uint8)
    whole = cv2.imencode(".jpg", art)[1].tobytes()
    (tmp_path / "half.jpg").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "endless.jpg").write_bytes(whole[:-2])  # cheap cameras forget the end, and nothing is missing
    (tmp_path / "longer.jpg").write_bytes(whole + b"a film that a telephone hides behind the picture")

    with pytest.raises(BadPicture, match="damaged"):
        load(tmp_path / "half.jpg")
    assert load(tmp_path / "endless.jpg").shape == load(tmp_path / "longer.jpg").shape == art.shape


def test_a_telephone_held_aside_still_gives_an_upright_picture(tmp_path: Path) -> None:
    upright = paint(PLAYING["Ah"], 3.0).image
    jpeg = cv2.imencode(".jpg", np.rot90(upright))[1].tobytes()
    exif = b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0"
    said = b"\xff\xe1" + (len(exif) + 2).to_bytes(2, "big") + exif
    (tmp_path / "aside.jpg").write_bytes(jpeg[:2] + said + jpeg[2:])

    assert np.abs(load(tmp_path / "aside.jpg").astype(int) - upright).mean() < 5


def test_a_picture_too_large_or_too_slim_is_told_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cv2.imwrite(str(tmp_path / "strip.png"), np.zeros((2, 4000, 3), np.uint8))
    with pytest.raises(BadPicture, match="only a strip of 4000 x 2 pixels"):
        load(tmp_path / "strip.png")
    with pytest.raises(BadPicture, match="is a folder"):
        load(tmp_path)

    def huge(*_: object) -> None:
        raise cv2.error("pixels <= CV_IO_MAX_IMAGE_PIXELS")

    monkeypatch.setattr(cv2, "imread", huge)
    with pytest.raises(BadPicture, match="too large"):
        load(tmp_path / "strip.png")


# The two commands


def test_the_two_commands_work_together(tmp_path: Path) -> None:
    templates = folder_of(tmp_path / "deck", ["Ah", "Kd", "7c", "10s"])
    data = str(tmp_path / "data")
    first = CliRunner().invoke(enrol, ["mine", "--images", str(templates), "--data", data])
    assert first.exit_code == 0, first.output
    assert "4 cards (4 looks, 0 of backs) enrolled" in first.output
    assert "No back is enrolled yet" in first.output

    image, _ = photograph(PLAYING["Kd"], Snap(turn=30, noise=3), np.random.default_rng(0))
    cv2.imwrite(str(tmp_path / "photo.png"), image)
    files = [str(tmp_path / "photo.png")]
    whole = json.loads(CliRunner().invoke(recognise, ["--deck", "mine", "--data", data, "--json", *files]).output)
    assert whole["file"] == files[0]
    assert whole["ms"] > 0
    (card,) = whole["cards"]
    assert set(whole) == {"file", "cards", "ms"}
    assert set(card) == {"card", "rotation", "confidence", "corners"}
    assert card["card"] == "Kd"
    assert 0.5 <= card["confidence"] <= 1
    assert np.array(card["corners"]).shape == (4, 2)

    crop = str(templates / "7c.png")
    cut = json.loads(
        CliRunner().invoke(recognise, ["--deck", "mine", "--data", data, "--crops", "--json", crop]).output
    )
    assert [card["card"] for card in cut["cards"]] == ["7c"]


def test_a_card_a_hair_short_of_a_whole_turn_is_not_turned() -> None:
    hair = CardReading("Ah", 359.97, 0.9, ("Ah",), 0.9, "Ah", np.zeros((4, 2)))

    assert _told(hair, force=False)["rotation"] == 0.0


def test_enrolling_a_deck_anew_keeps_the_old_looks_beside_it(tmp_path: Path) -> None:
    templates = folder_of(tmp_path / "deck", ["Ah", "Kd"])
    told = ["mine", "--images", str(templates), "--data", str(tmp_path)]
    assert "kept" not in CliRunner().invoke(enrol, told).output
    path = tmp_path / "galleries" / "mine.gallery"
    before = path.read_bytes()
    (templates / "Kd.png").unlink()

    assert "kept in" in CliRunner().invoke(enrol, told).output
    assert path.with_name("mine.gallery.old").read_bytes() == before
    assert Gallery.load(path).cards == ("Ah",)


def test_pictures_that_are_no_cards_of_a_game_and_cards_without_pictures_are_said(tmp_path: Path) -> None:
    templates = folder_of(tmp_path / "deck", ["Ah", "Kd"])
    (templates / "Kd.png").rename(templates / "Katana.JPG")
    said = CliRunner().invoke(enrol, ["sen_so", "--images", str(templates), "--data", str(tmp_path)]).output

    assert "Katana is no card of sen_so: is it katana?" in said
    assert "Ah is no card of sen_so." in said
    assert "no picture of" in said


def test_a_bad_file_among_many_costs_only_itself(tmp_path: Path) -> None:
    Gallery.from_faces("few", {"7h": PLAYING["7h"], "2c": PLAYING["2c"]}).save(tmp_path / "galleries" / "few.gallery")
    cv2.imwrite(str(tmp_path / "card.png"), paint(PLAYING["7h"], 3.0).image)
    files = [str(tmp_path / name) for name in ("none.png", "card.png")]
    result = CliRunner().invoke(recognise, ["--deck", "few", "--data", str(tmp_path), "--crops", "--json", *files])

    assert json.loads(result.stdout)["cards"][0]["card"] == "7h"
    assert "none.png is not there" in result.stderr
    assert "1 of 2 files could not be read" in str(result.exception)


@pytest.mark.parametrize(("file", "words"), [("none.png", "is not there"), ("notes.txt", "is not a picture")])
def test_a_wrong_file_is_told_in_one_sentence(tmp_path: Path, file: str, words: str) -> None:
    (tmp_path / "notes.txt").write_text("hello")
    Gallery.from_faces("few", dict(list(FACES.items())[:2]), BACK_FACE).save(tmp_path / "galleries" / "few.gallery")
    result = CliRunner().invoke(recognise, ["--deck", "few", "--data", str(tmp_path), "--json", str(tmp_path / file)])

    assert isinstance(result.exception, BadPicture)
    assert words in str(result.exception)
