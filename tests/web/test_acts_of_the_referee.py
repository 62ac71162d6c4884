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


# --- calls, conceding, taking back ------------------------------------------------------------------------------------


def test_a_player_calls_the_referee_who_answers_with_one_tap(enter, tap):
    ben, referee = enter("Ben"), enter("referee")
    assert tap(ben, "call").json == {"ok": True}
    assert list(referee.get("/api/page").json["calls"]) == ["Ben"]
    assert tap(referee, "answer", player="Ben").json == {"ok": True}
    assert referee.get("/api/page").json["calls"] == {}


def test_a_player_concedes_for_nobody_else(client, enter, tap, evening):
    assert tap(client, "concede").status_code == 403
    assert tap(enter("Ben"), "concede", player="Aki").status_code == 400
    assert tap(enter("Ben"), "concede", why="late").json == {"ok": True}
    assert evening.lines == [{"referee": "end", "how": "conceded", "player": "Ben", "why": "late", "at": 0.0}]


def test_only_the_referee_sees_what_taking_back_would_come_to(client, enter, tap, evening):
    evening.arm()
    assert client.get("/api/undo").status_code == 403
    assert enter("Aki").get("/api/undo").status_code == 403
    told = enter("referee").get("/api/undo?moves=2&lang=it").json

    assert len(told["undoes"]) == 2
    assert all("Ha scelto" in each["text"] or "scel" in each["text"] for each in told["undoes"])
    assert evening.service.referee.match.moves == 2


@pytest.mark.parametrize("moves", ["0", "3", "-1", "x", "9" * 30])
def test_a_preview_of_too_many_moves_is_refused_with_one_sentence(enter, evening, moves):
    evening.arm()
    answer = enter("referee").get(f"/api/undo?moves={moves}")

    assert answer.status_code == (200 if moves == "x" else 409)
    assert moves == "x" or answer.json["text"].endswith(".")


@pytest.mark.parametrize(
    ("role", "what", "data", "status"),
    [
        ("referee", "call", {}, 409),
        ("Ben", "call", {"player": "Aki"}, 400),
        ("Ben", "answer", {}, 409),
        ("referee", "answer", {"player": "Zoe"}, 409),
        ("referee", "concede", {}, 409),
        ("referee", "mend", {"accept": True}, 409),
        ("referee", "mend", {}, 400),
        ("Ben", "mend", {"accept": True}, 409),
    ],
)
def test_a_tap_that_makes_no_sense_is_one_sentence(enter, tap, evening, role, what, data, status):
    answer = tap(enter(role), what, **data)

    assert answer.status_code == status
    assert answer.json["text"].endswith(".")
    assert evening.lines == []
