"""The count of three: placing -> countdown -> reveal, and placing again when everyone has turned up."""

from collections.abc import Container, Mapping

from companion.core.events import Press
from companion.record.match import Match

COUNT = 3
PATIENCE = 3.0
"""Seconds that a press of ready waits for the camera to see the cards."""


class Reveal:
    def __init__(self) -> None:
        self.stage = "placing"
        """placing, countdown, reveal, choice, over"""
        self.count = 0
        self.ready: dict[str, Press] = {}
        """Who is locked, and by which press."""
        self.early: dict[str, Press] = {}
        """Who pressed ready before the cards were seen in their places, and by which press."""
        self.called: set[str] = set()
        """Whose card was moved after ready: they have to press it again."""
        self.presses: tuple[Press, ...] = ()
        """The presses that started the last countdown."""
        self._due: set[str] = set()
        """Who has still to turn up in this reveal."""
        self._began = 0.0

    def begin(self, match: Match, at: float) -> bool:
        """Start counting if everybody who has something to turn up is ready for it."""
        reveals = set(match.game.reveals.kinds)
        turning = [player for player, kinds in match.awaits.items() if reveals.intersection(kinds)]
        if self.stage != "placing" or not turning or not self.ready.keys() >= set(turning):
            return False
        self.stage, self.count, self._began = "countdown", COUNT, at
        self._due = set(turning)
        self.presses = tuple(self.ready[player] for player in turning)
        return True

    def wait(self, player: str, press: Press) -> None:
        """This press counts as soon as the cards are seen in their places."""
        self.early.setdefault(player, press)

    def give_up(self, at: float, asked: Container[str]) -> list[str]:
        """Whose press has waited too long. Nobody is hurried who is `asked` about a card that cannot be read."""
        late = [player for player, press in self.early.items() if at > press.at + PATIENCE and player not in asked]
        for player in late:
            del self.early[player]
        return late

    def lock(self, player: str, press: Press) -> None:
        self.early.pop(player, None)
        self.ready[player] = press
        self.called.discard(player)

    def watched(self, match: Match) -> list[str]:
        """Whose cards must not move now. A player who takes no part in this reveal may tidy up."""
        if self.stage not in ("placing", "countdown"):
            return []
        laying = any(match.game.reveals.locks & set(kinds) for kinds in match.awaits.values())
        out = {player for player, move in match.sealed.items() if move.kind in match.game.reveals.open_locks}
        due = self.ready.keys() if laying else self.ready.keys() & {*match.awaits, *match.sealed}
        return sorted(due - out)

    def laying(self, match: Match, player: str) -> bool:
        """Whether this player has more cards to lay face down, perhaps after some that are locked already."""
        return not match.game.reveals.locks.isdisjoint(match.awaits.get(player, ()))

    def call(self, player: str) -> None:
        """This player moved a card after ready."""
        del self.ready[player]
        self.called.add(player)
        self.call_off()

    def call_off(self) -> None:
        """Somebody is not ready after all."""
        self.stage, self.count = "placing", 0

    def start_over(self) -> None:
        """Moves were taken back: nobody is ready for what comes now."""
        self.ready.clear()
        self.called.clear()
        self.stage = "placing"

    def step_back(self, player: str) -> None:
        """This player's last move was taken back: in the middle of a reveal another card may be named, before it the
        player is not ready any more."""
        if self.stage == "reveal":
            self._due.add(player)
        else:
            self.ready.pop(player, None)
            self.call_off()

    def rename(self, names: Mapping[str, str]) -> None:
        """Players have new names: {old: new}."""
        self.ready = {names.get(player, player): press for player, press in self.ready.items()}
        self.early = {names.get(player, player): press for player, press in self.early.items()}
        self.called = {names.get(player, player) for player in self.called}
        self._due = {names.get(player, player) for player in self._due}

    def pass_time(self, at: float) -> bool:
        """Count down; True if the number changed."""
        if self.stage != "countdown":
            return False
        count = max(0, COUNT - int(at - self._began))
        if count == self.count:
            return False
        self.count = count
        if not count:
            self.stage = "reveal"
        return True

    def turned_up(self, player: str) -> None:
        self._due.discard(player)

    def settle(self, match: Match) -> None:
        """Work out the stage after a step of the match."""
        reveals, awaits = set(match.game.reveals.kinds), match.awaits
        kinds = {kind for each in awaits.values() for kind in each}
        self._due &= {player for player, each in awaits.items() if set(each) & reveals}
        before = self.stage
        if match.over:
            self.stage = "over"
        elif kinds & reveals:
            if (before == "reveal" and not self._due) or before not in ("countdown", "reveal"):
                self.stage = "placing"
        elif kinds & match.game.reveals.locks:
            self.stage = "placing"
        else:
            self.stage = "choice"
        if before in ("countdown", "reveal") and self.stage not in ("countdown", "reveal"):
            self.ready.clear()
            self.called.clear()

    def phase(self, match: Match, player: str) -> str:
        """What this player's panel shows."""
        kinds = match.awaits.get(player, ())
        if self.stage in ("countdown", "reveal") and player in self.ready:
            return self.stage if self.stage == "countdown" or kinds else "idle"
        if player in self.ready and not self.laying(match, player):
            return "locked"
        if player in self.called:
            return "placing"
        if not kinds:
            return "idle"
        by_cards = match.game.reveals.locks | set(match.game.reveals.kinds)
        return "placing" if by_cards & set(kinds) else "choice"
