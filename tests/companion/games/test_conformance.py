"""What every game owes to the match, whatever its rules: one suite, all games.

A new game joins by existing. Where its defaults need no options it needs nothing here; otherwise name a few
headers in HEADERS.
"""

from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion import games
from companion.core.rulings import Refused, Ruling
from companion.games.kit.game import Move
from companion.record import kifu
from companion.record.match import Match
from companion.record.replay import Replay

NAMES = ("Aki", "Ben", "Cho", "Dai", "Emi", "Fay")
HEADERS: dict[str, list[tuple[int, dict[str, Any]]]] = {
    "sen_so": [
        (2, {"end": {"actions": 6}, "board": [5, 5]}),
        (3, {"end": {"points": 6}, "board": [4, 4], "glancing": "choice", "rotating_block": True}),
        (4, {"knock_out": 10, "board": [3, 3]}),
        (2, {"knock_out": 10, "advanced_knock_out": True, "board": [3, 3], "glancing": "blow"}),
    ],
    "san_ni_ichi": [(3, {}), (4, {"teams": [["Aki", "Cho"], ["Ben", "Dai"]]}), (6, {"scoring": "cards"})],
    "sensu": [
        (1, {}),
        (2, {"variants": ["powers", "chosen_fan"], "chosen": {"Aki": "gun_sen", "Ben": "hi_ogi"}}),
        (5, {"variants": ["powers"]}),
    ],
}
"""Players and options that reach much of a game in few moves; without an entry a game is played with its defaults."""


def _exists(name: str) -> bool:
    spec = find_spec(f"companion.games.{name}")
    return spec is not None and spec.origin is not None


def _matches() -> list[Any]:
    found = []
    for name in filter(_exists, games.names()):
        seats = games.game(name).seats
        headers = HEADERS.get(name) or [(count, {}) for count in sorted({seats[0], max(2, seats[0]), seats[-1]})]
        found += [pytest.param(name, *header, id=f"{name}-{at}") for at, header in enumerate(headers, 1)]
    return found


every_match = pytest.mark.parametrize(("name", "count", "options"), _matches())
choices = st.lists(st.integers(0, 2**20), max_size=60)
few = settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def begin(name: str, count: int, options: Mapping[str, Any]) -> Match:
    return Match(games.game(name), NAMES[:count], options)


def choose(match: Match, choice: int) -> tuple[str, Move]:
    """One of all moves that are open to anybody."""
    awaited = list(match.awaits)
    player = awaited[choice % len(awaited)]
    open_moves = match.game.rules.legal_moves(match.state, match.sealed, player)
    return player, open_moves[(choice // 7) % len(open_moves)]


def play(match: Match, drawn: Sequence[int]) -> Iterator[tuple[str, Move, tuple[Ruling, ...]]]:
    """Make one move for each number, until the match is over."""
    for choice in drawn:
        if match.over:
            return
        player, move = choose(match, choice)
        yield player, move, match.move(player, move)


def fields(move: Move) -> dict[str, Any]:
    return dict(msgspec.to_builtins(move))


def refusal_of(match: Match, player: str, move: Move) -> Refused | None:
    try:
        match.move(player, move)
    except Refused as refusal:
        return refusal
    return None


def shown_to(match: Match, viewer: str | None) -> Any:
    """A view as a page gets it."""
    return msgspec.json.decode(msgspec.json.encode(match.game.rules.view(match.state, viewer)))


@every_match
@few
@given(drawn=choices)
def test_replaying_the_lines_gives_the_same_state(name, count, options, drawn):
    match = begin(name, count, options)
    line, check = kifu.write({"kifu": 1, "game": name, "players": match.players, "options": options}, 0)
    lines = [line]
    for player, move, _ in play(match, drawn):
        line, check = kifu.write({"by": player, **fields(move)}, check)
        lines.append(line)

    again = Replay(b"".join(lines)).finish()
    assert again.state == match.state
    assert again.sealed == match.sealed
    assert again.facts == match.facts


@every_match
@few
@given(drawn=choices, strange=st.lists(st.integers(0, 2**20), max_size=6))
def test_a_refused_move_changes_nothing_and_names_rules_that_exist(name, count, options, drawn, strange):
    match = begin(name, count, options)
    known = match.game.rules.catalogue()
    seen: list[Move] = []
    for _, move, _ in play(match, drawn):
        seen.append(move)
        for choice in strange:
            player, odd = match.players[choice % count], seen[choice // 7 % len(seen)]
            state, sealed, facts, moves = match.state, match.sealed, match.facts, match.moves
            refusal = refusal_of(match, player, odd)
            if refusal is None:
                match.undo(1)
            else:
                assert set(refusal.rules) <= set(known), refusal.rules
                assert refusal.text.endswith(".")
            assert (match.state, match.sealed, match.facts, match.moves) == (state, sealed, facts, moves)


@every_match
@few
@given(drawn=choices)
def test_what_is_awaited_can_be_done_and_every_option_is_accepted(name, count, options, drawn):
    match = begin(name, count, options)
    pick = Random(len(drawn))
    for _ in play(match, drawn):
        for player in match.players:
            kinds = match.awaits.get(player, ())
            found = match.game.rules.legal_moves(match.state, match.sealed, player)
            assert {move.kind for move in found} <= set(kinds)
            assert bool(found) == bool(kinds), f"{player} is awaited for {kinds}"
            for move in found:
                match.game.rules.check(match.state, match.sealed, player, match.decode(fields(move)))
            for move in pick.sample(list(found), min(3, len(found))):
                match.move(player, move)
                match.undo(1)


@every_match
@few
@given(drawn=choices)
def test_undo_is_exact(name, count, options, drawn):
    match = begin(name, count, options)
    past = [(match.state, match.sealed, match.facts)]
    past += [(match.state, match.sealed, match.facts) for _ in play(match, drawn)]
    for back in range(1, len(past)):
        here = match.moves
        match.undo(back)
        assert (match.state, match.sealed, match.facts) == past[here - back]
        for _ in play(match, drawn[here - back :]):
            pass
        assert (match.state, match.sealed, match.facts) == past[here]
        if back * back > 2 * len(past):
            break


@every_match
@few
@given(drawn=choices)
def test_facts_and_rulings_are_plain_and_the_match_is_over_when_nothing_is_awaited(name, count, options, drawn):
    match = begin(name, count, options)
    known = match.game.rules.catalogue()
    for _, _, rulings in play(match, drawn):
        facts = match.facts
        assert msgspec.json.decode(msgspec.json.encode(facts)) == msgspec.to_builtins(facts)
        assert facts["over"] is (not facts["awaits"])
        assert facts["over"] is bool(facts["winners"]) or (facts["over"] and count == 1)
        assert facts["winners"] == [player for player in match.players if player in facts["winners"]]
        for ruling in rulings:
            assert ruling.rule in known, ruling.rule
            assert ruling.text
            assert msgspec.json.encode(ruling.changes)


@every_match
@few
@given(drawn=choices)
def test_no_view_tells_what_somebody_has_sealed(name, count, options, drawn):
    """Two runs that differ only in a sealed move look the same to everybody."""
    match = begin(name, count, options)
    for _ in play(match, drawn):
        for player in match.awaits:
            found = match.game.rules.legal_moves(match.state, match.sealed, player)
            for kind in match.game.rules.together:
                held = [move for move in found if move.kind == kind]
                looks = {_look(match, player, move) for move in held[:1] + held[-1:]}
                assert len(looks - {b""}) <= 1


def _look(match: Match, player: str, move: Move) -> bytes:
    """All that anybody is shown after that move, or nothing where it does not stay sealed."""
    match.move(player, move)
    shown = b""
    if player in match.sealed:
        views = [match.game.rules.view(match.state, viewer) for viewer in (None, *match.players)]
        shown = msgspec.json.encode([views, match.awaits])
    match.undo(1)
    return shown


@every_match
@few
@given(drawn=choices)
def test_a_spectator_is_shown_nothing_that_is_kept_for_a_player(name, count, options, drawn):
    """Where views differ, the spectator's has a blank there: what one player alone is shown is that player's own."""
    match = begin(name, count, options)
    for _ in play(match, drawn):
        spectator = shown_to(match, None)
        for player in match.players:
            own = shown_to(match, player)
            for path, value in _told_differently(spectator, own):
                assert not value or value == "hidden", f"{path} is {value!r} to a spectator, and not to {player}"


def _told_differently(spectator: Any, own: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(spectator, dict) and isinstance(own, dict):
        for key in spectator:
            yield from _told_differently(spectator[key], own.get(key), f"{path}.{key}")
    elif isinstance(spectator, list) and isinstance(own, list) and len(spectator) == len(own):
        for at, (theirs, mine) in enumerate(zip(spectator, own, strict=True)):
            yield from _told_differently(theirs, mine, f"{path}.{at}")
    elif spectator != own:
        yield path, spectator


@every_match
def test_a_random_match_comes_to_an_end_and_can_be_shown_and_laid_out_all_along(name, count, options):
    match = begin(name, count, options)
    pick = Random(7)
    layout = match.game.table.layout(match.state)
    zones = [zone.name for zone in layout.zones]
    assert len(set(zones)) == len(zones)
    while not match.over:
        assert match.moves < 3000
        match.move(*choose(match, pick.randrange(2**20)))
        if match.moves % 20 == 0:
            assert match.game.table.layout(match.state).zones
            assert match.game.table.deck(match.state).cards

    assert match.facts["winners"] or count == 1
    for player in match.players:
        assert not match.game.rules.legal_moves(match.state, match.sealed, player)
