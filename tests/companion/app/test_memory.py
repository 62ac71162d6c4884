"""What has ended takes no memory, and that without waiting for Python's search for cycles."""

import gc
import weakref
from collections import deque
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from random import Random

import pytest

from companion.app.camera_feed import CameraFeed
from companion.app.demo import Evening
from companion.app.match_store import begin
from companion.app.senses import Senses
from companion.cli.serving import new_settings
from companion.core.events import Press
from companion.games import game
from companion.record.journal import DataFolder
from companion.referee.service import Service
from companion.virtual import dealt
from firmware_interface.panels import Panels


@pytest.fixture(autouse=True)
def no_collector() -> Iterator[None]:
    """Only what nobody refers to is freed."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.parametrize("name", ["sen_so", "sensu", "senjutsu", "san_ni_ichi", "high_card"])
def test_an_evening_that_is_over_is_freed_with_everything_in_it(tmp_path: Path, name: str) -> None:
    players = ("Aki", "Ben", "Cho")[: game(name).seats.start]
    with DataFolder(tmp_path) as folder:
        options = dealt(name, players, {}, Random(1))
        referee, journal = begin(folder, game(name), players, options, datetime(2026, 1, 1))
        evening = Evening(referee, 1, new_settings(players))
        for _ in range(6):
            evening.beat()
        watcher = evening.feed.watcher
        assert watcher is not None
        parts = {
            "evening": weakref.ref(evening),
            "service": weakref.ref(evening.service),
            "pages": weakref.ref(evening.app),
            "referee": weakref.ref(referee),
            "match": weakref.ref(referee.match),
            "camera": weakref.ref(evening.feed),
            "watcher": weakref.ref(watcher),
            "gallery": weakref.ref(watcher.recogniser),
        }
        evening.close()
        journal.close()
        del evening, referee, journal, watcher

    assert [what for what, part in parts.items() if part() is not None] == []


def test_presses_are_not_kept_for_ever(tmp_path: Path) -> None:
    with DataFolder(tmp_path) as folder:
        referee, journal = begin(folder, game("sen_so"), ("Aki", "Ben"), {}, datetime(2026, 1, 1))
        service = Service(referee, lambda: 0.0)
        panels = Panels(2, ())
        senses = Senses(service, CameraFeed(), panels)
        for number in range(500):
            senses.poll(lambda number=number: [Press(0, "up", float(number))])
        journal.close()
        panels.close()

    kept = {name: len(value) for name, value in vars(senses).items() if isinstance(value, list | deque | dict | set)}
    assert max(kept.values()) <= 64, kept
