"""What holds in every Sen So match, whatever is played."""

from itertools import pairwise

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.sen_so import GAME, legal_moves
from companion.games.sen_so.cards import SHURIKEN
from companion.games.sen_so.geometry import turned
from companion.games.sen_so.state import SenSoState
from companion.record.match import Match

PLAYERS = ("Aki", "Ben", "Cho", "Dai")
HEADERS = [
    {"end": {"actions": 8}, "board": [4, 4]},
    {"end": {"points": 9}, "board": [5, 3], "block_bearing": "arrow", "weapon_waives_bans": True},
    {"knock_out": 10, "board": [3, 4], "flying_attack_after_collision": False},
    {"end": {"actions": 8}, "board": [4, 4], "glancing": "choice", "rotating_block": True},
]
headers = st.sampled_from(HEADERS)
counts = st.integers(2, 4)
choices = st.lists(st.integers(0, 2**20), min_size=10, max_size=120)
some = settings(max_examples=30, deadline=None)


def play(count, header, drawn):
    """A match, and the states it has been through with the rulings that led there."""
    match = Match(GAME, PLAYERS[:count], header)
    states: list[tuple[SenSoState, tuple]] = [(match.state, ())]
    for choice in drawn:
        if match.over:
            break
        player = list(match.awaits)[choice % len(match.awaits)]
        found = GAME.rules.legal_moves(match.state, match.sealed, player)
        rulings = match.move(player, found[choice // 7 % len(found)])
        states.append((match.state, rulings))
    return match, states


@some
@given(counts, headers, choices)
def test_no_space_ever_holds_two_and_nobody_leaves_the_board(count, header, drawn):
    _, states = play(count, header, drawn)
    for state, _ in states:
        cells = [ninja.cell for ninja in state.ninjas if not ninja.out]
        assert len(set(cells)) == len(cells)
        assert all(cell in state.board.cells for cell in cells)


@some
@given(counts, headers, choices)
def test_every_change_of_points_place_weapon_and_block_is_told_by_a_ruling(count, header, drawn):
    _, states = play(count, header, drawn)
    for (before, _), (after, rulings) in pairwise(states):
        told = _flat(GAME.rules.facts(before))
        for ruling in rulings:
            for path, (old, new) in ruling.changes.items():
                assert told[path] == old, f"{path} was {told[path]}, and the ruling says {old}"
                told[path] = new
        now = _flat(GAME.rules.facts(after))
        for path, value in now.items():
            untold = ("momentum", "loadout", "set", "phase", "clock")
            assert told[path] == value or path.endswith(untold), path


def _flat(facts, path=""):
    if isinstance(facts, dict):
        return {key: value for name, inner in facts.items() for key, value in _flat(inner, f"{path}.{name}").items()}
    return {path.removeprefix("."): facts}


@some
@given(counts, choices)
def test_points_come_in_the_amounts_of_the_booklet(count, drawn):
    """I10: an attacker gains 0, 5, or 1 to 8 by glances in a set; a loss is a multiple of 5."""
    _, states = play(count, {"end": {"actions": 8}, "board": [3, 3]}, drawn)
    for _, rulings in states:
        for ruling in rulings:
            for path, (old, new) in ruling.changes.items():
                if path.startswith("scores."):
                    assert new - old in (5, -5, 1, 2, 3)


@some
@given(counts, headers, choices)
def test_what_others_chose_and_have_not_shown_changes_nothing_that_a_viewer_is_told(count, header, drawn):
    """Two loadouts with the same weapon in play look the same to everybody else, awaited moves included."""
    match, states = play(count, header, drawn)
    for state, _ in states:
        for index, ninja in enumerate(state.ninjas):
            if ninja.loadout is None:
                continue
            for arm in legal_moves.LOADOUTS[:: max(1, len(drawn) % 7)]:
                if not _could_be(arm.weapons, ninja):
                    continue
                other = state.with_ninja(index, loadout=arm.weapons)
                assert GAME.rules.awaits(other, {}) == GAME.rules.awaits(state, {})
                for viewer in (None, *match.players):
                    if viewer != ninja.name:
                        assert GAME.rules.view(other, viewer) == GAME.rules.view(state, viewer)


def _could_be(weapons, ninja):
    """Whether that loadout is possible after what everybody has seen."""
    held = [weapon for weapon in weapons if weapon != SHURIKEN]
    in_hand = ninja.weapon in held if ninja.weapon else bool(held) == bool(ninja.weapons)
    return in_hand and weapons.count(SHURIKEN) >= ninja.thrown


@some
@given(counts, choices)
def test_the_order_in_which_players_reveal_makes_no_difference(count, drawn):
    match, states = play(count, {"end": {"actions": 8}, "board": [4, 4]}, drawn)
    for state, _ in states:
        if state.phase != "pre_actions" or any(ninja.acted for ninja in state.ninjas):
            continue
        reveals = {
            player: legal_moves.REVEALS_WITHOUT_SHURIKEN[(drawn[at] + at) % len(legal_moves.REVEALS_WITHOUT_SHURIKEN)]
            for at, player in enumerate(match.players)
        }
        backwards = dict(reversed(reveals.items()))
        assert GAME.rules.apply(state, reveals) == GAME.rules.apply(state, backwards)


@given(st.integers(-4, 4), st.integers(-4, 4), st.integers(0, 7), st.integers(0, 7))
def test_turning_an_offset_keeps_its_ring_and_eight_eighths_bring_it_back(right, forward, first, second):
    once = turned((right, forward), first)

    assert max(map(abs, once)) == max(abs(right), abs(forward))
    assert turned(once, second) == turned((right, forward), (first + second) % 8)
    assert turned(turned((right, forward), first), 8 - first) == (right, forward)
    if first % 2 == 0:
        exact = {0: (right, forward), 2: (forward, -right), 4: (-right, -forward), 6: (-forward, right)}
        assert once == exact[first], "a quarter turn is a true rotation"


@pytest.mark.parametrize("seed", range(3))
def test_a_state_survives_being_written_down_and_read_again(seed):
    match, _ = play(3, HEADERS[seed], [seed * 7919 + step * 104729 for step in range(60)])

    assert msgspec.json.decode(msgspec.json.encode(match.state), type=SenSoState) == match.state
