"""Paper: sheets, summaries and consoles are set, in both languages, and say what the kifu says."""

import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from companion.app import paper
from companion.app.paper import MARGIN, PaperPage
from companion.app.score_sheet import FOOT, HEAD, ROW, SheetCell, SheetRow, _height, _pages, filled_from, print_sheet
from companion.cli import shinpan
from companion.games import game
from companion.games.kit.paper import ConsoleCard, SummaryCard

ROOT = Path(__file__).parents[3]
KIFUS = ROOT / "tests" / "kifu"
KIFU = KIFUS / "high_card" / "three-rounds.kifu"


def run(folder: Path, *arguments: str) -> tuple[Path, str]:
    path = folder / "paper.pdf"
    done = CliRunner().invoke(shinpan, ["print", *arguments, "-o", str(path)], obj={}, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return path, done.output


@pytest.mark.parametrize(
    "arguments",
    [
        ("sheet", "sen_so", "--players", "4", "--language", "it"),
        ("sheet", "high_card", "--of", str(KIFU)),
        ("summary", "senjutsu", "--language", "it"),
        ("consoles", "senjutsu"),
    ],
    ids=lambda arguments: " ".join(arguments[:2]),
)
def test_every_paper_is_set(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    path, _ = run(tmp_path, *arguments)

    assert path.read_bytes().startswith(b"%PDF")


def test_a_sheet_has_a_row_for_each_reveal_with_what_it_gave(tmp_path: Path) -> None:
    match, filled = filled_from(KIFU, "en")

    totals = [[cell.total for cell in row.cells] for row in filled.rows]
    assert totals[-1] == [str(score) for score in match.facts["scores"].values()]
    gained = [sum(int(row.cells[seat].gained.replace("−", "-") or 0) for row in filled.rows) for seat in range(2)]
    assert gained == list(match.facts["scores"].values())[:2]
    assert [row.number for row in filled.rows] == [str(number + 1) for number in range(len(filled.rows))]


def test_what_was_taken_back_is_not_on_the_sheet(tmp_path: Path) -> None:
    again = tmp_path / "again.kifu"
    text = KIFU.read_text()
    again.write_text(text + '{"undo": 1, "why": "misread"}\n')
    whole, shorter = filled_from(KIFU, "en")[1], filled_from(again, "en")[1]

    assert len(shorter.rows) <= len(whole.rows)
    assert shorter.rows != whole.rows


@pytest.mark.parametrize("name", ["sensu", "senjutsu"])
def test_papers_name_rules_that_there_are(name: str) -> None:
    known = game(name)
    people = ["Aki", "Ben"]
    for each in known.paper(known.rules.setup(people, {})):
        if isinstance(each, SummaryCard):
            cited = [number for section in each.sections for number in section.rules]
            assert set(cited) <= known.rules.catalogue().keys()
        else:
            assert isinstance(each, ConsoleCard)


def test_without_a_font_for_them_letters_are_written_plain(tmp_path: Path) -> None:
    page = PaperPage("A4", "en", lambda thing, language: None, fonts=tmp_path)

    assert page.told("Hi-ōgi – Léa 審判") == "Hi-ogi - Léa ??"
    page.turn()
    page.text("Hi-ōgi – Léa 審判", 10, 10)
    assert page.save(tmp_path / "plain.pdf") == 1


def test_a_game_without_consoles_says_so(tmp_path: Path) -> None:
    done = CliRunner().invoke(shinpan, ["print", "consoles", "sen_so", "-o", str(tmp_path / "x.pdf")], obj={})

    assert "has nothing of that kind" in str(done.exception)
    assert not (tmp_path / "x.pdf").exists()


@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="poppler-utils is not installed")
def test_the_summary_says_the_rules_in_the_readers_language(tmp_path: Path) -> None:
    path, _ = run(tmp_path, "summary", "sensu", "--language", "it")
    text = subprocess.run(["pdftotext", "-raw", str(path), "-"], capture_output=True, text=True, check=True).stdout

    assert "Sensu: il riassunto" in text
    if (paper.FONTS / "DejaVuSans.ttf").is_file():
        assert "Hi-ōgi" in text


def test_what_was_played_stays_in_its_column_however_much_it_is(tmp_path: Path) -> None:
    """Four people with long hands: a row grows, and no letter is under a millimetre and a half."""
    match, filled = filled_from(KIFUS / "sensu/examples.kifu", "it")
    sheet = PaperPage("A4", "it", match.name)
    sheet.turn()
    long = SheetRow("1", tuple(SheetCell("Gun-sen 7, Hi-ōgi 7, " * 4, "+3", "3") for _ in match.players))
    assert _height(sheet, long) > ROW
    assert all(_height(sheet, row) > ROW for row in filled.rows)
    assert _height(sheet, SheetRow("1", (SheetCell("Katana", "+3", "3"),) * 2)) == ROW

    many = replace(filled, rows=(long,) * 40)
    pages = print_sheet(tmp_path / "many.pdf", match, "it", many)
    assert pages > 1
    assert pages == len(_pages(sheet, many.rows, sheet.height - HEAD - FOOT - MARGIN))
    sheet.save(tmp_path / "measured.pdf")


def test_a_direction_on_the_sheet_is_said_as_people_say_it() -> None:
    _, filled = filled_from(KIFUS / "sen_so/blocks-and-shuriken.kifu", "en")
    said = {cell.did.replace("\u00a0", " ") for row in filled.rows for cell in row.cells}
    assert {"Shuriken forward", "Move forward right"} <= said
    assert not any(" the " in each for each in said - {"change the block"})
