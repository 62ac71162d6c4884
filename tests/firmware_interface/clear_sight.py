"""A match at the virtual table whose camera cannot err: for tests in which only wires and clocks are on trial."""

from datetime import UTC, datetime
from typing import Any

from companion.app.demo import FRAME, Evening
from companion.app.match_store import begin
from companion.core.events import Seen
from companion.core.layout import SeenCard, Sight
from companion.games import game
from companion.record.journal import DataFolder, Journal
from web.app import Settings
from web.pins import SeatPin

PEOPLE = ("Aki", "Ben", "Cho")


class ClearSight(Evening):
    def _film(self) -> None:
        self._table.touched.clear()
        lying = {
            zone: tuple(SeenCard(card.card if card.face_up else None, card.face_up, card.rotation) for card in cards)
            for zone, cards in self._table.cards.items()
        }
        self.service.submit(Seen(Sight(lying, dict(self._table.pieces)), self.clock.now))
        self.clock.advance(FRAME)


def sen_so(folder: DataFolder, seed: int, options: dict[str, Any]) -> tuple[ClearSight, Journal]:
    """A Sen So match of three, with short thoughts."""
    settings = Settings(referee_pin="1", seats=(SeatPin("1"),) * 6, secret="s")
    referee, journal = begin(folder, game("sen_so"), PEOPLE, options, datetime(2026, 1, 1, tzinfo=UTC))
    return ClearSight(referee, seed, settings, think=(3.0, 9.0)), journal
