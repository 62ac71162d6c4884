"""The card language from any hand: whatever is typed is read or told, and what is written is read back the same."""

from collections.abc import Iterable
from random import Random
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.wording import sentence
from companion.games.senjutsu.card_language import ability as a
from companion.games.senjutsu.card_language.rows import BadCard
from companion.games.senjutsu.card_language.scribe import write_card, write_cards
from companion.games.senjutsu.card_language.script import read_cards
from companion.games.senjutsu.cards import starter_cards

STARTER = write_cards(starter_cards().values())
HEAD = "card Jab\ntype attack\nrank wood\nspeed 9\n"


@given(st.text(alphabet=" \nacdeknotrwxy0159^.:-=#", max_size=120))
def test_nothing_that_is_typed_breaks_the_reader(text: str) -> None:
    for script in (text, HEAD + text, STARTER[: len(text) * 30] + text):
        cards = or_nothing(script)
        assert read_cards(write_cards(cards.values())) == cards


def in_order(found: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(sorted(found))


def marked(found: dict[Any, int]) -> tuple[Any, ...]:
    return in_order(found.items())


counts = st.integers(1, 3)
near = st.tuples(st.integers(-3, 3), st.integers(-4, 4)).map(lambda at: (at[0], 2 * at[1] + at[0] % 2))
hexes = st.sets(near.filter(lambda at: at != (0, 0)), min_size=1, max_size=6)
harms = st.builds(a.Harm, *[st.integers(0, 3)] * 5).filter(lambda harm: harm != a.Harm())
taken = st.builds(a.Harm, *[st.integers(0, 3)] * 3).filter(lambda harm: harm != a.Harm())
grids = st.dictionaries(near.filter(any), st.integers(0, 9), min_size=1, max_size=6)
plain = st.one_of(
    st.builds(
        a.AttackLine, st.dictionaries(near.filter(any), st.integers(0, 9), min_size=1, max_size=6).map(marked), harms
    ),
    st.builds(a.BlockLine, hexes.map(in_order)),
    st.builds(
        a.StepLine, counts, st.sets(st.integers(0, 5), min_size=1).map(lambda ways: tuple(sorted(ways))), st.booleans()
    ),
    st.builds(a.RotateLine, counts, st.sampled_from([-1, 0, 1]), st.booleans()),
    st.builds(a.DrawLine, counts, st.booleans()),
    st.builds(a.DiscardLine, counts),
    st.builds(a.SufferLine, taken),
    st.builds(a.EveryoneLine, taken),
    st.builds(a.FoesLine, harms),
    st.builds(a.CostLine, counts, st.one_of(st.just(a.Harm()), taken)),
    st.just(a.AdvantageLine()),
    st.just(a.KamaeLine()),
)
kamae = st.lists(st.sampled_from(a.KAMAE[1:]), min_size=1, max_size=3, unique=True).map(tuple)


def holding(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    some = st.lists(inner, min_size=1, max_size=3).map(tuple)
    return st.one_of(
        st.builds(a.InKamaeLine, kamae, some),
        st.builds(a.MayLine, some),
        st.builds(a.OnHitLine, some),
        st.builds(a.EitherLine, st.lists(some, min_size=2, max_size=3).map(tuple)),
        st.builds(a.BlockLine, hexes.map(in_order), some),
    )


def without_speed(card: a.Ability, bare: bool, equal: bool) -> a.Ability:
    """Some instants print no speed, and some of those that add an `=`."""
    if not card.instant or not bare:
        return card
    segments = (a.Segment(card.segments[0].lines),)
    return msgspec.structs.replace(card, segments=segments, equal=equal and card.instant == "add")


speeds = st.one_of(st.integers(0, 10).map(lambda one: (one,)), st.just((6, 2)), st.just((10, 1)))
bodies = st.lists(st.recursive(plain, holding, max_leaves=6), min_size=1, max_size=4).map(tuple)
abilities = st.builds(
    lambda bare, equal, **parts: without_speed(a.Ability(id=a.identity(parts["name"]), **parts), bare, equal),
    bare=st.booleans(),
    equal=st.booleans(),
    name=st.sampled_from(["Wild Swing", "Tsuki-no-Mae", "O'Hara's Cut", "Kōtetsu", "Cut 2"]),
    type=st.sampled_from(a.TYPES[:3]),
    rank=st.sampled_from(a.RANKS),
    segments=st.lists(st.builds(a.Segment, bodies, speeds), min_size=1, max_size=3).map(tuple),
    instant=st.sampled_from(["", "replace", "add"]),
    needs=st.sampled_from(["", *a.KAMAE[1:]]),
    sensei=st.booleans(),
    number=st.sampled_from(["", "029/106"]),
    note=st.sampled_from(["", "as printed: more or less"]),
)


@settings(max_examples=60, deadline=None)
@given(abilities)
def test_every_card_is_read_back_as_it_was_written(card: a.Ability) -> None:
    text = write_card(card)

    assert read_cards(text) == {card.id: card}
    assert write_card(read_cards(text)[card.id]) == text


@settings(max_examples=60, deadline=None)
@given(abilities, st.randoms(use_true_random=False))
def test_a_card_with_a_slip_of_the_pen_is_read_or_its_mistake_is_named(card: a.Ability, random: Random) -> None:
    """One sign changed, taken out or put in: never anything but a card or one clear sentence."""
    text = write_card(card)
    at = random.randrange(len(text))
    slipped = text[:at] + random.choice(["", "x", "9", ":", " ", "\n", "^", text[at] * 2]) + text[at + 1 :]
    mistake = mistake_in(slipped)

    if mistake:
        assert 1 <= mistake.line <= slipped.count("\n") + 1
        assert "{" not in str(mistake)
        assert sentence(mistake.message, "it") != str(mistake)


def mistake_in(script: str) -> BadCard | None:
    try:
        read_cards(script)
    except BadCard as mistake:
        return mistake
    return None


def or_nothing(script: str) -> dict[str, a.Ability]:
    try:
        return read_cards(script)
    except BadCard:
        return {}
