"""What a browser can ask of the table and do at it."""

import msgspec
import pytest

from companion.core.events import Seen
from companion.core.layout import SeenCard, Sight
from companion.core.message import message
from companion.core.rulings import ShinpanError
from tests.web.evening import SETTINGS
from web.app import create_app


def test_a_spectator_gets_the_page_and_no_choices(client, evening):
    page = client.get("/api/page").json

    assert page["game"] == "sen_so"
    assert page["viewer"] is None
    assert page["choices"] == []
    assert page["awaited"] == ["Aki", "Ben"]


def test_a_player_sees_the_own_inventory_and_nobody_elses(client, enter, evening):
    evening.arm(Aki=["katana"], Ben=["nagamaki"])

    def inventories(browser):
        return {seat["name"]: seat["loadout"] for seat in browser.get("/api/page").json["view"]["seats"]}

    assert inventories(enter("Aki")) == {"Aki": ["katana"], "Ben": None}
    assert inventories(client) == {"Aki": None, "Ben": None}
    assert inventories(enter("referee")) == {"Aki": None, "Ben": None}


def test_what_is_hidden_is_nowhere_in_anything_a_stranger_can_fetch(client, enter, evening):
    evening.arm(Aki=["nunchaku"], Ben=["katana"])
    ben = enter("Ben")

    for path in ("/", "/api/page", "/api/page?lang=it"):
        for browser in (client, ben):
            seats = browser.get(path).get_data(as_text=True)
            assert "nunchaku" not in seats.lower().replace('"nunchaku":"nunchaku"', "")


def test_a_tap_makes_a_move(enter, tap, evening):
    answer = tap(enter("Aki"), "move", move="arm", weapons=["katana"])

    assert answer.status_code == 200
    assert answer.json == {"ok": True}
    assert evening.lines[-1] == {"by": "Aki", "move": "arm", "weapons": ("katana",), "at": 0.0}


def test_a_refused_tap_names_the_rule_and_changes_nothing(enter, tap, evening):
    before = evening.service.referee.match.facts

    answer = tap(enter("Aki"), "move", move="arm", weapons=["katana", "nunchaku", "bo_staff"])

    assert answer.status_code == 409
    assert answer.json["refused"] == ["SEN-10"]
    assert "10 inventory spaces" in answer.json["text"]
    assert evening.service.referee.match.facts == before


def test_a_refusal_speaks_the_viewers_language(enter, tap):
    answer = tap(enter("Aki"), "move", "?lang=it", move="show", weapon="katana")

    assert answer.status_code == 409
    assert "SEN-13" in answer.json["refused"]
    assert "armi iniziali" in answer.json["text"].lower()


def test_a_player_cannot_move_for_another(enter, tap, evening):
    assert tap(enter("Aki"), "move", by="Ben", move="arm", weapons=["katana"]).status_code == 200

    assert evening.lines[-1]["by"] == "Aki"


def test_a_player_cannot_pause_or_take_back(enter, tap, evening):
    aki = enter("Aki")
    evening.arm()

    for what, data in (("pause", {}), ("resume", {}), ("undo", {"why": "I like it better"})):
        answer = tap(aki, what, **data)
        assert answer.status_code == 409
        assert answer.json["refused"] == ["TABLE-4"]
    assert evening.service.referee.match.moves == 2


def test_a_spectator_can_tap_nothing(client, tap, evening):
    for what in ("move", "ready", "pause", "resume", "undo", "correct"):
        assert tap(client, what, why="x", zone="Aki.block", card="block").status_code == 403
    assert evening.lines == []


def test_the_referee_pauses_and_goes_on(enter, tap, evening):
    referee = enter("referee")

    assert tap(referee, "pause").status_code == 200
    assert referee.get("/api/page").json["paused"] is True
    assert tap(referee, "resume").status_code == 200
    assert referee.get("/api/page").json["paused"] is False


def test_the_referee_moves_for_anybody(enter, tap, evening):
    assert tap(enter("referee"), "move", by="Ben", move="arm", weapons=["katana"]).status_code == 200

    assert evening.lines[-1]["by"] == "Ben"


def test_the_referee_takes_back_with_a_reason_and_not_without(enter, tap, evening):
    referee = enter("referee")
    evening.arm()

    assert tap(referee, "undo", moves=1).status_code == 400
    assert tap(referee, "undo", moves=1, why="  ").status_code == 400
    assert tap(referee, "undo", moves="one", why="x").status_code == 400
    assert tap(referee, "undo", moves=9, why="x").json["refused"] == ["TABLE-4"]
    assert evening.service.referee.match.moves == 2
    assert tap(referee, "undo", moves=1, why="misread card").status_code == 200
    assert evening.lines[-1] == {"undo": 1, "why": "misread card"}


def test_the_referee_is_ready_for_a_player(enter, tap, evening):
    referee = enter("referee")
    evening.arm()
    evening.place()

    assert tap(referee, "ready").status_code == 400
    assert tap(referee, "ready", by="Nobody").status_code == 400
    assert tap(referee, "ready", by="Ben").status_code == 200
    assert "Ben" in evening.service.referee.ready


def test_ready_with_nothing_to_be_ready_for_is_said(enter, tap):
    answer = tap(enter("Aki"), "ready")

    assert answer.status_code == 409
    assert answer.json["text"] == "Aki has nothing to be ready for now."


def test_one_tap_settles_a_card_that_the_camera_is_not_sure_of(enter, tap, evening):
    unsure = SeenCard(None, True, 90.0, guesses=("move", "leap"))
    evening.service.submit(Seen(Sight({"Aki.action1": (unsure,)}), evening.at))
    aki, ben = enter("Aki"), enter("Ben")
    question = aki.get("/api/page").json["questions"]

    assert question == [
        {"zone": "Aki.action1", "place": "Aki: first action", "guesses": ["move", "leap"], "rotation": 90.0}
    ]
    assert tap(ben, "correct", zone="Aki.action1", card="leap").status_code == 409
    assert tap(aki, "correct", zone="Aki.action1", card="leap").status_code == 200
    assert aki.get("/api/page").json["questions"] == []
    assert tap(aki, "correct", zone="Aki.action1", card="leap", rotation="left").status_code == 400


def test_the_disks_trouble_is_said_and_nothing_has_happened(enter, tap, evening):
    evening.arm()

    def full(_):
        raise ShinpanError(message("The disk is full."))

    evening.service.referee.record._write = full
    answer = tap(enter("referee"), "undo", why="x")

    assert answer.status_code == 503
    assert answer.json == {"text": "The disk is full."}
    assert evening.service.referee.match.moves == 2


def test_open_moves_are_for_the_seat_and_the_referee_only(client, enter):
    path = "/api/options?player=Aki"

    assert client.get(path).status_code == 403
    assert enter("Ben").get(path).status_code == 403
    assert {move["move"] for move in enter("Aki").get(path).json["moves"]} == {"arm"}
    assert enter("referee").get(path).json == enter("Aki").get(path).json
    assert enter("referee").get("/api/options?player=Nobody").json == {"moves": [], "parts": {}}


def test_a_rule_can_be_read_in_both_languages(client):
    english, italian = client.get("/api/rules?lang=en").json, client.get("/api/rules?lang=it").json

    assert english.keys() == italian.keys()
    assert {"SEN-58", "TABLE-1"} <= english.keys()
    assert english["SEN-58"]["text"] != italian["SEN-58"]["text"]


def test_the_deck_is_drawn_from_the_games_own_shapes(client):
    deck = client.get("/api/deck")

    assert deck.json["cards"]["katana"]["width"] == 64.0
    assert deck.json["cards"]["katana"]["shapes"][0]["type"] == "polygon"
    assert deck.json["back"]["shapes"]
    assert client.get("/api/deck", headers={"If-None-Match": deck.headers["ETag"]}).status_code == 304


def test_the_cameras_picture_is_the_referees(client, enter, evening):
    evening.service.picture = lambda: b"\xff\xd8jpeg"

    for browser in (client, enter("Aki")):
        refused = browser.get("/camera.jpg")
        assert refused.status_code == 403
        assert b"jpeg" not in refused.data
        assert 'id="camera"' not in browser.get("/").get_data(as_text=True)
    assert enter("referee").get("/camera.jpg").data == b"\xff\xd8jpeg"
    assert 'id="camera"' in enter("referee").get("/").get_data(as_text=True)


def test_the_cameras_picture_is_everybodys_where_the_table_says_so(evening):
    settings = msgspec.structs.replace(SETTINGS, camera_for="everyone")
    client = create_app(evening.service, settings).test_client()

    assert client.get("/camera.jpg").status_code == 204
    assert 'id="camera"' in client.get("/").get_data(as_text=True)


def test_one_picture_serves_everybody_for_a_moment(enter, evening):
    taken = []

    def picture():
        taken.append(1)
        return b"\xff\xd8jpeg"

    evening.service.picture = picture
    referee = enter("referee")
    for _ in range(5):
        answer = referee.get("/camera.jpg")
        assert answer.data == b"\xff\xd8jpeg"
        assert answer.mimetype == "image/jpeg"

    assert len(taken) < 5


def test_a_refused_secret_choice_is_told_to_its_player_alone(client, enter, tap, evening):
    aki, ben, referee = enter("Aki"), enter("Ben"), enter("referee")

    assert tap(aki, "move", move="arm", weapons=["katana", "nunchaku", "bo_staff"]).status_code == 409
    assert [said["kind"] for said in aki.get("/api/page").json["said"]] == ["refused"]
    for browser in (client, ben, referee):
        assert browser.get("/api/page").json["said"] == []
    assert tap(aki, "move", move="show", weapon="katana").status_code == 409


def test_a_body_that_cannot_be_read_gets_a_sentence(enter):
    aki = enter("Aki")
    headers = {"Origin": "http://localhost", "Content-Type": "application/json"}

    for body in (b"", b"{", b"[]", b'{"what": "dance"}', b'{"what": "ready", "extra": 1}', b"\xff\xfe"):
        answer = aki.post("/api/tap", data=body, headers=headers)
        assert answer.status_code == 400
        assert answer.json["text"].startswith("That request cannot be read")
    assert aki.post("/api/tap", data=b"[" * 70_000, headers=headers).status_code == 413


def test_a_body_that_would_exhaust_the_stack_gets_a_sentence(enter):
    aki = enter("Aki")
    headers = {"Origin": "http://localhost", "Content-Type": "application/json"}
    deep = 20_000

    for data in (b"[" * deep, b'{"a":' * 10_000, b"[" * 500 + b"]" * 500, b"9" * 5000):
        answer = aki.post("/api/tap", data=b'{"what":"move","data":{"move":' + data + b"}}", headers=headers)
        assert answer.status_code == 400
        assert answer.json["text"].startswith("That request cannot be read")


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"weapons": ["x" * 60_000]}, "too long"),
        ({"weapons": ["x" * 600]}, "a text in it has more than 500 characters"),
        ({"weapons": ["x"] * 65}, "a list in it has more than 64 entries"),
        ({"x" * 100: 1}, "a name in it has more than 64 characters"),
        ({"weapons": [[[[[[[[[]]]]]]]]]}, "it is nested too deeply"),
        ({"weapons": 10**15}, "a number in it is above 1000000000"),
    ],
)
def test_a_tap_that_is_larger_than_any_move_is_neither_written_nor_told(enter, tap, evening, fields, said):
    version = evening.service.version
    answer = tap(enter("Aki"), "move", move="arm", **fields)

    assert answer.status_code in (400, 413)
    assert len(answer.data) < 300
    assert said in answer.json["text"]
    assert evening.lines == []
    assert evening.service.version == version


def test_too_many_taps_of_a_player_are_told_so_and_go_no_further(enter, tap, evening):
    aki, referee = enter("Aki"), enter("referee")
    answers = [tap(aki, "move", move="show", weapon="katana") for _ in range(60)]
    lines = len(evening.lines)

    assert [answer.status_code for answer in answers] == [409] * 24 + [429] * 36
    assert answers[-1].json == {"text": "Too many taps at once; wait a moment."}
    assert tap(referee, "pause").status_code == 200
    assert len(evening.lines) - lines <= 1
    evening.at += 0.5
    assert [tap(aki, "move", move="show", weapon="katana").status_code for _ in range(3)] == [409, 409, 429]
