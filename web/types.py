"""The types of the scripts, written from the structs that are sent and received: `python -m web.types`.

Writes `web/types.d.ts`, which TypeScript's checker reads when it checks the scripts (`make lint`). Browsers never see
it. What all games share is global; what a game has of its own is in a namespace: `SenSo.Page`, `SenSo.Move`.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from types import NoneType
from typing import Any, get_type_hints

import msgspec
from msgspec import inspect

from companion.core.drawing import Text
from companion.core.message import Message
from companion.core.rulings import Ruling
from companion.games import game, names, package
from companion.games.kit.game import Game
from companion.games.kit.topics import Topic
from companion.history.frames import FramesShown
from companion.referee.offers import Offer
from companion.referee.table_view import TablePage, Told, Undoing
from web import (
    answers,
    api,
    bootstrap,
    camera_setup,
    cards,
    disputes,
    history,
    lobby,
    login,
    people,
    phone_camera,
    review,
    rules,
    upkeep,
)
from web.venue import app as venue_app
from web.venue import desk as venue_desk

FILE = Path(__file__).with_suffix(".d.ts")
HEAD = """// Written by `python -m web.types` from the structs of the service; do not change by hand.
"""


PARAMETERS = tuple(msgspec.defstruct(name, []) for name in ("View", "Move", "Happening", "Advice"))
"""These stand for what every game has of its own, where the types of all games are written."""
_, MOVE, _, ADVICE = PARAMETERS
GENERIC: dict[type, tuple[type, ...]] = {
    TablePage: PARAMETERS,
    bootstrap.LiveBootstrap: PARAMETERS,
    Offer: (MOVE,),
    api.AdviceAnswer: (ADVICE,),
}
RENAMED: dict[type, str] = {Text: "TextShape"}
"""Structs whose names mean something else in a browser."""
SHARED: tuple[type, ...] = (
    bootstrap.Bootstrap,
    camera_setup.SetupBootstrap,
    cards.CardsBootstrap,
    lobby.LobbyBootstrap,
    rules.RulesBootstrap,
    lobby.SitBody,
    lobby.ArrangeBody,
    lobby.NextBody,
    lobby.RenewBody,
    lobby.CodesAnswer,
    lobby.ChecksAnswer,
    answers.Done,
    answers.Trouble,
    api.TapBody,
    api.UndoBody,
    api.CorrectBody,
    api.TimeBody,
    api.AwardBody,
    api.RuleBody,
    api.EndBody,
    api.RenameBody,
    api.MendBody,
    api.AnswerBody,
    api.ConcedeBody,
    Undoing,
    login.LoginBody,
    login.LogoutBody,
    rules.RuleShown,
    api.DeckShown,
    Topic,
    cards.ValuesBody,
    cards.SavedAnswer,
    camera_setup.MeasureBody,
    camera_setup.TakeBody,
    camera_setup.DropBody,
    camera_setup.AnewBody,
    camera_setup.RememberBody,
    camera_setup.Blind,
    camera_setup.AimShown,
    camera_setup.SpotShown,
    camera_setup.KnownShown,
    camera_setup.ReadingsAnswer,
    camera_setup.RememberAnswer,
    phone_camera.CameraBootstrap,
    phone_camera.BeginBody,
    phone_camera.LeaveBody,
    phone_camera.PhoneShown,
    disputes.Dispute,
    history.HistoryBootstrap,
    history.TitleBody,
    history.ImportBody,
    history.ImportAnswer,
    history.GoingAnswer,
    people.PeopleBootstrap,
    people.PersonAnswer,
    people.WishBody,
    review.ReviewBootstrap,
    review.MomentsAnswer,
    FramesShown,
    upkeep.UpkeepBootstrap,
    upkeep.WelcomeBootstrap,
    upkeep.DoctorShown,
    upkeep.SettingsBody,
    upkeep.SettingsAnswer,
    upkeep.BackupAnswer,
    upkeep.StickBody,
    upkeep.StepBody,
    upkeep.ClaimBody,
    Told,
    venue_app.VenueBootstrap,
    venue_desk.BeginTournamentBody,
    venue_desk.CodeAnswer,
)


class Namespace:
    """The declarations of one namespace, in the order in which they are first needed."""

    def __init__(self, outer: "Namespace | None" = None) -> None:
        self._outer = outer
        self._named: dict[Any, str] = {}
        self._taken: set[str] = {"Page", "View", "Move", "Happening", "Advice"} if outer else set()
        self.declared: dict[str, str] = {}

    def alias(self, name: str, of: str) -> None:
        self.declared[name] = f"type {name} = {of};"

    def struct(self, cls: Any) -> str:
        """What a struct is called here; it is declared when it is first asked for."""
        origin = getattr(cls, "__origin__", cls)
        if origin in PARAMETERS:
            return str(origin.__name__)
        if issubclass(origin, Message):
            return "string"
        if issubclass(origin, Ruling):
            return "Told"
        if Any in getattr(cls, "__args__", ()):  # of any game
            return (
                "AnyPage"
                if origin is TablePage
                else f"{self.struct(origin[PARAMETERS[2]])[: -len('<Happening>')]}<any>"
            )
        if self._outer is not None and cls in self._outer._named:
            return self._outer._named[cls]
        if cls not in self._named:
            self._declare(cls, origin)
        return self._named[cls]

    def _declare(self, cls: Any, origin: type) -> None:
        name = RENAMED.get(origin, origin.__name__)
        while name in self._taken:
            name += "_"
        self._taken.add(name)
        given = [each.__name__ for each in GENERIC.get(origin, getattr(cls, "__args__", ()))]
        self._named[cls] = name + (f"<{', '.join(given)}>" if given else "")
        self.declared[name] = ""  # holds its place: what it is made of comes behind it
        info = inspect.type_info(cls)
        assert isinstance(info, inspect.StructType)
        lines = [f"interface {self._named[cls]} {{"]
        if info.tag_field:
            lines.append(f'  {info.tag_field}: "{info.tag}";')
        # What we send is there unless it is left out for having its usual value; what we are sent may leave that out.
        spare = name.endswith("Body") or origin.__struct_config__.omit_defaults  # type: ignore[attr-defined]
        for field in info.fields:
            unset = field.default is msgspec.NODEFAULT and field.default_factory is msgspec.NODEFAULT
            optional = "?" if not field.required and (unset or spare) else ""
            lines.append(f"  {field.encode_name}{optional}: {self.type(field.type)};")
        told_by = (origin.__doc__ or "").partition("\n")[0] if not (origin.__doc__ or "").startswith("Struct") else ""
        comment = [f"/** {told_by} */"] if told_by else []
        self.declared[name] = "\n".join([*comment, *lines, "}"])

    def type(self, info: inspect.Type) -> str:
        match info:
            case inspect.UnionType(types=types):
                parts = list(dict.fromkeys(self.type(each) for each in types))
                return " | ".join(sorted(parts, key=lambda part: part == "null"))
            case inspect.StructType(cls=cls):
                return self.struct(cls)
            case inspect.DictType(value_type=value):
                return f"Record<string, {self.type(value)}>"
            case inspect.TupleType(item_types=items):
                return f"[{', '.join(self.type(each) for each in items)}]"
            case inspect.ListType(item_type=item) | inspect.VarTupleType(item_type=item):
                told = self.type(item)
                return f"({told})[]" if " | " in told else f"{told}[]"
            case inspect.LiteralType(values=values):
                return " | ".join(msgspec.json.encode(value).decode() for value in values)
            case inspect.EnumType(cls=cls):
                return " | ".join(msgspec.json.encode(value.value).decode() for value in cls)
            case _:
                return _PLAIN[type(info)]


_PLAIN: dict[type, str] = {
    inspect.IntType: "number",
    inspect.FloatType: "number",
    inspect.StrType: "string",
    inspect.BoolType: "boolean",
    inspect.NoneType: "null",
    inspect.AnyType: "any",
}


def declarations() -> str:
    """The whole file."""
    shared = Namespace()
    for cls in SHARED:
        shared.struct(cls)
    for cls, parameters in GENERIC.items():
        shared.struct(cls[parameters])  # type: ignore[index]
    parts = [HEAD, "\n\n".join(shared.declared.values())]
    parts += [_namespace(game(name), shared) for name in sorted(names()) if package(name).startswith("companion.")]
    return "\n".join(parts) + "\n"


def _namespace(known: Game, shared: Namespace) -> str:
    """What a game has of its own."""
    scope = Namespace(shared)
    own = {
        "View": scope.type(inspect.type_info(_returned(known.rules.view))),
        "Move": scope.type(inspect.type_info(known.rules.moves)),
        "Happening": _union(scope, known.rules.happenings),
        "Advice": _union(scope, _returned(known.table.advice)),
    }
    for name, told in own.items():
        scope.alias(name, told)
    scope.alias("Page", f"TablePage<{', '.join(own)}>")
    body = "\n\n".join(scope.declared.values())
    title = "".join(word.capitalize() for word in known.name.split("_"))
    return f"\ndeclare namespace {title} {{\n{_indented(body.splitlines())}\n}}"


def _returned(function: Callable[..., Any]) -> Any:
    return get_type_hints(function).get("return")


def _union(scope: Namespace, kinds: Any) -> str:
    """`null` is left out: the page says itself where there may be nothing."""
    if kinds is None or kinds is NoneType:
        return "never"
    return scope.type(inspect.type_info(kinds)).removesuffix(" | null")


def _indented(lines: Iterable[str]) -> str:
    return "\n".join(f"  {line}" if line else line for line in lines)


if __name__ == "__main__":
    FILE.write_text(declarations())
