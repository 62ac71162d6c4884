"""A checkout of the program, tried from outside: started as a user does, and looked at over the network."""

import contextlib
import http.client
import json
import os
import re
import resource
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import urlopen

PATIENCE = 60.0
"""Seconds for a table to come up on a busy machine."""
MATCH = ("sen_so", "--players", "Aki,Ben", "--camera", "none")


class Tree:
    """A checkout, and what it makes of what it is given."""

    def __init__(self, path: Path, folder: Path) -> None:
        self.path, self.folder = path, folder

    def command(self, *arguments: str) -> list[str]:
        return [sys.executable, "-c", "from companion.cli import main; main()", *arguments]

    @property
    def environment(self) -> dict[str, str]:
        return {
            "PYTHONPATH": f"{self.folder / 'site'}:{self.path}",
            "PATH": os.environ["PATH"],
            "HOME": str(self.folder),
        }

    def run(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            self.command(*arguments), cwd=self.path, env=self.environment, capture_output=True, text=True, timeout=120
        )

    def python(
        self, *arguments: str, memory: int | None = None, seconds: float = 120.0
    ) -> "subprocess.CompletedProcess[str]":
        """The interpreter on this tree, with at most so many bytes of memory; what takes too long ends like a crash."""

        def limit() -> None:
            if memory is not None:
                resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

        command = [sys.executable, *arguments]
        try:
            return subprocess.run(
                command, cwd=self.path, env={**self.environment, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
                capture_output=True, text=True, timeout=seconds, preexec_fn=limit,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(command, -1, "", "took too long")

    @contextlib.contextmanager
    def table(self, *arguments: str) -> Iterator["Served | None"]:
        """A match that is served, until the end of the block, where it is killed; None: it did not come up."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        given = ("--data", str(self.folder), "--host", "127.0.0.1", "--port", str(port))
        log = (self.folder / "said.txt").open("w+")
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (1024, most))  # as many handles as a service has by default
        process = subprocess.Popen(
            self.command("serve", *(arguments or MATCH), *given), cwd=self.path, env=self.environment,
            stdout=log, stderr=subprocess.STDOUT,
        )  # fmt: skip
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 8192), most))
            served = Served(port, self, log.name, process.pid)
            yield served if served.up(process) else None
        finally:
            process.kill()
            process.wait()
            log.close()


class Served:
    def __init__(self, port: int, tree: Tree, log: str, pid: int) -> None:
        self.port, self._tree, self._log, self.pid = port, tree, log, pid

    def up(self, process: "subprocess.Popen[bytes]") -> bool:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and process.poll() is None:
            with contextlib.suppress(OSError):
                return self.get("/") == 200
            time.sleep(0.1)
        return False

    def get(self, path: str, timeout: float = 30.0, **headers: str) -> int:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        with contextlib.closing(connection):
            connection.request("GET", path, headers=headers)
            answer = connection.getresponse()
            answer.read()
            return answer.status

    def page(self) -> Any:
        with urlopen(f"http://127.0.0.1:{self.port}/api/page", timeout=30) as answer:
            return json.load(answer)

    def post(self, path: str, body: object, cookie: str = "", address: str = "127.0.0.1") -> tuple[int, list[str]]:
        """The status and the cookies."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30, source_address=(address, 0))
        headers = {"Origin": f"http://127.0.0.1:{self.port}", "Content-Type": "application/json", "Cookie": cookie}
        with contextlib.closing(connection):
            connection.request("POST", path, json.dumps(body), headers)
            answer = connection.getresponse()
            answer.read()
            return answer.status, answer.headers.get_all("Set-Cookie") or []

    def log_in(self, role: str, pin: str, cookie: str = "", address: str = "127.0.0.1") -> tuple[int, str]:
        """The status and the cookie."""
        status, cookies = self.post("/api/login", {"role": role, "pin": pin}, cookie, address)
        return status, "; ".join(each.partition(";")[0] for each in cookies)

    def watch(self, cookie: str = "", address: str = "127.0.0.1") -> socket.socket:
        """A stream of the page that is never read."""
        sock = socket.create_connection(("127.0.0.1", self.port), timeout=10, source_address=(address, 0))
        who = "referee" if cookie else ""
        sock.sendall(f"GET /events?as={who} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {cookie}\r\n\r\n".encode())
        return sock

    def pin(self, who: str) -> str:
        """As the program itself tells it: in what it prints, or by its command."""
        told = Path(self._log).read_text() + self._tree.run("pin", "--data", str(self._tree.folder)).stdout
        found = re.search(rf"{who}[^\n]*?(\d{{4,8}})", told, re.IGNORECASE)
        return found[1] if found else ""
