"""Replay holds a kifu to what it says of itself."""

import json
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from companion.cli import shinpan
from companion.record import kifu
from companion.record.replay import MISSING, Broken, Replay, look_up, same

HEADER = {"kifu": 1, "game": "sen_so", "players": ["Aki", "Ben"]}
ARMS = {"by": "Aki", "move": "arm", "weapons": ["katana"]}


def replay(*lines):
    return Replay(b"\n".join(msgspec.json.encode(line) for line in lines))


def broken(*lines):
    with pytest.raises(Broken) as trouble:
        replay(*lines).finish()
    return trouble.value


def test_each_line_is_given_back_with_its_rulings_and_its_number():
    played = list(replay(HEADER, ARMS, {"expect": {"players.Aki.loadout": ["katana"]}}))

    assert [each.number for each in played] == [1, 2, 3]
    assert [[ruling.rule for ruling in each.rulings] for each in played] == [[], ["SEN-10"], []]


def test_a_foretold_refusal_must_come_and_changes_nothing():
    too_much = {"by": "Aki", "move": "arm", "weapons": ["katana", "nunchaku", "bo_staff"]}
    played = list(replay(HEADER, {**too_much, "refused": "SEN-10"}, ARMS))
    assert played[1].refusal is not None
    assert played[1].refusal.rules == ("SEN-10",)

    assert "line 2: it should be refused by SEN-10, and is allowed" in str(
        broken(HEADER, {**ARMS, "refused": "SEN-10"})
    )


def test_any_one_of_the_foretold_rules_will_do_and_another_will_not():
    early = {"by": "Aki", "move": "show", "weapon": "katana"}
    replay(HEADER, {**early, "refused": ["SEN-99", "TABLE-3"]}).finish()

    trouble = broken(HEADER, {**early, "refused": ["SEN-99", "SEN-58"]})
    assert "refused for another reason" in trouble.reason
    assert trouble.rules == ("SEN-13", "SEN-9", "TABLE-3")


def test_a_refusal_that_was_not_foretold_breaks_the_replay_with_its_rule():
    trouble = broken(HEADER, {"by": "Zoe", "move": "arm", "weapons": []})

    assert (trouble.number, trouble.rules) == (2, ("TABLE-4",))
    assert str(trouble) == "line 2: There is no player called Zoe in this match. [TABLE-4]"


@pytest.mark.parametrize(
    ("header", "rule"),
    [
        ({"players": ["Aki"]}, "SEN-5"),
        ({"players": ["Aki", "Aki"]}, "TABLE-4"),
        ({"options": {"bored": [9, 9]}}, "TABLE-4"),
        ({"options": {"starts": {"Aki": "z99"}}}, "SEN-3"),
        ({"game": "go"}, "TABLE-4"),
        ({"colour": "red"}, "TABLE-4"),
    ],
)
def test_an_illegal_header_is_refused_with_its_rule_and_may_foretell_it(header, rule):
    trouble = broken({**HEADER, **header})
    assert trouble.number == 1
    assert rule in trouble.rules

    foretold = replay({**HEADER, **header, "refused": rule})
    assert [each.refusal.rules for each in foretold if each.refusal] == [trouble.rules]
    assert foretold.match is None


def test_after_a_refused_header_there_is_no_match_to_play():
    header = {**HEADER, "players": ["Aki"], "refused": "SEN-5"}

    assert broken(header, ARMS).number == 2
    assert "as the header says" in broken(header).reason


def test_a_legal_header_that_should_be_refused_breaks_the_replay():
    assert "and is allowed" in broken({**HEADER, "refused": "SEN-5"}).reason


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        ("players.Aki.cell", "e2", 'players.Aki.cell should be "e2", and is "e1"'),
        ("players.Zoe.cell", "e2", "there is no such thing"),
        ("scores", {"Aki": 0}, "and is"),
        ("over", 0, "over should be 0, and is false"),
        ("set", False, "set should be false, and is 0"),
        ("awaits.Aki.1", "arm", "there is no such thing"),
    ],
)
def test_an_expectation_that_does_not_hold_is_named(path, value, reason):
    assert reason in broken(HEADER, {"expect": {path: value}}).reason


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("players.Aki.cell", "e1"),
        ("scores", {"Aki": 0, "Ben": 0}),
        ("awaits.Aki", ["arm"]),
        ("awaits.Ben.0", "arm"),
        ("players.Aki.weapon", None),
        ("clock", 0),
        ("winners", []),
    ],
)
def test_an_expectation_reaches_anything_in_the_state_by_its_path(path, value):
    replay(HEADER, {"expect": {path: value}}).finish()


def test_a_name_with_a_dot_in_it_is_found():
    facts = {"scores": {"Dr. No": 3, "Dr": {" No": 4}}}

    assert look_up(facts, "scores.Dr. No") == 3
    assert look_up(facts, "scores.Dr.No") is MISSING
    assert look_up(5, "scores") is MISSING


def test_numbers_are_the_same_whatever_their_form_and_true_is_no_number():
    assert same(5, 5.0)
    assert same((1, [2]), [1, [2]])
    assert not same(True, 1)
    assert not same({"a": [True]}, {"a": [1]})


def test_undo_takes_back_accepted_moves_and_skips_refused_ones_and_checks():
    match = replay(
        HEADER,
        ARMS,
        {"by": "Ben", "move": "arm", "weapons": []},
        {"by": "Ben", "move": "arm", "weapons": [], "refused": "SEN-9"},
        {"expect": {"awaits.Ben": ["set"]}},
        {"undo": 2, "why": "wrong box"},
        {"expect": {"players.Aki.loadout": [], "awaits.Ben": ["arm"]}},
        ARMS,
    ).finish()

    assert match.moves == 1


def test_undoing_more_than_there_is_breaks_the_replay():
    assert broken(HEADER, ARMS, {"undo": 2}).rules == ("TABLE-4",)


def test_a_clock_line_moves_the_match_clock_and_cannot_go_back():
    assert replay(HEADER, {"clock": 90}).finish().facts["clock"] == 90
    assert broken(HEADER, {"clock": 90}, {"clock": 89}).rules == ("TABLE-3",)


def test_what_is_no_kifu_is_not_replayed(tmp_path):
    with pytest.raises(kifu.NotAKifu):
        Replay.of(tmp_path / "none.kifu")
    with pytest.raises(kifu.NotAKifu, match="line 2"):
        replay(HEADER, ["a list"]).finish()


@pytest.mark.parametrize("line", [{"move": "arm", "weapons": []}, {"by": "Aki"}, {"by": "Aki", "weapons": []}])
def test_a_move_that_does_not_say_whose_or_which_it_is_is_refused(line):
    assert broken(HEADER, line).rules == ("TABLE-4",)
    replay(HEADER, {**line, "refused": "TABLE-4"}).finish()


def test_a_clock_that_goes_back_and_an_undo_of_nothing_may_be_foretold_too():
    lines = [{"clock": 5.0}, {"clock": 4.0, "refused": "TABLE-3"}, {"undo": 1, "refused": ["TABLE-4"]}]

    assert replay(HEADER, *lines, {"expect": {"clock": 5.0}}).finish().state.clock == 5.0


def test_the_referee_may_sign_an_undo_with_name_and_time():
    match = replay(HEADER, ARMS, {"undo": 1, "why": "misread", "by": "referee", "at": 12.5}).finish()

    assert match.moves == 0


def test_what_is_awaited_has_no_order():
    begun = [
        HEADER,
        ARMS,
        {"by": "Ben", "move": "arm", "weapons": []},
        {"by": "Aki", "move": "set", "slots": ["weapon", "block", "action1", "action2"]},
        {"by": "Ben", "move": "set", "slots": ["block", "action1", "action2"]},
        {"by": "Aki", "move": "show", "weapon": "katana"},
    ]
    replay(*begun, {"expect": {"awaits.Aki": ["reveal", "change_weapon", "change_block"]}}).finish()

    assert "awaits.Ben should be" in broken(*begun, {"expect": {"awaits.Ben": ["reveal"]}}).reason


def told_in_italian(tmp_path, *lines, options=()):
    """What the command prints (with --json, every object), the folder left out."""
    file = tmp_path / "a.kifu"
    file.write_bytes(b"\n".join(line if isinstance(line, bytes) else msgspec.json.encode(line) for line in lines))
    done = CliRunner().invoke(shinpan, ["replay", str(file), "--language", "it", *options])
    return done.exit_code, done.output.replace(f"{tmp_path}/", "")


def test_an_account_is_told_in_italian_down_to_its_fixed_words(tmp_path):
    code, told = told_in_italian(
        tmp_path,
        HEADER,
        ARMS,
        {"by": "Ben", "move": "arm", "weapons": ["katana", "nunchaku", "bo_staff"], "refused": "SEN-10"},
        {"clock": 3.5},
        {"note": "Ben hustet.", "rules": ["SEN-10"]},
        {"undo": 1, "why": "carta letta male"},
    )

    assert code == 0
    assert told.splitlines() == [
        "sen_so: Aki, Ben",
        '   2  Aki: arm weapons=["katana"]',
        "        SEN-10  Aki ha scelto le armi di questa partita.",
        '   3  Ben: arm weapons=["katana","nunchaku","bo_staff"]',
        "        rifiutata [SEN-10] Le armi di Ben occupano 10 spazi; ce ne sono 8.",
        "   4  orologio 3.5",
        "   5  annotato: Ben hustet. [SEN-10]",
        "   6  annullate: 1 carta letta male",
        "a.kifu: come scritto; partita non ancora finita.",
    ]


def test_the_end_of_a_match_is_told_in_italian(tmp_path):
    header = {**HEADER, "options": {"knock_out": 10}}
    _, won = told_in_italian(tmp_path, header, {"by": "Ben", "move": "concede"})
    both_fall = (Path(__file__).parents[2] / "kifu" / "senjutsu" / "falling-together.kifu").read_bytes()
    _, drawn = told_in_italian(tmp_path, both_fall)

    assert won.splitlines()[-1] == "a.kifu: come scritto; partita vinta da Aki."
    assert drawn.splitlines()[-1] == "a.kifu: come scritto; partita patta."


@pytest.mark.parametrize(
    ("act", "told"),
    [
        ({"how": "abandoned"}, "la partita è stata abbandonata."),
        ({"how": "agreed", "winners": []}, "finita per accordo: nessuno vince la partita."),
        ({"how": "conceded", "player": "Ben"}, "Ben si arrende: la partita va a Aki."),
        ({"how": "disqualified", "player": "Aki"}, "squalifica di Aki: la partita va a Ben."),
    ],
)
def test_a_match_that_was_ended_by_hand_is_not_called_drawn(tmp_path, act, told):
    code, account = told_in_italian(tmp_path, HEADER, {"referee": "end", "why": "tardi", **act})

    assert code == 0
    assert account.splitlines()[-1] == f"a.kifu: come scritto; {told}"


def test_an_end_that_was_taken_back_is_no_end(tmp_path):
    ended = {"referee": "end", "how": "abandoned", "why": "allarme"}
    _, account = told_in_italian(tmp_path, HEADER, ended, {"undo": 1, "why": "falso"})

    assert account.splitlines()[-1] == "a.kifu: come scritto; partita non ancora finita."


@pytest.mark.parametrize(
    ("line", "code", "told"),
    [
        (
            {**ARMS, "refused": ["SEN-1", "SEN-2"]},
            1,
            "riga 2: dovrebbe essere rifiutata per SEN-1 o SEN-2, ed è permessa",
        ),
        ({"by": "Zoe", "move": "arm", "weapons": []}, 1, "non c'è nessun giocatore di nome Zoe. [TABLE-4]"),
        ({"expect": {"over": True}}, 1, "riga 2: over dovrebbe essere true, ed è false"),
        ({"expect": {"ower": True}}, 1, "riga 2: ower dovrebbe essere true, e non esiste"),
        (b'{"clock":1,"check":"00000000"}', 1, "riga 2: la riga non corrisponde al suo controllo: essa, o una"),
        (HEADER, 2, "questo non è un kifu: riga 2: è una seconda intestazione"),
        (b"hello", 2, "questo non è un kifu: riga 2: non è JSON\n"),
        ({"clock": "noon"}, 2, "riga 2: un suo campo è sbagliato (clock dev'essere un numero, non un testo)"),
    ],
)
def test_what_is_wrong_with_a_file_is_told_in_italian_with_the_same_exit_code(tmp_path, line, code, told):
    found, output = told_in_italian(tmp_path, HEADER, line)

    assert found == code
    assert told in output


def test_a_refusal_for_another_reason_is_told_in_italian_as_a_whole():
    lines = [HEADER, {"by": "Zoe", "move": "arm", "weapons": [], "refused": "SEN-58"}]
    with pytest.raises(Broken) as trouble:
        Replay(b"\n".join(map(msgspec.json.encode, lines)), "it").finish()

    assert trouble.value.reason == (
        "dovrebbe essere rifiutata per SEN-58, ed è rifiutata per un altro motivo: "
        "In questa partita non c'è nessun giocatore di nome Zoe."
    )


def test_json_keeps_its_keys_in_italian_and_its_texts_follow(tmp_path):
    too_much = {"by": "Aki", "move": "arm", "weapons": ["katana", "nunchaku", "bo_staff"]}
    lines = [HEADER, {**too_much, "refused": "SEN-10"}, ARMS, {"expect": {"over": True}}]
    code, told = told_in_italian(tmp_path, *lines, options=["--json"])
    refused, armed, wrong, last = map(json.loads, told.splitlines())

    assert code == 1
    assert refused == {
        "line": 2,
        "refused": ["SEN-10"],
        "text": "Le armi di Aki occupano 10 spazi; ce ne sono 8.",
    }
    assert armed["rulings"] == [
        {"rule": "SEN-10", "text": "Aki ha scelto le armi di questa partita.", "changes": {}},
    ]
    assert wrong == {"line": 4, "error": "over dovrebbe essere true, ed è false", "rules": []}
    assert list(last) == ["file", "ok", "line", "error", "rules", "state", "result"]


def test_a_refused_header_calls_things_by_their_names_in_every_language():
    header = {"kifu": 1, "game": "senjutsu", "players": ["Aki", "Ben"]}
    header["options"] = {"samurai": {"Aki": "vengeful", "Ben": "vengeful"}}
    lines = msgspec.json.encode(header)

    with pytest.raises(Broken) as caught:
        list(Replay(lines, language="it"))

    assert "Due giocatori hanno scelto il Vendicatore" in caught.value.reason
    assert "vengeful" not in caught.value.reason
