"""What the referee does by hand in Sensu."""

import pytest

from companion.core.rulings import Refused
from companion.games.sensu.acts import award, end, rename, standing_winners

WHY = "because"


@pytest.mark.rule("TABLE-5")
def test_only_the_solo_game_has_points_to_give(story):
    with pytest.raises(Refused) as refusal:
        award(story().state, "Aki", 5, WHY)
    assert refusal.value.rules == ("TABLE-5",)
    solo, (ruling,) = award(story(["Aki"]).state, "Aki", 25, WHY)

    assert solo.awarded == 25
    assert ruling.rule == "TABLE-5"
    assert ruling.changes == {"score": (0, 25), "level": ("gutted", "apprentice")}


def test_closed_fans_count_before_sticks_and_who_stands_alike_wins_together(story):
    table = story(["Aki", "Ben", "Cho"])

    assert standing_winners(table.state, None) == ["Aki", "Ben", "Cho"]
    assert standing_winners(table.state, "Ben") == ["Aki", "Cho"]


def test_an_ended_match_has_the_winners_that_were_named_and_a_new_name_is_everywhere(story):
    ended = rename(end(story(["Aki", "Ben"]).state, ("Ben",)), "Ben", "Bea")

    assert ended.terms.players == ("Aki", "Bea")
    assert [seat.player for seat in ended.seats] == ["Aki", "Bea"]
    assert ended.terms.seat == {"Aki": 0, "Bea": 1}
    assert ended.ended == (1,)
