"""Free photographs, drawn: cards are found wherever they lie, and a part of a card is read only where that is safe."""

import tracemalloc
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.core.drawing import Face
from vision.bench.decks import flower_cards, playing_cards, scanned
from vision.bench.free import KINDS, PhotographedCard, PhotoTally, Shot, count, shoot
from vision.detection.feature_voting import Place
from vision.pictures import Array, BadPicture, Image, load
from vision.recognition.occluded import OccludedCardReader
from vision.recognition.photo import NEAR, read_covered, read_photo, read_quad
from vision.recognition.recogniser import CardReading, Recogniser
from vision.recognition.template_grid import PlanarPose


@cache
def deck(name: str) -> tuple[dict[str, Face], Recogniser]:
    faces = playing_cards() if name == "playing" else flower_cards()
    return faces, Recogniser(scanned(name, faces))


def read(name: str, kind: str, seed: int, **other: object) -> PhotoTally:
    """One photograph of this kind, compared with what lies there."""
    faces, recogniser = deck(name)
    face, (lay, shot) = next(iter(faces.values())), KINDS[kind]
    rng = np.random.default_rng(seed)
    nearer = Shot(**{**shot.__dict__, "ppmm": shot.ppmm * 89 / face.height, **other})
    laid = lay([str(card) for card in rng.permutation(list(faces))], face, rng)
    image, places = shoot(faces, laid, nearer, rng)
    return count(PhotoTally(), laid, places, read_photo(recogniser, image), nearer.size)


def test_cards_that_touch_are_told_apart() -> None:
    found = read("playing", "touching", 1)

    assert found.wrong == []
    assert found.right >= 7


@pytest.mark.parametrize(("kind", "least"), [("heap", 2), ("fan", 3)])
def test_covered_cards_are_read_from_what_is_to_be_seen_and_never_wrong(kind: str, least: int) -> None:
    found = read("playing", kind, 1)

    assert found.wrong == []
    assert found.right >= least


def test_white_paper_between_cards_is_no_covered_card() -> None:
    """An ace with little print was seen there, under its neighbours, with all confidence."""
    found = read("playing", "twelve on white paper", 1)

    assert found.wrong == []
    assert found.right >= 7


@pytest.mark.parametrize("kind", ["one card, white paper", "one card, checks"])
def test_a_card_is_found_on_a_cloth_of_its_own_colour_and_on_a_busy_one(kind: str) -> None:
    found = read("playing", kind, 2)

    assert (found.right, found.wrong, found.ghosts) == (1, [], 0)


def test_a_dark_bordered_card_is_found_on_a_dark_cloth() -> None:
    found = read("flower", "one card, felt", 3, cloth="black")

    assert (found.right, found.wrong, found.ghosts) == (1, [], 0)


def two_cards() -> tuple[Image, list[Array]]:
    faces, _ = deck("playing")
    laid = [PhotographedCard("Kd", -45.0, 0.0), PhotographedCard("7c", 45.0, 0.0)]
    return shoot(faces, laid, Shot(ppmm=4.0, tilt=0.0), np.random.default_rng(1))


def place_of(card: Array) -> Place:
    """What the features of a card say that lies as it was enrolled."""
    aspect = 89 / 58
    own = np.array([(-1, -aspect), (1, -aspect), (1, aspect), (-1, aspect)]) / 2
    return Place(9, card, (), own, card)


def test_a_few_features_and_a_known_card_tell_where_a_covered_card_lies() -> None:
    faces, recogniser = deck("playing")
    face = faces["Kd"]
    laid = [PhotographedCard("7c", -20.0, 10.0, 15.0), PhotographedCard("Kd", 10.0, 0.0)]
    image, (seven, king) = shoot(faces, laid, Shot(ppmm=5.0, tilt=25.0), np.random.default_rng(1))
    places = [place.beside(king, face.height / face.width) for place in recogniser.features.places(image)]

    off = min(float(np.abs(place - seven).max()) for place in places)

    assert off < 0.06 * float(np.linalg.norm(seven[1] - seven[0]))


def test_where_nothing_covers_a_card_the_reader_of_whole_cards_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reader of parts named siblings with all confidence where nothing covered them."""
    _, recogniser = deck("playing")
    image, (king, seven) = two_cards()
    known = read_quad(recogniser, image, king, NEAR)
    mistaken = CardReading("8c", 0.0, 0.99, ("8c",), 0.9, "8c", seven)
    monkeypatch.setattr(OccludedCardReader, "read", lambda *_: mistaken)

    named, doubted = read_covered(recogniser, image, [place_of(seven)], [known])

    assert ([one.card for one in named], doubted) == (["7c"], [])


def test_where_the_reader_of_whole_cards_doubts_both_names_are_given(monkeypatch: pytest.MonkeyPatch) -> None:
    _, recogniser = deck("playing")
    image, (king, seven) = two_cards()
    known = read_quad(recogniser, image, king, NEAR)
    mistaken = CardReading("8c", 0.0, 0.99, ("8c",), 0.9, "8c", seven)
    doubt = CardReading(None, 0.0, 0.3, ("7c", "9c"), 0.8, "7c", seven)
    monkeypatch.setattr(OccludedCardReader, "read", lambda *_: mistaken)
    monkeypatch.setattr("vision.recognition.photo.read_quad", lambda *_: doubt)

    named, doubted = read_covered(recogniser, image, [place_of(seven)], [known])

    assert named == []
    assert {one.card for one in doubted} == {None}
    assert doubted[0].guesses == ("7c", "8c", "9c")


def test_the_part_in_which_siblings_differ_decides_between_them() -> None:
    _, recogniser = deck("playing")
    image, (_, seven) = two_cards()
    reader = OccludedCardReader(recogniser, image)
    matcher, _ = reader._matcher(seven, [])
    names, visible = reader.fine.names, matcher.visible_cells(PlanarPose(0.0, 0.0, 0.0))
    true, sibling = (matcher.evaluate(names.index(name), visible) for name in ("7c", "8c"))

    assert matcher.discriminative_score(true, sibling) > 0.3
    assert matcher.discriminative_score(sibling, true) < -0.3


def chessboard(square: int, size: int = 1200) -> Image:
    y, x = np.mgrid[0:size, 0:size]
    squares = np.where((x // square + y // square) % 2, 230, 30).astype(np.uint8)
    return np.asarray(cv2.cvtColor(squares, cv2.COLOR_GRAY2BGR), np.uint8)


def test_a_chessboard_or_gingham_cloth_takes_bounded_memory_and_is_no_card() -> None:
    """All pairs of its corners took 4 GB."""
    _, recogniser = deck("playing")
    tracemalloc.start()

    read = read_photo(recogniser, chessboard(24))

    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [reading.card for reading in read if reading.card] == []
    assert most < 600e6


@pytest.mark.parametrize("suffix", [".jpg", ".png"])
def test_a_huge_picture_is_scaled_down(suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.pictures.MAX_SIDE", 300)
    cv2.imwrite(str(tmp_path / f"huge{suffix}"), chessboard(100, 1100))

    image = load(tmp_path / f"huge{suffix}")

    assert image.shape[0] == image.shape[1] <= 300


def test_a_jpeg_larger_than_memory_allows_is_scaled_down_while_it_is_decoded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.pictures.MAX_SIDE", 300)
    monkeypatch.setattr("vision.pictures.MAX_PIXELS", 500_000)
    cv2.imwrite(str(tmp_path / "huge.jpg"), chessboard(100, 1100))

    assert max(load(tmp_path / "huge.jpg").shape) <= 300


def test_a_picture_that_cannot_be_decoded_in_bounded_memory_is_refused_with_its_size(tmp_path: Path) -> None:
    path = tmp_path / "huge.png"
    data = bytearray(cv2.imencode(".png", chessboard(20, 64))[1].tobytes())
    data[16:24] = (20_000).to_bytes(4, "big") * 2
    path.write_bytes(data)

    with pytest.raises(BadPicture, match="20000 x 20000 pixels; at most 128 million"):
        load(path)


def test_a_large_progressive_jpeg_is_refused_because_it_is_held_in_memory_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.pictures.MAX_PIXELS", 500_000)
    cv2.imwrite(str(tmp_path / "huge.jpg"), chessboard(100, 1100), [cv2.IMWRITE_JPEG_PROGRESSIVE, 1])

    with pytest.raises(BadPicture, match="too large to be opened: 1100 x 1100"):
        load(tmp_path / "huge.jpg")
