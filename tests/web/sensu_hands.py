"""Two people who hold real Sensu cards and know what they want to do with them."""

from random import Random

from companion.games.sensu.combination import lays
from companion.games.sensu.fans import obstacle
from companion.games.sensu.moves import Combine, DiscardFanCard, DrawFanCard, PlaceRedeemed
from companion.games.sensu.state import SensuState, asked
from companion.record.match import Match

Wish = Combine | DiscardFanCard | DrawFanCard | PlaceRedeemed


class SensuHands:
    def __init__(self, match: Match, seed: int) -> None:
        self.match, self.random = match, Random(seed)
        self.deck = sorted(self.state.terms.cards)
        self.random.shuffle(self.deck)
        self.hands = {player: [self.deck.pop() for _ in range(5)] for player in match.players}

    @property
    def state(self) -> SensuState:
        state: SensuState = self.match.state
        return state

    def wish(self) -> Wish:
        """What the player whose turn it is does next: a combination that builds most, or else another card."""
        state, hand = self.state, self.hands[self.state.player]
        match asked(state):
            case "place":
                return PlaceRedeemed(state.redeemed)
            case "discard":
                return DiscardFanCard(self.random.choice(hand))
        every = lays(tuple(hand), state.terms.table, orders=True)
        most = max(map(self._built, every), default=0)
        if not most:
            return DrawFanCard("deck")
        return self.random.choice([move for move in every if self._built(move) == most])

    def _built(self, move: Combine) -> int:
        seat, terms = self.state.seat, self.state.terms
        return sum(terms.sticks[card] for card in move.redeem if obstacle(terms, seat, card) is None)

    def done(self, player: str, wish: Wish) -> None:
        """It was done at the table, too."""
        hand = self.hands[player]
        match wish:
            case Combine():
                self.hands[player] = [card for card in hand if card not in wish.cards]
            case DiscardFanCard():
                hand.remove(wish.card)
            case DrawFanCard():
                hand.append(self.deck.pop())
