"""A tag counts only with the commit that was given, or the signature of somebody who is known here."""

import shutil
import subprocess
from pathlib import Path

import pytest

from companion.upkeep.releases import BadRelease
from companion.upkeep.tags import SIGNERS, fetched

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


class Repository:
    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir()
        self.git("init", "-q", "-b", "main")
        (path / "install.sh").write_text("echo\n")
        self.git("add", ".")
        self.git("commit", "-qm", "first")
        self.git("tag", "v0.2.0")

    def git(self, *arguments: str) -> str:
        own = ["-c", "user.name=Aki", "-c", "user.email=aki@example.org", "-c", "commit.gpgsign=false"]
        command = ["git", *own, *arguments]
        return subprocess.run(command, cwd=self.path, text=True, capture_output=True, check=True).stdout.strip()

    @property
    def commit(self) -> str:
        return self.git("rev-parse", "HEAD")


@pytest.fixture
def origin(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "origin")


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    (tmp_path / "keys").mkdir()
    return tmp_path / "keys"


def test_the_commit_that_was_given_is_fetched(tmp_path, origin, keys):
    folder = fetched(str(origin.path), "v0.2.0", tmp_path, keys, origin.commit[:12])
    assert (folder / "install.sh").exists()


def test_a_tag_that_points_elsewhere_is_refused(tmp_path, origin, keys):
    with pytest.raises(BadRelease, match="not the one that you gave"):
        fetched(str(origin.path), "v0.2.0", tmp_path, keys, "0123456789ab")


@pytest.mark.parametrize("commit", ["abc", "HEAD~1", "--upload-pack=x"])
def test_too_little_of_a_commit_is_none(tmp_path, origin, keys, commit):
    with pytest.raises(BadRelease, match="12 or more"):
        fetched(str(origin.path), "v0.2.0", tmp_path, keys, commit)


def test_a_tag_that_is_not_there_is_told(tmp_path, origin, keys):
    with pytest.raises(BadRelease, match=r"v0\.9\.0 cannot be had from"):
        fetched(str(origin.path), "v0.9.0", tmp_path, keys, origin.commit)


def test_an_option_is_no_tag(tmp_path, origin, keys):
    with pytest.raises(BadRelease, match="no name of a tag"):
        fetched(str(origin.path), "--upload-pack=x", tmp_path, keys, origin.commit)


def test_where_nobody_is_known_the_commit_is_asked_for(tmp_path, origin, keys):
    with pytest.raises(BadRelease, match="knows nobody who signs tags"):
        fetched(str(origin.path), "v0.2.0", tmp_path, keys)


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="ssh-keygen is not installed")
def test_a_signature_counts_if_it_is_of_somebody_who_is_known(tmp_path, origin, keys):
    for name in ("friend", "stranger"):
        make = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(tmp_path / name)]
        subprocess.run(make, check=True)
        signing = ["-c", "gpg.format=ssh", "-c", f"user.signingkey={tmp_path / name}"]
        origin.git(*signing, "tag", "-s", "-m", "signed", f"by-{name}")
    public = (tmp_path / "friend.pub").read_text().split()
    (keys / SIGNERS).write_text(f"aki@example.org {public[0]} {public[1]}\n")
    for place in ("one", "two", "three"):
        (tmp_path / place).mkdir()
    assert fetched(str(origin.path), "by-friend", tmp_path / "one", keys)
    for tag, place in (("by-stranger", "two"), ("v0.2.0", "three")):
        with pytest.raises(BadRelease, match="not signed by anybody"):
            fetched(str(origin.path), tag, tmp_path / place, keys)
