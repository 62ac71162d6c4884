"""A table that speaks TLS: certificates that fit, a door that guards before the handshake, and the way for who comes by
plain HTTP."""

import http.client
import json
import socket
import ssl
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest
from cryptography import x509
from flask.testing import FlaskClient

from companion.app.encryption import open_certificates
from companion.upkeep.config import TableConfig
from tests.web.conftest import ORIGIN
from tests.web.evening import PINS, SETTINGS, Evening
from web import connections, tls
from web.app import create_app
from web.certificates import AUTHORITY, FOLDER, TABLE, Certificates
from web.server import Server

NAMES = {"shoji", "shoji.local", "192.168.1.20", "fd00::20"}


@pytest.fixture(name="certificates")
def certificates_of_a_table(tmp_path: Path) -> Certificates:
    return Certificates(tmp_path, lambda: NAMES)


@pytest.fixture(name="table")
def encrypted_table(evening: Evening, certificates: Certificates) -> Iterator[Server]:
    app = create_app(evening.service, msgspec.structs.replace(SETTINGS, authority=certificates.authority))
    with Server(app, evening.service, port=0, tls=certificates) as running:
        yield running


def trusting(certificates: Certificates) -> ssl.SSLContext:
    """A phone that was told to trust the table's authority, and nobody else."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(cadata=certificates.authority.certificate)
    return context


def speak(sock: socket.socket, certificates: Certificates, name: str = "127.0.0.1") -> ssl.SSLSocket:
    return trusting(certificates).wrap_socket(sock, server_hostname=name)


def connected(table: Server, source: str = "127.0.0.2") -> socket.socket:
    return socket.create_connection(("127.0.0.1", table.port), timeout=20, source_address=(source, 0))


def ask(
    sock: socket.socket, path: str, method: str = "GET", body: str = "", **headers: str
) -> tuple[int, bytes, http.client.HTTPMessage]:
    said = {"Host": "127.0.0.1", "Connection": "close", "Content-Length": str(len(body)), **headers}
    lines = [f"{method} {path} HTTP/1.1", *(f"{name.replace('_', '-')}: {value}" for name, value in said.items())]
    sock.sendall(("\r\n".join(lines) + "\r\n\r\n" + body).encode())
    answer = http.client.HTTPResponse(sock)
    answer.begin()
    return answer.status, answer.read(), answer.headers


def names_in(folder: Path) -> list[str]:
    certificate = x509.load_pem_x509_certificate((folder / FOLDER / TABLE).read_bytes())
    alternatives = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return [str(each.value) for each in alternatives]


# --- certificates ---------------------------------------------------------------------------------------------------


def test_the_certificate_holds_for_every_name_of_the_table_and_keys_are_private(
    tmp_path: Path, certificates: Certificates
) -> None:
    assert names_in(tmp_path) == ["127.0.0.1", "192.168.1.20", "::1", "fd00::20", "localhost", "shoji", "shoji.local"]
    for name in (AUTHORITY, TABLE):
        assert (tmp_path / FOLDER / name).stat().st_mode & 0o777 == 0o600
    assert (tmp_path / FOLDER).stat().st_mode & 0o777 == 0o700


def test_it_stays_over_restarts_and_is_renewed_when_names_change_or_time_runs_out(tmp_path: Path) -> None:
    names, first = {"shoji.local"}, (tmp_path / FOLDER / TABLE)
    certificates = Certificates(tmp_path, lambda: names)
    authority, before = certificates.authority, first.read_bytes()
    assert Certificates(tmp_path, lambda: names).authority == authority
    assert first.read_bytes() == before

    names.add("192.168.1.21")
    assert certificates.renew()
    assert "192.168.1.21" in names_in(tmp_path)
    assert not certificates.renew()
    now = datetime.now(UTC)
    assert not certificates.renew(now + timedelta(days=300))
    assert certificates.renew(now + timedelta(days=340))
    assert certificates.authority == authority  # phones need not be told again
    assert certificates.renew(now + timedelta(days=3640))
    assert certificates.authority != authority


def test_the_authority_vouches_for_nothing_but_tables_at_home(tmp_path: Path) -> None:
    names = {"shoji", "bank.example", "8.8.8.8", "10.1.2.3"}
    certificates = Certificates(tmp_path, lambda: {"shoji"})
    certificates = Certificates(tmp_path, lambda: names)

    assert names_in(tmp_path) == ["10.1.2.3", "127.0.0.1", "::1", "localhost", "shoji"]
    authority = x509.load_der_x509_certificate(certificates.authority.certificate)
    constraints = authority.extensions.get_extension_for_class(x509.NameConstraints)
    assert constraints.critical
    assert x509.DNSName("local") in (constraints.value.permitted_subtrees or [])


@pytest.mark.parametrize("name", [AUTHORITY, TABLE])
@pytest.mark.parametrize("damaged", [b"", b"\xff" * 200, None])
def test_damaged_files_are_set_aside_and_made_anew(tmp_path: Path, name: str, damaged: bytes | None) -> None:
    Certificates(tmp_path, lambda: NAMES)
    path = tmp_path / FOLDER / name
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2] if damaged is None else damaged)

    again = Certificates(tmp_path, lambda: NAMES)

    assert [f"set aside as {name}.damaged-1" in str(notice) for notice in again.notices] == [True]
    assert names_in(tmp_path)


def test_a_table_without_tls_has_no_certificates(tmp_path: Path) -> None:
    assert open_certificates(TableConfig(), tmp_path) is None
    assert not (tmp_path / FOLDER).exists()
    certificates = open_certificates(TableConfig(tls=True, host="10.0.0.9"), tmp_path)
    assert certificates is not None
    assert "10.0.0.9" in names_in(tmp_path)


# --- the door -------------------------------------------------------------------------------------------------------


def test_a_phone_that_trusts_the_table_plays_encrypted_with_secure_cookies(
    table: Server, certificates: Certificates
) -> None:
    with speak(connected(table), certificates) as sock:
        assert ask(sock, "/api/page")[0] == 200
    body = json.dumps({"role": "Aki", "pin": PINS["Aki"]})
    with speak(connected(table), certificates) as sock:
        status, _, headers = ask(
            sock, "/api/login", "POST", body, Content_Type="application/json", Origin="https://127.0.0.1"
        )
    assert status == 200
    cookies = headers.get_all("Set-Cookie") or []
    assert len(cookies) == 2
    assert all("Secure" in cookie for cookie in cookies)
    assert headers["Strict-Transport-Security"] is None


def test_a_phone_that_does_not_trust_it_is_warned(table: Server) -> None:
    context = ssl.create_default_context()
    with connected(table) as sock, pytest.raises(ssl.SSLCertVerificationError):
        context.wrap_socket(sock, server_hostname="127.0.0.1")


def test_whoever_comes_by_plain_http_is_shown_the_way(table: Server) -> None:
    with connected(table) as sock:
        status, body, headers = ask(sock, "/seat/Aki")
    assert (status, headers["Location"]) == (307, "https://127.0.0.1/seat/Aki")
    assert "does not speak in the open" in json.loads(body)["text"]
    with connected(table) as sock:
        assert ask(sock, "/")[2]["Location"] == "http://127.0.0.1/trust"
    with connected(table) as sock:
        status, _, headers = ask(sock, "/api/login", "POST", '{"role": "Aki", "pin": "1"}', Origin="http://127.0.0.1")
    assert status == 307  # a PIN that was sent in the open is not even looked at
    with connected(table) as sock:
        assert ask(sock, "/events")[0] == 307
    with connected(table) as sock:
        assert ask(sock, "/x", Host="evil.example")[0] == 400


def test_the_page_about_trust_and_the_certificate_come_by_plain_http(table: Server, certificates: Certificates) -> None:
    for agent, opened in (("Mozilla/5.0 (iPhone; CPU)", "iPhone, iPad"), ("X (Linux; Android 16)", "Android")):
        with connected(table) as sock:
            status, body, _ = ask(sock, "/trust?lang=it", User_Agent=agent)
        text = body.decode()
        assert status == 200
        assert "Fidarsi di questo tavolo" in text
        assert certificates.authority.fingerprint in text
        assert f"<summary>{opened}</summary>" in text.partition(" open>")[2][:80]
    with connected(table) as sock:
        status, body, headers = ask(sock, "/trust/shinpan.crt")
    assert (status, headers["Content-Type"]) == (200, "application/x-x509-ca-cert")
    assert body == certificates.authority.certificate


def test_the_tables_own_screen_needs_no_certificate(table: Server) -> None:
    with connected(table, "127.0.0.1") as sock:
        assert ask(sock, "/api/page")[0] == 200


def closed(sock: socket.socket) -> bool:
    try:
        return sock.recv(1) == b""
    except ConnectionResetError:
        return True


def test_sockets_that_never_begin_the_handshake_have_only_so_many_places(
    table: Server, certificates: Certificates, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "PER_ADDRESS", 5)

    with ExitStack() as idle:
        first = [idle.enter_context(connected(table)) for _ in range(5)]
        assert closed(idle.enter_context(connected(table)))
        with speak(connected(table, "127.0.0.3"), certificates) as sock:
            assert ask(sock, "/api/page")[0] == 200
        for sock in first:
            sock.close()
    # Their places are free again, and a place that was taken before the handshake is not taken twice after it.
    for _ in range(12):
        with speak(connected(table, "127.0.0.4"), certificates) as sock:
            assert ask(sock, "/api/page")[0] == 200


def test_sockets_that_are_silent_or_stuck_in_the_handshake_are_let_go(
    table: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tls, "HEADER", 0.05)

    for said in (b"", b"\x16", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"):
        with connected(table) as sock:
            sock.sendall(said)
            assert closed(sock)
    with connected(table) as sock:
        sock.sendall(b"\x16\x03\x01\x00\x05hello")
        while not closed(sock):
            pass  # an alert may come first


def test_a_renewed_certificate_is_shown_to_the_next_who_connects(
    table: Server, certificates: Certificates, tmp_path: Path
) -> None:
    def serial() -> int:
        with speak(connected(table), certificates) as sock:
            shown = sock.getpeercert(binary_form=True)
            assert shown is not None
            return x509.load_der_x509_certificate(shown).serial_number

    before = serial()
    (tmp_path / FOLDER / TABLE).unlink()
    assert certificates.renew()
    assert serial() != before


# --- without TLS ----------------------------------------------------------------------------------------------------


def test_a_page_that_asks_for_a_pin_says_when_it_travels_in_the_open(client: FlaskClient) -> None:
    sentence = "Your PIN travels in the open here"
    far, own = {"REMOTE_ADDR": "192.168.1.7"}, {"REMOTE_ADDR": "127.0.0.1"}

    for page in ("/referee", "/seat/Aki"):
        assert sentence in client.get(page, environ_base=far).text
        assert sentence not in client.get(page, environ_base=own).text
        assert sentence not in client.get(page, base_url="https://localhost", environ_base=far).text
    assert "viaggia in chiaro" in client.get("/referee?lang=it", environ_base=far).text
    answer = client.post("/api/login", json={"role": "Aki", "pin": PINS["Aki"]}, headers=ORIGIN)
    assert "Secure" not in answer.headers["Set-Cookie"]
    assert client.get("/trust").status_code == 404
    assert client.get("/trust/shinpan.crt").status_code == 404
