"""The kifu's lines: reading, writing, checks, and what is no kifu."""

from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.record import kifu

HEADER = {"kifu": 1, "game": "sen_so", "players": ["Aki", "Ben"], "options": {}}
LINES = [
    HEADER,
    {"by": "Aki", "move": "arm", "weapons": ["katana"]},
    {"clock": 12.5},
    {"undo": 1, "why": "misread card"},
]


def journal(lines=LINES):
    """Lines as the service writes them."""
    check, written = kifu.START, []
    for line in lines:
        raw, check = kifu.write(line, check)
        written.append(raw)
    return written


def read(data):
    return [numbered.line for numbered in kifu.read(data)]


def test_what_is_written_is_read_again():
    assert read(b"".join(journal())) == [
        kifu.Header(1, "sen_so", ("Aki", "Ben")),
        kifu.Moved("Aki", {"move": "arm", "weapons": ["katana"]}),
        kifu.Clock(12.5),
        kifu.Undo(1, "misread card"),
    ]


def test_lines_written_by_hand_need_no_check_and_may_be_spaced_and_commented():
    text = b"""\xef\xbb\xbf# a match
    {"kifu": 1, "game": "sen_so", "players": ["Aki", "Ben"]}\r

  {"by": "Aki", "move": "reveal", "at": 3.5, "refused": ["SEN-9", "TABLE-3"]}
# the end
{"expect": {"over": false}}"""

    numbered = list(kifu.read(text))
    assert [each.number for each in numbered] == [2, 4, 6]
    assert numbered[1].line == kifu.Moved("Aki", {"move": "reveal"}, 3.5, ("SEN-9", "TABLE-3"))
    assert numbered[2].line == kifu.Expect({"over": False})


def test_one_refused_rule_may_stand_without_a_list():
    assert kifu.parse(b'{"by": "Aki", "move": "arm", "refused": "SEN-10"}').refused == ("SEN-10",)


@given(st.integers(0, 3), st.data())
def test_a_changed_letter_anywhere_is_noticed(at, data):
    lines = journal()
    letters = bytearray(lines[at])
    place = data.draw(st.integers(0, len(letters) - 2))
    letters[place] ^= data.draw(st.sampled_from([1, 2, 4, 8, 16, 32]))
    lines[at] = bytes(letters)

    with pytest.raises((kifu.Altered, kifu.NotAKifu)):
        read(b"".join(lines))


@pytest.mark.parametrize("gone", [0, 1, 2])
def test_a_line_that_was_taken_out_is_noticed_by_the_next(gone):
    lines = journal()
    del lines[gone]

    with pytest.raises((kifu.Altered, kifu.NotAKifu), match=f"line {gone + 1}"):
        read(b"".join(lines))


def test_lines_that_changed_places_are_noticed():
    lines = journal()
    lines[1], lines[2] = lines[2], lines[1]

    with pytest.raises(kifu.Altered, match="line 2"):
        read(b"".join(lines))


def test_a_line_without_its_check_is_noticed_by_the_next():
    lines = journal()
    lines[1] = msgspec.json.encode({"by": "Aki", "move": "arm", "weapons": ["nagamaki"]}) + b"\n"

    with pytest.raises(kifu.Altered, match="line 3"):
        read(b"".join(lines))


def test_a_line_that_an_editor_has_spaced_out_is_noticed():
    lines = journal()
    lines[1] = lines[1].replace(b',"check":', b', "check": ')

    with pytest.raises(kifu.Altered, match="line 2"):
        read(b"".join(lines))


@pytest.mark.parametrize("word", [b'"check"', b'"salt"'])
def test_a_last_line_whose_check_goes_by_another_name_is_noticed(word):
    lines = journal([*LINES, {"note": "seen"}])
    assert len(read(b"".join(lines))) == 5
    lines[-1] = lines[-1].replace(word, word[:2] + b"x" + word[3:])

    with pytest.raises(kifu.Altered, match="line 5"):
        read(b"".join(lines))


def test_comments_and_hand_written_lines_do_not_break_the_chain():
    lines = journal()
    lines.insert(2, b"# seen by two people\n")
    lines.insert(3, b'{"expect": {"over": false}}\n')

    assert len(read(b"".join(lines))) == 5


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"", "no header"),
        (b"# nothing\n\n", "no header"),
        (b"not json", "line 1: it is not JSON"),
        (b"\xff\xfe\x00", "line 1: it is not JSON"),
        (b"[1, 2]", "not a JSON object"),
        (b'{"clock": 3}', "where the header should be"),
        (b'{"kifu": 2, "game": "sen_so", "players": []}', "version 2; this Shinpan reads version 1"),
        (b'{"kifu": "1", "game": "sen_so", "players": []}', "version 1"),
        (b'{"kifu": 1, "game": "sen_so"}', "players"),
        (b'{"kifu": 1, "game": "sen_so", "players": "Aki"}', "players must be a list, not a text"),
    ],
)
def test_what_is_no_kifu_says_why_in_one_sentence(text, reason):
    with pytest.raises(kifu.NotAKifu, match=reason):
        read(text)


@pytest.mark.parametrize(
    "line",
    [
        {"undo": 1.5},
        {"undo": True},
        {"clock": "noon"},
        {"clock": 1, "by": "Aki"},
        {"expect": ["over"]},
        {"by": 7, "move": "arm"},
        {"by": "Aki", "move": "arm", "refused": 3},
        {"by": "Aki", "move": "arm", "at": "noon"},
        HEADER,
    ],
)
def test_a_line_that_is_none_of_the_five_kinds_is_named_by_its_number(line):
    with pytest.raises(kifu.NotAKifu, match="line 2"):
        read(msgspec.json.encode(HEADER) + b"\n" + msgspec.json.encode(line))


@given(st.integers(0, 400))
def test_only_a_torn_tail_is_cut_from_a_journal(cut):
    whole = b"".join(journal())
    torn = whole[: min(cut, len(whole))]
    length, check = kifu.sound_length(torn)

    ends = [0]
    for line in journal():
        ends.append(ends[-1] + len(line))
    # A line that lacks nothing but its line end is whole.
    assert length == max(min(end, len(torn)) for end in ends if end <= len(torn) + 1)
    following, _ = kifu.write({"clock": 99.0}, check)
    if length:
        assert read(torn[:length] + b"\n" + following)[-1] == kifu.Clock(99.0)


def test_a_tail_of_garbage_is_no_part_of_the_sound_journal():
    whole = b"".join(journal())

    assert kifu.sound_length(whole + b"\x00\x00\x00")[0] == len(whole)
    assert kifu.sound_length(whole + b'{"clock":13.0,"check":"00000000"}\n')[0] == len(whole)
    assert kifu.sound_length(b"") == (0, kifu.START)


def test_a_file_that_never_ends_is_no_kifu():
    with pytest.raises(kifu.NotAKifu, match="larger than 64 MB"):
        kifu.load(Path("/dev/zero"))


def test_a_file_that_is_not_there_is_no_kifu(tmp_path):
    with pytest.raises(kifu.NotAKifu, match="cannot be read"):
        kifu.load(tmp_path / "none.kifu")


@pytest.mark.parametrize("value", ["[" * 100_000, "9" * 5000, "[" * 100 + "]" * 100])
def test_a_line_that_would_exhaust_the_stack_is_named(value: str) -> None:
    text = b'{"kifu":1,"game":"sen_so","players":["Aki","Ben"]}\n{"by":"Aki","move":' + value.encode() + b"}\n"

    with pytest.raises(kifu.NotAKifu, match="line 2"):
        list(kifu.read(text))
