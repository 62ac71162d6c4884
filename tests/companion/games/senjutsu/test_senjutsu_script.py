"""The card language: an owner enters a printed card in a minute, and a mistake is named with its line."""

from random import Random
from typing import Any

import pytest

from companion.games.senjutsu import GAME
from companion.games.senjutsu.card_language import ability as a
from companion.games.senjutsu.card_language.given import read_any
from companion.games.senjutsu.card_language.rows import BadCard
from companion.games.senjutsu.card_language.scribe import write_card, write_cards
from companion.games.senjutsu.card_language.script import read_cards
from companion.games.senjutsu.cards import starter_cards
from companion.record.match import Match

HEAD = "card Jab\ntype attack\nrank wood\nspeed 9\n"


def lines(body: str) -> a.Lines:
    return read_cards(HEAD + body)["jab"].segments[0].lines


@pytest.mark.rule("SJ-20", "SJ-21")
def test_a_picture_is_read_as_the_hexes_around_a_samurai_that_looks_up() -> None:
    around = "attack wound 1\n    x\n  x   x\n    ^\n  .   3\n    x\n"
    (attack,) = lines(around)

    assert isinstance(attack, a.AttackLine)
    assert dict(attack.hexes) == {(0, 2): 1, (-1, 1): 1, (1, 1): 1, (1, -1): 3, (0, -2): 1}


def test_a_picture_of_one_column_has_a_hex_in_every_row() -> None:
    (attack,) = lines("attack wound 1\n  x\n  x\n  ^\n")

    assert attack == lines("attack wound 1 at F F2")[0]


@pytest.mark.rule("SJ-7", "SJ-17", "SJ-14")
def test_a_dividing_line_begins_a_segment_with_its_own_initiative() -> None:
    card = read_cards(HEAD + "move 1 F\n--- 4\nattack wound 1 at F\n---\ndraw 1\n")["jab"]

    assert [segment.speed for segment in card.segments] == [(9,), (4,), (4,)]


@pytest.mark.rule("SJ-15")
def test_a_speed_may_have_two_boundaries_in_either_order() -> None:
    text = "card {}\ntype defence\nrank wood\nspeed {}\nblock at F\n"
    cards = read_cards(text.format("One", "2-6") + text.format("Two", "6 to 2"))

    assert cards["one"].speed == cards["two"].speed == (6, 2)


def test_every_kind_of_line_is_read_and_written_back_the_same() -> None:
    body = """attack wound 2 bleed 1 stun 1 push 2 discard 1 at F FL2
on hit:
  advantage
block at front
on block: rotate up to 2 left
may discard 1
move up to 2 front
move 1 back
rotate 3
rotate any
draw up to 2
suffer stun 1
foes wound 1 push 1
may:
  cost discard 1 wound 1
  draw 3
in balance, red: kamae
either:
  draw 1
or:
  in yellow:
    discard 2
--- 6-2
draw 1
"""
    card = read_cards(HEAD + "number 029/106\nseason 1\nneeds balanced\nsensei\norigin house: invented\n" + body)["jab"]

    assert read_cards(write_card(card)) == {"jab": card}
    assert card.needs == "balance"
    assert card.segments[0].lines[-2] == a.InKamaeLine(("balance", "aggression"), (a.KamaeLine(),))


@pytest.mark.rule("SJ-18", "SJ-24", "SJ-45")
def test_instants_are_marked_and_may_lack_a_speed_or_have_an_equals_sign() -> None:
    text = "card {0}\ntype attack\nrank wood\ninstant {1}\n{2}\nattack stun 1 at F\n"
    cards = read_cards(
        text.format("A", "replace", "") + text.format("B", "additional", "speed =") + text.format("C", "add", "speed 4")
    )

    assert [cards[name].instant for name in "abc"] == ["replace", "add", "add"]
    assert [cards[name].speed for name in "abc"] == [(), (), (4,)]
    assert cards["b"].equal


def test_the_starter_set_survives_being_written_and_read() -> None:
    cards = starter_cards()

    assert read_cards(write_cards(cards.values())) == cards


BROKEN = [
    ("type attack\n", 1, "begins with `card`", "TABLE-4"),
    ("card Jab\nrank wood\nspeed 9\ndraw 1\n", 1, "the type is missing", "SJ-16"),
    ("card Jab\ntype sorcery\nrank wood\nspeed 9\ndraw 1\n", 2, "'sorcery' is not a known type", "SJ-16"),
    ("card Jab\ntype attack\nrank bronze\nspeed 9\ndraw 1\n", 3, "'bronze' is not a known rank", "SJ-23"),
    ("card Jab\ntype attack\nrank wood\nspeed 11\ndraw 1\n", 4, "at most 10", "SJ-25"),
    ("card Jab\ntype attack\nrank wood\nspeed fast\ndraw 1\n", 4, "a speed is a number", "SJ-14"),
    ("card Jab\ntype attack\nrank wood\ndraw 1\n", 1, "needs a speed", "SJ-24"),
    ("card Jab\ntype attack\nrank wood\nspeed =\ndraw 1\n", 4, "only an additional instant", "SJ-45"),
    (HEAD, 4, "no line to resolve", "SJ-7"),
    (HEAD + "slash 2\n", 5, "'slash' is not an action", "TABLE-4"),
    (HEAD + "attack wound 1\n", 5, "no hex is marked", "SJ-20"),
    (HEAD + "attack at F\n", 5, "says what it does", "TABLE-4"),
    (HEAD + "attack wound 1\n  x\n  .  x\n  ^\n", 7, "stands between two hexes", "SJ-20"),
    (HEAD + "attack wound 1\n  x\n  x\n", 5, "a picture has one `^`", "SJ-20"),
    (HEAD + "attack fire 2 at F\n", 5, "'fire' is not understood", "TABLE-4"),
    (HEAD + "move 2 sideways\n", 5, "'sideways' is not a direction", "TABLE-4"),
    (HEAD + "in gateway: draw 1\n", 5, "'gateway' is not a kamae", "SJ-22"),
    (HEAD + "in balance draw 1\n", 5, "ends with a colon", "SJ-22"),
    (HEAD + "in balance: draw 1\n  discard 1\n", 6, "stands further right", "TABLE-4"),
    (HEAD + "suffer push 1\n", 5, "'push' is not understood here: wound, bleed, stun", "TABLE-4"),
    (HEAD + "either: draw 1\n", 5, "needs an `or:`", "TABLE-4"),
    (HEAD + "or: draw 1\n", 5, "has no `either:`", "TABLE-4"),
    (HEAD + "on block: draw 1\n", 5, "follows the block", "TABLE-4"),
    (HEAD + "may:\ndraw 1\n", 5, "nothing stands under", "TABLE-4"),
    (HEAD + "draw 99\n", 5, "not between 1 and 40", "TABLE-4"),
    (HEAD + "rotate 4\n", 5, "five with `left` or `right`", "TABLE-4"),
    (HEAD + "cost\n", 5, "says what and how many: wound 1", "TABLE-4"),
    (HEAD + "speed 3\ndraw 1\n", 5, "given twice", "TABLE-4"),
    (HEAD + "draw 1\n" + HEAD + "draw 1\n", 6, "another card of that name", "TABLE-4"),
    ("card Stun\ntype attack\nrank wood\nspeed 1\ndraw 1\n", 1, "not an ability card", "SJ-37"),
]


@pytest.mark.rule("SJ-16", "SJ-23", "SJ-25", "SJ-22")
@pytest.mark.parametrize(("text", "line", "reason", "rule"), BROKEN)
def test_a_mistake_is_named_with_its_line_and_reason(text: str, line: int, reason: str, rule: str) -> None:
    with pytest.raises(BadCard) as caught:
        read_cards(text)

    assert caught.value.line == line
    assert reason in str(caught.value)
    assert caught.value.rule == rule


JAB = HEAD + "attack wound 1\n x\n ^\n--- 3\nmove 1 back\n"
FORMS: list[Any] = [
    JAB,
    [JAB],
    {"Jab": JAB.partition("\n")[2]},
    {
        "name": "Jab",
        "type": "attack",
        "rank": "wood",
        "speed": 9,
        "lines": ["attack wound 1", "x", "^", "--- 3", "move 1 back"],
    },
    [
        {
            "name": "Jab",
            "type": "attack",
            "rank": "wood",
            "speed": [9],
            "lines": "attack wound 1 at F\n--- 3\nmove 1 back",
        }
    ],
    {
        "jab": {
            "name": "Jab",
            "type": "attack",
            "rank": "wood",
            "segments": [
                {"speed": 9, "lines": ["attack wound 1 at F"]},
                {"speed": 3, "lines": "move 1 back"},
            ],
        }
    },
]


@pytest.mark.parametrize("form", FORMS)
def test_a_header_may_bring_a_card_as_text_or_as_an_object(form: Any) -> None:
    assert read_any(form) == read_cards(JAB)


def test_an_object_with_a_strange_key_is_refused_by_name() -> None:
    with pytest.raises(BadCard, match="'damage' is not an action"):
        read_any({"name": "Jab", "type": "attack", "rank": "wood", "speed": 9, "damage": 3, "lines": ["draw 1"]})


@pytest.mark.rule("SJ-73", "SJ-23")
def test_a_card_keeps_its_number_and_season() -> None:
    card = read_cards(HEAD + "number 029/106\nseason 1\ndraw 1\n")["jab"]

    assert (card.number, card.season) == ("029/106", 1)


AS_IT_COMES = """
Card: Swallow Return          # as an owner may type it
Type: Attack
Rank: Gold
Number: 044/106
Speed: 7-5
Attack 1 wound, 1 bleed
      x
    ^
On hit: rotate up to 1
--- 2
Attack 2 wounds at F, FR

card Kick Dust
type meditation
rank wood
speed 6
foes 1 stun
everyone discard

card Back Kick
type attack
rank wood
speed 4
attack stun 1 push 2
  ^
  x
"""


def test_an_owner_may_type_a_card_as_it_comes() -> None:
    """Capitals, colons, the number before or behind the word; what it does not know is named."""
    first, _, rest = AS_IT_COMES.partition("card Kick")
    (card,) = read_cards(first).values()
    assert (
        card
        == read_cards(
            "card Swallow Return\ntype attack\nrank gold\nnumber 044/106\nspeed 7-5\nattack wound 1 bleed 1 at FR\n"
            "on hit: rotate up to 1\n--- 2\nattack wound 2 at F FR\n"
        )["swallow_return"]
    )
    with pytest.raises(BadCard, match="Kick Dust, line 6: 'discard' is not understood here: wound, bleed, stun"):
        read_cards("card Kick" + rest)


TEN = """
card Dragon Tail Sweep
type attack
rank gold
speed 3
move up to 1 back
attack wound 1 stun 1
    x
  x   x
    ^
  x   x
    x
in aggression: attack bleed 1 at F2

card Crescent Moon
type attack
rank steel
speed 8-5
attack
    2
  1   1
    ^
on hit:
  rotate up to 1
  in balance: draw 1

card Iron Wall
type defence
rank wood
speed 10-1
block at front
on block: advantage
suffer stun 1

card Feint
type meditation
rank steel
instant replace
speed 7
rotate 1 left
move 1 F

card Riposte
type attack
rank gold
instant add
speed =
attack 1 wound at F
in determination: attack 1 bleed at F

card Focused Breath
type meditation
rank wood
speed 2
either: draw up to 3
or:
  kamae
  advantage

card Blood Oath
type meditation
rank jade
speed 10
may:
  cost wound 1
  draw 3
  kamae

card Shoulder Charge
type attack
rank steel
speed 6
move 2 F
attack push 2 stun 1 at F
--- 1
rotate about

card Smoke
type meditation
rank wood
speed 4
everyone stun 1
move 2 any

card Master's Lesson
type meditation
rank gold
sensei
needs determination
speed 5
foes discard 1
draw 2
"""


def test_ten_cards_of_ten_kinds_are_read_written_back_and_played() -> None:
    cards = read_cards(TEN)
    assert len(cards) == 10
    assert read_cards(write_cards(cards.values())) == cards
    copies = {"jade": 1, "gold": 1, "steel": 3}
    deck = {card.id: copies.get(card.rank, 0) for card in cards.values() if card.rank in copies}
    wood = [card.id for card in cards.values() if card.rank == "wood"]
    deck |= dict.fromkeys(wood, (40 - sum(deck.values())) // len(wood))
    deck["smoke"] += 40 - sum(deck.values())
    played: set[str] = set()
    for seed in range(6):
        match, chance = Match(GAME, ("Aki", "Ben"), {"cards": TEN, "decks": deck, "health": 30}), Random(seed)
        while not match.over:
            player = chance.choice(sorted(match.awaits))
            match.move(player, chance.choice(GAME.rules.legal_moves(match.state, match.sealed, player)))
            played.update(*match.facts["played"].values())

    assert set(cards) <= played


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"Jab": {"type": "attack", "rank": "wood", "speed": 5, "lines": ["draw 1", "dance"]}}, "Jab, line 2: "),
        ({"Jab": {"type": "attack", "rank": "tin", "speed": 5, "lines": ["draw 1"]}}, "Jab: "),
        ({"Jab": "type attack\nrank wood\nspeed 5\ndance"}, "Jab, line 4: "),
        (
            {"name": "Jab", "type": "attack", "rank": "wood", "speed": 5, "lines": "draw 1\ndraw 1\ndance"},
            "Jab, line 3: ",
        ),
        (
            [
                {
                    "name": "Jab",
                    "type": "attack",
                    "rank": "wood",
                    "segments": [{"speed": 5, "lines": ["draw 1"]}, {"speed": 2, "lines": ["draw 1", "dance"]}],
                }
            ],
            "Jab, line 3: ",
        ),
    ],
)
def test_errors_count_the_lines_that_the_owner_wrote(given: Any, told: str) -> None:
    with pytest.raises(BadCard) as caught:
        read_any(given)

    assert str(caught.value).startswith(told)
