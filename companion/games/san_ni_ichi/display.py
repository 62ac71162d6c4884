"""The weapons on display before the first round, held against those that the header names."""

from collections import Counter
from collections.abc import Mapping

from companion.core.layout import SeenCard, Sight
from companion.core.message import message
from companion.core.rulings import Ruling
from companion.games.san_ni_ichi.state import State

Row = tuple[SeenCard, ...]


def amiss(state: State, before: Mapping[str, Row], sight: Sight) -> tuple[Ruling, ...]:
    """A weapon that this match has not is called when it is seen; one that is missing when as many lie there as
    should, or when they are taken up to be dealt. A card that the camera cannot name may be any of them."""
    row = sight.zones.get("weapons")
    if row is None or state.round > 1 or state.phase != "selection":
        return ()
    belongs = Counter(state.table.display)
    was = before.get("weapons", ())
    calls = [
        Ruling("SNI-7", message("{card} lies on display and is not among the weapons of this match.", card=card))
        for card in (_named(row) - belongs) - (_named(was) - belongs)
    ]
    number = belongs.total()
    if len(row) >= number > 0:
        lacking = _lacking(belongs, row)
        calls += _missing(lacking) if len(was) < number or lacking != _lacking(belongs, was) else ()
    elif not row and 0 < len(was) < number:
        calls += _missing(_lacking(belongs, was))
    return tuple(calls)


def _named(row: Row) -> Counter[str]:
    return Counter(seen.card for seen in row if seen.card is not None)


def _lacking(belongs: Counter[str], row: Row) -> Counter[str]:
    """What the row surely lacks."""
    lacking = belongs - _named(row)
    unnamed = sum(seen.card is None for seen in row)
    return lacking if lacking.total() > unnamed else Counter()


def _missing(lacking: Counter[str]) -> tuple[Ruling, ...]:
    if not lacking:
        return ()
    say = "Missing among the weapons on display: {cards}."
    return (Ruling("SNI-7", message(say, cards=tuple(lacking.elements()))),)
