"""`shinpan doctor`: what is wrong with a table, and what mends it."""

import os
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import click
import msgspec

from companion.cli.config import file_option, folder_option
from companion.cli.language import language_option
from companion.core.message import Message, message, plural
from companion.core.wording import sentence
from companion.referee.lobby_view import Check, CheckShown, check_shown
from companion.upkeep.asking import ask, service_facts
from companion.upkeep.bundle import write_bundle
from companion.upkeep.config import Configured
from companion.upkeep.facts import ConfigFacts
from companion.upkeep.machine import MachineProbe, configuration
from companion.upkeep.mending import mend

MARKS = {"ok": ("✓", "green"), "trouble": ("✗", "red"), "off": ("–", None)}


@click.command()
@click.option("--fix", is_flag=True, help="Mend what can be mended without asking, and look again.")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
@click.option(
    "--bundle", is_flag=True, help="Write a report to attach to a description of a fault: no PIN, no picture."
)
@click.option("-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="With --bundle: the file.")
@file_option
@folder_option
@language_option()
def doctor(
    fix: bool, as_json: bool, bundle: bool, output: Path | None, file: Path | None, data: Path | None, language: str
) -> None:
    """Say what is wrong with this table, and the command that mends it.

    One line each. A table that runs is asked; otherwise camera and panels are opened for some seconds.
    Exit 1 if something is wrong.
    """
    given = {"data": None if data is None else str(data)}
    machine = MachineProbe(user=os.environ.get("SUDO_USER", "") if os.geteuid() == 0 else "")

    def say(told: Message) -> None:
        if not as_json and sys.stderr.isatty():
            click.echo(sentence(told, language), err=True)

    holds, found = configuration(given, file)
    checks = _look(holds, found, machine, language, say)
    if fix:
        found_wrong = tuple(
            Check(each.name, each.state, message("{text}", text=each.text), each.link, each.command, each.fix)
            for each in checks
        )
        for done in mend(found_wrong, holds, found.file):
            click.echo(sentence(done, language), err=as_json)
        holds, found = configuration(given, file)
        checks = _look(holds, found, machine, language, say)
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(checks)))
    else:
        _print(checks, language)
    if bundle:
        path = output or Path(f"shinpan-report-{datetime.now():%Y-%m-%d-%H%M%S}.tar.gz")
        write_bundle(path, checks, holds, machine)
        told = message("The report is {file}: look into it, and attach it to what you write.", file=str(path))
        click.echo(sentence(told, language), err=as_json)
    raise SystemExit(1 if any(each.state == "trouble" for each in checks) else 0)


def _look(
    holds: Configured, found: ConfigFacts, machine: MachineProbe, language: str, say: Callable[[Message], None]
) -> tuple[CheckShown, ...]:
    service = service_facts(holds.table, holds.data)
    if service.process is not None and service.answers:
        answered = ask(holds.table, holds.data, language)
        if answered is not None:
            return answered
    from companion.upkeep.gathering import gathered
    from companion.upkeep.sense_checks import examined

    facts = gathered(holds, found, machine, service, say)
    return tuple(check_shown(each, language) for each in examined(facts))


def _print(checks: tuple[CheckShown, ...], language: str) -> None:
    width = max(len(each.name) for each in checks)
    for each in checks:
        sign, colour = MARKS[each.state]
        click.echo(f"{click.style(sign, fg=colour)} {each.name:{width}}  {each.text}")
        if each.state == "trouble" and each.command:
            click.echo(f"  {'':{width}}  $ {each.command}")
    wrong = sum(each.state == "trouble" for each in checks)
    told = (
        plural("{count} thing is wrong.", "{count} things are wrong.", wrong)
        if wrong
        else message("Everything that was looked at is well.")
    )
    click.echo(sentence(told, language))
