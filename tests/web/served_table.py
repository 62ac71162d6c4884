"""`shinpan serve` in a process of its own, as the service runs it, in a data folder that nobody has ever opened: with a
camera that films an empty mat, panels on real serial devices and a simulated timer."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from companion.games import game
from companion.record.match import Match
from companion.upkeep.asking import SERVING
from firmware_interface.simulator import SimulatedPanel
from vision.calibration.projection import TableProjection
from vision.simulation.scene import Scene, SceneRenderer

SEATS = 2
STARTS = 60.0
"""Seconds in which it has to open."""


@dataclass(frozen=True)
class ServedTable:
    url: str
    data: Path
    panels: tuple[SimulatedPanel, ...]


def film_of_an_empty_mat(folder: Path) -> Path:
    """Some pictures of a Sen So mat on which nothing lies."""
    folder.mkdir()
    match = Match(game("sen_so"), ("Aki", "Ben"))
    layout = match.game.table.layout(match.state)
    renderer = SceneRenderer(layout, TableProjection.overhead(layout.width, layout.height))
    noise = np.random.default_rng(1)
    for number in range(3):
        cv2.imwrite(str(folder / f"{number}.jpg"), renderer.frame(Scene(), noise))
    return folder


@contextmanager
def served_table(folder: Path, *more: str) -> Iterator[ServedTable]:
    data, film = folder / "data", film_of_an_empty_mat(folder / "film")
    with ExitStack() as kept:
        panels = tuple(SimulatedPanel(seats=1, uid=f"{seat + 1:016x}") for seat in range(SEATS))
        for panel in panels:
            kept.callback(panel.close)
            panel.run()
        devices = [each for panel in panels for each in ("--panels", panel.port)]
        camera = ("--camera", f"images:{film}?loop&pace=5", "--timer", "simulated")
        asked = ("serve", "--host", "127.0.0.1", "--port", "0", "--data", str(data), *camera, *devices, *more)
        program = Path(sys.executable).with_name("shinpan")
        with (folder / "log").open("w") as log:
            process = kept.enter_context(
                subprocess.Popen([program, *asked], cwd=folder, stdout=log, stderr=subprocess.STDOUT)
            )
        kept.callback(process.terminate)
        until = time.monotonic() + STARTS
        while not (data / SERVING).exists():
            assert process.poll() is None, (folder / "log").read_text()
            assert time.monotonic() < until, "it did not open"
            time.sleep(0.1)
        port = json.loads((data / SERVING).read_text())["port"]
        yield ServedTable(f"http://127.0.0.1:{port}", data, panels)
