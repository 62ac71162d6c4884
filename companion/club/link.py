"""One connection to the broker, which is never given up: MQTT 3.1.1 by paho, on a thread of its own.

Nobody waits for it. What is heard goes to a function that must not block, and what is published while the broker is
away is dropped: whoever publishes says everything that matters again when it is back.
"""

import logging
import ssl
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.reasoncodes import ReasonCode

from companion.club.membership import BrokerAddress
from companion.core.message import Message, message
from companion.core.rulings import ShinpanError

log = logging.getLogger("shinpan")

FIRST_WAIT, LONGEST_WAIT = 0.2, 5.0
"""Seconds between two tries to reach the broker."""
KEEP_ALIVE = 15
"""Seconds after which a broker takes a silent table for dead, and publishes its last will."""
WAITING = 2000
"""Messages that paho keeps while the network is slow; older ones give way."""


@dataclass(frozen=True)
class Account:
    """Who somebody is at a broker."""

    broker: BrokerAddress
    user: str
    secret: str
    authority: str = ""
    """PEM; empty: the system's authorities."""


class BrokerLink:
    def __init__(
        self,
        account: Account,
        topics: Sequence[str],
        heard: Callable[[str, bytes], None],
        came: Callable[[], None],
        will: tuple[str, bytes] | None = None,
        left: Callable[[Message], None] = lambda why: None,
    ) -> None:
        """`heard` is told of everything on these topics, `came` of every new connection, `left` of why there is none;
        `will` is what the broker says, retained, when this end dies."""
        self._account, self._topics = account, list(topics)
        self._heard, self._came, self._left = heard, came, left
        self._client = client = mqtt.Client(
            CallbackAPIVersion.VERSION2, account.user, clean_session=False, protocol=mqtt.MQTTv311
        )
        client.username_pw_set(account.user, account.secret)
        if account.broker.tls:
            context = ssl.create_default_context(cadata=account.authority or None)
            client.tls_set_context(context)
        if will is not None:
            client.will_set(will[0], will[1], qos=1, retain=True)
        client.reconnect_delay_set(1, int(LONGEST_WAIT))
        client.max_queued_messages_set(WAITING)
        client.max_inflight_messages_set(100)
        client.on_connect, client.on_message, client.on_disconnect = self._connected, self._message, self._disconnected

    def open(self) -> None:
        """Comes back at once; the connection comes when it comes."""
        self._client.connect_async(self._account.broker.host, self._account.broker.port, KEEP_ALIVE)
        self._client.loop_start()

    def close(self, farewell: tuple[str, bytes] | None = None) -> None:
        """`farewell` is said first, retained."""
        if farewell is not None and self.connected:
            told = self._client.publish(farewell[0], farewell[1], qos=1, retain=True)
            with suppress(RuntimeError, ValueError):  # the broker has just gone
                told.wait_for_publish(2.0)
        self._client.disconnect()
        self._client.loop_stop()

    @property
    def connected(self) -> bool:
        return self._client.is_connected()

    def say(self, topic: str, payload: bytes, *, retain: bool = False, sure: bool = False) -> None:
        """`sure` asks the broker to keep it until everybody has it (QoS 1), which costs a broker that writes everything
        to its disk dearly. What is said again until it is answered, or with every change, needs none of that."""
        if self._client.is_connected():
            self._client.publish(topic, payload, qos=int(sure), retain=retain)

    # --- paho's thread --------------------------------------------------------------------------------------------

    def _connected(self, client: Any, data: Any, flags: Any, code: ReasonCode, more: Any) -> None:
        if code.is_failure:
            self._left(message("The broker refuses this name or its secret: join the club again."))
            return
        if self._topics:
            client.subscribe([(topic, 1) for topic in self._topics])
        self._safely(self._came)

    def _disconnected(self, client: Any, data: Any, flags: Any, code: ReasonCode, more: Any) -> None:
        self._left(message("The broker is away."))

    def _message(self, client: Any, data: Any, said: mqtt.MQTTMessage) -> None:
        self._safely(lambda: self._heard(said.topic, bytes(said.payload)))

    def _safely(self, step: Callable[[], None]) -> None:
        """Whatever goes wrong here must not end the thread of the connection."""
        try:
            step()
        except Exception:
            log.exception("Something that came over the broker could not be taken.")


def address_of(url: str) -> BrokerAddress:
    """`mqtt://host:1883` or `mqtts://host:8883`."""
    parts = urlsplit(url if "://" in url else f"mqtt://{url}")
    try:
        port = parts.port
    except ValueError:
        port = -1
    if parts.scheme not in ("mqtt", "mqtts") or not parts.hostname or port == -1:
        raise ShinpanError(
            message("{url} is not a broker's address, which looks like mqtt://host:1883 or mqtts://host:8883.", url=url)
        )
    tls = parts.scheme == "mqtts"
    return BrokerAddress(parts.hostname, port or (8883 if tls else 1883), tls)
