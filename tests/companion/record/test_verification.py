"""Whether somebody has been at a kifu: chained, signed, and every way of tampering that we could think of."""

import json
import zlib
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.app.match_store import begin, resume
from companion.cli import run
from companion.core.events import Tap, Tick
from companion.games import game
from companion.record import kifu
from companion.record.journal import DataFolder, Journal
from companion.record.replay import Replay
from companion.record.signing import FILE, TableKey, public_key
from companion.record.verification import Proven, Verification, verify
from tests.companion.app.test_damaged_files import BEGAN

HIGH_CARD = game("high_card")
HEADER = {"kifu": 1, "game": "high_card", "players": ["Aki", "Ben"], "options": {}}
NOTES = [{"note": f"note {number}", "at": float(number)} for number in range(6)]


def signed_kifu(folder: Path, key: TableKey, *, end: bool = True) -> Path:
    """A header, three notes, a pause, three notes, and the end: nine lines, of which 5 and 9 are signatures."""
    path = folder / "a.kifu"
    path.unlink(missing_ok=True)
    journal = Journal.create(path, HEADER, key)
    for fields in NOTES[:3]:
        journal.append(fields)
    journal.sign("pause")
    for fields in NOTES[3:]:
        journal.append(fields)
    if end:
        journal.sign("end")
    journal.close()
    return path


@pytest.fixture(name="table")
def key_of_the_table(tmp_path: Path) -> TableKey:
    key, notice = TableKey.kept(tmp_path)
    assert notice is None
    return key


def told(verdict: Verification) -> str:
    return " ".join(map(str, verdict.told))


def rewritten(lines: list[bytes]) -> bytes:
    """Lines whose checks somebody has made anew, who does not have the key."""
    chain, data = kifu.START, b""
    for text in lines:
        checked = kifu.claimed(text, kifu.START)
        body = checked[0] if checked else text
        line, chain = kifu.write(json.loads(body), chain)
        data += line
    return data


def test_a_match_that_was_signed_to_its_end_is_whole(tmp_path: Path, table: TableKey) -> None:
    verdict = verify(signed_kifu(tmp_path, table), table.public)

    assert verdict.proven is Proven.WHOLE
    assert "signed by this table" in told(verdict)


def test_a_line_that_was_changed_is_named(tmp_path: Path, table: TableKey) -> None:
    path = signed_kifu(tmp_path, table)
    path.write_bytes(path.read_bytes().replace(b"note 1", b"note 7"))

    verdict = verify(path, table.public)

    assert verdict.proven is Proven.ALTERED
    assert "Line 3 was changed after it was written." in told(verdict)
    assert "Line 4" not in told(verdict)


@pytest.mark.parametrize(("gone", "count"), [([2], "1 line was"), ([2, 3], "2 lines were"), ([6, 7], "2 lines were")])
def test_lines_that_were_taken_out_are_counted(tmp_path: Path, table: TableKey, gone: list[int], count: str) -> None:
    path = signed_kifu(tmp_path, table)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(line for at, line in enumerate(lines) if at not in gone))

    verdict = verify(path, table.public)

    assert verdict.proven is Proven.ALTERED
    assert f"{count} taken out before line {gone[0] + 1}." in told(verdict)


Forgery = Callable[[list[bytes]], list[bytes]]
MADE_ANEW = "something was changed, and the checks were made anew"
FORGERIES: dict[str, tuple[Forgery, str]] = {
    "a line changed": (lambda lines: [line.replace(b"note 1", b"note 7") for line in lines], MADE_ANEW),
    "the last note changed": (lambda lines: [line.replace(b"note 5", b"note 9") for line in lines], MADE_ANEW),
    "a line taken out": (lambda lines: lines[:2] + lines[3:], "1 line was taken out"),
    "a line put in": (lambda lines: [*lines[:2], b'{"note":"mine","at":1.0}', *lines[2:]], "1 line was put in"),
    "a pause made an end": (lambda lines: [*lines[:4], lines[4].replace(b'"pause"', b'"end"')], "is not genuine"),
    "a pause earlier": (lambda lines: [*lines[:3], lines[4], lines[3], *lines[5:]], "1 line was taken out"),
    "another head": (
        lambda lines: [line.replace(json.loads(lines[3])["check"].encode(), b"0" * 64) for line in lines],
        "is not genuine",
    ),
}


@pytest.mark.parametrize(("forge", "sentence"), FORGERIES.values(), ids=FORGERIES)
def test_whoever_makes_the_checks_anew_cannot_make_the_signature(
    tmp_path: Path, table: TableKey, forge: Forgery, sentence: str
) -> None:
    path = signed_kifu(tmp_path, table)
    forged = rewritten(forge(path.read_bytes().splitlines()))
    path.write_bytes(forged)

    assert len(list(kifu.read(forged))) > 3  # the checks alone say nothing
    verdict = verify(path, table.public)

    assert verdict.proven is Proven.ALTERED
    assert sentence in told(verdict)


def test_whoever_signs_anew_has_another_key(tmp_path: Path, table: TableKey) -> None:
    (tmp_path / "elsewhere").mkdir()
    other, _ = TableKey.kept(tmp_path / "elsewhere")
    path = signed_kifu(tmp_path, other)

    verdict = verify(path, table.public)

    assert verdict.proven is Proven.OPEN
    assert "this table's key is" in told(verdict)
    assert verify(path, None).proven is Proven.OPEN
    assert "compare that with the key on the page" in told(verify(path, None))


def test_lines_that_were_cut_off_leave_an_end_that_is_not_signed(tmp_path: Path, table: TableKey) -> None:
    path = signed_kifu(tmp_path, table)
    lines = path.read_bytes().splitlines(keepends=True)
    for kept, sentence in [
        (8, "Everything before line 5 is signed. What comes after is not"),
        (6, "Everything before line 5 is signed. What comes after is not"),
        (5, "It ends with a pause, in line 5"),
        (4, "It is not signed"),
    ]:
        path.write_bytes(b"".join(lines[:kept]))
        verdict = verify(path, table.public)
        assert verdict.proven is Proven.OPEN, kept
        assert sentence in told(verdict)
    path.write_bytes(b"".join(lines[:8]) + lines[8][:40])
    assert verify(path, table.public).proven is Proven.OPEN


def test_the_head_that_the_page_showed_tells_of_lines_cut_off_at_a_pause(tmp_path: Path, table: TableKey) -> None:
    path = signed_kifu(tmp_path, table)
    lines = path.read_bytes().splitlines(keepends=True)
    head = json.loads(lines[-1])["check"]
    scanned = f"Shinpan a.kifu, line 9, head {head}, key {table.public}"

    for shown in (head, head[:16], f"{head[:4]} {head[4:8]} {head[8:12]} {head[12:16]}", scanned):
        path.write_bytes(b"".join(lines))
        assert verify(path, table.public, shown).proven is Proven.WHOLE
        path.write_bytes(b"".join(lines[:5]))
        verdict = verify(path, table.public, shown)
        assert verdict.proven is Proven.ALTERED
        assert "cut off before that line" in told(verdict)
    path.write_bytes(b"".join(lines))
    assert verify(path, table.public, head[:4]).proven is Proven.ALTERED  # too short to tell anything


@given(st.data())
def test_no_byte_of_a_signed_kifu_can_be_changed_unnoticed(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("kifu")
    table, _ = TableKey.kept(folder)
    path = signed_kifu(folder, table)
    whole = bytearray(path.read_bytes())
    place = data.draw(st.integers(0, len(whole) - 2))
    whole[place] ^= 1 << data.draw(st.integers(0, 7))
    path.write_bytes(whole)

    assert verify(path, table.public).proven is not Proven.WHOLE


def test_a_line_by_hand_in_a_signed_kifu_is_named_and_replayed(tmp_path: Path, table: TableKey) -> None:
    path = signed_kifu(tmp_path, table)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:3], b'{"expect": {"over": false}}\n', *lines[3:]]))

    verdict = verify(path, table.public)

    assert verdict.proven is Proven.ALTERED
    assert "Line 4 was not written by the table" in told(verdict)
    assert Replay.of(path).finish().moves == 0


def old_line(fields: dict[str, object], check: int) -> tuple[bytes, int]:
    """As it was written before there were signatures."""
    body = json.dumps(fields, separators=(",", ":")).encode()
    check = zlib.crc32(body, check)
    return body[:-1] + b',"check":"%08x"}\n' % check, check


def test_an_older_file_is_read_resumed_and_signed_from_then_on(tmp_path: Path, table: TableKey) -> None:
    path, check = tmp_path / "a.kifu", 0
    for fields in (HEADER, *NOTES[:3]):
        line, check = old_line(fields, check)
        with path.open("ab") as file:
            file.write(line)
    assert verify(path, table.public).proven is Proven.OPEN
    assert "anybody may have written it" in told(verify(path, table.public))
    old = path.read_bytes()
    path.write_bytes(old.replace(b"note 1", b"note 7"))
    assert verify(path, table.public).proven is Proven.ALTERED
    path.write_bytes(old)

    journal, notice = Journal.reopen(path, table)
    assert notice is None
    journal.append(NOTES[3])
    journal.sign("end")
    journal.close()

    assert len(list(kifu.read(path.read_bytes()))) == 6
    assert verify(path, table.public).proven is Proven.WHOLE
    # From now on the older lines are signed too, and a line with the old check is no line of the table's.
    changed, check = old_line({"note": "note 7", "at": 1.0}, zlib.crc32(json.dumps(HEADER).encode()))
    path.write_bytes(path.read_bytes().replace(b"note 1", b"note 7"))
    assert verify(path, table.public).proven is Proven.ALTERED
    path.write_bytes(old + path.read_bytes()[len(old) :] + changed)
    with pytest.raises(kifu.Altered):
        list(kifu.read(path.read_bytes()))


def test_what_is_sealed_cannot_be_guessed_from_the_head(tmp_path: Path) -> None:
    """The head is on the page while a move is still its player's secret, and there are few moves to try."""
    sealed = {"by": "Aki", "move": "turn_up", "card": "red-5", "at": 12.5}
    _, chain = kifu.write(HEADER, kifu.START)
    heads = {kifu.write(sealed, chain)[1].head for _ in range(50)}

    assert len(heads) == 50


def test_the_key_is_private_stays_and_is_made_anew_when_it_is_damaged(tmp_path: Path, table: TableKey) -> None:
    path = tmp_path / FILE
    assert path.stat().st_mode & 0o777 == 0o600
    again, notice = TableKey.kept(tmp_path)
    assert (again.public, notice) == (table.public, None)
    whole = path.read_bytes()
    for damaged in (b"", whole[:50], whole.replace(whole[:1], b"0" if whole[:1] != b"0" else b"1"), b"\xff" * 130):
        path.write_bytes(damaged)
        assert public_key(tmp_path) is None
        other, notice = TableKey.kept(tmp_path)
        assert notice is not None
        assert "set aside as table.key.damaged-" in str(notice)
        assert other.public != table.public
    assert public_key(tmp_path / "nowhere") is None


def test_a_match_is_signed_at_its_pauses_and_goes_on_in_one_chain(tmp_path: Path) -> None:
    with DataFolder(tmp_path) as folder:
        referee, journal = begin(folder, HIGH_CARD, ("Aki", "Ben"), {}, BEGAN)
        for number, what in enumerate(["resume", "pause", "resume"]):
            referee.handle(Tap("referee", what, {}, 1.0 + number))
            referee.handle(Tick(1.5 + number))
        referee.handle(Tick(20.0))
        journal.close()  # killed here
        with journal.path.open("ab") as file:
            file.write(b'{"clock":30.0,"sa')
        going_on = resume(folder, HIGH_CARD)
        assert going_on is not None
        referee, journal = going_on
        assert "torn" in str(referee.said[-1].message)
        referee.handle(Tick(0.0))
        for _ in range(3):
            referee.handle(Tick(0.1))
        assert verify(journal.path, public_key(tmp_path)).proven is Proven.OPEN
        referee.handle(Tap("referee", "end", {"how": "agreed", "why": "late"}, 2.0))
        referee.picture_kept(sha256(b"picture").hexdigest(), ["00002"], 3.0)
        journal.close()

        lines = [each.line for each in kifu.read(kifu.load(journal.path))]
        signatures = [line.signed for line in lines if isinstance(line, kifu.Signed)]
        assert signatures == ["pause", "pause", "end", "end"]  # the picture came after the end, and is signed too
        verdict = verify(journal.path, public_key(tmp_path))
        assert verdict.proven is Proven.WHOLE, told(verdict)


def test_pictures_that_were_exchanged_are_named(tmp_path: Path, table: TableKey) -> None:
    path = signed_kifu(tmp_path, table, end=False)
    journal, _ = Journal.reopen(path, table)
    journal.append({"picture": sha256(b"\xff\xd8 table").hexdigest(), "of": ["00003", "call-20260101-120000-1"]})
    journal.sign("end")
    journal.close()
    assert verify(path, table.public).proven is Proven.WHOLE  # without the pictures the kifu is still whole
    folder = path.with_suffix("")
    folder.mkdir()
    for name in ("00003", "call-20260101-120000-1"):
        (folder / f"{name}.jpg").write_bytes(b"\xff\xd8 table")
    assert verify(path, table.public).proven is Proven.WHOLE
    (folder / "00003.jpg").write_bytes(b"\xff\xd8 another")
    (folder / "00004.jpg").write_bytes(b"\xff\xd8 table")

    verdict = verify(path, table.public)

    assert verdict.proven is Proven.ALTERED
    assert "The picture 00003 was exchanged or damaged." in told(verdict)
    assert "The picture 00004 is in no line of the kifu." in told(verdict)
    assert "call-2026" not in told(verdict)


@pytest.mark.parametrize("language", ["en", "it"])
def test_the_command_says_so_and_exits_with_it(
    tmp_path: Path, table: TableKey, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = signed_kifu(tmp_path, table)
    whole = path.read_bytes()
    exits = []
    for data in (whole, whole.replace(b"note 1", b"note 7"), b"no kifu\n", whole[:-300]):
        path.write_bytes(data)
        with pytest.raises(SystemExit) as exited:
            run(["verify", str(path), "--data", str(tmp_path), "--language", language])
        exits.append(exited.value.code)

    assert exits == [0, 1, 2, 3]
    shown = capsys.readouterr().out
    assert ("Line 3 was changed" if language == "en" else "La riga 3 è stata cambiata") in shown
    path.write_bytes(whole)
    with pytest.raises(SystemExit) as exited:
        run(["verify", str(path), "--key", table.public[:16]])
    assert exited.value.code == 0
    assert run(["verify", str(path), "--key", "ab"]) == 2
