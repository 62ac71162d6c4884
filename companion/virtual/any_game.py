"""Simulated players for any game: they make legal moves at random, laid as the game's `table.laid` says, or tapped.

They share a match of their own, in which everything that they have really done counts at once. The referee's match
follows when its camera has seen it.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from companion.core.message import Thing, message
from companion.core.own_hand import HandOption
from companion.games.kit.game import Game, Move
from companion.games.kit.reading import Row
from companion.record.match import Match
from companion.virtual.player import Hands, Page, Player

PATIENCE = 5.0
"""Seconds after which somebody presses a button again."""


class AnyPlayer:
    carries: frozenset[str] = frozenset()

    def __init__(self, hands: Hands, done: Match) -> None:
        self.hands, self._done, self._game = hands, done, done.game
        self._pressed = -PATIENCE

    def act(self, page: Page, light: str) -> bool:
        reveals, kinds = self._game.reveals, self._kinds(page)
        if page["over"]:
            return False
        if kinds & set(reveals.kinds):
            return self._make(kinds) if light == "reveal" else light == "placing" and self._press(page)
        if kinds & reveals.locks:
            return self._make(kinds)
        if set(page["awaits"]) & reveals.locks:
            return light == "placing" and self._press(page)
        understood = page["moves"] >= self._done.moves
        return bool(kinds) and understood and self._make(kinds)

    def holds(self, move: dict[str, Any]) -> bool:
        return True

    def counts(self) -> Page:
        return {}

    def _kinds(self, page: Page) -> set[str]:
        """What the page asks of this player, and this player has not done yet."""
        return set(page["awaits"]) & set(self._done.awaits.get(self.hands.name, ()))

    def _press(self, page: Page) -> bool:
        """Press ready, and if nothing comes of it press again after a while."""
        now = page["clock"]["now"]
        if now < self._pressed + PATIENCE:
            return False
        self._pressed = now
        self.hands.press("ready")
        return True

    def _make(self, kinds: set[str]) -> bool:
        legal = self._game.rules.legal_moves(self._done.state, self._done.sealed, self.hands.name)
        move = self._chosen([each for each in legal if each.kind in kinds])
        if move is None:
            return False
        places = self._places(move)
        told = msgspec.json.decode(msgspec.json.encode(move))
        if places is None:
            self.hands.tap(**told)
        else:
            self.hands.did(**told)
            self._lay(places)
        self._done.move(self.hands.name, move)
        self._pressed = -PATIENCE
        return True

    def _chosen(self, moves: Sequence[Move]) -> Move | None:
        """Any of them; or the one that a person says, and None while that is open."""
        person = self.hands.person
        if person is None or len(moves) == 1:
            return self.hands.random.choice(moves)
        options = [
            HandOption(
                message("{move}", move=Thing("card", getattr(each, "card", each.kind))),
                getattr(each, "card", ""),
                str(at),
            )
            for at, each in enumerate(moves)
        ]
        chosen = person.one((self._done.moves, moves[0].kind), message("What do you do?"), options)
        return None if chosen is None else moves[int(chosen)]

    def _places(self, move: Move) -> Mapping[str, Row] | None:
        laid = self._game.table.laid
        return laid(self._done.state, self.hands.name, move) if laid else None

    def _lay(self, places: Mapping[str, Row]) -> None:
        any_card = next(iter(self._game.table.deck(self._done.state).cards))
        for zone, cards in places.items():
            self.hands.table.lift(zone)
            for card in cards:
                # Nobody sees which card lies face down, so it may be any one until it is turned up.
                self.hands.table.lay(zone, card.card or any_card, face_up=card.face_up, rotation=card.rotation)


def seat(game: Game, hands: Sequence[Hands], state: Any) -> list[Player]:
    done = Match(game, [each.name for each in hands])
    done.state = state
    return [AnyPlayer(each, done) for each in hands]
