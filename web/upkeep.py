"""The referee's page for looking after the table (`/upkeep`): the doctor, settings and backups; and the first visit
(`/welcome`)."""

from collections.abc import Callable
from typing import Any, Literal

import msgspec
from flask import Flask, Response, abort, g, redirect, render_template, request, session
from werkzeug.wrappers import Response as AnyResponse

from companion.core.message import Message, message
from companion.core.rulings import ShinpanError
from companion.core.wording import sentence
from companion.referee.housekeeping import STEPS, Housekeeping, HouseSetting, KeptBackup, Stick, WrongSetting
from companion.referee.lobby_view import CheckShown, check_shown
from companion.referee.service import Service
from web import words
from web.answers import (
    Done,
    EmptyBody,
    Trouble,
    answer,
    as_json,
    common,
    decoded,
    for_the_referee,
    login_page,
    remembering,
    script_safe,
)
from web.bootstrap import Bootstrap
from web.login import logged_in
from web.pins import REFEREE, Pins
from web.tries import LOOPBACK, KnownDevices


class SettingShown(msgspec.Struct, frozen=True):
    name: str
    about: str
    kind: Literal["text", "number", "switch", "choice", "list", "secret"]
    value: Any
    choices: tuple[str, ...]
    origin: str
    fixed: bool
    live: bool


class SettingsShown(msgspec.Struct, frozen=True):
    title: str
    settings: tuple[SettingShown, ...]


class UpkeepBootstrap(Bootstrap, frozen=True, kw_only=True):
    settings: tuple[SettingsShown, ...]
    file: str
    backups: tuple[KeptBackup, ...]
    stick: Stick | None


class WelcomeBootstrap(Bootstrap, frozen=True, kw_only=True):
    steps: tuple[str, ...]
    awaited: tuple[str, ...]
    referee: bool


class DoctorShown(msgspec.Struct, frozen=True):
    checks: tuple[CheckShown, ...]
    told: tuple[str, ...] = ()


class SettingsBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    values: dict[str, Any]


class SettingsAnswer(msgspec.Struct, frozen=True):
    settings: tuple[SettingsShown, ...]
    told: tuple[str, ...]


class BackupAnswer(msgspec.Struct, frozen=True):
    text: str
    backups: tuple[KeptBackup, ...]
    stick: Stick | None


class StickBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    answer: Literal["always", "never", "now"]


class StepBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    step: str


class ClaimBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pin: str


class UpkeepRoutes:
    """The referee's page for looking after the table, and the first visit. Each method answers one route."""

    def __init__(self, service: Service, pins: Pins, devices: KnownDevices) -> None:
        self._service, self._pins, self._devices = service, pins, devices

    def upkeep(self) -> AnyResponse:
        if REFEREE not in self._pins.held(session):
            return login_page(REFEREE)
        house = self._house()
        data = UpkeepBootstrap(
            language=g.language,
            words=words.for_scripts(g.language),
            settings=_settings_shown(house),
            file=house.file(),
            backups=house.backups(),
            stick=house.stick(),
        )
        return remembering(Response(render_template("upkeep.html", data=script_safe(data), **common())))

    def doctor(self) -> Response:
        return as_json(_doctor_shown(self._house()))

    def fix(self) -> Response:
        decoded(EmptyBody)
        house = self._house()
        told = tuple(sentence(each, g.language) for each in house.mend())
        return as_json(_doctor_shown(house, told))

    def change(self) -> Response:
        house, body = self._house(), decoded(SettingsBody)
        try:
            told = house.change(body.values)
        except WrongSetting as wrong:
            return as_json(Trouble(sentence(wrong.message, g.language), field=wrong.field), 409)
        except ShinpanError as error:
            return answer(503, error.message)
        return as_json(SettingsAnswer(_settings_shown(house), tuple(sentence(each, g.language) for each in told)))

    def back_up(self) -> Response:
        decoded(EmptyBody)
        house = self._house()
        return _backed_up(house, house.back_up)

    def stick(self) -> Response:
        house, body = self._house(), decoded(StickBody)
        return _backed_up(house, lambda: house.answer_stick(body.answer))

    # --- the first visit ------------------------------------------------------------------------------------------

    def welcome(self) -> AnyResponse:
        """Until somebody has chosen the referee's PIN it is whoever comes first; then it is the referee."""
        if self._service.house is None:
            return redirect("/")
        awaited = self._service.house.awaited()
        referee = REFEREE in self._pins.held(session)
        if not referee and "pin" not in awaited:
            return login_page(REFEREE)
        data = WelcomeBootstrap(
            language=g.language,
            words=words.for_scripts(g.language),
            steps=STEPS,
            awaited=awaited,
            referee=referee,
        )
        return remembering(Response(render_template("welcome.html", data=script_safe(data), **common())))

    def claim(self) -> Response:
        body, house = decoded(ClaimBody), self._service.house
        try:
            taken = house is not None and house.claim(body.pin, here=request.remote_addr in LOOPBACK)
        except ShinpanError as error:
            return as_json(Trouble(sentence(message("{reason}.", reason=error.message), g.language), field="pin"), 409)
        if not taken:
            return answer(409, message("This table has its referee: log in with the PIN."))
        return logged_in(self._pins, self._devices, REFEREE)

    def done(self) -> Response:
        body = decoded(StepBody)
        try:
            self._house().done(body.step)
        except ShinpanError as error:
            return answer(409, error.message)
        return as_json(Done())

    def _house(self) -> Housekeeping:
        """For the referee alone."""
        if REFEREE not in self._pins.held(session):
            abort(for_the_referee())
        if self._service.house is None:
            abort(answer(409, message("This table is simulated: there is nothing to look after.")))
        return self._service.house


def add_upkeep(app: Flask, service: Service, pins: Pins, devices: KnownDevices) -> None:
    routes = UpkeepRoutes(service, pins, devices)
    app.get("/upkeep")(routes.upkeep)
    app.get("/api/doctor")(routes.doctor)
    app.post("/api/doctor/fix")(routes.fix)
    app.post("/api/settings")(routes.change)
    app.post("/api/backup")(routes.back_up)
    app.post("/api/backup/stick")(routes.stick)
    app.get("/welcome")(routes.welcome)
    app.post("/api/welcome/claim")(routes.claim)
    app.post("/api/welcome/done")(routes.done)


def _doctor_shown(house: Housekeeping, told: tuple[str, ...] = ()) -> DoctorShown:
    return DoctorShown(tuple(check_shown(each, g.language) for each in house.checks()), told)


def _settings_shown(house: Housekeeping) -> tuple[SettingsShown, ...]:
    return tuple(
        SettingsShown(sentence(group.title, g.language), tuple(_setting_shown(each) for each in group.settings))
        for group in house.settings()
    )


def _setting_shown(setting: HouseSetting) -> SettingShown:
    return SettingShown(
        setting.name,
        sentence(setting.about, g.language),
        setting.kind,
        setting.value,
        setting.choices,
        sentence(setting.origin, g.language),
        setting.fixed,
        setting.live,
    )


def _backed_up(house: Housekeeping, step: Callable[[], Message]) -> Response:
    try:
        text = sentence(step(), g.language)
    except ShinpanError as error:
        return answer(503, error.message)
    return as_json(BackupAnswer(text, house.backups(), house.stick()))


def first_visit(service: Service) -> AnyResponse | None:
    """Where the lobby leads as long as nobody has set the table up."""
    if service.house is None or request.args.get("later") is not None:
        return None
    return redirect("/welcome") if service.house.awaited() and "pin" in service.house.awaited() else None
