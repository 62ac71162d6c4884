"""What the referee says and shows: sentences for the page, lights for the panels, and the outcome of each event."""

from collections.abc import Callable, Iterable, Sequence

from companion.core.events import Changed, Effect, Light, Outcome, Said, Warned
from companion.core.message import Message
from companion.core.rulings import Happening, Refusal, Ruling

KEPT = 200
"""Sentences the page can scroll back to."""


class Announcements:
    def __init__(self, players: Sequence[str]) -> None:
        self.players = tuple(players)
        """By seat, under their present names."""
        self.said: list[Said] = []
        self.spoken = 0
        """How many sentences there have been, those no longer kept among them."""
        self.struck: set[int] = set()
        """Lines of the kifu that were taken back: what was said of them does not hold any more."""
        self._recalled = 0
        """How many of them were said before this referee came."""
        self._lights: dict[int, Light] = {}
        """What each panel shows."""
        self._effects: list[Effect] = []
        self._refusal: Refusal | None = None

    def recall(self, said: Sequence[Said], spoken: int, struck: Iterable[int]) -> None:
        """Go on from what was said before, by the referee that this one stands in for."""
        self.said, self.spoken, self.struck = list(said), spoken, set(struck)
        self._recalled = spoken

    @property
    def own(self) -> list[Said]:
        """What was said since then."""
        said = self.spoken - self._recalled
        return self.said[-said:] if said else []

    def begin(self) -> None:
        """The next event comes in."""
        self._effects, self._refusal = [], None

    def outcome(self) -> Outcome:
        return Outcome(self._effects, self._refusal)

    def add(self, *effects: Effect) -> None:
        self._effects += effects

    def changed(self) -> None:
        """Something on the page is new."""
        self._effects.append(Changed())

    def answer(self, refusal: Refusal) -> None:
        """Whoever caused the event is told this."""
        self._refusal = refusal

    def rulings(self, rulings: Sequence[Ruling], line: int) -> None:
        for ruling in rulings:
            self.say("ruling", (ruling.rule,), ruling.message, line, ruling.happened)

    def strike(self, lines: Iterable[int]) -> None:
        """These lines were taken back."""
        self.struck.update(lines)

    def notice(self, news: Message) -> None:
        """Something about the table itself that everybody should read; not twice in a row."""
        said = Said("notice", (), news)
        if not self.said or self.said[-1] != said:
            self._append(said)

    def warn(self, left: Message) -> None:
        """Little time is left; the kifu does not need to know."""
        self.say("time", (), left)
        self.add(Warned())

    def say(
        self,
        kind: str,
        rules: tuple[str, ...],
        what: Message,
        line: int = 0,
        happened: Happening | None = None,
        only: str = "",
    ) -> None:
        self._append(Said(kind, rules, what, line, happened, only))

    def _append(self, said: Said) -> None:
        self.said = [*self.said[-KEPT:], said]
        self.spoken += 1
        self.add(said, Changed())

    def flash(self, player: str) -> None:
        """The red light, for a moment; then the panel shows again where the player stands."""
        if player in self.players:
            seat = self.players.index(player)
            self._effects.append(Light(seat, "refused"))
            self._lights.pop(seat, None)

    def lights(self, phase: Callable[[str], str], count: int) -> None:
        """Panels show where each player stands; only what is new goes out."""
        for seat, player in enumerate(self.players):
            light = Light(seat, phase(player), count)
            if self._lights.get(seat) != light:
                self._lights[seat] = light
                self._effects.append(light)
