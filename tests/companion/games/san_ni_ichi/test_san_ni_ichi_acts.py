"""What the referee does by hand in San, Ni, Ichi!"""

import pytest

from companion.record.acts import decode
from tests.companion.games.san_ni_ichi.conftest import NO_BOMBS, Bout


def act(bout, kind, **fields):
    return bout.match.act(decode({"referee": kind, "why": "because", **fields}))


def totals(bout):
    return [seat.total for seat in bout.match.game.rules.view(bout.match.state, None).seats]


def test_damage_that_the_referee_gave_counts_with_what_is_taken_later():
    bout = Bout(weapons=NO_BOMBS)
    act(bout, "award", player="Aki", points=2)
    bout.reveal(Aki="shuriken-22", Ben="fire-1", Cho="fire-2")
    bout.do("Ben", "play", on="Ben")
    bout.do("Cho", "discard")
    rulings = bout.do("Aki", "shuriken", target="Aki")
    changes = {path: change for ruling in rulings for path, change in ruling.changes.items()}

    assert changes["damage.Aki"][0] == 2
    assert bout["damage.Aki"] == changes["damage.Aki"][1] > 2


def test_totals_are_kept_back_until_the_referee_ends_the_match():
    bout = Bout()
    act(bout, "award", player="Ben", points=4)
    assert totals(bout) == [None, None, None]
    act(bout, "end", how="agreed")

    assert totals(bout) == [0, 4, 0]
    assert bout["winners"] == ["Aki", "Cho"]


@pytest.mark.parametrize(("points", "told"), [(1, "counts 1 card more"), (-2, "counts 2 cards less")])
def test_where_cards_are_counted_they_are_told_as_cards(points, told):
    (ruling,) = act(Bout(scoring="cards"), "award", player="Ben", points=points)

    assert told in ruling.text
