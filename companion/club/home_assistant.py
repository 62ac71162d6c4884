"""A venue's lights and speakers: every table appears in Home Assistant by itself, and so does the round.

Home Assistant finds its devices by retained messages below `homeassistant/`; a table's sensors take their values out of
the state that the table says anyway. Whoever runs Home Assistant logs it in at the same broker.
"""

from typing import Any

from companion.club import topics
from companion.club.venue import LiveTable, Venue

DISCOVERY = "homeassistant"


class HomeAssistant:
    def __init__(self, venue: Venue) -> None:
        self._venue = venue
        self._known: dict[str, str] = {}
        """Table -> the name under which it was announced."""
        venue.told.append(self._told)

    def _told(self, what: str, live: LiveTable) -> None:
        if self._known.get(live.id) != live.name and self._venue.connected:
            self._known[live.id] = live.name
            for topic, config in discovery(self._venue.id, self._venue.name, live.id, live.name).items():
                self._venue.say_raw(topic, config)


def discovery(venue: str, venue_name: str, table: str, name: str) -> dict[str, dict[str, Any]]:
    """Topic -> what Home Assistant is told about one table."""
    state = topics.of_table(venue, table, topics.STATE)
    presence = topics.of_table(venue, table, topics.PRESENCE)
    unique = f"shinpan_{venue}_{table}"
    device = {"identifiers": [unique], "name": name, "manufacturer": "Shinpan", "suggested_area": venue_name}
    common = {
        "state_topic": state,
        "availability_topic": presence,
        "availability_template": "{{ 'online' if value_json.here else 'offline' }}",
        "device": device,
    }
    sensors: dict[str, tuple[str, dict[str, Any]]] = {
        "stage": ("sensor", {"name": "Stage", "value_template": "{{ value_json.stage }}", "icon": "mdi:cards"}),
        "count": ("sensor", {"name": "Countdown", "value_template": "{{ value_json.count }}", "icon": "mdi:timer-3"}),
        "winner": (
            "sensor",
            {"name": "Winner", "value_template": "{{ value_json.winners | join(', ') }}", "icon": "mdi:trophy"},
        ),
        "call": (
            "binary_sensor",
            {
                "name": "Calls the arbiter",
                "value_template": "{{ 'ON' if value_json.calls else 'OFF' }}",
                "device_class": "problem",
            },
        ),
    }
    return {
        f"{DISCOVERY}/{kind}/{unique}/{id}/config": {**common, **more, "unique_id": f"{unique}_{id}"}
        for id, (kind, more) in sensors.items()
    }
