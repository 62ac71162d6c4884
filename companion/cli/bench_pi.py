"""`shinpan bench-pi`: what this machine can carry, in a table that can be compared with that of any other."""

import platform

import click
import msgspec

from companion.cli.language import language_option
from companion.core.message import message
from companion.core.wording import sentence
from companion.upkeep.machine import MachineProbe


@click.command("bench-pi")
@click.option("--seconds", type=click.FloatRange(0.05, 60), default=10.0, show_default=True, help="For each part.")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
@language_option()
def bench_pi(seconds: float, as_json: bool, language: str) -> None:
    """Measure what each part of a table costs on this machine.

    A loop is the time that a plain Python loop of a million steps takes here, so that machines can be compared. The
    processor's time is counted, not the clock's.
    """
    from companion.app.budget import MOST_IDLE, measured

    budget = measured(seconds)
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(budget)))
        return
    model = MachineProbe().read("/proc/device-tree/model") or platform.machine()
    about = message(
        "{machine}, Python {version}; a loop takes {milliseconds} ms.",
        machine=model,
        version=platform.python_version(),
        milliseconds=round(budget.loop, 1),
    )
    click.echo(sentence(about, language))
    for part in budget.parts:
        share = f"{part.share:7.1%}" if part.often else " " * 7
        name = sentence(part.name, language)
        click.echo(f"{name:48} {part.milliseconds:9.2f} ms {part.loops:8.3f} loops {share}")
    told = message(
        "While nobody is there the table takes {share} % of one core here. It stays below {most} % on a machine whose "
        "loop takes up to {milliseconds} ms.",
        share=round(100 * budget.idle, 1),
        most=round(100 * MOST_IDLE),
        milliseconds=round(budget.slowest),
    )
    click.echo(sentence(told, language))
