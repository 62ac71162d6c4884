"""The card language, in which an owner types a card in a minute, read into `Ability` cards.

    card Wild Swing
    type attack
    rank steel
    speed 7
    attack wound 2
        x
      x   x
        ^
    in balance: discard 1

`docs/games/senjutsu.md` has the whole of it. A mistake is reported with its line and the reason.
"""

import re

from companion.core.message import message
from companion.games.senjutsu.card_language import ability as a
from companion.games.senjutsu.card_language.actions import Actions
from companion.games.senjutsu.card_language.rows import BadCard, ScriptRow, rows_of

KAMAE_WORDS = {
    "aggressive": "aggression",
    "red": "aggression",
    "balanced": "balance",
    "green": "balance",
    "determined": "determination",
    "defensive": "determination",
    "yellow": "determination",
    **{name: name for name in a.KAMAE},
}
_OPENER = re.compile(r"(either|or|may|on\s+hit|on\s+block|in\s[^:]*?)\s*:\s*", re.IGNORECASE)
HEADS = ("type", "rank", "number", "season", "origin", "speed", "instant", "needs", "sensei")


def read_cards(text: str) -> dict[str, a.Ability]:
    """Every card of a script, by id."""
    cards: dict[str, a.Ability] = {}
    found: list[list[ScriptRow]] = []
    for row in rows_of(text):
        if _key(row) == "card":
            found.append([])
        elif not found:
            told = message("a card begins with `card` and its name, not with {text!r}.", text=row.text)
            raise BadCard(row.number, told)
        found[-1].append(row)
    for rows in found:
        card = _Reader(rows).card()
        if card.id in cards:
            twice = message("there is another card of that name above.")
            raise BadCard(rows[0].number, twice, "TABLE-4", card.name)
        cards[card.id] = card
    return cards


def read_line(text: str) -> a.AnyLine:
    """A single line, as `scribe.describe` tells it."""
    return _Reader(rows_of(f"card Line\n{text}")).line()


def _key(row: ScriptRow) -> str:
    """The first word: `Speed: 7` is `speed 7`."""
    return row.text.partition(" ")[0].rstrip(":").lower()


class _Reader(Actions):
    """Reads one card, row by row."""

    def __init__(self, rows: list[ScriptRow]) -> None:
        super().__init__(rows)
        self.heads: dict[str, tuple[int, str]] = {}

    def line(self) -> a.AnyLine:
        """The only line, of a card without a head."""
        (line,) = self._block(-1)
        return line

    def card(self) -> a.Ability:
        first = self.rows[0].number
        name = a.identity(self.name)
        if not name:
            raise self.bad(message("the card has no name."), first)
        if name == a.STUN:
            raise self.bad(message("the stun card is not an ability card."), first, "SJ-37")
        self._heads()
        kind = self._one_of("type", a.TYPES, "SJ-16")
        instant = self._one_of("instant", ("replace", "add"), "SJ-18") if "instant" in self.heads else ""
        equal = self.heads.get("speed", (0, ""))[1] == "="
        if equal and instant != "add":
            raise self.bad(message("only an additional instant has the speed `=`."), self.heads["speed"][0], "SJ-45")
        speed = () if equal or "speed" not in self.heads else self._speed(*self.heads["speed"])
        if not speed and not instant:
            raise self.bad(message("a card that is not an instant needs a speed."), first, "SJ-24")
        origin, _, note = self.heads.get("origin", (0, "house"))[1].partition(":")
        if origin.strip() not in ("booklet", "inferred", "house"):
            told = message("the origin is booklet, inferred or house, then a colon and a note.")
            raise self.bad(told, self.heads["origin"][0])
        season = self.heads.get("season", (0, "1"))
        if not season[1].isdecimal() or len(season[1]) > 6:
            raise self.bad(message("the season is a number."), season[0], "SJ-23")
        needs = self._kamae(self.heads["needs"][1], self.heads["needs"][0]) if "needs" in self.heads else ""
        return a.Ability(
            id=name,
            name=self.name,
            type=kind,
            rank=self._one_of("rank", a.RANKS, "SJ-23") if kind != "core" or "rank" in self.heads else "",
            segments=self._segments(speed),
            instant=instant,
            equal=equal,
            needs=needs,
            sensei="sensei" in self.heads,
            number=self.heads.get("number", (0, ""))[1],
            season=int(season[1]),
            origin=origin.strip(),
            note=note.strip(),
        )

    def _heads(self) -> None:
        while row := self.peek():
            key, value = _key(row), row.text.partition(" ")[2].strip()
            if key not in HEADS:
                return
            if key in self.heads:
                raise self.bad(message("`{key}` is given twice.", key=key))
            if not value and key != "sensei":
                raise self.bad(message("`{key}` has no value.", key=key))
            self.heads[key] = (row.number, value)
            self.at += 1

    def _one_of(self, key: str, allowed: tuple[str, ...], rule: str) -> str:
        number, value = self.heads.get(key, (self.rows[0].number, ""))
        value = {"defense": "defence", "replacement": "replace", "additional": "add"}.get(value.lower(), value.lower())
        if not value:
            raise self.bad(message("the {key} is missing: {allowed}.", key=key, allowed=allowed), number, rule)
        if value not in allowed:
            told = message("{value!r} is not a known {key}: {allowed}.", value=value, key=key, allowed=allowed)
            raise self.bad(told, number, rule)
        return value

    def _speed(self, number: int, text: str) -> tuple[int, ...]:
        ends = re.split(r"\s*(?:-|–|to)\s*", text)
        if len(ends) > 2 or not all(end.isdecimal() for end in ends):
            told = message("a speed is a number or two (`7`, `6-2`), not {text!r}.", text=text)
            raise self.bad(told, number, "SJ-14")
        if any(len(end) > 6 or int(end) > a.FASTEST for end in ends):
            told = message("a speed is at most {most}, not {text}.", most=a.FASTEST, text=text[:20])
            raise self.bad(told, number, "SJ-25")
        values = sorted({int(end) for end in ends}, reverse=True)
        return tuple(values)

    def _kamae(self, word: str, number: int) -> str:
        name = KAMAE_WORDS.get(word.strip().lower())
        if name is None or name == "gateway":
            told = message("{word!r} is not a kamae: {known}.", word=word.strip(), known=a.KAMAE[1:])
            raise self.bad(told, number, "SJ-22")
        return name

    def _segments(self, speed: tuple[int, ...]) -> tuple[a.Segment, ...]:
        segments = []
        while True:
            lines = self._block(-1)
            row = self.peek()
            if not lines:
                number = (row or self.rows[-1]).number
                raise self.bad(message("there is no line to resolve here."), number, "SJ-7")
            segments.append(a.Segment(lines, speed))
            if row is None:
                return tuple(segments)
            mark = row.text.lstrip("-").strip().removeprefix("speed").strip()
            if mark:
                speed = self._speed(row.number, mark)
            self.at += 1

    def _block(self, indent: int) -> a.Lines:
        """The lines that stand further right than `indent`, up to a dividing line."""
        lines: list[a.AnyLine] = []
        level = row.indent if (row := self.peek()) else 0
        while (row := self.peek()) and row.indent > indent and not row.text.startswith("--"):
            if row.indent > level:
                told = message("this row stands further right than the one above, which cannot hold any lines.")
                raise self.bad(told)
            opener = _OPENER.match(row.text)
            if opener and opener[1].lower() == "on block":
                if not lines or not isinstance(lines[-1], a.BlockLine):
                    raise self._stray_on_block()
                block = lines.pop()
                assert isinstance(block, a.BlockLine)
                lines.append(a.BlockLine(block.hexes, self._nested(row, opener[0])))
            else:
                lines.append(self._line(row))
        return tuple(lines)

    def _nested(self, row: ScriptRow, opener: str) -> a.Lines:
        """The lines that follow an opener on the same row, or stand further right below it."""
        rest = row.text[len(opener) :]
        if rest:
            # The rest of the row is read as a row of its own, so that a picture may follow it.
            self.rows[self.at] = ScriptRow(
                row.number, row.indent + 1, rest, row.raw.replace(opener, " " * len(opener), 1)
            )
            return (self._line(self.rows[self.at]),)
        self.at += 1
        lines = self._block(row.indent)
        if not lines:
            told = message("nothing stands under `{opener}`; its lines stand further right.", opener=opener)
            raise self.bad(told, row.number)
        return lines

    def _line(self, row: ScriptRow) -> a.AnyLine:
        if opener := _OPENER.match(row.text):
            return self._holding(row, *opener.group(0, 1))
        if row.text.lower().startswith("in "):
            raise self.bad(message("`in` names one or more kamae and ends with a colon."), None, "SJ-22")
        self.at += 1
        words = row.text.split()
        may = words[0].lower() == "may" and len(words) > 1
        return self.action(row, words[1:] if may else words, may)

    def _holding(self, row: ScriptRow, opener: str, what: str) -> a.AnyLine:
        """A line that holds others."""
        match what.lower().split():
            case ["either"]:
                return self._either(row)
            case ["or"]:
                raise self.bad(message("`or:` has no `either:` above it."))
            case ["may"]:
                return a.MayLine(self._nested(row, opener))
            case ["on", "hit"]:
                return a.OnHitLine(self._nested(row, opener))
            case ["in", *words]:
                names = re.split(r",|\bor\b", " ".join(words))
                return a.InKamaeLine(tuple(self._kamae(name, row.number) for name in names), self._nested(row, opener))
        raise self._stray_on_block()

    def _stray_on_block(self) -> BadCard:
        return self.bad(message("`on block:` follows the block it belongs to."))

    def _either(self, row: ScriptRow) -> a.EitherLine:
        choices, next_choice = list[a.Lines](), row
        while (opener := _OPENER.match(next_choice.text)) and opener[1].lower() == ("or" if choices else "either"):
            choices.append(self._nested(next_choice, opener[0]))
            below = self.peek()
            if below is None or below.indent != row.indent:
                break
            next_choice = below
        if len(choices) < 2:
            raise self.bad(message("`either:` needs an `or:` below it, just as far to the right."), row.number)
        return a.EitherLine(tuple(choices))
