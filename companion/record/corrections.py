"""Corrections by the owner of the real cards: one file for each game, `cards/<game>.toml` in the data folder.

    [weapon_3]
    strength = 7
    letter = "C"

What the file leaves out keeps Shinpan's own value. The file counts for the next match, whose header then tells the
values, so that its kifu replays the same way wherever it goes.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from companion.core.files import set_aside, write_whole
from companion.core.message import Message, message
from companion.core.rulings import Mistake, Refused, ShinpanError
from companion.core.validation import read_toml
from companion.games.kit.game import Game, Printed, PrintedRow, PrintedValues

Corrections = dict[str, dict[str, Any]]


class WrongValue(Mistake):
    """A correction that no card could have, and why. `row` and `field` say where;
    both are empty if it concerns the whole file."""

    def __init__(self, row: str, field: str, reason: Message) -> None:
        self.row, self.field = row, field
        super().__init__(reason)


class BadCards(Mistake):
    """A file of corrections that cannot be used: file, line and reason."""


def path_of(data: Path, game: Game) -> Path:
    return data / "cards" / f"{game.name}.toml"


def load(data: Path, game: Game) -> Corrections:
    """The owner's corrections; none where there is no file."""
    path = path_of(data, game)
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise _unreadable(path, error) from None
    try:
        found = read_toml(text)
    except tomllib.TOMLDecodeError as error:
        told = message("The cards in {file} are not TOML: {detail}.", file=str(path), detail=str(error))
        raise BadCards(told) from None
    try:
        return checked(game, found)
    except WrongValue as wrong:
        line = _line(text, wrong.row, wrong.field)
        if line is None:
            raise BadCards(message("{file}: {error}", file=str(path), error=wrong.message)) from None
        told = message("{file}, line {line}: {error}", file=str(path), line=line, error=wrong.message)
        raise BadCards(told) from None


def _unreadable(path: Path, error: OSError | UnicodeDecodeError) -> BadCards:
    detail = getattr(error, "strerror", None) or str(error)
    return BadCards(message("The cards in {file} cannot be read: {detail}.", file=str(path), detail=detail))


def checked(game: Game, given: Mapping[str, Any]) -> Corrections:
    """Only what differs from our own values; raises WrongValue for what no card could have."""
    rows = {row.key: row for row in game.printed.rows()}
    kept: Corrections = {}
    for key, fields in given.items():
        if key not in rows:
            raise WrongValue(key, "", message("There is no row called {row}.", row=key))
        if not isinstance(fields, Mapping):
            raise WrongValue(key, "", message("{row} takes values by name, one on each line below [{row}].", row=key))
        known = {printed.field: printed for printed in rows[key].values}
        for name, value in fields.items():
            if name not in known:
                reason = message("{row} has no {field}; it has {names}.", row=key, field=name, names=tuple(known))
                raise WrongValue(key, name, reason)
            fitting = _fitting(rows[key], known[name], value)
            if fitting != known[name].value:
                kept.setdefault(key, {})[name] = fitting
    _check_matches(game, kept)
    return kept


def _fitting(row: PrintedRow, printed: Printed, value: Any) -> Any:
    own, facts = printed.value, {"row": row.key, "field": printed.field, "value": repr(value)}
    within = {"least": printed.least, "most": printed.most}

    def number(given: Any) -> bool:
        return isinstance(given, int) and not isinstance(given, bool) and printed.least <= given <= printed.most

    def wrong(reason: Message) -> WrongValue:
        return WrongValue(row.key, printed.field, reason)

    if isinstance(own, bool):
        if not isinstance(value, bool):
            raise wrong(message("{field} of {row} is true or false, not {value}.", **facts))
    elif isinstance(own, int):
        if not number(value):
            told = message("{field} of {row} is a whole number from {least} to {most}, not {value}.", **facts, **within)
            raise wrong(told)
    elif isinstance(own, tuple):
        if not isinstance(value, list | tuple) or len(value) != len(own) or not all(map(number, value)):
            told = message(
                "{field} of {row} is a list of {length} whole numbers from {least} to {most}, not {value}.",
                **facts,
                **within,
                length=len(own),
            )
            raise wrong(told)
        return tuple(value)
    elif printed.among:
        if value not in printed.among:
            raise wrong(message("{field} of {row} is one of {words}, not {value}.", **facts, words=printed.among))
    elif not (isinstance(value, str) and len(value) == 1 and value.isalpha()):
        raise wrong(message("{field} of {row} is a single letter, not {value}.", **facts))
    else:
        return value.upper()
    return value


def _check_matches(game: Game, kept: Corrections) -> None:
    """Corrections may not make a match impossible: set one up for each number of players."""
    if not kept:
        return
    printed = merged(game, kept)
    for number in game.seats:
        try:
            game.rules.setup([f"P{seat}" for seat in range(number)], game.printed.corrected(printed, number, {}))
        except Refused as refusal:
            raise WrongValue("", "", refusal.message) from None


def merged(game: Game, kept: PrintedValues) -> PrintedValues:
    """Everything that is printed, corrections included."""
    return {
        row.key: {each.field: kept.get(row.key, {}).get(each.field, each.value) for each in row.values}
        for row in game.printed.rows()
    }


def applied(data: Path, game: Game, players: int, options: Mapping[str, Any]) -> Mapping[str, Any]:
    """The options of the next match, corrected cards included."""
    kept = load(data, game)
    return _with_script(data, game, game.printed.corrected(merged(game, kept), players, options) if kept else options)


def set_damaged_aside(data: Path, game: Game) -> list[Message]:
    """Give files of corrections that no person can have written another name, so that a match can be begun without
    them; what is to be said about it. A slip of the pen is another matter: it is named, with its line, by `load`."""
    return [
        set_aside(path, message("{file} is damaged: it is not text.", file=path.name))
        for path in (path_of(data, game), script_of(data, game))
        if path.is_file() and not _is_text(path)
    ]


def _is_text(path: Path) -> bool:
    try:
        text = path.read_text("utf-8")
    except UnicodeDecodeError:
        return False
    except OSError:
        return True  # `load` says why it cannot be read
    return not re.search(r"[\x00-\x08\x0e-\x1f]", text)


def script_of(data: Path, game: Game) -> Path:
    """Where an owner writes whole cards, for a game with a card language."""
    return data / "cards" / f"{game.name}.txt"


def _with_script(data: Path, game: Game, options: Mapping[str, Any]) -> Mapping[str, Any]:
    path = script_of(data, game)
    if game.printed.scripted is None or not path.exists():
        return options
    try:
        return game.printed.scripted(path.read_text("utf-8"), options)
    except (OSError, UnicodeDecodeError) as error:
        raise _unreadable(path, error) from None
    except ShinpanError as error:
        raise BadCards(message("{file}: {error}", file=str(path), error=error.message)) from None


def save(data: Path, game: Game, given: Mapping[str, Any]) -> Corrections:
    """Check corrections and put them in place of the old ones, all or nothing."""
    kept = checked(game, given)
    path = path_of(data, game)
    write_whole(path, ("\n".join(_lines(game, kept)) + "\n").encode())
    return kept


def _lines(game: Game, kept: Corrections) -> Iterator[str]:
    yield f"# {game.title}: what is printed on our cards, where it differs from Shinpan's own values."
    for row in game.printed.rows():
        if row.key not in kept:
            continue
        yield f"\n[{row.key}]"
        for printed in row.values:
            if printed.field in kept[row.key]:
                own = f"# Shinpan's own: {toml(printed.value)} ({printed.origin})"
                yield f"{printed.field} = {toml(kept[row.key][printed.field])}  {own}"


def toml(value: Any) -> str:
    """A value as the file has it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return f"[{', '.join(map(str, value))}]"
    return str(value) if isinstance(value, int) else f'"{value}"'


def _line(text: str, row: str, field: str) -> int | None:
    """Where in the file a row, or a field of it, stands."""
    head = re.compile(rf"""\s*\[\s*["']?{re.escape(row)}["']?\s*\]""")
    entry = re.compile(rf"""\s*["']?{re.escape(field or row)}["']?\s*=""")
    found, inside = None, False
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("["):
            inside = bool(row) and bool(head.match(line))
            found = number if inside else found
            if inside and not field:
                return number
        elif entry.match(line) and (inside or not field):
            return number
    return found
