"""Setting up the camera over the API: who may, what it says when it cannot, and that it is used at once."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.core.events import Read
from companion.core.message import message
from companion.record.evidence import Evidence
from tests.web.camera_table import CameraTable
from tests.web.evening import Evening
from vision.calibration.calibrate import Calibration
from vision.enrolment.from_folder import gallery_path
from vision.recognition.gallery import Gallery

ORIGIN = {"Origin": "http://localhost"}
GETS = [
    "/api/aim",
    "/api/aim/1.jpg",
    "/api/deck/known",
    "/api/deck/look",
    "/api/deck/look/1.jpg",
    "/api/deck/looks/move/0.jpg",
    "/api/readings",
    "/api/readings/Aki.block.jpg",
    "/api/evidence/00012.jpg",
]
POSTS: dict[str, dict[str, Any]] = {
    "/api/measure": {"clear": True},
    "/api/deck/take": {"card": "move", "look": 1},
    "/api/deck/drop": {"card": "move", "place": 0, "revision": 0},
    "/api/deck/use": {},
    "/api/deck/anew": {"revision": 0},
    "/api/remember": {"zone": "Aki.block", "card": "block"},
}


def post(browser: FlaskClient, path: str, **body: Any) -> Any:
    return browser.post(path, json=body, headers=ORIGIN)


# --- who may, and a table without a camera --------------------------------------------------------------------------


@pytest.mark.parametrize("role", [None, "Aki"])
@pytest.mark.parametrize("path", [*GETS, *POSTS])
def test_only_the_referee_sets_up_the_camera(client, enter, role, path):
    browser = client if role is None else enter(role)

    answer = browser.get(path) if path in GETS else post(browser, path, **POSTS[path])

    assert answer.status_code == 403


@pytest.mark.parametrize("page", ["/calibrate", "/enrol"])
def test_the_pages_ask_for_the_referees_pin(client, enter, page):
    assert client.get(page).status_code == enter("Ben").get(page).status_code == 401
    assert enter("referee").get(page).status_code == 200


@pytest.mark.parametrize("path", ["/api/aim", "/api/deck/known", "/api/deck/look", "/api/readings"])
@pytest.mark.parametrize(("language", "word"), [("en", "There is no camera"), ("it", "non c'è una telecamera")])
def test_a_table_without_a_camera_says_so_in_one_sentence(enter, path, language, word):
    answer = enter("referee").get(f"{path}?lang={language}")

    assert answer.status_code == 200
    assert word in answer.get_json()["blind"]


@pytest.mark.parametrize("path", POSTS)
@pytest.mark.parametrize("body", [b"", b"[]", b'{"surprise": 1}', b'{"card": 7, "look": "x"}'])
def test_a_body_that_is_not_understood_is_refused_in_one_sentence(enter, path, body):
    answer = enter("referee").post(path, data=body, headers=ORIGIN, content_type="application/json")

    assert answer.status_code in (400, 409)
    assert len(answer.get_json()["text"].splitlines()) == 1


# --- with a camera --------------------------------------------------------------------------------------------------


@pytest.fixture
def camera(tmp_path: Path) -> CameraTable:
    return CameraTable(tmp_path)


@pytest.fixture
def referee(camera: CameraTable, enter_at: Callable[[Evening, str], FlaskClient]) -> FlaskClient:
    return enter_at(camera, "referee")


def test_a_hidden_marker_is_named_and_its_place_shown_and_the_others_measure_the_table(camera, referee):
    camera.cover(3)
    camera.expose()

    aim = referee.get("/api/aim").get_json()

    assert aim["fits"]
    assert aim["words"] == ["Marker 3 (far left) is hidden: the other three do, a little less exactly."]
    assert sorted(aim["markers"]) == ["0", "1", "2"]
    assert len(aim["hidden"]["3"]) == 4
    assert len(aim["zones"]) == len(camera.layout.zones)
    assert post(referee, "/api/measure", clear=True).status_code == 200
    assert (camera.data / "calibration.json").exists()
    assert referee.get("/api/aim?lang=it").get_json()["words"] == [
        "Il marcatore 3 (lontano a sinistra) è coperto: bastano gli altri tre, un po' meno esattamente."
    ]


def test_two_hidden_markers_are_named_and_nothing_is_measured(camera, referee):
    camera.cover(2, 3)
    camera.expose()

    aim = referee.get("/api/aim").get_json()

    assert not aim["fits"]
    assert aim["words"] == ["Markers 2 (far right) and 3 (far left) are hidden or too blurred to read."]
    answer = post(referee, "/api/measure", clear=True)
    assert (answer.status_code, answer.get_json()["text"]) == (409, aim["words"][0])
    assert not (camera.data / "calibration.json").exists()


def test_a_dark_room_is_said_and_shown(camera, referee):
    camera.dim(0.12)
    camera.expose()
    assert "too dark" in referee.get("/api/aim").get_json()["words"][0]

    assert referee.get("/api/aim/1.jpg").data.startswith(b"\xff\xd8")
    assert referee.get("/api/aim/99.jpg").status_code == 404


def test_what_is_measured_is_on_the_disk_and_read_with_at_once(camera, referee):
    camera.plug(camera.gallery())
    camera.expose()
    assert camera.feed.watcher is None

    assert post(referee, "/api/measure", clear=True).get_json()["measured"]

    assert Calibration.load(camera.data / "calibration.json").empty_table() is not None
    zone = camera.zone("Aki.weapon")
    camera.lay("katana", zone.x, zone.y, zone.turn)
    camera.expose(4)
    assert camera.service.referee.sight.zones["Aki.weapon"][-1].card == "katana"
    [reading] = referee.get("/api/readings").get_json()["readings"]
    assert (reading["zone"], reading["card"]) == ("Aki.weapon", "katana")


def test_a_bumped_camera_is_said_and_measured_again_with_the_cards_lying_there(camera, referee):
    camera.plug(camera.gallery())
    camera.expose()
    post(referee, "/api/measure", clear=True)
    zone = camera.zone("Ben.block")
    camera.lay("block", zone.x, zone.y, zone.turn)
    camera.bump(9.0)
    camera.expose()
    assert any("has moved" in word for word in referee.get("/api/aim").get_json()["words"])

    assert post(referee, "/api/measure", clear=False).get_json()["words"] == []

    camera.expose(4)
    zones = camera.service.referee.sight.zones
    assert {name for name, cards in zones.items() if cards} == {"Ben.block"}
    assert zones["Ben.block"][-1].card == "block"


def test_a_table_that_is_said_to_be_clear_and_is_not_is_asked_about_once(camera, referee):
    camera.expose()
    post(referee, "/api/measure", clear=True)
    before = (camera.data / "calibration.json").read_bytes()
    camera.lay("katana")
    camera.expose()

    doubt = post(referee, "/api/measure", clear=True)

    assert (doubt.status_code, doubt.get_json()["ask"]) == (409, True)
    assert "Something lies on the table" in doubt.get_json()["text"]
    assert (camera.data / "calibration.json").read_bytes() == before
    assert post(referee, "/api/measure", clear=True, sure=True).status_code == 200
    assert (camera.data / "calibration.json").read_bytes() != before


def test_cards_are_enrolled_one_by_one_and_a_stopped_walk_goes_on(camera, referee, enter_at):
    camera.expose()
    post(referee, "/api/measure", clear=True)
    assert referee.get("/api/deck/look").get_json()["words"][0].startswith("No card is to be seen")
    for card in ("move", "katana"):
        camera.lay(card)
        camera.expose()
        referee.get("/api/deck/look")
        camera.expose()
        spot = referee.get("/api/deck/look").get_json()
        assert spot["still"]
        known = post(referee, "/api/deck/take", card=card, look=spot["look"]).get_json()

    assert {each["card"]: each["looks"] for each in known["cards"] if each["looks"]} == {"move": 1, "katana": 1}
    assert not known["used"]
    assert referee.get(f"/api/deck/look/{spot['look']}.jpg?card").data.startswith(b"\xff\xd8")
    camera.plug()  # as after a restart
    again = referee.get("/api/deck/known").get_json()
    assert sum(each["looks"] for each in again["cards"]) == 2
    camera.expose()
    referee.get("/api/deck/look")
    camera.expose()
    assert referee.get("/api/deck/look").get_json()["known"] == "katana"
    names = {each["card"]: each["name"] for each in referee.get("/api/deck/known?lang=it").get_json()["cards"]}
    assert names["move"] == "Movimento"
    assert names["back"] == "Il dorso"


def test_a_look_is_taken_out_once_however_often_it_is_tapped(camera, referee):
    camera.gallery().save(gallery_path(camera.data, "sen_so"))
    camera.plug()
    state = referee.get("/api/deck/known").get_json()
    drop = {"card": "move", "place": 0, "revision": state["revision"]}

    assert post(referee, "/api/deck/drop", **drop).status_code == 200
    second = post(referee, "/api/deck/drop", **drop)

    assert (second.status_code, "changed meanwhile" in second.get_json()["text"]) == (409, True)
    assert "move" not in Gallery.load(gallery_path(camera.data, "sen_so")).cards
    assert referee.get("/api/deck/looks/katana/0.jpg").data.startswith(b"\xff\xd8")
    assert referee.get("/api/deck/looks/move/0.jpg").status_code == 404


def test_a_torn_gallery_is_told_and_kept_until_the_deck_is_begun_anew(camera, referee):
    path = gallery_path(camera.data, "sen_so")
    camera.gallery().save(path)
    torn = path.read_bytes()[:5000]
    path.write_bytes(torn)
    camera.plug()

    state = referee.get("/api/deck/known").get_json()
    assert "damaged" in state["trouble"]
    assert path.read_bytes() == torn
    after = post(referee, "/api/deck/anew", revision=state["revision"]).get_json()

    assert after["trouble"] == ""
    assert path.with_name("sen_so.gallery.old").read_bytes() == torn


@pytest.mark.parametrize(("card", "look", "word"), [("move", 77, "gone"), ("dragon", None, "no card called")])
def test_what_cannot_be_taken_is_said(camera, referee, card, look, word):
    camera.expose()
    post(referee, "/api/measure", clear=True)
    camera.lay("move")
    camera.expose()
    number = referee.get("/api/deck/look").get_json()["look"]

    answer = post(referee, "/api/deck/take", card=card, look=look or number)

    assert answer.status_code == 409
    assert word in answer.get_json()["text"]


def test_a_corrected_look_is_remembered_used_and_can_be_taken_out_again(camera, referee):
    """The katana is not enrolled: it is asked about, answered, remembered, and known when it is laid again."""
    camera.gallery().without(["katana"]).save(gallery_path(camera.data, "sen_so"))
    camera.plug()
    camera.expose()
    post(referee, "/api/measure", clear=True)
    zone = camera.zone("Aki.weapon")
    camera.lay("katana", zone.x + 1.5, zone.y - 1, zone.turn + 2)
    camera.expose(8)
    assert list(camera.service.referee.unsure) == ["Aki.weapon"]
    assert referee.get("/api/readings/Aki.weapon.jpg").data.startswith(b"\xff\xd8")

    kept = post(referee, "/api/remember", zone="Aki.weapon", card="katana").get_json()

    assert (kept["card"], kept["place"]) == ("katana", 0)
    camera.expose(4)
    assert camera.service.referee.sight.zones["Aki.weapon"][-1].card == "katana"
    answer = post(referee, "/api/deck/drop", card="katana", place=0, revision=kept["revision"])
    assert {each["card"]: each["looks"] for each in answer.get_json()["cards"]}["katana"] == 0
    assert post(referee, "/api/remember", zone="Ben.block", card="katana").status_code == 409


# --- evidence -------------------------------------------------------------------------------------------------------


def test_rulings_and_calls_tell_the_referee_alone_that_there_is_a_picture(evening, enter, tmp_path):
    evening.service.evidence = Evidence(tmp_path)
    evening.arm()
    line = evening.service.referee.said[-1].line
    evening.service.evidence.keep(b"\xff\xd8 picture", [line, line + 1])

    said = enter("referee").get("/api/page").get_json()["said"]

    assert [each["picture"] for each in said if each["line"] == line] == [f"{line:05}"]
    assert enter("referee").get(f"/api/evidence/{line + 1:05}.jpg").data == b"\xff\xd8 picture"
    for role in ("Aki", None):
        browser = enter("Aki")
        page = browser.get("/api/page" if role else "/api/page?as=").get_json()
        assert not any("picture" in each for each in page["said"])
        assert browser.get(f"/api/evidence/{line:05}.jpg").status_code == 403


@pytest.mark.parametrize("name", ["..%2fsecret", "calibration", "00099", "call-", "00001.jpg%00"])
def test_nothing_but_pictures_of_this_match_can_be_asked_for(evening, enter, tmp_path, name):
    (tmp_path / "secret.jpg").write_bytes(b"secret")
    evening.service.evidence = Evidence(tmp_path / "match")

    assert enter("referee").get(f"/api/evidence/{name}.jpg").status_code == 404


def test_a_move_that_was_read_and_a_call_keep_their_picture(camera, referee):
    camera.service.referee.tell.say("call", (), message("A card was moved."))
    said = camera.service.referee.said[-1]

    for effect in (Read(7), Read(8), said):
        camera.senses._show(effect)
    camera.expose()

    names = sorted(path.stem for path in (camera.data / "pictures").iterdir())
    assert names[:2] == ["00007", "00008"]
    assert names[2].startswith("call-")
    told = referee.get("/api/page").get_json()["said"][-1]
    assert referee.get(f"/api/evidence/{told['picture']}.jpg").data.startswith(b"\xff\xd8")
