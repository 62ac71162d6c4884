"""People who look at a table from outside: they open pages, follow the stream, and go again without a word."""

import http.client
import selectors
import socket
import threading
from collections import deque

PAGES = ("/", "/api/page", "/camera.jpg", "/history", "/rules", "/healthz")
AT_ONCE = 8
GAP = 0.25
"""Seconds between two visits."""


class Viewers:
    """So many follow the stream at once; with every visit the one who has been there longest makes room for another."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._visit, name="viewers")
        self.visits = self.bytes = 0
        self.failed: set[str] = set()
        """Pages that the table could not make. What is not there in the lobby (404) is no failure."""

    def __enter__(self) -> "Viewers":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _visit(self) -> None:
        ready, following = selectors.DefaultSelector(), deque[socket.socket]()
        while not self._stop.wait(GAP):
            if len(following) == AT_ONCE:
                gone = following.popleft()
                ready.unregister(gone)
                gone.close()
            following.append(self._follow(ready))
            self._open(PAGES[self.visits % len(PAGES)])
            for key, _ in ready.select(0):
                assert isinstance(key.fileobj, socket.socket)
                self.bytes += len(key.fileobj.recv(2**20))
            self.visits += 1
        for each in following:
            each.close()
        ready.close()

    def _follow(self, ready: selectors.BaseSelector) -> socket.socket:
        sock = socket.create_connection(("127.0.0.1", self._port), timeout=60)
        sock.sendall(b"GET /events?as= HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        ready.register(sock, selectors.EVENT_READ)
        return sock

    def _open(self, path: str) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)
        connection.request("GET", path)
        answer = connection.getresponse()
        self.bytes += len(answer.read())
        if answer.status >= 500:
            self.failed.add(f"{path}: {answer.status}")
        connection.close()
