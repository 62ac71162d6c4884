"""A card that a player shows to the camera in an own place is told to that player's page, and to nobody else's."""

import msgspec
import pytest

from companion.core.events import Seen
from companion.core.layout import SeenCard, Sight
from companion.games import game
from companion.referee.table_view import page
from tests.web.evening import Evening
from tests.web.test_page_san_ni_ichi import Bout
from tests.web.test_page_senjutsu import Duel


def sen_so() -> Evening:
    evening = Evening()
    evening.arm()
    return evening


TABLES = {
    "sen_so": sen_so,
    "san_ni_ichi": Bout,
    "senjutsu": Duel,
    "high_card": lambda: Evening(game=game("high_card"), rounds=3),
    "sensu": lambda: Evening(game=game("sensu"), first="Ben"),
}


COUNTED = {"Aki.wounds"}
"""What lies there is counted for everybody, and named to nobody."""


def sees(evening: Evening, viewer: str | None) -> bytes:
    shown = page(evening.service.referee, viewer, "en", 0.0)
    return msgspec.json.encode(shown)


@pytest.mark.parametrize("name", TABLES)
def test_a_card_that_is_shown_to_the_camera_changes_no_other_page(name: str) -> None:
    evening = TABLES[name]()
    evening.wait(1.0)
    match = evening.service.referee.match
    deck = match.game.table.deck(match.state).cards
    zones = [zone.name for zone in match.game.table.layout(match.state).zones if zone.name.startswith("Aki.")]
    for zone in zones:
        for card in list(deck)[::7]:
            before = {viewer: sees(evening, viewer) for viewer in ("Ben", None)}
            evening.service.submit(Seen(Sight({zone: (SeenCard(card, True),)}), evening.at))
            told = page(evening.service.referee, "Aki", "en", 0.0).read_aloud
            assert [each.cards for each in told] == [(match.name(card, "en"),)]
            after = {viewer: sees(evening, viewer) for viewer in before}
            for viewer, shown in after.items():
                named = f'"{card}"'.encode()
                assert shown.count(named) == before[viewer].count(named), (zone, card)
            assert after == before or zone in COUNTED, (zone, card)
            evening.service.submit(Seen(Sight({zone: ()}), evening.at))


def test_a_card_that_lies_face_down_is_told_to_nobody() -> None:
    evening = sen_so()
    evening.service.submit(Seen(Sight({"Aki.action1": (SeenCard(None, False),)}), evening.at))
    assert page(evening.service.referee, "Aki", "en", 0.0).read_aloud == ()
