"""Virtual Senjutsu players, and the cards that they really hold.

Hands, decks and discards are theirs, and the referee never sees them. What happens on the table they read on their
seat's page, as people do: who is struck, how many cards to draw or to give up. At the end their cards are counted
against what was ruled.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from companion.core.message import message
from companion.games.senjutsu.card_language.ability import PASSIVE, STUN, Ability, RotateLine, StepLine
from companion.games.senjutsu.card_language.script import read_line
from companion.games.senjutsu.hexes import FACINGS, Hex, distance
from companion.games.senjutsu.kamae_board import KamaeBoard, ring
from companion.games.senjutsu.layout import ArenaOnTable, piece
from companion.games.senjutsu.movement import turns
from companion.games.senjutsu.state import DuelState
from companion.virtual.bots import senjutsu as bot
from companion.virtual.player import Hands, Page, Player

BY_BUTTON = 0.25
"""How often somebody goes through the choices on the panel instead of tapping one."""
BY_RING = 0.75
"""How often a kamae step is made with the ring; the others say it first and move the ring afterwards."""
NEAR = 3
"""So many presses of a button nobody minds."""


class RealCards:
    """The cards of one player."""

    def __init__(self, deck: Mapping[str, int], hand: int, cards: Mapping[str, Ability], random: Random) -> None:
        self.abilities, self._random = cards, random
        shuffled = [card for card, copies in deck.items() for _ in range(copies)]
        random.shuffle(shuffled)
        self.deck, self.hand = shuffled[:-hand], shuffled[-hand:]
        """Ability cards; stuns are counted, and the passive card is always in the hand."""
        self.stuns = 0
        self.row: list[str] = []
        """Wound cards: `wound` or `bleeding`."""
        self.pile: list[tuple[str, bool]] = []
        """Discards from bottom to top, and whether each lies face up."""
        self.played: list[str] = []
        """The round's card, first face down, and the instants over it."""
        self.fallen = False
        self._heard = -1
        """The number of the last sentence that was read."""

    @property
    def in_hand(self) -> list[str]:
        return [*self.hand, PASSIVE, *[STUN] * self.stuns]

    def play(self, card: str) -> None:
        """Lay a card of the hand on the place of the round's card."""
        if card == STUN:
            self.stuns -= 1
        elif card != PASSIVE:
            self.hand.remove(card)
        self.played.append(card)

    def follow(self, said: Sequence[dict[str, Any]], name: str) -> None:
        """Do with the cards what new sentences on the page say about this player."""
        for each in said:
            if each["number"] > self._heard:
                self._heard = each["number"]
                happened = each["happened"]
                if happened and happened.get("player") == name:
                    self._do(happened)

    def _do(self, happened: dict[str, Any]) -> None:
        match happened["what"]:
            case "drew":
                self.hand += [self.deck.pop() for _ in range(happened["cards"])]
            case "bled":
                self.pile += [(self.deck.pop(), False) for _ in range(happened["cards"])]
            case "discarded":
                for card in happened["cards"]:
                    self._discard(card)
            case "wounded":
                self.row += ["bleeding" if happened["bleeding"] else "wound"] * happened["cards"]
            case "stunned":
                self.stuns += happened["cards"]
            case "defeated":
                self.fallen = True

    def _discard(self, card: str | None) -> None:
        """Face up a card that was played or forced out of the hand, face down one that can be spared."""
        if card is None:
            spare = bot.least(self.hand, self.abilities, self._random)
            self.hand.remove(spare)
            self.pile.append((spare, False))
            return
        (self.played if card in self.played else self.hand).remove(card)
        self.pile.append((card, True))

    def tidy(self) -> None:
        """The round is over: the passive card is back in the hand, and a stun in the supply."""
        self.played = []


class SenjutsuPlayer:
    carries = frozenset(("speed", "instant", "pass", "step", "rotate", "kamae", "choose", "use", "draw", "discard"))

    def __init__(self, hands: Hands, cards: RealCards, ground: ArenaOnTable, kamae: KamaeBoard) -> None:
        self.hands, self.cards, self._ground, self._kamae = hands, cards, ground, kamae
        self._laid_for = 0
        """The round for which a card was laid down."""
        self._turned_in = 0
        self._answered_at = -1
        """How many moves had been made when this player last answered."""
        self._stands: tuple[str, str] | None = None
        """The hex and facing that the miniature was last put down with."""
        self._ring_on = ""
        """The kamae that the ring was last put on."""
        hands.table.lay(hands.zone("deck"), cards.deck[-1], face_up=False)

    def put_down(self, hex_name: str, facing: str) -> None:
        """Before the first round: the miniature on its start hex, the ring on the gateway."""
        self._stand(hex_name, facing)
        self._put_ring("gateway")

    def counts(self) -> Page:
        """Everything of this player's that can be counted when it is over."""
        cards = self.cards
        return {
            "wounds": cards.row.count("wound"),
            "bleeding": cards.row.count("bleeding"),
            "stuns": cards.stuns,
            "hands": len(cards.hand) + cards.stuns,
            "decks": len(cards.deck),
            "discards": len(cards.pile),
            "pile": [card if up else None for card, up in cards.pile],
        }

    def act(self, page: Page, light: str) -> bool:
        view = page["view"]
        me = next(one for one in view["samurai"] if one["player"] == self.hands.name)
        self.cards.follow(page["said"], self.hands.name)
        self.hands.hold(self.cards.in_hand)
        if page["over"] or page["moves"] == self._answered_at:
            return False  # nothing more to do, or the referee has not understood the answer yet
        if view["phase"] == "draw" and self._laid_for < view["round"]:
            self.cards.tidy()
        self._tidy(me)
        kinds = page["awaits"]
        if "select" in kinds and self._laid_for < view["round"]:
            return self._lay(page)
        if "reveal" in kinds and light == "reveal" and self._turned_in < view["round"]:
            return self._turn_up(view["round"])
        if kinds and view["asked"] == self.hands.name:
            return self._answer(page, me)
        return False

    def holds(self, move: bot.Move) -> bool:
        """Whether a person who has tapped this has the cards for it."""
        wanted = [*move.get("cards", ()), *([move["card"]] if "card" in move else ())]
        return all(wanted.count(card) <= self.cards.in_hand.count(card) for card in wanted)

    def _mind(self, page: Page) -> bot.SenjutsuMind:
        cards = self.cards
        return bot.SenjutsuMind(page["view"], self.hands.name, cards.abilities, cards.hand, self.hands.random)

    # --- what belongs before this player's seat -----------------------------------------------------------------

    def _tidy(self, me: Page) -> None:
        """Wounds taken, cards discarded, the miniature where it belongs: people see to it before they go on."""
        table, zone, cards = self.hands.table, self.hands.zone, self.cards
        if not cards.played and table.top(zone("card")):
            table.lift(zone("card"))
        for card, up in cards.pile[len(table.cards[zone("discards")]) :]:
            table.lay(zone("discards"), card, face_up=up)
        for card in cards.row[len(table.cards[zone("wounds")]) :]:
            table.lay(zone("wounds"), card, face_up=True)
        if not cards.deck and table.top(zone("deck")):
            table.take(zone("deck"))
        if cards.fallen:
            table.pieces.pop(piece(self.hands.name), None)
            return
        if self._stands != (me["hex"], me["facing"]):
            self._stand(me["hex"], me["facing"])
        if self._ring_on != me["kamae"]:
            self._put_ring(me["kamae"])

    def _stand(self, hex_name: str, facing: str) -> None:
        """Put the miniature there, as exactly as people do."""
        self._stands = hex_name, facing
        slip = self.hands.random.uniform
        x, y = self._ground.centre(self._ground.arena.names[hex_name])
        turn = -60.0 * FACINGS.index(facing) + slip(-5, 5)
        self.hands.table.stand(piece(self.hands.name), x + slip(-3, 3), y + slip(-3, 3), turn % 360)

    def _put_ring(self, kamae: str) -> None:
        self._ring_on = kamae
        slip, (x, y) = self.hands.random.uniform, self._kamae.places[kamae]
        self.hands.table.stand(ring(self.hands.name), x + slip(-3, 3), y + slip(-3, 3), slip(0, 360))

    # --- the card of the round ----------------------------------------------------------------------------------

    def _lay(self, page: Page) -> bool:
        round_now, person = page["view"]["round"], self.hands.person
        if person is None:
            card: str | None = bot.choose(self._mind(page))
        else:
            card = person.card(round_now, message("Which card do you lay?"), bot.able(self._mind(page)))
        if card is None:
            return False
        self._laid_for = round_now
        self.cards.play(card)
        self.hands.table.lay(self.hands.zone("card"), card, face_up=False)
        self.hands.did(move="select")
        self.hands.press("ready")
        return True

    def _turn_up(self, round_now: int) -> bool:
        self._turned_in = round_now
        self.hands.table.turn_up(self.hands.zone("card"))
        self.hands.did(move="reveal", card=self.cards.played[0])
        return True

    # --- while cards act ----------------------------------------------------------------------------------------

    def _answer(self, page: Page, me: Page) -> bool:
        mind, person = self._mind(page), self.hands.person
        move = bot.answer(mind, page["choices"]) if person is None else person.tapped(page["awaits"])
        if move is None:
            return False
        self._answered_at = page["moves"]
        if move["move"] == "step":
            move = self._as_seen(mind, move, page["choices"])
        if self._shown_on_the_table(mind, move, me, page["view"]["line"]):
            self._show(mind, move, me)
            self.hands.did(**move)
        elif move == {"move": "pass"} and self.hands.random.random() < 0.5:
            self.hands.did(**move)
            self.hands.press("ready")
        elif self._by_button(page, move):
            self.hands.did(**move)
        else:
            self.hands.tap(**move)
            if move["move"] in ("instant", "discard"):
                self._show(mind, move, me)
        if move["move"] == "instant":
            self.cards.play(move["card"])
        return True

    def _as_seen(self, mind: bot.SenjutsuMind, move: bot.Move, choices: Sequence[bot.Move]) -> bot.Move:
        """Two paths to the same hex look the same to the camera, which takes the first."""
        goal = mind.end_of(move["path"])
        if goal is None:
            return move
        steps = [each for each in choices if each["move"] == "step"]
        return next(each for each in steps if mind.end_of(each.get("path", ())) == goal)

    def _show(self, mind: bot.SenjutsuMind, move: bot.Move, me: Page) -> None:
        """Lay, move or turn what this move is about; where nothing has to be laid, nothing."""
        table, zone = self.hands.table, self.hands.zone
        match move["move"]:
            case "instant":
                table.lay(zone("card"), move["card"], face_up=True)
            case "discard":
                for card in move["cards"]:
                    table.lay(zone("discards"), card, face_up=True)
            case "step":
                self._stand(mind.arena.hexes[_goal(mind, move)], me["facing"])
            case "rotate":
                self._stand(me["hex"], move["facing"])
            case "kamae":
                self._put_ring(move["to"])

    def _shown_on_the_table(self, mind: bot.SenjutsuMind, move: bot.Move, me: Page, line: str) -> bool:
        """Whether the camera can tell this move from the cards and the miniature alone."""
        match move["move"]:
            case "instant":
                return bool(self.cards.played[-1] != move["card"])
            case "step":
                goal, asked = mind.end_of(move["path"]), read_line(line)
                assert isinstance(asked, StepLine)
                return goal is not None and distance(goal, mind.pose.place) == asked.hexes
            case "rotate":
                asked, facing = read_line(line), FACINGS.index(move["facing"])
                assert isinstance(asked, RotateLine)
                now = FACINGS.index(me["facing"])
                return facing != now and facing in turns(now, asked.sixths, asked.side, False)
            case "kamae":
                return self.hands.random.random() < BY_RING
            case "discard" if len(move["cards"]) == 1:
                return bool(next((card for card, up in reversed(self.cards.pile) if up), "") != move["cards"][0])
        return False

    def _by_button(self, page: Page, move: bot.Move) -> bool:
        if move not in page["choices"] or self.hands.random.random() > BY_BUTTON:
            return False
        place = page["choices"].index(move)
        if place > NEAR:
            return False
        for button in ["down"] * place + ["select"]:
            self.hands.press(button)
        return True


def _goal(mind: bot.SenjutsuMind, move: bot.Move) -> Hex:
    goal = mind.end_of(move["path"])
    assert goal is not None
    return goal


def seat(hands: Sequence[Hands], state: DuelState) -> list[Player]:
    duel, ground = state.duel, ArenaOnTable(state.duel)
    players: list[Player] = []
    for at, each in enumerate(hands):
        cards = RealCards(duel.decks[at], state.samurai[at].hand, duel.cards, each.random)
        player = SenjutsuPlayer(each, cards, ground, ground.kamae_board(at))
        player.put_down(duel.arena.hexes[state.samurai[at].hex], FACINGS[state.samurai[at].facing])
        players.append(player)
    return players
