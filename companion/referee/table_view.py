"""What a page shows: one struct, the same for every viewer, with less in it for some.

`web.types` writes the types of the scripts from these structs. Everything that people read is a sentence in the
viewer's language by the time it stands here.
"""

from collections.abc import Iterator, Mapping
from functools import cache, partial
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import inspect

from companion.core.events import Condition, Said, SenseState
from companion.core.layout import SeenCard
from companion.core.message import Fact, Message, Thing, message
from companion.core.own_hand import OwnHand
from companion.core.rulings import Refused, Ruling
from companion.core.wording import Names, sentence
from companion.games.kit.game import Move
from companion.record.journal import KifuHead
from companion.record.match import Match, Moment
from companion.referee import press_order as presses
from companion.referee.by_hand import WHO as REFEREE
from companion.referee.history import StandingAt
from companion.referee.putting_back import put_back
from companion.referee.referee import Referee

SHOWN = 40
"""How many of the last sentences a page has."""

ViewT = TypeVar("ViewT")
MoveT = TypeVar("MoveT")
HappeningT = TypeVar("HappeningT")
AdviceT = TypeVar("AdviceT")


class Told(msgspec.Struct, frozen=True):
    """A sentence with the rules that it comes from."""

    rules: tuple[str, ...]
    text: str


class ClockShown(msgspec.Struct, frozen=True):
    """Where the match clock stood at `now`; the browser counts on from there."""

    reached: float
    """Seconds played."""
    running: bool
    limit: float | None
    """Seconds after which the match ends, where it is played against the clock."""
    now: float


class SenseShown(msgspec.Struct, frozen=True):
    """A camera, a panel or the timer."""

    state: SenseState
    text: str = ""
    """What is wrong with it, where something is."""


class SaidShown(msgspec.Struct, Generic[HappeningT], frozen=True):
    """A ruling, an act of the referee, a refusal, a call or a notice."""

    number: int
    """Counted from the start of the service; the page knows by it which sentences are new."""
    kind: str
    """`ruling`, `act` (by the referee's own hand), `refused`, `call`, `time` (how much is left) or `notice`."""
    rules: tuple[str, ...]
    text: str
    players: tuple[str, ...]
    """Whoever is named in the sentence."""
    line: int
    """The line of the kifu that it belongs to; 0: none."""
    happened: HappeningT | None
    """What the sentence is about, as data to be drawn."""
    taken_back: bool
    """It does not hold any more."""
    picture: str | msgspec.UnsetType = msgspec.UNSET
    """The picture that it was read from. Only the referee is told: it may show what somebody covered too late."""
    clip: str | msgspec.UnsetType = msgspec.UNSET
    """The seconds around it, likewise."""


class Question(msgspec.Struct, frozen=True):
    """A card that the camera is not sure of."""

    zone: str
    place: str
    """What people call the zone."""
    guesses: tuple[str, ...]
    """Cards that it may be, the likeliest first."""
    rotation: float


class Undoing(msgspec.Struct, frozen=True):
    """What taking back some moves comes to."""

    undoes: tuple[Told, ...]
    """What would not hold any more, the latest first."""
    put_back: tuple[str, ...]
    """What would have to be done on the table."""


class TallyShown(msgspec.Struct, frozen=True):
    title: str = ""
    """What is counted."""
    steps: tuple[StandingAt, ...] = ()


class ReadAloud(msgspec.Struct, frozen=True):
    place: str
    """What people call the place."""
    cards: tuple[str, ...]
    """The names of the cards that lie there, bottom to top."""


class HandOptionShown(msgspec.Struct, frozen=True):
    title: str
    card: str


class HandQuestionShown(msgspec.Struct, frozen=True):
    number: int
    text: str
    options: tuple[HandOptionShown, ...]
    least: int
    most: int
    beside: bool
    """Moves can be tapped instead."""


class HandShown(msgspec.Struct, frozen=True):
    """What somebody who sits at the virtual table holds, and what the virtual hands ask. Only that seat is sent it."""

    cards: tuple[str, ...]
    question: HandQuestionShown | None


class TablePage(msgspec.Struct, Generic[ViewT, MoveT, HappeningT, AdviceT], frozen=True, kw_only=True):
    """The match and the table as one viewer may see them."""

    version: int
    """Grows with everything new."""
    build: str = ""
    """Which scripts and styles the server has now; a page with older ones loads itself again."""
    match: str = ""
    """Which match this is; a page that shows another one loads itself again."""
    game: str
    title: str
    players: tuple[str, ...]
    viewer: str | None
    """A player's name, `referee`, or None for a spectator."""
    view: ViewT
    """The game as this viewer may see it; every game has a struct of its own."""
    moves: int
    """Moves, and acts of the referee, so far: as many can be taken back."""
    stage: str
    """`placing`, `countdown`, `reveal`, `choice` or `over`."""
    count: int
    """3, 2, 1 during the countdown."""
    paused: bool
    awaited: tuple[str, ...]
    """Players who have something to do now."""
    waits: dict[str, float]
    """Player -> since when they are awaited, by the clock that `clock.now` is read from."""
    awaits: tuple[str, ...]
    """The kinds of move that the viewer may make now."""
    prompts: dict[str, str]
    """Player -> what is asked of them, in words that give nothing away."""
    phases: dict[str, str]
    """Player -> the phase that the light of their panel shows."""
    ready: tuple[str, ...]
    choices: tuple[MoveT, ...]
    """Moves that the viewer can make by button or tap."""
    oops_until: float | None
    """On the clock of `clock.now`: until then the viewer may take back their last tap, unless somebody goes on."""
    read_aloud: tuple[ReadAloud, ...]
    """What the camera reads face up in the viewer's own places, for whoever cannot see it. Nobody else is told: a card
    that is shown to the camera may be covered afterwards."""
    cursor: int
    """Which of them the buttons of the viewer's panel point at."""
    clock: ClockShown
    order: str
    """Who was ready first before the last count, in words."""
    turned_up: dict[str, MoveT]
    """Player -> the move that the cards of the last reveal made, unless it is still sealed."""
    advice: AdviceT | None
    """The game's help with cards that are being laid."""
    said: tuple[SaidShown[HappeningT], ...]
    senses: dict[str, SenseShown]
    questions: tuple[Question, ...]
    calls: dict[str, float]
    """Player -> since when they call the referee."""
    put_back: tuple[str, ...]
    """What people have to put right on the table since moves were taken back."""
    awards: tuple[str, ...]
    """To the referee: the players whom points can be given to."""
    offer: str
    """To the referee: what it would take to put right a move that was made of a misread card."""
    over: bool
    review: bool = False
    """The match is over, and its result does not count until the referee has confirmed it."""
    hand: HandShown | None = None
    """At the virtual table, for the viewer who sits there; None: the cards are real, or a bot plays."""
    record: KifuHead | None = None
    """The present end of the kifu: whoever notes it down can see later that nothing was changed or cut off."""
    tally: TallyShown = TallyShown()
    """How everybody stood in the course of the match; on a spectator's page."""


AnyPage = TablePage[Any, Any, Any, Any]


def page(referee: Referee, viewer: str | None, language: str, at: float, version: int = 0) -> AnyPage:
    """`viewer` is a player's name, `referee`, or None for everybody else, who may know least."""
    match = referee.match
    seat = viewer if viewer in match.players else None
    clock = ClockShown(
        reached=round(referee.clock.read(at), 2),
        running=referee.clock.running,
        limit=match.game.rules.time_limit(match.state),
        now=at,
    )
    sealed = match.sealed
    first = referee.spoken - len(referee.said)
    told = [(number, said) for number, said in enumerate(referee.said, first) if said.only in ("", viewer)]
    return TablePage(
        version=version,
        game=match.game.name,
        title=match.game.title,
        players=match.players,
        viewer=viewer,
        view=in_words(match.game.rules.view(match.state, seat), match.name, language),
        moves=match.moves,
        stage=referee.stage,
        count=referee.count,
        paused=referee.paused,
        awaited=tuple(sorted(match.awaits, key=match.players.index)),
        waits=referee.attention.waits,
        awaits=tuple(match.awaits.get(seat, ())) if seat else (),
        prompts={player: sentence(_prompt(referee, player, player == seat), language) for player in match.players},
        phases={player: referee.phase(player) for player in match.players},
        ready=tuple(player for player in match.players if player in referee.ready),
        choices=tuple(referee.choices(seat)) if seat else (),
        oops_until=referee.oops.until(seat) if seat else None,
        read_aloud=_read_aloud(referee, seat, language) if seat else (),
        cursor=referee.cursor.get(seat, 0) if seat else 0,
        clock=clock,
        order=_order(referee, language),
        turned_up={player: move for player, move in referee.turned_up.items() if sealed.get(player) != move},
        advice=in_words(referee.advice, match.name, language),
        said=tuple(_said(number, said, referee, language) for number, said in told[-SHOWN:]),
        senses={name: sense_shown(each, language) for name, each in referee.senses.items()},
        questions=tuple(
            Question(zone, match.name(zone, language) or zone, _guesses(viewer, zone, card), card.rotation)
            for zone, card in referee.unsure.items()
        ),
        calls=dict(referee.attention.calls),
        put_back=tuple(sentence(each, language, match.name) for each in referee.put_back),
        awards=tuple(filter(partial(_can_get_points, match), match.players)) if viewer == REFEREE else (),
        offer=sentence(referee.offer.question, language, match.name) if referee.offer and viewer == REFEREE else "",
        over=match.over,
        record=referee.record.head,
        tally=_tally(referee, language) if viewer is None else TallyShown(),
    )


def _can_get_points(match: Match, player: str) -> bool:
    """Some games have none, and whoever has fallen gets no more."""
    try:
        match.game.rules.award(match.state, player, 1, "")
    except Refused:
        return False
    return True


def undoing(referee: Referee, moves: int, language: str) -> Undoing:
    """What taking back that many moves would come to; raises Refused where there are not so many."""
    match, told = referee.match, referee.said
    back = match.rewound(moves)
    undone: list[Told] = []
    for moment in back.undone:
        said = [each for each in reversed(told) if moment.line and each.line == moment.line and each.only == ""]
        undone += [Told(each.rules, sentence(each.message, language, match.name)) for each in said]
        if moment.counts and not said:
            undone.append(Told((), sentence(_done(moment), language, match.name)))
    to_do = tuple(sentence(each, language, match.name) for each in put_back(match, back))
    return Undoing(tuple(undone), to_do)


def _done(moment: Moment) -> Message:
    """A move of which nothing was said: it may be sealed, so only its kind is told."""
    if isinstance(moment.done, Move):
        player, move = Thing("player", moment.by), Thing("move", moment.done.kind)
        return message("{player}: {move}.", player=player, move=move)
    return message("An act of the referee.")


def _tally(referee: Referee, language: str) -> TallyShown:
    return TallyShown(sentence(referee.match.game.rules.tally_title, language), referee.history.steps())


def _read_aloud(referee: Referee, player: str, language: str) -> tuple[ReadAloud, ...]:
    match = referee.match
    lying = [
        (zone, tuple(match.name(card.card, language) or card.card for card in cards if card.face_up and card.card))
        for zone, cards in sorted(referee.sight.zones.items())
        if zone.startswith(player + ".")
    ]
    return tuple(ReadAloud(match.name(zone, language) or zone, names) for zone, names in lying if names)


def _guesses(viewer: str | None, zone: str, card: SeenCard) -> tuple[str, ...]:
    """What it may be is for whoever settles it: the referee, and whose place it is."""
    return card.guesses if viewer == "referee" or (viewer and zone.startswith(viewer + ".")) else ()


def _prompt(referee: Referee, player: str, own: bool) -> Message:
    """What is asked of a player; on the player's `own` page it speaks to them."""
    kinds = referee.match.awaits.get(player, ())
    game = referee.match.game
    waits = message("Wait for the others.") if own else message("Waits for the others.")
    if referee.match.over:
        return message("The match is over.")
    if player in referee.reveal.called:
        return message("Press ready for the count of three.")
    if not kinds:
        return waits
    if referee.phase(player) == "reveal":
        return message("Turn up!")
    if any(kind in game.reveals.locks for kind in kinds):
        return game.rules.prompts.get(kinds[0], message("Lay the cards face down and press ready."))
    if any(kind in game.reveals.kinds for kind in kinds):
        return waits if player in referee.ready else message("Press ready for the count of three.")
    return game.rules.prompts.get(kinds[0], message("Your choice."))


def _order(referee: Referee, language: str) -> str:
    told = presses.sentence(referee.reveal.presses, referee.match.players)
    return "" if told is None else sentence(told, language)


def _said(number: int, said: Said, referee: Referee, language: str) -> SaidShown[Any]:
    named = set(_named(said.message.facts))
    return SaidShown(
        number=number,
        kind=said.kind,
        rules=said.rules,
        text=sentence(said.message, language, referee.match.name),
        players=tuple(player for player in referee.match.players if player in named),
        line=said.line,
        happened=said.happened,
        taken_back=said.line in referee.tell.struck,
    )


def _named(facts: Mapping[str, Fact]) -> Iterator[str]:
    """The players in a message, and in the messages inside it."""
    for fact in facts.values():
        for part in fact if isinstance(fact, tuple | list) else (fact,):
            if isinstance(part, Message):
                yield from _named(part.facts)
            elif isinstance(part, Thing) and part.kind == "player":
                yield part.id


def hand_shown(hand: OwnHand, names: Names, language: str) -> HandShown:
    asked = hand.question
    if asked is None:
        return HandShown(hand.cards, None)
    options = tuple(HandOptionShown(sentence(each.title, language, names), each.card) for each in asked.options)
    text = sentence(asked.text, language, names)
    return HandShown(hand.cards, HandQuestionShown(asked.number, text, options, asked.least, asked.most, asked.beside))


def sense_shown(condition: Condition, language: str) -> SenseShown:
    return SenseShown(condition.state, "" if condition.message is None else sentence(condition.message, language))


@cache
def _holds_words(kind: type[msgspec.Struct]) -> bool:
    """Whether a struct of this kind can have a message or a ruling in it, however deep. Most have none and are sent as
    they are."""
    met: set[type] = set()

    def search(info: inspect.Type) -> bool:
        match info:
            case inspect.AnyType():
                return True
            case inspect.StructType(cls=cls) if cls not in met:
                met.add(cls)
                return issubclass(cls, Message | Ruling) or any(search(field.type) for field in info.fields)
            case inspect.UnionType(types=types):
                return any(search(each) for each in types)
            case (
                inspect.DictType(value_type=item)
                | inspect.VarTupleType(item_type=item)
                | inspect.ListType(item_type=item)
            ):
                return search(item)
            case inspect.TupleType(item_types=items):
                return any(search(each) for each in items)
        return False

    return search(inspect.type_info(kind))


def in_words(value: Any, names: Names, language: str) -> Any:
    """A game's view or advice, its messages as sentences and its rulings as `Told`; what has none stays as it is."""
    if isinstance(value, Message):
        return sentence(value, language, names)
    if isinstance(value, Ruling):
        return Told((value.rule,), sentence(value.message, language, names))
    if isinstance(value, msgspec.Struct):
        if not _holds_words(type(value)):
            return value
        config, on_wire = value.__struct_config__, value.__struct_encode_fields__
        fields = dict(zip(on_wire, msgspec.structs.astuple(value), strict=True))
        told = in_words(fields, names, language)
        tagged = {config.tag_field: config.tag} if config.tag_field else {}
        return value if told is fields else {**tagged, **told}
    if isinstance(value, dict):
        entries = {name: in_words(each, names, language) for name, each in value.items()}
        return value if all(entries[name] is each for name, each in value.items()) else entries
    if isinstance(value, tuple | list):
        items = tuple(in_words(each, names, language) for each in value)
        return value if all(one is other for one, other in zip(items, value, strict=True)) else items
    return value
