"""What a game is: a handful of pure functions on immutable values.

Phases are part of the game's own state; the match knows nothing about them. Whatever a player can do is a *move*, a
msgspec struct tagged by `move`: the kifu's line, the tap on the page and the value in the rules are the same class.
How to add a game: `docs/adding-a-game.md`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import or_
from types import ModuleType
from typing import Any, TypeVar

import msgspec

from companion.core.drawing import Face
from companion.core.layout import Layout, SeenCard, Sight
from companion.core.message import Message, Thing, message
from companion.core.rulings import Happening, Refused, Ruling
from companion.core.validation import outermost_field, wrong_field
from companion.games.kit import acts
from companion.games.kit.catalogue import Rule, namer, rules_of
from companion.games.kit.figures import Figures
from companion.games.kit.paper import Paper
from companion.games.kit.set_up import SetUp
from companion.games.kit.topics import Topic

T = TypeVar("T")
Kinds = tuple[str, ...]
Awaits = Mapping[str, Kinds]


class Move(msgspec.Struct, frozen=True, tag_field="move", forbid_unknown_fields=True, omit_defaults=True):
    """Base of all moves. A subclass sets its tag: `class Reveal(Move, frozen=True, tag="reveal")`."""

    @property
    def kind(self) -> str:
        tag: str = self.__struct_config__.tag  # type: ignore[assignment]
        return tag


class Card(msgspec.Struct, frozen=True):
    """A card as the deck of this match has it."""

    face: Face
    """Our own drawing of it. We never ship the publisher's art."""
    copies: int = 1
    origin: str = "house"
    """Where its values come from: `booklet`, `inferred` or `house`."""


@dataclass(frozen=True)
class Deck:
    """The physical cards of one match, for enrolment, proxies and the virtual table."""

    cards: Mapping[str, Card]
    back: Face


ORIGINS: Mapping[str, Message] = {
    "booklet": message("booklet"),
    "inferred": message("inferred"),
    "house": message("house"),
    "yours": message("yours"),
}
"""Where a rule or a value comes from: the booklet says it, it follows from what the booklet says, it is our own, or the
owner of the cards has put it right."""


@dataclass(frozen=True)
class Source:
    """Some data of a game, and where it comes from."""

    what: Message
    origin: str
    """One of ORIGINS."""
    note: Message | None = None
    option: str = ""
    """With which a match can have it otherwise."""


class Printed(msgspec.Struct, frozen=True):
    """One value that is printed on a card and that an owner of the real cards can put right.

    The type of `value` says what is allowed: true or false, a whole number from `least` to `most`, a list of such
    numbers of the same length, one of the words in `among`, or, where there are no such words, a single letter.
    """

    field: str
    """Its name in the file: `strength`."""
    title: Message
    """Its name on the set-up page: "Strength"."""
    value: Any
    origin: str
    """Where our own value comes from: `booklet`, `inferred` or `house`."""
    least: int = 0
    most: int = 99
    among: tuple[str, ...] = ()
    note: Message | None = None
    """A short explanation on the set-up page."""


class PrintedRow(msgspec.Struct, frozen=True):
    """A card, or several that share what is printed on them."""

    key: str
    """Its name in the file: `weapon_3`, `fire-5`."""
    title: Message
    """Its name on the set-up page: "Weapon 3"."""
    group: Message
    """The heading under which the page lists it."""
    values: tuple[Printed, ...]


PrintedValues = Mapping[str, Mapping[str, Any]]
"""{row: {field: value}}."""


class Parts(msgspec.Struct, frozen=True):
    """What a kind of move is put together from, where there are too many combinations to list them all."""

    field: str
    """The field of the move that holds the chosen parts."""
    of: dict[str, int]
    """Part -> how often it may be chosen: cards that the player can still hold, steps, …, as far as the table shows."""
    least: int
    most: int
    """So many are chosen."""


Sealed = Mapping[str, Any]
"""Moves that were made and are not resolved yet, by player. All are resolved together once the last one is in."""


POINTS = message("Points")


def _every(base: type, module: ModuleType) -> Any:
    """The union of the structs of that base in a module."""
    found = (each for each in vars(module).values() if isinstance(each, type) and issubclass(each, base))
    return reduce(or_, (each for each in found if each is not base))


@dataclass(frozen=True)
class Rules:
    """The rules themselves: pure functions on the game's own state."""

    home: str
    """The game's package: its `rules.toml` and `names.toml` are there."""
    moves: Any
    """The module in which this game's moves are; `Rules` makes it their union."""
    setup: Callable[[Sequence[str], Mapping[str, Any]], Any]
    """(players, options) -> State; raises Refused for a match that the rules do not allow."""
    check: Callable[[Any, Sealed, str, Any], None]
    """(state, sealed, player, move): raises Refused if that move may not be made now."""
    apply: Callable[[Any, Mapping[str, Any]], tuple[Any, tuple[Ruling, ...]]]
    """(state, {player: move}) -> the new state and the rulings. The moves were checked; sealed ones come together."""
    view: Callable[[Any, str | None], msgspec.Struct]
    """What this viewer may know, built field by field; None is a spectator and knows least. Its messages reach the page
    as sentences, its rulings as sentences with their rules."""
    legal_moves: Callable[[Any, Sealed, str], Sequence[Any]]
    """Every move that `check` accepts from this player now; where there are too many to list, some of each kind."""
    awaits: Callable[[Any, Sealed], Awaits] = None  # type: ignore[assignment]
    """Who may do what now. Empty means that the match is over. A player with a sealed move is not awaited for
    another one that belongs together. Left out: whatever `legal_moves` offers to the `players` of the state."""
    facts: Callable[[Any], dict[str, Any]] = None  # type: ignore[assignment]
    """The state under the names that `docs/kifu.md` gives; `over` and `winners` among them. The match adds `awaits`.
    Left out: what a spectator is shown."""
    names: Callable[[Any, str, str], str | None] = None  # type: ignore[assignment]
    """(state, id of a thing, language) -> what sentences call it: `bo_staff` is "Bo staff"; None: it has no name.
    Where a header is refused there is no state yet, and None stands for it. Left out: as `names.toml` says."""
    together: frozenset[str] = frozenset()
    """Kinds of move that are held sealed until nobody is awaited for one of them; then all resolve in one step."""
    secret: frozenset[str] = frozenset()
    """Further kinds of move that stay their player's secret: when one is refused, only that player is told why."""
    tick: Callable[[Any, Sealed, float], tuple[Any, tuple[Ruling, ...]]] = lambda state, sealed, seconds: (state, ())
    """(state, sealed, seconds) -> the state and rulings once the match clock shows that many seconds."""
    time_limit: Callable[[Any], float | None] = lambda state: None
    """Seconds after which the match ends, where it is played against the clock."""
    award: Callable[[Any, str, int, str], acts.Step] = acts.award_scores
    """(state, player, points, why): the referee gives points, damage or wounds, or takes them. They count at once, with
    everything that follows from a limit. The match goes on when this is called."""
    add_time: Callable[[Any, Sealed, float, str], acts.Step] = acts.no_time_limit
    """(state, sealed, seconds, why): the referee moves the time limit, never below what has been played. A match that
    time had ended goes on."""
    end: Callable[[Any, tuple[str, ...]], Any] = acts.end_by_field
    """(state, winners) -> the state of a match that the referee has ended."""
    standing_winners: Callable[[Any, str | None], Sequence[str]] | None = None
    """(state, a player who cannot win) -> who would win as everybody stands now. None: those with the most in the
    fact that `standing` names."""
    rename: Callable[[Any, str, str], Any] = acts.rename_in_players
    """(state, player, name) -> the same state, with the player under that name in every place."""
    rename_in_move: Callable[[Any, str, str], Any] = lambda move, player, name: move
    """(move, player, name) -> the same move with that player under that name. Only moves that are held sealed and name
    other players need it."""
    out_of_turn: Callable[[Any, Sealed, str, Any], Refused | None] = lambda *_: None
    """For a move that is not awaited: the game's own refusal where it can say more than TABLE-3."""
    happenings: Any = None
    """The module in which this game's `Happening` types are, which its rulings carry for the page, or None where it has
    none; `Rules` makes it their union."""
    can_be_drawn: bool = False
    """Whether a match of several players may end without a winner."""
    standing: str = "scores"
    """The name of the fact that holds everybody's score."""
    tally: Callable[[Any], Sequence[int]] | None = None
    """(state) -> one number for everybody, by seat, that everybody may know, for the chart of the match. None: what the
    fact that `standing` names holds, or how much."""
    tally_title: Message = POINTS
    """What these numbers are."""
    prompts: Mapping[str, Message] = field(default_factory=dict)
    """Kind of move -> what the page asks of a player who has to make one. Everybody can read it."""

    def __post_init__(self) -> None:
        usual = {"awaits": self._all_that_is_legal, "facts": self._as_shown, "names": namer(self.home)}
        made = {name: function for name, function in usual.items() if getattr(self, name) is None}
        for name, base in (("moves", Move), ("happenings", Happening)):
            if isinstance(module := getattr(self, name), ModuleType):
                made[name] = _every(base, module)
        for name, value in made.items():
            object.__setattr__(self, name, value)

    def catalogue(self) -> Mapping[str, Rule]:
        """The numbered rules."""
        return rules_of(self.home)

    def _all_that_is_legal(self, state: Any, sealed: Sealed) -> Awaits:
        offered = {player: self.legal_moves(state, sealed, player) for player in state.players}
        return {player: tuple(dict.fromkeys(move.kind for move in some)) for player, some in offered.items() if some}

    def _as_shown(self, state: Any) -> dict[str, Any]:
        return dict(msgspec.json.decode(msgspec.json.encode(self.view(state, None))))


@dataclass(frozen=True)
class Reveals:
    """How a simultaneous reveal goes in this game. A game without one leaves it out."""

    kinds: tuple[str, ...] = ()
    """Kinds of move that are made at the count of three, in the order in which the rules take them."""
    locks: frozenset[str] = frozenset()
    """Kinds of move that count when the cards lie there *and* the player presses ready."""
    open_locks: frozenset[str] = frozenset()
    """Those of them that show cards openly: whoever makes one has nothing to turn up, and may tidy up at once."""
    covered_rules: Callable[[str], tuple[str, ...]] = lambda place: ()
    """(a player's place, such as `action1`) -> the rules that forbid moving a card there before the reveal."""
    ready: Callable[[Any, Sealed, str, Sight], Any] = lambda *_: None
    """(state, sealed, player, sight) -> the move that a press of ready makes where no card has to be laid, or None."""


def misplaced_piece(player: str, stands: str, belongs: str) -> Message:
    return message(
        "{player}'s piece stands on {stands}; it belongs on {belongs}.",
        player=Thing("player", player),
        stands=Thing("place", stands),
        belongs=Thing("place", belongs),
    )


@dataclass(frozen=True)
class OnTable:
    """The game on a real table: where things lie, what the cards look like, what lying cards mean."""

    layout: Callable[[Any], Layout]
    """(state) -> the table of this match."""
    deck: Callable[[Any], Deck]
    """(state) -> the cards of this match."""
    read: Callable[[Any, Sealed, str, Sight], Any]
    """(state, sealed, player, sight) -> the move that the cards lying there mean as an answer, or None (yet)."""
    laid: Callable[[Any, str, Any], Mapping[str, tuple[SeenCard, ...]] | None] | None = None
    """(state, player, move) -> what lies in the places that the move changes, once it is made; None: the move is
    tapped. It is the inverse of `read`: with it `shinpan game check` proves `read`, and the demo's simulated players
    need no code of their own."""
    lies: Callable[[Any, Sealed], Mapping[str, Message]] | None = None
    """(state, sealed) -> for each place, what lies or stands there for everybody to see, as a sentence: after moves are
    taken back, people are told the sentences that have changed. Without it they are told by `laid`, or the moves."""
    choices: Callable[[Any, Sealed, str], Sequence[Any]] | None = None
    """(state, sealed, player) -> the moves that are picked by button or tap, where others are made by laying cards;
    without it all legal moves."""
    parts: Callable[[Any, str], Mapping[str, Parts]] = lambda *_: {}
    """(state, player) -> kind of move that is awaited -> what it is put together from, for kinds of which `legal_moves`
    lists only some. Every such move that `check` accepts can be put together from its parts."""
    advice: Callable[[Any, Sight], msgspec.Struct | None] = lambda *_: None
    """(state, sight) -> help with the cards that are being laid, or None. It never makes a move. Its messages and
    rulings reach the page as sentences, as those of a view do."""
    misplaced: Callable[[Any, Sight], Mapping[str, tuple[str, str]]] = lambda *_: {}
    """Players whose piece is in the wrong place: name -> (where it stands, where it belongs)."""
    misplaced_call: Callable[[str, str, str], Message] = misplaced_piece
    """(player, where it stands, where it belongs) -> the call."""
    misplaced_cards: Callable[[Any, Mapping[str, tuple[SeenCard, ...]], Sight], Sequence[Ruling]] = lambda *_: ()
    """(state, what lay in each place when it was last seen, sight) -> calls about face-up cards that belong to no move
    and should not be there. Each is called once, by the first picture that shows it."""


@dataclass(frozen=True)
class PrintedCards:
    """What is printed on the real cards, where it comes from, and what their owner can put right."""

    rows: Callable[[], Sequence[PrintedRow]] = lambda: ()
    """What may be put right; `companion.record.corrections` does the rest."""
    corrected: Callable[[PrintedValues, int, Mapping[str, Any]], Mapping[str, Any]] = lambda _, count, options: options
    """(everything that is printed, corrections included; number of players; options) -> the options of a match with
    those cards, for its header. Options that were given explicitly take precedence."""
    scripted: Callable[[str, Mapping[str, Any]], Mapping[str, Any]] | None = None
    """(the owner's file of cards, in the game's own card language; options) -> the options of a match with these cards
    too. Options that were given explicitly take precedence. None: the game has no such language."""
    sources: Callable[[], Sequence[Source]] = tuple
    """Where the data of the game comes from."""


@dataclass(frozen=True)
class Game:
    """A game in its parts, of which only the rules and the table have to be written."""

    name: str
    title: str
    seats: range
    """How many may play."""
    rules: Rules
    table: OnTable
    reveals: Reveals = Reveals()
    printed: PrintedCards = PrintedCards()
    set_up: SetUp = field(default_factory=SetUp)
    topics: Callable[[Any], Sequence[Topic]] = lambda state: ()
    """(state) -> what of this match is easier drawn than said, for the rules browser."""
    figures: Figures = field(default_factory=Figures)
    """What is counted over many matches."""
    paper: Callable[[Any], Sequence[Paper]] = lambda state: ()
    """(state) -> summaries and consoles to be printed."""


def decode_options(raw: Mapping[str, Any], kind: type[T]) -> T:
    """A header's options as the game's own struct; an unknown name or a wrong kind of value is refused."""
    try:
        return msgspec.convert(raw, kind)
    except msgspec.ValidationError as error:
        told = message("The options of this match cannot be read: {detail}.", detail=wrong_field(error))
        raise Refused("TABLE-4", told, outermost_field(error)) from None
