"""The head of the kifu on the pages: whoever notes it down can see later that nothing was changed."""

from datetime import datetime
from pathlib import Path

from companion.app.match_store import begin
from companion.core.events import Tap
from companion.games import game
from companion.record.journal import DataFolder
from companion.record.signing import public_key
from companion.record.verification import Proven, verify
from companion.referee.service import Service
from web.app import Settings, create_app


def test_the_page_shows_the_head_and_its_code_is_what_verify_takes(tmp_path: Path) -> None:
    with DataFolder(tmp_path) as folder:
        referee, journal = begin(folder, game("high_card"), ("Aki", "Ben"), {}, datetime(2026, 1, 1))
        service = Service(referee, lambda: 1.0)
        browser = create_app(service, Settings(referee_pin="", secret="s" * 64)).test_client()
        service.submit(Tap("referee", "pause", {}, 1.0))
        service.submit(Tap("referee", "end", {"how": "agreed", "why": "late"}, 2.0))

        shown = browser.get("/api/page").get_json()["record"]
        code = browser.get("/record.svg")
        journal.close()

    assert shown["file"] == journal.path.name
    assert shown["line"] == len(journal.path.read_bytes().splitlines())
    assert shown["key"] == public_key(tmp_path)
    assert (code.status_code, code.mimetype) == (200, "image/svg+xml")
    text = f"Shinpan {shown['file']}, line {shown['line']}, head {shown['check']}, key {shown['key']}"
    assert journal.head.text == text
    assert verify(journal.path, shown["key"], text).proven is Proven.WHOLE
    lines = journal.path.read_bytes().splitlines(keepends=True)
    journal.path.write_bytes(b"".join(lines[:-2]))
    assert verify(journal.path, shown["key"], text).proven is Proven.ALTERED
