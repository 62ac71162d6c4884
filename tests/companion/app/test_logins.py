"""Logins survive restarts and clock jumps, and nobody else on the machine can read what they rest on."""

from datetime import datetime
from pathlib import Path

import pytest
from click.testing import CliRunner
from werkzeug.test import Client, TestResponse

from companion.app import logins
from companion.app.logins import FILE, TableSeconds
from companion.app.match_store import begin, resume
from companion.app.table import seated
from companion.cli import shinpan
from companion.cli.serving import announce, kept_settings, taking_new_pins, until_stopped
from companion.games import game
from companion.record.evidence import Evidence
from companion.record.journal import DataFolder
from companion.referee.service import Service
from companion.upkeep.config import TableConfig
from web.app import Settings, create_app
from web.pins import HOURS
from web.sessions import RENEWED

PLAYERS = ("Aki", "Ben")
AT = dict(enumerate(PLAYERS))
SAME_SITE = {"Origin": "http://localhost"}


class SteadyClock:
    """The monotonic clock of a machine: it begins anywhere at every start."""

    def __init__(self, now: float) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


def table(folder: DataFolder, clock: SteadyClock) -> Client:
    """A table just started, with nobody logged in to it yet."""
    referee, journal = begin(folder, game("sen_so"), PLAYERS, {}, datetime(2026, 1, 1))
    journal.close()
    kept, _ = logins.kept(folder.path)
    settings = Settings(
        referee_pin=kept.referee_pin,
        seats=kept.seats,
        secret=kept.secret,
        seconds=TableSeconds(folder.path / logins.COUNT_FILE, clock),
    )
    return Client(create_app(Service(referee, lambda: 0.0), settings))


def log_in(client: Client, folder: DataFolder) -> TestResponse:
    kept = logins.load(folder.path / FILE)
    assert kept is not None
    answer = client.post("/api/login", json={"role": "referee", "pin": kept.referee_pin}, headers=SAME_SITE)
    assert answer.status_code == 200
    return answer


def cookie_in(answer: TestResponse) -> list[str]:
    return [text for text in answer.headers.getlist("Set-Cookie") if text.startswith("shinpan=")]


def with_cookies_of(client: Client, before: Client) -> Client:
    cookie = before.get_cookie("shinpan")
    assert cookie is not None
    client.set_cookie("shinpan", cookie.value)
    return client


def test_a_login_outlives_kills_and_restarts(tmp_path: Path) -> None:
    with DataFolder(tmp_path) as folder:
        client = table(folder, SteadyClock(50_000.0))
        log_in(client, folder)
        for start in (3.0, 90_000.0, 0.0):
            client = with_cookies_of(table(folder, SteadyClock(start)), client)
            assert client.get("/referee").status_code == 200


def test_the_clock_on_the_wall_ends_no_login(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with DataFolder(tmp_path) as folder:
        client = table(folder, SteadyClock(1.0))
        log_in(client, folder)
        for jump in (0.0, 4e9, 1e9):
            monkeypatch.setattr("time.time", lambda jump=jump: jump)
            assert client.get("/referee").status_code == 200


def test_the_browser_is_told_how_long_and_not_until_when(tmp_path: Path) -> None:
    """A table that believes that it is 1970 would hand out cookies that are long past."""
    with DataFolder(tmp_path) as folder:
        client = table(folder, SteadyClock(1.0))
        [cookie] = cookie_in(log_in(client, folder))

    assert f"Max-Age={HOURS * 3600}" in cookie
    assert "Expires" not in cookie


def test_whoever_stays_is_never_logged_out_and_not_every_answer_signs_a_cookie(tmp_path: Path) -> None:
    with DataFolder(tmp_path) as folder:
        clock = SteadyClock(1.0)
        client = table(folder, clock)
        log_in(client, folder)
        assert not cookie_in(client.get("/api/page"))
        for _ in range(3 * HOURS):
            clock.now += 1800
            assert cookie_in(client.get("/referee"))
            clock.now += RENEWED / 2
            answer = client.get("/referee")
            assert answer.status_code == 200
            assert not cookie_in(answer)


def test_a_login_ends_with_the_evening_though_the_service_was_restarted_meanwhile(tmp_path: Path) -> None:
    with DataFolder(tmp_path) as folder:
        clock = SteadyClock(1.0)
        client = table(folder, clock)
        log_in(client, folder)
        cookie = client.get_cookie("shinpan")
        assert cookie is not None
        clock.now += HOURS * 1800
        assert client.get("/api/page").status_code == 200
        again = SteadyClock(0.0)
        later = table(folder, again)
        later.set_cookie("shinpan", cookie.value)
        again.now += HOURS * 1800 + 60
        assert later.get("/referee").status_code == 401


def test_the_count_of_seconds_never_goes_back(tmp_path: Path) -> None:
    path, last = tmp_path / logins.COUNT_FILE, 0.0
    for start, looks in ((10_000.0, 2), (3_000.0, 100), (5.0, 100), (0.0, 100)):  # the first one is killed at once
        clock = SteadyClock(start)
        count = TableSeconds(path, clock)
        for _ in range(looks):
            assert count() >= last
            last = count()
            clock.now += 7.0
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("damage", [b"", b"soon", b"9" * 5000, b"0000000000000099 00000000\n"])
def test_a_damaged_count_begins_again(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / logins.COUNT_FILE
    path.write_bytes(damage)

    assert TableSeconds(path, SteadyClock(7.0))() == 0.0


def test_pins_stay_over_restarts(tmp_path: Path) -> None:
    first, _ = logins.kept(tmp_path)
    again, _ = logins.kept(tmp_path)
    assert again == first
    assert (tmp_path / FILE).stat().st_mode & 0o777 == 0o600


def test_whoever_is_new_at_a_place_gets_a_new_pin(tmp_path: Path) -> None:
    first, _ = kept_settings(tmp_path, TableConfig(), AT)
    same, _ = kept_settings(tmp_path, TableConfig(), AT)
    other, _ = kept_settings(tmp_path, TableConfig(), {0: "Aki", 1: "Cho"})

    assert same.seats == first.seats
    assert (other.secret, other.seats[0]) == (first.secret, first.seats[0])
    assert [seat.name for seat in other.seats] == ["Aki", "Cho", "", "", "", ""]
    assert other.seats[1].pin != first.seats[1].pin


def test_pins_of_the_configuration_come_first(tmp_path: Path) -> None:
    kept_settings(tmp_path, TableConfig(), AT)
    fixed = TableConfig(referee_pin="654321", seat_pins={"Ben": "111222"})
    settings, _ = kept_settings(tmp_path, fixed, AT)
    kept = logins.load(tmp_path / FILE)

    assert (settings.referee_pin, settings.seats[1].pin) == ("654321", "111222")
    assert kept is not None
    assert (kept.referee_pin, kept.seats) == (settings.referee_pin, settings.seats)


@pytest.mark.parametrize(
    "damage", [b"", b"{", b"\x00" * 64, b"[" * 100_000, b'{"secret":"","referee_pin":"","seats":[]}']
)
def test_damaged_pins_are_set_aside_and_made_anew(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / FILE).write_bytes(damage)
    kept, notice = logins.kept(tmp_path)

    assert notice is not None
    assert f"{FILE}.damaged-1" in str(notice)
    assert logins.load(tmp_path / FILE) == kept


def test_a_disk_that_takes_nothing_costs_only_the_memory(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / f"{FILE}.new").mkdir()
    kept, notice = logins.kept(tmp_path)

    assert all(len(seat.pin) == 6 for seat in kept.seats)
    assert notice is None
    assert "could not be kept" in caplog.text


def test_pins_are_not_printed_into_a_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings, _ = kept_settings(tmp_path, TableConfig(), AT)
    announce(["http://localhost:8080/"], settings, "en")
    printed = capsys.readouterr().out

    assert f"shinpan pin --data {tmp_path}" in printed
    for pin in (settings.referee_pin, *(seat.pin for seat in settings.seats)):
        assert pin not in printed

    told = CliRunner().invoke(shinpan, ["pin", "--data", str(tmp_path)]).output
    assert f"Referee PIN: {settings.referee_pin}" in told
    assert f"PIN of Ben's seat: {settings.seats[1].pin}" in told


def test_without_pins_the_command_says_where_they_come_from(tmp_path: Path) -> None:
    result = CliRunner().invoke(shinpan, ["pin", "--data", str(tmp_path)])

    assert "`shinpan serve` makes them" in str(result.exception)


def test_pictures_are_private(tmp_path: Path) -> None:
    folder = tmp_path / "2026-01-01-000000-sen_so"
    Evidence(folder).keep(b"\xff\xd8", [3, 4], [1])

    assert folder.stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in folder.iterdir()} == {0o600}


def test_pictures_have_a_quota_and_the_oldest_finished_match_loses_its_own_first(tmp_path: Path) -> None:
    names = [
        "2026-01-01-000000-sen_so",
        "2026-01-02-000000-sen_so",
        "2026-01-03-000000-sensu",
        "2026-01-04-000000-sen_so",
    ]
    for name in names:
        (tmp_path / f"{name}.kifu").touch()
        Evidence(tmp_path / name).keep(b"x" * 1000, [2, 3])
    playing = Evidence(tmp_path / names[3], quota=4500)
    playing.keep(b"y" * 1000, [9])
    assert [path.name for path in sorted(tmp_path.glob("*/"))] == names[1:]
    for line in range(10, 20):
        playing.keep(b"z" * 1000, [line])

    assert [path.name for path in sorted(tmp_path.glob("*/"))] == names[2:], "the newest of another game may go on"
    assert sum(path.stat().st_size for path in tmp_path.glob("*/*.jpg") if path.stem != "00003") <= 4500


def test_whoever_was_renamed_is_still_logged_in_after_a_kill(tmp_path: Path) -> None:
    sen_so = game("sen_so")
    with DataFolder(tmp_path) as folder:
        referee, journal = begin(folder, sen_so, PLAYERS, {}, datetime(2026, 1, 1))
        settings, _ = kept_settings(tmp_path, TableConfig(), AT)
        app = create_app(Service(referee, lambda: 0.0), settings)
        ben, desk = Client(app), Client(app)
        for client, role, pin in ((ben, "Ben", settings.seats[1].pin), (desk, "referee", settings.referee_pin)):
            assert client.post("/api/login", json={"role": role, "pin": pin}, headers=SAME_SITE).status_code == 200
        rename = {"what": "rename", "data": {"player": "Ben", "name": "Bea"}}
        assert desk.post("/api/tap", json=rename, headers=SAME_SITE).status_code == 200
        journal.close()

        resumed = resume(folder, sen_so)
        assert resumed is not None
        again, _ = kept_settings(tmp_path, TableConfig(), seated(tmp_path, *resumed))
        app = create_app(Service(resumed[0], lambda: 0.0), again)
        assert [seat.pin for seat in again.seats] == [seat.pin for seat in settings.seats]
        assert with_cookies_of(Client(app), ben).get("/seat/Bea").status_code == 200
        assert with_cookies_of(Client(app), desk).get("/referee").status_code == 200
        resumed[1].close()


def pin_command(*arguments: str) -> str:
    done = CliRunner().invoke(shinpan, ["pin", *arguments], obj={})
    assert done.exit_code == 0, done.output
    return done.output


def test_new_pins_hold_at_once_at_the_table_that_runs_and_end_old_logins_and_their_streams(tmp_path: Path) -> None:
    with DataFolder(tmp_path) as folder:
        referee, journal = begin(folder, game("sen_so"), PLAYERS, {}, datetime(2026, 1, 1))
        settings, _ = kept_settings(tmp_path, TableConfig(), AT)
        app, ended = create_app(Service(referee, lambda: 0.0), settings), []
        app.extensions["shinpan"]["pins"].listen(lambda: ended.append(True))  # as the live streams do
        desk, seat = Client(app), Client(app)
        log_in(desk, folder)
        own = {"role": "Aki", "pin": settings.seats[0].pin}
        assert seat.post("/api/login", json=own, headers=SAME_SITE).status_code == 200

        with until_stopped("en"), taking_new_pins(app, tmp_path):
            told = pin_command("--new", "--for", "referee", "--data", str(tmp_path))

        assert "takes them at once" in told
        assert settings.referee_pin not in told
        assert ended
        assert desk.get("/referee").status_code == 401
        assert seat.get("/seat/Aki").status_code == 200
        log_in(desk, folder)
        assert desk.get("/referee").status_code == 200
        # What the lobby changes later does not bring the old one back.
        settings.keep_pins(settings.seats)
        kept = logins.load(tmp_path / FILE)
        assert kept is not None
        assert kept.referee_pin in told

        with until_stopped("en"), taking_new_pins(app, tmp_path):
            pin_command("--new", "--data", str(tmp_path))
        assert (desk.get("/referee").status_code, seat.get("/seat/Aki").status_code) == (401, 401)
        journal.close()
    assert "from the next start" in pin_command("--new", "--data", str(tmp_path))
    nobody = CliRunner().invoke(shinpan, ["pin", "--new", "--for", "Zoe", "--data", str(tmp_path)], obj={})
    assert "Nobody called Zoe" in str(nobody.exception)
