"""What rulings tell the page, as data: enough to draw it without reading the sentence or the rule's number."""

from typing import get_args

import msgspec
import pytest

from companion.games.sen_so import GAME
from companion.games.sen_so.happenings import (
    AttackAimed,
    AttackGlanced,
    BlowsExchanged,
    NinjaCollided,
    NinjaMoved,
    NinjaStruck,
)


def happened(match):
    return [ruling.happened for ruling in match.rulings if ruling.happened is not None]


def test_a_move_tells_where_from_and_where_to(bout):
    match = bout(starts={"Aki": "e4", "Ben": "a9"}).set(Aki="move FR", Ben="attack B")

    assert happened(match) == [NinjaMoved("Aki", "e4", "f5")]


def test_a_collision_tells_where_it_ended_and_a_bounce_to_the_start_is_no_move(bout):
    match = bout(starts={"Aki": "e1", "Ben": "e8"}, weapons={"Ben": ["bo_staff"]}).set(Aki="move B", Ben="leap B")

    assert happened(match) == [
        NinjaCollided("Aki", "e1"),
        NinjaCollided("Ben", "e9"),
        NinjaMoved("Ben", "e8", "e9"),
    ]


@pytest.mark.parametrize(("side", "blocked"), [("F", True), (None, False)])
def test_a_blow_tells_who_struck_whom_where_and_whether_it_was_blocked(bout, side, blocked):
    match = bout(starts={"Aki": "e4", "Ben": "e5"}).set(Aki="attack F", Ben="attack B").guard(Ben=side)

    assert NinjaStruck("Aki", "Ben", "e4", "e5", blocked) in happened(match)


def test_blows_that_both_block_are_told_once(bout):
    match = bout(starts={"Aki": "e4", "Ben": "e5"}).set(Aki="attack F", Ben="attack F").guard(Aki="F", Ben="F")

    assert happened(match) == [BlowsExchanged("Aki", "Ben", "e4", "e5")]


@pytest.mark.parametrize("glancing", ["attack", "wound", "blow", "none"])
def test_an_aim_and_a_glance_tell_the_space(bout, glancing):
    match = bout(starts={"Aki": "e4", "Ben": "e6"}, weapons={"Aki": ["nunchaku"]}, glancing=glancing)
    match.set(Aki="attack F", Ben="attack B").aim(Aki="e5")

    assert happened(match) == [AttackAimed("Aki", "e4", "e5"), AttackGlanced("Aki", ("Ben",), "e4", "e5")]


def test_each_kind_has_a_name_of_its_own_and_goes_there_and_back_as_json():
    kinds = get_args(GAME.rules.happenings)
    struck = NinjaStruck("Aki", "Ben", "e4", "e5", blocked=True)

    assert len({kind.__struct_config__.tag for kind in kinds}) == len(kinds)
    assert msgspec.to_builtins(struck)["what"] == "struck"
    assert msgspec.json.decode(msgspec.json.encode(struck), type=GAME.rules.happenings) == struck
