"""A table's configuration: one typed struct, read from `shinpan.toml`, the environment and the command line.

The first of these that says something decides: the command line, the environment (`SHINPAN_PORT=8081`), the file, the
default. Which file that is: the one given with `--config` or `SHINPAN_CONFIG`; else `shinpan.toml` in the data folder
that was given; else `data/shinpan.toml` here; else `/etc/shinpan/shinpan.toml`.
"""

import os
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

import msgspec

from companion.core.message import Message, message
from companion.core.rulings import ShinpanError
from companion.core.validation import wrong_field
from companion.core.wording import LANGUAGES
from companion.upkeep.toml_text import NotToml, first_line, parse, read_value

FILE = "shinpan.toml"
SYSTEM_FILE = Path("/etc/shinpan") / FILE
SYSTEM_DATA = Path("/var/lib/shinpan")
"""Where the installer puts them."""
USUAL_DATA = "data"
PREFIX = "SHINPAN_"
CAMERAS = ("auto", "none", "phone", "picamera2")
CAMERA_KINDS = ("v4l2", "file", "images")
COUNTED = msgspec.Meta(ge=0, le=365)
LOOKS = msgspec.Meta(ge=0.2, le=30.0)


class BadConfig(ShinpanError, ValueError):
    """A configuration that cannot be used, and why."""


class TableConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What can be set for a table; everything has a default. `companion.upkeep.settings` has a sentence about each."""

    data: str = USUAL_DATA
    language: str = ""
    referee_pin: str = ""
    seat_pins: dict[str, str] = {}
    lobby_for: Literal["everyone", "players", "referee"] = "everyone"
    review: bool = False
    camera: str = "auto"
    camera_for: Literal["referee", "everyone", "delayed", "masked"] = "referee"
    idle_frames: Annotated[float, LOOKS] = 2.0
    panels: tuple[str, ...] = ("auto",)
    timer: Literal["none", "gpio", "simulated"] = "none"
    timer_pins: dict[str, Any] = {}
    host: str = "0.0.0.0"
    port: Annotated[int, msgspec.Meta(ge=0, le=65535)] = 8080
    tls: bool = False
    webhooks: tuple[str, ...] = ()
    api_origins: tuple[str, ...] = ()
    backup_every: Literal["never", "day", "week"] = "day"
    backup_keep: Annotated[int, msgspec.Meta(ge=1, le=365)] = 7
    backup_folder: str = ""
    backup_pictures: bool = False
    backup_usb: Literal["ask", "always", "never"] = "ask"
    events_kept: Annotated[int, COUNTED] = 5
    game: str = ""
    players: tuple[str, ...] = ()
    options: dict[str, Any] = {}


FIELDS = {field.name: field for field in msgspec.structs.fields(TableConfig)}
DEFAULTS = TableConfig()


class Fault(msgspec.Struct, frozen=True):
    """One thing that is wrong in a file."""

    line: int | None
    key: str
    reason: Message

    @property
    def told(self) -> Message:
        if self.line is None:
            return self.reason
        return message("line {line}: {reason}", line=self.line, reason=self.reason)


class Origin(msgspec.Struct, frozen=True):
    """Where a value comes from."""

    kind: Literal["command line", "environment", "file", "default"]
    place: str = ""
    """The variable, or the file."""
    line: int | None = None

    @property
    def told(self) -> Message:
        match self.kind:
            case "command line":
                return message("the command line")
            case "environment":
                return message("the environment: {variable}", variable=self.place)
            case "file":
                return message("{file}, line {line}", file=self.place, line=self.line)
            case _:
                return message("the default")


class Configured(msgspec.Struct, frozen=True):
    """A configuration that holds, and where each value of it comes from."""

    table: TableConfig
    origins: dict[str, Origin]
    file: Path | None
    """The file that was read; None: there is none."""

    @property
    def data(self) -> Path:
        return Path(self.table.data)

    def origin(self, key: str) -> Origin:
        return self.origins.get(key, Origin("default"))


def configured(
    given: Mapping[str, Any] | None = None,
    file: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> Configured:
    """What holds, with what was `given` on the command line and the `file` that was named there."""
    given = {key: value for key, value in (given or {}).items() if value is not None}
    environment = os.environ if environment is None else environment
    from_outside = _from_environment(environment)
    path = file_in_use(given.get("data"), file, environment)
    text = "" if path is None else read_file(path)
    found = {} if path is None else checked(text, path)
    origins = {key: Origin("file", str(path), first_line(text, (key,))) for key in found}
    origins |= {key: Origin("environment", _variable(key)) for key in from_outside}
    origins |= {key: Origin("command line") for key in given}
    values = {**found, **from_outside, **given}
    if path is not None and "data" not in from_outside and "data" not in given:
        values["data"] = str(_data_of(path, values.get("data")))
    return Configured(msgspec.structs.replace(DEFAULTS, **values), origins, path)


def file_in_use(data: str | Path | None, file: Path | None, environment: Mapping[str, str]) -> Path | None:
    """The configuration file that is read; one that was named must exist, and reading it says so if it does not."""
    if file is not None:
        return file
    if named := environment.get(PREFIX + "CONFIG"):
        return Path(named)
    folder = data or environment.get(_variable("data"))
    candidates = [Path(folder) / FILE] if folder else [Path(USUAL_DATA) / FILE, SYSTEM_FILE]
    return next((each for each in candidates if each.exists()), None)


def load(path: Path) -> TableConfig:
    """Read a configuration file, which must exist."""
    return msgspec.structs.replace(DEFAULTS, **checked(read_file(path), path))


def read_file(path: Path) -> str:
    try:
        return path.read_bytes().decode()
    except OSError as error:
        raise BadConfig(
            message("The configuration {file} cannot be read: {detail}.", file=str(path), detail=error.strerror)
        ) from None
    except UnicodeDecodeError:
        raise BadConfig(
            message("The configuration {file} is not TOML: {where}.", file=str(path), where=message("it is not text"))
        ) from None


def checked(text: str, path: Path) -> dict[str, Any]:
    """The values in the text of a file; everything that is wrong with it in one sentence that names the file."""
    try:
        values, faults = examined(text)
    except NotToml as error:
        raise BadConfig(
            message("The configuration {file} is not TOML: {where}.", file=str(path), where=error.message)
        ) from None
    if faults:
        told = tuple(fault.told for fault in faults)
        raise BadConfig(message("The configuration {file} cannot be used: {faults}.", file=str(path), faults=told))
    return values


def examined(text: str) -> tuple[dict[str, Any], list[Fault]]:
    """The values that can be used, and what is wrong with the others, by line. Raises NotToml."""
    values: dict[str, Any] = {}
    faults = []
    for key, found in parse(text).items():
        try:
            values[key] = converted(key, found)
        except BadConfig as error:
            faults.append(Fault(first_line(text, (key,)), key, error.message))
    return values, sorted(faults, key=lambda fault: fault.line or 0)


def converted(key: str, value: Any) -> Any:
    """The value of one setting as the table wants it; BadConfig says what is wrong with it, without a full stop."""
    if key not in FIELDS:
        near = get_close_matches(key, FIELDS, 1)
        if near:
            raise BadConfig(message("there is no setting called {key}; {near} is meant?", key=key, near=near[0]))
        raise BadConfig(message("there is no setting called {key}", key=key))
    try:
        done = msgspec.convert({key: value}, TableConfig)
    except msgspec.ValidationError as error:
        raise BadConfig(_choices(key, value) or wrong_field(error)) from None
    found = getattr(done, key)
    reason = _unfit(key, found)
    if reason is not None:
        raise BadConfig(reason)
    return found


def _choices(key: str, value: Any) -> Message | None:
    """Where only some words are possible: which."""
    choices = choices_of(key)
    if not choices or value in choices:
        return None
    return message("{field} cannot be {value}; it can be {choices}", field=key, value=str(value), choices=choices)


def choices_of(key: str) -> tuple[str, ...]:
    """The words that a setting can have; none where it can have others."""
    kind = FIELDS[key].type
    if kind is bool:
        return ()
    return getattr(kind, "__args__", ()) if getattr(kind, "__origin__", None) is Literal else ()


def _unfit(key: str, value: Any) -> Message | None:
    """What is wrong with a value of the right kind."""
    match key:
        case "referee_pin" if value and not _is_pin(value):
            return message("the referee's PIN does not have 6 to 12 digits")
        case "seat_pins":
            for name, pin in value.items():
                if not _is_pin(pin):
                    return message("the PIN of {player} does not have 6 to 12 digits", player=name)
        case "language" if value and value not in LANGUAGES:
            return message("{field} cannot be {value}; it can be {choices}", field=key, value=value, choices=LANGUAGES)
        case "camera":
            kind, _, place = value.partition(":")
            if value not in CAMERAS and not (kind in CAMERA_KINDS and place):
                return message(
                    "{source} is no camera; say auto, none, phone, picamera2, v4l2:DEVICE, file:VIDEO or images:FOLDER",
                    source=repr(value),
                )
        case "webhooks" | "api_origins":
            for each in value:
                if not is_web_address(each) or (key == "api_origins" and urlsplit(each).path):
                    return message("{value} is no address of the web: http:// or https://, and no password", value=each)
        case "data" if not value:
            return message("{field} is empty", field=key)
    return None


def is_web_address(text: str) -> bool:
    """Nothing but a plain one: no files, no passwords."""
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.username is None and parts.port != 0
    except ValueError:
        return False


def _is_pin(text: str) -> bool:
    return text.isascii() and text.isdecimal() and 6 <= len(text) <= 12


def _data_of(path: Path, given: str | None) -> Path:
    """A data folder that is written in a file is seen from that file."""
    if given is None:
        return SYSTEM_DATA if path == SYSTEM_FILE else Path(USUAL_DATA)
    return path.parent / given


def _variable(key: str) -> str:
    return PREFIX + key.upper()


def _from_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    found = {}
    for key in FIELDS:
        text = environment.get(_variable(key))
        if text is None:
            continue
        try:
            found[key] = converted(key, read_value(text, FIELDS[key].type))
        except (BadConfig, NotToml) as error:
            raise BadConfig(
                message(
                    "The environment's {variable} cannot be used: {reason}.",
                    variable=_variable(key),
                    reason=error.message,
                )
            ) from None
    return found
