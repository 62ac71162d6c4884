"""A Senjutsu bot. It looks where each of its cards would reach, closes in, guards when somebody is near, and meets open
attacks with a fitting initiative or instant."""

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

from companion.games.senjutsu.card_language import ability as a
from companion.games.senjutsu.card_language.scribe import describe
from companion.games.senjutsu.hexes import FACINGS, STEPS, Hex, bearing, distance, minus, plus, turned
from companion.games.senjutsu.hexes import arena as arena_of
from companion.games.senjutsu.movement import turns

View = dict[str, Any]
Move = dict[str, Any]


class Pose(NamedTuple):
    """Where a samurai stands and looks."""

    place: Hex
    facing: int


class SenjutsuMind:
    """What one player makes of the view: where everybody stands, the ground, and the cards in hand."""

    def __init__(
        self, view: View, name: str, cards: Mapping[str, a.Ability], hand: Sequence[str], random: Random
    ) -> None:
        self.view, self.name, self.cards, self.hand, self.random = view, name, cards, hand, random
        self.arena = arena_of(view["columns"], view["rows"])
        self.blocked = {self.arena.names[name] for name in view["terrain"]}
        standing = {one["player"]: one for one in view["samurai"] if not one["defeated"]}
        self.me = standing[name]
        self.poses = {
            player: Pose(self.arena.names[one["hex"]], FACINGS.index(one["facing"])) for player, one in standing.items()
        }
        self.foes = [pose.place for player, pose in self.poses.items() if player != name]

    @property
    def pose(self) -> Pose:
        return self.poses[self.name]

    @property
    def near(self) -> int:
        return min(distance(self.pose.place, foe) for foe in self.foes)

    # --- what a card could do if nobody else moved ------------------------------------------------------------------

    def worth(self, pose: Pose, lines: Sequence[a.AnyLine], targets: Sequence[Hex], kamae: str) -> float:
        """The best that these lines can do from here: blows that land, and a good place to stand afterwards."""
        if not lines:
            return self._stand(pose, targets)
        line, rest = lines[0], lines[1:]
        match line:
            case a.AttackLine():
                blows = sum(
                    1.0 + wounds + line.harm.bleed * 1.2 + line.harm.stun * 0.5
                    for offset, wounds in line.hexes
                    if plus(pose.place, turned(offset, pose.facing)) in targets
                )
                return 2.0 * blows + self.worth(pose, rest, targets, kamae)
            case a.StepLine():
                return max(self.worth(each, rest, targets, kamae) for each in self._steps(pose, line, targets))
            case a.RotateLine():
                allowed = turns(pose.facing, line.sixths, line.side, line.may)
                return max(self.worth(Pose(pose.place, facing), rest, targets, kamae) for facing in allowed)
            case a.InKamaeLine() if kamae in line.kamae:
                return self.worth(pose, (*line.lines, *rest), targets, kamae)
            case a.EitherLine():
                return max(self.worth(pose, (*choice, *rest), targets, kamae) for choice in line.choices)
        return self._gain(line) + self.worth(pose, rest, targets, kamae)

    def _gain(self, line: a.AnyLine) -> float:
        match line:
            case a.DrawLine():
                return 0.5 * line.cards if len(self.hand) < 5 else 0.1
            case a.FoesLine():
                return 0.7 * (line.harm.stun + line.harm.discard)
            case a.AdvantageLine():
                return 0.4
            case a.KamaeLine():
                return 1.1 if self.me["kamae"] == "gateway" else 0.3
            case a.CostLine() | a.DiscardLine() | a.SufferLine() | a.EveryoneLine():
                return -0.6
        return 0.0

    def _steps(self, pose: Pose, line: a.StepLine, targets: Sequence[Hex]) -> set[Pose]:
        """Everywhere a line can lead without running into anything; the same place if it leads nowhere."""
        ends = {pose.place}
        every = set(ends)
        for _ in range(line.hexes):
            ends = {
                there
                for here in ends
                for way in line.ways
                if self._free(there := plus(here, STEPS[(pose.facing + way) % 6]), targets)
            }
            every |= ends
        return {Pose(place, pose.facing) for place in (every if line.may else ends or {pose.place})}

    def end_of(self, path: Sequence[str]) -> Hex | None:
        """Where this path leads; None if it runs into anything."""
        place = self.pose.place
        for way in path:
            place = plus(place, STEPS[FACINGS.index(way)])
            if not self._free(place, self.foes) or place == self.pose.place:
                return None
        return place

    def _free(self, place: Hex, others: Iterable[Hex]) -> bool:
        return place in self.arena.hexes and place not in self.blocked and place not in others

    def _stand(self, pose: Pose, targets: Sequence[Hex]) -> float:
        """Two steps from the nearest opponent, looking at it, and not with the back to the wall."""
        foe = min(targets, key=lambda place: distance(pose.place, place))
        apart = distance(pose.place, foe)
        turn = abs((bearing(minus(foe, pose.place)) - pose.facing + 3) % 6 - 3)
        room = sum(self._free(plus(pose.place, step), ()) for step in STEPS)
        return -0.7 * max(0, apart - 1) - 0.5 * turn + 0.08 * room

    def lines(self, card: str) -> a.Lines:
        return tuple(line for segment in self.cards[card].segments for line in segment.lines)

    def threats(self) -> list[View]:
        """Open attacks that still wait and would strike me where I stand."""
        found = []
        for waiting in self.view["order"]:
            foe = waiting["player"]
            if foe == self.name or foe not in self.poses or self.cards[waiting["card"]].type != "attack":
                continue
            kamae = next(one["kamae"] for one in self.view["samurai"] if one["player"] == foe)
            lines, me = self.lines(waiting["card"]), (self.pose.place,)
            steps = [line for line in lines if not isinstance(line, a.AttackLine)]
            if self.worth(self.poses[foe], lines, me, kamae) > self.worth(self.poses[foe], steps, me, kamae) + 1.5:
                found.append(waiting)
        return found


# --- the card of the round ------------------------------------------------------------------------------------------


def choose(mind: SenjutsuMind) -> str:
    """The card to lay face down: one of the hand, the passive card, or a stun to be rid of it."""
    here = mind.worth(mind.pose, (), mind.foes, mind.me["kamae"])
    options = [(_value(mind, card, here), card) for card in dict.fromkeys(mind.hand) if _playable(mind, card)]
    options.append((_value(mind, a.PASSIVE, here) - (1.0 if len(mind.hand) < 4 else 0.3), a.PASSIVE))
    if mind.me["stuns"]:
        options.append((0.7 * mind.me["stuns"] + (0.6 if mind.near > 2 else 0.0), a.STUN))
    return max((value + mind.random.uniform(0, 1.6), card) for value, card in options)[1]


def able(mind: SenjutsuMind) -> list[str]:
    """Every card that could be laid face down."""
    stun = [a.STUN] if mind.me["stuns"] else []
    return [*(card for card in dict.fromkeys(mind.hand) if _playable(mind, card)), a.PASSIVE, *stun]


def _playable(mind: SenjutsuMind, card: str) -> bool:
    ability = mind.cards[card]
    return bool(ability.speed or not ability.instant) and ability.needs in ("", mind.me["kamae"])


def _value(mind: SenjutsuMind, card: str, here: float) -> float:
    ability = mind.cards[card]
    gained = mind.worth(mind.pose, mind.lines(card), mind.foes, mind.me["kamae"]) - here
    if ability.type == "defence":
        last = mind.me["health"] - len(mind.me["wounds"]) <= 2
        # Kept for when an opponent is near; an instant block is worth more in the hand.
        return (2.4 + 1.2 * last if mind.near <= 2 else -0.5) - (1.5 if ability.instant else 0.0)
    if ability.type == "attack":
        return gained + 0.06 * ability.speed[0] if ability.speed else 0.0
    return gained + (0.6 if mind.near > 2 else 0.0)


def least(hand: Sequence[str], cards: Mapping[str, a.Ability], random: Random) -> str:
    """The card that is missed least: of a low rank, or one of several."""
    return min(hand, key=lambda card: (-a.RANKS.index(cards[card].rank) - hand.count(card) + random.random(), card))


# --- while cards act ------------------------------------------------------------------------------------------------


def answer(mind: SenjutsuMind, choices: Sequence[Move]) -> Move:
    """One of the choices on the page; of cards only those in hand."""
    kinds = {choice["move"] for choice in choices}
    if "instant" in kinds:
        return _instant(mind, choices)
    if "discard" in kinds:
        left, given = list(mind.hand), []
        for _ in choices[0]["cards"]:
            given.append(least(left, mind.cards, mind.random))
            left.remove(given[-1])
        return {"move": "discard", "cards": given}
    if "speed" in kinds:
        return _speed(mind, choices)
    if "step" in kinds or "rotate" in kinds or "choose" in kinds:
        return max(choices, key=lambda choice: _after(mind, choice) + mind.random.uniform(0, 0.2))
    if "kamae" in kinds:
        return mind.random.choice([choice for choice in choices if choice["move"] == "kamae"])
    if "draw" in kinds:
        most = max(choice.get("cards", 0) for choice in choices)
        return {"move": "draw", "cards": min(most, mind.me["deck"])}
    return next(choice for choice in choices if choice["move"] != "pass")


def _speed(mind: SenjutsuMind, choices: Sequence[Move]) -> Move:
    """Meet the attack that comes; else as early as possible."""
    speeds = [threat["speed"] for threat in mind.threats() if threat["speed"] is not None]
    return next((choice for choice in choices if choice["value"] in speeds), choices[0])


def _instant(mind: SenjutsuMind, choices: Sequence[Move]) -> Move:
    holds = [choice for choice in choices if choice["move"] == "instant" and choice["card"] in mind.hand]
    threatened = bool(mind.threats())
    front = plus(mind.pose.place, STEPS[mind.pose.facing])
    for choice in holds:
        kind = mind.cards[choice["card"]].type
        wanted = front in mind.foes if kind == "attack" else threatened or (kind == "meditation" and mind.near > 2)
        if wanted and mind.random.random() < 0.85:
            return choice
    if holds or mind.random.random() < 0.4:
        return {"move": "pass"}
    return {"move": "pass", "rest": True}


def _after(mind: SenjutsuMind, choice: Move) -> float:
    """How good the position is after this choice, with the rest of the card still to come."""
    played = next(one["played"] for one in mind.view["samurai"] if one["player"] == mind.name)
    told = [describe((line,)) for line in mind.lines(played[-1])] if played and played[-1] != a.STUN else []
    rest: a.Lines = ()
    if mind.view["line"] in told:
        rest = mind.lines(played[-1])[told.index(mind.view["line"]) + 1 :]
    pose, kamae = mind.pose, mind.me["kamae"]
    match choice["move"]:
        case "step":
            place = mind.end_of(choice["path"])
            if place is None:
                return -5.0
            pose = Pose(place, pose.facing)
        case "rotate":
            pose = Pose(pose.place, FACINGS.index(choice["facing"]))
        case "choose":
            either = next((line for line in mind.lines(played[-1]) if isinstance(line, a.EitherLine)), None)
            rest = either.choices[choice["option"] - 1] if either else ()
    return mind.worth(pose, rest, mind.foes, kamae)
