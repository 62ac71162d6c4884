"""The everyday tests of clubs run with Mosquitto and with nats-server; both are installed by `make test`."""

import shutil

import pytest

from companion.club.broker import BrokerKind, NoBroker, program

NO_MOSQUITTO = shutil.which("mosquitto", path="/usr/sbin:/usr/bin:/usr/local/sbin") is None


@pytest.fixture(params=["mosquitto", "nats"])
def broker(request: pytest.FixtureRequest) -> BrokerKind:
    kind: BrokerKind = request.param
    try:
        program(kind)
    except NoBroker as missing:
        pytest.skip(str(missing))
    return kind
