"""Galleries on disk: what is saved comes back, and a bad file is told in one sentence."""

import zlib
from pathlib import Path

import numpy as np
import pytest

from tests.vision.small_table import BACK_FACE, FACES
from vision.recognition.gallery import BACK, BadGallery, Gallery, Template


@pytest.fixture(scope="module")
def gallery() -> Gallery:
    return Gallery.from_faces("test", dict(list(FACES.items())[:3]), BACK_FACE)


def test_a_saved_gallery_comes_back_with_all_its_looks(gallery: Gallery, tmp_path: Path) -> None:
    gallery.save(tmp_path / "deep" / "test.gallery")
    again = Gallery.load(tmp_path / "deep" / "test.gallery")

    assert again.cards == gallery.cards
    assert [look.card for look in again.templates] == [*gallery.cards, BACK]
    assert (again.size, again.disc) == (gallery.size, gallery.disc)
    assert np.abs(again.templates[0].image.astype(int) - gallery.templates[0].image).mean() < 3


def test_a_gallery_that_is_not_there_names_the_deck(tmp_path: Path) -> None:
    with pytest.raises(BadGallery, match="The deck kings is not enrolled"):
        Gallery.load(tmp_path / "kings.gallery")


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda data: b"GIF89a" + data, "is not a gallery"),
        (lambda data: data.replace(b"gallery 1 ", b"gallery 7 ", 1), "version 7, not 1"),
        (lambda data: data[:-9] + b"scribbled", "damaged"),
        (lambda data: data[: len(data) // 2], "damaged"),
        (lambda data: b"", "is not a gallery"),
    ],
)
def test_a_bad_gallery_file_is_told_in_one_sentence(gallery: Gallery, tmp_path: Path, damage, words: str) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "test.gallery"
    gallery.save(path)
    path.write_bytes(damage(path.read_bytes()))

    with pytest.raises(BadGallery, match=words):
        Gallery.load(path)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"{}\n", "is not a gallery"),
        (b"hello\n", "is not a gallery"),
        (b'{"deck": "x", "size": [1], "disc": 0, "looks": []}\n', "is not a gallery"),
        (b'{"deck": "x", "size": [1, 1], "disc": 0, "looks": []}\n', "is empty"),
    ],
)
def test_a_file_whose_checksum_is_right_and_whose_content_is_not_is_told(
    tmp_path: Path, body: bytes, words: str
) -> None:
    path = tmp_path / "test.gallery"
    path.write_bytes(b"shinpan gallery 1 %08x\n" % zlib.crc32(body) + body)

    with pytest.raises(BadGallery, match=words):
        Gallery.load(path)


def test_looks_can_be_added_and_cards_left_out(gallery: Gallery) -> None:
    first, second, _ = gallery.cards
    more = gallery.adding([Template(first, np.zeros((40, 40, 3), np.uint8))])

    assert len(more.templates) == len(gallery.templates) + 1
    assert more.cards == gallery.cards
    assert second not in gallery.without([second]).cards


def test_a_deck_without_cards_cannot_be_enrolled() -> None:
    with pytest.raises(BadGallery, match="no cards"):
        Gallery.from_faces("empty", {})


def test_looks_are_kept_as_small_in_memory_as_on_disk(gallery: Gallery, tmp_path: Path) -> None:
    gallery.save(tmp_path / "test.gallery")
    again = Gallery.load(tmp_path / "test.gallery")

    assert [look.packed for look in again.templates] == [look.packed for look in gallery.templates]
    assert sum(len(look.packed) for look in again.templates) < 0.2 * sum(look.image.nbytes for look in again.templates)
    assert again.templates[0].half.shape[1] == again.templates[0].image.shape[1] // 2
