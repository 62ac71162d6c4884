"""`shinpan update` says in one sentence what it cannot do, and touches nothing then."""

import os

import pytest

from companion.cli import run
from companion.cli import update as command
from companion.upkeep.updating import Installation


@pytest.fixture(autouse=True)
def nothing_installed(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(command, "Installation", lambda data: Installation(tmp_path / "opt", data))
    monkeypatch.setattr(command, "SYSTEM_FILE", tmp_path / "shinpan.toml")
    monkeypatch.setattr(os, "geteuid", lambda: 0)


def test_it_wants_to_know_to_what(capsys):
    assert run(["update"]) == 2
    assert "Update to what?" in capsys.readouterr().err


def test_it_is_for_root(capsys, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert run(["update", "--back"]) == 2
    assert "sudo shinpan update" in capsys.readouterr().err


def test_it_speaks_italian(capsys):
    assert run(["update", "--back", "--language", "it"]) == 2
    assert "non è stato installato da install.sh" in capsys.readouterr().err


def test_a_tag_needs_a_repository(capsys):
    assert run(["update", "--tag", "v0.2.0"]) == 2
    assert "From which repository?" in capsys.readouterr().err


def test_a_file_that_is_no_release_is_told(tmp_path, capsys):
    (tmp_path / "release.tar").write_bytes(b"nothing of the kind")
    assert run(["update", str(tmp_path / "release.tar")]) == 2
    assert "release.tar is not a release of Shinpan" in capsys.readouterr().err


def test_where_no_update_was_interrupted_nothing_is_undone(capsys):
    with pytest.raises(SystemExit) as ended:
        run(["update", "--undo-interrupted"])
    assert ended.value.code == 0


@pytest.mark.parametrize(
    ("settings", "url"),
    [
        ("", "http://127.0.0.1:8080/healthz"),
        ("port = 80\n", "http://127.0.0.1:80/healthz"),
        ('host = "192.0.2.7"\nport = 81\n', "http://192.0.2.7:81/healthz"),
    ],
)
def test_the_table_is_asked_where_its_settings_say(tmp_path, settings, url):
    (tmp_path / "shinpan.toml").write_text(settings)
    assert command._health_url() == url
