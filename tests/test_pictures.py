"""The pictures of the README are there, small, and can be taken again at any time."""

import re
from pathlib import Path

import cv2
import pytest

from tests.pictures import FOLDER, PICTURES, take
from tests.web.chromium import SCREENS

README = (Path(__file__).parents[1] / "README.md").read_text()
LARGEST = 150_000


def test_the_readme_shows_every_picture_that_is_taken_and_no_other():
    pictures = list(FOLDER.glob("*.webp"))
    assert {path.stem for path in pictures} == set(PICTURES)
    assert set(re.findall(r"docs/pictures/(\w+)\.webp", README)) == set(PICTURES)
    assert all(path.stat().st_size < LARGEST for path in pictures)


@pytest.mark.browser
def test_a_picture_can_be_taken_again(tmp_path):
    take(tmp_path, ["seat"])
    picture = cv2.imread(str(tmp_path / "seat.webp"))
    assert picture.shape[1::-1] == SCREENS["phone"]
    assert picture.std() > 20
