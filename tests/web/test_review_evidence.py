"""The clips and pictures of a match that is over, on the page that looks back at it."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import cv2
import msgspec
import numpy as np
import pytest
from flask.testing import FlaskClient
from msgspec.structs import replace
from playwright.sync_api import Browser, Page, expect

from companion.app.clip_film import pictures, smallest_clip
from companion.core.message import message
from companion.history.library import MatchLibrary
from companion.record.clip import H264, SentenceSaid, Still, Testimony, decode, encode
from companion.record.evidence import CLIP
from tests.web.axe import findings
from tests.web.chromium import SCREENS, log_in
from tests.web.evening import Evening
from tests.web.test_disputed_second import MOVED, SETTINGS, dispute
from web.app import create_app
from web.server import Server

ORIGIN = {"Origin": "http://localhost"}


class Played(NamedTuple):
    data: Path
    name: str
    line: int
    """The line of the call that a card was moved."""

    @property
    def clip(self) -> Path:
        return self.data / "matches" / self.name / f"{self.line:05}{CLIP}"

    def app(self, evening: Evening | None = None) -> FlaskClient:
        """The same table on another evening: another match has it."""
        service = (evening or Evening()).service
        return create_app(service, replace(SETTINGS, data=self.data)).test_client()

    def referee(self, evening: Evening | None = None) -> FlaskClient:
        client = self.app(evening)
        answer = client.post("/api/login", json={"role": "referee", "pin": SETTINGS.referee_pin}, headers=ORIGIN)
        assert answer.status_code == 200
        return client


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """A match in which a card was moved after ready; it was left there, and nobody sits at it any more."""
    data = tmp_path_factory.mktemp("evening")
    with dispute(data):
        pass
    (path,) = (data / "matches").glob("*.kifu")
    told = MatchLibrary(data).open(path.stem)
    line = next(said.line for said in told.then[-1].said if said.kind == "call")
    return Played(data, path.stem, line)


@pytest.fixture
def named_again(played: Played) -> Iterator[Played]:
    """A match some of whose players may become anonymous; afterwards nobody is."""
    yield played
    (played.data / "history.json").unlink(missing_ok=True)


def bootstrap(client: FlaskClient, played: Played, language: str = "en") -> dict[str, object]:
    html = client.get(f"/history/{played.name}?lang={language}").get_data(as_text=True)
    sent: dict[str, object] = msgspec.json.decode(html.partition('id="first">')[2].partition("</script>")[0])
    return sent


def looked_back(browser: Browser, url: str, played: Played, screen: str, language: str) -> tuple[Page, list[str]]:
    width, height = SCREENS[screen]
    context = browser.new_context(
        viewport={"width": width, "height": height}, has_touch=True, reduced_motion="reduce", locale=language
    )
    page, wrong = context.new_page(), []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(f"{url}referee?lang={language}", wait_until="domcontentloaded")
    log_in(page, SETTINGS.referee_pin)
    page.goto(f"{url}history/{played.name}?lang={language}", wait_until="domcontentloaded")
    return page, wrong


@pytest.mark.browser
@pytest.mark.parametrize(("screen", "language"), [("phone", "it"), ("upright", "en")])
def test_the_referee_opens_the_clip_of_an_old_ruling_and_the_match_follows_it(
    browser: Browser, played: Played, screen: str, language: str
) -> None:
    evening = Evening()
    app = create_app(evening.service, replace(SETTINGS, data=played.data))
    with Server(app, evening.service, port=0) as server:
        page, wrong = looked_back(browser, f"{server.url}/", played, screen, language)
        page.locator("#rulings li.call .clip").click()
        dialog = page.locator("dialog.dispute")
        expect(dialog.locator(".still")).to_have_js_property("complete", True)
        assert page.evaluate("document.querySelector('dialog .still').naturalWidth") > 300
        expect(dialog.locator("[data-zone='Aki.action1'] .moved")).to_be_visible()
        expect(dialog.locator(".decision")).to_have_count(0)  # a match that is over is looked at, not ruled on
        expect(page.locator("body")).to_have_attribute("data-line", str(played.line))
        expect(dialog.locator(".in-match")).to_contain_text(str(played.line))
        told = dialog.locator(".mark.sentence.call").get_attribute("title")
        assert (told == MOVED) == (language == "en")
        assert findings(page) == []

        dialog.locator(".scrubber").focus()
        for _ in range(20):
            page.keyboard.press("ArrowLeft")
        expect(dialog.locator(".still")).to_have_attribute("data-frame", "0")
        earlier = int(page.locator("body").get_attribute("data-line") or 0)
        assert 0 < earlier < played.line
        page.keyboard.press("Escape")
        expect(page.locator("dialog[open]")).to_have_count(0)
        assert page.evaluate("location.hash") == f"#{earlier}"

        page.locator("#evidence summary").click()
        row = page.locator("#evidence-kept li", has=page.locator(".picture")).first
        row.locator(".picture").click()
        shown = page.locator("dialog.evidence img")
        expect(shown).to_have_js_property("complete", True)
        assert page.evaluate("document.querySelector('dialog.evidence img').naturalWidth") > 300
        page.get_by_role("button", name="Close" if language == "en" else "Chiudi").click()
        row.locator("a").click()
        expect(page.locator("body")).to_have_attribute("data-line", row.locator("b").inner_text())
        assert wrong == []
        page.context.close()


def test_nobody_but_the_referee_is_told_of_clips_and_pictures(played: Played) -> None:
    assert bootstrap(played.referee(), played)["kept"]
    spectator = played.app()
    player = played.app()
    assert player.post("/api/login", json={"role": "Aki", "pin": "111111"}, headers=ORIGIN).status_code == 200
    for client in (spectator, player):
        assert bootstrap(client, played)["kept"] == []
        assert client.get(f"/api/history/{played.name}/moments").json["kept"] == []
        for address in (f"clips/{played.line:05}.avi", f"dispute/{played.line:05}", f"evidence/{played.line:05}.jpg"):
            assert client.get(f"/api/{address}?match={played.name}").status_code == 403


def test_a_clip_names_nobody_who_wants_to_be_anonymous_and_its_file_stays_as_it_was(named_again: Played) -> None:
    played, before = named_again, named_again.clip.read_bytes()
    MatchLibrary(played.data).make_anonymous("Aki", True)
    client = played.referee()
    query = f"{played.line:05}?match={played.name}&lang=it"

    known = client.get(f"/api/dispute/{query}")
    film = client.get(f"/api/clips/{query.replace('?', '.avi?', 1)}").data
    assert b"Aki" not in known.data
    assert b"Aki" not in film
    assert "N. N. 1" in known.json["players"]
    assert any("N. N. 1" in each["text"] for each in known.json["sentences"])
    assert "Aki" not in str(bootstrap(client, played)["kept"])
    assert b"Aki" in before
    assert played.clip.read_bytes() == before
    # The places of the pictures are those of the file that is sent, and every picture is what the camera took.
    plain = decode(before)
    for frame, kept in zip(known.json["frames"], plain.frames, strict=True):
        assert film[frame["start"] : frame["start"] + frame["size"]] == before[kept.start : kept.start + kept.size]


def test_a_sentence_of_a_clip_is_in_the_readers_language_and_that_of_an_older_clip_in_english(played: Played) -> None:
    client = played.referee()
    address = f"/api/dispute/{played.line:05}?match={played.name}"
    assert [each["text"] for each in client.get(f"{address}&lang=en").json["sentences"]] == [MOVED]
    (italian,) = client.get(f"{address}&lang=it").json["sentences"]
    assert italian["text"].startswith("Una carta di Aki")

    older = Testimony(players=("Aki", "Ben"), sentences=(SentenceSaid(0.0, "call", (), 7, text="In English."),))
    jpeg = played.clip.with_name("09999.avi")
    jpeg.write_bytes(encode([Still(0.0, b"\xff\xd8\xff\xd9")], (640, 360), older))
    try:
        told = client.get(f"/api/dispute/09999?match={played.name}&lang=it").json["sentences"]
        assert [each["text"] for each in told] == ["In English."]
    finally:
        jpeg.unlink()


def test_a_refusal_without_a_line_is_listed_with_what_was_said(played: Played, tmp_path: Path) -> None:
    """Only the line that vouches for its clip says where it belongs; what was said stands in the clip."""
    matches = tmp_path / "matches"
    folder = matches / played.name
    folder.mkdir(parents=True)
    said = SentenceSaid(0.5, "refused", (), 0, message("The cards are not in their places yet."))
    (folder / "call-20260101-200000-7.avi").write_bytes(
        encode([Still(0.0, b"\xff\xd8\xff\xd9")], (640, 360), Testimony(players=("Aki", "Ben"), sentences=(said,)))
    )
    (folder / "call-20260101-195959-7.jpg").write_bytes(b"\xff\xd8\xff\xd9")
    (matches / f"{played.name}.kifu").write_text(
        '{"kifu": 1, "game": "sen_so", "players": ["Aki", "Ben"], "options": {}}\n'
        '{"picture": "00", "of": ["call-20260101-195959-7"], "at": 1.0}\n'
        '{"picture": "00", "of": ["call-20260101-200000-7.avi"], "at": 3.0}\n'
        '{"picture": "00", "of": ["call-20260101-210000-9.avi"], "at": 9.0}\n'
    )
    client = played._replace(data=tmp_path).referee()
    assert bootstrap(client, played)["kept"] == [
        {
            "line": 2,
            "picture": "call-20260101-195959-7",
            "clip": "call-20260101-200000-7",
            "text": "The cards are not in their places yet.",
        }
    ]


@pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="ffmpeg is not installed (make debian-packages)")
def test_a_clip_that_is_kept_as_h264_is_sent_picture_by_picture(played: Played) -> None:
    before = played.clip.read_bytes()
    plain = decode(before)
    stills = [Still(frame.at, before[frame.start : frame.start + frame.size]) for frame in plain.frames]
    film = played.clip.with_name("09998.avi")
    film.write_bytes(smallest_clip(stills, plain.size, plain.testimony))
    assert decode(film.read_bytes()).codec == H264
    evening = Evening()
    evening.service.film_pictures = pictures
    client = played.referee(evening)
    try:
        known = client.get(f"/api/dispute/09998?match={played.name}").json
        sent = client.get(f"/api/clips/09998.avi?match={played.name}").data
    finally:
        film.unlink()
    assert [frame["at"] for frame in known["frames"]] == [frame.at for frame in plain.frames]
    for frame, still in zip(known["frames"], stills, strict=True):
        shown, taken = (
            cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
            for jpeg in (sent[frame["start"] : frame["start"] + frame["size"]], still.jpeg)
        )
        assert shown is not None
        assert taken is not None
        assert cv2.absdiff(shown, taken).mean() < 4.0


@pytest.mark.parametrize("match", ["2020-01-01-200000-sen_so", "../../etc/passwd", "x" * 300])
def test_clips_of_a_match_that_is_not_here_are_refused_in_one_sentence(played: Played, match: str) -> None:
    client = played.referee()
    for address in ("clips/00001.avi", "dispute/00001", "evidence/00001.jpg"):
        answer = client.get(f"/api/{address}", query_string={"match": match})
        assert answer.status_code == 404
        assert answer.json["text"].endswith(".")
    gone = client.get(f"/api/clips/77777.avi?match={played.name}")
    assert gone.status_code == 404
    assert gone.json["text"] == "That clip is not kept any more."
