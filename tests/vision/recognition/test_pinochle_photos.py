"""Real photographs of pinochle cards, where they are at hand: a part of what `vision.bench` measures in full."""

from pathlib import Path

import pytest

from vision.bench.pinochle import FOLDER, Found, outcome, photographs
from vision.enrolment.from_folder import Enrolled, enrol_folder
from vision.recognition.photo import read_photo
from vision.recognition.recogniser import Recogniser

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="the photographs are not on this machine")
CARDS = ("10C", "10S", "9C", "9H", "AC", "KC", "JH")


@pytest.fixture(scope="module")
def deck(tmp_path_factory: pytest.TempPathFactory) -> Enrolled:
    folder: Path = tmp_path_factory.mktemp("pinochle")
    for card in CARDS:
        (folder / f"{card}.jpg").symlink_to(FOLDER / "gallery" / f"{card}.jpg")
    return enrol_folder("pinochle", folder)


def test_a_reference_without_an_outline_is_found_by_what_it_shares_with_the_others(deck: Enrolled) -> None:
    """The ten of clubs lies on a carpet of its own brightness."""
    assert not [str(warning) for warning in deck.warnings if "outline" in str(warning)]


def test_cards_are_found_on_white_paper_on_a_letter_and_among_clutter(deck: Enrolled) -> None:
    recogniser = Recogniser(deck.gallery)
    wanted = {"test_img_2470.jpg", "train_img_2454.jpg", "train_img_2478.jpg", "train_img_2491.jpg"}

    read = [
        outcome([Found(one.card, one.corners) for one in read_photo(recogniser, photo.image)], photo)
        for photo in photographs(names=wanted)
    ]

    assert read == ["right"] * 4
