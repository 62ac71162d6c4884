"""What rulings tell the page as data, and the lines of cards in words."""

import pytest

from companion.core.wording import sentence
from companion.games.senjutsu import GAME
from companion.games.senjutsu import happenings as happened
from companion.games.senjutsu.card_language.ability import EitherLine
from companion.games.senjutsu.card_language.scribe import describe
from companion.games.senjutsu.card_language.script import read_cards, read_line
from companion.games.senjutsu.card_language.telling import tell
from companion.games.senjutsu.cards import starter_cards

CARDS = """
card Cut
type attack
rank wood
speed 6
attack wound 1 bleed 1 stun 1 at F

card Guard
type defence
rank wood
speed 6
block at F

card Charge
type meditation
rank wood
speed 3
move 1 F
draw 2
discard 1

card Retreat
type meditation
rank wood
speed 2
move 1 back
rotate 1 left
"""


def what(said) -> list[object]:
    return [ruling.happened for ruling in said if ruling.happened]


def test_a_blow_tells_who_struck_whom_and_where_they_stood(bout):
    duel = bout(CARDS)
    told = what(duel.play(Aki="cut", Ben="charge"))

    assert happened.SamuraiStruck("Aki", "Ben", "b2", "b3") in told
    assert happened.SamuraiWounded("Ben", 1, False) in told
    assert happened.SamuraiWounded("Ben", 1, True) in told
    assert happened.SamuraiStunned("Ben", 1, "b3", "card") in told
    assert happened.SamuraiStunned("Ben", 1, "b3", "collision") in told, "Ben charges into Aki"
    assert happened.SamuraiBled("Ben", 1) in told
    assert happened.CardsDiscarded("Aki", ("cut",)) in told


def test_a_blow_that_is_blocked_is_told_as_such(bout):
    told = what(bout(CARDS).play(Aki="cut", Ben="guard"))

    assert happened.AttackBlocked("Aki", "Ben", "b2", "b3") in told
    assert not [each for each in told if isinstance(each, happened.SamuraiWounded)]


def test_steps_turns_draws_and_covered_discards_are_told(bout):
    duel = bout(CARDS, start_hexes={"Aki": ["a1"], "Ben": ["d4"]}, facings={"Aki": "N"})
    told = what(duel.play(Aki="charge", Ben="retreat"))

    assert happened.SamuraiMoved("Aki", "a1", "a2") in told
    assert happened.CardsDrawn("Aki", 2) in told
    assert happened.CardsDiscarded("Aki", (None,)) in told


def test_a_defeat_tells_where_the_samurai_stood(bout):
    told = what(bout(CARDS, health=1).play(Aki="cut", Ben="charge"))

    assert happened.SamuraiDefeated("Ben", "b3") in told


@pytest.mark.parametrize("card", starter_cards().values(), ids=lambda card: card.id)
def test_every_line_of_the_starter_set_can_be_told_in_both_languages(card):
    for segment in card.segments:
        for line in segment.lines:
            told = tell((line,))
            assert sentence(told, "en")
            assert "{" not in sentence(told, "it")


def test_a_line_that_is_told_in_one_row_is_read_back():
    script = "card All\ntype core\nspeed 0\nmove up to 2 BR B BL\nrotate up to 1 left\nrotate 2\ndraw up to 3\nkamae\n"
    for line in read_cards(script)["all"].segments[0].lines:
        assert read_line(describe((line,))) == line


def test_alternatives_are_told_one_by_one(bout):
    duel = bout("", decks={"quick_stab": 40})
    duel.play(Aki="passive", Ben="passive")
    asked = duel.match.state.ask.line
    assert isinstance(asked, EitherLine)
    player = duel.asked[0]
    view = GAME.rules.view(duel.match.state, player)

    assert [sentence(each, "en") for each in view.alternatives] == ["move up to 1; rotate up to 1", "kamae"]
    assert sentence(view.asks, "it") == "muovi fino a 1; ruota fino a 1 o kamae"
