"""A table of Sensu that tells its story: moves, refusals, and positions set up by hand."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from companion.core.rulings import Refused, Ruling
from companion.games import game
from companion.games.sensu.card_sets import card_set
from companion.games.sensu.cards import CARDS
from companion.games.sensu.state import Fan, SensuState, replace, set_fan, set_seat
from companion.record.match import Match
from companion.record.replay import MISSING, look_up

GAME = game("sensu")


class Story:
    """A match that is told move by move."""

    def __init__(self, players: Sequence[str] = ("Aki", "Ben"), **options: Any) -> None:
        self.match = Match(GAME, players, options)

    @property
    def state(self) -> SensuState:
        state: SensuState = self.match.state
        return state

    def does(self, by: str, move: str, **fields: Any) -> tuple[Ruling, ...]:
        fields = {name.rstrip("_"): value for name, value in fields.items()}
        return self.match.move(by, self.match.decode({"move": move, **fields}))

    def refuses(self, by: str, move: str, **fields: Any) -> tuple[str, ...]:
        """The rules a refusal cites; the state must not change."""
        before, facts = self.match.state, self.match.facts
        with pytest.raises(Refused) as refusal:
            self.does(by, move, **fields)
        assert self.match.state == before
        assert self.match.facts == facts
        assert refusal.value.text
        return refusal.value.rules

    def __getitem__(self, path: str) -> Any:
        found = look_up(self.match.facts, path)
        assert found is not MISSING, path
        return found

    def lay_out(
        self,
        *,
        fans: Mapping[str, Sequence[str]] = {},
        discards: Mapping[str, Sequence[str]] = {},
        columns: Sequence[Sequence[str]] = (),
        hands: Mapping[str, int] = {},
        deck: int | None = None,
    ) -> "Story":
        """A position as if it had been played: cards in fans, on piles and in columns have been seen."""
        state = self.state
        seen = {c for laid in (*fans.values(), *discards.values(), *columns) for c in laid}
        state = replace(state, unseen=(state.unseen[0] & ~card_set(seen),))
        for at, seat in enumerate(state.seats):
            for card in fans.get(seat.player, ()):
                kind = CARDS[card].type
                fan = next(f for k, f in zip(("gun_sen", "hi_ogi", "mai_ougi"), seat.fans, strict=True) if k == kind)
                sticks = fan.sticks + state.terms.sticks[card]
                seat = set_fan(seat, kind, Fan((*fan.cards, card), sticks, sticks == 10))
            hand = hands.get(seat.player, seat.hand)
            seat = replace(seat, discards=tuple(discards.get(seat.player, ())), unknown=(hand,))
            state = set_seat(state, at, seat)
        if columns:
            state = replace(state, columns=tuple(tuple(column) for column in columns))
        held = sum(seat.hand for seat in state.seats)
        # A test of what happens at the end of the deck sets its size; the cards that are then missing are never used.
        self.match.state = replace(state, deck=state.unseen[0].bit_count() - held if deck is None else deck)
        return self


@pytest.fixture
def story() -> Callable[..., Story]:
    return Story
