"""What people want matches and players to be called. It stands beside the kifus and never in them: they are signed.

`history.json` in the data folder, written whole or not at all. Whoever wants to be anonymous gets a number, and is
shown as that everywhere but in the files themselves.
"""

import logging
from pathlib import Path

import msgspec
from msgspec.structs import replace

from companion.core.files import PRIVATE, set_aside, write_whole
from companion.core.message import Message, Thing, message
from companion.core.rulings import Mistake
from companion.core.validation import read_json
from companion.history.names_in_text import without_names

log = logging.getLogger("shinpan")

FILE = "history.json"
LONGEST = 120
"""Characters of a title or a name."""
NOBODY = "N. N."
"""How somebody without a name is called in every language that we speak."""


class HistoryWishes(msgspec.Struct, frozen=True, omit_defaults=True):
    titles: dict[str, str] = {}
    """Match -> what people call it."""
    merged: dict[str, str] = {}
    """Name in a kifu -> the name of the same person that counts."""
    anonymous: dict[str, int] = {}
    """Name that counts -> the number that is shown instead."""

    @property
    def shown(self) -> dict[str, str]:
        """Name in a kifu -> name that is shown, for everybody who is not shown by the own one."""
        people = {name: self.called(name) for name in {*self.merged, *self.anonymous}}
        return {name: shown for name, shown in people.items() if shown != name}

    @property
    def hidden(self) -> dict[str, str]:
        """The same for those alone who want to be anonymous."""
        numbers = {name: self.merged.get(name, name) for name in {*self.merged, *self.anonymous}}
        return {name: self.called(name) for name, counts in numbers.items() if counts in self.anonymous}

    @property
    def titles_shown(self) -> dict[str, str]:
        """The titles, without the names of those who want to be anonymous."""
        hidden = self.hidden
        return {match: without_names(title, hidden) for match, title in self.titles.items()}

    def called(self, name: str) -> str:
        counts = self.merged.get(name, name)
        return f"{NOBODY} {self.anonymous[counts]}" if counts in self.anonymous else counts


def entitled(wishes: HistoryWishes, match: str, title: str) -> HistoryWishes:
    """The match has this title from now on; an empty one: none."""
    others = {name: called for name, called in wishes.titles.items() if name != match}
    title = _checked(title)
    return replace(wishes, titles={**others, match: title} if title else others)


def merged(wishes: HistoryWishes, name: str, into: str) -> HistoryWishes:
    """Both names are one person's, and the second one counts. An empty one: they are two people after all."""
    name, into = _checked(name), _checked(into)
    others = {each: counts for each, counts in wishes.merged.items() if each != name}
    if not into or name == into:
        return replace(wishes, merged=others)
    into = others.get(into, into)
    if into == name:
        raise Mistake(message("{name} is merged into {other} already.", name=_who(into), other=_who(name)))
    if name.startswith(NOBODY) or into.startswith(NOBODY):
        raise Mistake(message("Give the names back first: {name} is nobody's name.", name=NOBODY))
    others = {each: into if counts == name else counts for each, counts in others.items()}
    return replace(wishes, merged={**others, name: into})


def made_anonymous(wishes: HistoryWishes, name: str, wish: bool) -> HistoryWishes:
    """The person is shown by a number from now on, or by the own name again."""
    asked = _checked(name)
    counts = wishes.merged.get(asked, asked)
    others = {each: number for each, number in wishes.anonymous.items() if each != counts}
    if not wish:
        by_number = {f"{NOBODY} {number}": each for each, number in wishes.anonymous.items()}
        back = by_number.get(asked, counts)
        return replace(wishes, anonymous={each: n for each, n in wishes.anonymous.items() if each != back})
    if counts in wishes.anonymous:
        return wishes
    free = next(number for number in range(1, len(others) + 2) if number not in others.values())
    return replace(wishes, anonymous={**others, counts: free})


def without(wishes: HistoryWishes, match: str) -> HistoryWishes:
    """The match is gone."""
    return replace(wishes, titles={name: title for name, title in wishes.titles.items() if name != match})


def load(data: Path) -> tuple[HistoryWishes, Message | None]:
    """What people want, and a notice where the file was damaged."""
    path = data / FILE
    try:
        return read_json(path.read_bytes(), HistoryWishes), None
    except FileNotFoundError:
        return HistoryWishes(), None
    except (OSError, msgspec.DecodeError):
        return HistoryWishes(), set_aside(path, message("{file} is damaged.", file=path.name))


def keep(data: Path, wishes: HistoryWishes) -> None:
    write_whole(data / FILE, msgspec.json.format(msgspec.json.encode(wishes)) + b"\n", rights=PRIVATE)


def _checked(text: str) -> str:
    text = " ".join(text.split())
    if len(text) > LONGEST:
        raise Mistake(message("That is too long: {count} characters are enough.", count=LONGEST))
    return text


def _who(name: str) -> Thing:
    return Thing("player", name)
