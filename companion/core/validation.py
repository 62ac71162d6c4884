"""What is wrong with data that does not have the expected form, as a message for people.

>>> str(wrong_field(msgspec.ValidationError("Expected `int`, got `str` - at `$.moves`")))
'moves must be a whole number, not a text'

msgspec checks the data and says in its own words, in English, what it expected. This is the only place that reads
those words; what it does not know it says in general terms, so msgspec's own text never reaches a player.
"""

import re
import tomllib
from collections.abc import Callable
from typing import Any, TypeVar, overload

import msgspec

from companion.core.message import Message, message

_KINDS: dict[str, Callable[[], Message]] = {
    "int": lambda: message("a whole number"),
    "float": lambda: message("a number"),
    "str": lambda: message("a text"),
    "bool": lambda: message("true or false"),
    "array": lambda: message("a list"),
    "object": lambda: message("a group of named values"),
    "null": lambda: message("nothing"),
}
T = TypeVar("T")
DEEPEST = 64
"""How many lists and groups may stand inside each other; ours need fewer than ten."""
_PLACE = re.compile(r" - at `(?:key` in `)?\$(?P<path>[^`]*)`$")


@overload
def read_json(text: bytes | str) -> Any: ...
@overload
def read_json(text: bytes | str, kind: type[T]) -> T: ...
def read_json(text: bytes | str, kind: Any = Any) -> Any:
    """JSON from a file or from the network. Whatever is wrong with it is a msgspec.DecodeError: text that is not
    UTF-8, numbers of thousands of digits, and nesting so deep that reading it, or writing it again, would exhaust the
    stack."""
    data = text.encode(errors="replace") if isinstance(text, str) else text
    if data.count(b"[") + data.count(b"{") > DEEPEST and _depth(data) > DEEPEST:
        raise msgspec.DecodeError("nested too deeply")
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.DecodeError:
        raise
    except (ValueError, RecursionError) as error:
        raise msgspec.DecodeError(str(error)) from None


def read_toml(text: str) -> dict[str, Any]:
    """TOML that somebody may have written by hand. Whatever is wrong with it is a tomllib.TOMLDecodeError."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except RecursionError:
        raise tomllib.TOMLDecodeError("it is nested too deeply") from None
    except ValueError:
        raise tomllib.TOMLDecodeError("a number in it has too many digits") from None


_STRING = re.compile(rb'"(?:[^"\\]|\\.)*+"?', re.DOTALL)


def _depth(data: bytes) -> int:
    """How deep the lists and groups of this JSON go, without reading it."""
    deepest = depth = 0
    for sign in re.findall(rb"[\[\]{}]", _STRING.sub(b"", data)):
        depth += 1 if sign in b"[{" else -1
        deepest = max(deepest, depth)
    return deepest


def wrong_field(error: msgspec.DecodeError | UnicodeError) -> Message:
    """Which field is wrong and what was expected there, or that it is not JSON at all: part of a sentence, without a
    full stop."""
    if not isinstance(error, msgspec.ValidationError):
        return message("it is not JSON")
    text = str(error)
    place = _PLACE.search(text)
    reason = text[: place.start()] if place else text
    path = place["path"].replace("[...]", "").lstrip(".") if place else ""
    for pattern, told in _REASONS:
        found = re.match(pattern, reason)
        if found:
            return told(path, *found.groups())
    return _general(path)


def outermost_field(error: msgspec.ValidationError) -> str:
    """The field of the whole that is wrong, or that has something wrong in it: `end` for `$.end.time`."""
    place = _PLACE.search(str(error))
    path = place["path"] if place else ""
    named = re.search(r"field `(.+?)`", str(error))
    return re.split(r"[.\[]", path.lstrip("."))[0] or (named[1] if named else "")


def _general(path: str) -> Message:
    if path:
        return message("{field} has a value that is not allowed", field=path)
    return message("it has a value that is not allowed")


def _missing(path: str, field: str) -> Message:
    return message("{field} is missing", field=_joined(path, field))


def _unknown(path: str, field: str) -> Message:
    return message("there is no field called {field}", field=_joined(path, field))


def _wrong_kind(path: str, expected: str, found: str) -> Message:
    wanted, got = _kind(expected), _found(found)
    if path:
        return message("{field} must be {expected}, not {found}", field=path, expected=wanted, found=got)
    return message("{expected} was expected, not {found}", expected=wanted, found=got)


def _wrong_value(path: str, value: str) -> Message:
    if path:
        return message("{field} cannot be {value}", field=path, value=value)
    return message("{value} is not allowed", value=value)


def _too_small(path: str, least: str) -> Message:
    return message("{field} must be at least {least}", field=path, least=least) if path else _general(path)


def _too_large(path: str, most: str) -> Message:
    return message("{field} must be at most {most}", field=path, most=most) if path else _general(path)


def _wrong_length(path: str, wanted: str) -> Message:
    return message("{field} must have {wanted} entries", field=path, wanted=wanted) if path else _general(path)


_REASONS: tuple[tuple[str, Callable[..., Message]], ...] = (
    (r"Object missing required field `(.+)`$", _missing),
    (r"Object contains unknown field `(.+)`$", _unknown),
    (r"Expected `array` of length ((?:[<>]= )?\d+)", _wrong_length),
    (r"Expected `(.+)`, got `(.+)`$", _wrong_kind),
    (r"Expected `(?:int|float)` >= (\S+)$", _too_small),
    (r"Expected `(?:int|float)` <= (\S+)$", _too_large),
    (r"Invalid (?:enum )?value '?(.+?)'?$", _wrong_value),
)


def _joined(path: str, field: str) -> str:
    return f"{path}.{field}" if path else field


def _found(name: str) -> Message:
    return message("a fraction") if name == "float" else _kind(name)


def _kind(names: str) -> Message:
    """`int | null` in words."""
    first, *others = (_KINDS.get(name, lambda: message("something else"))() for name in names.split(" | "))
    told = first
    for other in others:
        told = message("{one} or {other}", one=told, other=other)
    return told
