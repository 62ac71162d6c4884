"""Clips: what is written is read back, what is torn is no clip, and they share the quota of the pictures."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.events import Said
from companion.core.layout import SeenCard
from companion.core.message import Thing, message
from companion.record.clip import (
    CountHeard,
    NotAClip,
    PressHeard,
    ReadingMade,
    SentenceSaid,
    Still,
    Testimony,
    decode,
    encode,
)
from companion.record.evidence import CLIP, SHARE, Evidence

TOLD = Testimony(
    players=("Aki", "Ben"),
    clock=12.5,
    presses=(PressHeard("Aki", 0.2, 0.001, tapped=False),),
    counts=(CountHeard(1.0, "countdown", 3),),
    readings=(ReadingMade(0.0, "Aki.action1", (SeenCard("move", True, confidence=0.93),)),),
    sentences=(SentenceSaid(1.5, "call", ("SEN-15",), 7, message("{player} moved.", player=Thing("player", "Aki"))),),
)


def picture(level: int) -> bytes:
    done, jpeg = cv2.imencode(".jpg", np.full((48, 64, 3), level, np.uint8))
    assert done
    return jpeg.tobytes()


def a_clip(pictures: int = 3) -> bytes:
    stills = [Still(10 + 0.3 * number, picture(40 * number)) for number in range(pictures)]
    return encode(stills, (64, 48), TOLD)


def test_pictures_times_and_testimony_come_back_as_they_were() -> None:
    data = a_clip()
    clip = decode(data)

    assert clip.testimony == TOLD
    assert [frame.at for frame in clip.frames] == [0.0, 0.3, 0.6]
    pictures = [data[frame.start : frame.start + frame.size] for frame in clip.frames]
    assert pictures == [picture(0), picture(40), picture(80)]


def test_any_player_can_show_it(tmp_path: Path) -> None:
    """OpenCV's reader is ffmpeg's; pictures that stand for "as before" are left out by it."""
    (tmp_path / "clip.avi").write_bytes(a_clip())
    film = cv2.VideoCapture(str(tmp_path / "clip.avi"))
    shown = [frame for done, frame in (film.read() for _ in range(20)) if done]

    assert [round(float(frame.mean())) for frame in shown] == [0, 40, 80]


@given(cut=st.integers(1, 4000), at=st.integers(0, 10_000), byte=st.integers(0, 255))
def test_what_is_torn_or_damaged_is_no_clip_and_never_an_error(cut: int, at: int, byte: int) -> None:
    whole = a_clip()
    with pytest.raises(NotAClip):
        decode(whole[: -min(cut, len(whole))])
    place = at % len(whole)
    try:
        clip = decode(whole[:place] + bytes([byte]) + whole[place + 1 :])
    except NotAClip:
        return
    assert all(frame.start + frame.size <= len(whole) for frame in clip.frames)


def test_a_clip_is_found_by_the_line_and_by_the_sentence_that_it_belongs_to(tmp_path: Path) -> None:
    evidence = Evidence(tmp_path / "2026-01-01-200000-sen_so")
    names = evidence.keep(a_clip(), [57], [3], CLIP)
    by_line = Said("ruling", (), message("It counts."), 57)
    by_number = Said("refused", (), message("It does not."))

    assert names[0] == "00057"
    assert evidence.of(1, by_line, CLIP) == "00057"
    assert evidence.of(3, by_number, CLIP) == names[1]
    assert evidence.of(1, by_line) is None  # there is no picture
    assert evidence.clip("00057") == decode(a_clip())


def test_a_clip_that_a_power_cut_has_torn_is_none(tmp_path: Path) -> None:
    evidence = Evidence(tmp_path / "2026-01-01-200000-sen_so")
    evidence.keep(a_clip(), [57], kind=CLIP)
    path = tmp_path / "2026-01-01-200000-sen_so" / "00057.avi"
    path.write_bytes(path.read_bytes()[:500])
    (path.parent / "00058.avi.new").write_bytes(b"RIFF")

    assert evidence.clip("00057") is None
    again = Evidence(path.parent)
    again.keep(a_clip(), [59], kind=CLIP)
    assert sorted(each.name for each in path.parent.iterdir()) == ["00057.avi", "00059.avi"]


def test_one_match_cannot_take_the_room_of_all(tmp_path: Path) -> None:
    clip = a_clip()
    evidence = Evidence(tmp_path / "2026-01-01-200000-sen_so", quota=3 * SHARE * len(clip) + SHARE)
    kept = [evidence.keep(clip, [line], kind=CLIP) for line in range(1, 9)]

    assert [bool(names) for names in kept] == [True] * 3 + [False] * 5
    assert evidence.keep(picture(9), [90]) == ["00090"]  # a picture still is


def test_the_clips_of_the_oldest_match_that_is_over_go_first(tmp_path: Path) -> None:
    clip = a_clip()
    for day in range(1, 6):
        name = f"2026-01-0{day}-200000-sen_so"
        (tmp_path / f"{name}.kifu").touch()
        evidence = Evidence(tmp_path / name, quota=SHARE * len(clip))
        for line in range(1, 4):
            evidence.keep(clip, [line], kind=CLIP if line == 1 else ".jpg")

    assert sorted(each.name[:10] for each in tmp_path.glob("*/")) == ["2026-01-04", "2026-01-05"]
    assert sorted(each.name for each in (tmp_path / "2026-01-05-200000-sen_so").iterdir())[0] == "00001.avi"
