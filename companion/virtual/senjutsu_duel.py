"""The duel as the people at the table play it: real cards in real hands, and nobody asks the referee.

The rulebook a second time, and quite otherwise than the rules have it: a script that runs from top to bottom and
stops where somebody has to say something. The referee never sees it; at the end its wounds, hands, decks and
discards are counted against what was ruled.
"""

from collections.abc import Callable, Generator, Iterable, Sequence
from random import Random
from typing import Any, NamedTuple

from companion.games.senjutsu.card_language import ability as a
from companion.games.senjutsu.hexes import FACINGS
from companion.games.senjutsu.state import DuelState
from companion.virtual.senjutsu_people import Fighter, Guard, People, Turn, direction, near

TYPES = ("defence", "attack", "meditation", "core")

Answer = dict[str, Any]
Script = Generator["Question", Answer, None]


class Question(NamedTuple):
    """Somebody has to say something before the script goes on."""

    player: str
    kinds: tuple[str, ...]
    line: a.AnyLine | None = None


class Duel(People):
    def __init__(self, state: DuelState, random: Random, spare: Callable[[Fighter], str]) -> None:
        super().__init__(state, random, spare)
        self.question: Question | None = None
        self.deeds = 0
        """Moves made so far; what is laid down and turned up together counts when the last one has done it."""
        self.round = 1
        self._turned: set[str] = set()
        self._now = a.FASTEST
        self._script: Script | None = None

    # --- what people do -----------------------------------------------------------------------------------------

    def choose(self, name: str, card: str) -> None:
        """Lay a card of the own hand face down."""
        who = self.fighters[name]
        if card == a.STUN:
            who.stuns -= 1
        elif card != a.PASSIVE:
            who.hand.remove(card)
        who.card = card

    def turn_up(self, name: str) -> None:
        """When the last one has turned up, the round plays on by itself until somebody is asked."""
        self._turned.add(name)
        if len(self._turned) == len(self.standing):
            self.deeds += 2 * len(self._turned)
            self._turned.clear()
            self._script = self._round()
            self._go_on(None)

    def answer(self, move: Answer) -> None:
        self.deeds += 1
        self._go_on(move)

    def _go_on(self, answer: Answer | None) -> None:
        assert self._script is not None
        try:
            self.question = next(self._script) if answer is None else self._script.send(answer)
        except StopIteration:
            self.question = None

    # --- a round --------------------------------------------------------------------------------------------------

    def _round(self) -> Script:
        self.queue = [turn for who in self.standing for turn in self._turns(who, who.card)]
        self.guards, self.moved, self._now, self.acting = [], [], a.FASTEST, None
        while self.queue and not self.over:
            yield from self._speeds()
            if (yield from self._instants()):
                continue
            turn = self._next()
            self.queue.remove(turn)
            speed = min(turn.speed, self._now)
            self._now = self._now if turn.behind else speed
            self.acting = turn.who
            yield from self._lines(turn.who, turn.lines + turn.added, speed)
            yield from self._last_word(turn.who)
        if not self.over:
            self._tidy_up()
        if not self.over:
            self._draw_phase()

    def _turns(self, who: Fighter, card: str, otherwise: int = -1, behind: bool = False) -> list[Turn]:
        if card == a.STUN:
            return []
        return [
            Turn(who, card, part.lines, part.speed, _printed(part.speed, otherwise), behind)
            for part in self.cards[card].segments
        ]

    def _next(self) -> Turn:
        """Everybody's first; highest speed, then by type, then by advantage."""
        first = {turn.who.name: turn for turn in reversed(self.queue)}

        def key(turn: Turn) -> tuple[bool, int, int, int]:
            place = self.advantage.index(turn.who.name)
            return turn.behind, turn.speed, -TYPES.index(self.cards[turn.card].type), -place

        return max(first.values(), key=key)

    def _speeds(self) -> Script:
        while unset := [turn for turn in self.queue if turn.speed < 0]:
            first = min(unset, key=lambda turn: self.advantage.index(turn.who.name))
            said = yield Question(first.who.name, ("speed",))
            for turn in unset:
                if turn.who is first.who and turn.card == first.card and turn.speeds == first.speeds:
                    turn.speed = said["value"]

    def _tidy_up(self) -> None:
        """Played cards face up to the discards, hands down to the limit; nothing but stuns above it is the end."""
        for who in self.fighters.values():
            who.pile += [(card, True) for card in (who.card, *who.laid) if card not in ("", a.PASSIVE, a.STUN)]
            who.card, who.laid, who.quiet = "", [], False
        strict = self.options.stun_defeat == "limit"
        for who in self.standing:
            self.give_up(who, max(0, len(who.hand) + who.stuns - who.limit))
        self.fall([who for who in self.standing if who.stuns > who.limit - strict])

    def _draw_phase(self) -> None:
        self.round += 1
        for who in self.standing:
            for _ in range(min(who.row.count("bleeding"), len(who.deck))):
                who.pile.append((who.deck.pop(), False))
            self.draw(who, 1, "wound")
        self.count_wounds()

    # --- instants -------------------------------------------------------------------------------------------------

    def _instants(self) -> Generator[Question, Answer, bool]:
        """Before a card acts everybody who may hold a fitting instant is asked; True if one was laid."""
        order = self.advantage if self.options.instant_order == "top" else self.advantage[::-1]
        waiting = {turn.who.name for turn in self.queue}
        # Who is asked is settled when the asking begins.
        for who in [self.fighters[name] for name in order if name in waiting and self._may_hold(self.fighters[name])]:
            if (yield from self._offer(who)):
                return True
        return False

    def _last_word(self, who: Fighter) -> Script:
        """At the end of the own last turn something may still be added."""
        while not self.over and self.acting is who:
            waits = any(turn.who is who for turn in self.queue)
            if waits or not self._may_hold(who) or not (yield from self._offer(who)):
                self.acting = None

    def _offer(self, who: Fighter) -> Generator[Question, Answer, bool]:
        said = yield Question(who.name, ("instant", "pass"))
        if said["move"] == "pass":
            who.quiet = who.quiet or bool(said.get("rest"))
            return False
        card = self.cards[said["card"]]
        who.hand.remove(card.id)
        who.laid.append(card.id)
        own = [turn for turn in self.queue if turn.who is who]
        if card.instant == "replace":
            covered = next(turn for turn in own if turn.card == who.card)
            new = self._turns(who, card.id, covered.speed)
            new[0].added = covered.added
            self.queue = [turn for turn in self.queue if turn not in own]
            self.queue += [*new, *(turn for turn in own if turn.card != who.card)]
        elif card.equal or card.speed:
            self.queue += self._turns(who, card.id, own[0].speed if own else self._now, behind=True)
        elif own:
            own[0].added += _all(card)
        else:
            yield from self._lines(who, _all(card), self._now)
        return True

    def _may_hold(self, who: Fighter) -> bool:
        """As everybody at the table can tell."""
        if who.quiet or not who.hand or who.fallen or who.card == a.STUN:
            return False
        base, waiting = self.cards[who.card], [turn.card for turn in self.queue if turn.who is who]
        if base.instant or any(self.cards[card].instant == "replace" for card in who.laid):
            return False
        if not waiting and self.acting is not who:
            return False
        return any(
            card.instant
            and copies > who.open_cards.count(name)
            and card.type != base.type
            and card.needs in ("", who.kamae)
            and (card.instant == "add" or who.card in waiting)
            for name, copies in self.decks[who.name].items()
            if (card := self.cards[name])
        )

    # --- lines ----------------------------------------------------------------------------------------------------

    def _lines(self, who: Fighter, lines: Sequence[a.AnyLine], speed: int, hit: bool = False) -> Script:
        whole = who.broken
        for line in lines:
            if self.over or who.broken != whole:
                return
            match line:
                case a.AttackLine():
                    hit = yield from self._attack(who, line, speed)
                case a.BlockLine():
                    self.guards.append(Guard(who, speed, line))
                case a.StepLine():
                    yield from self._step(who, line)
                case a.RotateLine():
                    yield from self._rotate(who, line)
                case a.DrawLine():
                    said = (yield Question(who.name, ("draw", "pass"), line)) if line.may else {"cards": line.cards}
                    self.draw(who, said.get("cards", 0), "stun")
                case a.DiscardLine():
                    self.give_up(who, line.cards)
                case a.SufferLine():
                    self.hurt(who, line.harm, line.harm.wound)
                case a.FoesLine():
                    foes = {foe.name: line.harm.wound for foe in self.standing if foe is not who}
                    yield from self._harm(who, foes, line.harm, [])
                case a.EveryoneLine():
                    for each in self.standing:
                        self.hurt(each, line.harm, line.harm.wound)
                case a.AdvantageLine():
                    place = self.advantage.index(who.name)
                    top = 0 if self.options.advantage_symbol == "top" else max(0, place - 1)
                    self.advantage.insert(top, self.advantage.pop(place))
                case a.KamaeLine():
                    if who.tree.get(who.kamae):
                        who.kamae = (yield Question(who.name, ("kamae", "pass"), line)).get("to", who.kamae)
                case a.CostLine():
                    if len(who.hand) < line.discard:
                        return
                    self.give_up(who, line.discard)
                    self.hurt(who, line.harm, line.harm.wound)
                case a.InKamaeLine():
                    if who.kamae in line.kamae:
                        yield from self._lines(who, line.lines, speed, hit)
                case a.EitherLine():
                    chosen = (yield Question(who.name, ("choose",), line))["option"]
                    yield from self._lines(who, line.choices[chosen - 1], speed, hit)
                case a.MayLine():
                    if (yield Question(who.name, ("use", "pass"), line))["move"] == "use":
                        yield from self._lines(who, line.lines, speed, hit)
                case a.OnHitLine():
                    if hit:
                        yield from self._lines(who, line.lines, speed, hit)
            self.count_wounds()

    def _attack(self, who: Fighter, line: a.AttackLine, speed: int) -> Generator[Question, Answer, bool]:
        struck: dict[str, int] = {}
        held: list[Guard] = []
        for offset, wounds in line.hexes:
            foe = self.at(self.spot(who, offset))
            if foe is None or foe is who:
                continue
            guard = next((guard for guard in self.guards if self._stops(guard, foe, who, speed)), None)
            if guard:
                held.append(guard)
            else:
                struck[foe.name] = wounds
        yield from self._harm(who, struck, line.harm, held)
        return bool(struck)

    def _stops(self, guard: Guard, foe: Fighter, attacker: Fighter, speed: int) -> bool:
        late = self.options.block_timing == "equal_or_faster" and guard.speed > speed
        if guard.who is not foe or not (guard.speed == speed or late):
            return False
        return any(near(self.spot(foe, offset), attacker.place) for offset in guard.line.hexes)

    def _harm(self, cause: Fighter, struck: dict[str, int], harm: a.Harm, held: Iterable[Guard]) -> Script:
        """Everybody at once; then what each is made to discard, then what the blocks say that have held."""
        victims = [self.fighters[name] for name in self.advantage if name in struck]
        whole = {who.name: who.broken for who in self.fighters.values()}
        for foe in victims:
            self.hurt(foe, harm, struck[foe.name])
            away = foe.place - cause.place
            self.walk(foe, [direction(away)] * harm.push, cause)
        self.count_wounds()
        for foe in victims:
            count = min(harm.discard, len(foe.hand))
            if count and not self.over and not foe.fallen:
                said = yield Question(foe.name, ("discard",), a.ForcedDiscard(count))
                for card in said["cards"]:
                    foe.hand.remove(card)
                    foe.pile.append((card, True))
        for guard in reversed(list(held)):
            if guard.who.broken == whole[guard.who.name]:
                yield from self._lines(guard.who, guard.line.then, guard.speed)

    def _step(self, who: Fighter, line: a.StepLine) -> Script:
        if not line.may and len(line.ways) == 1:
            ways = [(who.facing + line.ways[0]) % 6] * line.hexes
        else:
            said = yield Question(who.name, ("step", "pass") if line.may else ("step",), line)
            ways = [FACINGS.index(name) for name in said.get("path", ())]
        self.walk(who, ways, who)

    def _rotate(self, who: Fighter, line: a.RotateLine) -> Script:
        forced = (who.facing + line.sixths * (line.side or 1)) % 6
        if not line.may and (line.side or line.sixths == 3):
            who.facing = forced
            return
        said = yield Question(who.name, ("rotate", "pass") if line.may else ("rotate",), line)
        if "facing" in said:
            who.facing = FACINGS.index(said["facing"])


def _printed(speeds: tuple[int, ...], otherwise: int) -> int:
    """The speed that is printed; -1 where it is to be chosen; the covered card's where there is none."""
    return otherwise if not speeds else speeds[0] if len(speeds) == 1 else -1


def _all(card: a.Ability) -> a.Lines:
    return tuple(line for part in card.segments for line in part.lines)
