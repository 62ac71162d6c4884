"""The weapons on display are compared with the header: what is missing or wrong is called, once."""

import pytest

from companion.core.events import Seen
from companion.core.layout import SeenCard, Sight
from companion.core.message import Thing, fill, things
from companion.games.san_ni_ichi import GAME
from companion.record import kifu
from companion.record.match import Match
from companion.record.recorded_match import RecordedMatch
from companion.referee.referee import Referee
from tests.companion.app.evenings import arranged

WEAPONS = ["torinoko-1", "block-0", "sai-13", "tonfa-11", "yoso_kogeki-15", "shuriken-22"]
COVERED = None


def calls(*pictures: list[str | None] | None, weapons: list[str] = WEAPONS) -> list[str]:
    """What the referee calls while these rows are seen, one picture after the other; a "?" cannot be named."""
    match = Match(GAME, ("Aki", "Ben", "Cho"), {"weapons": weapons})
    referee = Referee(RecordedMatch(match, lambda fields: 1))
    for at, row in enumerate(pictures):
        seen = () if row is None else tuple(SeenCard(card, True) for card in row)
        referee.handle(Seen(Sight({} if row is COVERED else {"weapons": seen}), float(at)))
    called = [said for said in referee.said if said.kind == "call"]
    assert all(said.rules == ("SNI-7",) for said in called)
    return [fill(said.message.template, said.message.facts, lambda thing: thing.id, str) for said in called]


@pytest.mark.rule("SNI-7")
def test_the_right_weapons_in_any_order_are_not_called():
    assert calls([], WEAPONS[:2], COVERED, WEAPONS[:4], list(reversed(WEAPONS)), COVERED, []) == []


@pytest.mark.rule("SNI-7")
def test_a_weapon_of_another_match_is_called_when_it_is_seen_and_only_once():
    told = "tonfa-12 lies on display and is not among the weapons of this match."

    assert calls([], ["block-0", "tonfa-12"], ["block-0", "tonfa-12"], COVERED, ["block-0", "tonfa-12"]) == [told]


def test_a_second_copy_where_the_header_has_one_is_called():
    assert calls(["block-0", "block-0"]) == ["block-0 lies on display and is not among the weapons of this match."]
    assert calls(["block-0", "block-0"], weapons=[*WEAPONS[:5], "block-0"]) == []


def test_what_is_missing_is_called_when_as_many_lie_there_as_should():
    wrong, missing = calls([], [*WEAPONS[:5], "sai-14"], [*WEAPONS[:5], "sai-14"], COVERED, [])

    assert wrong == "sai-14 lies on display and is not among the weapons of this match."
    assert "shuriken-22" in missing


def test_what_is_missing_is_called_when_the_others_are_taken_up_and_not_while_they_are_laid():
    assert calls([], WEAPONS[:1], WEAPONS[:4]) == []
    (missing,) = calls([], WEAPONS[:4], COVERED, [])

    assert "yoso_kogeki-15" in missing
    assert "shuriken-22" in missing


def test_a_card_that_cannot_be_named_may_be_any_of_them():
    assert calls([], [*WEAPONS[:5], None], COVERED, []) == []


def test_a_match_without_weapons_has_nothing_to_call():
    match = Match(GAME, ("Aki", "Ben", "Cho"), {"deck": [7, 0]})

    assert GAME.table.misplaced_cards(match.state, {}, Sight({"weapons": ()})) == ()


def test_the_camera_finds_a_wrong_weapon_on_the_virtual_table(tmp_path):
    with arranged(tmp_path, "san_ni_ichi", 3, 4, {"weapons": WEAPONS}) as evening:
        table = evening.players[0].hands.table
        table.lift("weapons")
        for card in [*WEAPONS[:5], "sai-13"]:
            table.lay("weapons", card, face_up=True)
        while not evening.service.referee.said:
            evening.beat()
        told = [(said.rules, said.message.facts) for said in evening.service.referee.said]

    assert told == [
        (("SNI-7",), {"card": Thing("card", "sai-13")}),
        (("SNI-7",), {"cards": things("card", ["shuriken-22"])}),
    ]
    (journal,) = (tmp_path / "matches").glob("*.kifu")
    notes = [numbered.line for numbered in kifu.read(kifu.load(journal)) if isinstance(numbered.line, kifu.Note)]
    assert [note.rules for note in notes] == [("SNI-7",), ("SNI-7",)]
