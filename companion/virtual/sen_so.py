"""Virtual Sen So players, who handle cards, holders, pawn, button and tablet as a person does."""

from collections.abc import Sequence

from companion.core.message import Thing, message
from companion.core.own_hand import HandOption
from companion.games.sen_so.cards import REVEALED, SHURIKEN, WEAPONS
from companion.games.sen_so.geometry import NAMES, NUMBER
from companion.games.sen_so.layout import cell_centre
from companion.games.sen_so.state import SLOTS, SenSoState
from companion.virtual.bots import sen_so as bot
from companion.virtual.person import Person
from companion.virtual.player import Hands, Page, Player

PATIENCE = 5.0
"""Seconds after which somebody presses a button again."""


class SenSoPlayer:
    carries: frozenset[str] = frozenset()

    def __init__(self, hands: Hands, state: SenSoState) -> None:
        self.hands = hands
        self._state = state  # only for the size of the board's cells
        self._weapons: tuple[str, ...] = ()
        self._weapon: str | None = None
        self._block = "F"
        self._plans: dict[str, bot.Plan] = {}
        self._shuriken = 0
        self._score = 0
        self._set_up = False
        self._pressed = -PATIENCE
        self._laid = False
        """The cards of this set are on the table; the camera may still be looking."""
        self._turned = True
        """The cards of this reveal are turned up; nothing is left to do but wait."""
        self._asked: tuple[object, ...] = ()
        """The last question that was answered, so that it is answered only once."""

    def act(self, page: Page, light: str) -> bool:
        if page["over"]:
            return False
        self._walk(page)
        kinds = page["awaits"]
        if "arm" in kinds:
            return self._arm()
        if "set" in kinds:
            return self._lay(page)
        if light == "reveal" and not self._turned:
            return self._turn(page)
        if light == "placing" and ("show" in kinds or "reveal" in kinds):
            return self._ready(page)
        if {"aim", "glance", "guard"} & set(kinds):
            return self._choose(page)
        return False

    def holds(self, move: dict[str, object]) -> bool:
        return True  # what is tapped needs no card from the hand

    def counts(self) -> Page:
        """Points are written down and not kept as cards, so there is nothing to count on the table."""
        return {}

    def _mind(self, page: Page) -> bot.SenSoMind:
        return bot.SenSoMind(page["view"], self.hands.name, self.hands.random)

    def _walk(self, page: Page) -> None:
        """Put the pawn where the page says it is now."""
        seat = next(seat for seat in page["view"]["seats"] if seat["name"] == self.hands.name)
        piece = f"pawn.{self.hands.name}"
        if seat["cell"] is None:
            self.hands.table.pieces.pop(piece, None)
            return
        x, y = cell_centre(self._state, self._state.board.cell(seat["cell"]))
        stands = self.hands.table.pieces.get(piece)
        if stands is None or abs(stands.x - x) + abs(stands.y - y) > 8:
            jitter = self.hands.random.uniform
            self.hands.table.stand(piece, x + jitter(-3, 3), y + jitter(-3, 3), 0.0)

    def _arm(self) -> bool:
        chosen = bot.arm(self.hands.random)
        self._weapons = tuple(weapon for weapon in chosen if weapon != SHURIKEN)
        self._shuriken = chosen.count(SHURIKEN)
        self.hands.tap(move="arm", weapons=list(chosen))
        return True

    def _lay(self, page: Page) -> bool:
        if self._laid:
            return self._ready(page)
        self._laid = True
        mind = self._mind(page)
        gained, self._score = mind.me["score"] - self._score, mind.me["score"]
        restless = gained < 0 or (gained == 0 and self._set_up and self.hands.random.random() < 0.5)
        if not self._set_up:
            self._set_up = True
            self._weapon = self.hands.random.choice(self._weapons)
            self._block = bot.block_side(mind)
            self._plans["action1"] = self._plan(mind, ("block", "F"), restless)
            self._plans["action2"] = self._plan(mind, self._plans["action1"], restless)
            self._down("weapon", self._weapon, "F")
            self._down("block", "block", self._block)
            for slot in ("action1", "action2"):
                self._down(slot, *self._plans[slot])
            slots = list(SLOTS)
        else:
            self._lock()
            self._plans["action2"] = self._plan(mind, self._plans["action1"], restless)
            self._down("action2", *self._plans["action2"])
            slots = ["action2"]
        self.hands.did(move="set", slots=slots)
        return self._ready(page)

    def _plan(self, mind: bot.SenSoMind, before: bot.Plan, restless: bool) -> bot.Plan:
        due = [plan[0] for plan in self._plans.values()]
        # A card that is already on the table cannot be played a second time.
        spare = tuple(weapon for weapon in self._weapons if weapon != self._weapon and weapon not in due)
        return bot.plan(mind, before, self._weapon, self._shuriken - due.count(SHURIKEN), spare, restless)

    def _lock(self) -> None:
        """Clear place 1 and slide place 2 up (SEN-29)."""
        if self.hands.table.top(self.hands.zone("action1")):
            played = self.hands.table.take(self.hands.zone("action1"))
            self._shuriken -= played.card == SHURIKEN
        self.hands.table.slide(self.hands.zone("action2"), self.hands.zone("action1"))
        self._plans = {"action1": self._plans["action2"]}

    def _down(self, slot: str, card: str, direction: str) -> None:
        self.hands.table.lay(self.hands.zone(slot), card, face_up=False, rotation=-45.0 * NUMBER[direction] % 360)

    def _ready(self, page: Page) -> bool:
        """Press, and press again after a while if nothing happened."""
        now = page["clock"]["now"]
        if now < self._pressed + PATIENCE:
            return False
        self._pressed = now
        self._turned = False
        self._asked = ()
        self.hands.press("ready")
        return True

    def _turn(self, page: Page) -> bool:
        """At the count of three."""
        self._turned = True
        table, zone = self.hands.table, self.hands.zone
        if "show" in page["awaits"]:
            table.turn_up(zone("weapon"))
            self.hands.did(move="show", weapon=self._weapon)
            return True
        self._laid = False
        card, direction = self._plans["action1"]
        if card == "block":
            table.take(zone("block"))
            table.slide(zone("action1"), zone("block"))
            self._block = direction
            self.hands.did(move="change_block")
        elif card in WEAPONS and card != SHURIKEN:
            if table.top(zone("weapon")):
                table.take(zone("weapon"))
            table.slide(zone("action1"), zone("weapon"))
            table.turn_up(zone("weapon"))
            self._weapon = card
            self.hands.did(move="change_weapon", weapon=card)
        else:
            table.turn_up(zone("action1"))
            self.hands.did(move="reveal", card=card, direction=direction)
        return True

    def _choose(self, page: Page) -> bool:
        choices = [choice for choice in page["choices"] if choice["move"] != "concede"]  # nobody here gives up
        asked = (page["view"]["set"], choices[0]["move"])
        if asked == self._asked:
            return False
        self._asked = asked
        if choices[0]["move"] == "aim":
            self.hands.tap(move="aim", cell=bot.aim(self._mind(page), [choice["cell"] for choice in choices]))
        elif choices[0]["move"] == "glance":
            self.hands.tap(move="glance", result="blow")
        elif any(choice["direction"] == self._block for choice in choices):
            self.hands.table.turn_up(self.hands.zone("block"))
            self.hands.did(move="guard", direction=self._block)
        else:
            self.hands.tap(move="guard", direction=None)
        return True


SIDES = tuple(HandOption(message("to {side}", side=Thing("direction", side)), value=side) for side in NAMES)


class SenSoPerson(SenSoPlayer):
    """Somebody who says on the page which cards to lay, and which way round."""

    def __init__(self, hands: Hands, person: Person, state: SenSoState) -> None:
        super().__init__(hands, state)
        self._person = person
        """Whoever plays here; a bot asks itself once they have left (`hands.person` is None then)."""
        self._card = ""
        """A card that is chosen, while it is not known yet which way it lies."""
        self._slid = False

    def act(self, page: Page, light: str) -> bool:
        me = next(seat for seat in page["view"]["seats"] if seat["name"] == self.hands.name)
        if me["loadout"] and not self._weapons:
            self._weapons = tuple(weapon for weapon in me["loadout"] if weapon != SHURIKEN)
            self._shuriken = me["loadout"].count(SHURIKEN)
        self._person.cards = (*self._spare, *[SHURIKEN] * self._shuriken)
        if not {"set", "guard"} & set(page["awaits"]):
            self._person.nothing_to_ask()
        return super().act(page, light)

    @property
    def _spare(self) -> tuple[str, ...]:
        """Weapons that are still in the hand."""
        due = [card for card, _ in self._plans.values()]
        return tuple(weapon for weapon in self._weapons if weapon != self._weapon and weapon not in due)

    def _arm(self) -> bool:
        return super()._arm() if self.hands.person is None else False  # tapped on the page

    def _lay(self, page: Page) -> bool:
        if self._laid:
            return self._ready(page)
        slots = SLOTS if self._weapons else SLOTS[1:]  # bare hands are no card
        if self._set_up:
            slots = SLOTS[-1:]
            if not self._slid:  # the last set was played: its second action becomes the first
                self._slid = True
                self._lock()
                return True
        missing = [slot for slot in slots if self.hands.table.top(self.hands.zone(slot)) is None]
        if missing:
            return self._lay_in(missing[0]) if self.hands.person is not None else self._lay_alone(missing[0], page)
        self._set_up = self._laid = True
        self._slid = False
        self.hands.did(move="set", slots=list(slots))
        return self._ready(page)

    def _lay_in(self, slot: str) -> bool:
        """Ask for the card and which way it lies, one after the other; True once it lies there."""
        card = "block" if slot == "block" else self._card or self._which(slot)
        if card is None:
            return False
        self._card = card
        side = "F" if card in self._weapons else self._person.one((slot, "side"), message("Which way?"), SIDES)
        if side is None:
            return False
        self._put(slot, card, side)
        return True

    def _put(self, slot: str, card: str, side: str) -> None:
        self._card = ""
        if slot == "weapon":
            self._weapon = card
        elif slot == "block":
            self._block = side
        else:
            self._plans[slot] = card, side
        self._down(slot, card, side)

    def _lay_alone(self, slot: str, page: Page) -> bool:
        """What a bot lays there."""
        mind = self._mind(page)
        if slot == "weapon":
            card, side = self.hands.random.choice(self._weapons), "F"
        elif slot == "block":
            card, side = "block", bot.block_side(mind)
        else:
            card, side = self._plan(mind, self._plans.get("action1", ("block", "F")), False)
        self._put(slot, self._card or card, side)
        return True

    def _which(self, slot: str) -> str | None:
        if slot == "weapon":
            return self._person.card(slot, message("Which weapon do you lay first?"), self._weapons)
        due = [card for card, _ in self._plans.values()]
        thrown = self._shuriken <= due.count(SHURIKEN)
        cards = [card for card in (*REVEALED, "block", *self._spare) if card != SHURIKEN or not thrown]
        return self._person.card(slot, message("What is your {place}?", place=Thing("place", slot)), cards)

    def _choose(self, page: Page) -> bool:
        """Only the block is shown by hand; everything else is tapped."""
        if self.hands.person is None:
            return super()._choose(page)
        sides = [each["direction"] for each in page["choices"] if each["move"] == "guard"]
        if not sides:
            return False
        options = [HandOption(message("Show no block"), value="none")]
        if self._block in sides:
            options.append(HandOption(message("Show the block"), "block", "block"))
        shown = self._person.one(("guard", page["moves"]), message("You are attacked."), options)
        if shown == "block":
            self.hands.table.turn_up(self.hands.zone("block"))
            self.hands.did(move="guard", direction=self._block)
        elif shown is not None:
            self.hands.tap(move="guard", direction=None)
        return shown is not None


def seat(hands: Sequence[Hands], state: SenSoState) -> list[Player]:
    return [
        SenSoPlayer(each, state) if each.person is None else SenSoPerson(each, each.person, state) for each in hands
    ]
