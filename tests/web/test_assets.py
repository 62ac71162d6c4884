"""What a page costs: one script for each page, everything compressed, kept as long as it stays the same."""

import gzip

import msgspec
import pytest
from playwright.sync_api import Page, expect

from tests.web.camera_table import CameraTable
from tests.web.evening import SETTINGS, Evening
from web import api
from web.app import HOME, create_app
from web.assets import Assets

GZIP = {"Accept-Encoding": "gzip, br"}
ASSETS = Assets(HOME / "static")
REQUESTS, BYTES = 15, 120_000


@pytest.fixture
def joined(tmp_path):
    """The scripts of these sources, `main.js` and what it imports, as one."""

    def joined(**sources: str) -> str:
        for name, source in sources.items():
            (tmp_path / f"{name}.js").write_text(source)
        return Assets(tmp_path).joined("main.js")

    return joined


def test_a_script_comes_after_what_it_imports_once_and_in_a_scope_of_its_own(joined, browser):
    script = joined(
        main='import { twice as double, Two } from "./a.js";\nimport * as b from "./b.js";\nconst own = 1;\n'
        "window.result = [double(b.base), new Two().two, own];\n",
        a='import { base } from "./b.js";\nconst own = 2;\nexport function twice(n) {\n  return n * own;\n}\n'
        "export class Two {\n  two = base;\n}\n",
        b="export const base = 21;\nwindow.loaded = (window.loaded || 0) + 1;\n",
    )
    page = browser.new_page()
    page.add_script_tag(content=script, type="module")
    page.wait_for_function("window.result")

    assert page.evaluate("[window.result, window.loaded]") == [[42, 21, 1], 1]


@pytest.mark.parametrize(
    "line",
    [
        'import a from "./a.js";',
        "export default 1;",
        "export let changing = 1;",
        'export * from "./a.js";',
        "import.meta.url;",
    ],
)
def test_a_form_of_import_that_cannot_be_joined_is_refused(joined, line):
    with pytest.raises(ValueError, match=r"main\.js: .*cannot be joined"):
        joined(main=line, a="export const a = 1;\n")


def test_scripts_that_import_each_other_in_a_circle_are_refused(joined):
    with pytest.raises(ValueError, match=r"main\.js -> a\.js -> main\.js"):
        joined(
            main='import { a } from "./a.js";\nexport const b = a;\n',
            a='import { b } from "./main.js";\nexport const a = b;\n',
        )


@pytest.mark.parametrize("name", [name for name in ASSETS.names if name.endswith(".js")])
def test_every_script_can_be_joined(name):
    assert ASSETS.get(name) is not None


def test_an_address_with_the_build_in_it_is_kept_for_good(client):
    for name in "status.js", "shinpan.css", "mark.svg":
        assert client.get(ASSETS.url(name)).headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert client.get("/static/status.js?build=old").headers["Cache-Control"] == "public, no-cache"
    assert client.get("/static/../app.py").status_code == 404


def test_what_the_browser_has_already_is_not_sent_again(client):
    for path in "/static/shinpan.css", "/api/deck":
        first = client.get(path, headers=GZIP)
        again = client.get(path, headers={**GZIP, "If-None-Match": first.headers["ETag"]})
        assert (again.status_code, again.data) == (304, b"")


def test_pages_scripts_and_answers_are_compressed_for_whoever_takes_it(client):
    for path in "/", "/api/page", "/api/deck", ASSETS.url("status.js", "sen_so"):
        plain, small = client.get(path), client.get(path, headers=GZIP)
        assert "Content-Encoding" not in plain.headers
        assert small.headers["Content-Encoding"] == "gzip"
        assert "Accept-Encoding" in small.headers["Vary"]
        assert gzip.decompress(small.data) == plain.data
        assert len(small.data) < len(plain.data) / 2


def test_the_cameras_picture_goes_out_only_when_it_has_changed(monkeypatch):
    monkeypatch.setattr(api, "PICTURE_EVERY", -1.0)
    table = CameraTable(None)
    settings = msgspec.structs.replace(SETTINGS, camera_for="everyone")
    client = create_app(table.service, settings).test_client()

    def seen(tag: str) -> tuple[int, str]:
        answer = client.get("/camera.jpg", headers={"If-None-Match": tag})
        return answer.status_code, answer.headers["ETag"]

    table.expose()
    status, tag = seen("")
    assert status == 200
    for _ in range(5):
        table.expose()  # the same table, with the noise of another moment
        assert seen(tag) == (304, tag)
    table.lay("move")
    table.expose()
    assert seen(tag)[0] == 200


def _costs(page: Page, url: str, evening: Evening) -> tuple[int, float]:
    """Requests and bytes, heads included, until the page stands and follows the match."""
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    asked: set[str] = set()
    received: list[float] = []
    network.on("Network.requestWillBeSent", lambda event: asked.add(event["requestId"]))
    network.on("Network.responseReceived", lambda event: received.append(event["response"]["encodedDataLength"]))
    network.on("Network.dataReceived", lambda event: received.append(event["encodedDataLength"]))
    page.goto(url)
    expect(page.locator("#board svg, #board table").first).to_be_visible()
    evening.tap("referee", "pause")
    expect(page.locator(".banner.hold")).to_be_visible()
    evening.tap("referee", "resume")
    expect(page.locator(".banner.hold")).to_be_hidden()
    return len(asked), sum(received)


@pytest.mark.browser
def test_a_first_visit_is_small_and_a_second_one_smaller(browser, server, evening):
    evening.begin()
    context = browser.new_context()
    first = _costs(context.new_page(), server.url + "?lang=it", evening)
    second = _costs(context.new_page(), server.url, evening)
    context.close()

    assert first[0] < REQUESTS
    assert first[1] < BYTES
    assert second[1] < first[1] / 2
