"""Kills, stops, power cuts and failing disks: whatever was acknowledged must be there afterwards."""

import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from random import Random

from companion.app.match_store import begin, resume
from companion.app.table import Table
from companion.app.wiring import NO_EYES, Devices
from companion.core.rulings import Refused
from companion.games import game
from companion.record import kifu
from companion.record.journal import DataFolder, JournalFailed
from companion.record.match import Match
from companion.record.recorded_match import RecordedMatch
from companion.record.replay import Replay
from companion.record.signing import public_key
from companion.record.verification import Proven, verify
from tests.faults.tried import Tried
from web.app import Settings

SEN_SO = game("sen_so")
BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
IMAGE = 24 * 2**20


def _player(folder: Path, seed: int) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "tests.companion.app.keeps_playing", str(folder), str(seed)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def _play_until(player: "subprocess.Popen[str]", moves: int, end: signal.Signals) -> tuple[int, int]:
    """Let somebody play on for that many moves and then end it so: moves found at the start, moves acknowledged."""
    assert player.stdout is not None
    resumed = acknowledged = int(player.stdout.readline().removeprefix("resumed "))
    for number, line in enumerate(player.stdout, 1):
        acknowledged = int(line)
        if number > moves:
            player.send_signal(end)
            break
    if end is not signal.SIGSTOP:
        for line in player.stdout:
            acknowledged = int(line) if line.endswith("\n") else acknowledged
        player.wait()
        player.stdout.close()
    return resumed, acknowledged


def killed(folder: Path, times: int, end: signal.Signals, random: Random) -> Tried:
    """A process is ended in the middle of its moves, again and again."""
    acknowledged = lost = 0
    for seed in range(times):
        resumed, now = _play_until(_player(folder, seed), random.randrange(25), end)
        lost += max(0, acknowledged - resumed)
        acknowledged = now
    path = next((folder / "matches").glob("*.kifu"))
    lost += max(0, acknowledged - Replay.of(path).finish().moves)
    lost += verify(path, public_key(folder)).proven is Proven.ALTERED
    return Tried(f"{end.name} in the middle of moves", f"{times}", f"{acknowledged} moves acknowledged", lost)


@contextmanager
def _mounted(image: Path, where: Path) -> Iterator[bool]:
    where.mkdir(exist_ok=True)
    done = subprocess.run(["mount", "-o", "loop,commit=300", str(image), str(where)], capture_output=True)
    try:
        yield done.returncode == 0
    finally:
        if done.returncode == 0:
            subprocess.run(["umount", str(where)], check=True, capture_output=True)


def power_cuts(folder: Path, times: int, random: Random) -> Tried:
    """A disk is copied while somebody writes to it: the copy holds what had reached the disk at that moment, as after a
    pulled plug. Then the match goes on from the copy."""
    name, disk, cut = "power cuts (loop device)", folder / "disk", folder / "cut"
    disk.write_bytes(b"")
    with disk.open("r+b") as file:
        file.truncate(IMAGE)
    made = (
        subprocess.run(["mkfs.ext4", "-q", "-F", str(disk)], capture_output=True) if shutil.which("mkfs.ext4") else None
    )
    if made is None or made.returncode:
        return Tried(name, "not tried: no mkfs.ext4", "", 0)
    total = lost = acknowledged = 0
    for seed in range(times):
        with _mounted(disk, folder / "mounted") as mounted:
            if not mounted:
                return Tried(name, "not tried: nothing can be mounted here", "", 0)
            player = _player(folder / "mounted", seed)
            resumed, now = _play_until(player, random.randrange(25), signal.SIGSTOP)
            lost += max(0, acknowledged - resumed)
            acknowledged, total = now, total + now - resumed
            subprocess.run(["cp", "--sparse=always", str(disk), str(cut)], check=True)
            player.kill()
            player.wait()
            assert player.stdout is not None
            player.stdout.close()
        cut.replace(disk)
    with _mounted(disk, folder / "mounted"):
        path = next((folder / "mounted" / "matches").glob("*.kifu"))
        lost += max(0, acknowledged - kifu_moves(folder / "mounted"))
        lost += verify(path, None).proven is Proven.ALTERED
    return Tried(name, f"{times}", f"{total} moves acknowledged", lost)


def kifu_moves(folder: Path) -> int:
    """How many moves in the match of this folder goes on."""
    with DataFolder(folder) as opened:
        found = resume(opened, SEN_SO)
        if found is None:
            return 0
        found[1].close()
        return found[0].match.moves


def _step(match: Match, record: RecordedMatch, random: Random) -> None:
    player = random.choice(list(match.awaits))
    move = random.choice(list(SEN_SO.rules.legal_moves(match.state, match.sealed, player)))
    record.move(player, move, 0.0)


def full_disks(folder: Path, times: int, random: Random) -> Tried:
    """The disk takes only a part of a line. The move does not count, and can be made again when there is room."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    lost = refused = 0
    with DataFolder(folder) as opened:
        referee, journal = begin(opened, SEN_SO, ("Aki", "Ben"), {"end": {"actions": 10**6}}, BEGAN)
        match, record = referee.match, referee.record
        for _ in range(times):
            room = journal.path.stat().st_size + random.randrange(400)
            resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
            acknowledged = match.moves
            try:
                for _ in range(10):
                    _step(match, record, random)
                    acknowledged += 1
            except JournalFailed:
                refused += 1
            finally:
                resource.setrlimit(resource.RLIMIT_FSIZE, before)
            lost += match.moves != acknowledged
        journal.close()
        lost += Replay.of(journal.path).finish().moves != match.moves
    return Tried("full disks, in the middle of a line", f"{times}", f"{refused} moves refused, made again", lost)


def flipped_bits(folder: Path, times: int, random: Random) -> Tried:
    """One bit of a kifu is another: it is noticed, or it lies in a place that means nothing."""
    with DataFolder(folder) as opened:
        referee, journal = begin(opened, SEN_SO, ("Aki", "Ben"), {}, BEGAN)
        for _ in range(12):
            _step(referee.match, referee.record, random)
        journal.sign("end")
        journal.close()
    whole = journal.path.read_bytes()
    silent = 0
    for _ in range(times):
        flipped = bytearray(whole)
        flipped[random.randrange(len(whole) - 1)] ^= 1 << random.randrange(8)
        try:
            list(kifu.read(bytes(flipped)))
            silent += 1
        except (kifu.Altered, kifu.NotAKifu, Refused):
            pass
    return Tried("flipped bits in a kifu", f"{times}", "", silent, "went unnoticed")


FILES = ("panels.json", "logins.json", "logins.seconds", "logins.ended", "table.key", "table.json", "calibration.json")


def damaged_files(folder: Path, times: int, random: Random) -> Tried:
    """A file of the table's is empty, cut off, or full of something else; the match must come back all the same."""
    with DataFolder(folder) as opened:
        referee, journal = begin(opened, SEN_SO, ("Aki", "Ben"), {}, BEGAN)
        for _ in range(6):
            _step(referee.match, referee.record, random)
        journal.close()
    moves, lost = referee.match.moves, 0
    for _ in range(times):
        name = random.choice([*FILES, f"matches/{journal.path.stem}.clock"])
        content = random.choice([b"", b"{", b"\x00" * 64, b"[" * 10_000, random.randbytes(200), b'{"secret":1}'])
        (folder / name).write_bytes(content)
        with DataFolder(folder) as opened:
            settings = Settings(referee_pin="123456", secret="s" * 64, data=folder)
            table = Table(opened, lambda: 0.0, settings, Devices(), lambda match: NO_EYES)
            found = table.resume()
            lost += found is None or found.match.moves != moves
            table.close()
            table.running.let_go()
    return Tried("damaged files beside the kifu", f"{times}", f"{moves} moves each time", lost)
