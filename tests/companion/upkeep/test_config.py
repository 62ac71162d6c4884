"""The configuration: what is wrong is named with file, line and reason; what holds says where it comes from."""

import tomllib
from pathlib import Path
from typing import get_args

import msgspec
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.cli.config import config
from companion.core.wording import LANGUAGES, sentence
from companion.upkeep import config as module
from companion.upkeep.config import FIELDS, BadConfig, TableConfig, checked, choices_of, configured, load
from companion.upkeep.settings import GROUPS, SETTINGS, example
from companion.upkeep.toml_text import as_toml, changed, first_line, parse, removed
from web.pins import CameraFor

DOCS = Path(__file__).parents[3] / "docs"
WRONG = {
    "por = 80": "line 2: there is no setting called por; port is meant?",
    "wallpaper = 1": "line 2: there is no setting called wallpaper",
    'port = "80"': "line 2: port must be a whole number, not a text",
    "port = 70000": "line 2: port must be at most 65535",
    'timer = "usb"': "line 2: timer cannot be usb; it can be none, gpio, simulated",
    'camera = "webcam"': "line 2: 'webcam' is no camera; say auto, none, phone, picamera2, v4l2:DEVICE, file:VIDEO or "
    "images:FOLDER",
    'referee_pin = "1234"': "line 2: the referee's PIN does not have 6 to 12 digits",
    'referee_pin = "12345a"': "line 2: the referee's PIN does not have 6 to 12 digits",
    'seat_pins = { Aki = "12345" }': "line 2: the PIN of Aki does not have 6 to 12 digits",
    'language = "xx"': "line 2: language cannot be xx; it can be en, it",
    "players = [\n  1,\n]": "line 2: players[0] must be a text, not a whole number",
    "idle_frames = 0.0": "line 2: idle_frames must be at least 0.2",
    "backup_keep = 0": "line 2: backup_keep must be at least 1",
    'data = ""': "line 2: data is empty",
    "tls = 1": "line 2: tls must be true or false, not a whole number",
    "tls = true\n\n[options]\n\n[timer_pin]\nstart = 17": "line 6: there is no setting called timer_pin; timer_pins is "
    "meant?",
}


@pytest.mark.parametrize("text", WRONG)
def test_what_is_wrong_is_named_with_file_line_and_reason(tmp_path: Path, text: str) -> None:
    file = tmp_path / "shinpan.toml"
    file.write_text(f"# the table in the cellar\n{text}\n")

    with pytest.raises(BadConfig) as caught:
        load(file)

    assert str(caught.value) == f"The configuration {file} cannot be used: {WRONG[text]}."


def test_everything_that_is_wrong_is_said_at_once(tmp_path: Path) -> None:
    with pytest.raises(BadConfig, match=r"line 1: port must be .*; line 3: there is no setting called colour"):
        checked('port = "a"\n\ncolour = 1\n', tmp_path / "x.toml")


def test_a_slip_in_the_toml_is_named_by_its_line(tmp_path: Path) -> None:
    with pytest.raises(BadConfig, match="is not TOML: look at line 2"):
        checked("port = 80\nhost = \n", tmp_path / "x.toml")


def test_a_configuration_that_is_no_text_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "shinpan.toml").write_bytes(b"\xff\xfe\x00")

    with pytest.raises(BadConfig, match="is not TOML: it is not text"):
        load(tmp_path / "shinpan.toml")


def test_the_command_line_counts_before_the_environment_before_the_file_before_the_default(tmp_path: Path) -> None:
    file = tmp_path / "shinpan.toml"
    file.write_text("# three of them\nport = 1\nhost = 'a'\ncamera = 'none'\n")

    holds = configured({"port": 3, "players": None}, file, {"SHINPAN_PORT": "2", "SHINPAN_HOST": "b"})

    table = holds.table
    assert (table.port, table.host, table.camera, table.timer) == (3, "b", "none", "none")
    told = [str(holds.origin(key).told) for key in ("port", "host", "camera", "timer")]
    assert told == ["the command line", "the environment: SHINPAN_HOST", f"{file}, line 4", "the default"]


def test_the_environment_can_say_everything_that_the_file_can(tmp_path: Path) -> None:
    said = {
        "SHINPAN_PANELS": "/dev/ttyACM0, /dev/ttyACM1",
        "SHINPAN_TLS": "true",
        "SHINPAN_IDLE_FRAMES": "1.5",
        "SHINPAN_SEAT_PINS": '{"Aki": "135791"}',
        "SHINPAN_TIMER_PINS": "{ start = 17 }",
        "SHINPAN_REFEREE_PIN": "135791",
        "SHINPAN_DATA": str(tmp_path),
    }

    table = configured(environment=said).table

    assert table == TableConfig(
        data=str(tmp_path),
        panels=("/dev/ttyACM0", "/dev/ttyACM1"),
        tls=True,
        idle_frames=1.5,
        seat_pins={"Aki": "135791"},
        timer_pins={"start": 17},
        referee_pin="135791",
    )


def test_a_wrong_variable_is_named() -> None:
    with pytest.raises(BadConfig, match="SHINPAN_PORT cannot be used: port must be a whole number, not a text"):
        configured(environment={"SHINPAN_PORT": "eighty"})


def test_which_file_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    system, named, ours = tmp_path / "etc.toml", tmp_path / "named.toml", tmp_path / "data" / "shinpan.toml"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(module, "SYSTEM_FILE", system)
    monkeypatch.setattr(module, "SYSTEM_DATA", tmp_path / "lib")

    assert configured(environment={}).file is None
    system.write_text("port = 1\n")
    assert (configured(environment={}).table.port, configured(environment={}).data) == (1, tmp_path / "lib")
    assert configured({"data": "elsewhere"}, environment={}).file is None
    ours.parent.mkdir()
    ours.write_text("port = 2\n")
    assert configured(environment={}).table.port == 2
    named.write_text("port = 3\ndata = 'mine'\n")
    assert configured(environment={"SHINPAN_CONFIG": str(named)}).table.port == 3
    assert configured(environment={}, file=named).data == tmp_path / "mine"
    with pytest.raises(BadConfig, match="cannot be read"):
        configured(environment={"SHINPAN_CONFIG": "nowhere.toml"})


def test_every_setting_has_its_sentence_in_every_language() -> None:
    assert [*FIELDS] == [*SETTINGS]
    for language in LANGUAGES:
        for group in GROUPS:
            assert all(sentence(each.about, language) for each in group.settings)


def test_the_words_for_who_sees_the_camera_are_those_of_the_pages() -> None:
    assert choices_of("camera_for") == get_args(CameraFor)


def test_the_commented_file_is_fresh_and_says_nothing_but_defaults(tmp_path: Path) -> None:
    """Made anew by: shinpan config example > docs/shinpan.toml"""
    assert (DOCS / "shinpan.toml").read_text() == example()
    assert tomllib.loads(example()) == {}
    uncommented = "".join(
        line.removeprefix("# ") + "\n" for line in example().splitlines() if line.startswith("# ") and " = " in line
    )
    assert [*tomllib.loads(uncommented)] == [*FIELDS]
    checked(uncommented, tmp_path)


@pytest.mark.parametrize("language", LANGUAGES)
def test_values_stand_in_the_commented_file_where_they_belong(tmp_path: Path, language: str) -> None:
    text = example({"data": "/var/lib/shinpan", "port": 80}, language)

    assert checked(text, tmp_path) == {"data": "/var/lib/shinpan", "port": 80}


def test_a_change_leaves_every_comment_where_it_is() -> None:
    before = "# ours\nport = 8080  # for the wall\n\n[options]\nend = 3 # short\n"

    after = changed(changed(before, "port", 80), "camera", "none")

    assert after == '# ours\nport = 80  # for the wall\n\ncamera = "none"\n[options]\nend = 3 # short\n'
    assert removed(after, "camera").splitlines()[3] == '# camera = "none"'


def test_a_change_takes_the_place_of_the_example() -> None:
    after = changed(example(), "port", 80)

    assert "\nport = 80\n" in after
    assert "# port" not in after
    assert len(after.splitlines()) == len(example().splitlines())


def test_a_group_makes_way_as_a_whole() -> None:
    before = "[seat_pins]\nAki = '111111'\n\n[options]\na = 1\n"

    after = changed(before, "seat_pins", {"Ben": "222222"})

    assert parse(after) == {"seat_pins": {"Ben": "222222"}, "options": {"a": 1}}


SCALARS = st.one_of(st.booleans(), st.integers(-(2**53), 2**53), st.text(max_size=8), st.floats(-1e6, 1e6))
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=40)
@given(VALUES, VALUES)
def test_any_value_that_is_written_is_read_again(one: object, other: object) -> None:
    text = changed(changed("# kept\n[group]\nb = 1\n", "a", one), "a", other)

    assert parse(text) == {"a": other, "group": {"b": 1}}
    assert "# kept" in text
    assert parse(f"a = {as_toml(one)}") == {"a": one}


def test_the_line_of_a_value_is_found_behind_others_of_many_lines() -> None:
    text = 'a = """\nb = 2\n"""\n# b = 1\nb = 2\n[c]\nd = 1\n'

    assert [first_line(text, path) for path in [("a",), ("b",), ("c", "d"), ("e",)]] == [1, 5, 7, None]


# --- the command --------------------------------------------------------------------------------------------------


def test_show_says_what_holds_and_keeps_pins_to_itself(tmp_path: Path) -> None:
    (tmp_path / "shinpan.toml").write_text("referee_pin = '135791'\nport = 81\n")

    told = CliRunner().invoke(config, ["show", "--data", str(tmp_path)]).output
    data = msgspec.json.decode(CliRunner().invoke(config, ["show", "--data", str(tmp_path), "--json"]).output)
    all_of_it = CliRunner().invoke(config, ["show", "--data", str(tmp_path), "--pins"]).output

    assert f"port            = 81                        # {tmp_path}/shinpan.toml, line 2\n" in told
    assert "135791" not in told
    assert data["port"] == {"value": 81, "origin": {"kind": "file", "place": f"{tmp_path}/shinpan.toml", "line": 2}}
    assert data["referee_pin"]["value"] == "******"
    assert "135791" in all_of_it


def test_a_file_is_begun_changed_and_checked_by_commands(tmp_path: Path) -> None:
    file = tmp_path / "shinpan.toml"
    file.write_text(CliRunner().invoke(config, ["example", "--set", "port=80"]).output)

    done = CliRunner().invoke(config, ["set", "--config", str(file), "camera=none", "panels=a,b"])
    told = CliRunner().invoke(config, ["check", str(file)])
    refused = CliRunner().invoke(config, ["set", "--config", str(file), "port=high"])

    assert done.exit_code == told.exit_code == 0
    assert told.output == f"{file} is in order: 3 settings are made in it.\n"
    assert load(file) == TableConfig(port=80, camera="none", panels=("a", "b"))
    assert str(refused.exception) == "That cannot be set: port must be a whole number, not a text."


def test_mend_comments_out_what_cannot_be_used_and_keeps_a_copy(tmp_path: Path) -> None:
    file = tmp_path / "shinpan.toml"
    file.write_text("port = 'high'\ncamera = 'none'\n")

    mended = CliRunner().invoke(config, ["mend", "--config", str(file)])

    assert mended.exit_code == 0
    assert load(file) == TableConfig(camera="none")
    assert "port = 'high'\ncamera = 'none'\n" in {each.read_text() for each in tmp_path.iterdir() if each != file}
