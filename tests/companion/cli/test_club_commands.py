"""What a table's owner asks about its club at a terminal. Joining one needs a venue: tests/companion/club has that."""

from pathlib import Path

from click.testing import CliRunner

from companion.cli.club import club
from companion.club.membership import BrokerAddress, Membership, load, save


def in_a_club(data: Path) -> Path:
    broker = BrokerAddress("broker.local", 8883, tls=True)
    save(data, Membership(venue="v", venue_name="Spring Hall", table="t1", name="One", secret="s", broker=broker))
    return data


def test_show_says_which_club_a_table_is_in_and_keeps_its_secret(tmp_path: Path) -> None:
    shown = CliRunner().invoke(club, ["show", "--data", str(in_a_club(tmp_path))])

    assert shown.output == "One in Spring Hall, broker broker.local:8883.\n"


def test_leave_says_which_club_was_left_and_then_there_is_none(tmp_path: Path) -> None:
    left = CliRunner().invoke(club, ["leave", "--data", str(in_a_club(tmp_path))])
    shown = CliRunner().invoke(club, ["show", "--data", str(tmp_path)])

    assert left.output == "This table has left Spring Hall.\n"
    assert load(tmp_path) == (None, None)
    assert str(shown.exception) == "This table is in no club."
