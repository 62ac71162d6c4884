"""Virtual Senjutsu players: what a person does with cards, miniature, button and tablet."""

from collections.abc import Sequence

from companion.games.senjutsu.card_language import ability as a
from companion.games.senjutsu.hexes import FACINGS, distance
from companion.games.senjutsu.kamae_board import KamaeBoard, ring
from companion.games.senjutsu.layout import ArenaOnTable, piece
from companion.games.senjutsu.movement import turns
from companion.games.senjutsu.state import DuelState
from companion.virtual.bots import senjutsu as bot
from companion.virtual.player import Hands, Page, Player
from companion.virtual.senjutsu_duel import Duel, Question
from companion.virtual.senjutsu_people import Fighter

BY_BUTTON = 0.25
"""How often somebody goes through the choices on the panel instead of tapping one."""
BY_RING = 0.75
"""How often a kamae step is made with the ring; the others say it first and move the ring afterwards."""
NEAR = 3
"""So many presses of a button nobody minds."""


class SenjutsuPlayer:
    def __init__(self, hands: Hands, duel: Duel, kamae: KamaeBoard) -> None:
        self.hands, self._duel, self._kamae = hands, duel, kamae
        self._laid_for = 0
        """The round for which a card was laid down."""
        self._turned_in = 0
        self._stands: tuple[complex, int] | None = None
        """Where the own miniature was put down last."""
        self._ring_on = ""
        """The kamae that the own ring was put on last."""
        hands.table.lay(hands.zone("deck"), self._me.deck[-1], face_up=False)
        self._walk()

    @property
    def _me(self) -> Fighter:
        return self._duel.fighters[self.hands.name]

    def counts(self) -> Page:
        """Everything that can be counted before this player when it is over."""
        me = self._me
        return {
            "wounds": me.row.count("wound"),
            "bleeding": me.row.count("bleeding"),
            "stuns": me.stuns,
            "hands": len(me.hand) + me.stuns,
            "decks": len(me.deck),
            "discards": len(me.pile),
            "pile": [card if up else None for card, up in me.pile],
        }

    def act(self, page: Page, light: str) -> bool:
        if page["moves"] < self._duel.deeds:
            return False  # the referee has not understood yet what lies there
        self._tidy()
        kinds, question = page["awaits"], self._duel.question
        if "select" in kinds and self._laid_for < self._duel.round:
            return self._lay(page)
        if "reveal" in kinds and light == "reveal" and self._turned_in < self._duel.round:
            return self._turn_up()
        if kinds and question and question.player == self.hands.name:
            return self._answer(page, question)
        return False

    def _mind(self, page: Page) -> bot.Mind:
        return bot.Mind(page["view"], self.hands.name, self._duel.cards, self._me.hand, self.hands.random)

    # --- what belongs before the own seat -----------------------------------------------------------------------

    def _tidy(self) -> None:
        """Wounds taken, cards discarded, the miniature where it belongs: people see to it before they go on."""
        table, zone, me = self.hands.table, self.hands.zone, self._me
        if not me.card and table.top(zone("card")):
            table.lift(zone("card"))
        for card, up in me.pile[len(table.cards[zone("discards")]) :]:
            table.lay(zone("discards"), card, face_up=up)
        for card in me.row[len(table.cards[zone("wounds")]) :]:
            table.lay(zone("wounds"), card, face_up=True)
        if not me.deck and table.top(zone("deck")):
            table.take(zone("deck"))
        self._walk()

    def _walk(self) -> None:
        if self._me.fallen:
            self.hands.table.pieces.pop(piece(self.hands.name), None)
            return
        if self._stands != (self._me.place, self._me.facing):
            self._stand(self._me.place, self._me.facing)
        if self._ring_on != self._me.kamae:
            self._put_ring(self._me.kamae)

    def _stand(self, place: complex, facing: int) -> None:
        """Put the miniature there, as exactly as people do."""
        self._stands = place, facing
        slip = self.hands.random.uniform
        x, y, turn = place.real + slip(-3, 3), place.imag + slip(-3, 3), -60.0 * facing + slip(-5, 5)
        self.hands.table.stand(piece(self.hands.name), x, y, turn % 360)

    def _put_ring(self, kamae: str) -> None:
        self._ring_on = kamae
        slip, (x, y) = self.hands.random.uniform, self._kamae.places[kamae]
        self.hands.table.stand(ring(self.hands.name), x + slip(-3, 3), y + slip(-3, 3), slip(0, 360))

    # --- the card of the round ----------------------------------------------------------------------------------

    def _lay(self, page: Page) -> bool:
        self._laid_for = self._duel.round
        card = bot.choose(self._mind(page))
        self._duel.choose(self.hands.name, card)
        self.hands.table.lay(self.hands.zone("card"), card, face_up=False)
        self.hands.did(move="select")
        self.hands.press("ready")
        return True

    def _turn_up(self) -> bool:
        self._turned_in = self._duel.round
        self.hands.table.turn_up(self.hands.zone("card"))
        self.hands.did(move="reveal", card=self._me.card)
        self._duel.turn_up(self.hands.name)
        return True

    # --- while cards act ----------------------------------------------------------------------------------------

    def _answer(self, page: Page, question: Question) -> bool:
        mind = self._mind(page)
        move = bot.answer(mind, page["choices"])
        if move["move"] == "step":
            # Two ways to the same hex are one to the camera.
            ends = [(mind.end_of(each.get("path", ())), each) for each in page["choices"] if each["move"] == "step"]
            goal = mind.end_of(move["path"])
            move = next((each for end, each in ends if end == goal), move) if goal else move
        if self._shown_on_the_table(mind, move, question):
            self._show(move)
            self.hands.did(**move)
        elif move == {"move": "pass"} and self.hands.random.random() < 0.5:
            self.hands.did(**move)
            self.hands.press("ready")
        elif self._by_button(page, move):
            self.hands.did(**move)
        else:
            self.hands.tap(**move)
            if move["move"] in ("instant", "discard"):
                self._show(move)
        self._duel.answer(move)
        return True

    def _show(self, move: bot.Move) -> None:
        """Lay, move or turn what this is about; where nothing has to be laid, nothing."""
        table, zone, me = self.hands.table, self.hands.zone, self._me
        match move["move"]:
            case "instant":
                table.lay(zone("card"), move["card"], face_up=True)
            case "discard":
                for card in move["cards"]:
                    table.lay(zone("discards"), card, face_up=True)
            case "step":
                ways = [FACINGS.index(name) for name in move["path"]]
                self._stand(self._duel.walked(me, ways), me.facing)
            case "rotate":
                self._stand(me.place, FACINGS.index(move["facing"]))
            case "kamae":
                self._put_ring(move["to"])

    def _shown_on_the_table(self, mind: bot.Mind, move: bot.Move, question: Question) -> bool:
        """Whether the camera can tell this move from the cards and the miniature alone."""
        me, line = self._me, question.line
        match move["move"]:
            case "instant":
                return (me.card, *me.laid)[-1] != str(move["card"])
            case "step":
                assert isinstance(line, a.StepLine)
                goal = mind.end_of(move["path"])
                return goal is not None and distance(goal, mind.pose.place) == line.hexes
            case "rotate":
                assert isinstance(line, a.RotateLine)
                facing = FACINGS.index(move["facing"])
                return facing != me.facing and facing in turns(me.facing, line.sixths, line.side, False)
            case "kamae":
                return self.hands.random.random() < BY_RING
            case "discard" if len(move["cards"]) == 1:
                return next((card for card, up in reversed(me.pile) if up), "") != str(move["cards"][0])
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


def seat(hands: Sequence[Hands], state: DuelState) -> list[Player]:
    random = hands[0].random

    def spare(who: Fighter) -> str:
        return bot.least(who.hand, state.duel.cards, random)

    duel = Duel(state, random, spare)
    ground = ArenaOnTable(state.duel)
    return [SenjutsuPlayer(each, duel, ground.kamae_board(at)) for at, each in enumerate(hands)]
