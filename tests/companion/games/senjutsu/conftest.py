"""A small duel to try a rule in: Aki and Ben face each other on neighbouring hexes of a small arena."""

from collections.abc import Iterable
from typing import Any

import pytest

from companion.core.rulings import Refused, Ruling
from companion.core.wording import sentence
from companion.games import game
from companion.games.senjutsu.card_language.script import read_cards
from companion.record.match import Match
from companion.record.replay import look_up

GAME = game("senjutsu")
"""Loaded by its name, so that its translations are known."""
WAIT = "card Wait\ntype meditation\nrank wood\nspeed 1\ndraw 1\n"
"""Something to do that is not what a test is about."""


class Bout:
    """A match with short words for what a test does to it."""

    def __init__(self, script: str, players: tuple[str, ...] = ("Aki", "Ben"), **options: Any) -> None:
        cards = read_cards(script)
        if "decks" not in options and script:
            share, rest = divmod(40, len(cards))
            deck = {card: share + (rest if at == 0 else 0) for at, card in enumerate(cards)}
            options["decks"] = dict.fromkeys(players, deck)
        if script:
            options["cards"] = script
        small = {"arena": [4, 4], "start_hexes": {"Aki": ["b2"], "Ben": ["b3"]}} if len(players) == 2 else {}
        self.match = Match(GAME, players, {**small, **options})
        self.said: tuple[Ruling, ...] = ()

    def __getitem__(self, path: str) -> Any:
        return look_up(self.match.facts, path)

    @property
    def state(self) -> Any:
        return self.match.state

    @property
    def asked(self) -> tuple[str, tuple[str, ...]] | None:
        """Who is asked for what, where it is one player."""
        awaits = self.match.awaits
        return next(iter(awaits.items())) if len(awaits) == 1 else None

    def do(self, player: str, move: str, **fields: Any) -> tuple[Ruling, ...]:
        self.said = self.match.move(player, self.match.decode({"move": move, **fields}))
        return self.said

    def play(self, **cards: str) -> tuple[Ruling, ...]:
        """Everybody chooses and turns up: `play(Aki="cut", Ben="guard")`."""
        for player in cards:
            self.do(player, "select")
        for player, card in cards.items():
            self.do(player, "reveal", card=card)
        return self.said

    def refuse(self, player: str, move: str, *rules: str, **fields: Any) -> Refused:
        """The move is refused, cites one of these rules and changes nothing."""
        before, facts = self.match.state, self.match.facts
        with pytest.raises(Refused) as caught:
            self.do(player, move, **fields)
        assert set(rules) & set(caught.value.rules), (caught.value.rules, caught.value.text)
        assert self.match.state is before
        assert self.match.facts == facts
        return caught.value

    def tell(self, said: Iterable[Ruling], language: str = "en") -> list[str]:
        """Rulings as people read them."""
        return [sentence(ruling.message, language, self.match.name) for ruling in said]

    def rules_said(self) -> list[str]:
        return [ruling.rule for ruling in self.said]


@pytest.fixture(scope="session")
def bout() -> type[Bout]:
    return Bout


@pytest.fixture(scope="session")
def wait() -> str:
    return WAIT
