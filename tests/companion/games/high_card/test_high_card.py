"""High Card, rule by rule."""

import pytest

from companion.core.layout import SeenCard, Sight
from companion.core.rulings import Refused, Ruling
from companion.core.wording import sentence
from companion.games import game
from companion.games.high_card.moves import LayCard, RoundTied, RoundWon, ShowCard
from companion.record.match import Match

GAME = game("high_card")


def begin(*players: str, **options: object) -> Match:
    return Match(GAME, players or ("Aki", "Ben"), options)


def play_round(match: Match, **cards: str) -> tuple[Ruling, ...]:
    rulings: tuple[Ruling, ...] = ()
    for player in cards:
        match.move(player, LayCard())
    for player, card in cards.items():
        rulings += match.move(player, ShowCard(card))
    return rulings


@pytest.mark.rule("HC-1")
@pytest.mark.parametrize("card", ["blue-7", "red-8", "joker"])
def test_nobody_plays_a_card_that_is_not_of_their_colour(card):
    match = begin()
    for player in match.players:
        match.move(player, LayCard())

    with pytest.raises(Refused) as refused:
        match.move("Aki", ShowCard(card))

    assert refused.value.rules == ("HC-1",)


@pytest.mark.rule("HC-2")
def test_nothing_is_turned_up_before_every_card_lies_face_down_and_nothing_counts_before_all_are_up():
    match = begin()
    match.move("Aki", LayCard())
    assert match.awaits == {"Ben": ("lay",)}

    (covered,) = match.move("Ben", LayCard())
    assert covered.rule == "HC-2"
    assert match.move("Aki", ShowCard("red-3")) == ()
    assert match.facts["played"]["Aki"] == []


@pytest.mark.rule("HC-3")
def test_a_card_is_played_once():
    match = begin()
    play_round(match, Aki="red-3", Ben="blue-2")
    for player in match.players:
        match.move(player, LayCard())

    with pytest.raises(Refused, match="red-3 was played before") as refused:
        match.move("Aki", ShowCard("red-3"))

    assert refused.value.rules == ("HC-3",)


@pytest.mark.rule("HC-4")
def test_the_highest_card_scores_a_point():
    match = begin("Aki", "Ben", "Cho")
    (won,) = play_round(match, Aki="red-3", Ben="blue-6", Cho="green-5")

    assert won.changes == {"scores.Ben": (0, 1)}
    assert won.happened == RoundWon("Ben", "blue-6")
    assert sentence(won.message, "en", match.name) == "Ben wins the round with Blue 6."
    assert sentence(won.message, "it", match.name) == "Ben vince la mano con Blu 6."


@pytest.mark.rule("HC-4")
def test_a_shared_highest_card_scores_nothing():
    match = begin("Aki", "Ben", "Cho")
    (tied,) = play_round(match, Aki="red-6", Ben="blue-6", Cho="green-5")

    assert tied.happened == RoundTied(("Aki", "Ben"))
    assert match.facts["scores"] == {"Aki": 0, "Ben": 0, "Cho": 0}


@pytest.mark.rule("HC-5")
def test_the_most_points_after_three_rounds_win_and_equal_points_share_the_victory():
    match = begin()
    play_round(match, Aki="red-3", Ben="blue-6")
    play_round(match, Aki="red-7", Ben="blue-5")
    assert not match.over
    play_round(match, Aki="red-1", Ben="blue-1")

    assert match.facts["winners"] == ["Aki", "Ben"]


@pytest.mark.rule("HC-5")
def test_another_number_of_rounds_can_be_agreed():
    match = begin(rounds=1)
    play_round(match, Aki="red-3", Ben="blue-6")

    assert match.facts["winners"] == ["Ben"]


@pytest.mark.parametrize("options", [{"rounds": 0}, {"rounds": 8}, {"round": 3}])
def test_options_that_do_not_exist_are_refused(options):
    with pytest.raises(Refused) as refused:
        begin(**options)

    assert refused.value.rules == ("TABLE-4",)


def test_a_card_that_the_camera_has_not_recognised_is_not_turned_up_yet():
    match = begin()
    for player in match.players:
        match.move(player, LayCard())
    unsure = Sight({"Aki.card": (SeenCard(None, True, guesses=("red-1", "red-7")),)})

    assert GAME.table.read(match.state, {}, "Aki", unsure) is None
