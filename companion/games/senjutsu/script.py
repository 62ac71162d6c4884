"""The card language: what an owner types in a minute, read into `Ability` cards.

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
from typing import NamedTuple

from companion.games.senjutsu import ability as a
from companion.games.senjutsu.hexes import STEPS, WAYS, Hex
from companion.rulings import ShinpanError

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
WAY_WORDS = {"front": (5, 0, 1), "back": (2, 3, 4), "any": (0, 1, 2, 3, 4, 5)}
HARMS = ("wound", "bleed", "stun", "push", "discard")
_PICTURE = re.compile(r"[\sxX.^0-9]+$")
_COMMENT = re.compile(r"(^|\s)#.*$")


class BadCard(ShinpanError, ValueError):
    """A card that cannot be read: the line and the reason."""

    def __init__(self, line: int, reason: str, rule: str = "TABLE-4", card: str = "") -> None:
        self.line, self.reason, self.rule, self.card = line, reason, rule, card
        super().__init__(f"{f'{card}, ' if card else ''}line {line}: {reason}")


class Row(NamedTuple):
    number: int
    indent: int
    text: str
    raw: str


def read_cards(text: str) -> dict[str, a.Ability]:
    """Every card of a script, by id."""
    cards: dict[str, a.Ability] = {}
    found: list[list[Row]] = []
    for row in _rows(text):
        if row.text.partition(" ")[0] == "card":
            found.append([])
        elif not found:
            raise BadCard(row.number, f"a card begins with `card` and its name, not with {row.text!r}")
        found[-1].append(row)
    for rows in found:
        card = _Reader(rows).card()
        if card.id in cards:
            raise BadCard(rows[0].number, "there is another card of that name above", card=card.name)
        cards[card.id] = card
    return cards


def _rows(text: str) -> list[Row]:
    rows = []
    for number, line in enumerate(text.expandtabs(4).splitlines(), 1):
        line = _COMMENT.sub("", line).rstrip()
        if line:
            rows.append(Row(number, len(line) - len(line.lstrip()), line.strip(), line))
    return rows


class _Reader:
    """Reads one card, row by row."""

    def __init__(self, rows: list[Row]) -> None:
        self.rows, self.at = rows, 1
        self.name = rows[0].text[4:].strip()
        self.heads: dict[str, tuple[int, str]] = {}

    def bad(self, reason: str, number: int | None = None, rule: str = "TABLE-4") -> BadCard:
        at = min(self.at, len(self.rows) - 1)
        return BadCard(number or self.rows[at].number, reason, rule, self.name)

    def peek(self) -> Row | None:
        return self.rows[self.at] if self.at < len(self.rows) else None

    def card(self) -> a.Ability:
        first = self.rows[0].number
        name = a.identity(self.name)
        if not name:
            raise self.bad("the card has no name", first)
        if name == a.STUN:
            raise self.bad("the stun card is no ability card", first, "SJ-37")
        self._heads()
        kind = self._one_of("type", a.TYPES, "SJ-16")
        instant = self._one_of("instant", ("replace", "add"), "SJ-18") if "instant" in self.heads else ""
        equal = self.heads.get("speed", (0, ""))[1] == "="
        if equal and instant != "add":
            raise self.bad("only an additional instant has the speed `=`", self.heads["speed"][0], "SJ-45")
        speed = () if equal or "speed" not in self.heads else self._speed(*self.heads["speed"])
        if not speed and not instant:
            raise self.bad("a card that is no instant needs a speed", first, "SJ-24")
        origin, _, note = self.heads.get("origin", (0, "house"))[1].partition(":")
        if origin.strip() not in ("booklet", "inferred", "house"):
            raise self.bad("the origin is booklet, inferred or house, then a colon and a note", self.heads["origin"][0])
        season = self.heads.get("season", (0, "1"))
        if not season[1].isdecimal():
            raise self.bad("the season is a number", season[0], "SJ-23")
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
        known = ("type", "rank", "number", "season", "origin", "speed", "instant", "needs", "sensei")
        while row := self.peek():
            key, _, value = row.text.partition(" ")
            if key not in known:
                return
            if key in self.heads:
                raise self.bad(f"{key} is given twice")
            if not value.strip() and key != "sensei":
                raise self.bad(f"{key} says nothing")
            self.heads[key] = (row.number, value.strip())
            self.at += 1

    def _one_of(self, key: str, allowed: tuple[str, ...], rule: str) -> str:
        number, value = self.heads.get(key, (self.rows[0].number, ""))
        value = {"defense": "defence", "replacement": "replace", "additional": "add"}.get(value.lower(), value.lower())
        if value not in allowed:
            what = f"{value!r} is no {key}" if value else f"the {key} is missing"
            raise self.bad(f"{what}: {', '.join(allowed[:-1])} or {allowed[-1]}", number, rule)
        return value

    def _speed(self, number: int, text: str) -> tuple[int, ...]:
        ends = re.split(r"\s*(?:-|–|to)\s*", text)
        if len(ends) > 2 or not all(end.isdecimal() for end in ends):
            raise self.bad(f"a speed is a number or two (`7`, `6-2`), not {text!r}", number, "SJ-14")
        if any(int(end) > a.FASTEST for end in ends):
            raise self.bad(f"a speed is at most {a.FASTEST}, not {text}", number, "SJ-25")
        values = sorted({int(end) for end in ends}, reverse=True)
        return tuple(values)

    def _kamae(self, word: str, number: int) -> str:
        name = KAMAE_WORDS.get(word.strip().lower())
        if name is None or name == "gateway":
            raise self.bad(f"{word.strip()!r} is no kamae: {', '.join(a.KAMAE[1:])}", number, "SJ-22")
        return name

    def _segments(self, speed: tuple[int, ...]) -> tuple[a.Segment, ...]:
        segments = []
        while True:
            lines = self._block(-1)
            row = self.peek()
            if not lines:
                raise self.bad("there is no line to resolve here", row.number if row else self.rows[-1].number, "SJ-7")
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
        while (row := self.peek()) and row.indent > indent and not row.text.startswith("--"):
            if row.text.startswith("on block:"):
                if not lines or not isinstance(lines[-1], a.Block):
                    raise self.bad("`on block:` follows the block it belongs to")
                block = lines.pop()
                assert isinstance(block, a.Block)
                lines.append(a.Block(block.hexes, self._nested(row, "on block:")))
            else:
                lines.append(self._line(row))
        return tuple(lines)

    def _nested(self, row: Row, opener: str) -> a.Lines:
        """What stands behind an opener on the same row, or further right below it."""
        rest = row.text[len(opener) :].strip()
        if rest:
            # The rest of the row stands as a row of its own, so that a picture may follow it.
            self.rows[self.at] = Row(row.number, row.indent + 1, rest, row.raw.replace(opener, " " * len(opener), 1))
            return (self._line(self.rows[self.at]),)
        self.at += 1
        lines = self._block(row.indent)
        if not lines:
            raise self.bad(f"nothing stands under `{opener}`; its lines stand further right", row.number)
        return lines

    def _line(self, row: Row) -> a.AnyLine:
        text = row.text
        if text.startswith("either:"):
            return self._either(row)
        if text.startswith("or:"):
            raise self.bad("`or:` has no `either:` above it")
        if text.startswith("may:"):
            return a.May(self._nested(row, "may:"))
        if text.startswith("on hit:"):
            return a.OnHit(self._nested(row, "on hit:"))
        if text.startswith("in "):
            opener = text.partition(":")[0] + ":"
            if opener not in text:
                raise self.bad("`in` names one or more kamae and ends with a colon", rule="SJ-22")
            names = tuple(self._kamae(word, row.number) for word in re.split(r",|\bor\b", opener[3:-1]))
            return a.In(names, self._nested(row, opener))
        self.at += 1
        may = text.startswith("may ")
        return self._action(row, text.removeprefix("may ").split(), may)

    def _either(self, row: Row) -> a.Either:
        choices = [self._nested(row, "either:")]
        while (other := self.peek()) and other.indent == row.indent and other.text.startswith("or:"):
            choices.append(self._nested(other, "or:"))
        if len(choices) < 2:
            raise self.bad("`either:` needs an `or:` below it, just as far to the right", row.number)
        return a.Either(tuple(choices))

    def _action(self, row: Row, words: list[str], may: bool) -> a.AnyLine:
        verb, rest = words[0].lower(), [word.lower() for word in words[1:]]
        if rest[:2] == ["up", "to"]:
            may, rest = True, rest[2:]
        line: a.AnyLine
        if verb == "move":
            return a.Step(self._count(row, rest), self._ways(row, rest), may)
        if verb == "rotate":
            return self._rotate(row, rest, may)
        if verb == "draw":
            line = a.Draw(self._count(row, rest), may)
            self._nothing_more(row, rest)
            return line
        if verb == "kamae":
            self._nothing_more(row, rest)
            return a.Kamae()
        if verb == "attack":
            line = self._attack(row, rest)
        elif verb == "block":
            line = a.Block(tuple(offset for offset, _ in self._hexes(row, rest, 0)))
            self._nothing_more(row, rest)
        elif verb == "discard":
            line = a.Discard(self._count(row, rest))
            self._nothing_more(row, rest)
        elif verb in ("suffer", "foes"):
            harm = self._harm(row, rest, ("wound", "bleed", "stun") if verb == "suffer" else HARMS)
            if harm == a.Harm():
                raise self.bad(f"`{verb}` says what: {', '.join(HARMS)} and a number", row.number)
            line = a.Suffer(harm) if verb == "suffer" else a.Foes(harm)
        elif verb == "cost":
            harm = self._harm(row, rest, ("wound", "bleed", "stun", "discard"))
            if harm == a.Harm():
                raise self.bad("`cost` says what: `cost discard 1`, `cost wound 1`", row.number)
            line = a.Cost(harm.discard, a.Harm(harm.wound, harm.bleed, harm.stun))
        elif verb == "advantage":
            self._nothing_more(row, rest)
            line = a.Advantage()
        else:
            raise self.bad(
                f"{verb!r} is no action: attack, block, move, rotate, draw, discard, suffer, foes, advantage, kamae, "
                "cost, may:, either:, in KAMAE:, on hit:, on block:",
                row.number,
            )
        return a.May((line,)) if may else line

    def _nothing_more(self, row: Row, words: list[str]) -> None:
        if words:
            raise self.bad(f"{' '.join(words)!r} is not understood here", row.number)

    def _count(self, row: Row, words: list[str]) -> int:
        """A number at the head of the words, taken off; 1 where none is given."""
        if not words or not words[0].isdecimal():
            return 1
        number = int(words.pop(0))
        if words and words[0] in ("hex", "hexes", "card", "cards", "step", "steps"):
            words.pop(0)
        if not 1 <= number <= 40:
            raise self.bad(f"{number} is not between 1 and 40", row.number)
        return number

    def _harm(self, row: Row, words: list[str], allowed: tuple[str, ...]) -> a.Harm:
        """`wound 2 stun 1`, taken off the head of the words."""
        found: dict[str, int] = {}
        while words and words[0] != "at":
            word = words.pop(0).rstrip(",")
            name = word.removesuffix("s") if word.removesuffix("s") in HARMS else word
            name = "bleed" if name == "bleeding" else name
            if name not in allowed or name in found:
                raise self.bad(f"{word!r} is not understood here: {', '.join(allowed)}, each once", row.number)
            found[name] = self._count(row, words)
        return a.Harm(**found)

    def _attack(self, row: Row, words: list[str]) -> a.Attack:
        harm = self._harm(row, words, HARMS)
        hexes = self._hexes(row, words, harm.wound)
        self._nothing_more(row, words)
        if harm == a.Harm() and not any(wounds for _, wounds in hexes):
            raise self.bad("an attack says what it does: `attack wound 1`, or numbers in the picture", row.number)
        return a.Attack(hexes, harm)

    def _ways(self, row: Row, words: list[str]) -> tuple[int, ...]:
        ways: set[int] = set()
        while words:
            word = words.pop(0).rstrip(",")
            if word in WAY_WORDS:
                ways.update(WAY_WORDS[word])
            elif word.upper() in WAYS:
                ways.add(WAYS.index(word.upper()))
            elif word != "or":
                raise self.bad(f"{word!r} is no direction: {', '.join(WAYS)}, front, back, any", row.number)
        for offset, _ in self._picture(row, 0):
            if offset not in STEPS:
                raise self.bad("a picture of a move marks only hexes next to the samurai", row.number)
            ways.add(STEPS.index(offset))
        return tuple(sorted(ways)) or (0, 1, 2, 3, 4, 5)

    def _rotate(self, row: Row, words: list[str], may: bool) -> a.Rotate:
        if words == ["any"]:
            return a.Rotate(3, 0, True)
        if words == ["about"]:
            words = ["3"]
        sixths = self._count(row, words)
        if sixths > 5:
            raise self.bad("a rotation is at most five sixths", row.number)
        side = {"left": -1, "right": 1}.get(words[0], 0) if words else 0
        self._nothing_more(row, words[1 if side else 0 :])
        if sixths > 3 and not side:
            raise self.bad("more than three sixths needs `left` or `right`", row.number)
        return a.Rotate(sixths, side, may)

    def _hexes(self, row: Row, words: list[str], wounds: int) -> tuple[tuple[Hex, int], ...]:
        """The marked hexes: `at F FL B2`, or a picture on the rows below."""
        found: dict[Hex, int] = {}
        if words and words[0] == "at":
            while len(words) > 1:
                word = words.pop(1).rstrip(",")
                match = re.fullmatch(r"([a-z]+)(\d?)", word)
                if word in WAY_WORDS:
                    found.update({STEPS[way]: wounds for way in WAY_WORDS[word]})
                elif match and match[1].upper() in WAYS and match[2] != "0":
                    x, y = STEPS[WAYS.index(match[1].upper())]
                    far = int(match[2] or 1)
                    found[x * far, y * far] = wounds
                else:
                    raise self.bad(f"{word!r} is no hex: {', '.join(WAYS)}, with a number for further away", row.number)
            words.pop()
        for offset, there in self._picture(row, wounds):
            found[offset] = there
        if not found:
            raise self.bad("no hex is marked: draw `^` with `x` around it below, or write `at F`", row.number, "SJ-20")
        return tuple(sorted(found.items()))

    def _picture(self, row: Row, wounds: int) -> list[tuple[Hex, int]]:
        """The rows of a picture below this line; a digit is a hex with so many wounds, an `x` one as the line says."""
        signs: list[tuple[int, int, str]] = []
        while (below := self.peek()) and _PICTURE.match(below.raw):
            signs += [(below.number, at, sign) for at, sign in enumerate(below.raw) if not sign.isspace()]
            self.at += 1
        if not signs:
            return []
        own = [(number, at) for number, at, sign in signs if sign == "^"]
        if len(own) != 1:
            raise self.bad(f"a picture has one `^`, the samurai looking up; this has {len(own)}", row.number, "SJ-20")
        (middle, centre), found = own[0], []
        if all(at == centre for _, at, _ in signs):
            # One column alone has no half hexes between its rows: every row is a hex.
            order = [number for number, _, _ in signs]
            signs = [(middle - 2 * (order.index(middle) - order.index(row)), at, sign) for row, at, sign in signs]
        for number, at, sign in signs:
            across, up = at - centre, middle - number
            if across % 2 or (across // 2 + up) % 2:
                reason = "stands between two hexes: a neighbouring column is two signs away and one row up or down"
                raise self.bad(f"the {sign!r} {reason}", number, "SJ-20")
            if sign not in ".^":
                found.append(((across // 2, up), wounds if sign in "xX" else int(sign)))
        return found
