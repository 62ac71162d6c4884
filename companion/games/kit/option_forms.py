"""The options of a match as a form: what a page can ask, and the header that its answers make.

Kinds: `switch` (true or false), `choice` (one of its choices), `several` (a list of them), `each` (a list of one for
every seat), `player` (a seat), `number`.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec
from msgspec import inspect

from companion.core.message import Message
from companion.games.kit.game import Game
from companion.games.kit.set_up import Choice, OptionWords, Preset

Kind = Literal["switch", "choice", "several", "each", "player", "number"]


class OptionForm(msgspec.Struct, frozen=True):
    name: str
    kind: Kind
    title: Message
    note: Message
    rule: str
    value: Any
    """What it is where nobody says otherwise."""
    choices: tuple[Choice, ...] = ()
    least: int | None = None
    most: int | None = None
    optional: bool = False
    """A number or a player may be left out: None."""

    def takes(self, answer: Any, players: int) -> bool:
        """Whether the form itself could give this answer. What the rules say of it is another question."""
        values = [each.value for each in self.choices]
        match self.kind:
            case "switch":
                return isinstance(answer, bool)
            case "several":
                return isinstance(answer, list | tuple) and all(each in values for each in answer)
            case "each":
                whole = isinstance(answer, list | tuple) and len(answer) == players
                return whole and all(each is None or each in values for each in answer)
            case "choice":
                return answer in values
        if answer is None:
            return self.optional
        least, most = (1, players) if self.kind == "player" else (self.least, self.most)
        return type(answer) is int and (least is None or answer >= least) and (most is None or answer <= most)


def presets(game: Game, players: int) -> tuple[Preset, ...]:
    return tuple(each for each in game.set_up.presets if _suits(each.players, players))


def option_forms(game: Game, players: int) -> tuple[OptionForm, ...]:
    """Everything that can be asked about a match of so many players, in the order of the words."""
    fields = option_fields(game)
    forms = (_form(fields[name], words, players) for name, words in game.set_up.words.items() if name in fields)
    return tuple(form for form in forms if form is not None)


def option_fields(game: Game) -> dict[str, inspect.Field]:
    info = inspect.type_info(game.set_up.options) if game.set_up.options else None
    return {field.name: field for field in info.fields} if isinstance(info, inspect.StructType) else {}


def answers_for(game: Game, players: int, answers: Mapping[str, Any]) -> dict[str, Any]:
    """What was answered, as far as it is about so many players: somebody may have sat down or stood up since."""
    forms = {form.name: form for form in option_forms(game, players)}
    found = {}
    for name, answer in answers.items():
        form, words = forms.get(name), game.set_up.words.get(name)
        if form is None or words is None:
            if words is None:  # no form asks for it
                found[name] = answer
            continue
        if form.kind == "each" and isinstance(answer, list | tuple):
            answer = [*answer[:players], *[None] * (players - len(answer))]
        elsewhere = form.kind == "choice" and answer in [each.value for each in words.choices]
        gone = form.kind == "player" and type(answer) is int and answer > players
        if gone or (elsewhere and not form.takes(answer, players)):
            continue
        found[name] = answer
    return found


def header_options(game: Game, players: Sequence[str], answers: Mapping[str, Any]) -> dict[str, Any]:
    """The options for the header of a match: seats by their players' names, and nothing that is as usual anyway."""
    forms = {form.name: form for form in option_forms(game, len(players))}
    options = {}
    for name, answer in answers.items():
        form, words = forms.get(name), game.set_up.words.get(name)
        if answer is None or (form and answer == form.value):
            continue
        if form and form.kind == "each" and isinstance(answer, list | tuple) and len(answer) == len(players):
            answer = {who: value for who, value in zip(players, answer, strict=True) if value is not None}
        options[name] = _named(answer, players) if words and words.seats else answer
    return options


def _named(value: Any, players: Sequence[str]) -> Any:
    if isinstance(value, list | tuple):
        return [_named(each, players) for each in value]
    return players[value - 1] if type(value) is int and 1 <= value <= len(players) else value


def _suits(wanted: tuple[int, ...], players: int) -> bool:
    return not wanted or players in wanted


def _form(field: inspect.Field, words: OptionWords, players: int) -> OptionForm | None:
    choices = tuple(each for each in words.choices if _suits(each.players, players))
    if not _suits(words.players, players) or (words.choices and not choices):
        return None
    types = tuple(_types(field.type))
    kind = _kind(types, words)
    value = _usual(field)
    if kind == "each":
        value = [None] * players
    elif kind in ("choice", "player") and value not in [each.value for each in choices]:
        value = choices[0].value if choices else None
    number = next((each for each in types if isinstance(each, inspect.IntType)), None)
    return OptionForm(
        name=field.name,
        kind=kind,
        title=words.title,
        note=words.note,
        rule=words.rule,
        value=value,
        choices=tuple(Choice(each.value, each.title, each.rule) for each in choices),
        least=words.least if words.least is not None or number is None else number.ge,
        most=words.most if words.most is not None or number is None else number.le,
        optional=kind in ("number", "player") and value is None,
    )


def _kind(types: Sequence[inspect.Type], words: OptionWords) -> Kind:
    if any(isinstance(each, inspect.BoolType) for each in types):
        return "switch"
    if not words.choices:
        return "player" if words.seats else "number"
    if any(isinstance(each, inspect.DictType) for each in types):
        return "each"
    listed = any(isinstance(each, inspect.VarTupleType | inspect.ListType) for each in types)
    return "several" if listed and not words.seats else "choice"


def can_be_asked(field: inspect.Field, words: OptionWords) -> bool:
    """Whether these words are enough for an option of that type."""
    types = tuple(_types(field.type))
    return _kind(types, words) != "number" or any(isinstance(each, inspect.IntType) for each in types)


def literal_values(field: inspect.Field) -> set[Any]:
    return {value for each in _types(field.type) if isinstance(each, inspect.LiteralType) for value in each.values}


def _types(found: inspect.Type) -> Iterator[inspect.Type]:
    if isinstance(found, inspect.UnionType):
        for each in found.types:
            yield from _types(each)
    elif isinstance(found, inspect.Metadata):
        yield from _types(found.type)
    else:
        yield found


def _usual(field: inspect.Field) -> Any:
    value = field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()
    plain = None if value is msgspec.NODEFAULT else msgspec.json.decode(msgspec.json.encode(value))
    return {name: each for name, each in plain.items() if each is not None} if isinstance(plain, dict) else plain
