"""What the referee does by hand: written down, replayed, taken back. The transcripts in tests/kifu have every game."""

import json
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from companion.cli.replay import replay
from companion.core.message import message
from companion.core.rulings import Refused
from companion.games import game, names
from companion.record import acts, kifu
from companion.record.journal import JournalFailed
from companion.record.match import Match
from companion.record.recorded_match import RecordedMatch, header
from companion.record.replay import Replay

WHY = "because"
HEADER = {"kifu": 1, "game": "sen_so", "players": ["Aki", "Ben"], "options": {"end": {"time": 600}}}


def sen_so(**options):
    return Match(game("sen_so"), ["Aki", "Ben"], options or {"end": {"time": 600}})


def act(match, kind, **fields):
    return match.act(acts.decode({"referee": kind, **fields}))


def refused(match, kind, **fields):
    before = match.state, match.sealed, match.facts, match.moves
    with pytest.raises(Refused) as refusal:
        act(match, kind, **fields)
    assert (match.state, match.sealed, match.facts, match.moves) == before
    return refusal.value


def arm(match, player):
    match.move(player, match.decode({"move": "arm", "weapons": []}))


def test_an_act_is_read_and_written_like_a_move():
    line = kifu.parse(b'{"referee": "time", "seconds": 60, "why": "late", "at": 3.5, "refused": "TABLE-5"}')

    assert line == kifu.Acted({"referee": "time", "seconds": 60, "why": "late"}, 3.5, ("TABLE-5",))
    assert acts.decode(line.fields) == acts.MoveTimeLimit(60, "late")


@pytest.mark.rule("TABLE-4")
@pytest.mark.parametrize(
    ("kind", "fields", "told"),
    [
        ("time", {"seconds": 60}, "Say why: the reason is kept with the match."),
        ("award", {"player": "Aki", "points": 5}, "Say why: the reason is kept with the match."),
        ("end", {"how": "agreed"}, "Say why: the reason is kept with the match."),
        ("rule", {"say": "  "}, "A ruling by hand needs its sentence."),
        ("award", {"player": "Cho", "points": 5, "why": WHY}, "There is no player called Cho in this match."),
        ("end", {"how": "agreed", "winners": ["Cho"], "why": WHY}, "There is no player called Cho in this match."),
        ("end", {"how": "conceded", "why": WHY}, "Say which player concedes or is disqualified."),
        ("rename", {"player": "Ben", "name": "Aki"}, "Two players have the same name."),
        ("rename", {"player": "Ben", "name": " "}, "Every player needs a name."),
        ("rename", {"player": "Ben", "name": "referee"}, "Nobody but the referee can be called referee."),
    ],
)
def test_an_act_without_its_reason_or_about_nobody_is_refused(kind, fields, told):
    refusal = refused(sen_so(), kind, **fields)

    assert "TABLE-4" in refusal.rules
    assert refusal.text == told


@pytest.mark.rule("TABLE-4")
@pytest.mark.parametrize(
    "fields",
    [
        {"referee": "bribe"},
        {"referee": 5},
        {"referee": "time", "why": WHY},
        {"referee": "time", "seconds": "60", "why": WHY},
        {"referee": "award", "player": "Aki", "points": 10**9, "why": WHY},
        {"referee": "award", "player": "Aki", "points": 1, "why": WHY, "extra": 1},
        {"referee": "end", "how": "tired", "why": WHY},
        {"referee": "rule", "say": "x" * 2000},
    ],
)
def test_an_act_that_cannot_be_read_is_refused_in_our_own_words(fields):
    with pytest.raises(Refused) as refusal:
        acts.decode(fields)

    assert refusal.value.rules == ("TABLE-4",)
    assert refusal.value.text.startswith("That cannot be read as an act of the referee: ")
    assert "Expected" not in refusal.value.text


@pytest.mark.rule("TABLE-5")
@pytest.mark.parametrize(
    ("name", "count", "kind", "fields"),
    [
        ("san_ni_ichi", 3, "time", {"seconds": 60, "why": WHY}),
        ("sensu", 2, "time", {"seconds": 60, "why": WHY}),
        ("sensu", 2, "award", {"player": "Aki", "points": 1, "why": WHY}),
        ("senjutsu", 2, "time", {"seconds": 60, "why": WHY}),
        ("high_card", 2, "time", {"seconds": 60, "why": WHY}),
        ("sen_so", 2, "time", {"seconds": 0, "why": WHY}),
        ("sen_so", 2, "award", {"player": "Aki", "points": 0, "why": WHY}),
        ("sen_so", 2, "end", {"how": "abandoned", "winners": ["Aki"], "why": WHY}),
        ("sen_so", 2, "end", {"how": "conceded", "player": "Aki", "winners": ["Aki", "Ben"], "why": WHY}),
        ("sen_so", 2, "end", {"how": "agreed", "player": "Aki", "winners": ["Aki"], "why": WHY}),
        ("sen_so", 2, "rename", {"player": "Aki", "name": "Aki"}),
    ],
)
def test_an_act_that_does_not_fit_the_game_or_the_moment_is_refused(name, count, kind, fields):
    match = Match(game(name), ["Aki", "Ben", "Cho"][:count])

    assert refused(match, kind, **fields).rules == ("TABLE-5",)


@pytest.mark.rule("TABLE-5")
@pytest.mark.parametrize(
    ("name", "count"),
    [("sen_so", 2), ("san_ni_ichi", 3), ("sensu", 2), ("sensu", 1), ("senjutsu", 2), ("high_card", 2)],
)
def test_after_the_end_only_a_ruling_and_a_new_name_are_left(name, count):
    match = Match(game(name), ["Aki", "Ben", "Cho"][:count])
    act(match, "end", how="agreed", why=WHY)

    assert match.over
    assert refused(match, "end", how="agreed", why=WHY).rules == ("TABLE-5",)
    assert refused(match, "award", player="Aki", points=1, why=WHY).rules == ("TABLE-5",)
    assert refused(match, "time", seconds=60, why=WHY).rules == ("TABLE-5",)
    act(match, "rule", say="Shake hands.")
    act(match, "rename", player="Aki", name="Aiko")
    assert "Aiko" in match.facts["winners"]
    match.undo(2)
    assert not match.over
    assert match.players[0] == "Aiko"


def test_names_that_are_exchanged_stay_exchanged_when_moves_are_taken_back():
    match = sen_so()
    arm(match, "Aki")
    for player, name in (("Aki", "x"), ("Ben", "Aki"), ("x", "Ben")):
        act(match, "rename", player=player, name=name)
    arm(match, "Aki")
    match.undo(2)

    assert match.players == ("Ben", "Aki")
    assert list(match.facts["scores"]) == ["Ben", "Aki"]
    assert match.moves == 0
    arm(match, "Ben")
    assert list(match.awaits) == ["Ben", "Aki"]


def test_a_limit_of_points_is_reached_by_the_referees_hand():
    match = sen_so(end={"points": 5})
    rulings = act(match, "award", player="Ben", points=5, why=WHY)

    assert [ruling.rule for ruling in rulings] == ["TABLE-5", "SEN-73", "SEN-70"]
    assert rulings[0].changes == {"scores.Ben": (0, 5)}
    assert match.facts["winners"] == ["Ben"]


def test_a_start_weapon_that_was_shown_before_time_ran_out_is_still_shown_when_time_is_added():
    match = sen_so()
    for player in match.players:
        match.move(player, match.decode({"move": "arm", "weapons": ["katana"]}))
    for player in match.players:
        match.move(player, match.decode({"move": "set", "slots": ["weapon", "block", "action1", "action2"]}))
    match.move("Aki", match.decode({"move": "show", "weapon": "katana"}))
    match.clock(600)
    assert match.over
    act(match, "rule", say="Wait.")
    act(match, "time", seconds=60, why=WHY)

    assert match.facts["awaits"] == {"Ben": ["show"]}


def test_an_act_that_cannot_be_written_down_does_not_count():
    def full(fields):
        raise JournalFailed(message("The disk is full."))

    record = RecordedMatch(sen_so(), full)
    before = record.match.facts
    for fields in (
        {"referee": "rename", "player": "Ben", "name": "Bea"},
        {"referee": "award", "player": "Ben", "points": 5, "why": WHY},
        {"referee": "end", "how": "abandoned", "why": WHY},
    ):
        with pytest.raises(JournalFailed):
            record.act(acts.decode(fields), 1.0)
        assert record.match.facts == before
        assert record.match.players == ("Aki", "Ben")


def test_what_is_recorded_replays_to_the_same_match():
    match = sen_so()
    lines = [header(match)]

    def write(fields):
        lines.append(fields)
        return len(lines)

    record = RecordedMatch(match, write)
    record.act(acts.decode({"referee": "award", "player": "Ben", "points": -5, "why": WHY}), 1.004)
    record.act(acts.decode({"referee": "rename", "player": "Ben", "name": "Bea"}), 2.0)
    record.act(acts.decode({"referee": "end", "how": "disqualified", "player": "Bea", "why": WHY}), 3.0)

    assert lines[1] == {"referee": "award", "player": "Ben", "points": -5, "why": WHY, "at": 1.0}
    again = Replay(b"\n".join(map(msgspec.json.encode, lines))).finish()
    assert again.facts == match.facts
    assert again.facts["winners"] == ["Aki"]


def told(tmp_path, *lines, options=()):
    path = tmp_path / "a.kifu"
    path.write_bytes(b"\n".join(map(msgspec.json.encode, lines)))
    result = CliRunner().invoke(replay, [*options, str(path)])
    return result.exit_code, result.output.splitlines()


ACTS = (
    {"referee": "award", "player": "Ben", "points": -5, "why": "looked"},
    {"referee": "time", "seconds": 60, "refused": "TABLE-4"},
)


def test_replay_tells_of_acts(tmp_path):
    code, lines = told(tmp_path, HEADER, *ACTS)

    assert code == 0
    assert lines[1:-1] == [
        "   2  referee: award player=Ben points=-5 why=looked",
        "        TABLE-5 The referee takes 5 points from Ben: looked",
        "   3  referee: time seconds=60",
        "        refused [TABLE-4] Say why: the reason is kept with the match.",
    ]
    assert told(tmp_path, HEADER, *ACTS, options=["--language", "it"])[1][1:3] == [
        "   2  arbitro: award player=Ben points=-5 why=looked",
        "        TABLE-5 L'arbitro toglie 5 punti a Ben: looked",
    ]


def test_replay_tells_of_acts_in_json(tmp_path):
    code, lines = told(tmp_path, HEADER, *ACTS, options=["--json"])
    award, time, last = map(json.loads, lines)

    assert code == 0
    assert award["rulings"] == [
        {"rule": "TABLE-5", "text": "The referee takes 5 points from Ben: looked", "changes": {"scores.Ben": [0, -5]}}
    ]
    assert time == {"line": 3, "refused": ["TABLE-4"], "text": "Say why: the reason is kept with the match."}
    assert last["state"]["scores"] == {"Aki": 0, "Ben": -5}


def test_an_act_that_should_be_refused_and_is_not_is_named(tmp_path):
    code, lines = told(tmp_path, HEADER, {**ACTS[0], "refused": "TABLE-5"})

    assert code == 1
    assert lines[-1].endswith("line 2: it should be refused by TABLE-5, and is allowed")


def test_nobody_ahead_is_called_a_draw_and_not_a_shared_win():
    match = sen_so()
    told = [str(ruling.message) for ruling in act(match, "end", how="agreed", why=WHY)]

    assert match.facts["winners"] == ["Aki", "Ben"]
    assert "The match is a draw." in told
    won = sen_so()
    act(won, "award", player="Ben", points=1, why=WHY)
    assert "The match goes to Ben." in [str(each.message) for each in act(won, "end", how="agreed", why=WHY)]


TRANSCRIPTS = Path(__file__).parents[2] / "kifu"
ENDS = {"end agreed", "end conceded", "end abandoned", "end disqualified"}


@pytest.mark.parametrize("name", names())
def test_the_transcripts_of_each_game_have_every_act_that_fits_it_and_every_act_taken_back(name):
    made, taken_back, refused_by = set(), set(), set()
    for path in sorted((TRANSCRIPTS / name).glob("*.kifu")):
        standing = []
        for played in Replay.of(path):
            line = played.line
            if played.refusal is not None:
                refused_by |= (
                    {(_kind(line.fields), rule) for rule in line.refused} if isinstance(line, kifu.Acted) else set()
                )
            elif isinstance(line, kifu.Acted):
                made.add(_kind(line.fields))
                standing += [_kind(line.fields)] * (line.fields["referee"] != "rename")
            elif isinstance(line, kifu.Moved):
                standing.append("a move")
            elif isinstance(line, kifu.Undo):
                taken_back |= {standing.pop() for _ in range(line.undo)}
    fits = {"award", "rule", *ENDS} | ({"time"} if name == "sen_so" else set())

    assert made >= fits | {"rename"}
    assert taken_back >= fits
    assert refused_by >= {
        (kind, "TABLE-4") for kind in ("time", "award", "rule", "rename", "end agreed", "end conceded")
    }
    assert refused_by >= {(kind, "TABLE-5") for kind in ("time", "end agreed", "award", "rename")}


def _kind(fields):
    return " ".join(filter(None, (fields["referee"], fields.get("how"))))
