"""From a finger's touch to the news on a browser's page: `python -m tests.firmware_interface.press_to_page`.

The whole way in real time: firmware on fake pins, a serial device file, panels, referee, web server, live stream.
"""

import http.client
import os
import statistics
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

from companion.app.camera_feed import CameraFeed
from companion.app.match_store import begin
from companion.app.senses import Senses
from companion.games import game
from companion.record.journal import DataFolder
from companion.referee.service import Service
from firmware_interface.panels import Panels
from firmware_interface.simulator import SimulatedPanel
from web.app import Settings, create_app
from web.pins import SeatPin
from web.server import Server


def press_to_page(folder: Path, presses: int) -> list[float]:
    """Seconds for each of so many presses."""
    people = ("Aki", "Ben")
    with DataFolder(folder) as data, SimulatedPanel(seats=2, now=time.monotonic()) as board:
        referee, journal = begin(data, game("sen_so"), people, {}, datetime(2026, 1, 1, tzinfo=UTC))
        service = Service(referee, time.monotonic)
        app = create_app(service, Settings(referee_pin="1", seats=(SeatPin("1"),) * 6, secret="s"))
        panels = Panels(2, [board.port])
        senses = Senses(service, CameraFeed(), panels)
        board.run(period=0.001)
        senses.start()
        try:
            with Server(app, service, port=0) as server:
                return _watch(server.port, board, service, presses)
        finally:
            senses.stop()
            journal.close()


def _watch(port: int, board: SimulatedPanel, service: Service, presses: int) -> list[float]:
    while board.lights[0].phase != "choice":
        time.sleep(0.01)
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", "/events")
    stream = connection.getresponse()
    assert stream.status == 200
    times = []
    for _ in range(presses):
        time.sleep(0.15)  # nobody presses faster, and the stream would thin it out
        version, touched = service.version, time.monotonic()
        board.tap(0, "down", touched)
        _read_page(stream, newer_than=version)
        times.append(time.monotonic() - touched)
    connection.close()
    return times


def _read_page(stream: http.client.HTTPResponse, newer_than: int) -> None:
    version = -1
    while True:
        line = stream.readline()
        if line.startswith(b"id: "):
            version = int(line[4:])
        elif line.startswith(b"data: ") and version > newer_than:
            return


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        found = sorted(press_to_page(Path(name), int(sys.argv[1]) if len(sys.argv) > 1 else 300))
    median, p99 = statistics.median(found) * 1000, found[int(len(found) * 0.99)] * 1000
    print(
        f"press to page, {len(found)} presses: median {median:.1f} ms, p99 {p99:.1f} ms "
        f"(load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores)"
    )
