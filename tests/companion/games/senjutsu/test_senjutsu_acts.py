"""What the referee does by hand in Senjutsu, in the middle of a round."""

from companion.games.senjutsu.happenings import SamuraiDefeated
from companion.record.acts import decode
from tests.companion.games.senjutsu.conftest import WAIT, Bout

DART = "card Dart\ntype meditation\nrank wood\nspeed 9\nmove 1\n"
"""It asks its player where to."""


def award(bout, player, points):
    return bout.match.act(decode({"referee": "award", "player": player, "points": points, "why": "because"}))


def test_whoever_falls_while_being_asked_is_asked_no_more_and_the_round_goes_on():
    bout = Bout(DART + WAIT, ("Aki", "Ben", "Cho"))
    bout.play(Aki="dart", Ben="wait", Cho="wait")
    assert bout.asked == ("Aki", ("step",))
    rulings = award(bout, "Aki", bout["health.Aki"])

    assert any(isinstance(ruling.happened, SamuraiDefeated) for ruling in rulings)
    assert bout["samurai.Aki.defeated"]
    assert bout["round"] == 2
    assert list(bout.match.awaits) == ["Ben", "Cho"]
    bout.match.undo(1)
    assert bout.asked == ("Aki", ("step",))


def test_whoever_does_not_fall_is_still_asked():
    bout = Bout(DART + WAIT, ("Aki", "Ben", "Cho"))
    bout.play(Aki="dart", Ben="wait", Cho="wait")
    award(bout, "Aki", 1)
    award(bout, "Ben", bout["health.Ben"])

    assert bout.asked == ("Aki", ("step",))
    assert bout["wounds.Aki"] == 1


def test_only_wounds_are_taken_back_and_bleeding_ones_stay():
    bout = Bout("card Cut\ntype attack\nrank wood\nspeed 5\nattack bleed 1\n  x\n  ^\n" + WAIT)
    bout.play(Aki="cut", Ben="wait")
    assert bout["bleeding.Ben"] == 1
    award(bout, "Ben", 2)
    (ruling,) = award(bout, "Ben", -9)

    assert ruling.changes == {"wounds.Ben": (2, 0)}
    assert bout["bleeding.Ben"] == 1
