"""The command line as a person uses it: what works, and one clear sentence for what does not."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from companion.app.camera_feed import CameraFeed
from companion.app.senses import Senses
from companion.app.wiring import open_timer_panel
from companion.core.events import SIMULATED
from companion.games import game
from companion.record import kifu
from companion.record.journal import DataFolder
from companion.record.match import Match
from companion.record.recorded_match import RecordedMatch
from companion.referee.referee import Referee
from companion.referee.service import Service

ILLEGAL = """\
{"kifu": 1, "game": "sen_so", "players": ["Aki", "Ben"], "options": {"end": {"actions": 3}}}
# Katana and Nunchaku and Bo Staff take ten spaces, and there are eight.
{"by": "Aki", "move": "arm", "weapons": ["katana", "nunchaku", "bo_staff"]}
"""


def shinpan(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    code = "from companion.cli import main; main()"
    here = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
    return subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, cwd=cwd, env=here)


def test_a_hand_written_illegal_kifu_gets_a_sentence_with_its_rule(tmp_path: Path) -> None:
    file = tmp_path / "illegal.kifu"
    file.write_text(ILLEGAL)

    done = shinpan("replay", str(file))

    assert done.returncode == 1
    assert f"{file}, line 3: Aki's weapons take 10 inventory spaces; there are 8. [SEN-10]" in done.stderr


def test_a_line_that_names_no_move_is_told_like_any_other_refused_one(tmp_path: Path) -> None:
    file = tmp_path / "a.kifu"
    file.write_text(ILLEGAL.splitlines()[0] + '\n{"by": "Aki", "weapons": [], "refused": "TABLE-4"}\n')

    done = shinpan("replay", str(file))

    assert done.returncode == 0
    assert "   2  Aki: weapons=[]\n        refused [TABLE-4]" in done.stdout


def test_replay_in_json_ends_with_the_state_and_the_result(tmp_path: Path) -> None:
    file = tmp_path / "a.kifu"
    file.write_text(
        ILLEGAL.replace('"bo_staff"]', '"bo_staff"], "refused": "SEN-10"') + '{"expect": {"over": false}}\n'
    )

    done = shinpan("replay", "--json", str(file))
    lines = [json.loads(line) for line in done.stdout.splitlines()]

    assert done.returncode == 0
    assert lines[0]["refused"] == ["SEN-10"]
    assert lines[-1]["ok"] is True
    assert lines[-1]["state"]["scores"] == {"Aki": 0, "Ben": 0}
    assert lines[-1]["result"] == {"over": False, "winners": []}


@pytest.mark.parametrize(
    ("content", "code", "words"),
    [
        (b"", 2, "it has no header"),
        (b"hello\n", 2, "it is not JSON"),
        (b"\xff\xfe\x00", 2, "it is not JSON"),
        (b'{"kifu": 2, "game": "sen_so", "players": []}\n', 2, "version 2"),
        (b'{"kifu": 1, "game": "chess", "players": ["A", "B"]}\n', 1, "no game called chess"),
        (b'{"kifu": 1, "game": "sen_so", "players": ["A"]}\n', 1, "SEN-5"),
        (b'{"kifu": 1, "game": "sen_so", "players": ["A", "B"], "options": {"bord": [9, 9]}}\n', 1, "bord"),
        (
            b'{"kifu": 1, "game": "sen_so", "players": ["A", "B"]}\n{"by": "C", "move": "arm", "weapons": []}\n',
            1,
            "TABLE-4",
        ),
        (b'{"kifu": 1, "game": "sen_so", "players": ["A", "B"]}\n{"expect": {"scores.C": 0}}\n', 1, "no such thing"),
    ],
)
def test_what_is_wrong_with_a_file_is_said_with_the_right_exit_code(
    tmp_path: Path, content: bytes, code: int, words: str
) -> None:
    file = tmp_path / "a.kifu"
    file.write_bytes(content)

    done = shinpan("replay", str(file))

    assert done.returncode == code
    assert words in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_changed_line_is_noticed(tmp_path: Path) -> None:
    line, check = kifu.write({"kifu": 1, "game": "sen_so", "players": ["Aki", "Ben"]}, kifu.START)
    move, _ = kifu.write({"by": "Aki", "move": "arm", "weapons": ["katana"]}, check)
    file = tmp_path / "a.kifu"
    file.write_bytes(line + move.replace(b"katana", b"nagamaki"))

    done = shinpan("replay", str(file))

    assert done.returncode == 1
    assert "line 2: the line does not agree with its check" in done.stderr


def test_rules_are_printed_with_number_and_origin() -> None:
    done = shinpan("rules", "sen_so")

    assert done.returncode == 0
    assert "SEN-58" in done.stdout
    assert "TABLE-1" in done.stdout
    assert "[booklet]" in done.stdout
    assert "attack pattern of the Katana: house" in done.stdout


def test_rules_in_italian() -> None:
    told = shinpan("rules", "sen_so", "--language", "it").stdout

    assert told.startswith("Sen So (da 2 a 4 giocatori)\n")
    assert "[libretto] " in told
    assert "[booklet]" not in told
    assert "\nI dati e la loro origine:\n" in told


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["serve", "sen_so"], "Who plays?"),
        (["serve", "sen_so", "--players", "Aki"], "2 to 4 players"),
        (
            ["serve", "sen_so", "--players", "Aki,Ben", "--options", '{"end": {"time": -1}}'],
            "exactly one of them, above zero",
        ),
        (["serve", "sen_so", "--players", "Aki,Ben", "--options", "{"], "not a JSON object"),
        (["serve", "--config", "nowhere.toml"], "nowhere.toml cannot be read"),
        (["serve", "chess"], "'chess' is not one of"),
        (["serve", "--frobnicate"], "No such option"),
        (["demo", "sen_so", "--speed", "fast"], "a number above 0, or max"),
        (["demo", "sen_so", "--players", "9"], "at most 6"),
    ],
)
def test_bad_arguments_are_one_sentence_and_exit_2(tmp_path: Path, arguments: list[str], words: str) -> None:
    done = shinpan(*arguments, cwd=tmp_path)

    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('playrs = ["Aki"]', "playrs"),
        ('port = "high"', "port"),
        ("port = = 1", "is not TOML"),
    ],
)
def test_a_wrong_configuration_is_one_sentence(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data/shinpan.toml").write_text(text)

    done = shinpan("serve", cwd=tmp_path)

    assert done.returncode == 2
    assert words in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_second_service_on_one_data_folder_is_turned_away(tmp_path: Path) -> None:
    with DataFolder(tmp_path / "data"):
        done = shinpan("serve", "sen_so", "--players", "Aki,Ben", cwd=tmp_path)

    assert done.returncode == 2
    assert f"Another Shinpan (process {os.getpid()})" in done.stderr


def test_a_service_without_camera_and_panels_starts_is_killed_and_goes_on(tmp_path: Path) -> None:
    code = "from companion.cli import main; main()"
    here = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3]), "PYTHONUNBUFFERED": "1"}
    arguments = [
        "serve",
        "sen_so",
        "--players",
        "Aki,Ben",
        "--camera",
        "none",
        "--panels",
        "none",
        "--port",
        "0",
        "--host",
        "127.0.0.1",
    ]
    for language, told in (("en", "The page is at"), ("en", "Going on with"), ("it", "Si riprende")):
        command = [sys.executable, "-c", code, *arguments, "--language", language]
        service = subprocess.Popen(command, cwd=tmp_path, env=here, stdout=subprocess.PIPE, text=True)
        assert service.stdout is not None
        lines = [service.stdout.readline() for _ in range(2)]
        service.send_signal(signal.SIGKILL)
        service.wait()
        service.stdout.close()
        assert lines[0].startswith(told)
    assert len(list((tmp_path / "data/matches").glob("*.kifu"))) == 1


def test_a_timer_without_pins_is_told_and_the_table_goes_on_without_it() -> None:
    match = Match(game("sen_so"), ["Aki", "Ben"])
    service = Service(Referee(RecordedMatch(match, lambda fields: 1)), lambda: 0.0)

    def tried(wanted: str, pins: dict[str, Any]) -> str:
        timer, condition = open_timer_panel(wanted, pins, service.now)
        assert timer is None
        return "" if condition is None else str(condition.message)

    assert "no GPIO pins" in tried("gpio", {})
    assert "pins cannot be used" in tried("simulated", {"bar": [5, 5]})
    assert "wiring of the timer cannot be read" in tried("simulated", {"beeper": 3})
    assert tried("none", {}) == ""

    simulated, condition = open_timer_panel("simulated", {"buzzer": None, "bar": [5, 6]}, service.now)
    assert simulated is not None
    assert condition is None
    Senses(service, CameraFeed(), timer=simulated).poll()
    assert service.referee.senses["timer"] == SIMULATED
    simulated.close()
