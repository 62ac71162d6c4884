"""Virtual Sensu players, and the cards that they really hold.

They know the rules as people do: what fits a fan, when a power acts, when all discards become the new deck. So the
cards on the table at the end can be compared with what the referee has ruled.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import msgspec

from companion.core.message import Thing, message
from companion.core.own_hand import HandOption
from companion.games.sensu.cards import CARDS, CLOSED_COPIES, FULL, HAND, POWERS, TYPES
from companion.games.sensu.faces import closed_id
from companion.games.sensu.moves import Combine
from companion.games.sensu.piles import DECK
from companion.games.sensu.solo import PLACES
from companion.games.sensu.state import SensuState
from companion.virtual.bots import sensu as bot
from companion.virtual.person import Person
from companion.virtual.physical_table import PhysicalTable
from companion.virtual.player import Hands, Page, Player

CLOSED, CLOSED_DISCARDS = "closed", "closed_discards"
KIND_OF = {closed_id(kind): kind for kind in TYPES}
WISDOM_DRAWS = 3
A_LOOK = 2.5
"""Seconds for which everybody looks at a combination before its player redeems."""


class RealFanCards:
    """Where every card of the match really is. The players share it; the referee never sees it."""

    def __init__(self, table: PhysicalTable, state: SensuState, random: Random) -> None:
        self.table, self.terms, self._random = table, state.terms, random
        self.hands: dict[str, list[str]] = {name: [] for name in self.terms.players}
        self._under: dict[tuple[str, str], list[str]] = {}
        """Complete fans, by player and type: they lie squared up under their Closed fan card."""
        self.fresh = False
        """The deck has just been made of the discards, and nobody has drawn from it."""
        deck = sorted(self.terms.cards)
        random.shuffle(deck)
        if not self.terms.solo:
            for hand in self.hands.values():
                hand += [deck.pop() for _ in range(HAND)]
        for card in deck:
            table.lay(DECK, card, face_up=False)
        self._lay_closed_fans({seat.player: seat.chosen for seat in state.seats})

    def _lay_closed_fans(self, chosen: dict[str, str | None]) -> None:
        if not self.terms.chosen_fan:
            for kind in TYPES:
                for _ in range(CLOSED_COPIES):
                    self.table.lay(f"closed_{kind}", closed_id(kind), face_up=True)
            return
        rest = [closed_id(kind) for kind in TYPES for _ in range(CLOSED_COPIES)]
        for player, own in chosen.items():
            assert own is not None
            self.table.lay(f"{player}.chosen", closed_id(own), face_up=True)
            rest.remove(closed_id(own))
        self._random.shuffle(rest)
        for card in rest:
            self.table.lay(CLOSED, card, face_up=False)

    # --- what anybody can see -------------------------------------------------------------------------------------

    def closed(self, player: str, kind: str) -> bool:
        return (player, kind) in self._under

    def fan(self, player: str, kind: str) -> list[str]:
        lying = [placed.card for placed in self.table.cards[f"{player}.{kind}"]]
        return self._under.get((player, kind), lying)

    def sticks(self, player: str, kind: str) -> int:
        return sum(self.terms.sticks[card] for card in self.fan(player, kind))

    def pile(self, player: str) -> list[str]:
        return [placed.card for placed in self.table.cards[f"{player}.discards"]]

    def chosen(self, player: str) -> str | None:
        top = self.table.top(f"{player}.chosen") if self.terms.chosen_fan else None
        return KIND_OF[top.card] if top else None

    def fits(self, player: str, card: str) -> bool:
        kind = CARDS[card].type
        after = self.sticks(player, kind) + self.terms.sticks[card]
        barred = after == FULL and self.terms.chosen_fan and self.chosen(player) != kind
        return not (after > FULL or barred)

    def possible(self, player: str, power: str) -> bool:
        """Whether a power that was set off can do anything."""
        piles = {name: self.pile(name) for name in self.terms.players}
        if power == "wisdom":
            return bool(self.table.cards[DECK]) or any(piles.values())
        if power == "harmony":
            start = self.terms.harmony_may_start_fan
            tops = [pile[-1] for pile in piles.values() if pile]
            return any(self.fits(player, top) and (start or self.fan(player, CARDS[top].type)) for top in tops)
        others = [self.fan(name, kind) for name in piles for kind in TYPES if name != player and self._open(name, kind)]
        return any(fan[-1] not in self.terms.symbols for fan in others)

    def _open(self, player: str, kind: str) -> bool:
        return bool(self.fan(player, kind)) and not self.closed(player, kind)

    # --- what anybody does -----------------------------------------------------------------------------------------

    def renew(self, view: dict[str, Any]) -> bool:
        """Once the referee has ruled it, all discards are shuffled into a new deck."""
        ruled = not self.table.cards[DECK] and not any(seat["discards"] for seat in view["seats"])
        if self.terms.solo or not ruled or not any(map(self.pile, self.terms.players)):
            return False
        self.shuffle_discards()
        return True

    def shuffle_discards(self) -> None:
        cards = [placed for name in self.terms.players for placed in self.table.lift(f"{name}.discards")]
        self._random.shuffle(cards)
        self.table.put_down(DECK, cards, face_up=False)
        self.fresh = True

    def close(self, player: str, kind: str) -> None:
        """Square the fan up and cover it with the player's chosen card, or with one from the stack of that type."""
        fan = f"{player}.{kind}"
        self._under[player, kind] = [placed.card for placed in self.table.lift(fan)]
        cover = self.table.take(f"{player}.chosen" if self.terms.chosen_fan else f"closed_{kind}")
        self.table.lay(fan, cover.card, face_up=True)

    def choose_again(self, player: str) -> str:
        """Draw Closed fan cards until one is of another type than those already closed."""
        while True:
            if not self.table.cards[CLOSED]:
                again = self.table.lift(CLOSED_DISCARDS)
                self._random.shuffle(again)
                self.table.put_down(CLOSED, again, face_up=False)
            card = self.table.take(CLOSED).card
            kind = KIND_OF[card]
            if not self.closed(player, kind):
                self.table.lay(f"{player}.chosen", card, face_up=True)
                return kind
            self.table.lay(CLOSED_DISCARDS, card, face_up=True)


class SensuPlayer:
    carries = frozenset(("combine", "draw", "discard", "place", "pass", "wisdom", "harmony", "courage"))

    def __init__(self, hands: Hands, cards: RealFanCards) -> None:
        self.hands, self._cards = hands, cards
        self._answered: dict[str, Any] = {}
        """What the page showed when this player last acted: each view is answered once."""
        self._taken: str | None = None
        """The card just taken from a discard pile."""
        self._laid: Combine | None = None
        """The combination that everybody is looking at."""
        self._pending: list[str] = []
        """Redeemed cards that are still to be placed, in that order."""
        self._drawn = False
        """Alone: a person looks at the next card and has not laid it yet."""
        self._asks: list[str] = []
        """What has to be done before the next card is placed."""

    def act(self, page: Page, light: str) -> bool:
        view = page["view"]
        if page["over"]:
            return False
        if self._cards.renew(view):
            return True
        if not page["awaits"]:
            return False
        if self._laid is not None:
            return self._redeem(self._laid)
        self.hands.hold(self._hand)
        if view == self._answered:
            return False
        if self.hands.person is None:
            mind = bot.SensuMind(view, self.hands.name, self._hand, self._cards.terms, self.hands.random)
            self._carry_out(self._decided(mind, page["choices"]), mind)
        else:
            move = self._said(self.hands.person, view, page["awaits"])
            if move is None:
                return False
            self._carry_out(move)
        self._answered = view
        return True

    def holds(self, move: bot.Move) -> bool:
        """Whether a person who has tapped this has the cards for it."""
        if self._cards.terms.solo:
            return True
        wanted = move["cards"] if move["move"] == "combine" else [move["card"]] if move["move"] == "discard" else []
        return all(wanted.count(card) <= self._hand.count(card) for card in wanted)

    def counts(self) -> Page:
        name, cards = self.hands.name, self._cards
        if not cards.terms.solo and not cards.table.cards[DECK]:
            cards.shuffle_discards()
        fans = {
            kind: {
                "cards": cards.fan(name, kind),
                "sticks": cards.sticks(name, kind),
                "closed": cards.closed(name, kind),
            }
            for kind in TYPES
        }
        return {"fans": fans, "discards": cards.pile(name), "hands": len(self._hand)}

    @property
    def _hand(self) -> list[str]:
        return self._cards.hands[self.hands.name]

    # --- deciding ----------------------------------------------------------------------------------------------------

    def _decided(self, mind: bot.SensuMind, choices: list[bot.Move]) -> bot.Move:
        """What a bot does."""
        sources = [choice["from"] for choice in choices if "from" in choice]
        match mind.view["phase"]:
            case "action" if self._cards.terms.solo:
                laid = bot.alone(mind)
                if laid is None:
                    card = self._next
                    return {"move": "draw", "card": card, "to": bot.place_for(mind, card)}
                return _as_move(laid)
            case "action":
                laid = bot.combination(mind, self._hand)
                if laid is None and not sources:
                    laid = bot.combination(mind, self._hand, least=-100)
                if laid is not None:
                    return _as_move(laid)
                return {"move": "draw", "from": bot.source(mind, sources)} if sources else {"move": "pass"}
            case "discard":
                return {"move": "discard", "card": bot.discard(mind, self._taken)}
            case "place":
                redeemed = tuple(card["card"] for card in mind.view["redeemed"])
                return {"move": "place", "cards": list(mind.best_build(redeemed).order)}
        match self._asks[0]:
            case "wisdom":
                return {"move": "wisdom", "from": bot.source(mind, sources)}
            case "harmony":
                return {"move": "harmony", "from": bot.harmony(mind, sources)}
            case "courage":
                return {"move": "courage", "fans": bot.courage(mind, choices)}
        return {"move": "chosen"}

    def _said(self, person: Person, view: dict[str, Any], kinds: Sequence[str]) -> bot.Move | None:
        """What a person wants done; None while they have not said."""
        if self._asks[:1] == ["chosen"]:
            return {"move": "chosen"}  # it is drawn blindly
        if view["phase"] == "discard":
            able = [card for card in dict.fromkeys(self._hand) if card != self._taken or len(set(self._hand)) == 1]
            card = person.card(("discard", len(self._hand), view["deck"]), message("Which card do you discard?"), able)
            return None if card is None else {"move": "discard", "card": card}
        if not (self._cards.terms.solo and view["phase"] == "action"):
            return person.tapped(kinds)
        if not self._drawn:
            laid = person.tapped(["combine"])
            draw = [HandOption(message("Draw a card"), value="draw")] if self._cards.table.cards[DECK] else []
            text = message("Draw a card, or lay a combination.")
            self._drawn = laid is None and bool(draw) and person.one(view["deck"], text, draw, beside=True) is not None
            return laid
        self.hands.hold([self._next])
        options = [HandOption(message("{place}", place=Thing("place", place)), value=place) for place in PLACES]
        place = person.one(("to", view["deck"]), message("Where do you lay it?"), options)
        if place is None:
            return None
        self._drawn = False
        return {"move": "draw", "card": self._next, "to": place}

    @property
    def _next(self) -> str:
        """The card on top of the deck."""
        top = self._cards.table.top(DECK)
        assert top is not None
        return top.card

    # --- a turn's action ---------------------------------------------------------------------------------------------

    def _carry_out(self, move: bot.Move, mind: bot.SensuMind | None = None) -> None:
        match move["move"]:
            case "combine":
                self._combine(msgspec.convert(move, Combine))
            case "draw" if self._cards.terms.solo:
                card = self.hands.table.take(DECK).card
                self.hands.table.lay(self.hands.zone(move["to"]), card, face_up=True)
                self.hands.did(**move)
            case "draw":
                self._draw(mind, move["from"], "draw")
            case "discard":
                self._discard(move["card"])
            case "place":
                self._place(move["cards"])
            case "pass":
                self.hands.tap(**move)
            case _:
                self._answer(move, mind)

    def _draw(self, mind: bot.SensuMind | None, source: str, kind: str) -> None:
        """A draw from a pile can be seen; one from the deck only by the discard after it. Otherwise it is reported."""
        table, move = self.hands.table, {"move": kind, "from": source}
        self._taken = None
        if source != DECK:
            self._taken = table.take(f"{source}.discards").card
            self._hand.append(self._taken)
            self.hands.did(**move)
            return
        self._hand.append(table.take(DECK).card)
        fresh, self._cards.fresh = self._cards.fresh, False
        if mind is None or fresh or not table.cards[DECK]:
            # After a reshuffle a former top card may be drawn and discarded again at once, so the draw is reported.
            self.hands.tap(**move)
        elif kind == "draw" and len(self._hand) > HAND:
            self.hands.did(**move)
            now = bot.SensuMind(mind.view, self.hands.name, self._hand, mind.terms, mind.random)
            self._discard(bot.discard(now, self._taken))
        elif self.hands.random.random() < 0.5:
            self.hands.did(**move)
            self.hands.press("ready")
        else:
            self.hands.tap(**move)

    def _discard(self, card: str) -> None:
        self._hand.remove(card)
        self.hands.table.lay(self.hands.zone("discards"), card, face_up=True)
        self.hands.did(move="discard", card=card)

    def _combine(self, laid: Combine) -> None:
        table = self.hands.table
        if self._cards.terms.solo:
            for zone in map(self.hands.zone, PLACES):
                top = table.top(zone)
                if top and top.card in laid.cards:
                    table.take(zone)
        for card in laid.cards:
            if not self._cards.terms.solo:
                self._hand.remove(card)
            table.lay(self.hands.zone("combination"), card, face_up=True)
        self._laid = laid
        self.hands.linger(A_LOOK)

    def _redeem(self, laid: Combine) -> bool:
        """When everybody has seen the combination, the redeemed cards are moved to their place."""
        self._laid = None
        for card in laid.redeem:
            self.hands.table.take(self.hands.zone("combination"), card)
            self.hands.table.lay(self.hands.zone("redeemed"), card, face_up=True)
        rest = [placed.card for placed in self.hands.table.cards[self.hands.zone("combination")]]
        wild = {} if laid.wild is None else {"wild": laid.wild}
        redeem = list(laid.redeem)
        self.hands.did(move="combine", cards=[*redeem, *rest], redeem=redeem, **wild, discard=rest)
        return True

    # --- building ----------------------------------------------------------------------------------------------------

    def _place(self, order: Sequence[str]) -> None:
        """The rest goes to the player's pile; then cards are placed until something else has to be done."""
        table = self.hands.table
        table.put_down(self.hands.zone("discards"), table.lift(self.hands.zone("combination")))
        self._pending = list(order)
        self.hands.did(move="place", cards=list(order))
        self._go_on()

    def _go_on(self) -> None:
        while not self._won:
            if self._asks:
                if self._asks[0] == "chosen" or self._cards.possible(self.hands.name, self._asks[0]):
                    break
                self._asks.pop(0)
            elif self._pending:
                card = self._pending.pop(0)
                self.hands.table.take(self.hands.zone("redeemed"), card)
                self._lay(card)
            else:
                return
        self._line_up()

    @property
    def _won(self) -> bool:
        closed = sum(self._cards.closed(self.hands.name, kind) for kind in TYPES)
        return closed == self._cards.terms.goal

    def _line_up(self) -> None:
        """Cards that wait to be placed lie in the order in which they will be."""
        table, zone = self.hands.table, self.hands.zone("redeemed")
        if [placed.card for placed in table.cards[zone]] != self._pending:
            table.lift(zone)
            for card in self._pending:
                table.lay(zone, card, face_up=True)

    def _lay(self, card: str) -> None:
        """Into its fan, or onto the player's pile where it cannot be used."""
        cards, name, kind = self._cards, self.hands.name, CARDS[card].type
        if not cards.fits(name, card):
            if not cards.table.cards[DECK]:
                cards.shuffle_discards()
            cards.table.lay(self.hands.zone("discards"), card, face_up=True)
            return
        cards.table.lay(self.hands.zone(kind), card, face_up=True)
        symbols = sum(each in cards.terms.symbols for each in cards.fan(name, kind))
        woken = []
        if cards.sticks(name, kind) == FULL:
            cards.close(name, kind)
            woken += ["chosen"] * cards.terms.chosen_fan
        if cards.terms.powers and card in cards.terms.symbols and symbols == 2:
            power = POWERS[kind]
            woken += [power] * (WISDOM_DRAWS if power == "wisdom" else 1)
        self._asks = [*woken, *self._asks]

    def _answer(self, move: bot.Move, mind: bot.SensuMind | None) -> None:
        table, ask = self.hands.table, self._asks.pop(0)
        match ask:
            case "chosen":
                self.hands.did(move="chosen", fan=self._cards.choose_again(self.hands.name))
            case "wisdom":
                self._draw(mind, move["from"], "wisdom")
            case "harmony":
                card = table.take(f"{move['from']}.discards").card
                self.hands.did(**move)
                self._lay(card)
            case "courage":
                for player, kind in move["fans"].items():
                    table.lay(f"{player}.discards", table.take(f"{player}.{kind}").card, face_up=True)
                self.hands.did(**move)
        self._go_on()


def _as_move(laid: Combine) -> bot.Move:
    move: bot.Move = msgspec.to_builtins(laid)
    return move


def deal(players: Sequence[str], options: Mapping[str, Any], random: Random) -> Mapping[str, Any]:
    """Deal a chosen fan from the real Closed fan cards to everybody who has none (SU-59)."""
    variants, named = options.get("variants"), options.get("chosen", {})
    if not isinstance(variants, list) or "chosen_fan" not in variants or not isinstance(named, dict):
        return options
    taken = [named.get(player) for player in players]
    pack = [kind for kind in TYPES for _ in range(CLOSED_COPIES - taken.count(kind))]
    random.shuffle(pack)
    return {**options, "chosen": {player: named.get(player) or pack.pop() for player in players} | named}


def seat(hands: Sequence[Hands], state: SensuState) -> list[Player]:
    cards = RealFanCards(hands[0].table, state, hands[0].random)
    return [SensuPlayer(each, cards) for each in hands]
