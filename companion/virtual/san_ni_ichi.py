"""Virtual San, Ni, Ichi! players, and the cards that they really hold.

They know the rules as people do: at the end of a round they take their damage without asking the referee, so that the
Damage Piles on the table can be compared with what was ruled.
"""

from collections.abc import Sequence
from random import Random
from typing import Any

from companion.core.message import message
from companion.games.san_ni_ichi.cards import HAND, TORINOKO
from companion.games.san_ni_ichi.state import SanNiIchiState
from companion.virtual.bots import san_ni_ichi as bot
from companion.virtual.physical_table import PhysicalTable
from companion.virtual.player import Hands, Page, Player

CROSSWISE, UPRIGHT = 90.0, 0.0


class SanNiIchiCards:
    """Where every card of the match really is. The players share it; the referee never sees it."""

    def __init__(self, table: PhysicalTable, state: SanNiIchiState, random: Random) -> None:
        self.table, self.random = table, random
        self.players = state.table.players
        self.values = state.table.values
        self.by_cards = state.table.options.scoring == "cards"
        self.hands: dict[str, list[str]] = {name: [] for name in self.players}
        self.smoke: dict[str, list[str | None]] = {}
        """Whom a bomb protects this round, and which card each of them draws back, where there is a choice."""
        self.used: list[str] = []
        """Bombs that were declared in secret: they come onto the table when everybody has declared."""
        self.fought = False
        """Cards were turned up this round, so there is damage to take."""
        self._deck = [card for card, copies in state.table.copies.items() for _ in range(copies)]
        self._round = 1
        for card in state.table.display:
            table.lay("weapons", card, face_up=True)

    @property
    def dealt(self) -> bool:
        return not self._deck

    def deal(self) -> None:
        """Everybody has seen the weapons: they go into the deck, and all of it is dealt."""
        self.table.lift("weapons")
        self.random.shuffle(self._deck)
        for place, name in enumerate(self.players):
            self.hands[name] = self._deck[place * HAND : (place + 1) * HAND]
        self._deck = []

    def is_bomb(self, card: str) -> bool:
        return self.values[card].kind == TORINOKO

    def follow(self, round_now: int, over: bool) -> None:
        """Once the referee has moved on, the table is tidied; after the match leftover bombs are void."""
        if over or round_now > self._round:
            self._round = 1_000 if over else round_now
            self._draw_back()
            if self.fought:
                self._take_damage()
            self._tidy()
        if over:
            for name, hand in self.hands.items():
                self.hands[name] = [card for card in hand if not self.is_bomb(card)]

    def _draw_back(self) -> None:
        """Players protected by a bomb take the lowest card of their own pile into the hand."""
        for name in self.players:
            for wanted in self.smoke.get(name, ()):
                pile = [placed.card for placed in self.table.cards[f"{name}.combat"]]
                if pile:
                    least = min(self.values[card].strength for card in pile)
                    lowest = [card for card in pile if self.values[card].strength == least]
                    card = wanted if wanted in lowest else lowest[0]
                    self.hands[name].append(self.table.take(f"{name}.combat", card).card)

    def _take_damage(self) -> None:
        """The highest top card, among those whom no bomb protects, takes its whole pile."""
        tops = {
            name: self.values[top.card].strength
            for name in self.players
            if (top := self.table.top(f"{name}.combat")) and name not in self.smoke
        }
        for name, strength in tops.items():
            if strength == max(tops.values()):
                self.table.put_down(f"{name}.damage", self.table.lift(f"{name}.combat"), face_up=False)
        self.smoke, self.fought = {}, False

    def _tidy(self) -> None:
        """Block, Sai, Tonfa and used bombs are done with: whatever lies on the middle places is discarded."""
        while self.used:
            self.table.lay("discard", self.used.pop(), face_up=True)
        for name in self.players:
            top = self.table.top(f"{name}.damage")
            if top and top.face_up:
                self.table.turn_down(f"{name}.damage")
            if self.table.top(f"{name}.selected"):
                self.table.put_down("discard", self.table.lift(f"{name}.selected"))

    def damage(self, name: str) -> int:
        """What this player's Damage Pile counts, turned up and added."""
        pile = [placed.card for placed in self.table.cards[f"{name}.damage"]]
        return len(pile) if self.by_cards else sum(self.values[card].score for card in pile)


class SanNiIchiPlayer:
    carries = frozenset(("play", "discard", "block", "sai", "shuriken", "tonfa", "smoke", "pass"))

    def __init__(self, hands: Hands, cards: SanNiIchiCards, dealer: bool) -> None:
        self.hands, self._cards, self._dealer = hands, cards, dealer
        self._card = ""
        """This round's card, while it lies on the middle place."""
        self._down = False
        self._shown = False
        """The last card, a smoke bomb, lies face up: its player sits this round out and the bomb is discarded."""
        self._answered: tuple[object, ...] = ()
        """The last demand that was answered, so that it is answered once."""
        self._thrown: str | None = None
        """Where a Shuriken still lies face up."""

    def act(self, page: Page, light: str) -> bool:
        view, kinds = page["view"], page["awaits"]
        if not self._cards.dealt:
            if self._dealer:
                self._cards.deal()
            return self._dealer
        self._cards.follow(view["round"], page["over"])
        self.hands.hold(self._hand)
        if page["over"]:
            return False
        self._put_away(view)
        if light == "reveal" and self._down and "reveal" in kinds:
            return self._turn_up()
        if not kinds or self._answered == (asked := (view["round"], view["next"], tuple(kinds))):
            return False
        done = False
        if "select" in kinds or "sit_out" in kinds:
            done = self._select(page)
        elif view["phase"] == "attack" or "smoke" in kinds:
            carry_out = self._play if view["phase"] == "attack" else self._smoke
            move = self._decided(page, kinds)
            if move is not None:
                carry_out(move)
                done = True
        if done:
            self._answered = asked
        return done

    def _decided(self, page: Page, kinds: Sequence[str]) -> bot.Move | None:
        """What is played, or whether a bomb is used; None while a person has not said."""
        if self.hands.person is not None:
            return self.hands.person.tapped(kinds)
        mind, attack = self._mind(page), page["view"]["phase"] == "attack"
        return bot.play(mind, self._card, page["choices"]) if attack else bot.smoke(mind, page["choices"])

    def holds(self, move: bot.Move) -> bool:
        """Whether a person who has tapped this has the cards for it."""
        bombs = any(map(self._cards.is_bomb, self._hand))
        return bombs if move["move"] == "smoke" else move.get("discard", self._card) in (*self._hand, self._card, None)

    def counts(self) -> Page:
        self._cards.follow(0, True)
        pile = self.hands.table.cards[self.hands.zone("damage")]
        return {"damage": self._cards.damage(self.hands.name), "taken": len(pile), "hands": len(self._hand)}

    @property
    def _hand(self) -> list[str]:
        return self._cards.hands[self.hands.name]

    def _mind(self, page: Page) -> bot.SanNiIchiMind:
        return bot.SanNiIchiMind(page["view"], self.hands.name, self._hand, self._cards.values, self.hands.random)

    def _put_away(self, view: dict[str, Any]) -> None:
        """A Shuriken is turned face down once it is read, and a last bomb is discarded once it has been seen."""
        table, me = self.hands.table, self.hands.name
        seat = next(seat for seat in view["seats"] if seat["name"] == me)
        if self._thrown and (seat["played"] or not view["order"]):
            zone, self._thrown = self._thrown, None
            top = table.top(zone)
            if top and top.face_up:
                table.turn_down(zone)
        if self._shown and any(seat["selected"] for seat in view["seats"]):
            self._shown = False
            table.slide(self.hands.zone("selected"), "discard")

    # --- Selection ----------------------------------------------------------------------------------------------

    def _select(self, page: Page) -> bool:
        place, person = self.hands.zone("selected"), self.hands.person
        if all(map(self._cards.is_bomb, self._hand)):
            self._sit_out(place)
            return True
        if person is None:
            self._card = bot.choose(self._mind(page))
        else:
            able = [card for card in self._hand if not self._cards.is_bomb(card)]
            card = person.card(page["view"]["round"], message("Which card do you lay?"), able)
            if card is None:
                return False
            self._card = card
        self._hand.remove(self._card)
        self.hands.table.lay(place, self._card, face_up=False, rotation=CROSSWISE)
        self._down = True
        self.hands.did(move="select")
        self.hands.press("ready")
        return True

    def _sit_out(self, place: str) -> None:
        """One bomb is laid down; several are held up and stay in the hand."""
        if len(self._hand) > 1:
            self.hands.tap(move="sit_out", cards=list(self._hand))
            return
        bomb = self._hand.pop()
        self._shown = True
        self.hands.table.lay(place, bomb, face_up=True, rotation=CROSSWISE)
        self.hands.did(move="sit_out", cards=[bomb])
        self.hands.press("ready")

    def _turn_up(self) -> bool:
        self._down, self._cards.fought = False, True
        self.hands.table.turn_up(self.hands.zone("selected"))
        self.hands.did(move="reveal", card=self._card)
        return True

    # --- Attack -------------------------------------------------------------------------------------------------

    def _play(self, move: bot.Move) -> None:
        table, own = self.hands.table, self.hands.zone("selected")
        said = False
        match move["move"]:
            case "play":
                goal = move["on"]
                if "counter" in move:
                    goal = move["counter"]
                    table.put_down(f"{goal}.combat", table.lift(self.hands.zone("combat")))
                covered = table.top(f"{goal}.combat")
                # A card on another with the same face looks to the camera as if nothing had been laid.
                said = "element" in move or (covered is not None and covered.card == self._card)
                self._bring(f"{goal}.combat", UPRIGHT)
            case "discard":
                self._bring("discard", UPRIGHT)
            case "block":
                owner = move.get("for", self.hands.name)
                said = self._looks_blocked(owner)
                self._bring(f"{owner}.selected", UPRIGHT)
            case "sai":
                one, other = (table.lift(f"{name}.combat") for name in move["swap"])
                table.put_down(f"{move['swap'][0]}.combat", other)
                table.put_down(f"{move['swap'][1]}.combat", one)
            case "shuriken":
                self._thrown = f"{move['target']}.damage"
                self._bring(self._thrown, UPRIGHT)
            case "tonfa":
                self._hand.append(table.take(f"{move['from']}.combat").card)
                self._hand.remove(move["discard"])
                given = table.top("discard")
                said = given is not None and given.card == move["discard"]
                table.lay("discard", move["discard"], face_up=True)
        assert table.cards[own] or move["move"] not in ("sai", "tonfa")
        (self.hands.tap if said else self.hands.did)(**move)

    def _bring(self, zone: str, rotation: float) -> None:
        """Carry this round's card from the middle place, from under a team-mate's Block too."""
        self.hands.table.take(self.hands.zone("selected"), self._card)
        self.hands.table.lay(zone, self._card, face_up=True, rotation=rotation)

    def _looks_blocked(self, owner: str) -> bool:
        """A Block already lies upright there: the camera could not tell a second one apart."""
        top = self.hands.table.top(f"{owner}.selected")
        return bool(top and top.card == self._card and top.rotation == UPRIGHT)

    # --- Damage -------------------------------------------------------------------------------------------------

    def _smoke(self, move: bot.Move) -> None:
        way = self.hands.random.choice(("ready", "select", "tap")) if self.hands.person is None else "tap"
        if move["move"] == "pass":
            if way == "tap":
                self.hands.tap(**move)
            else:
                # Ready without a bomb laid, or the panel's first choice.
                self.hands.did(**move)
                self.hands.press(way)
            return
        bomb = next(card for card in self._hand if self._cards.is_bomb(card))
        self._hand.remove(bomb)
        self._cards.smoke.setdefault(move.get("for", self.hands.name), []).append(move.get("draw"))
        if way == "ready" and len(move) == 1:
            self.hands.table.lay(self.hands.zone("selected"), bomb, face_up=True, rotation=CROSSWISE)
            self.hands.did(**move, card=bomb)
        else:
            self.hands.tap(**move)
            self._cards.used.append(bomb)


def seat(hands: Sequence[Hands], state: SanNiIchiState) -> list[Player]:
    cards = SanNiIchiCards(hands[0].table, state, hands[0].random)
    return [SanNiIchiPlayer(each, cards, place == state.table.dealer) for place, each in enumerate(hands)]
