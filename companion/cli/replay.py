"""`shinpan replay`: play kifu through the rules."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import msgspec

from companion import kifu
from companion.replay import Broken, Played, Replay
from companion.rulings import Refused, Ruling, ShinpanError

Told = Callable[[Ruling | Refused], str]
WELL, AMISS, NO_KIFU = 0, 1, 2


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def replay(files: tuple[Path, ...], as_json: bool) -> None:
    """Play each FILE through the rules and hold it to what it says.

    Exit 0: every move was accepted or refused as written, and every expect held. 1: it did not go as written.
    2: not a kifu.
    """
    sys.exit(max(_replay(path, as_json) for path in files))


def _replay(path: Path, as_json: bool) -> int:
    tell = _tell_json if as_json else _tell
    code, trouble, replayed = WELL, None, None
    try:
        replayed = Replay.of(path)
        for played in replayed:
            tell(played, replayed.told)
    except Broken as broken:
        code, trouble = AMISS, {"line": broken.number, "error": broken.reason, "rules": broken.rules}
    except kifu.Altered as error:
        code, trouble = AMISS, {"error": str(error)}
    except ShinpanError as error:
        code, trouble = NO_KIFU, {"error": str(error)}
    match = replayed.match if replayed else None
    facts = match.facts if match else {}
    result = {"over": facts.get("over", False), "winners": facts.get("winners", [])}
    if as_json:
        if trouble and "line" in trouble:
            _print(trouble)
        last = {"file": str(path), "ok": code == WELL, **(trouble or {}), "state": facts, "result": result}
        _print(last)
    elif trouble:
        _complain(path, trouble, code)
    else:
        won = (
            f"won by {', '.join(result['winners'])}" if result["winners"] else "drawn" if result["over"] else "not over"
        )
        click.echo(f"{path}: as written; the match is {won}.")
    return code


def _complain(path: Path, trouble: dict[str, Any], code: int) -> None:
    where = f", line {trouble['line']}" if "line" in trouble else ""
    cited = f" [{', '.join(trouble['rules'])}]" if trouble.get("rules") else ""
    what = "this is not a kifu: " if code == NO_KIFU else ""
    click.echo(f"{path}{where}: {what}{trouble['error']}{cited}", err=True)


def _tell_json(played: Played, told: Told) -> None:
    if played.refusal is not None:
        _print({"line": played.number, "refused": played.refusal.rules, "text": told(played.refusal)})
    elif not isinstance(played.line, kifu.Expect | kifu.Header | kifu.Note):
        rulings = [{"rule": each.rule, "text": told(each), "changes": each.changes} for each in played.rulings]
        _print({"line": played.number, "rulings": rulings})


def _print(value: object) -> None:
    click.echo(msgspec.json.encode(value))


def _tell(played: Played, told: Told) -> None:
    """A readable account."""
    line = played.line
    match line:
        case kifu.Header():
            click.echo(f"{line.game}: {', '.join(line.players)}")
        case kifu.Moved():
            fields = dict(line.fields)
            # A line that does not say which move it is is one, too; it is refused.
            which = [_brief(fields.pop("move"))] if "move" in fields else []
            what = " ".join([f"{line.by}:", *which, *(f"{name}={_brief(value)}" for name, value in fields.items())])
            click.echo(f"{played.number:4}  {what}")
        case kifu.Clock():
            click.echo(f"{played.number:4}  clock {line.clock:g}")
        case kifu.Note():
            cited = f" [{', '.join(line.rules)}]" if line.rules else ""
            click.echo(f"{played.number:4}  noted: {line.note}{cited}")
        case kifu.Undo():
            click.echo(f"{played.number:4}  taken back: {line.undo} {line.why}".rstrip())
    if played.refusal is not None:
        click.echo(f"        refused [{', '.join(played.refusal.rules)}] {told(played.refusal)}")
    for ruling in played.rulings:
        click.echo(f"        {ruling.rule:7} {told(ruling)}")


def _brief(value: object) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
