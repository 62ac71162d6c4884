"""Asking the table that runs, on this machine: it has the camera and the panels, and nobody may fight it for them."""

import http.client
import ssl
from pathlib import Path

import msgspec

from companion.core.validation import read_json
from companion.record.journal import DataFolder
from companion.referee.lobby_view import CheckShown
from companion.upkeep.config import TableConfig
from companion.upkeep.facts import ServiceFacts

PATIENCE = 20.0
LOGINS = "logins.json"
SERVING = "serving.json"


class Serving(msgspec.Struct, frozen=True):
    """Where the pages of the table that runs are, whatever it was told on its command line."""

    host: str
    port: int
    tls: bool


class _RefereesPin(msgspec.Struct):
    referee_pin: str


class _Health(msgspec.Struct):
    ok: bool
    silent: tuple[str, ...] = ()


class DoctorAnswer(msgspec.Struct, frozen=True):
    """What `GET /api/doctor` says."""

    checks: tuple[CheckShown, ...]


def service_facts(table: TableConfig, data: Path) -> ServiceFacts:
    """Whether a table runs in this folder, and whether it is well."""
    process = DataFolder.user(data)
    if process is None:
        return ServiceFacts()
    try:
        with _Asking(_where(table, data), 5.0) as asking:
            _, body = asking.request("GET", "/healthz")
        return ServiceFacts(process, True, read_json(body, _Health).silent)
    except (OSError, http.client.HTTPException, msgspec.DecodeError):
        return ServiceFacts(process, answers=False)


def ask(table: TableConfig, data: Path, language: str) -> tuple[CheckShown, ...] | None:
    """What the table that runs finds; None where it does not answer, or where we may not read its PIN."""
    try:
        pin = read_json((data / LOGINS).read_bytes(), _RefereesPin).referee_pin
        with _Asking(_where(table, data), PATIENCE) as asking:
            status, _ = asking.request("POST", "/api/login", msgspec.json.encode({"role": "referee", "pin": pin}))
            if status != 200:
                return None
            status, body = asking.request("GET", f"/api/doctor?lang={language}")
            asking.request("POST", "/api/logout", b"{}")
        return read_json(body, DoctorAnswer).checks if status == 200 else None
    except (OSError, http.client.HTTPException, msgspec.DecodeError):
        return None


def _where(table: TableConfig, data: Path) -> Serving:
    try:
        return read_json((data / SERVING).read_bytes(), Serving)
    except (OSError, msgspec.DecodeError):
        return Serving(table.host, table.port, table.tls)


class _Asking:
    """A browser of a few lines: it keeps its cookie."""

    def __init__(self, table: Serving, patience: float) -> None:
        host = "127.0.0.1" if table.host in ("0.0.0.0", "", "::") else table.host
        self._own = f"{'https' if table.tls else 'http'}://{host}:{table.port}"
        self._cookies: dict[str, str] = {}
        if table.tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE  # it is this machine
            self._to: http.client.HTTPConnection = http.client.HTTPSConnection(
                host, table.port, timeout=patience, context=context
            )
        else:
            self._to = http.client.HTTPConnection(host, table.port, timeout=patience)

    def __enter__(self) -> "_Asking":
        return self

    def __exit__(self, *_: object) -> None:
        self._to.close()

    def request(self, method: str, path: str, body: bytes | None = None) -> tuple[int, bytes]:
        headers = {"Origin": self._own, "Content-Type": "application/json"}
        if self._cookies:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        self._to.request(method, path, body, headers)
        answer = self._to.getresponse()
        for cookie in answer.headers.get_all("Set-Cookie") or ():
            name, _, value = cookie.partition(";")[0].partition("=")
            self._cookies[name] = value
        return answer.status, answer.read()
