"""A version from a git repository: the commit behind a tag, if it may be believed."""

import re
from pathlib import Path

from companion.core.message import message
from companion.upkeep.releases import BadRelease
from companion.upkeep.this_machine import said

SIGNERS = "allowed_signers"
"""Among the keys of this machine: who may sign tags, as ssh writes it."""
SHORTEST = 12
"""Digits of a commit that somebody has to give."""


def fetched(origin: str, tag: str, into: Path, keys: Path, commit: str = "") -> Path:
    """The files of this tag, in a folder below `into`: its commit is the one that was given, or somebody who may sign
    tags has signed it."""
    if not re.fullmatch(r"[\w][\w.+/-]*", tag):
        raise BadRelease(message("{tag} is no name of a tag.", tag=tag))
    if commit and not re.fullmatch(rf"[0-9a-f]{{{SHORTEST},64}}", commit):
        raise BadRelease(message("A commit is given by {count} or more of its hexadecimal digits.", count=SHORTEST))
    folder = into / "checkout"
    done = said(["git", "clone", "--quiet", "--depth", "1", "--branch", tag, "--", origin, str(folder)])
    if done.returncode:
        told = done.stdout.strip().splitlines()
        raise BadRelease(
            message(
                "{tag} cannot be had from {origin}: {detail}", tag=tag, origin=origin, detail=told[-1] if told else "?"
            )
        )
    if commit:
        _check_commit(folder, tag, commit)
    else:
        _check_tag(folder, tag, keys)
    return folder


def _check_commit(folder: Path, tag: str, commit: str) -> None:
    found = said(["git", "rev-parse", "HEAD"], folder).stdout.strip()
    if not found.startswith(commit):
        raise BadRelease(
            message("{tag} is commit {found} there, not the one that you gave.", tag=tag, found=found[:SHORTEST])
        )


def _check_tag(folder: Path, tag: str, keys: Path) -> None:
    signers = keys / SIGNERS
    if not signers.is_file():
        raise BadRelease(message("This machine knows nobody who signs tags. Give the commit of the tag: --commit ..."))
    trust = ["-c", "gpg.format=ssh", "-c", f"gpg.ssh.allowedSignersFile={signers}"]
    if said(["git", *trust, "verify-tag", tag], folder).returncode:
        raise BadRelease(message("{tag} is not signed by anybody whom this machine knows.", tag=tag))
