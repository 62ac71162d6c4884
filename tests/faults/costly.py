"""Findings of the audit that need a broken camera, boards with one number, gigabytes or many matches, in small.

Where a trial cannot be made from outside, a few lines are run inside the tree: they say so.
"""

import contextlib
import json
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from firmware_interface.simulator import SimulatedPanel
from tests.faults.checkout import Tree

MEMORY = 3 * 2**30
"""Bytes: what a Raspberry Pi with its page and its camera has left is less."""
BLIND_CAMERA = """
import time, cv2
class Blind:
    def __init__(self, *given): pass
    def isOpened(self): return True
    def set(self, *given): return True
    def get(self, *given): return 0.0
    def read(self): time.sleep(0.05); return False, None
    def release(self): pass
cv2.VideoCapture = Blind
try:
    from vision.camera.sources import open_camera
except ImportError:
    from vision.camera import open_camera
camera, began, well = open_camera("v4l2:/dev/none", patient=True), time.monotonic(), 0
while time.monotonic() < began + 8:
    camera.read()
    said = camera.condition.state if hasattr(camera, "condition") else camera.state
    well += said == "ok" and time.monotonic() > began + 4
    time.sleep(0.05)
camera.close()
print(well)
"""
PRESSES = """
from collections import deque
from unittest.mock import MagicMock
try:
    from companion.app.camera_feed import CameraFeed
    from companion.app.senses import Senses
    from companion.core.events import Press
    senses = Senses(MagicMock(now=lambda: 0.0), CameraFeed(), MagicMock())
except ImportError:
    from companion.assembly import Senses
    from companion.events import Press
    senses = Senses(MagicMock(now=lambda: 0.0), None, None, MagicMock())
for number in range(5000):
    senses.poll(lambda: [Press(0, "up", float(number))])
print(max(len(each) for each in vars(senses).values() if isinstance(each, list | dict | deque)))
"""
KEPT_PICTURE = """
import sys
from pathlib import Path
try:
    from companion.record.evidence import Evidence
except ImportError:
    from companion.evidence import Evidence
Evidence(Path(sys.argv[1])).keep(b"picture", [1], [])
"""


def a_camera_without_pictures(tree: Tree) -> bool:
    """Whether a camera that opens and gives no picture is said not to be well, from its fourth second on. Inside the
    tree, with a driver that has nothing to give."""
    told = tree.python("-c", BLIND_CAMERA)
    assert told.returncode == 0, told.stderr
    return int(told.stdout) == 0


def thousands_of_presses(tree: Tree) -> bool:
    """Whether they are forgotten. Inside the tree: nobody can press that often."""
    told = tree.python("-c", PRESSES)
    assert told.returncode == 0, told.stderr
    return int(told.stdout) < 1000


def two_boards_with_one_number(tree: Tree) -> bool:
    """Whether each serves its seat and neither takes the other's place again and again."""
    with contextlib.ExitStack() as boards:
        ports = []
        for _ in range(2):
            board = boards.enter_context(SimulatedPanel(uid="00000000000000aa"))
            board.run()
            ports += ["--panels", board.port]
        with tree.table("sen_so", "--players", "Aki,Ben", "--camera", "none", *ports) as table:
            assert table is not None
            time.sleep(4.0)
            senses = table.page()["senses"]
            return all("simulated" in json.dumps(senses[f"panel {seat}"]) for seat in (1, 2))


def gingham(tree: Tree) -> bool:
    """Whether a checked cloth is looked at within three gigabytes and two minutes."""
    cards, cloth, data = tree.folder / "cards", tree.folder / "cloth.png", str(tree.folder / "data")
    cards.mkdir()
    chance = np.random.default_rng(1)
    for name in ("a", "b", "c", "d"):
        small = chance.integers(0, 255, (35, 25, 3), np.uint8)
        cv2.imwrite(str(cards / f"{name}.png"), cv2.resize(small, (500, 700), interpolation=cv2.INTER_NEAREST))
    rows, columns = np.indices((1080, 1920)) // 24
    cv2.imwrite(str(cloth), ((rows + columns) % 2 * 200 + 30).astype(np.uint8))
    start = ("-c", "from companion.cli import main; main()")
    told = tree.python(*start, "enrol", "cloths", "--images", str(cards), "--data", data)
    assert told.returncode == 0, told.stderr
    told = tree.python(*start, "recognise", "--deck", "cloths", "--data", data, str(cloth), memory=MEMORY)
    return told.returncode == 0


def one_match_after_the_other(tree: Tree) -> bool:
    """Whether eight matches at the virtual table take no more memory than two."""
    with _endless_demo(tree) as (process, matches):
        sizes = []
        for wanted in (3, 9):  # the last of them is being played
            until = time.monotonic() + 240
            while len(list(matches.glob("*.kifu"))) < wanted:
                assert time.monotonic() < until, "the matches do not come to an end"
                assert process.poll() is None
                time.sleep(0.05)
            sizes.append(int(Path(f"/proc/{process.pid}/statm").read_text().split()[1]))
    return sizes[1] < 1.25 * sizes[0]


@contextlib.contextmanager
def _endless_demo(tree: Tree) -> Iterator[tuple["subprocess.Popen[bytes]", Path]]:
    given = ("sen_so", "--speed", "max", "--options", '{"end": {"actions": 2}}', "--port", "0", "--data")
    process = subprocess.Popen(
        tree.command("demo", *given, str(tree.folder)), cwd=tree.path,
        env={**tree.environment, "OMP_NUM_THREADS": "1"}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        yield process, tree.folder / "matches"
    finally:
        process.kill()
        process.wait()


def a_tapped_choice_that_is_refused(tree: Tree) -> bool:
    """Whether spectators learn nothing of a hidden choice, here of weapons, that its player was refused."""
    with tree.table() as table:
        assert table is not None
        _, cookie = table.log_in("Aki", table.pin("Aki"))
        hidden = {"move": "arm", "weapons": ["katana", "nunchaku", "bo_staff"]}
        status, _ = table.post("/api/tap", {"what": "move", "data": hidden}, cookie)
        assert status == 409, status
        return "inventory" not in json.dumps(table.page()["said"])


def pictures_that_others_can_read(tree: Tree) -> bool:
    """Whether what is kept for a dispute is for the service alone. Inside the tree: no camera reads cards here."""
    told = tree.python("-c", KEPT_PICTURE, str(tree.folder / "match"))
    assert told.returncode == 0, told.stderr
    kept = list(tree.folder.rglob("*.jpg"))
    assert kept
    return all(path.stat().st_mode & 0o077 == 0 for path in kept)
