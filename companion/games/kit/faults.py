"""Everything that is wrong with a play, gathered into one refusal that cites every rule it breaks.

>>> from companion.core.message import message
>>> faults = Faults()
>>> faults.add("XYZ-1", message("There are no cards."))
>>> faults.add(("XYZ-2", "XYZ-3"), message("There is no fan."))
>>> faults.refusal.rules, str(faults.refusal)
(('XYZ-1', 'XYZ-2', 'XYZ-3'), 'There are no cards.')
"""

from companion.core.message import Message
from companion.core.rulings import Refused


class Faults:
    """The first fault gives the sentence; the rules of all of them are cited, each once."""

    _rules: tuple[str, ...] = ()
    _message: Message | None = None
    _field = ""

    def __bool__(self) -> bool:
        return self._message is not None

    def add(self, rules: str | tuple[str, ...], message: Message, field: str = "") -> None:
        more = (rules,) if isinstance(rules, str) else rules
        self._rules += tuple(rule for rule in more if rule not in self._rules)
        if self._message is None:
            self._message, self._field = message, field

    @property
    def refusal(self) -> Refused | None:
        return Refused(self._rules, self._message, self._field) if self._message else None

    def refuse(self) -> None:
        """Raise the refusal, if there is anything wrong."""
        if refusal := self.refusal:
            raise refusal
