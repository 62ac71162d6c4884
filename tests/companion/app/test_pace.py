"""How often the camera is looked at."""

from companion.app.pace import Pace


def looks(pace: Pace, begin: float, seconds: float, *, moving: bool = False, playing: bool = False) -> float:
    """Looks a second, if the camera gives thirty pictures."""
    count = 0
    for step in range(round(seconds * 30)):
        now = begin + step / 30
        if pace.due(now, moving=moving, playing=playing):
            count += 1
            pace.begin(now)
            pace.done(now + 0.01)
    return count / seconds


def test_the_camera_rests_when_nobody_is_there_and_wakes_with_a_press() -> None:
    pace = Pace(idle=0.5)
    pace.stir(100.0)

    assert 7 < looks(pace, 100.0, 9.0) <= 10.5
    assert 1.8 < looks(pace, 111.0, 20.0) <= 2.2
    pace.stir(131.0)
    assert looks(pace, 131.0, 5.0) > 7


def test_a_hand_is_followed_with_every_picture() -> None:
    pace = Pace()

    assert looks(pace, 1000.0, 5.0, moving=True) == 30
    assert looks(pace, 1005.0, 5.0) > 7


def test_whoever_thinks_for_long_is_still_watched() -> None:
    pace = Pace(idle=2.0)
    pace.stir(0.0)

    assert looks(pace, 30.0, 10.0, playing=True) > 7
    assert 4 < looks(pace, 100.0, 30.0, playing=True) < 6


def test_the_camera_steps_back_before_the_match_waits_and_comes_back_by_itself() -> None:
    pace = Pace()
    looks(pace, 0.0, 5.0, moving=True)
    for _ in range(20):
        pace.polled(0.3)

    assert pace.strained
    for now in range(3):
        pace.begin(10.0 + now)
        pace.done(10.2 + now)  # a frame that takes long
    assert looks(pace, 20.0, 5.0, moving=True) < 30
    for _ in range(60):
        pace.polled(0.0)
    assert not pace.strained
    assert looks(pace, 30.0, 5.0, moving=True) == 30


def test_what_rests_on_purpose_has_no_rate() -> None:
    pace = Pace()
    pace.stir(0.0)
    looks(pace, 0.0, 4.0)

    rate = pace.rate_awake(4.0)
    assert rate is not None
    assert 6 < rate < 11
    assert pace.rate_awake(60.0) is None
