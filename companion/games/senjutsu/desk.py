"""The working copy of a state while one move is resolved: rules change it, rulings say what they changed."""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, Literal

import msgspec

from companion.core.message import Message, Thing, message, plural, things
from companion.core.rulings import Happening, Ruling
from companion.games.senjutsu.card_language.ability import Harm, Lines
from companion.games.senjutsu.happenings import (
    CardsDiscarded,
    CardsDrawn,
    SamuraiDefeated,
    SamuraiStunned,
    SamuraiWounded,
)
from companion.games.senjutsu.hexes import Hex
from companion.games.senjutsu.state import PHASES, Ask, DuelState, Frame, Samurai

replace = msgspec.structs.replace
Changes = dict[str, tuple[Any, Any]]
NO_CHANGES: Changes = {}
KEPT = 512
"""So many sentences of a kind that are said in every round are kept, so that they are made once."""
Telling = Callable[[Thing, int], Message]
"""(player, number of cards) -> what is said about it."""
StunnedBy = Literal["card", "collision", "obstacle", "empty_deck"]


class Desk:
    """Holds the fields of `DuelState` under the same names; those that change often are lists here."""

    __slots__ = (
        "acting",
        "advantage",
        "ask",
        "asking",
        "blocks",
        "clock",
        "duel",
        "frames",
        "idle",
        "players",
        "queue",
        "quiet",
        "round",
        "rulings",
        "samurai",
        "stage",
        "stirred",
        "window",
        "winners",
        "wounded",
    )

    def __init__(self, state: DuelState) -> None:
        self.duel = state.duel
        self.players = state.duel.players
        self.samurai = list(state.samurai)
        self.advantage = state.advantage
        self.round = state.round
        self.stage = state.stage
        self.queue = list(state.queue)
        self.frames = list(state.frames)
        self.blocks = state.blocks
        self.clock = state.clock
        self.acting = state.acting
        self.window = state.window
        self.asking = state.asking
        self.quiet = state.quiet
        self.stirred = state.stirred
        self.ask: Ask | None = state.ask
        self.winners = state.winners
        self.idle = state.idle
        self.rulings: list[Ruling] = []
        self.wounded = False
        """Whether somebody took a wound since health was last checked."""

    def state(self) -> DuelState:
        return DuelState(
            self.duel,
            tuple(self.samurai),
            self.advantage,
            self.round,
            self.stage,
            tuple(self.queue),
            tuple(self.frames),
            self.blocks,
            self.clock,
            self.acting,
            self.window,
            self.asking,
            self.quiet,
            self.stirred,
            self.ask,
            self.winners,
            self.idle,
        )

    def rule(self, rule: str, told: Message, changes: Changes | None = None, happened: Happening | None = None) -> None:
        self.rulings.append(Ruling(rule, told, changes or NO_CHANGES, happened))

    def change(self, seat: int, **fields: Any) -> None:
        self.samurai[seat] = replace(self.samurai[seat], **fields)

    def standing(self) -> list[int]:
        return [seat for seat, samurai in enumerate(self.samurai) if not samurai.defeated]

    def at(self, place: Hex) -> int | None:
        """Who stands there."""
        for seat, samurai in enumerate(self.samurai):
            if samurai.hex == place and not samurai.defeated:
                return seat
        return None

    def hex_of(self, seat: int) -> str:
        return self.duel.arena.hexes[self.samurai[seat].hex]

    def push(self, seat: int, lines: Lines, speed: int = 0) -> None:
        """Resolve these lines next, before what is already under way."""
        self.frames.append(Frame(seat, lines, speed))

    # What is done to a samurai

    def hurt(self, seats: list[int], harms: Mapping[int, Harm]) -> list[int]:
        """Everybody takes wounds at the same moment; who falls is out at once and takes no stun (SJ-R12).

        Gives those who are still standing.
        """
        for seat in seats:
            if harms[seat].wound:
                self.wound(seat, harms[seat].wound, "SJ-33", _wounded)
            if harms[seat].bleed:
                self._bleeding_wound(seat, harms[seat].bleed)
        self.settle()
        left = [] if self.stage == "over" else [seat for seat in seats if not self.samurai[seat].defeated]
        for seat in left:
            if harms[seat].stun:
                self.stun(seat, harms[seat].stun, "SJ-37", _stunned)
        return left

    def wound(self, seat: int, count: int, rule: str, tell: Telling) -> None:
        self.wounded = True
        name, was = self.players[seat], self.samurai[seat].wounds
        self.change(seat, row=self.samurai[seat].row + ("wound",) * count)
        self.rule(
            rule,
            tell(self.duel.named[seat], count),
            {f"wounds.{name}": (was, was + count)},
            SamuraiWounded(name, count, False),
        )

    def _bleeding_wound(self, seat: int, count: int) -> None:
        self.wounded = True
        name, was = self.players[seat], self.samurai[seat].bleeding
        self.change(seat, row=self.samurai[seat].row + ("bleeding",) * count)
        told = plural(
            "{player} takes a bleeding wound card.",
            "{player} takes {count} bleeding wound cards.",
            count,
            player=self.duel.named[seat],
        )
        self.rule("SJ-35", told, {f"bleeding.{name}": (was, was + count)}, SamuraiWounded(name, count, True))

    def stun(self, seat: int, count: int, rule: str, tell: Telling, by: StunnedBy = "card") -> None:
        name, was, held = self.players[seat], self.samurai[seat].stuns, _hand(self.samurai[seat])
        self.change(seat, stuns=was + count)
        self.rule(
            rule,
            tell(self.duel.named[seat], count),
            {f"stuns.{name}": (was, was + count), f"hands.{name}": (held, held + count)},
            SamuraiStunned(name, count, self.hex_of(seat), by),
        )

    # Cards

    def draw(self, seat: int, count: int, in_draw_phase: bool) -> None:
        """Draw from the deck; what cannot be drawn hurts, as the option `empty_deck` has it (SJ-R1)."""
        samurai, name = self.samurai[seat], self.players[seat]
        drawn = min(count, samurai.deck)
        if drawn:
            held = _hand(samurai)
            self.samurai[seat] = replace(samurai, deck=samurai.deck - drawn, hand=samurai.hand + drawn)
            self.rule(
                "SJ-46" if in_draw_phase else "SJ-7",
                _draws(name, drawn),
                {f"decks.{name}": (samurai.deck, samurai.deck - drawn), f"hands.{name}": (held, held + drawn)},
                CardsDrawn(name, drawn),
            )
        missing = count - drawn
        if missing:
            kind = self.duel.options.empty_deck
            if kind == "wound" or (kind == "mixed" and in_draw_phase):
                self.wound(seat, missing, "SJ-52", _wounded_by_empty_deck)
            else:
                self.stun(seat, missing, "SJ-66", _stunned_by_empty_deck, "empty_deck")

    def discard(self, seat: int, count: int, rule: str) -> None:
        """So many cards of the player's choice go face down; stuns never do."""
        samurai, name = self.samurai[seat], self.players[seat]
        count = min(count, samurai.hand)
        if count:
            held, pile = _hand(samurai), len(samurai.pile)
            self.change(seat, hand=samurai.hand - count, pile=samurai.pile + (None,) * count)
            self.rule(
                rule,
                plural(
                    "{player} discards a card face down.",
                    "{player} discards {count} cards face down.",
                    count,
                    player=self.duel.named[seat],
                ),
                {f"hands.{name}": (held, held - count), f"discards.{name}": (pile, pile + count)},
                CardsDiscarded(name, (None,) * count),
            )

    def discard_shown(self, seat: int, cards: tuple[str, ...]) -> None:
        """Cards that an opponent forces out of the hand go face up."""
        samurai, name = self.samurai[seat], self.players[seat]
        held, pile, count = _hand(samurai), len(samurai.pile), len(cards)
        shown = opened(samurai.shown, cards)
        self.change(seat, hand=samurai.hand - count, pile=samurai.pile + cards, shown=shown)
        self.rule(
            "SJ-59",
            message(
                "{player} is made to discard {cards} face up.",
                player=self.duel.named[seat],
                cards=things("card", cards),
            ),
            {f"hands.{name}": (held, held - count), f"discards.{name}": (pile, pile + count)},
            CardsDiscarded(name, cards),
        )

    # The end of a card, of a samurai, of the match

    def cancel(self, seat: int) -> None:
        """Nothing more of this player's card is resolved."""
        self.frames = [frame for frame in self.frames if frame.player != seat]
        self.queue = [waiting for waiting in self.queue if waiting.player != seat]
        if self.acting == seat:
            self.acting = -1

    def settle(self) -> None:
        """Samurai without health fall, all of them at the same moment; the last one standing has won."""
        if self.wounded:
            self.wounded = False
            fallen = [seat for seat in self.standing() if len(self.samurai[seat].row) >= self.duel.health[seat]]
            self.fell(fallen, "SJ-34", _without_health)

    def fell(self, fallen: list[int], rule: str, tell: Callable[[Thing], Message]) -> None:
        for seat in fallen:
            name, stood = self.players[seat], self.hex_of(seat)
            self.change(seat, defeated=True)
            self.cancel(seat)
            changes = {f"samurai.{name}.defeated": (False, True)}
            self.rule(rule, tell(self.duel.named[seat]), changes, SamuraiDefeated(name, stood))
        if fallen and len(self.standing()) < 2:
            self._end()

    def draw_duel(self) -> None:
        """Nobody can win any more (SJ-R36)."""
        told = message(
            "All decks are empty and nobody has played an ability card for three rounds: the duel is a draw."
        )
        self.rule("SJ-R36", told, self._over([]))

    def _end(self) -> None:
        left = self.standing()
        changes = self._over(left)
        if left:
            told = message("{player} is the last samurai standing and wins.", player=self.duel.named[left[0]])
            self.rule("SJ-R13", told, changes)
        else:
            self.rule("SJ-R12", message("The last samurai fall together: the duel is a draw."), changes)

    def _over(self, winners: list[int]) -> Changes:
        changes: Changes = {"over": (False, True), "phase": (PHASES[self.stage], "over")}
        self.stage, self.ask, self.winners = "over", None, tuple(winners)
        self.queue, self.frames = [], []
        return changes | {"winners": ([], [self.players[seat] for seat in winners])} if winners else changes


def opened(shown: Mapping[str, int], cards: Iterable[str]) -> dict[str, int]:
    """How many copies of each card lie face up, once these are turned up as well."""
    more = dict(shown)
    for card in cards:
        more[card] = more.get(card, 0) + 1
    return more


@lru_cache(KEPT)
def _draws(player: str, count: int) -> Message:
    return plural("{player} draws a card.", "{player} draws {count} cards.", count, player=Thing("player", player))


def _wounded(player: Thing, count: int) -> Message:
    return plural("{player} takes a wound card.", "{player} takes {count} wound cards.", count, player=player)


def _wounded_by_empty_deck(player: Thing, count: int) -> Message:
    return plural(
        "{player} takes a wound card: the deck is empty.",
        "{player} takes {count} wound cards: the deck is empty.",
        count,
        player=player,
    )


def _stunned(player: Thing, count: int) -> Message:
    return plural(
        "{player} takes a stun card into the hand.",
        "{player} takes {count} stun cards into the hand.",
        count,
        player=player,
    )


def _stunned_by_empty_deck(player: Thing, count: int) -> Message:
    return plural(
        "{player} takes a stun card into the hand: the deck is empty.",
        "{player} takes {count} stun cards into the hand: the deck is empty.",
        count,
        player=player,
    )


def _without_health(player: Thing) -> Message:
    return message("{player} has no health left and is defeated.", player=player)


def _hand(samurai: Samurai) -> int:
    """Cards in hand as the limit counts them: stuns too, the passive card never."""
    return samurai.hand + samurai.stuns
