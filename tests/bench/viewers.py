"""From the referee's tap to every viewer's screen: `python -m tests.bench.viewers [TREE]`.

A table is served in a process of its own; the viewers are sockets in this one. With the path of another checkout, the
two take turns, so that a busy machine tilts nothing. Where the system allows it (root), tables and viewers go before
whatever else runs here: one tap in a hundred that had to wait for a core would otherwise be the whole p99. Nothing but
the loopback is spoken to.
"""

import http.client
import json
import os
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
    """Logged in, with a connection on which taps are sent without waiting for what comes of them."""

    def __init__(self, port: int, pin: str) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        headers = {
            "Host": f"127.0.0.1:{port}",
            "Origin": f"http://127.0.0.1:{port}",
            "Content-Type": "application/json",
        }
        self._connection.request("POST", "/api/login", json.dumps({"role": "referee", "pin": pin}), headers)
        answer = self._connection.getresponse()
        answer.read()
        assert answer.status == 200, answer.status
        cookies = answer.headers.get_all("Set-Cookie") or ()
        headers["Cookie"] = "; ".join(each.partition(";")[0] for each in cookies)
        self._head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        self.sock: socket.socket = self._connection.sock

    def tap(self, number: int) -> None:
        body = json.dumps({"what": ("resume", "pause")[number % 2], "data": {}})
        head = f"POST /api/tap HTTP/1.1\r\nContent-Length: {len(body)}\r\n{self._head}\r\n"
        self.sock.sendall((head + body).encode())


class Hall:
    """So many viewers of one table, and its referee."""

    def __init__(self, port: int, pin: str, viewers: int) -> None:
        self._ready = selectors.DefaultSelector()
        self._socks = []
        for _ in range(viewers):
            sock = socket.create_connection(("127.0.0.1", port), timeout=30)
            sock.sendall(b"GET /events?as= HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            sock.setblocking(False)
            self._ready.register(sock, selectors.EVENT_READ)
            self._socks.append(sock)
        self._take_everything(1.5)
        # Only now: whoever asks for nothing in ten seconds is let go.
        self._referee = Referee(port, pin)
        self._ready.register(self._referee.sock, selectors.EVENT_READ)

    def _take_everything(self, quiet: float) -> None:
        """Until nothing has come for a while."""
        while found := self._ready.select(quiet):
            for key, _ in found:
                key.fileobj.recv(2**18)  # type: ignore[union-attr]

    def tap(self, number: int) -> tuple[list[float], float]:
        """Seconds until each viewer got something that is not a sign of life, and until the referee got an answer."""
        self._take_everything(0.15)
        took: dict[object, float] = {}
        began = time.perf_counter()
        self._referee.tap(number)
        while len(took) <= len(self._socks):
            found = self._ready.select(10)
            if not found:
                raise TimeoutError(f"{len(self._socks) + 1 - len(took)} got nothing")
            now = time.perf_counter()
            for key, _ in found:
                said = key.fileobj.recv(2**18)  # type: ignore[union-attr]
                if key.fileobj not in took and b"event: beat" not in said[:40]:
                    assert key.fileobj is not self._referee.sock or b" 200 " in said[:20], said[:200]
                    took[key.fileobj] = now - began
        answered = took.pop(self._referee.sock)
        return list(took.values()), answered

    def close(self) -> None:
        for sock in (*self._socks, self._referee.sock):
            sock.close()
        self._ready.close()


class Times:
    def __init__(self) -> None:
        self.viewers: list[float] = []
        self.answers: list[float] = []

    def measure(self, tree: Path, viewers: int) -> None:
        """Another run of taps at a table of that tree."""
        table = subprocess.Popen(
            [sys.executable, "-c", TABLE], cwd=tree, env={"PYTHONPATH": str(tree), "PATH": "/usr/bin:/bin"},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert table.stdin is not None
        assert table.stdout is not None
        try:
            port, pin = table.stdout.readline().split()
            hall = Hall(int(port), pin, viewers)
            for number in range(TAPS):
                seen, answered = hall.tap(number)
                self.viewers += seen
                self.answers.append(answered)
            hall.close()
        finally:
            table.stdin.write("stop\n")
            table.stdin.close()
            table.wait(20)
            table.stdout.close()


def _middle_and_late(times: list[float]) -> tuple[float, float]:
    """p50 and p99, in ms."""
    return statistics.median(times) * 1000, statistics.quantiles(times, n=100)[98] * 1000


def _go_before_everything() -> str:
    try:
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
    except OSError:
        return "among everything else that runs here"
    return "before everything else that runs here"


def main() -> int:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4096), hard))
    trees = {"now": HERE} | ({"before": Path(sys.argv[1]).resolve()} if sys.argv[1:] else {})
    print(f"{TURNS * TAPS} taps each, in turns, {_go_before_everything()}.\n")
    print("| viewers | tree | tap to viewer: p50 ms | p99 ms | p99 / p50 | tap to its answer: p50 ms | p99 ms |")
    print("|--:|---|--:|--:|--:|--:|--:|", flush=True)
    ratio = 0.0
    for viewers in VIEWERS:
        times = {name: Times() for name in trees}
        for _ in range(TURNS):
            for name, tree in trees.items():
                times[name].measure(tree, viewers)
        for name, measured in times.items():
            (middle, late), (answer, late_answer) = map(_middle_and_late, (measured.viewers, measured.answers))
            print(
                f"| {viewers} | {name} | {middle:.1f} | {late:.1f} | {late / middle:.1f} | {answer:.1f} | "
                f"{late_answer:.1f} |",
                flush=True,
            )
            ratio = late / middle if name == "now" else ratio
    return 0 if ratio <= 5 else 1


if __name__ == "__main__":
    sys.exit(main())
