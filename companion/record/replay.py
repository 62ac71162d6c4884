"""Play a kifu through the rules and check what it claims: refusals and expected states."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from pathlib import Path
from typing import Any

import msgspec

from companion.core.message import Message, message
from companion.core.rulings import Refusal, Refused, Ruling, ShinpanError
from companion.core.wording import sentence
from companion.games import game, names
from companion.games.kit.game import Game
from companion.record import acts, kifu
from companion.record.match import Match

_OLD_NUMBER = re.compile(r"^(R\d+)$")
"""Senjutsu's rulings were once numbered R1, R2, ...; kifu files of that time still cite them so."""


class Played(msgspec.Struct, frozen=True):
    """What became of one line."""

    number: int
    line: kifu.Line
    rulings: tuple[Ruling, ...] = ()
    refusal: Refusal | None = None
    """The refusal, where the line says that it must be refused."""


class Broken(ShinpanError):
    """A line that did not go as written; the reason is in the language of the replay."""

    def __init__(self, number: int, reason: str, rules: tuple[str, ...] = ()) -> None:
        self.number, self.reason, self.rules = number, reason, rules
        super().__init__(
            message("line {number}: {reason} [{rules}]", number=number, reason=reason, rules=rules)
            if rules
            else message("line {number}: {reason}", number=number, reason=reason)
        )


class Replay:
    """Iterate to play line by line; `match` is the match so far (None while, or when, the header is refused)."""

    def __init__(self, data: bytes, language: str = "en") -> None:
        self._lines = kifu.read(data)
        self._language = language
        self.match: Match | None = None
        self._game: Game | None = None

    @classmethod
    def of(cls, path: Path, language: str = "en") -> "Replay":
        return cls(kifu.load(path), language)

    def __iter__(self) -> Iterator[Played]:
        for numbered in self._lines:
            yield self._play(numbered.number, numbered.line)

    def told(self, said: Message) -> str:
        """What the rules say, in the language of this replay, with the names that the game has for things."""
        return sentence(said, self._language, self._name)

    def _name(self, thing: str, language: str) -> str | None:
        if self.match:
            return self.match.name(thing, language)
        return self._game.rules.names(None, thing, language) if self._game else None

    def _broken(self, number: int, reason: Message, rules: tuple[str, ...] = ()) -> Broken:
        return Broken(number, self.told(reason), rules)

    def finish(self) -> Match:
        """Play what is left and give back the match."""
        for _ in self:
            pass
        if self.match is None:
            raise self._broken(1, message("the match was refused, as the header says"))
        return self.match

    def _play(self, number: int, line: kifu.Line) -> Played:
        foretold = self._foretold(line)
        try:
            rulings = self._put_in(number, line)
        except Refused as refusal:
            if foretold and set(foretold) & set(refusal.rules):
                return Played(number, line, refusal=refusal.refusal)
            reason = refusal.message
            if foretold:
                reason = message(
                    "it should be refused by {rules}, and is refused for another reason: {reason}",
                    rules=_either(foretold),
                    reason=reason,
                )
            raise self._broken(number, reason, refusal.rules) from None
        if foretold:
            allowed = message("it should be refused by {rules}, and is allowed", rules=_either(foretold))
            raise self._broken(number, allowed)
        return Played(number, line, rulings)

    def _foretold(self, line: kifu.Line) -> tuple[str, ...]:
        """The rules by which the line says that it must be refused."""
        rules: tuple[str, ...] = getattr(line, "refused", ())
        name = line.game if isinstance(line, kifu.Header) else self.match.game.name if self.match else ""
        return tuple(_OLD_NUMBER.sub(r"SJ-\1", rule) for rule in rules) if name == "senjutsu" else rules

    def _put_in(self, number: int, line: kifu.Line) -> tuple[Ruling, ...]:
        if isinstance(line, kifu.Header):
            if line.game not in names():
                unknown = message(
                    "There is no game called {name}; there are {known}.", name=line.game, known=tuple(names())
                )
                raise Refused("TABLE-4", unknown)
            if line.unknown:
                raise Refused("TABLE-4", message("A header has no such field: {names}.", names=line.unknown))
            self._game = game(line.game)
            self.match = Match(self._game, line.players, line.options)
            return ()
        if self.match is None:
            raise self._broken(number, message("there is no match: its header was refused"))
        rulings: tuple[Ruling, ...] = ()
        match line:
            case kifu.Moved():
                rulings = self.match.move(line.by, self.match.decode(line.fields))
                self.match.written(number)
            case kifu.Acted():
                rulings = self.match.act(acts.decode(line.fields))
                self.match.written(number)
            case kifu.Clock():
                rulings = self.match.clock(line.clock)
                self.match.written(number)
            case kifu.Undo():
                self.match.undo(line.undo)
            case kifu.Expect():
                self._hold_to(number, line.expect)
        return rulings

    def _hold_to(self, number: int, expected: Mapping[str, Any]) -> None:
        assert self.match is not None
        facts = self.match.facts
        for path, value in expected.items():
            found = look_up(facts, path)
            if found is MISSING:
                nothing = message(
                    "{path} should be {wanted}, and there is no such thing", path=path, wanted=_json(value)
                )
                raise self._broken(number, nothing)
            # The order in which moves are awaited means nothing.
            alike = _unordered(found) == _unordered(value) if path.split(".")[0] == "awaits" else same(found, value)
            if not alike:
                other = message(
                    "{path} should be {wanted}, and is {found}", path=path, wanted=_json(value), found=_json(found)
                )
                raise self._broken(number, other)


def _either(rules: Sequence[str]) -> str | Message:
    """One of these rules, in words."""
    first: str | Message = rules[0]
    return reduce(lambda one, other: message("{one} or {other}", one=one, other=other), rules[1:], first)


MISSING = object()


def look_up(facts: Any, path: str) -> Any:
    """The value at a dotted path. A name with dots in it is found too."""
    if isinstance(facts, Mapping):
        if path in facts:
            return facts[path]
        for at, sign in enumerate(path):
            if sign == "." and path[:at] in facts:
                found = look_up(facts[path[:at]], path[at + 1 :])
                if found is not MISSING:
                    return found
    if isinstance(facts, list | tuple):
        head, _, rest = path.partition(".")
        if head.isdecimal() and int(head) < len(facts):
            return look_up(facts[int(head)], rest) if rest else facts[int(head)]
    return MISSING


def same(found: Any, expected: Any) -> bool:
    """Equal as JSON values: `true` is not 1, and a tuple is a list."""
    return bool(_json_value(found) == _json_value(expected))


def _unordered(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _unordered(each) for key, each in value.items()}
    return sorted(map(str, value)) if isinstance(value, list | tuple) else value


def _json_value(value: Any) -> Any:
    plain = msgspec.to_builtins(value)
    return _typed(plain)


def _typed(value: Any) -> Any:
    if isinstance(value, bool):
        return ("bool", value)
    if isinstance(value, list | tuple):
        return [_typed(item) for item in value]
    if isinstance(value, dict):
        return {key: _typed(item) for key, item in value.items()}
    return value


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()
