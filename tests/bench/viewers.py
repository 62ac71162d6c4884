"""From the referee's tap to every viewer's screen: `python -m tests.bench.viewers [TREE]`.

A table is served in a process of its own; the viewers are sockets in this one. With the path of another checkout, the
two take turns, so that a busy machine tilts nothing. Nothing but the loopback is spoken to.
"""

import http.client
import json
import resource
import selectors
import socket
import statistics
import subprocess
import sys
import time
from pathlib import Path

VIEWERS = (1, 50, 200, 500)
TAPS = 40
TURNS = 3
TABLE = """
import sys
from tests.web.evening import SETTINGS, Evening
from web.app import create_app
from web.server import Server
evening = Evening()
with Server(create_app(evening.service, SETTINGS), evening.service, port=0) as server:
    print(server.port, SETTINGS.referee_pin, flush=True)
    sys.stdin.readline()
"""
HERE = Path(__file__).parents[2]


class Referee:
    def __init__(self, port: int, pin: str) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self._headers = {"Origin": f"http://127.0.0.1:{port}", "Content-Type": "application/json"}
        answer = self._post("/api/login", {"role": "referee", "pin": pin})
        cookies = answer.headers.get_all("Set-Cookie") or ()
        self._headers["Cookie"] = "; ".join(each.partition(";")[0] for each in cookies)

    def _post(self, path: str, body: object) -> http.client.HTTPResponse:
        self._connection.request("POST", path, json.dumps(body), self._headers)
        answer = self._connection.getresponse()
        answer.read()
        assert answer.status == 200, answer.status
        return answer

    def tap(self, number: int) -> None:
        self._post("/api/tap", {"what": ("resume", "pause")[number % 2], "data": {}})


class Hall:
    """So many viewers of one table."""

    def __init__(self, port: int, viewers: int) -> None:
        self._ready = selectors.DefaultSelector()
        self._socks = []
        for _ in range(viewers):
            sock = socket.create_connection(("127.0.0.1", port), timeout=30)
            sock.sendall(b"GET /events?as= HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            sock.setblocking(False)
            self._ready.register(sock, selectors.EVENT_READ)
            self._socks.append(sock)
        self.drain(1.5)

    def drain(self, quiet: float) -> None:
        """Take everything until nothing has come for a while."""
        while found := self._ready.select(quiet):
            for key, _ in found:
                key.fileobj.recv(2**18)  # type: ignore[union-attr]

    def news(self, since: float) -> list[float]:
        """Seconds until each viewer got something that is not a sign of life."""
        took: dict[object, float] = {}
        while len(took) < len(self._socks):
            found = self._ready.select(10)
            if not found:
                raise TimeoutError(f"{len(self._socks) - len(took)} viewers got no page")
            now = time.perf_counter()
            for key, _ in found:
                said = key.fileobj.recv(2**18)  # type: ignore[union-attr]
                if key.fileobj not in took and b"event: beat" not in said[:40]:
                    took[key.fileobj] = now - since
        return list(took.values())

    def close(self) -> None:
        for sock in self._socks:
            sock.close()
        self._ready.close()


def measured(tree: Path, viewers: int) -> list[float]:
    table = subprocess.Popen(
        [sys.executable, "-c", TABLE], cwd=tree, env={"PYTHONPATH": str(tree), "PATH": "/usr/bin:/bin"},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert table.stdin is not None
    assert table.stdout is not None
    try:
        port, pin = table.stdout.readline().split()
        referee, hall, took = Referee(int(port), pin), Hall(int(port), viewers), []
        for number in range(TAPS):
            hall.drain(0.15)
            began = time.perf_counter()
            referee.tap(number)
            took += hall.news(began)
        hall.close()
    finally:
        table.stdin.write("stop\n")
        table.stdin.close()
        table.wait(20)
        table.stdout.close()
    return took


def main() -> int:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4096), hard))
    trees = {"now": HERE} | ({"before": Path(sys.argv[1]).resolve()} if sys.argv[1:] else {})
    print("| viewers | tree | tap to viewer: p50 ms | p99 ms | p99 / p50 |\n|--:|---|--:|--:|--:|")
    ratio = 0.0
    for viewers in VIEWERS:
        took: dict[str, list[float]] = {name: [] for name in trees}
        for _ in range(TURNS):
            for name, tree in trees.items():
                took[name] += measured(tree, viewers)
        for name, times in took.items():
            middle, late = statistics.median(times), statistics.quantiles(times, n=100)[98]
            print(f"| {viewers} | {name} | {middle * 1000:.1f} | {late * 1000:.1f} | {late / middle:.1f} |", flush=True)
            ratio = late / middle if name == "now" else ratio
    return 0 if ratio <= 5 else 1


if __name__ == "__main__":
    sys.exit(main())
