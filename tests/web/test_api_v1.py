"""The API for programs of others: what it says is what its description says, and no more than a spectator may see."""

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.games import game
from companion.record.journal import Journal
from companion.record.match import Match
from companion.record.recorded_match import header
from tests.web.evening import PINS, SETTINGS, Evening
from web.answers import Trouble
from web.api_v1 import OPERATIONS, LiveState, PublishedMatches
from web.app import create_app

ORIGIN = {"Origin": "http://localhost"}
ROUNDS = Path(__file__).parents[1] / "kifu" / "high_card" / "three-rounds.kifu"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    matches = tmp_path / "matches"
    matches.mkdir()
    for day in ("01", "02", "03"):
        (matches / f"2026-01-{day}-200000-high_card.kifu").write_bytes(ROUNDS.read_bytes())
    (matches / "2026-01-04-200000-sen_so.kifu").write_text('{"kifu": 1, "game": "sen_so", "pla')
    Journal.create(matches / "2026-01-05-200000-sen_so.kifu", header(Match(game("sen_so"), ["Aki", "Ben"]))).close()
    return tmp_path


@pytest.fixture
def table() -> Evening:
    return Evening()


@pytest.fixture
def reader(data: Path, table: Evening) -> FlaskClient:
    return create_app(table.service, msgspec.structs.replace(SETTINGS, data=data)).test_client()


def ask(reader: FlaskClient, path: str, **query: Any) -> tuple[int, Any]:
    answer = reader.get(path, query_string=query)
    assert answer.mimetype == "application/json"
    return answer.status_code, msgspec.json.decode(answer.get_data())


def test_the_description_has_every_address_and_only_those(reader: FlaskClient) -> None:
    status, told = ask(reader, "/api/v1/openapi.json")
    served = {
        rule.rule.replace("<", "{").replace(">", "}")
        for rule in reader.application.url_map.iter_rules()
        if rule.rule.startswith("/api/v1/")
    }

    assert (status, told["openapi"]) == (200, "3.1.0")
    assert told["paths"].keys() | {"/api/v1/openapi.json"} == served
    text = msgspec.json.encode(told).decode()
    named = {each.rpartition("/")[2] for each in re.findall(r'"\$ref":"([^"]+)"', text)}
    assert named <= told["components"]["schemas"].keys()


def test_matches_are_listed_and_filtered_and_a_broken_one_is_named(reader: FlaskClient) -> None:
    _, everything = ask(reader, "/api/v1/matches")
    _, of_a_day = ask(reader, "/api/v1/matches", day="2026-01-02")
    _, of_a_game = ask(reader, "/api/v1/matches", game="high_card", count=2, start=1)
    by_name = {each["name"]: each for each in everything["matches"]}

    assert everything["total"] == 5
    assert [each["name"] for each in of_a_day["matches"]] == ["2026-01-02-200000-high_card"]
    assert (of_a_game["total"], len(of_a_game["matches"])) == (3, 2)
    assert by_name["2026-01-04-200000-sen_so"]["fault"]
    assert by_name["2026-01-03-200000-high_card"]["over"]
    assert any(seat["won"] for seat in by_name["2026-01-03-200000-high_card"]["players"])


def test_one_match_and_the_standings(reader: FlaskClient) -> None:
    status, one = ask(reader, "/api/v1/matches/2026-01-01-200000-high_card")
    missing, trouble = ask(reader, "/api/v1/matches/nonesuch")
    _, standings = ask(reader, "/api/v1/standings", game="high_card")

    assert (status, one["game"], missing) == (200, "high_card", 404)
    assert "nonesuch" in trouble["text"]
    assert standings["standings"][0]["wins"] == 3


def test_the_live_state_is_a_spectators_whoever_asks(reader: FlaskClient, table: Evening) -> None:
    table.arm()
    table.tap("referee", "rule", say="Play on.")
    login = {"role": "Aki", "pin": PINS["Aki"]}
    _, before = ask(reader, "/api/v1/live")
    reader.post("/api/login", json=login, headers=ORIGIN)
    _, after = ask(reader, "/api/v1/live")

    assert before == after
    state = msgspec.convert(after, LiveState)
    assert state.players == ("Aki", "Ben")
    assert state.said[-1].text == "The referee rules: Play on."


def test_nothing_can_be_changed(reader: FlaskClient) -> None:
    for operation in OPERATIONS:
        for method in ("POST", "PUT", "DELETE", "PATCH"):
            answer = reader.open(operation.path.replace("{name}", "x"), method=method, json={}, headers=ORIGIN)
            assert answer.status_code == 405, (method, operation.path)


def test_only_sites_that_are_named_may_read_it_in_a_browser(data: Path, table: Evening) -> None:
    named = msgspec.structs.replace(SETTINGS, data=data, api_origins=("https://club.example",))
    reader = create_app(table.service, named).test_client()
    answers = {
        site: reader.get("/api/v1/live", headers={"Origin": site})
        for site in ("https://club.example", "https://elsewhere.example")
    }

    allowed = {site: each.headers.get("Access-Control-Allow-Origin") for site, each in answers.items()}
    assert allowed == {"https://club.example": "https://club.example", "https://elsewhere.example": None}
    assert "Access-Control-Allow-Credentials" not in answers["https://club.example"].headers
    other = reader.get("/api/page", headers={"Origin": "https://club.example"})
    assert "Access-Control-Allow-Origin" not in other.headers


def test_a_table_that_keeps_nothing_says_so(table: Evening) -> None:
    reader = create_app(table.service, SETTINGS).test_client()

    assert ask(reader, "/api/v1/matches") == (404, {"text": "This table keeps no matches."})
    assert ask(reader, "/api/v1/live")[0] == 200


ANYTHING = st.text(max_size=30) | st.integers(-5, 300).map(str)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    operation=st.sampled_from(OPERATIONS),
    name=st.text(st.characters(exclude_characters="/?#%", exclude_categories=["Cs", "Cc"]), min_size=1, max_size=20),
    query=st.dictionaries(st.sampled_from(["game", "player", "day", "start", "count", "other"]), ANYTHING, max_size=3),
)
def test_every_answer_is_what_the_description_promises(
    reader: FlaskClient, operation: Any, name: str, query: dict[str, str]
) -> None:
    status, told = ask(reader, operation.path.replace("{name}", name), **query)

    if status == 200:
        read = msgspec.convert(told, operation.answer)
        assert msgspec.json.decode(msgspec.json.encode(read)) == told
        if isinstance(read, PublishedMatches):
            assert len(read.matches) <= 200
    else:
        assert status in (400, 404)
        assert msgspec.convert(told, Trouble).text
