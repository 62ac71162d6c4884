"""Everything that is wrong with a play, gathered, so that a refusal names every rule it breaks."""

from typing import Any

from companion.core.message import message
from companion.core.rulings import Refused


class Faults:
    _rules: tuple[str, ...] = ()
    _first: tuple[str, dict[str, Any]] | None = None

    def __bool__(self) -> bool:
        return self._first is not None

    def add(self, rules: str | tuple[str, ...], say: str, **facts: Any) -> None:
        """The first fault gives the sentence; the rules of all are cited."""
        more = (rules,) if isinstance(rules, str) else rules
        self._rules += tuple(rule for rule in more if rule not in self._rules)
        self._first = self._first or (say, facts)

    @property
    def refusal(self) -> Refused | None:
        return Refused(self._rules, message(self._first[0], **self._first[1])) if self._first else None

    def refuse(self) -> None:
        """Raise, if there is anything to raise."""
        if refusal := self.refusal:
            raise refusal
