"""A real `shinpan serve`, killed (SIGKILL) in the lobby, in a match and at its result, and started again each time."""

import json
import os
import re
import signal
import subprocess
import sys
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any
from urllib.request import HTTPCookieProcessor, ProxyHandler, Request, build_opener

from companion.app import logins

ALONE = ("--camera", "none", "--panels", "none", "--host", "127.0.0.1", "--port", "0")


class Served:
    """`shinpan serve` as a process of its own."""

    def __init__(self, data: Path) -> None:
        code = "from companion.cli import main; main()"
        here = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3]), "PYTHONUNBUFFERED": "1"}
        command = [sys.executable, "-c", code, "serve", *ALONE, "--data", str(data)]
        self.process = subprocess.Popen(command, env=here, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        found = re.search(r"http://\S+:\d+/", said := self.process.stdout.readline())
        assert found, said
        self.address = found[0]

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()


class Browser:
    """Keeps its cookies while the table is away. It never logs in twice."""

    def __init__(self) -> None:
        self._open = build_opener(ProxyHandler({}), HTTPCookieProcessor(CookieJar())).open

    def get(self, table: Served, path: str) -> Any:
        return json.load(self._open(table.address + path))

    def post(self, table: Served, path: str, **body: Any) -> None:
        """Raises HTTPError for whatever is refused."""
        headers = {"Content-Type": "application/json", "Origin": table.address.rstrip("/")}
        self._open(Request(table.address + path, json.dumps(body).encode(), headers)).close()


def told(page: dict[str, Any]) -> list[str]:
    return [said["text"] for said in page["said"]]


def test_a_served_table_that_is_killed_comes_back_to_the_same_place_with_everybody_logged_in(tmp_path: Path) -> None:
    phone, desk = Browser(), Browser()

    table = Served(tmp_path)
    try:
        kept = logins.load(tmp_path / logins.FILE)
        assert kept is not None
        desk.post(table, "api/login", role="referee", pin=kept.referee_pin)
        phone.post(table, "api/lobby/sit", place=1, name="Aki", claim=True)
        desk.post(table, "api/lobby/sit", place=4, name="Ben")
        desk.post(table, "api/lobby", what="game", data={"game": "high_card"})
        desk.post(table, "api/lobby", what="options", data={"options": {"rounds": 7}})
        before = desk.get(table, "api/page")
        table.kill()

        table = Served(tmp_path)
        lobby = desk.get(table, "api/page")
        assert [lobby[key] for key in ("seats", "game", "options")] == [
            before[key] for key in ("seats", "game", "options")
        ]
        assert (lobby["seats"][1], lobby["seats"][4], lobby["options"][0]["value"]) == ("Aki", "Ben", 7)
        phone.post(table, "api/lobby/sit", place=1, name="Ann")  # only whoever is logged in there renames that seat
        assert desk.get(table, "api/lobby/codes")["seats"][1]["name"] == "Ann"  # for the referee alone
        desk.post(table, "api/lobby", what="start")
        phone.post(table, "api/tap", what="call", **{"as": "Ann"})
        desk.post(table, "api/tap", what="rule", data={"say": "Silence, please."})
        match = desk.get(table, "api/page?as=referee")["match"]
        table.kill()

        table = Served(tmp_path)
        assert (phone.get(table, "api/page?as=Ann")["viewer"], phone.get(table, "api/page")["match"]) == ("Ann", match)
        assert told(phone.get(table, "api/page?as=Ann")) == ["The referee rules: Silence, please."]
        desk.post(table, "api/tap", what="end", data={"how": "conceded", "player": "Ann", "why": "late"})
        table.kill()

        table = Served(tmp_path)
        result = phone.get(table, "api/page?as=Ann")
        assert (result["match"], result["over"], result["viewer"]) == (match, True, "Ann")
        assert told(result)[1:] == ["Ann concedes the match: late", "The match goes to Ben."]
        assert desk.get(table, "api/page?as=referee")["viewer"] == "referee"
        phone.post(table, "api/table/next", to="rotate")
        assert phone.get(table, "api/page?as=Ann")["players"] == ["Ben", "Ann"]  # and the phone is still Ann's
    finally:
        table.kill()
