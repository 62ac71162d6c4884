"""The acts of the referee as a person: time, points, a ruling by hand, the end of the match, a new name.

Each is a struct tagged by `referee`: the kifu's line, the tap on the page and the value here are the same class. What
an act does to the state is the game's own (`companion.games.kit.acts` has the defaults); what holds in every game is
checked here. `docs/kifu.md` describes them.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, NamedTuple

import msgspec

from companion.core.message import Message, Thing, message, things
from companion.core.rulings import Refused, Ruling
from companion.core.validation import wrong_field
from companion.games.kit.acts import ACT, Step, does_not_fit, renamed
from companion.games.kit.game import Rules

MOST_SECONDS = 1e7
MOST_POINTS = 10_000
"""More than any match needs: a slip of the finger must not fill the memory with wound cards."""
LONGEST_TEXT = 1000
"""Characters of a reason or a ruling by hand."""

Text = Annotated[str, msgspec.Meta(max_length=LONGEST_TEXT)]
How = Literal["agreed", "conceded", "abandoned", "disqualified"]
NEEDS_PLAYER = ("conceded", "disqualified")


class RefereeAct(msgspec.Struct, frozen=True, tag_field="referee", forbid_unknown_fields=True, omit_defaults=True):
    """Base of the acts."""

    @property
    def kind(self) -> str:
        return str(self.__struct_config__.tag)


class MoveTimeLimit(RefereeAct, frozen=True, tag="time"):
    seconds: Annotated[float, msgspec.Meta(ge=-MOST_SECONDS, le=MOST_SECONDS)]
    why: Text = ""


class AwardPoints(RefereeAct, frozen=True, tag="award"):
    player: str
    points: Annotated[int, msgspec.Meta(ge=-MOST_POINTS, le=MOST_POINTS)]
    why: Text = ""


class RuleByHand(RefereeAct, frozen=True, tag="rule"):
    say: Text = ""
    why: Text = ""


class EndMatch(RefereeAct, frozen=True, tag="end"):
    how: How
    player: str | None = None
    winners: tuple[str, ...] | None = None
    why: Text = ""


class RenamePlayer(RefereeAct, frozen=True, tag="rename"):
    player: str
    name: Text
    why: Text = ""


AnyAct = MoveTimeLimit | AwardPoints | RuleByHand | EndMatch | RenamePlayer
KINDS = ("time", "award", "rule", "end", "rename")
_decoder = msgspec.json.Decoder(AnyAct)


class Position(NamedTuple):
    """A match as the referee's act finds it."""

    rules: Rules
    players: tuple[str, ...]
    state: Any
    sealed: Mapping[str, Any]
    over: bool


def decode(fields: Mapping[str, Any]) -> AnyAct:
    """An act from its fields, `{"referee": "time", …}`; raises Refused where there is no such act or field."""
    try:
        act: AnyAct = _decoder.decode(msgspec.json.encode(fields))
    except msgspec.ValidationError as error:
        raise Refused(
            "TABLE-4", message("That cannot be read as an act of the referee: {detail}.", detail=wrong_field(error))
        ) from None
    return act


def perform(act: AnyAct, now: Position) -> Step:
    """What the act makes of the state, and what is said of it. Raises Refused where it may not be done."""
    match act:
        case MoveTimeLimit():
            return _move_time_limit(act, now)
        case AwardPoints():
            return _award(act, now)
        case RuleByHand():
            return _rule(act, now)
        case EndMatch():
            return _end(act, now)
        case RenamePlayer():
            return _rename(act, now)


def check_names(players: Sequence[str]) -> None:
    """Everybody has a name, and no two have the same."""
    if not all(isinstance(name, str) and name.strip() for name in players):
        raise Refused("TABLE-4", message("Every player needs a name."), "players")
    if any("\ud800" <= sign <= "\udfff" for name in players for sign in name):  # bytes that are not UTF-8
        raise Refused("TABLE-4", message("A player's name contains characters that are not text."), "players")
    if len(set(players)) != len(players):
        raise Refused("TABLE-4", message("Two players have the same name."), "players")
    # Places at the table are told apart by the name before the dot: A's would be A.b's, too.
    if any(other.startswith(f"{name}.") for name in players for other in players):
        raise Refused("TABLE-4", message("One name goes on after the dot where another one ends."), "players")
    if "referee" in players:
        raise Refused("TABLE-4", message("Nobody but the referee can be called referee."), "players")


def unknown_player(player: str) -> Refused:
    return Refused(
        "TABLE-4", message("There is no player called {player} in this match.", player=Thing("player", player))
    )


def _check_reason(why: str) -> None:
    if not why.strip():
        raise Refused("TABLE-4", message("Say why: the reason is kept with the match."))


def _check_player(player: str, now: Position) -> None:
    if player not in now.players:
        raise unknown_player(player)


def _check_going_on(now: Position) -> None:
    if now.over:
        raise does_not_fit(message("The match is over."))


def _move_time_limit(act: MoveTimeLimit, now: Position) -> Step:
    _check_reason(act.why)
    if not act.seconds:
        raise does_not_fit(message("That would not change the time limit."))
    return now.rules.add_time(now.state, now.sealed, act.seconds, act.why)


def _award(act: AwardPoints, now: Position) -> Step:
    _check_reason(act.why)
    _check_player(act.player, now)
    _check_going_on(now)
    if not act.points:
        raise does_not_fit(message("That would give and take nothing."))
    return now.rules.award(now.state, act.player, act.points, act.why)


def _rule(act: RuleByHand, now: Position) -> Step:
    if not act.say.strip():
        raise Refused("TABLE-4", message("A ruling by hand needs its sentence."))
    return now.state, (Ruling(ACT, message("The referee rules: {sentence}", sentence=act.say)),)


def _end(act: EndMatch, now: Position) -> Step:
    _check_end(act, now)
    before = now.rules.facts(now.state)
    state = now.rules.end(now.state, _winners(act, now))
    after = now.rules.facts(state)
    changed = [fact for fact in ("over", "phase", "winners") if fact in after and before[fact] != after[fact]]
    outcome = Ruling(
        ACT, _outcome(after["winners"], now.players), {fact: (before[fact], after[fact]) for fact in changed}
    )
    return state, (Ruling(ACT, _ended(act)), outcome)


def _outcome(winners: Sequence[str], players: Sequence[str]) -> Message:
    if not winners:
        return message("Nobody wins the match.")
    if len(winners) == len(players) > 1:  # nobody is ahead: people call that a draw, not a shared win
        return message("The match is a draw.")
    return message("The match goes to {winners}.", winners=things("player", winners))


def _check_end(act: EndMatch, now: Position) -> None:
    _check_reason(act.why)
    for name in (*([] if act.player is None else [act.player]), *(act.winners or ())):
        _check_player(name, now)
    if act.how in NEEDS_PLAYER and act.player is None:
        who = message("Say which player concedes or is disqualified.")
        raise Refused(("TABLE-4", ACT), who)
    _check_going_on(now)
    if act.winners and act.how == "abandoned":
        raise does_not_fit(message("An abandoned match has no winner."))
    if act.player is not None and act.player in (act.winners or ()):
        raise does_not_fit(message("{player} cannot win this match.", player=Thing("player", act.player)))


def _winners(act: EndMatch, now: Position) -> tuple[str, ...]:
    if act.how == "abandoned":
        return ()
    won = standing_winners(now, act.player) if act.winners is None else act.winners
    return tuple(player for player in now.players if player in won)


def standing_winners(now: Position, without: str | None) -> Sequence[str]:
    """Who would win as everybody stands; `without` cannot."""
    if now.rules.standing_winners is not None:
        return now.rules.standing_winners(now.state, without)
    scores = now.rules.facts(now.state).get(now.rules.standing, {})
    judged = {player: scores.get(player, 0) for player in now.players if player != without}
    return [player for player, score in judged.items() if score == max(judged.values())]


def _ended(act: EndMatch) -> Message:
    player = Thing("player", act.player or "")
    match act.how:
        case "agreed":
            return message("The match ends by agreement: {why}", why=act.why)
        case "conceded":
            return message("{player} concedes the match: {why}", player=player, why=act.why)
        case "abandoned":
            return message("The match is abandoned: {why}", why=act.why)
        case "disqualified":
            return message("{player} is disqualified: {why}", player=player, why=act.why)


def _rename(act: RenamePlayer, now: Position) -> Step:
    _check_player(act.player, now)
    old, new = Thing("player", act.player), Thing("player", act.name)
    if act.player == act.name:
        raise does_not_fit(message("{player} is called that already.", player=old))
    try:
        check_names(renamed(now.players, act.player, act.name))
    except Refused as refusal:
        raise refusal.citing(ACT) from None
    told = message("{player} is called {name} from now on.", player=old, name=new)
    return now.rules.rename(now.state, act.player, act.name), (Ruling(ACT, told),)
