"""What the referee may do by hand, from a browser: typed bodies with bounds, for the referee alone."""

import pytest

from tests.web.evening import PINS, Evening

ORIGIN = {"Origin": "http://localhost"}
ACTS = {
    "award": {"player": "Ben", "points": -5, "why": "looked"},
    "rule": {"say": "Pawns stand in the middle."},
    "rename": {"player": "Ben", "name": "Bea"},
    "end": {"how": "conceded", "player": "Aki", "why": "tired"},
}


@pytest.mark.parametrize("what", ACTS)
def test_the_referee_acts_from_the_page(enter, tap, evening, what):
    answer = tap(enter("referee"), what, **ACTS[what])

    assert answer.json == {"ok": True}
    assert evening.lines == [{"referee": what, **ACTS[what], "at": 0.0}]
    said = enter("Aki").get("/api/page").json["said"]
    assert {each["kind"] for each in said} == {"act"}
    assert said[0]["rules"] == ["TABLE-5"]


def test_time_is_added_where_there_is_a_limit(enter_at, tap):
    evening = Evening(end={"time": 600})
    referee = enter_at(evening, "referee")

    assert tap(referee, "time", seconds=60, why="a dispute").json == {"ok": True}
    assert referee.get("/api/page").json["clock"]["limit"] == 660


def test_an_act_that_does_not_fit_is_refused_by_its_rule_in_the_readers_language(enter, tap, evening):
    answer = tap(enter("referee"), "time", "?lang=it", seconds=60, why="tardi")

    assert answer.status_code == 409
    assert answer.json == {"text": "Questa partita non si gioca a tempo.", "refused": ["TABLE-5"]}
    assert evening.lines == []


@pytest.mark.parametrize("what", [*ACTS, "time"])
def test_nobody_else_can_do_that(client, enter, tap, evening, what):
    data = ACTS.get(what, {"seconds": 60, "why": "late"})

    assert tap(enter("Aki"), what, **data).status_code == 409
    assert tap(client, what, **data).status_code == 403
    assert evening.lines == []
    assert evening.service.referee.match.players == ("Aki", "Ben")


@pytest.mark.parametrize(
    ("what", "data", "status"),
    [
        ("award", {"player": "Ben", "points": 5}, 400),
        ("award", {"player": "Ben", "points": 5, "why": " "}, 409),
        ("award", {"player": "Ben", "points": 1000, "why": "much"}, 400),
        ("award", {"player": "Ben", "points": 1.5, "why": "half"}, 400),
        ("award", {"player": "Zoe", "points": 1, "why": "who"}, 409),
        ("award", {"player": "Ben", "points": 1, "why": "x" * 201}, 400),
        ("time", {"seconds": 100_000, "why": "long"}, 400),
        ("time", {"seconds": "60", "why": "late"}, 400),
        ("rule", {"say": ""}, 409),
        ("rule", {"say": "x" * 501}, 400),
        ("end", {"how": "bored", "why": "tired"}, 400),
        ("end", {"how": "disqualified", "why": "tired"}, 409),
        ("end", {"how": "agreed", "winners": "Aki", "why": "tired"}, 400),
        ("end", {"how": "agreed", "winners": ["Aki"] * 21, "why": "tired"}, 400),
        ("rename", {"player": "Ben", "name": "x" * 41}, 400),
        ("rename", {"player": "Ben", "name": "Aki"}, 409),
        ("rename", {"player": "Ben", "name": "Bea", "pin": "1"}, 400),
    ],
)
def test_bad_input_is_one_sentence_and_changes_nothing(enter, tap, evening, what, data, status):
    answer = tap(enter("referee"), what, **data)

    assert answer.status_code == status
    assert answer.json["text"].endswith(".")
    assert evening.lines == []


def test_whoever_is_renamed_stays_logged_in_and_keeps_the_pin(enter, tap, client):
    ben, referee = enter("Ben"), enter("referee")
    assert tap(referee, "rename", player="Ben", name="Bea").status_code == 200

    assert ben.get("/api/page").json["viewer"] == "Bea"
    assert ben.get("/seat/Bea").status_code == 200
    assert ben.get("/seat/Ben").status_code == 404
    assert tap(ben, "move", move="arm", weapons=["katana"]).status_code == 200
    late = client.post("/api/login", json={"role": "Bea", "pin": PINS["Ben"]}, headers=ORIGIN)
    assert late.status_code == 200
    assert client.get("/api/page").json["viewer"] == "Bea"
    assert client.post("/api/login", json={"role": "Ben", "pin": PINS["Ben"]}, headers=ORIGIN).status_code == 403


def test_two_players_who_exchange_their_names_keep_their_seats(enter, tap, evening):
    aki, ben, referee = enter("Aki"), enter("Ben"), enter("referee")
    for player, name in (("Aki", "x"), ("Ben", "Aki"), ("x", "Ben")):
        assert tap(referee, "rename", player=player, name=name).status_code == 200

    assert evening.service.referee.match.players == ("Ben", "Aki")
    assert aki.get("/api/page").json["viewer"] == "Ben"
    assert ben.get("/api/page").json["viewer"] == "Aki"
    assert aki.post("/api/logout", json={}, headers=ORIGIN).status_code == 200
    assert aki.get("/api/page").json["viewer"] is None
