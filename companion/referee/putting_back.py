"""What has to be put back on the table once moves are taken back, for people to do."""

from collections.abc import Iterable, Mapping

from companion.core.layout import SeenCard
from companion.core.message import Message, Thing, message
from companion.games.kit.game import Move
from companion.games.kit.lying import covered, nothing, shown
from companion.record.match import Match, Moment, Rewound


def put_back(match: Match, back: Rewound) -> tuple[Message, ...]:
    """How the table has to look again wherever it looks different now. `match` has not been rewound yet."""
    table = match.game.table
    if table.lies is not None:
        now, then = table.lies(match.state, match.sealed), table.lies(back.state, back.sealed)
        return tuple(told for place, told in then.items() if now.get(place) != told)
    if table.laid is not None:
        return tuple(_lies(place, cards) for place, cards in _changed(match, back))
    moves = [(moment.by, moment.done) for moment in back.undone if isinstance(moment.done, Move)]
    return tuple(
        message("{player} takes back: {move}", player=Thing("player", by), move=Thing("move", move.kind))
        for by, move in moves
    )


def _changed(match: Match, back: Rewound) -> Iterable[tuple[str, tuple[SeenCard, ...]]]:
    """The places that the undone moves have touched, and what the moves before them had laid there."""
    kept = list(match.past)[len(back.undone) :]
    lay: dict[str, tuple[SeenCard, ...]] = {}
    for moment in reversed(kept):
        lay |= _laid(match, moment)
    for place, cards in dict(item for moment in back.undone for item in _laid(match, moment).items()).items():
        if lay.get(place, ()) != cards:
            yield place, lay.get(place, ())


def _laid(match: Match, moment: Moment) -> Mapping[str, tuple[SeenCard, ...]]:
    if match.game.table.laid is None or not isinstance(moment.done, Move):
        return {}
    return match.game.table.laid(moment.state, moment.by, moment.done) or {}


def _lies(place: str, cards: tuple[SeenCard, ...]) -> Message:
    if not cards:
        return nothing(place)
    return covered(place) if cards[-1].card is None else shown(place, cards[-1].card)
