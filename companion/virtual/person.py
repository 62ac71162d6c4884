"""Somebody who has sat down at the virtual table: says on the seat's page what the virtual hands are to do."""

import threading
from collections.abc import Iterable, Sequence
from typing import Any

from companion.core.message import Message, Thing, message
from companion.core.own_hand import HandOption, HandQuestion, OwnHand
from companion.core.rulings import Refused


class Person:
    """Asked by the thread that moves the hands, answered by that of a page."""

    def __init__(self) -> None:
        self.cards: tuple[str, ...] = ()
        """What the hand holds."""
        self._lock = threading.Lock()
        self._about: object = None
        self._question: HandQuestion | None = None
        self._answer: tuple[HandOption, ...] | None = None
        self._number = 0
        self._move: dict[str, Any] | None = None

    @property
    def hand(self) -> OwnHand:
        with self._lock:
            return OwnHand(self.cards, self._question if self._answer is None else None)

    def ask(
        self,
        about: object,
        text: Message,
        options: Sequence[HandOption],
        least: int = 1,
        most: int = 1,
        *,
        beside: bool = False,
    ) -> tuple[HandOption, ...] | None:
        """What was chosen; None as long as nothing was. The same question goes on for as long as it is about the same;
        once its answer has been taken it is asked anew."""
        with self._lock:
            if about != self._about or self._question is None:
                self._number += 1
                self._about, self._answer = about, None
                self._question = HandQuestion(self._number, text, tuple(options), least, most, beside)
            answer = self._answer
            if answer is not None:
                self._about = self._question = self._answer = None
            return answer

    def one(self, about: object, text: Message, options: Sequence[HandOption], *, beside: bool = False) -> str | None:
        """The value of the one option that was chosen; None as long as none was."""
        chosen = self.ask(about, text, options, beside=beside)
        return None if chosen is None else chosen[0].value

    def card(self, about: object, text: Message, cards: Iterable[str]) -> str | None:
        """The same for a card."""
        return self.one(
            about, text, [HandOption(message("{card}", card=Thing("card", each)), each, each) for each in cards]
        )

    def tapped(self, kinds: Iterable[str]) -> dict[str, Any] | None:
        """The move of these kinds that was tapped on the page last, for the hands to carry out; None: none was."""
        with self._lock:
            move, self._move = self._move, None
            return move if move is not None and move["move"] in kinds else None

    def tap(self, move: dict[str, Any]) -> None:
        """The hands are to make this move."""
        with self._lock:
            self._move = move

    def moved(self) -> None:
        """A move of this player has been made: one that was tapped meanwhile was meant for the position before it."""
        with self._lock:
            self._move = None

    def nothing_to_ask(self) -> None:
        with self._lock:
            self._about = self._question = self._answer = None

    def answer(self, number: int, chosen: Sequence[int]) -> None:
        """Raises Refused for what is no answer to the question that is open."""
        with self._lock:
            asked = self._question
            if asked is None or asked.number != number or self._answer is not None:
                raise Refused("TABLE-3", message("That is not asked any more."))
            if len(set(chosen)) != len(chosen) or not all(0 <= each < len(asked.options) for each in chosen):
                raise Refused("TABLE-4", message("There is no such choice."))
            if not asked.least <= len(chosen) <= asked.most:
                raise Refused(
                    "TABLE-4", message("Choose {least} to {most} of them.", least=asked.least, most=asked.most)
                )
            self._answer = tuple(asked.options[each] for each in chosen)
