"""The referee's page for looking after the table (`/upkeep`): the doctor, settings and backups; and the first visit
(`/welcome`)."""

from typing import Any, Literal

import msgspec
from flask import Flask, Response, abort, g, redirect, render_template, request, session
from werkzeug.wrappers import Response as AnyResponse

from companion.core.message import message
from companion.core.rulings import ShinpanError
from companion.core.wording import sentence
from companion.referee.housekeeping import STEPS, Housekeeping, KeptBackup, Stick, WrongSetting
from companion.referee.lobby_view import CheckShown, check_shown
from companion.referee.service import Service
from web import words
from web.answers import Done, EmptyBody, Trouble, answer, as_json, common, decoded, login_page, remembering, script_safe
from web.api import logged_in
from web.bootstrap import Bootstrap
from web.pins import REFEREE, Pins
from web.tries import KnownDevices


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


def add_upkeep(app: Flask, service: Service, pins: Pins, devices: KnownDevices) -> None:
    def house() -> Housekeeping:
        """For the referee alone."""
        if REFEREE not in pins.held(session):
            abort(answer(403, message("Only the referee can do that here: log in with the PIN first.")))
        if service.house is None:
            abort(answer(409, message("This table is simulated: there is nothing to look after.")))
        return service.house

    def settings_shown(of: Housekeeping) -> tuple[SettingsShown, ...]:
        return tuple(
            SettingsShown(
                sentence(group.title, g.language),
                tuple(
                    SettingShown(
                        each.name,
                        sentence(each.about, g.language),
                        each.kind,
                        each.value,
                        each.choices,
                        sentence(each.origin, g.language),
                        each.fixed,
                        each.live,
                    )
                    for each in group.settings
                ),
            )
            for group in of.settings()
        )

    @app.get("/upkeep")
    def upkeep() -> AnyResponse:
        if REFEREE not in pins.held(session):
            return login_page(REFEREE)
        of = house()
        data = UpkeepBootstrap(
            language=g.language,
            words=words.for_scripts(g.language),
            settings=settings_shown(of),
            file=of.file(),
            backups=of.backups(),
            stick=of.stick(),
        )
        return remembering(Response(render_template("upkeep.html", data=script_safe(data), **common())))

    @app.get("/api/doctor")
    def doctor() -> Response:
        return as_json(DoctorShown(tuple(check_shown(each, g.language) for each in house().checks())))

    @app.post("/api/doctor/fix")
    def fix() -> Response:
        decoded(EmptyBody)
        of = house()
        told = tuple(sentence(each, g.language) for each in of.mend())
        return as_json(DoctorShown(tuple(check_shown(each, g.language) for each in of.checks()), told))

    @app.post("/api/settings")
    def change() -> Response:
        of, body = house(), decoded(SettingsBody)
        try:
            told = of.change(body.values)
        except WrongSetting as wrong:
            return as_json(Trouble(sentence(wrong.message, g.language), field=wrong.field), 409)
        except ShinpanError as error:
            return answer(503, error.message)
        return as_json(SettingsAnswer(settings_shown(of), tuple(sentence(each, g.language) for each in told)))

    @app.post("/api/backup")
    def back_up() -> Response:
        decoded(EmptyBody)
        of = house()
        try:
            text = sentence(of.back_up(), g.language)
        except ShinpanError as error:
            return answer(503, error.message)
        return as_json(BackupAnswer(text, of.backups(), of.stick()))

    @app.post("/api/backup/stick")
    def stick() -> Response:
        of, body = house(), decoded(StickBody)
        try:
            text = sentence(of.answer_stick(body.answer), g.language)
        except ShinpanError as error:
            return answer(503, error.message)
        return as_json(BackupAnswer(text, of.backups(), of.stick()))

    # --- the first visit ------------------------------------------------------------------------------------------

    @app.get("/welcome")
    def welcome() -> AnyResponse:
        """Until somebody has chosen the referee's PIN it is whoever comes first; then it is the referee."""
        if service.house is None:
            return redirect("/")
        awaited = service.house.awaited()
        referee = REFEREE in pins.held(session)
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

    @app.post("/api/welcome/claim")
    def claim() -> Response:
        body = decoded(ClaimBody)
        try:
            taken = service.house is not None and service.house.claim(body.pin)
        except ShinpanError as error:
            return as_json(Trouble(sentence(message("{reason}.", reason=error.message), g.language), field="pin"), 409)
        if not taken:
            return answer(409, message("This table has its referee: log in with the PIN."))
        return logged_in(pins, devices, REFEREE)

    @app.post("/api/welcome/done")
    def done() -> Response:
        body = decoded(StepBody)
        try:
            house().done(body.step)
        except ShinpanError as error:
            return answer(409, error.message)
        return as_json(Done())


def first_visit(service: Service) -> AnyResponse | None:
    """Where the lobby leads as long as nobody has set the table up."""
    if service.house is None or request.args.get("later") is not None:
        return None
    return redirect("/welcome") if service.house.awaited() and "pin" in service.house.awaited() else None
