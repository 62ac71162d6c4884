"""A second implementation of Sensu, as plain as possible and written from the rules alone, to check the first one.

It shares no code with the rules it checks. It knows where every card is, plays a match at random, tells each move to
the referee, and looks whether the referee sees the table as it lies.
"""

from itertools import combinations
from random import Random
from typing import Any

TYPES = ("gun_sen", "hi_ogi", "mai_ougi")
WILDS = ("123", "456", "789")
LEVELS = ((40, "grandmaster"), (35, "master"), (30, "samurai"), (25, "apprentice"), (20, "beginner"), (0, "gutted"))


def type_of(card: str) -> str:
    return card.split("-")[0]


def shown(card: str) -> str:
    return card.split("-")[1]


def box(wild_winds: int) -> list[str]:
    numbered = [f"{kind}-{value}-{winds}" for kind in TYPES for value in range(1, 10) for winds in range(3)]
    return numbered + [f"{kind}-{values}-{wild_winds}" for kind in TYPES for values in WILDS]


def deck_for(players: int, wild_winds: int) -> list[str]:
    left_out = {1: "02", 2: "2", 3: "2"}.get(players, "")
    return [card for card in box(wild_winds) if card[-1] not in left_out]


class End(Exception):
    """Raised when the match is over."""


class SecondWriting:
    def __init__(self, chance: Random, referee: Any, players: list[str], options: dict[str, Any]) -> None:
        self.chance, self.referee, self.players, self.options = chance, referee, players, options
        self.solo = len(players) == 1
        self.deck = deck_for(len(players), options["wild_winds"])
        chance.shuffle(self.deck)
        size = 0 if self.solo else 5
        self.hands = {name: [self.deck.pop() for _ in range(size)] for name in players}
        self.discards: dict[str, list[str]] = {name: [] for name in players}
        self.fans: dict[str, dict[str, list[str]]] = {name: {kind: [] for kind in TYPES} for name in players}
        self.chosen = dict(options.get("chosen", {}))
        self.columns: list[list[str]] = [[], [], [], []]
        self.turn = options.get("first", players[0])
        self.winners: list[str] = []
        self.done: list[str] = []
        """The kinds of move that were made."""

    # --- what there is to see -------------------------------------------------------------------------------------

    def sticks(self, card: str) -> int:
        return 1 if shown(card) in WILDS else self.options["sticks"][int(shown(card)) - 1]

    def in_fan(self, player: str, kind: str) -> int:
        return sum(map(self.sticks, self.fans[player][kind]))

    def closed(self, player: str) -> list[str]:
        return [kind for kind in TYPES if self.in_fan(player, kind) == 10]

    def score(self) -> int:
        (player,) = self.players
        left = sum(map(self.sticks, self.deck)) if len(self.closed(player)) == 3 else 0
        return sum(self.in_fan(player, kind) for kind in TYPES) + left

    def facts(self) -> dict[str, Any]:
        def fan(player: str, kind: str) -> dict[str, Any]:
            sticks = self.in_fan(player, kind)
            return {"cards": self.fans[player][kind], "sticks": sticks, "closed": sticks == 10}

        seen: dict[str, Any] = {
            "over": bool(self.winners),
            "winners": self.winners,
            "turn": self.turn,
            "deck": len(self.deck),
            "hands": {player: len(hand) for player, hand in self.hands.items()},
            "discards": self.discards,
            "fans": {player: {kind: fan(player, kind) for kind in TYPES} for player in self.players},
        }
        if self.solo:
            score = self.score()
            level = next(name for least, name in LEVELS if score >= least)
            seen |= {"columns": self.columns, "score": score, "level": level}
        return seen

    def agree(self) -> None:
        told = self.referee.facts
        for path, seen in self.facts().items():
            assert told[path] == seen, (path, self.done[-3:])

    def tell(self, move: str, **fields: Any) -> None:
        """The referee waits for just this kind of move from just this player, and takes it."""
        assert move in self.referee.awaits[self.turn]
        named = {name.rstrip("_"): value for name, value in fields.items()}
        self.referee.move(self.turn, self.referee.decode({"move": move, **named}))
        self.done.append(move)

    # --- what is done ---------------------------------------------------------------------------------------------

    def play(self, turns: int) -> None:
        try:
            for _ in range(turns):
                self.agree()
                self.act()
                self.turn = self.players[(self.players.index(self.turn) + 1) % len(self.players)]
        except End:
            self.winners = [self.turn]
        # When the match ends, redeemed cards that have not been placed stay where they are.
        self.agree()

    def act(self) -> None:
        player = self.turn
        ends = [column[-1] for column in self.columns if column] + self.discards[player][-1:]
        laid = self.twenties(ends if self.solo else self.hands[player])
        if laid and self.chance.random() < 0.8:
            self.combine(*self.chance.choice(laid))
        elif self.solo:
            self.draw_open()
        elif self.sources():
            self.draw()
        else:
            self.tell("pass")

    def sources(self) -> list[str]:
        return ["deck"] * bool(self.deck) + [player for player in self.players if self.discards[player]]

    def take(self, source: str) -> None:
        self.hands[self.turn].append((self.deck if source == "deck" else self.discards[source]).pop())
        self.renew()

    def renew(self) -> None:
        """When the deck has run out, all discards become the new one."""
        if not self.deck and not self.solo:
            self.deck = [card for pile in self.discards.values() for card in pile]
            self.discards = {player: [] for player in self.players}
            self.chance.shuffle(self.deck)

    def draw(self) -> None:
        source = self.chance.choice(self.sources())
        self.tell("draw", from_=source)
        self.take(source)
        hand = self.hands[self.turn]
        if len(hand) == 6:
            self.agree()
            card = self.chance.choice(hand)
            self.tell("discard", card=card)
            hand.remove(card)
            self.throw(card)

    def draw_open(self) -> None:
        card, at = self.deck.pop(), self.chance.randrange(5)
        self.tell("draw", card=card, to=f"column{at}" if at else "discards")
        (self.columns[at - 1] if at else self.discards[self.turn]).append(card)
        if not self.deck:
            raise End

    def throw(self, *cards: str) -> None:
        self.discards[self.turn] += cards
        self.renew()

    @staticmethod
    def twenties(cards: list[str]) -> list[tuple[tuple[str, ...], int | None]]:
        found: list[tuple[tuple[str, ...], int | None]] = []
        for size in range(3, 6):
            for laid in combinations(cards, size):
                wilds = [card for card in laid if shown(card) in WILDS]
                rest = 20 - sum(int(shown(card)) for card in laid if card not in wilds)
                if not wilds and not rest:
                    found.append((laid, None))
                if len(wilds) == 1 and rest in map(int, shown(wilds[0])):
                    found.append((laid, rest))
        return found

    def redeem(self, laid: tuple[str, ...]) -> list[str]:
        numbers = [shown(card) for card in laid if shown(card) not in WILDS]
        bonuses = (len(set(numbers)) < len(numbers)) + any(sum(type_of(c) == kind for c in laid) >= 3 for kind in TYPES)
        left, redeemed = list(laid), []
        for want in [max] + [min] * bonuses:
            best = want(map(self.sticks, left))
            redeemed.append(self.chance.choice([card for card in left if self.sticks(card) == best]))
            left.remove(redeemed[-1])
        return redeemed

    def combine(self, laid: tuple[str, ...], wild: int | None) -> None:
        redeemed = self.redeem(laid)
        rest = [card for card in laid if card not in redeemed]
        self.chance.shuffle(rest)
        value = {} if wild is None else {"wild": wild}
        self.tell("combine", cards=list(laid), redeem=redeemed, discard=rest, **value)
        for place in (*self.columns, self.hands[self.turn], self.discards[self.turn]):
            place[:] = [card for card in place if card not in laid]
        self.throw(*rest)
        self.agree()
        self.chance.shuffle(redeemed)
        self.tell("place", cards=redeemed)
        for card in redeemed:
            self.lay(card) if self.fits(card) else self.throw(card)

    # --- fans, powers, chosen fans --------------------------------------------------------------------------------

    def fits(self, card: str) -> bool:
        kind = type_of(card)
        after = self.in_fan(self.turn, kind) + self.sticks(card)
        return after < 10 or (after == 10 and self.chosen.get(self.turn, kind) == kind)

    def lay(self, card: str) -> None:
        player, kind, symbols = self.turn, type_of(card), self.options.get("symbols", ())
        fan = self.fans[player][kind]
        fan.append(card)
        if kind in self.closed(player):
            if len(self.closed(player)) == (3 if self.solo else 2):
                raise End
            if self.chosen:
                self.chosen[player] = self.chance.choice([each for each in TYPES if each not in self.closed(player)])
                self.tell("chosen", fan=self.chosen[player])
        if card in symbols and sum(each in symbols for each in fan) == 2:
            {"hi_ogi": self.wisdom, "mai_ougi": self.harmony, "gun_sen": self.courage}[kind]()

    def wisdom(self) -> None:
        for _ in range(3):
            if self.sources():
                source = self.chance.choice(self.sources())
                self.tell("wisdom", from_=source)
                self.take(source)

    def harmony(self) -> None:
        def usable(card: str) -> bool:
            may_start = self.options["harmony_may_start_fan"] or self.fans[self.turn][type_of(card)]
            return bool(may_start) and self.fits(card)

        piles = [player for player, pile in self.discards.items() if pile and usable(pile[-1])]
        if piles:
            source = self.chance.choice(piles)
            self.tell("harmony", from_=source)
            self.lay(self.discards[source].pop())

    def courage(self) -> None:
        lost = {}
        for player in self.players:
            kinds = [kind for kind in TYPES if kind not in self.closed(player) and self.fans[player][kind]]
            bare = [kind for kind in kinds if self.fans[player][kind][-1] not in self.options["symbols"]]
            if player != self.turn and bare:
                lost[player] = self.chance.choice(bare)
        if lost:
            self.tell("courage", fans=lost)
            for player, kind in lost.items():
                self.discards[player].append(self.fans[player][kind].pop())
                self.renew()
