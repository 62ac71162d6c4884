"""A recorded evening of each game, played again: the same events, a fresh referee, the same outcome."""

import json
import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from companion.app.match_store import begin, record_events, resume
from companion.app.relive import relive
from companion.app.wiring import Keeping
from companion.cli import run
from companion.cli.relive import command
from companion.core.events import Outcome, Press, Seen, Sense, Tap, Tick, trouble
from companion.core.layout import SeenCard, Sight
from companion.core.message import message
from companion.games import game
from companion.record.event_log import EventLog, Handled, Ticks, read
from companion.record.journal import DataFolder, Journal, JournalFailed
from companion.referee.referee import Referee
from companion.referee.service import Service, TableDevices
from tests.companion.app.evenings import PEOPLE
from tests.firmware_interface.clear_sight import ClearSight
from web.app import Settings
from web.pins import SeatPin

SHORT: dict[str, tuple[int, dict[str, Any]]] = {
    "sen_so": (3, {"end": {"actions": 3}}),
    "senjutsu": (2, {"health": 2}),
    "san_ni_ichi": (3, {}),
    "sensu": (2, {}),
    "high_card": (2, {}),
}
MOST = 24
"""Moves after which an evening is long enough."""
WEAPONS = {"move": "arm", "weapons": ["katana"]}


@pytest.fixture(scope="module", params=SHORT)
def evening(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A short match at the virtual table, recorded; every tick, press, tap and sight of it."""
    name = request.param
    players, options = SHORT[name]
    people = PEOPLE[:players]
    folder = tmp_path_factory.mktemp(name)
    settings = Settings(referee_pin="1", seats=(SeatPin("1"),) * 6, secret="s")
    with DataFolder(folder) as data:
        referee, journal = begin(data, game(name), people, options, datetime(2026, 1, 1, tzinfo=UTC))
        log = record_events(folder / "evening.events", referee, journal)
        table = ClearSight(referee, 7, settings, think=(3.0, 9.0), keeping=Keeping(events=log))
        try:
            for _ in range(3000):
                if table.over or referee.match.moves >= MOST:
                    break
                table.beat()
        finally:
            table.close()
            log.close()
            journal.close()
    assert referee.match.moves > 3
    return folder / "evening.events"


def test_the_same_events_have_the_same_outcome(evening: Path) -> None:
    relived = relive(evening)

    assert relived.difference is None
    assert relived.events > 50


def test_ticks_without_an_outcome_are_kept_as_runs(evening: Path) -> None:
    runs = [line for _, line in read(evening) if isinstance(line, Ticks)]
    kept = [line for _, line in read(evening) if isinstance(line, Handled) and isinstance(line.event, Tick)]

    assert sum(run.ticks for run in runs) > 2 * (len(runs) + len(kept))


def test_no_picture_is_in_it(evening: Path) -> None:
    assert b"\xff\xd8" not in evening.read_bytes()
    assert evening.stat().st_size < 1_000_000


def test_a_changed_file_is_noticed_with_its_line(evening: Path, tmp_path: Path) -> None:
    lines = evening.read_bytes().splitlines(keepends=True)
    changed = tmp_path / "changed.events"
    for place in (1, len(lines) // 2):
        altered = lines[place].replace(b"1", b"2", 1)
        changed.write_bytes(b"".join([*lines[:place], altered, *lines[place + 1 :]]))
        done = run_command(changed)

        assert done[0] == 2
        assert f"line {place + 1}: the line does not agree with its check" in done[1]
        changed.write_bytes(b"".join([*lines[:place], *lines[place + 1 :]]))  # one taken out
        assert run_command(changed)[0] == 2


def test_a_rule_that_rules_otherwise_shows_as_a_difference(evening: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check can fail: one sentence of the whole evening is told with another rule."""
    rulings = [
        number
        for number, line in read(evening)
        if isinstance(line, Handled) and b'"kind":"ruling"' in bytes(line.effects)
    ]
    handle, seen = Referee.handle, 0

    def other(referee: Referee, event: Any) -> Outcome:
        nonlocal seen
        outcome = handle(referee, event)
        for place, effect in enumerate(outcome.effects):
            if getattr(effect, "kind", "") == "ruling":
                seen += 1
                if seen == 2:
                    outcome.effects[place] = type(effect)("ruling", ("X-1",), effect.message, effect.line)  # type: ignore[union-attr,call-arg]
        return outcome

    monkeypatch.setattr(Referee, "handle", other)
    difference = relive(evening).difference

    assert difference is not None
    assert difference.line in rulings
    assert difference.what == "sentences"


def run_command(path: Path, *options: str) -> tuple[int, str]:
    """`shinpan relive`: exit code and what it printed."""
    done = CliRunner().invoke(command, [str(path), *options])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        return 2, str(done.exception)
    return done.exit_code, done.output


# --- a small table, event by event --------------------------------------------------------------------------------


class SmallTable:
    """A Sen So table whose events are made by hand, recorded."""

    def __init__(self, folder: DataFolder, players: tuple[str, ...] = ("Aki", "Ben")) -> None:
        going_on = resume(folder, game("sen_so"))
        if going_on is None:
            self.referee, self.journal = begin(
                folder, game("sen_so"), players, {"end": {"actions": 2}}, datetime(2026, 1, 1, tzinfo=UTC)
            )
        else:
            self.referee, self.journal = going_on
        self.log = record_events(folder.path / "small.events", self.referee, self.journal)
        self.referee.record.listen(self.log.line)
        self.at = 0.0
        self.service = Service(self.referee, lambda: self.at, TableDevices(), self.log)

    def tap(self, by: str, what: str, **data: Any) -> None:
        self.service.submit(Tap(by, what, data, self.at))

    def wait(self, seconds: float) -> None:
        for _ in range(round(seconds * 50)):
            self.at += 0.02
            self.service.submit(Tick(self.at))

    def close(self) -> Path:
        self.log.close()
        self.journal.close()
        return self.log.path


def busy(table: SmallTable) -> None:
    """Something of everything that can reach a referee."""
    table.service.submit(Sense("camera", trouble(message("The {part} is out.", part="cable")), table.at))
    table.tap("referee", "resume")
    table.wait(12.0)
    for player in ("Aki", "Ben"):
        table.tap(player, "move", **WEAPONS)
    table.tap("Aki", "move", move="dance")
    table.service.submit(Press(1, "down", table.at, 0.004, "board", 1.5))
    card = SeenCard(None, True, 90.0, guesses=("katana", "bo_staff"), confidence=0.4)
    table.service.submit(Seen(Sight({"Aki.weapon": (card,)}), table.at))
    table.tap("Aki", "correct", zone="Aki.weapon", card="katana", rotation=0.0)
    table.tap("referee", "undo", moves=1, why="a misread card")
    table.tap("referee", "award", player="Aki", points=-5, why="looked at a covered card")
    table.tap("referee", "award", player="Aki", points=-5)
    table.tap("referee", "rule", say="Pawns stand in the middle.")
    table.tap("referee", "pause")
    table.wait(1.0)


@pytest.fixture
def folder(tmp_path: Path) -> Any:
    with DataFolder(tmp_path) as data:
        yield data


def test_every_kind_of_event_is_relived(folder: DataFolder) -> None:
    table = SmallTable(folder)
    busy(table)
    path = table.close()

    assert relive(path).difference is None
    code, told = run_command(path)
    assert (code, told.count("\n")) == (0, 1)
    assert "kifu, lights and sentences are the same" in told
    assert json.loads(run_command(path, "--json")[1])["same"] is True
    assert "kifu, luci e frasi sono uguali" in run_command(path, "--language", "it")[1]


def test_a_match_that_was_resumed_is_relived_from_where_it_stood(folder: DataFolder) -> None:
    first = SmallTable(folder)
    busy(first)
    first.close()
    os.truncate(first.journal.path, first.journal.path.stat().st_size - 3)  # a torn line: that is said as well
    second = SmallTable(folder)
    second.at = 500.0
    busy(second)
    path = second.close()

    assert path.name == "small-2.events"
    assert relive(path).difference is None
    assert relive(first.log.path).difference is None


def test_acts_of_the_referee_are_relived_and_resumed(folder: DataFolder) -> None:
    first = SmallTable(folder)
    busy(first)
    first.tap("referee", "rename", player="Ben", name="Bea")
    first.service.submit(Seen(Sight({"Ben.weapon": (SeenCard(None, False),)}), first.at))
    stood = first.referee.match.facts
    first.close()  # as a kill would: nothing more is written
    second = SmallTable(folder)

    assert second.referee.match.facts == stood
    assert second.referee.match.players == ("Aki", "Bea")
    assert second.referee.match.facts["scores"] == {"Aki": -5, "Bea": 0}
    second.service.submit(Seen(Sight({"Bea.weapon": (SeenCard(None, False),)}), second.at))
    second.tap("referee", "end", how="abandoned", why="fire alarm")
    assert relive(first.log.path).difference is None
    assert relive(second.close()).difference is None
    assert resume(folder, game("sen_so")) is None


def test_a_full_disk_in_the_middle_is_relived_too(folder: DataFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    table = SmallTable(folder)
    append = Journal.append
    calls = 0

    def sometimes(journal: Journal, fields: Any) -> int:
        nonlocal calls
        calls += 1
        if calls in (2, 4):
            raise JournalFailed(message("The disk is full."))
        return append(journal, fields)

    table.referee.record._write = lambda fields: sometimes(table.journal, fields)
    busy(table)

    assert calls > 4
    assert relive(table.close()).difference is None


def test_a_file_cut_off_by_a_kill_is_relived_as_far_as_it_goes(folder: DataFolder) -> None:
    table = SmallTable(folder)
    busy(table)
    path = table.close()
    whole = relive(path).events
    os.truncate(path, path.stat().st_size - 7)

    assert relive(path).difference is None
    assert whole - 3 < relive(path).events < whole


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda data: b"", "there is nothing in it"),
        (lambda data: b"hello\n", "line 1: it has no check"),
        (lambda data: data.replace(b'"events":1', b'"events":9', 1), "line 1: the line does not agree"),
        (lambda data: data + b'{"event":{"type":"tick","at":1.0}}\n', "it has no check"),
    ],
    ids=["empty", "not ours", "changed", "added by hand"],
)
def test_a_damaged_file_is_one_sentence_and_exit_2(
    folder: DataFolder, damage: Callable[[bytes], bytes], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    table = SmallTable(folder)
    busy(table)
    path = table.close()
    path.write_bytes(damage(path.read_bytes()))

    assert run(["relive", str(path)]) == 2
    told = capsys.readouterr().err
    assert reason in told
    assert told.startswith(f"shinpan: {path}")
    assert len(told.splitlines()) == 1


def test_a_file_that_is_not_there_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["relive", str(tmp_path / "nowhere")]) == 2
    assert capsys.readouterr().err == f"shinpan: {tmp_path / 'nowhere'} cannot be read: No such file or directory.\n"


def test_a_recording_that_the_disk_refuses_ends_with_a_notice_and_the_match_goes_on(
    folder: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = SmallTable(folder)
    table.tap("Aki", "move", **WEAPONS)

    def full(log: EventLog, fields: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(EventLog, "_append", full)
    table.tap("Ben", "move", **WEAPONS)
    said = [str(each.message) for each in table.referee.said if each.kind == "notice"]
    table.tap("referee", "resume")
    monkeypatch.undo()

    assert said == ["The events are no longer recorded in small.events (No space left on device). The match goes on."]
    assert table.referee.match.moves == 2
    assert table.referee.clock.running
    assert relive(table.close()).difference is None


def test_a_tick_builds_no_dictionary_of_facts(folder: DataFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    """It comes fifty times a second and needs one number of the state."""
    table = SmallTable(folder)
    table.tap("referee", "resume")
    rules = table.referee.match.game.rules
    asked: list[object] = []
    facts = rules.facts
    monkeypatch.setattr(table.referee.match, "game", _counting(table.referee.match.game, facts, asked))
    table.wait(8.0)

    assert asked == []
    table.close()


def _counting(chosen: Any, facts: Callable[[Any], Any], asked: list[object]) -> Any:
    import dataclasses

    def counted(state: Any) -> Any:
        asked.append(state)
        return facts(state)

    return dataclasses.replace(chosen, rules=dataclasses.replace(chosen.rules, facts=counted))
