"""Only a release that nobody has touched is unpacked, and only one of somebody who is known here, or whose hash is."""

import hashlib
import importlib.util
import io
import json
import tarfile
from pathlib import Path
from types import ModuleType

import pytest

from companion.upkeep.releases import BadRelease, checked

ROOT = Path(__file__).parents[3]


def load_maker() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_release", ROOT / "hardware/pi/make_release.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


maker = load_maker()


@pytest.fixture
def key(tmp_path: Path) -> Path:
    maker.make_key(tmp_path / "release.key")
    return tmp_path / "release.key"


@pytest.fixture
def keys(tmp_path: Path, key: Path) -> Path:
    """What a machine keeps of its first release."""
    (tmp_path / "keys").mkdir()
    (tmp_path / "keys" / "release.pub").write_text(maker.public_of(key) + "\n")
    return tmp_path / "keys"


@pytest.fixture
def into(tmp_path: Path) -> Path:
    (tmp_path / "into").mkdir()
    return tmp_path / "into"


def release(tmp_path: Path, key: Path | None, spoil=lambda folder: None) -> Path:
    wheel = tmp_path / "shinpan-0.2.0-py3-none-any.whl"
    wheel.write_bytes(b"a wheel")
    folder = maker.fill(tmp_path / "made" / "shinpan-0.2.0", wheel, key, None)
    spoil(folder)
    return maker.pack(folder, tmp_path / "out")


def test_a_signed_release_of_a_known_key_is_unpacked_whole(tmp_path, key, keys, into):
    folder = checked(release(tmp_path, key), into, keys)
    assert json.loads((folder / "release.json").read_text()) == {"version": "0.2.0"}
    assert (folder / "install.sh").stat().st_mode & 0o111
    assert (folder / "system" / "shinpan.service").exists()


def test_a_key_that_nobody_knows_opens_nothing(tmp_path, keys, into):
    maker.make_key(tmp_path / "other.key")
    with pytest.raises(BadRelease, match="not signed by whoever"):
        checked(release(tmp_path, tmp_path / "other.key"), into, keys)


def test_without_a_signature_the_hash_has_to_be_given_and_right(tmp_path, keys, into):
    file = release(tmp_path, None)
    with pytest.raises(BadRelease, match="not signed"):
        checked(file, into, keys)
    with pytest.raises(BadRelease, match="does not have that SHA-256"):
        checked(file, tmp_path / "elsewhere", keys, "0" * 64)
    (tmp_path / "again").mkdir()
    assert checked(file, tmp_path / "again", keys, hashlib.sha256(file.read_bytes()).hexdigest().upper())


def test_a_machine_without_keys_asks_for_the_hash(tmp_path, key, into):
    with pytest.raises(BadRelease, match="knows no key"):
        checked(release(tmp_path, key), into, tmp_path / "none")


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda folder: (folder / "install.sh").write_text("rm -rf /\n"), "install.sh is not what it was"),
        (lambda folder: (folder / "system" / "more.service").write_text("x"), "does not belong"),
        (lambda folder: (folder / "requirements.txt").unlink(), "requirements.txt is missing"),
        (lambda folder: (folder / "MANIFEST").write_text("nonsense\n"), "not signed by whoever"),
        (lambda folder: (folder / "MANIFEST.sig").write_text("zz\n"), "not signed by whoever"),
    ],
)
def test_whatever_was_changed_afterwards_is_found(tmp_path, key, keys, into, spoil, told):
    with pytest.raises(BadRelease, match=told):
        checked(release(tmp_path, key, spoil), into, keys)


@pytest.mark.parametrize("name", ["../outside", "/etc/passwd", "a/../../b"])
def test_nothing_is_unpacked_outside(tmp_path, keys, into, name):
    file = tmp_path / "evil.tar"
    with tarfile.open(file, "w") as archive:
        archive.addfile(tarfile.TarInfo(name), io.BytesIO())
    with pytest.raises(BadRelease, match="not a release"):
        checked(file, into, keys)


def test_links_and_devices_are_not_unpacked(tmp_path, keys, into):
    file = tmp_path / "evil.tar"
    with tarfile.open(file, "w") as archive:
        link = tarfile.TarInfo("shinpan/link")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc"
        archive.addfile(link)
    with pytest.raises(BadRelease, match="not a release"):
        checked(file, into, keys)


@pytest.mark.parametrize("content", [b"", b"not a tar file", b"\0" * 10240])
def test_what_is_no_archive_is_told_in_a_sentence(tmp_path, keys, into, content):
    (tmp_path / "file.tar").write_bytes(content)
    with pytest.raises(BadRelease, match="not a release"):
        checked(tmp_path / "file.tar", into, keys)


def test_the_wheels_of_another_python_are_chosen_by_its_version_and_not_by_ours():
    pinned = (ROOT / "requirements-print.txt").read_text()
    for python in ("3.11", "3.13"):
        chosen = [line.split(" ")[0] for line in maker.wanted(pinned, python, "aarch64")]
        assert sum(name.startswith("numpy==") for name in chosen) == 1
        assert len(chosen) == len({name.split("==")[0] for name in chosen})
    assert "numpy==2.5" in "".join(maker.wanted(pinned, "3.13", "aarch64"))
    assert "numpy==2.4" in "".join(maker.wanted(pinned, "3.11", "aarch64"))
