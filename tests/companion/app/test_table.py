"""A table that stays on: lobby, match, result, rematch, lobby; and back to the same place after a kill."""

from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.app.table import FILE, Table, moved, one_seat_on
from companion.app.wiring import Devices, Eyes
from companion.cli.serving import kept_settings
from companion.core.events import OK, Light, Press, Sense
from companion.core.message import message
from companion.core.rulings import ShinpanError
from companion.record.journal import DataFolder
from companion.record.replay import Replay
from companion.referee.lobby import Arrangement
from companion.upkeep.config import TableConfig

ORIGIN = {"Origin": "http://localhost"}


class Evening:
    """A table in a folder, switched on, and browsers at it."""

    def __init__(self, folder: DataFolder, **config: Any) -> None:
        self.at = 0.0
        settings, _ = kept_settings(folder.path, TableConfig(**config))
        self.settings = settings
        review = bool(config.get("review", False))
        self.table = Table(folder, lambda: self.at, settings, Devices(), lambda match: Eyes(), review=review)
        self.service = self.table.running.service
        self.app: Flask = self.table.running.app
        self.lights: list[Light] = []
        self.service.listen(lambda effect: self.lights.append(effect) if isinstance(effect, Light) else None)

    def browser(self, role: str | int | None = None) -> FlaskClient:
        client = self.app.test_client()
        if role is not None:
            pin = self.settings.referee_pin if role == "referee" else self.pin(role)
            assert post(client, "/api/login", role=role, pin=pin) == 200
        return client

    def pin(self, role: str | int) -> str:
        return str(self.app.extensions["shinpan"]["pins"].pin(self.app.extensions["shinpan"]["pins"].key(role)))

    def start(self, *people: str, game: str = "high_card", options: dict[str, Any] | None = None) -> None:
        client = self.browser()
        for place, name in enumerate(people):
            if name:
                assert post(client, "/api/lobby/sit", place=place, name=name) == 200
        assert post(client, "/api/lobby", what="game", data={"game": game}) == 200
        if options is not None:
            assert post(client, "/api/lobby", what="options", data={"options": options}) == 200
        assert post(client, "/api/lobby", what="start") == 200

    def end(self) -> None:
        assert post(self.browser("referee"), "/api/tap", what="end", data={"how": "agreed", "why": "late"}) == 200

    def close(self) -> None:
        self.table.close()


def post(client: FlaskClient, path: str, **body: Any) -> int:
    return client.post(path, json=body, headers=ORIGIN).status_code


def test_lobby_match_result_rematch_and_lobby(tmp_path: Path) -> None:
    with DataFolder(tmp_path) as folder:
        evening = Evening(folder)
        client = evening.browser()
        assert b'id="tiles"' in client.get("/").data
        evening.start("Aki", "Ben")
        first = client.get("/api/page").get_json()
        assert (first["players"], first["game"]) == (["Aki", "Ben"], "high_card")
        assert b'id="board"' in client.get("/").data

        answer = client.post("/api/table/next", json={"to": "rematch"}, headers=ORIGIN)
        assert (answer.status_code, answer.get_json()["text"]) == (
            409,
            "The match is not over. The referee can end it.",
        )
        evening.end()
        assert client.get("/api/page").get_json()["over"]
        assert post(client, "/api/table/next", to="rotate") == 200
        second = client.get("/api/page").get_json()
        assert (second["players"], second["over"]) == (["Ben", "Aki"], False)
        assert second["match"] != first["match"]
        evening.end()
        assert post(client, "/api/table/next", to="lobby") == 200
        assert client.get("/api/page").get_json()["seats"][:2] == ["Ben", "Aki"]
        evening.close()

        for path in folder.matches.glob("*.kifu"):
            assert Replay.of(path).finish().over


def test_each_match_leaves_a_kifu_of_its_own_and_takes_the_places_along(tmp_path: Path) -> None:
    """Two who sit at places 2 and 5 play seats 1 and 2; their panels and lights are those of their places."""
    with DataFolder(tmp_path) as folder:
        evening = Evening(folder)
        evening.start("", "Aki", "", "", "Ben")
        referee = evening.service.referee
        evening.service.submit(Sense("panel 5", OK, 0.0))
        evening.service.submit(Sense("panel 1", OK, 0.0))
        assert referee.senses == {"panel 2": OK}
        evening.service.submit(Press(0, "ready", 0.0))
        evening.service.submit(Press(4, "ready", 0.0))
        evening.close()

    assert {light.seat for light in evening.lights if light.phase != "idle"} == {1, 4}
    assert evening.service.places == {"Aki": 1, "Ben": 4}


@pytest.mark.parametrize("stage", ["lobby", "match", "result"])
def test_after_a_kill_the_table_comes_back_to_the_same_place_and_nobody_is_logged_out(
    tmp_path: Path, stage: str
) -> None:
    with DataFolder(tmp_path) as folder:
        evening = Evening(folder)
        if stage == "lobby":
            post(evening.browser(), "/api/lobby/sit", place=1, name="Aki")
            post(evening.browser(), "/api/lobby", what="game", data={"game": "sensu"})
        else:
            evening.start("", "Aki", "Ben")
        if stage == "result":
            evening.end()
        phone, desk = evening.browser(1), evening.browser("referee")
        before = phone.get("/api/page").get_json()

        again = Evening(folder)  # killed: nothing was closed
        again.table.resume()
        after = again.browser()
        for client in (phone, desk):
            cookie = client.get_cookie("shinpan")
            assert cookie is not None
            after.set_cookie("shinpan", cookie.value)
            held = again.app.extensions["shinpan"]["pins"]
            with after.session_transaction() as session:
                assert held.tickets(session)
        now = after.get("/api/page?as=").get_json()
        assert again.service.places == evening.service.places
        for key in ("seats", "game", "match", "players", "over"):
            assert now.get(key) == before.get(key)
        again.close()


def test_after_a_kill_what_was_ruled_is_still_told_and_what_was_taken_back_still_struck_through(tmp_path: Path) -> None:
    with DataFolder(tmp_path) as folder:
        evening = Evening(folder)
        evening.start("Aki", "Ben")
        desk = evening.browser("referee")
        for points in (1, 2, 3):
            data = {"player": "Aki", "points": points, "why": f"bow {points}"}
            assert post(desk, "/api/tap", what="award", data=data) == 200
        assert post(desk, "/api/tap", what="undo", data={"moves": 1, "why": "no bow"}) == 200
        before = told(evening)
        assert [struck for text, struck in before if "bow" in text] == [False, False, True, False]

        again = Evening(folder)
        again.table.resume()
        assert told(again) == before
        assert post(again.browser("referee"), "/api/tap", what="undo", data={"moves": 1, "why": "none"}) == 200
        assert [struck for text, struck in told(again) if ": bow" in text] == [False, True, True]
        again.close()


def told(evening: Evening) -> list[tuple[str, bool]]:
    """What everybody reads, and whether it is struck through."""
    said = evening.browser().get("/api/page?as=").get_json()["said"]
    return [(each["text"], each["taken_back"]) for each in said if each["text"] != "The match is paused."]


@pytest.mark.parametrize("damage", [b"", b"{", b'{"places":[9]}', b'{"match":"../x"}', b"[" * 100_000])
def test_a_damaged_memory_of_the_table_is_set_aside_and_the_match_goes_on(tmp_path: Path, damage: bytes) -> None:
    with DataFolder(tmp_path) as folder:
        evening = Evening(folder)
        evening.start("Aki", "Ben")
        evening.close()
        (tmp_path / FILE).write_bytes(damage)
        again = Evening(folder)
        assert again.service.lobby is not None
        assert f"{FILE}.damaged-1" in str(again.service.lobby.notices)
        assert again.table.resume() is not None
        again.close()


def test_a_damaged_match_is_told_in_the_lobby_and_others_can_be_played(tmp_path: Path) -> None:
    with DataFolder(tmp_path) as folder:
        evening = Evening(folder)
        evening.start("Aki", "Ben")
        evening.close()
        kifu = next(folder.matches.glob("*.kifu"))
        kifu.write_bytes(kifu.read_bytes().replace(b"Aki", b"Ako", 1))
        again = Evening(folder)
        assert again.table.resume() is None
        assert again.service.lobby is not None
        assert len(again.service.lobby.notices) == 1
        again.start("Aki", "Ben")
        again.close()

    assert list(folder.matches.glob(f"{kifu.name}.damaged-*"))


def test_a_result_under_review_waits_for_the_referee(tmp_path: Path) -> None:
    with DataFolder(tmp_path) as folder:
        evening = Evening(folder, review=True)
        evening.start("Aki", "Ben")
        assert not evening.browser().get("/api/page").get_json()["review"]
        evening.end()
        client, desk = evening.browser(), evening.browser("referee")
        assert client.get("/api/page").get_json()["review"]
        answer = client.post("/api/table/next", json={"to": "lobby"}, headers=ORIGIN)
        assert (answer.status_code, answer.get_json()["refused"]) == (409, ["TABLE-5"])
        assert post(client, "/api/table/next", to="confirm") == 403
        assert post(desk, "/api/table/next", to="confirm") == 200
        assert not client.get("/api/page").get_json()["review"]
        evening.close()
        again = Evening(folder, review=True)
        again.table.resume()
        assert not again.browser().get("/api/page").get_json()["review"]
        assert post(again.browser(), "/api/table/next", to="lobby") == 200
        again.close()

    assert b"The result is confirmed." in next(folder.matches.glob("*.kifu")).read_bytes()


def test_two_tablets_that_start_at_once_begin_one_match(tmp_path: Path) -> None:
    with DataFolder(tmp_path) as folder:
        evening = Evening(folder)
        evening.start("Aki", "Ben")
        answer = evening.browser().post("/api/lobby", json={"what": "start"}, headers=ORIGIN)
        assert answer.status_code == 409
        assert "A match is being played" in answer.get_json()["text"]
        evening.close()
        assert len(list(folder.matches.glob("*.kifu"))) == 1


def test_a_full_disk_keeps_the_lobby(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with DataFolder(tmp_path) as folder:
        evening = Evening(folder)
        client = evening.browser()
        for place, name in enumerate(("Aki", "Ben")):
            post(client, "/api/lobby/sit", place=place, name=name)
        post(client, "/api/lobby", what="game", data={"game": "high_card"})
        monkeypatch.setattr("os.fdatasync", lambda file: (_ for _ in ()).throw(OSError(28, "No space left on device")))
        answer = client.post("/api/lobby", json={"what": "start"}, headers=ORIGIN)
        assert answer.status_code == 503
        assert "No space left" in answer.get_json()["text"]
        assert client.get("/api/page").get_json()["seats"][:2] == ["Aki", "Ben"]
        assert not list(folder.matches.glob("*.kifu"))
        monkeypatch.undo()
        evening.close()


def test_everybody_moves_one_seat_on() -> None:
    made = Arrangement(seats=("", "Aki", "Ben", "", "Cho", ""), with_phone=(2, 4))
    after = moved(made, one_seat_on(made))

    assert after.seats == ("", "Cho", "Aki", "", "Ben", "")
    assert after.with_phone == (1, 4)


def test_one_seat_on_every_phone_still_speaks_for_its_owner_also_after_a_restart(tmp_path: Path) -> None:
    with DataFolder(tmp_path) as folder:
        evening = Evening(folder)
        evening.start("Aki", "", "Ben", "Cho")
        phones = {name: evening.browser(place) for name, place in evening.service.places.items()}
        evening.end()
        assert post(phones["Aki"], "/api/table/next", to="rotate") == 200
        assert evening.service.places == {"Cho": 0, "Aki": 2, "Ben": 3}
        for name, phone in phones.items():
            assert phone.get("/api/page").get_json()["viewer"] == name
        assert post(evening.browser("referee"), "/api/seat/renew", place=2) == 200  # where Aki sits now
        evening.close()

        again = Evening(folder)
        again.table.resume()
        for name, viewer in (("Aki", None), ("Ben", "Ben"), ("Cho", "Cho")):
            cookie = phones[name].get_cookie("shinpan")
            assert cookie is not None
            after = again.browser()
            after.set_cookie("shinpan", cookie.value)
            assert after.get("/api/page").get_json()["viewer"] == viewer
        again.close()


def test_one_seat_on_is_not_taken_where_the_match_cannot_begin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with DataFolder(tmp_path) as folder:
        evening = Evening(folder)
        evening.start("Aki", "Ben")
        phone = evening.browser("Aki")
        evening.end()
        monkeypatch.setattr("companion.app.table.begin", disk_full)
        assert post(phone, "/api/table/next", to="rotate") == 503
        assert phone.get("/api/page").get_json()["viewer"] == "Aki"
        evening.close()


def disk_full(*_: object) -> None:
    raise ShinpanError(message("The disk is full."))
