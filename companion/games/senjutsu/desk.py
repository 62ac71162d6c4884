"""The working copy of a state while one move is resolved: rules change it, rulings say what they changed."""

from typing import Any

import msgspec

from companion.core.message import message
from companion.core.rulings import Ruling
from companion.games.senjutsu.ability import Harm, Lines
from companion.games.senjutsu.hexes import Hex
from companion.games.senjutsu.state import PHASES, Ask, Frame, Samurai, State

replace = msgspec.structs.replace


class Desk:
    """Holds the fields of `State` under the same names, as lists where they are tuples there."""

    def __init__(self, state: State) -> None:
        self.duel = state.duel
        self.players = state.duel.players
        self.samurai = list(state.samurai)
        self.advantage = list(state.advantage)
        self.round = state.round
        self.stage = state.stage
        self.queue = list(state.queue)
        self.frames = list(state.frames)
        self.guards = list(state.guards)
        self.clock = state.clock
        self.acting = state.acting
        self.window = state.window
        self.asking = list(state.asking)
        self.quiet = state.quiet
        self.stirred = state.stirred
        self.ask: Ask | None = state.ask
        self.winners = state.winners
        self.rulings: list[Ruling] = []
        self.wounded = False
        """Whether there is anything to settle."""

    def state(self) -> State:
        return State(
            self.duel,
            tuple(self.samurai),
            tuple(self.advantage),
            self.round,
            self.stage,
            tuple(self.queue),
            tuple(self.frames),
            tuple(self.guards),
            self.clock,
            self.acting,
            self.window,
            tuple(self.asking),
            self.quiet,
            self.stirred,
            self.ask,
            self.winners,
        )

    def rule(self, rule: str, say: str, changes: dict[str, tuple[Any, Any]] | None = None, **facts: Any) -> None:
        self.rulings.append(Ruling(rule, message(say, **facts), changes or {}))

    def tell(self, rule: str, one: str, many: str, changes: dict[str, tuple[Any, Any]], seat: int, count: int) -> None:
        """A ruling about so many cards of a player."""
        self.rule(rule, one if count == 1 else many, changes, player=self.players[seat], count=count)

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

    def push(self, seat: int, lines: Lines, speed: int = 0) -> None:
        """Resolve these lines next, before what is already under way."""
        self.frames.append(Frame(seat, lines, speed))

    # What is done to a samurai

    def hurt(self, seat: int, harm: Harm) -> None:
        """Wounds, bleeding wounds and stuns, taken at once."""
        if harm.wound:
            self.wound(seat, harm.wound, "SJ-33")
        if harm.bleed:
            self.wounded = True
            was = self.samurai[seat].bleeding
            self.change(seat, row=self.samurai[seat].row + ("bleeding",) * harm.bleed)
            changes = {f"bleeding.{self.players[seat]}": (was, was + harm.bleed)}
            one, many = (
                "{player} takes a bleeding wound card.",
                "{player} takes {count} bleeding wound cards.",
            )
            self.tell("SJ-35", one, many, changes, seat, harm.bleed)
        if harm.stun:
            self.stun(seat, harm.stun, "SJ-37")

    def wound(self, seat: int, count: int, rule: str) -> None:
        self.wounded = True
        was = self.samurai[seat].wounds
        self.change(seat, row=self.samurai[seat].row + ("wound",) * count)
        changes = {f"wounds.{self.players[seat]}": (was, was + count)}
        one, many = "{player} takes a wound card.", "{player} takes {count} wound cards."
        self.tell(rule, one, many, changes, seat, count)

    def stun(self, seat: int, count: int, rule: str) -> None:
        was, held = self.samurai[seat].stuns, _hand(self.samurai[seat])
        self.change(seat, stuns=was + count)
        name = self.players[seat]
        changes = {f"stuns.{name}": (was, was + count), f"hands.{name}": (held, held + count)}
        one, many = (
            "{player} takes a stun card into the hand.",
            "{player} takes {count} stun cards into the hand.",
        )
        self.tell(rule, one, many, changes, seat, count)

    # Cards

    def draw(self, seat: int, count: int, in_draw_phase: bool) -> None:
        """Draw from the deck; what cannot be drawn hurts, by R1's switch."""
        samurai, name = self.samurai[seat], self.players[seat]
        drawn = min(count, samurai.deck)
        if drawn:
            held = _hand(samurai)
            self.change(seat, deck=samurai.deck - drawn, hand=samurai.hand + drawn)
            changes = {
                f"decks.{name}": (samurai.deck, samurai.deck - drawn),
                f"hands.{name}": (held, held + drawn),
            }
            rule = "SJ-46" if in_draw_phase else "SJ-7"
            self.tell(rule, "{player} draws a card.", "{player} draws {count} cards.", changes, seat, drawn)
        missing = count - drawn
        if missing:
            kind = self.duel.options.empty_deck
            if kind == "wound" or (kind == "mixed" and in_draw_phase):
                self.wound(seat, missing, "SJ-52")
            else:
                self.stun(seat, missing, "SJ-66")

    def discard(self, seat: int, count: int, rule: str) -> None:
        """So many cards of the player's own choice go face down; stuns never do."""
        samurai, name = self.samurai[seat], self.players[seat]
        count = min(count, samurai.hand)
        if count:
            held, pile = _hand(samurai), len(samurai.pile)
            self.change(seat, hand=samurai.hand - count, pile=samurai.pile + (None,) * count)
            changes = {f"hands.{name}": (held, held - count), f"discards.{name}": (pile, pile + count)}
            one, many = "{player} discards a card face down.", "{player} discards {count} cards face down."
            self.tell(rule, one, many, changes, seat, count)

    def discard_shown(self, seat: int, cards: tuple[str, ...]) -> None:
        """Cards that an opponent forces out of the hand go face up."""
        samurai, name = self.samurai[seat], self.players[seat]
        held, pile, count = _hand(samurai), len(samurai.pile), len(cards)
        shown = self.opened(seat, *cards)
        self.change(seat, hand=samurai.hand - count, pile=samurai.pile + cards, shown=shown)
        changes = {f"hands.{name}": (held, held - count), f"discards.{name}": (pile, pile + count)}
        self.rule("SJ-59", "{player} is made to discard {cards} face up.", changes, player=name, cards=cards)

    def opened(self, seat: int, *cards: str) -> dict[str, int]:
        """The copies that lie open, with these turned up as well."""
        shown = dict(self.samurai[seat].shown)
        for card in cards:
            shown[card] = shown.get(card, 0) + 1
        return shown

    # The end of a card, of a samurai, of the match

    def cancel(self, seat: int) -> None:
        """Nothing more of this player's card is resolved."""
        self.frames = [frame for frame in self.frames if frame.player != seat]
        self.queue = [waiting for waiting in self.queue if waiting.player != seat]
        if self.acting == seat:
            self.acting = -1

    def settle(self) -> None:
        """Who has no health left falls, all of them at the same moment; the last one standing has won."""
        if not self.wounded:
            return
        self.wounded = False
        fallen = [seat for seat in self.standing() if len(self.samurai[seat].row) >= self.duel.health[seat]]
        self.fell(fallen, "SJ-34", "{player} has no health left and is defeated.")

    def fell(self, fallen: list[int], rule: str, say: str) -> None:
        for seat in fallen:
            self.change(seat, defeated=True)
            self.cancel(seat)
            name = self.players[seat]
            self.rule(rule, say, {f"samurai.{name}.defeated": (False, True)}, player=name)
        if not fallen:
            return
        left = self.standing()
        if len(left) > 1:
            return
        changes: dict[str, tuple[Any, Any]] = {"over": (False, True), "phase": (PHASES[self.stage], "over")}
        self.stage, self.ask, self.winners = "over", None, tuple(left)
        self.queue, self.frames = [], []
        if left:
            winners = [self.players[left[0]]]
            changes["winners"] = ([], winners)
            self.rule("R13", "{player} is the last samurai standing and wins.", changes, player=winners[0])
        else:
            self.rule("R12", "The last samurai fall together: the duel is a draw.", changes)


def _hand(samurai: Samurai) -> int:
    """Cards in hand as the limit counts them: stuns too, the passive card never."""
    return samurai.hand + samurai.stuns
