"""What people tap on the pages."""

from typing import TYPE_CHECKING, Any

from companion.core.events import Tap
from companion.core.message import Thing, message
from companion.core.rulings import Refused, ShinpanError
from companion.record import acts
from companion.referee import by_hand, oops
from companion.referee import press_order as presses

if TYPE_CHECKING:
    from companion.referee.referee import Referee


def take(referee: "Referee", tap: Tap) -> None:
    """A tap that is refused is answered to whoever made it; only moves are everybody's business."""
    try:
        _do(referee, tap)
    except Refused as error:
        referee.tell.answer(error.refusal)
        referee.tell.flash(tap.by)
    except ShinpanError as error:
        referee.fail(error)


def _do(referee: "Referee", tap: Tap) -> None:
    by_referee, players = tap.by == by_hand.WHO, referee.match.players
    match tap.what:
        case "move":
            player = str(tap.data.get("by", tap.by)) if by_referee else tap.by
            others = referee.match.sealed.keys() - {player}
            moved = _move(referee, player, {name: value for name, value in tap.data.items() if name != "by"}, tap.at)
            if moved and player == tap.by:
                referee.oops.tapped(player, tap.at, sealed_before=bool(others), match=referee.match)
        case "oops" if tap.by in players:
            oops.take_back(referee, tap.by, tap.at)
        case "ready":
            if tap.by in players:
                referee.make_ready(tap.by, presses.tapped(players.index(tap.by), tap.at), tap.at)
        case "pause" if by_referee:
            referee.pause(tap.at)
        case "resume" if by_referee:
            referee.resume(tap.at)
        case "undo" if by_referee:
            moves = tap.data.get("moves", 1)
            # Anything but a number counts as zero moves, which is refused.
            by_hand.take_back(referee, moves if isinstance(moves, int) else 0, str(tap.data.get("why", "")))
        case "correct":
            by_hand.correct(referee, tap)
        case "mend" if by_referee:
            by_hand.mend(referee, tap)
        case "call" if tap.by in players:
            by_hand.call(referee, tap.by, tap.at)
        case "answer":
            by_hand.answer(referee, tap)
        case "concede":
            by_hand.concede(referee, tap)
        case kind if by_referee and kind in acts.KINDS:
            by_hand.act(referee, acts.decode({**tap.data, "referee": kind}), tap.at)
        case _:
            raise Refused(
                "TABLE-4",
                message("{player} cannot do that here ({what}).", player=Thing("player", tap.by), what=tap.what),
            )


def _move(referee: "Referee", player: str, fields: dict[str, Any], at: float) -> bool:
    reveals, move = referee.match.game.reveals, referee.match.decode(fields)
    early = move.kind in reveals.kinds and referee.stage != "reveal"
    if early and move.kind in referee.match.awaits.get(player, ()):
        raise Refused("TABLE-3", message("{player}: wait for the count of three.", player=Thing("player", player)))
    if not referee.make(player, move, at):
        return False
    if move.kind in reveals.locks:
        referee.lock(player, presses.tapped(referee.match.players.index(player), at), at)
    return True
