"""What holds for every match, whoever plays and however they play."""

import random
from collections import Counter
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.rulings import Refused
from companion.games.san_ni_ichi import GAME
from companion.games.san_ni_ichi.cards import DECKS
from companion.record.match import Match

NAMES = ("Aki", "Ben", "Cho", "Dai", "Eri", "Fuu")
STRANGE = [
    {"move": "select"},
    {"move": "sit_out", "cards": ["torinoko-1"]},
    {"move": "sit_out", "cards": ["torinoko-1", "torinoko-2"]},
    {"move": "reveal", "card": "fire-1"},
    {"move": "reveal", "card": "torinoko-1"},
    {"move": "reveal", "card": "fire-11"},
    {"move": "play", "on": "Aki"},
    {"move": "play", "on": "Ben", "counter": "Cho"},
    {"move": "play", "on": "Cho", "element": "fire"},
    {"move": "discard"},
    {"move": "block", "for": "Cho"},
    {"move": "sai", "swap": ["Aki", "Ben"]},
    {"move": "shuriken", "target": "Nobody"},
    {"move": "tonfa", "from": "Aki", "discard": "fire-1"},
    {"move": "smoke", "draw": "fire-1"},
    {"move": "smoke", "for": "Cho"},
    {"move": "pass"},
]


@st.composite
def headers(draw: Any) -> tuple[tuple[str, ...], dict[str, Any]]:
    players = draw(st.integers(3, 6))
    options: dict[str, Any] = {
        "deck": list(draw(st.sampled_from(DECKS[players]))),
        "scoring": draw(st.sampled_from(["strength", "cards"])),
        "dealer": draw(st.sampled_from(NAMES[:players])),
        "weapons_may_be_discarded": draw(st.booleans()),
        "yoso_may_start_pile": draw(st.booleans()),
        "last_smoke_bomb": draw(st.booleans()),
    }
    if draw(st.booleans()):
        numbers = st.integers(0, 25)
        kind = st.sampled_from(["shuriken", "block", "torinoko", "torinoko", "sai", "tonfa", "yoso_kogeki"])
        weapon = st.builds("{}-{}".format, kind, numbers)
        number = options["deck"][1]
        options["weapons"] = draw(st.lists(weapon, min_size=number, max_size=number))
    if players in (4, 6) and draw(st.booleans()):
        options["teams"] = [list(NAMES[at : at + 2]) for at in range(0, players, 2)]
    return NAMES[:players], options


def located(state: Any) -> int:
    """How many cards are somewhere: in hands, face down, on the table, in piles."""
    piles = (
        *state.piles,
        *state.damage,
        state.discards,
        state.spent,
        state.order[state.turn :],
        state.selected,
    )
    return sum(state.hands) + sum(map(len, piles))


def after(facts: dict[str, Any], changes: dict[str, tuple[Any, Any]]) -> None:
    """Carry out a ruling's changes on the facts, holding it to what it says was there before."""
    for path, (before, now) in changes.items():
        head, _, name = path.partition(".")
        place, key = (facts[head], name) if name else (facts, head)
        assert place[key] == before, path
        place[key] = now


@settings(max_examples=60, deadline=None)
@given(headers(), st.randoms(use_true_random=False))
def test_any_match_of_allowed_moves_ends_with_every_card_accounted_for(header: Any, chance: random.Random) -> None:
    names, options = header
    match = Match(GAME, names, options)
    while not match.over:
        player = chance.choice(list(match.awaits))
        choices = GAME.rules.legal_moves(match.state, match.sealed, player)
        assert choices, "somebody is awaited and can do nothing"
        for move in choices:
            GAME.rules.check(match.state, match.sealed, player, move)
        facts = msgspec.to_builtins(GAME.rules.facts(match.state))
        for ruling in match.move(player, chance.choice(choices)):
            assert "{" not in ruling.text
            assert ruling.rule in GAME.rules.catalogue()
            after(facts, ruling.changes)
        assert facts == msgspec.to_builtins(GAME.rules.facts(match.state))
        assert located(match.state) == 7 * len(names)

    facts = match.facts
    assert facts["over"]
    assert facts["winners"]
    assert facts["piles"] == {name: [] for name in names}
    assert facts["hands"] == dict.fromkeys(names, 0)


def refusal_of(match: Match, player: str, fields: dict[str, Any]) -> Refused | None:
    try:
        match.move(player, match.decode(fields))
    except Refused as refusal:
        return refusal
    return None


@settings(max_examples=60, deadline=None)
@given(headers(), st.randoms(use_true_random=False), st.integers(1, 90))
def test_whatever_is_refused_changes_nothing_and_cites_rules_that_exist(
    header: Any, chance: random.Random, moves: int
) -> None:
    names, options = header
    match = Match(GAME, names, options)
    for _ in range(moves):
        if match.over:
            break
        for fields in chance.sample(STRANGE, 4):
            state, sealed, standing = match.state, match.sealed, match.moves
            refusal = refusal_of(match, chance.choice(names), fields)
            if refusal is None:
                match.undo(1)
            else:
                assert set(refusal.rules) <= set(GAME.rules.catalogue())
                assert "{" not in refusal.text
            assert (match.state, match.sealed, match.moves) == (state, sealed, standing)
        player = chance.choice(list(match.awaits))
        match.move(player, chance.choice(GAME.rules.legal_moves(match.state, match.sealed, player)))


@settings(max_examples=15, deadline=None)
@given(headers(), st.randoms(use_true_random=False))
def test_the_same_moves_give_the_same_match_and_undo_is_exact(header: Any, chance: random.Random) -> None:
    names, options = header
    match = Match(GAME, names, options)
    states, lines = [match.state], []
    while not match.over:
        player = chance.choice(list(match.awaits))
        move = chance.choice(GAME.rules.legal_moves(match.state, match.sealed, player))
        lines.append((player, msgspec.to_builtins(move)))
        match.move(player, move)
        states.append(match.state)
    again = Match(GAME, names, options)
    for player, fields in lines:
        again.move(player, again.decode(fields))

    assert again.state == match.state
    back = chance.randrange(1, len(lines) + 1)
    match.undo(back)
    assert match.state == states[len(lines) - back]


@settings(max_examples=20, deadline=None)
@given(headers(), st.randoms(use_true_random=False))
def test_no_view_shows_a_face_down_card_a_damage_pile_or_a_total_before_the_end(
    header: Any, chance: random.Random
) -> None:
    names, options = header
    match = Match(GAME, names, options)
    for _ in range(chance.randrange(120)):
        if match.over:
            break
        player = chance.choice(list(match.awaits))
        match.move(player, chance.choice(GAME.rules.legal_moves(match.state, match.sealed, player)))
    if match.over:
        return
    state = match.state
    blank = msgspec.structs.replace(
        state,
        known=((),) * len(names),
        unseen=Counter(),
        unnamed=0,
        damage=tuple(tuple("fire-1" for _ in pile) for pile in state.damage),
    )
    for viewer in (None, *names):
        assert GAME.rules.view(state, viewer) == GAME.rules.view(blank, viewer)
    sealed_view = msgspec.json.encode(GAME.rules.view(state, None))
    assert b'"total":null' in sealed_view


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_who_is_asked_for_a_bomb_depends_on_counts_alone(players: int) -> None:
    """Two tables that look alike ask alike, whoever holds the bomb: `awaits` sees no hand at all."""
    match = Match(GAME, NAMES[:players], {})
    for name in match.players:
        match.move(name, match.decode({"move": "select"}))
    for name, card in zip(match.players, ("fire-1", "fire-2", "fire-3", "fire-4", "fire-5", "water-1"), strict=False):
        match.move(name, match.decode({"move": "reveal", "card": card}))
    while match.facts["phase"] == "attack":
        match.move(next(iter(match.awaits)), match.decode({"move": "discard"}))

    assert match.awaits == dict.fromkeys(match.players, ("smoke", "pass"))
    for name in match.players:
        kinds = {move.kind for move in GAME.rules.legal_moves(match.state, match.sealed, name)}
        assert kinds == {"smoke", "pass"}
