"""Release files: what is in one, and whether it may be believed.

A release file is a tar archive with one folder: the package as a wheel, the pinned requirements, the installer with the
files of the system that it puts in place, wheels where it is to work without a network, and

- `release.json`: the version;
- `MANIFEST`: the SHA-256 of every other file, in the format of `sha256sum`;
- `MANIFEST.sig`: an Ed25519 signature of `MANIFEST`, in hex;
- `keys/release.pub`: the key of whoever makes the releases, in hex. A machine keeps the key of its first release, and
  believes no other from then on.
"""

import hashlib
import re
import tarfile
from pathlib import Path, PurePosixPath
from typing import IO

import msgspec

from companion.core.message import message
from companion.core.rulings import ShinpanError
from companion.core.validation import read_json

MANIFEST, SIGNATURE, RELEASE = "MANIFEST", "MANIFEST.sig", "release.json"
UNSIGNED = {MANIFEST, SIGNATURE}
LARGEST = 2 * 2**30
"""Bytes of a release when it is unpacked."""
MOST_FILES = 5000
_LINE = re.compile(r"([0-9a-f]{64})  (\S+)")


class BadRelease(ShinpanError):
    """A release file that must not be installed, and why."""


class Release(msgspec.Struct, frozen=True):
    """`release.json`."""

    version: str


def checked(file: Path, into: Path, keys: Path, sha256: str = "") -> Path:
    """Unpack a release file into this folder if it may be believed: it has the hash that was given, or a signature of a
    key that this machine knows. Gives the folder of the release."""
    try:
        if sha256 and hash_of(file) != sha256.lower():
            raise BadRelease(
                message("{file} does not have that SHA-256; it is another file, or damaged.", file=file.name)
            )
        folder = _unpacked(file, into)
        if not sha256:
            _check_signature(folder, keys)
        _check_files(folder)
        _version(folder)
        return folder
    except tarfile.TarError:
        raise BadRelease(message("{file} is not a release of Shinpan, or it is damaged.", file=file.name)) from None
    except OSError as error:
        told = error.strerror or str(error)
        raise BadRelease(message("{file} cannot be read: {detail}.", file=str(file), detail=told)) from None


def hash_of(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def _unpacked(file: Path, into: Path) -> Path:
    """Plain files and folders only, and nothing outside `into`."""
    total = 0
    with tarfile.open(file, "r:") as archive:
        for number, member in enumerate(archive):
            path = PurePosixPath(member.name)
            total += member.size
            inside = not path.is_absolute() and ".." not in path.parts and path.parts
            if not inside or not (member.isfile() or member.isdir()) or total > LARGEST or number > MOST_FILES:
                raise BadRelease(message("{file} is not a release of Shinpan, or it is damaged.", file=file.name))
            target = into / path
            if member.isdir():
                target.mkdir(parents=True, exist_ok=True)
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            content = archive.extractfile(member)
            assert content is not None
            _write(content, target)
            target.chmod(0o755 if member.mode & 0o100 else 0o644)
    folders = [each for each in into.iterdir() if each.is_dir()]
    if len(folders) != 1 or not (folders[0] / MANIFEST).is_file():
        raise BadRelease(message("{file} is not a release of Shinpan, or it is damaged.", file=file.name))
    return folders[0]


def _write(content: IO[bytes], target: Path) -> None:
    with target.open("xb") as file:
        while part := content.read(2**20):
            file.write(part)


def _check_signature(folder: Path, keys: Path) -> None:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    known = sorted(keys.glob("*.pub")) if keys.is_dir() else []
    if not known:
        raise BadRelease(
            message("This machine knows no key of releases yet. Give the SHA-256 of the file: --sha256 ...")
        )
    if not (folder / SIGNATURE).is_file():
        raise BadRelease(message("This release is not signed. Give the SHA-256 of the file: --sha256 ..."))
    signed = (folder / MANIFEST).read_bytes()
    for key in known:
        try:
            signature = bytes.fromhex((folder / SIGNATURE).read_text("ascii").strip())
            Ed25519PublicKey.from_public_bytes(bytes.fromhex(key.read_text("ascii").strip())).verify(signature, signed)
            return
        except (InvalidSignature, ValueError):
            continue
    raise BadRelease(message("This release is not signed by whoever signed the one on this machine."))


def _check_files(folder: Path) -> None:
    """Every file is as the manifest says, and there is no other."""
    wanted = {}
    for line in (folder / MANIFEST).read_text("utf-8").splitlines():
        found = _LINE.fullmatch(line)
        if not found:
            raise BadRelease(message("The list of files in this release is damaged."))
        wanted[found[2]] = found[1]
    here = {str(each.relative_to(folder)): each for each in folder.rglob("*") if each.is_file()}
    for name in sorted({*wanted} ^ ({*here} - UNSIGNED)):
        raise BadRelease(message("{file} is missing in this release, or does not belong to it.", file=name))
    for name, digest in wanted.items():
        if hash_of(here[name]) != digest:
            raise BadRelease(message("{file} is not what it was when the release was made.", file=name))


def _version(folder: Path) -> str:
    try:
        return read_json((folder / RELEASE).read_bytes(), Release).version
    except msgspec.DecodeError:
        raise BadRelease(message("This release does not say which version it is.")) from None
