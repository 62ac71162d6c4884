"""Free photographs, drawn: cards are found wherever they lie, and a part of a card is read only where that is safe."""

from functools import cache

import numpy as np
import pytest

from companion.core.drawing import Face
from vision.bench.decks import flower_cards, playing_cards, scanned
from vision.bench.free import KINDS, PhotoTally, Shot, count, shoot
from vision.recognition.photo import read_photo
from vision.recognition.recogniser import Recogniser


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
