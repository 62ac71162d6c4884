"""A PostgreSQL server of the tests' own: in a folder that is thrown away, on a port that is free."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy

from companion.club.broker import free_port

ACCOUNT = "postgres"
"""Whom Debian's package brings along: the server does not run as root."""


def programs() -> Path | None:
    """The folder with `initdb` and `postgres`; None: no server is installed."""
    found = shutil.which("postgres")
    folders = [Path(found).resolve().parent] if found else []
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((each for each in folders if (each / "initdb").exists() and (each / "postgres").exists()), None)


class Postgresql:
    """`start`, `kill` and `start` again, `stop`."""

    def __init__(self, folder: Path) -> None:
        where = programs()
        assert where is not None
        self._programs, self._data = where, folder / "postgresql"
        self._process: subprocess.Popen[bytes] | None = None
        self.port = free_port()
        self._data.mkdir(mode=0o700)
        if os.getuid() == 0:
            known = pwd.getpwnam(ACCOUNT)
            os.chown(self._data, known.pw_uid, known.pw_gid)
        self._run("initdb", "-D", str(self._data), "-U", "shinpan", "-A", "trust", "-E", "UTF8", "--no-sync")

    def _command(self, program: str, arguments: Sequence[str]) -> list[str]:
        rights = ["runuser", "-u", ACCOUNT, "--"] if os.getuid() == 0 else []
        return [*rights, str(self._programs / program), *arguments]

    def _run(self, program: str, *arguments: str) -> None:
        subprocess.run(self._command(program, arguments), check=True, capture_output=True, cwd="/")

    @property
    def url(self) -> str:
        return f"postgresql+psycopg://shinpan@127.0.0.1:{self.port}/postgres"

    def start(self) -> None:
        options = ["-D", str(self._data), "-p", str(self.port), "-k", "", "-h", "127.0.0.1"]
        quiet = subprocess.DEVNULL
        self._process = subprocess.Popen(self._command("postgres", options), stdout=quiet, stderr=quiet, cwd="/")
        until = time.monotonic() + 60.0
        while not self._ready():
            assert self._process.poll() is None, "PostgreSQL did not start"
            assert time.monotonic() < until, "PostgreSQL does not answer"
            time.sleep(0.05)

    def _ready(self) -> bool:
        """It answers before it lets anybody in: after a kill it reads its log first."""
        engine = sqlalchemy.create_engine(self.url)
        try:
            engine.connect().close()
            return True
        except sqlalchemy.exc.OperationalError:
            return False
        finally:
            engine.dispose()

    def kill(self) -> None:
        """As a power cut would: no process of it lives on."""
        assert self._process is not None
        main = int((self._data / "postmaster.pid").read_text().split()[0])
        os.kill(main, signal.SIGKILL)
        self._process.wait(10)

    def stop(self) -> None:
        if self._process is not None and self._process.poll() is None:
            os.kill(int((self._data / "postmaster.pid").read_text().split()[0]), signal.SIGINT)
            self._process.wait(30)


@contextmanager
def postgresql() -> Iterator[Postgresql]:
    """Not in a folder of pytest's: those are their owner's alone, and the server has an account of its own."""
    with tempfile.TemporaryDirectory(prefix="shinpan-postgresql-") as folder:
        Path(folder).chmod(0o711)
        server = Postgresql(Path(folder))
        server.start()
        try:
            yield server
        finally:
            server.stop()
