"""What a match came to, read from its kifu by playing it through the rules again."""

from collections.abc import Sequence

import msgspec

from companion.core.message import Message
from companion.core.rulings import Refused, ShinpanError
from companion.core.validation import read_json
from companion.record import kifu
from companion.record.replay import Replay
from companion.record.signing import holds


class MatchResult(msgspec.Struct, frozen=True, omit_defaults=True):
    game: str
    players: tuple[str, ...]
    winners: tuple[str, ...]
    standing: dict[str, float] = {}
    """Player -> points, wounds or damage."""
    least_wins: bool = False
    signed: bool = False
    """The table that has this key signed the end."""


class NotOver(Exception):
    """The match is not over, or is not any more."""


def ends(line: str) -> bool:
    """Whether a table signed here that the match is over."""
    return line.startswith('{"signed":"end"')


def order_of(lines: Sequence[str]) -> str:
    """What these lines say the match is played for; empty: they say nothing of it. The table writes it down as a note
    right after the header."""
    for line in lines:
        if line.startswith('{"note":') and '"order":"' in line:
            try:
                return str(read_json(line.encode(), dict[str, object]).get("order", ""))
            except msgspec.DecodeError:
                continue
    return ""


def result_of(lines: Sequence[str], key: str = "") -> MatchResult:
    """The result of a whole kifu. Raises NotOver, or a ShinpanError where the kifu cannot be played."""
    data = "\n".join(lines).encode() + b"\n"
    try:
        match = Replay(data).finish()
    except Refused as refused:
        raise ShinpanError(refused.message) from None
    if not match.over:
        raise NotOver
    rules = match.game.rules
    facts = match.facts
    standing = facts.get(rules.standing)
    numbers = (
        {str(player): float(value) for player, value in standing.items() if isinstance(value, int | float)}
        if isinstance(standing, dict)
        else {}
    )
    return MatchResult(
        match.game.name,
        match.players,
        tuple(facts["winners"]),
        numbers,
        least_wins(numbers, facts["winners"]),
        _signed(data, key),
    )


def least_wins(standing: dict[str, float], winners: Sequence[str]) -> bool:
    """Whether few are good here: wounds and damage are counted, too."""
    won = [standing[name] for name in winners if name in standing]
    lost = [value for name, value in standing.items() if name not in winners]
    return bool(won and lost) and max(won) < min(lost)


def _signed(data: bytes, key: str) -> bool:
    if not key:
        return False
    signatures = [each.line for each in kifu.read(data) if isinstance(each.line, kifu.Signed)]
    last = signatures[-1] if signatures else None
    return last is not None and last.signed == "end" and last.key == key and holds(last)


def trouble(table: str, match: str, why: Message) -> Message:
    """For the desk: a kifu that nobody can read."""
    from companion.core.message import message

    return message("The match {match} of {table} cannot be read: {why}.", match=match, table=table, why=why)
