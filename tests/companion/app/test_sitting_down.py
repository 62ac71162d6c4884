"""People sit down at the virtual table and play every game to its end against bots, through pixels, wire and taps."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.app.virtual_table import VirtualTable
from companion.cli.serving import new_settings
from companion.core.events import Tap
from companion.record.journal import DataFolder
from companion.record.replay import Replay

ORIGIN = {"Origin": "http://localhost"}
LONGEST = 4000
"""Beats after which a match that goes nowhere is given up."""


class Guest:
    """Somebody with a phone, who answers whatever the page asks, in any way that is allowed."""

    def __init__(self, table: VirtualTable, name: str, place: int, seed: int) -> None:
        self.name, self._random = name, Random(seed)
        self.phone: FlaskClient = table.running.app.test_client()
        assert self.post("/api/lobby/sit", place=place, name=name, claim=True) == 200
        self.answered = 0
        self.tapped = 0

    def post(self, path: str, **body: Any) -> int:
        return self.phone.post(path, json=body, headers=ORIGIN).status_code

    def page(self) -> dict[str, Any]:
        page: dict[str, Any] = self.phone.get("/api/page").get_json()
        return page

    def look(self) -> None:
        page = self.page()
        hand = page["hand"]
        assert hand is not None
        if page["over"] or not page["awaits"]:
            return
        question = hand["question"]
        if question and not (question["beside"] and self._random.random() < 0.3 and self._tap()):
            chosen = self._random.sample(range(len(question["options"])), question["least"])
            self.answered += self.post("/api/hand", player=self.name, number=question["number"], chosen=chosen) == 200
        elif not question:
            self._tap()

    def _tap(self) -> bool:
        """Any move that the referee would take and the hand can make."""
        moves = self.phone.get(f"/api/options?player={self.name}").get_json()["moves"]
        able = [move for move in moves if move["move"] not in ("concede", "reveal", "show", "select", "set")]
        self._random.shuffle(able)
        for move in able[:40]:
            if self.post("/api/tap", what="move", data=move) == 200:
                self.tapped += 1
                return True
        return False


def play(folder: Path, game: str, people: dict[int, str], options: dict[str, Any], seed: int) -> list[Guest]:
    with DataFolder(folder) as data:
        table = VirtualTable(data, new_settings(data=folder), None, seed, game)
        service = table.running.service
        try:
            guests = [Guest(table, name, place, seed + place) for place, name in people.items()]
            guests[0].post("/api/lobby", what="options", data={"options": options})
            assert guests[0].post("/api/lobby", what="start") == 200
            for _ in range(LONGEST):
                table.beat()
                if service.referee.match.over:
                    break
                for guest in guests:
                    guest.look()
            assert service.referee.match.over
            assert [said for said in service.referee.said if said.kind == "call"] == []
            (path,) = data.matches.glob(f"*-{game}.kifu")
        finally:
            table.close()
    assert Replay.of(path).finish().over
    return guests


@pytest.mark.parametrize(
    ("game", "people", "options"),
    [
        ("high_card", {0: "Zoe"}, {}),
        pytest.param("sen_so", {0: "Zoe"}, {"end": {"actions": 6}}, marks=pytest.mark.long),
        pytest.param("san_ni_ichi", {1: "Zoe"}, {}, marks=pytest.mark.long),
        pytest.param("senjutsu", {0: "Zoe"}, {}, marks=pytest.mark.long),
        pytest.param("sensu", {0: "Zoe"}, {}, marks=pytest.mark.long),
    ],
)
def test_somebody_plays_against_bots_to_the_end(
    tmp_path: Path, game: str, people: dict[int, str], options: dict[str, Any]
) -> None:
    (guest,) = play(tmp_path, game, people, options, 3)

    assert guest.answered > 0
    assert guest.tapped > 0 or game == "high_card"


def test_two_people_play_each_other(tmp_path: Path) -> None:
    guests = play(tmp_path, "sen_so", {0: "Zoe", 1: "Yan"}, {"end": {"actions": 2}}, 4)

    assert all(guest.answered for guest in guests)


def test_a_hand_is_sent_to_its_own_seat_alone(tmp_path: Path) -> None:
    with DataFolder(tmp_path) as data:
        table = VirtualTable(data, new_settings(data=tmp_path), None, 1, "san_ni_ichi")
        try:
            zoe, yan = Guest(table, "Zoe", 0, 1), Guest(table, "Yan", 1, 2)
            zoe.post("/api/lobby", what="start")
            for _ in range(30):
                table.beat()
            own, other = zoe.page()["hand"]["cards"], yan.page()["hand"]["cards"]
            assert own
            assert other
            assert own != other
            stranger = table.running.app.test_client()
            assert stranger.get("/api/page").get_json()["hand"] is None
            assert stranger.get("/api/page?as=Zoe").status_code == 403
            question = zoe.page()["hand"]["question"]
            answer = {"player": "Zoe", "number": question["number"], "chosen": [0]}
            assert yan.post("/api/hand", **answer) == 403
            for wrong in ({"number": 999}, {"chosen": []}, {"chosen": [99]}, {"chosen": [0, 0]}):
                assert zoe.post("/api/hand", **{**answer, **wrong}) == 409
            assert stranger.post("/api/virtual/leave", json={}, headers=ORIGIN).status_code == 409
        finally:
            table.close()


class Sat:
    """Two people at a virtual table whose match has begun, and their phones."""

    def __init__(self, data: DataFolder, game: str, people: Mapping[int, str]) -> None:
        self.table = VirtualTable(data, new_settings(data=data.path), None, 1, game)
        self.service = self.table.running.service
        self.guests = [Guest(self.table, name, place, place) for place, name in people.items()]
        assert self.guests[0].post("/api/lobby", what="start") == 200

    def play(self, *guests: Guest) -> None:
        for _ in range(LONGEST):
            self.table.beat()
            if self.service.referee.match.over:
                return
            for guest in guests:
                guest.look()
        raise AssertionError("the match goes nowhere")


@pytest.fixture
def sat(tmp_path: Path) -> Iterator[Callable[[str, Mapping[int, str]], Sat]]:
    with DataFolder(tmp_path) as data:
        tables: list[Sat] = []

        def sat(game: str, people: Mapping[int, str]) -> Sat:
            tables.append(Sat(data, game, people))
            return tables[-1]

        yield sat
        for each in tables:
            each.table.close()


@pytest.mark.parametrize("game", ["high_card", pytest.param("sen_so", marks=pytest.mark.long)])
def test_a_bot_plays_on_for_somebody_who_leaves(sat: Callable[..., Sat], game: str) -> None:
    evening = sat(game, {0: "Zoe"})
    (zoe,) = evening.guests
    for _ in range(12):
        evening.table.beat()
        zoe.look()
    if game == "sen_so":
        evening.service.submit(Tap("referee", "time", {"seconds": -1700, "why": "short"}, evening.service.now()))
    stranger = evening.table.running.app.test_client()
    assert stranger.post("/api/virtual/hand-over", json={}, headers=ORIGIN).status_code == 403
    assert zoe.post("/api/virtual/hand-over") == 200
    assert zoe.page()["hand"] is None

    evening.play()

    assert [said for said in evening.service.referee.said if said.kind == "call"] == []
    assert evening.table.table.arrangement.with_phone == ()


def test_a_second_tap_is_not_kept_for_the_next_turn_and_what_hands_have_done_is_not_taken_back(
    sat: Callable[..., Sat],
) -> None:
    evening = sat("sensu", {0: "Zoe"})
    (zoe,) = evening.guests
    evening.table.beat()
    person, draw = evening.table.person("Zoe"), {"move": "draw", "from": "deck"}
    assert person is not None
    assert zoe.post("/api/tap", what="move", data=draw) == 200
    evening.table.beat()
    assert zoe.page()["awaits"] == ["discard"]
    assert zoe.page()["oops_until"] is None
    assert zoe.post("/api/tap", what="oops") == 409

    person.tap(draw)  # it came while the camera was still looking at the move before it
    evening.service.submit(Tap("Zoe", "move", {"move": "discard", "card": zoe.page()["hand"]["cards"][0]}, 0.0))
    assert zoe.page()["awaits"] == []
    assert person.tapped(["draw"]) is None


def test_one_of_two_people_cannot_stop_the_match_but_can_go(sat: Callable[..., Sat]) -> None:
    evening = sat("high_card", {0: "Zoe", 1: "Yan"})
    zoe, yan = evening.guests
    evening.table.beat()
    assert zoe.post("/api/virtual/leave") == 409
    assert zoe.post("/api/logout", role="Zoe") == 200
    evening.play(yan)


def test_what_the_hands_ask_is_news_for_the_page(sat: Callable[..., Sat]) -> None:
    evening = sat("high_card", {0: "Zoe"})
    (zoe,) = evening.guests
    for _ in range(200):
        before, version = zoe.page()["hand"], evening.service.version
        evening.table.beat()
        if zoe.page()["hand"] != before:
            assert evening.service.version > version
        if zoe.page()["hand"]["question"]:
            return
    raise AssertionError("nothing was asked")


def test_only_what_is_awaited_and_held_is_offered_and_nothing_else_brings_it_down(sat: Callable[..., Sat]) -> None:
    evening = sat("senjutsu", {0: "Zoe"})
    (zoe,) = evening.guests
    evening.table.beat()
    reveals = evening.service.match.game.reveals
    for _ in range(30):
        evening.table.beat()
        offered = zoe.phone.get("/api/options?player=Zoe").get_json()
        assert not {move["move"] for move in offered["moves"]} & {*reveals.kinds, *reveals.locks}
    for move in ({"move": "speed", "speed": 3}, {"move": "instant", "card": "x"}, {"move": "step", "path": ["F"]}):
        assert zoe.post("/api/tap", what="move", data=move) == 409, move


def test_a_match_that_was_interrupted_is_told_in_the_lobby(tmp_path: Path) -> None:
    with DataFolder(tmp_path) as data:
        table = VirtualTable(data, new_settings(data=tmp_path), None, 1, "high_card")
        zoe = Guest(table, "Zoe", 0, 1)
        assert zoe.post("/api/lobby", what="start") == 200
        table.close()
    with DataFolder(tmp_path) as data:
        table = VirtualTable(data, new_settings(data=tmp_path), None, 1, "high_card")
        try:
            lobby = table.running.service.lobby
            assert lobby is not None
            assert "Zoe" in lobby.arrangement.people
            assert ["covered cards" in str(notice) for notice in lobby.notices] == [True]
        finally:
            table.close()


def test_bots_play_by_themselves_where_nobody_touches_anything_and_make_room(tmp_path: Path) -> None:
    with DataFolder(tmp_path) as data:
        table = VirtualTable(data, new_settings(data=tmp_path), None, 1, "high_card")
        try:
            service = table.running.service
            for _ in range(400):
                if service.lobby is None:
                    break
                table.beat()
            assert service.lobby is None
            table.beat()
            client = table.running.app.test_client()
            assert client.post("/api/virtual/leave", json={}, headers=ORIGIN).status_code == 200
            assert service.lobby is not None
        finally:
            table.close()
