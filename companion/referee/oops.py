"""A slip of the finger: whoever made the last tapped move may take it back for a few seconds, while nobody has acted on
it and it has shown nobody anything that was hidden."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from companion.core.message import Message, Thing, message
from companion.core.rulings import Refused
from companion.record.match import Match
from companion.record.recorded_match import RecordedMatch

if TYPE_CHECKING:
    from companion.referee.referee import Referee

SECONDS = 5.0


class Oops:
    def __init__(self, record: RecordedMatch) -> None:
        self._tapped: tuple[str, float] | None = None
        """Who made the last tapped move, and when; None once anybody has acted since."""
        self._showed: str = ""
        """Whose tap opened everybody's sealed moves: it stays, or the last to choose could choose again."""
        record.listen(self._written)

    def _written(self, fields: Mapping[str, Any], trouble: Message | None) -> None:
        """Any line ends the chance, unless it changes nothing: the clock, a note, a refused move of that player."""
        mine = self._tapped is not None and "refused" in fields and fields.get("by") == self._tapped[0]
        if not ("clock" in fields or "note" in fields or mine):
            self._tapped, self._showed = None, ""

    def tapped(self, player: str, at: float, *, sealed_before: bool, match: Match) -> None:
        """This player has just made a move by tap. `sealed_before`: others had sealed moves when it was made."""
        if sealed_before and player not in match.sealed:
            self._showed = player
        else:
            self._tapped = player, at

    def until(self, player: str) -> float | None:
        """Until when this player may take the last tap back, on the service's clock."""
        return self._tapped[1] + SECONDS if self._tapped is not None and self._tapped[0] == player else None

    def grant(self, player: str, at: float) -> None:
        """Raises Refused where it is too late."""
        if self._showed == player:
            raise Refused("TABLE-3", message("Everybody's choices lie open now: only the referee can take that back."))
        until = self.until(player)
        if until is None:
            nothing = message(
                "{player} has no tap to take back: somebody has gone on since.", player=Thing("player", player)
            )
            raise Refused("TABLE-3", nothing)
        if at > until:
            raise Refused("TABLE-3", message("Five seconds are over: only the referee can take that back now."))


def take_back(referee: "Referee", player: str, at: float) -> None:
    """Take back the player's own last tap; the other players stay ready."""
    referee.oops.grant(player, at)
    granted(referee, player, f"Oops: {player} took back their last tap.")


def granted(referee: "Referee", player: str, why: str) -> None:
    undone = referee.record.undo(1, why, player).undone
    referee.timekeeper.took_back()
    referee.tell.strike(moment.line for moment in undone)
    referee.notice(message("{player} takes the last tap back.", player=Thing("player", player)))
    referee.start_over((), by=player)
