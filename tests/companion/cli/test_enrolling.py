"""The guided enrolment on the command line, before a film of somebody laying cards."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from companion.cli import shinpan
from companion.cli.enrolling import Walk
from companion.core.wording import nameless
from tests.web.camera_table import CameraTable
from vision.camera.films import Film
from vision.enrolment.from_folder import gallery_path
from vision.enrolment.guided import Guide
from vision.recognition.gallery import Gallery


@pytest.fixture
def table(tmp_path: Path) -> CameraTable:
    table = CameraTable(tmp_path / "data")
    table.expose()
    table.service.camera_setup.measure(clear=True)
    return table


def filmed(table: CameraTable, folder: Path, *cards: str) -> str:
    """Each card lies there for two pictures, then the table is clear again."""
    folder.mkdir()
    frames = []
    for card in cards:
        for lying in (card, card, None):
            table.lay(lying)
            table.expose()
            frames.append(table.feed.frame)
    for number, frame in enumerate(frames):
        cv2.imwrite(str(folder / f"{number:03}.png"), frame)
    return f"images:{folder}"


def enrol(table: CameraTable, *more: str) -> Result:
    return CliRunner().invoke(shinpan, ["enrol", *more, "--wait", "0", "--data", str(table.data)])


def test_cards_that_lie_still_are_enrolled_in_order_and_a_second_run_goes_on(
    table: CameraTable, tmp_path: Path
) -> None:
    first = enrol(table, "sen_so", "--camera", filmed(table, tmp_path / "one", "move", "shuriken"))

    assert first.exit_code == 0, first.output
    assert "[....................] 0/12 Move: lay it face up, alone, upright." in first.output
    assert "2 of 12 are enrolled" in first.output
    # What was shown in the place of the leap counts as the leap: the walk goes by its order, not by knowing.
    assert Gallery.load(gallery_path(table.data, "sen_so")).cards == ("move", "leap")
    again = enrol(table, "sen_so", "--language", "it", "--camera", filmed(table, tmp_path / "two", "katana"))
    assert "2/12 Attacco in Volo: mettila scoperta" in again.output
    assert "3 di 12 registrate" in again.output
    assert "Dai di nuovo lo stesso comando" in again.output


def test_a_card_that_is_known_already_is_not_taken_for_the_next_by_itself(table: CameraTable, tmp_path: Path) -> None:
    done = enrol(table, "sen_so", "--camera", filmed(table, tmp_path / "film", "katana", "katana"))

    assert "This looks like Move, which is known already." in done.output
    assert "1 of 12 are enrolled" in done.output


def test_a_picture_that_shows_nothing_is_told_and_a_film_that_is_over_ends_the_walk(
    table: CameraTable, tmp_path: Path
) -> None:
    """It once said nothing at all before a covered lens, and waited ten minutes for a folder to go on."""
    tmp_path.joinpath("dark").mkdir()
    for number in range(3):
        cv2.imwrite(str(tmp_path / "dark" / f"{number}.png"), np.zeros((400, 400, 3), np.uint8))
    arguments = ["enrol", "sen_so", "--camera", f"images:{tmp_path / 'dark'}", "--data", str(table.data)]
    done = CliRunner().invoke(shinpan, [*arguments, "--wait", "3600"])

    assert done.output.count("The picture is black") == 1
    assert "0 of 12 are enrolled" in done.output


def test_enter_takes_skips_and_back_walk_and_q_stops(table: CameraTable, tmp_path: Path, capsys) -> None:
    table.lay("katana")
    table.expose()
    frame = table.feed.frame
    assert frame is not None
    guide = Guide("sen_so", ["move", "katana"], table.layout.card, 8, None)
    typed = iter(["s", "", "b", "q"])

    Walk(guide, Film("film", iter([frame] * 9)), nameless, "en", 0).go(lambda: next(typed))

    assert guide.gallery.cards == ("katana",)
    assert "1 of 3 are enrolled" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["sen_so"], "say either --images FOLDER or --camera CAMERA."),
        (["sen_so", "--camera", "auto", "--images", "."], "say either --images FOLDER or --camera CAMERA."),
        (["tarot", "--camera", "auto"], "tarot is no game here"),
        (["sen_so", "--camera", "crystal ball"], "is no camera"),
    ],
)
def test_what_cannot_be_walked_through_is_one_sentence(tmp_path: Path, arguments: list[str], sentence: str) -> None:
    done = CliRunner().invoke(shinpan, ["enrol", *arguments, "--data", str(tmp_path)])

    assert done.exit_code != 0
    assert sentence in f"{done.output}{done.exception}"


def test_a_torn_gallery_is_told_and_left_as_it_is(tmp_path: Path) -> None:
    path = gallery_path(tmp_path, "sen_so")
    path.parent.mkdir()
    path.write_bytes(b"shinpan gallery 1 00000000\n{")

    done = CliRunner().invoke(shinpan, ["enrol", "sen_so", "--camera", "auto", "--data", str(tmp_path)])

    assert "damaged" in str(done.exception)
    assert path.read_bytes() == b"shinpan gallery 1 00000000\n{"
