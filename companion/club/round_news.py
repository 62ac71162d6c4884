"""Where the tournament stands, for lights and speakers and for the head of every page of the venue."""

import msgspec

from companion.club.desk import ArbitersDesk
from companion.club.payloads import RoundOut


def round_out(desk: ArbitersDesk, now: float) -> RoundOut:
    """Where the tournament stands, for everybody."""
    tournament, last = desk.tournament, desk.tournament.round
    if not desk.running:
        return RoundOut()
    rules = tournament.rules
    plain = RoundOut(title=rules.title, round=0 if last is None else last.number, rounds=tournament.planned)
    if tournament.ended or tournament.finished:
        return msgspec.structs.replace(plain, stage="over")
    if last is None:
        return msgspec.structs.replace(plain, stage="registration")
    if last.started_at is None:
        starts = last.paired_at + 60.0 * rules.between if rules.between and rules.alone else 0.0
        return msgspec.structs.replace(plain, stage="called", ends=round(starts, 1))
    if last.over:
        return msgspec.structs.replace(plain, stage="break")
    stood = last.stood + (now - last.paused_at if last.paused_at is not None else 0.0)
    ends = last.started_at + 60.0 * rules.minutes + last.extra + stood if rules.minutes else 0.0
    paused = last.paused_at is not None
    return msgspec.structs.replace(plain, stage="playing", ends=0.0 if paused else round(ends, 1), paused=paused)
