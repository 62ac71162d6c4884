"""Cards as the header of a kifu may give them: a script, an object for a card, or several of either."""

from collections.abc import Mapping, Sequence
from typing import Any

from companion.core.message import message
from companion.games.senjutsu.card_language import ability as a
from companion.games.senjutsu.card_language.rows import BadCard
from companion.games.senjutsu.card_language.scribe import write_cards
from companion.games.senjutsu.card_language.script import read_cards


def read_any(given: object) -> dict[str, a.Ability]:
    """A script, an object, or a list or mapping of these."""
    if isinstance(given, _UnderItsName):
        return _read_rows([(row, line) for line, row in enumerate(given.splitlines())])
    if isinstance(given, str):
        return read_cards(given)
    if isinstance(given, Mapping):
        if "name" in given:
            return _read_rows(_script(given))
        return read_any([_named(str(name), card) for name, card in given.items()])
    if isinstance(given, Sequence):
        cards: dict[str, a.Ability] = {}
        for item in given:
            for name, card in read_any(item).items():
                if name in cards:
                    raise BadCard(1, message("this card is given twice."), "TABLE-4", card.name)
                cards[name] = card
        return cards
    raise BadCard(1, message("a card is a script or an object, not {given}.", given=repr(given)))


def scripted(text: str, options: Mapping[str, Any]) -> Mapping[str, Any]:
    """The options with the owner's cards added; where both have a card, the one of the options counts."""
    owned, own = read_cards(text), options.get("cards", "")
    try:
        known = read_any(own)
    except BadCard:
        return options  # setting up the match will say what is wrong with them
    spare = write_cards(card for name, card in owned.items() if name not in known)
    return {**options, "cards": [spare, own] if own else spare} if spare else options


def _named(name: str, card: object) -> object:
    """A card that is given under its name need not repeat it."""
    if isinstance(card, Mapping):
        return {"name": name, **card}
    if isinstance(card, str) and not card.lstrip().startswith("card "):
        return _UnderItsName(f"card {name}\n{card}")
    return card


class _UnderItsName(str):
    """A script to which we have added the first row."""

    __slots__ = ()


Rows = list[tuple[str, int]]
"""Rows of a script that we have put together, each with the line in which its owner wrote it; 0: in none."""


def _read_rows(rows: Rows) -> dict[str, a.Ability]:
    """What is wrong is told with the owner's own line."""
    try:
        return read_cards("\n".join(text for text, _ in rows))
    except BadCard as bad:
        raise BadCard(rows[bad.line - 1][1], bad.reason, bad.rule, bad.card) from None


def _script(card: Mapping[str, Any]) -> Rows:
    """A card given as an object, as the script that says the same."""
    heads = [f"card {card['name']}"]
    body: Rows = _body(card.get("lines", ()))
    for at, segment in enumerate(card.get("segments", ())):
        if not isinstance(segment, Mapping):
            told = message("a segment is an object with its lines, not {segment}.", segment=repr(segment))
            raise BadCard(1, told, "TABLE-4", str(card["name"]))
        if at:
            body.append((f"--- {_speed(segment.get('speed', ''))}", 0))
        elif "speed" in segment:
            heads.append(f"speed {_speed(segment['speed'])}")
        body += _body(segment.get("lines", ()), sum(line > 0 for _, line in body))
    for key, value in card.items():
        if key == "sensei":
            heads += ["sensei"] if value else []
        elif key == "speed" and value is not None:
            heads.append(f"speed {_speed(value)}")
        elif key not in ("name", "lines", "segments") and value is not None:
            heads.append(f"{key} {value}")
    return [(row, 0) for head in heads for row in head.splitlines() or [""]] + body


def _speed(value: object) -> str:
    return "-".join(str(end) for end in value) if isinstance(value, list | tuple) else str(value)


def _body(lines: Any, before: int = 0) -> Rows:
    """The lines of a card or segment, numbered as their owner counts them."""
    rows = lines.splitlines() if isinstance(lines, str) else lines
    numbered = enumerate(rows, before + 1)
    return [(row, number) for number, line in numbered for row in str(line).splitlines() or [""]]
