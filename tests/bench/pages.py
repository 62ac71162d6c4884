"""`make bench-pages`: what a visit to the status page costs, beside a commit before, over a slow wireless network.

Both trees serve the same match, each with its own code and in a process of its own; one browser visits them in turn.
"""

import contextlib
import io
import os
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, sync_playwright
from rich.console import Console
from rich.table import Table

from tests.web.chromium import CHROMIUM, FLAGS

HERE = Path(__file__).parents[2]
BEFORE = "c42b43c"
"""The last commit whose pages were sent as they lie in the tree."""
VISITS = 5
LATENCY, BYTES_PER_SECOND = 40, 1_250_000
"""Milliseconds and speed of the network that the browser pretends to have."""
CAMERA_SECONDS = 10.0

SERVE = """
import sys, msgspec
from tests.web.camera_table import CameraTable
from tests.web.evening import SETTINGS
from web.app import create_app
from web.server import Server
table = CameraTable(None, end={"actions": 3})
table.begin()
settings = msgspec.structs.replace(SETTINGS, camera_for=sys.argv[1])
with Server(create_app(table.service, settings), table.service, port=0) as server, table.filming():
    print(server.port, flush=True)
    sys.stdin.read()
"""


@contextlib.contextmanager
def served(tree: Path, camera_for: str) -> Iterator[str]:
    """The address of a match that the code of this tree serves, under a camera before which nothing moves."""
    command = [sys.executable, "-c", SERVE, camera_for]
    environment = {**os.environ, "PYTHONPATH": str(tree)}
    with subprocess.Popen(
        command, cwd=tree, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        assert server.stdin is not None
        try:
            yield f"http://localhost:{int(server.stdout.readline())}/"
        finally:
            server.stdin.close()


@contextlib.contextmanager
def tree_of(commit: str) -> Iterator[Path]:
    packed = subprocess.run(["git", "archive", commit], cwd=HERE, check=True, capture_output=True).stdout
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
            archive.extractall(folder, filter="data")
        yield Path(folder)


def visit(context: BrowserContext, url: str, watch: float = 0.0) -> tuple[int, float, float, float]:
    """Requests, bytes and milliseconds until the board is drawn; then bytes a second while it is watched on."""
    page = context.new_page()
    network = context.new_cdp_session(page)
    network.send("Network.enable")
    slow = {"latency": LATENCY, "downloadThroughput": BYTES_PER_SECOND, "uploadThroughput": BYTES_PER_SECOND}
    network.send("Network.emulateNetworkConditions", {"offline": False, **slow})
    asked: set[str] = set()
    received = [0.0]

    def add(size: float) -> None:
        received[0] += size

    network.on("Network.requestWillBeSent", lambda event: asked.add(event["requestId"]))
    network.on("Network.responseReceived", lambda event: add(event["response"]["encodedDataLength"]))
    network.on("Network.dataReceived", lambda event: add(event["encodedDataLength"]))
    began = time.perf_counter()
    page.goto(url, wait_until="commit")
    page.wait_for_selector("#board svg")
    drawn = (time.perf_counter() - began) * 1000
    page.wait_for_load_state("load")
    page.wait_for_timeout(300)  # the first message of the live stream, and the icon
    requests, size = len(asked), received[0]
    if watch:
        page.wait_for_timeout(watch * 1000)
    per_second = (received[0] - size) / watch if watch else 0.0
    page.close()
    return requests, size, drawn, per_second


def measured(browser: Browser, tree: Path) -> list[str]:
    """First visit, second visit, and the camera."""
    with served(tree, "referee") as url:
        firsts, seconds = [], []
        for _ in range(VISITS):
            context = browser.new_context()
            firsts.append(visit(context, url))
            seconds.append(visit(context, url))
            context.close()
    with served(tree, "everyone") as url:
        context = browser.new_context()
        camera = visit(context, url, CAMERA_SECONDS)[3]
        context.close()
    first, second = ([statistics.median(each) for each in zip(*visits, strict=True)] for visits in (firsts, seconds))
    return [
        *(f"{first[0]:.0f}", f"{first[1] / 1000:.1f} kB", f"{first[2]:.0f} ms"),
        *(f"{second[1] / 1000:.1f} kB", f"{second[2]:.0f} ms", f"{camera / 1000:.1f} kB/s"),
    ]


def report(console: Console, before: str = BEFORE) -> None:
    columns = ["requests", "bytes", "board drawn", "second visit", "drawn", "camera, nothing moves"]
    table = Table("status page", *columns, title=f"A visit over {LATENCY} ms and {BYTES_PER_SECOND / 1e6} MB/s")
    with sync_playwright() as playwright, tree_of(before) as old:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS])
        table.add_row(f"before ({before})", *measured(browser, old))
        table.add_row("now", *measured(browser, HERE))
        browser.close()
    console.print(table)


if __name__ == "__main__":
    report(Console(width=150), *sys.argv[1:2])
