"""`shinpan replay`: play kifu through the rules."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import msgspec

from companion.cli.language import language_option
from companion.core.message import Message, Thing, message, things
from companion.core.wording import sentence
from companion.record import kifu
from companion.record.acts import EndMatch
from companion.record.match import Match
from companion.record.replay import Broken, Played, Replay

Told = Callable[[Message], str]
WELL, AMISS, NO_KIFU = 0, 1, 2


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@language_option("Of the account.")
def replay(files: tuple[Path, ...], as_json: bool, language: str) -> None:
    """Play each FILE through the rules and hold it to what it says.

    Exit 0: every move was accepted or refused as written, and every expect held. 1: it did not go as written.
    2: it is not a kifu.
    """
    sys.exit(max(_replay(path, as_json, language) for path in files))


def _replay(path: Path, as_json: bool, language: str) -> int:
    tell = _tell_json if as_json else _tell
    trouble: dict[str, Any] = {}
    code, replayed = WELL, None
    try:
        replayed = Replay.of(path, language)
        for played in replayed:
            tell(played, replayed.told)
    except Broken as broken:
        code, trouble = AMISS, {"line": broken.number, "error": broken.reason, "rules": broken.rules}
    except kifu.Altered as error:
        code, trouble = AMISS, {"error": sentence(error.message, language)}
    except kifu.NotAKifu as error:
        code, trouble = NO_KIFU, {"error": sentence(error.message, language)}
    match = replayed.match if replayed else None
    facts = match.facts if match else {}
    result = {"over": facts.get("over", False), "winners": facts.get("winners", [])}
    if as_json:
        if "line" in trouble:
            _print(trouble)
        last = {"file": str(path), "ok": code == WELL, **trouble, "state": facts, "result": result}
        _print(last)
    elif trouble:
        cited = f" [{', '.join(trouble['rules'])}]" if trouble.get("rules") else ""
        click.echo(sentence(_complaint(path, trouble, code), language) + cited, err=True)
    else:
        click.echo(sentence(_ending(path, result, match), language))
    return code


def _complaint(path: Path, trouble: dict[str, Any], code: int) -> Message:
    file, error = str(path), trouble["error"]
    if code == NO_KIFU:
        return message("{file}: this is not a kifu: {error}", file=file, error=error)
    if "line" in trouble:
        return message("{file}, line {line}: {error}", file=file, line=trouble["line"], error=error)
    return message("{file}: {error}", file=file, error=error)


def _ending(path: Path, result: dict[str, Any], match: Match | None) -> Message:
    file, winners = str(path), things("player", result["winners"])
    by_hand = None if match is None else match.ended_by_hand
    if not result["over"]:
        return message("{file}: as written; the match is not over.", file=file)
    if match is not None and by_hand is not None:
        ending = _by_hand(by_hand, winners, drawn=len(winners) == len(match.players) > 1)
        return message("{file}: as written; {ending}", file=file, ending=ending)
    if winners:
        return message("{file}: as written; the match is won by {winners}.", file=file, winners=winners)
    return message("{file}: as written; the match is drawn.", file=file)


def _by_hand(act: EndMatch, winners: tuple[Thing, ...], *, drawn: bool) -> Message:
    """How a match ended that no rule has ended."""
    if drawn:
        outcome = message("the match is a draw")
    elif winners:
        outcome = message("the match goes to {winners}", winners=winners)
    else:
        outcome = message("nobody wins the match")
    match act.how:
        case "agreed":
            return message("ended by agreement: {outcome}.", outcome=outcome)
        case "conceded":
            return message("{player} conceded: {outcome}.", player=Thing("player", act.player or ""), outcome=outcome)
        case "abandoned":
            return message("the match was abandoned.")
        case "disqualified":
            return message(
                "{player} was disqualified: {outcome}.", player=Thing("player", act.player or ""), outcome=outcome
            )


def _tell_json(played: Played, told: Told) -> None:
    if played.refusal is not None:
        _print({"line": played.number, "refused": played.refusal.rules, "text": told(played.refusal.message)})
    elif not isinstance(played.line, kifu.Expect | kifu.Header | kifu.Note | kifu.Picture | kifu.Signed):
        rulings = [{"rule": each.rule, "text": told(each.message), "changes": each.changes} for each in played.rulings]
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
        case kifu.Acted():
            fields = dict(line.fields)
            done = [_brief(fields.pop("referee")), *(f"{name}={_brief(value)}" for name, value in fields.items())]
            acted = message("referee: {act}", act=" ".join(done))
            click.echo(f"{played.number:4}  {told(acted)}")
        case kifu.Clock():
            reached = message("clock {seconds}", seconds=f"{line.clock:g}")
            click.echo(f"{played.number:4}  {told(reached)}")
        case kifu.Note():
            cited = f" [{', '.join(line.rules)}]" if line.rules else ""
            noted = message("noted: {note}", note=line.note)
            click.echo(f"{played.number:4}  {told(noted)}{cited}")
        case kifu.Undo():
            taken = message("taken back: {count} {why}", count=line.undo, why=line.why)
            click.echo(f"{played.number:4}  {told(taken)}".rstrip())
    if played.refusal is not None:
        refused = message("refused [{rules}]", rules=played.refusal.rules)
        click.echo(f"        {told(refused)} {told(played.refusal.message)}")
    for ruling in played.rulings:
        click.echo(f"        {ruling.rule:7} {told(ruling.message)}")


def _brief(value: object) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
