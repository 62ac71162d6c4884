"""The rulebook of Senjutsu written a second time, and quite differently: real cards in real hands, places in
millimetres, and a round as a running script that stops where somebody has to decide something.

Tests play the same duels through both. The table is the plane of complex numbers here, so a turn is a factor.
"""

from cmath import exp, pi
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple

from companion.games.senjutsu.card_language import ability as a
from companion.games.senjutsu.hexes import FACINGS, Hex
from companion.games.senjutsu.layout import ArenaOnTable
from companion.games.senjutsu.state import DuelState

SIXTH = exp(-1j * pi / 3)
"""A sixth of a turn clockwise."""


@dataclass(eq=False)
class Fighter:
    """A person at the table: the cards that only they know, what lies before them, and their miniature."""

    name: str
    place: complex
    facing: int
    tree: dict[str, tuple[str, ...]]
    health: int
    limit: int
    deck: list[str]
    hand: list[str] = field(default_factory=list)
    """Ability cards; stuns are counted and the passive card is always there."""
    stuns: int = 0
    row: list[str] = field(default_factory=list)
    """Wound cards: `wound` or `bleeding`."""
    pile: list[tuple[str, bool]] = field(default_factory=list)
    """Discards from bottom to top, and whether each lies face up."""
    card: str = ""
    """The round's card, first face down."""
    laid: list[str] = field(default_factory=list)
    kamae: str = "gateway"
    fallen: bool = False
    quiet: bool = False
    """Has said: no more instants this round."""
    broken: int = 0
    """How often the rest of this player's card was cancelled."""

    @property
    def open_cards(self) -> list[str]:
        return [*(card for card, up in self.pile if up), self.card, *self.laid]


@dataclass(eq=False)
class Turn:
    """A segment that waits for its initiative."""

    who: Fighter
    card: str
    lines: a.Lines
    speeds: tuple[int, ...]
    speed: int
    """-1: its player has still to choose."""
    behind: bool = False
    """Right after the card that it was laid on."""
    added: a.Lines = ()
    """Of instants without a speed that were laid on it."""


@dataclass(eq=False)
class Guard:
    who: Fighter
    speed: int
    line: a.BlockLine


class People:
    """Everybody at the table, where they stand, what waits and what is held up against it."""

    def __init__(self, state: DuelState, random: Random, spare: Callable[[Fighter], str]) -> None:
        duel = state.duel
        self.random, self.spare = random, spare
        """`spare` names the card that a player gives up when one has to go."""
        self.cards, self.options = duel.cards, duel.options
        self.decks = dict(zip(duel.players, duel.decks, strict=True))
        ground = ArenaOnTable(duel)
        self.across, self.up = 1.5 * ground.side, ground.tall / 2
        self.hexes = [complex(*ground.centre(place)) for place in duel.arena.hexes if place not in duel.terrain]
        self.fighters: dict[str, Fighter] = {}
        for seat, name in enumerate(duel.players):
            deck = [card for card, copies in duel.decks[seat].items() for _ in range(copies)]
            random.shuffle(deck)
            stands = state.samurai[seat]
            self.fighters[name] = Fighter(
                name=name,
                place=complex(*ground.centre(stands.hex)),
                facing=stands.facing,
                tree=duel.trees[seat],
                health=duel.health[seat],
                limit=duel.limit[seat],
                deck=deck[: -stands.hand],
                hand=deck[-stands.hand :],
            )
        self.advantage = [duel.players[seat] for seat in state.advantage]
        self.over = False
        self.queue: list[Turn] = []
        self.guards: list[Guard] = []
        self.moved: list[Fighter] = []
        """Who has moved this round, first one first."""
        self.acting: Fighter | None = None

    @property
    def standing(self) -> list[Fighter]:
        return [who for who in self.fighters.values() if not who.fallen]

    # --- places -------------------------------------------------------------------------------------------------

    def spot(self, who: Fighter, offset: Hex) -> complex:
        """Where a hex of the card lies on the table when its samurai stands and looks so."""
        return who.place + complex(self.across * offset[0], self.up * offset[1]) * SIXTH**who.facing

    def walked(self, who: Fighter, ways: Iterable[int]) -> complex:
        """Where so many steps lead if nothing is in the way."""
        return who.place + sum(2j * self.up * SIXTH**way for way in ways)

    def at(self, place: complex) -> Fighter | None:
        return next((who for who in self.standing if near(who.place, place)), None)

    def walk(self, who: Fighter, ways: Sequence[int], cause: Fighter) -> None:
        if ways and who not in self.moved:
            self.moved.append(who)
        against = False
        for way in ways:
            there = self.walked(who, (way,))
            other = self.at(there)
            if other:
                who.stuns += 1
                other.stuns += 1
                first = self.options.collision_cancels == "first_mover" and other in self.moved
                self.cancel(min(who, other, key=self.moved.index) if first else cause)
                break
            if any(near(there, place) for place in self.hexes):
                who.place = there
            elif self.options.edge_cancels:
                against = True
                self.cancel(cause)
                break
            else:
                against = True
        who.stuns += against

    # --- cards and wounds ---------------------------------------------------------------------------------------

    def hurt(self, who: Fighter, harm: a.Harm, wounds: int) -> None:
        """Whoever falls takes no stun."""
        who.row += ["wound"] * wounds + ["bleeding"] * harm.bleed
        if len(who.row) < who.health:
            who.stuns += harm.stun

    def hexes_between(self, who: Fighter, place: complex) -> int:
        """By walking: the fewest steps."""
        here, steps = who.place, 0
        while not near(here, place):
            here = min((here + 2j * self.up * SIXTH**way for way in range(6)), key=lambda there: abs(there - place))
            steps += 1
        return steps

    def draw(self, who: Fighter, count: int, mixed: str) -> None:
        """What cannot be drawn hurts, as the match has it."""
        missing = mixed if self.options.empty_deck == "mixed" else self.options.empty_deck
        for _ in range(count):
            if who.deck:
                who.hand.append(who.deck.pop())
            elif missing == "wound":
                who.row.append("wound")
            else:
                who.stuns += 1

    def give_up(self, who: Fighter, count: int) -> None:
        for _ in range(min(count, len(who.hand))):
            card = self.spare(who)
            who.hand.remove(card)
            who.pile.append((card, False))

    def cancel(self, who: Fighter) -> None:
        """Nothing more of this player's card is played."""
        who.broken += 1
        self.queue = [turn for turn in self.queue if turn.who is not who]
        if self.acting is who:
            self.acting = None

    def count_wounds(self) -> None:
        self.fall([who for who in self.standing if len(who.row) >= who.health])

    def fall(self, fallen: list[Fighter]) -> None:
        for who in fallen:
            who.fallen = True
            self.cancel(who)
        self.over = self.over or len(self.standing) < 2


def near(one: complex, other: complex) -> bool:
    return abs(one - other) < 4.0


def direction(way: complex) -> int:
    """The facing that points most nearly along this way; exactly between two the clockwise one."""
    along = [round((way.conjugate() * 1j * SIXTH**facing).real, 3) for facing in range(6)]
    best = [facing for facing in range(6) if along[facing] == max(along)]
    return 0 if best == [0, 5] else best[-1]


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
        self.dry: list[bool] = []
        """One entry once all decks are empty, and one for each round since in which nobody played an ability card."""
        self._turned: set[str] = set()
        self._now = a.FASTEST
        self._script: Script | None = None

    # --- what people do -----------------------------------------------------------------------------------------

    def choose(self, name: str, card: str) -> None:
        """Lay a card of the hand face down."""
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
            speed = self._now if turn.behind else min(turn.speed, self._now)
            self._now = speed
            self.acting = turn.who
            yield from self._lines(turn.who, turn.lines + turn.added, speed)
            yield from self._last_word(turn.who)
        idle = all(who.card in ("", a.PASSIVE, a.STUN) and not who.laid for who in self.fighters.values())
        if not self.over:
            self._tidy_up()
        if not self.over:
            self._grow_tired(idle)
        if not self.over:
            self._draw_phase()

    def _grow_tired(self, idle: bool) -> None:
        """Three whole rounds without decks and without ability cards: nobody wins."""
        if self.options.empty_deck != "stun":
            return
        self.dry = [*self.dry, idle] if self.dry and idle else self.dry[:1]
        if not self.dry and not any(who.deck for who in self.standing):
            self.dry = [True]
        self.over = len(self.dry) > 3

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
        for name, turn in first.items():
            if turn.behind:
                behind = {each.card: each for each in reversed(self.queue) if each.who is turn.who}
                first[name] = max(reversed(behind.values()), key=lambda each: each.speed)

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
        """At the end of a player's last turn something may still be added."""
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
            foe.row += ["wound"] * struck[foe.name] + ["bleeding"] * harm.bleed
        self.count_wounds()
        if self.over:
            return
        stands = cause.place
        for foe in sorted((foe for foe in victims if not foe.fallen), key=lambda foe: -self.hexes_between(foe, stands)):
            foe.stuns += harm.stun
            away = foe.place - stands
            self.walk(foe, [direction(away)] * harm.push, cause)
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
