"""A table is found by its name, tells two tables apart, and follows a network that comes late, changes and goes."""

from collections.abc import Iterator
from functools import partial

import pytest
from zeroconf import AddressResolverIPv4, Zeroconf

from web import mdns
from web.guard import trusted
from web.mdns import MdnsService, public_url, table_names

LOOPBACK = partial(Zeroconf, interfaces=["127.0.0.1"])


@pytest.fixture(autouse=True)
def names_of_this_test(monkeypatch) -> None:
    """Somebody may run a table on this machine."""
    monkeypatch.setattr(mdns, "NAME", "shinpan-in-a-test")
    monkeypatch.setattr(mdns, "ASKED", 400)


@pytest.fixture
def house() -> Iterator[Zeroconf]:
    """Another machine on this network."""
    with LOOPBACK() as network:
        yield network


def found(house: Zeroconf, name: str) -> list[str]:
    asked = AddressResolverIPv4(f"{name}.")
    return asked.parsed_addresses() if asked.request(house, 400) else []


def test_a_table_is_found_by_its_name_and_a_second_one_gets_a_number(house):
    first = MdnsService("0.0.0.0", 80, network=LOOPBACK, addresses=lambda: ["192.0.2.7"])
    second = MdnsService("0.0.0.0", 80, network=LOOPBACK, addresses=lambda: ["192.0.2.8"])
    try:
        first.follow()
        second.follow()
        assert (first.name, second.name) == ("shinpan-in-a-test.local", "shinpan-in-a-test-2.local")
        assert found(house, first.name) == ["192.0.2.7"]
        assert found(house, second.name) == ["192.0.2.8"]
    finally:
        first.__exit__()
        second.__exit__()


def test_a_network_that_comes_late_changes_and_goes_is_followed(house):
    addresses: list[str] = []
    table = MdnsService("0.0.0.0", 80, network=LOOPBACK, addresses=lambda: addresses)
    try:
        table.follow()
        assert table.name == ""
        for addresses in (["192.0.2.7"], ["192.0.2.9"]):
            table.follow()
            assert found(house, "shinpan-in-a-test.local") == addresses
        addresses = []
        table.follow()
        assert table.name == ""
    finally:
        table.__exit__()


def test_a_network_that_will_not_have_it_keeps_nobody_from_playing(caplog):
    def broken() -> Zeroconf:
        raise OSError(19, "No such device")

    table = MdnsService("0.0.0.0", 80, network=broken, addresses=lambda: ["192.0.2.7"])
    table.follow()
    assert table.name == ""
    assert "cannot be announced" in caplog.text


def test_the_usual_ports_are_not_written_out():
    assert public_url("192.0.2.7", 80) == "http://192.0.2.7/"
    assert public_url("192.0.2.7", 443, "https") == "https://192.0.2.7/"
    assert public_url("192.0.2.7", 8080) == "http://192.0.2.7:8080/"


def test_the_pages_go_by_the_names_of_tables():
    assert all(trusted(name) for name in table_names())
    assert not trusted("shinpan.example")
