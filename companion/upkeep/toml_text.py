"""TOML as text: in which line a value stands, and how to change one value and leave every comment where it is.

The standard library reads TOML and tells no lines; it still decides here: a statement ends where the text up to there
can be read.
"""

import re
import tomllib
from collections.abc import Iterator
from typing import Any

import msgspec

from companion.core.message import message
from companion.core.rulings import ShinpanError
from companion.core.validation import read_toml

LONGEST = 2000
"""Lines of a file in which a value is looked for; ours have two hundred."""
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_SIGNS = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}


class NotToml(ShinpanError, ValueError):
    """A text that cannot be read as TOML, and where: part of a sentence."""


def parse(text: str) -> dict[str, Any]:
    try:
        return read_toml(text)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"line (\d+)", str(error))
        where = message("look at line {line}", line=int(found[1])) if found else message("look at its end")
        raise NotToml(where) from None


def statements(text: str) -> Iterator[tuple[int, int, dict[str, Any]]]:
    """First line (from 1), last line, and everything that has been said up to there, of each statement in a text that
    can be read. A header such as `[options]` is a statement too."""
    lines = text.splitlines()
    begin: int | None = None
    for number, line in enumerate(lines[:LONGEST], 1):
        if begin is None and (not line.strip() or line.lstrip().startswith("#")):
            continue
        begin = number if begin is None else begin
        try:
            so_far = tomllib.loads("\n".join(lines[:number]))
        except (tomllib.TOMLDecodeError, ValueError):
            continue
        yield begin, number, so_far
        begin = None


def first_line(text: str, path: tuple[str, ...]) -> int | None:
    """The line in which this value, or a group that holds it, is first mentioned."""
    found = _statement(text, path)
    return None if found is None else found[0]


def _statement(text: str, path: tuple[str, ...]) -> tuple[int, int] | None:
    for begin, end, so_far in statements(text):
        value: Any = so_far
        for key in path:
            if not isinstance(value, dict) or key not in value:
                break
            value = value[key]
        else:
            return begin, end
    return None


def changed(text: str, key: str, value: Any) -> str:
    """The text with this value for a setting of the whole file. Where it stood, or where it stands commented out as an
    example, it stands afterwards; comments and everything else stay."""
    lines = text.splitlines()
    written = f"{key} = {as_toml(value)}".splitlines()
    before = parse(text)
    found = _statement(text, (key,)) if key in before else None
    if found is not None:
        begin, end = found
        if lines[begin - 1].lstrip().startswith("["):
            end = _end_of_group(lines, end)  # a group with a header of its own: all of it makes way
        else:
            written[-1] += _remark(lines[end - 1])
        lines[begin - 1 : end] = []
        at = begin - 1 if _before_groups(lines, begin - 1) else _end_of_plain(lines)
    else:
        example = next((n for n, line in enumerate(lines) if re.match(rf"#\s?{re.escape(key)}\s*=", line)), None)
        at = example if example is not None and _before_groups(lines, example) else _end_of_plain(lines)
        if example == at:
            del lines[at]
    lines[at:at] = written
    return "\n".join(lines) + "\n"


def removed(text: str, key: str) -> str:
    """The text without this setting: the default holds again."""
    if key not in parse(text):
        return text
    lines = text.splitlines()
    found = _statement(text, (key,))
    assert found is not None
    begin, end = found
    if lines[begin - 1].lstrip().startswith("["):
        end = _end_of_group(lines, end)
    lines[begin - 1 : end] = [f"# {line}" for line in lines[begin - 1 : end]]
    return "\n".join(lines) + "\n"


def _before_groups(lines: list[str], at: int) -> bool:
    return not any(line.lstrip().startswith("[") for line in lines[:at])


def _end_of_plain(lines: list[str]) -> int:
    """Before the first header of a group: what is behind it would belong to the group."""
    return next((n for n, line in enumerate(lines) if line.lstrip().startswith("[")), len(lines))


def _end_of_group(lines: list[str], begin: int) -> int:
    return next((n for n in range(begin, len(lines)) if lines[n].lstrip().startswith("[")), len(lines))


def _remark(line: str) -> str:
    """The comment behind a value on its line."""
    found = re.search(r"\s+#[^\"']*$", line)
    return found[0] if found else ""


def as_toml(value: Any) -> str:
    """A value as it is written behind `key =`."""
    match value:
        case bool():
            return "true" if value else "false"
        case int() | float():
            return repr(value)
        case str():
            return '"' + "".join(_SIGNS.get(sign) or _printable(sign) for sign in value) + '"'
        case dict():
            pairs = (f"{_key(key)} = {as_toml(each)}" for key, each in value.items())
            return "{ " + ", ".join(pairs) + " }" if value else "{}"
        case list() | tuple():
            return "[" + ", ".join(map(as_toml, value)) + "]"
    raise TypeError(f"no TOML for {value!r}")


def _printable(sign: str) -> str:
    return sign if sign.isprintable() else f"\\U{ord(sign):08X}"


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else as_toml(key)


def read_value(text: str, kind: Any) -> Any:
    """A value that was typed on one line, in the environment or behind `--set`: words need no quotes, several are
    divided by commas."""
    origin = getattr(kind, "__origin__", kind)
    first = (getattr(kind, "__args__", None) or (None,))[0]
    if origin is str or isinstance(first, str):
        return text
    if origin is tuple and not text.lstrip().startswith("["):
        return [part.strip() for part in text.split(",") if part.strip()]
    if origin is dict and text.lstrip().startswith("{"):
        try:
            return msgspec.json.decode(text)
        except msgspec.DecodeError:
            pass  # then it is TOML
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except (tomllib.TOMLDecodeError, ValueError):
        return text  # of the wrong kind, and whoever checks it says which would be right
