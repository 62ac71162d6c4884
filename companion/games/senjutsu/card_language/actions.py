"""The actions of a card script: one row each, with a picture of hexes below some of them."""

import re

from companion.core.message import message
from companion.games.senjutsu.card_language import ability as a
from companion.games.senjutsu.card_language.rows import CardRows, ScriptRow
from companion.games.senjutsu.hexes import STEPS, WAYS, Hex

WAY_WORDS = {"front": (5, 0, 1), "back": (2, 3, 4), "any": (0, 1, 2, 3, 4, 5)}
HARMS = ("wound", "bleed", "stun", "push", "discard")
TAKEN = ("wound", "bleed", "stun")
"""What a card can do to its own samurai: it does not push it, and a line of its own makes its player discard."""
VERBS = (
    *("attack", "block", "move", "rotate", "draw", "discard"),
    *("suffer", "foes", "everyone", "advantage", "kamae", "cost"),
)
OPENERS = ("may:", "either:", "in KAMAE:", "on hit:", "on block:")
"""Rows that hold further lines."""
_PICTURE = re.compile(r"[\sxX.^0-9]+$")


class Actions(CardRows):
    """Reads the rows that are actions."""

    def action(self, row: ScriptRow, words: list[str], may: bool) -> a.AnyLine:
        verb, rest = words[0].lower(), [word.lower().rstrip(",") for word in words[1:]]
        if rest[:2] == ["up", "to"]:
            may, rest = True, rest[2:]
        match verb:
            # "Up to" is part of these lines; a kamae step is always optional.
            case "move":
                return a.StepLine(self._count(row, rest), self._ways(row, rest), may)
            case "rotate":
                return self._rotate(row, rest, may)
            case "draw":
                return self._whole(row, rest, a.DrawLine(self._count(row, rest), may))
            case "kamae":
                return self._whole(row, rest, a.KamaeLine())
        line = self._forced(row, verb, rest)
        return a.MayLine((line,)) if may else line

    def _forced(self, row: ScriptRow, verb: str, words: list[str]) -> a.AnyLine:
        match verb:
            case "attack":
                return self._attack(row, words)
            case "block":
                hexes = tuple(offset for offset, _ in self._hexes(row, words, 0))
                return self._whole(row, words, a.BlockLine(hexes))
            case "discard":
                return self._whole(row, words, a.DiscardLine(self._count(row, words)))
            case "suffer":
                return a.SufferLine(self._harm(row, words, TAKEN))
            case "everyone":
                return a.EveryoneLine(self._harm(row, words, TAKEN))
            case "foes":
                return a.FoesLine(self._harm(row, words, HARMS))
            case "cost":
                harm = self._harm(row, words, (*TAKEN, "discard"))
                return a.CostLine(harm.discard, a.Harm(harm.wound, harm.bleed, harm.stun))
            case "advantage":
                return self._whole(row, words, a.AdvantageLine())
        raise self.bad(message("{word!r} is not an action: {known}.", word=verb, known=(*VERBS, *OPENERS)), row.number)

    def _whole(self, row: ScriptRow, words: list[str], line: a.AnyLine) -> a.AnyLine:
        """The line, if no words are left over."""
        if words:
            raise self.bad(message("{words!r} is not understood here.", words=" ".join(words)), row.number)
        return line

    def _count(self, row: ScriptRow, words: list[str]) -> int:
        """The number in front of the words, removed from them; 1 where there is none."""
        if not words or not words[0].isdecimal():
            return 1
        digits = words.pop(0)
        if words and words[0] in ("hex", "hexes", "card", "cards", "step", "steps"):
            words.pop(0)
        if len(digits) > 6 or not 1 <= int(digits) <= 40:
            raise self.bad(message("{number} is not between 1 and 40.", number=digits[:12]), row.number)
        return int(digits)

    def _harm(self, row: ScriptRow, words: list[str], allowed: tuple[str, ...], or_hexes: bool = False) -> a.Harm:
        """`wound 2 stun 1` or `2 wounds 1 stun`, removed from the front of the words."""
        found: dict[str, int] = {}
        while words and words[0] != "at":
            before = self._count(row, words) if words[0].isdecimal() and len(words) > 1 else 0
            word = words.pop(0)
            name = {"bleeding": "bleed"}.get(word, word.removesuffix("s"))
            if name not in allowed or name in found:
                told = message("{word!r} is not understood here: {allowed}, each once.", word=word, allowed=allowed)
                raise self.bad(told, row.number)
            found[name] = before or self._count(row, words)
        if not found and not or_hexes:
            examples = tuple(f"{name} 1" for name in allowed)
            raise self.bad(message("this line says what and how many: {allowed}.", allowed=examples), row.number)
        return a.Harm(**found)

    def _attack(self, row: ScriptRow, words: list[str]) -> a.AnyLine:
        harm = self._harm(row, words, HARMS, or_hexes=True)
        hexes = self._hexes(row, words, harm.wound)
        if harm == a.Harm() and not any(wounds for _, wounds in hexes):
            told = message("an attack says what it does: `attack wound 1`, or numbers in the picture.")
            raise self.bad(told, row.number)
        return self._whole(row, words, a.AttackLine(hexes, harm))

    def _ways(self, row: ScriptRow, words: list[str]) -> tuple[int, ...]:
        ways: set[int] = set()
        while words:
            word = words.pop(0)
            if word in WAY_WORDS:
                ways.update(WAY_WORDS[word])
            elif word.upper() in WAYS:
                ways.add(WAYS.index(word.upper()))
            elif word != "or":
                told = message("{word!r} is not a direction: {ways}, front, back, any.", word=word, ways=WAYS)
                raise self.bad(told, row.number)
        for offset, _ in self._picture(row, 0):
            if offset not in STEPS:
                raise self.bad(message("a picture of a move marks only hexes next to the samurai."), row.number)
            ways.add(STEPS.index(offset))
        return tuple(sorted(ways)) or (0, 1, 2, 3, 4, 5)

    def _rotate(self, row: ScriptRow, words: list[str], may: bool) -> a.AnyLine:
        if words == ["any"]:
            return a.RotateLine(3, 0, True)
        if words == ["about"]:
            words = ["3"]
        sixths = self._count(row, words)
        side = {"left": -1, "right": 1}.get(words[0], 0) if words else 0
        if sixths > 5 or (sixths > 3 and not side):
            told = message("a rotation is at most three sixths of a turn, or five with `left` or `right`.")
            raise self.bad(told, row.number)
        return self._whole(row, words[1 if side else 0 :], a.RotateLine(sixths, side, may))

    # --- hexes ------------------------------------------------------------------------------------------------------

    def _hexes(self, row: ScriptRow, words: list[str], wounds: int) -> tuple[tuple[Hex, int], ...]:
        """The marked hexes: `at F FL B2`, or a picture on the rows below."""
        found: dict[Hex, int] = {}
        if words and words[0] == "at":
            while len(words) > 1:
                word = words.pop(1)
                match = re.fullmatch(r"([a-z]+)([1-9]?)", word)
                if word in WAY_WORDS:
                    found.update({STEPS[way]: wounds for way in WAY_WORDS[word]})
                elif match and match[1].upper() in WAYS:
                    x, y = STEPS[WAYS.index(match[1].upper())]
                    far = int(match[2] or 1)
                    found[x * far, y * far] = wounds
                else:
                    raise self.bad(
                        message("{word!r} is not a hex: {ways}, with a number for further away.", word=word, ways=WAYS),
                        row.number,
                    )
            words.pop()
        found.update(self._picture(row, wounds))
        if not found:
            told = message("no hex is marked: draw `^` with `x` around it below, or write `at F`.")
            raise self.bad(told, row.number, "SJ-20")
        return tuple(sorted(found.items()))

    def _picture(self, row: ScriptRow, wounds: int) -> list[tuple[Hex, int]]:
        """The rows of a picture below this line; a digit is a hex with so many wounds, an `x` one as the line says."""
        signs: list[tuple[int, int, str]] = []
        while (below := self.peek()) and _PICTURE.match(below.raw):
            signs += [(below.number, at, sign) for at, sign in enumerate(below.raw) if not sign.isspace()]
            self.at += 1
        if not signs:
            return []
        own = [(number, at) for number, at, sign in signs if sign == "^"]
        if len(own) != 1:
            told = message("a picture has one `^`, the samurai looking up; this has {number}.", number=len(own))
            raise self.bad(told, row.number, "SJ-20")
        (middle, centre), found = own[0], []
        if all(at == centre for _, at, _ in signs):
            # A picture of a single column has no half hexes between its rows: every row is a hex.
            order = [number for number, _, _ in signs]
            signs = [(middle - 2 * (order.index(middle) - order.index(row)), at, sign) for row, at, sign in signs]
        for number, at, sign in signs:
            across, up = at - centre, middle - number
            if across % 2 or (across // 2 + up) % 2:
                told = message(
                    "{sign!r} stands between two hexes: the next column is two signs away and one row up or down.",
                    sign=sign,
                )
                raise self.bad(told, number, "SJ-20")
            if sign not in ".^":
                found.append(((across // 2, up), wounds if sign in "xX" else int(sign)))
        return found
