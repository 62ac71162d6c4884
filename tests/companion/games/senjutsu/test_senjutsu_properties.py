"""What holds in every duel, however it goes."""

import random
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.core.rulings import Refused
from companion.games.senjutsu import GAME
from companion.games.senjutsu.card_language.ability import PASSIVE, STUN
from companion.record.match import Match

NAMES = ("Aki", "Ben", "Cho", "Dai")
STEPS = 160

switches = st.fixed_dictionaries(
    {},
    optional={
        "empty_deck": st.sampled_from(["mixed", "wound", "stun"]),
        "block_timing": st.sampled_from(["equal", "equal_or_faster"]),
        "stun_defeat": st.sampled_from(["over", "limit"]),
        "collision_cancels": st.sampled_from(["mover", "first_mover"]),
        "edge_cancels": st.booleans(),
        "advantage_symbol": st.sampled_from(["top", "up"]),
        "instant_order": st.sampled_from(["top", "bottom"]),
        "health": st.integers(1, 6),
        "hand_limit": st.integers(1, 6),
        "terrain": st.sampled_from([[], ["d3", "e2"], {"c3": "bamboo"}]),
        "arena": st.sampled_from([(8, 5), (4, 4)]),
    },
)


def match_of(count: int, options: dict[str, Any]) -> Match | None:
    try:
        return Match(GAME, NAMES[:count], options)
    except Refused:
        return None  # terrain that leaves no start hex, or lies outside a small arena


def tells(move: Any) -> dict[str, Any]:
    fields: dict[str, Any] = msgspec.to_builtins(move)
    return fields


duels = given(st.integers(2, 4), switches, st.integers(0, 2**32))
few = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def play(match: Match, seed: int) -> Any:
    """Random moves out of the options; yields the player and the move before it is made."""
    chance = random.Random(seed)
    for _ in range(STEPS):
        awaited = sorted(match.awaits)
        if not awaited:
            return
        player = chance.choice(awaited)
        offered = GAME.rules.legal_moves(match.state, match.sealed, player)
        assert offered, match.awaits
        move = chance.choice(offered)
        yield player, move
        match.move(player, move)


@pytest.mark.rule("SJ-33", "SJ-34", "SJ-13", "SJ-R10", "SJ-R12", "SJ-R34")
@few
@duels
def test_wounds_never_fall_cards_balance_and_the_fallen_do_nothing(
    count: int, options: dict[str, Any], seed: int
) -> None:
    match = match_of(count, options)
    if match is None:
        return
    before = match.facts
    for player, _ in play(match, seed):
        now = match.facts
        for name in match.players:
            assert now["wounds"][name] >= before["wounds"][name]
            assert now["bleeding"][name] >= before["bleeding"][name]
            assert now["samurai"][name]["defeated"] >= before["samurai"][name]["defeated"]
            played = [card for card in now["played"][name] if card not in (PASSIVE, STUN)]
            held = now["decks"][name] + now["hands"][name] - now["stuns"][name] + now["discards"][name]
            assert held + len(played) == 40
            fallen = now["wounds"][name] + now["bleeding"][name] >= now["health"][name]
            assert not fallen or now["samurai"][name]["defeated"]
            assert min(now["decks"][name], now["hands"][name], now["stuns"][name]) >= 0
        assert not now["samurai"][player]["defeated"]
        places = [one["hex"] for one in now["samurai"].values() if not one["defeated"]]
        assert len(set(places)) == len(places)
        before = now
    standing = [name for name in match.players if not match.facts["samurai"][name]["defeated"]]
    assert match.over is (len(standing) < 2)
    assert match.facts["winners"] == (standing if match.over else [])


@few
@duels
def test_every_option_is_accepted_and_undo_and_replay_are_exact(count: int, options: dict[str, Any], seed: int) -> None:
    match = match_of(count, options)
    if match is None:
        return
    made: list[tuple[str, dict[str, Any]]] = []
    chance = random.Random(seed)
    for player, move in play(match, seed):
        for offered in GAME.rules.legal_moves(match.state, match.sealed, player):
            GAME.rules.check(match.state, match.sealed, player, offered)
            assert match.decode(tells(offered)) == offered
        made.append((player, tells(move)))
        if chance.random() < 0.1:
            state, sealed, facts = match.state, match.sealed, match.facts
            match.move(player, move)
            match.undo(1)
            assert (match.state, match.sealed, match.facts) == (state, sealed, facts)
    again = Match(GAME, match.players, match.options)
    for player, fields in made:
        again.move(player, again.decode(fields))
    assert again.facts == match.facts
    assert again.state == match.state


@few
@duels
def test_a_refused_move_changes_nothing(count: int, options: dict[str, Any], seed: int) -> None:
    match = match_of(count, options)
    if match is None:
        return
    chance = random.Random(seed)
    wild: list[dict[str, Any]] = [
        {"move": "select"},
        {"move": "reveal", "card": "quick_stab"},
        {"move": "reveal", "card": "stun"},
        {"move": "speed", "value": chance.randint(-2, 12)},
        {"move": "instant", "card": "emergency_block"},
        {"move": "pass"},
        {"move": "step", "path": ["N", "c3", "z1"]},
        {"move": "rotate", "facing": "NE"},
        {"move": "kamae", "to": "aggression"},
        {"move": "choose", "option": 7},
        {"move": "draw", "cards": 9},
        {"move": "discard", "cards": ["stun"]},
    ]
    for _ in play(match, seed):
        state, facts, player = match.state, match.facts, chance.choice(match.players)
        move = match.decode(chance.choice(wild))
        refusal = refusal_of(match, player, move)
        if refusal is None:
            match.undo(1)
            assert match.state == state
            continue
        assert match.state is state
        assert match.facts == facts
        assert refusal.rules
        assert set(refusal.rules) <= set(GAME.rules.catalogue())
        assert "{" not in refusal.text


def refusal_of(match: Match, player: str, move: Any) -> Refused | None:
    try:
        match.move(player, move)
    except Refused as refusal:
        return refusal
    return None


@few
@duels
def test_every_ruling_tells_the_change_that_was_made(count: int, options: dict[str, Any], seed: int) -> None:
    match = match_of(count, options)
    if match is None:
        return
    chance, rules = random.Random(seed), GAME.rules.catalogue()
    for _ in range(STEPS):
        if not match.awaits:
            break
        player = chance.choice(sorted(match.awaits))
        before = flat(match.facts)
        rulings = match.move(player, chance.choice(GAME.rules.legal_moves(match.state, match.sealed, player)))
        told: dict[str, Any] = {}
        for ruling in rulings:
            assert ruling.rule in rules
            assert "{" not in ruling.text
            for path, (old, new) in ruling.changes.items():
                assert told.get(path, before[path]) == old
                told[path] = new
        for path, value in flat(match.facts).items():
            if path.startswith(WATCHED) or path.endswith((".facing", ".kamae", ".defeated")):
                assert told.get(path, before[path]) == value, path


WATCHED = (
    "wounds",
    "bleeding",
    "stuns",
    "hands",
    "decks",
    "discards",
    "advantage",
    "round",
    "phase",
    "over",
    "winners",
)


def flat(facts: dict[str, Any], head: str = "") -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in facts.items():
        if isinstance(value, dict):
            found |= flat(value, f"{head}{key}.")
        else:
            found[head + key] = value
    return found


@few
@duels
def test_a_view_holds_only_what_lies_open(count: int, options: dict[str, Any], seed: int) -> None:
    """Two tables that differ only in sealed choices look the same to everybody."""
    match = match_of(count, options)
    if match is None:
        return
    for _ in play(match, seed):
        views = [msgspec.to_builtins(GAME.rules.view(match.state, viewer)) for viewer in (None, *match.players)]
        for view in views:
            view.pop("viewer")
        assert all(view == views[0] for view in views)
        if match.sealed:
            assert not any(one["played"] for one in views[0]["samurai"])


@pytest.mark.rule("SJ-R13", "SJ-R34", "SJ-52")
@pytest.mark.parametrize("seed", range(12))
def test_a_duel_comes_to_its_end(seed: int) -> None:
    """Decks run out and are never refilled, so nobody can go on for ever."""
    match, chance = Match(GAME, NAMES[: 2 + seed % 3]), random.Random(seed)
    while match.awaits:
        player = chance.choice(sorted(match.awaits))
        match.move(player, chance.choice(GAME.rules.legal_moves(match.state, match.sealed, player)))

    assert match.facts["round"] < 60
    assert len(match.facts["winners"]) <= 1
