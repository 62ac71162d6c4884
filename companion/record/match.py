"""A match: the fold of a game's rules over its inputs.

It keeps the states it has been through, so taking back is forgetting, never undoing. Moves that belong together
are held sealed here and not in the game's state: no view can show what the state does not hold.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import msgspec

from companion.core.message import Thing, message, plural, things
from companion.core.rulings import Refused, Ruling
from companion.core.validation import wrong_field
from companion.games.kit.acts import renamed
from companion.games.kit.game import Awaits, Game, Move, Rules
from companion.record.acts import (
    AnyAct,
    AwardPoints,
    EndMatch,
    Position,
    RenamePlayer,
    check_names,
    perform,
    unknown_player,
)


class Moment(msgspec.Struct, gc=False):
    """Where a match stood before one input, and that input."""

    state: Any
    sealed: Mapping[str, Any]
    counts: bool
    """Whether an undo counts that input: moves and acts of the referee, but not the clock and not a new name."""
    done: Move | AnyAct | None = None
    """The move or the act; None: the clock."""
    by: str = ""
    """Whose move it was."""
    line: int = 0
    """Where it is written down; 0: nowhere yet."""


class Rewound(NamedTuple):
    """Where a match stands once some of its moves are taken back."""

    undone: list[Moment]
    """What is taken back, the latest first: the clock and new names since then among it."""
    names: list[Moment]
    """The new names, which stay."""
    state: Any
    sealed: Mapping[str, Any]


class Match:
    def __init__(self, game: Game, players: Sequence[str], options: Mapping[str, Any] | None = None) -> None:
        """Set up a match; raises Refused where the rules do not allow it."""
        self.game = game
        self.players = tuple(players)
        self.options = dict(options or {})
        check_names(self.players)
        self.state = game.rules.setup(self.players, self.options)
        if len(self.players) not in game.seats:  # the game's own refusal comes first: it can cite its rule
            least, most = game.seats[0], game.seats[-1]
            told = message("{game} is for {least} to {most} players.", game=game.title, least=least, most=most)
            raise Refused("TABLE-4", told, "players")
        self.sealed: Mapping[str, Any] = {}
        self._past: list[Moment] = []
        self._awaited: tuple[Any, Any, Awaits] = (None, None, {})

    @property
    def awaits(self) -> Awaits:
        """What may be done now, by whom. Asked often, so it is worked out once for each position."""
        state, sealed, known = self._awaited
        if state is not self.state or sealed is not self.sealed:
            known = self.game.rules.awaits(self.state, self.sealed)
            self._awaited = (self.state, self.sealed, known)
        return known

    @property
    def over(self) -> bool:
        return not self.awaits

    @property
    def facts(self) -> dict[str, Any]:
        """The state as the kifu names it."""
        awaits = {player: list(kinds) for player, kinds in self.awaits.items()}
        return {**self.game.rules.facts(self.state), "awaits": awaits}

    @property
    def moves(self) -> int:
        """How many moves and acts of the referee have been made and not taken back."""
        return sum(moment.counts for moment in self._past)

    def name(self, thing: str, language: str) -> str | None:
        """The name of a card, a place or a move of this match, given its id."""
        return self.game.rules.names(self.state, thing, language)

    def decode(self, fields: Mapping[str, Any]) -> Move:
        """A move from its fields, `{"move": "reveal", …}`; raises Refused where there is no such move or field."""
        try:
            move: Move = _reader(self.game.rules.moves).decode(msgspec.json.encode(fields))
        except msgspec.ValidationError as error:
            raise Refused(
                "TABLE-4", message("That cannot be read as a move: {detail}.", detail=wrong_field(error))
            ) from None
        return move

    def move(self, player: str, move: Move) -> tuple[Ruling, ...]:
        """Make a move, or raise Refused and change nothing."""
        rules, kind = self.game.rules, move.kind
        self._check(player, move, kind)
        before = Moment(self.state, self.sealed, True, move, player)
        try:
            rulings = self._make(rules, player, move, kind)
        except Refused:
            self.state, self.sealed = before.state, before.sealed
            raise
        self._past.append(before)
        return rulings

    def check(self, player: str, move: Move) -> None:
        """Raise Refused where this move may not be made now."""
        self._check(player, move, move.kind)

    def _check(self, player: str, move: Move, kind: str) -> None:
        if player not in self.players:
            raise unknown_player(player)
        if kind not in self.awaits.get(player, ()):
            raise self._out_of_turn(player, move)
        self.game.rules.check(self.state, self.sealed, player, move)

    def _make(self, rules: Rules, player: str, move: Move, kind: str) -> tuple[Ruling, ...]:
        if kind in rules.together:
            self.sealed = {**self.sealed, player: move}
            return self._resolve_sealed()
        self.state, rulings = rules.apply(self.state, {player: move})
        return rulings + self._loosen_sealed() if self.sealed else rulings

    def _resolve_sealed(self) -> tuple[Ruling, ...]:
        """Sealed moves are resolved as soon as nobody is awaited for one any more."""
        if not self.sealed or self._more_together():
            return ()
        held, self.sealed = self.sealed, {}
        self.state, rulings = self.game.rules.apply(self.state, held)
        return rulings

    def act(self, act: AnyAct) -> tuple[Ruling, ...]:
        """The referee does something by hand; or Refused is raised and nothing changes."""
        before = Moment(self.state, self.sealed, not isinstance(act, RenamePlayer), act)
        try:
            self.state, rulings = perform(
                act, Position(self.game.rules, self.players, self.state, self.sealed, self.over)
            )
            if isinstance(act, RenamePlayer):
                self.players = renamed(self.players, act.player, act.name)
                self.sealed = self._renamed_seals(self.sealed, act)
            elif isinstance(act, AwardPoints | EndMatch):
                rulings += self._loosen_sealed()
        except Refused:
            self.state, self.sealed = before.state, before.sealed
            raise
        self._past.append(before)
        return rulings

    def _loosen_sealed(self) -> tuple[Ruling, ...]:
        """An act, or a move made alone (a concession), may have ended the match or taken somebody out of the common
        step, who may have been the last one."""
        if self.sealed:
            still = self.game.rules.awaits(self.state, {})
            self.sealed = {who: move for who, move in self.sealed.items() if move.kind in still.get(who, ())}
        return self._resolve_sealed()

    def _renamed_seals(self, sealed: Mapping[str, Any], act: RenamePlayer) -> Mapping[str, Any]:
        rename = self.game.rules.rename_in_move
        return {
            act.name if who == act.player else who: rename(move, act.player, act.name) for who, move in sealed.items()
        }

    def clock(self, seconds: float) -> tuple[Ruling, ...]:
        """The match clock has reached this point."""
        reached = self.game.rules.facts(self.state).get("clock", 0.0)
        if seconds < reached:
            raise Refused(
                "TABLE-3", message("The match clock stands at {reached} and cannot go back.", reached=reached)
            )
        before = Moment(self.state, self.sealed, False)
        # Sealed moves stay: where time is added to a match that time has ended, it goes on with them.
        self.state, rulings = self.game.rules.tick(self.state, self.sealed, seconds)
        self._past.append(before)
        return rulings

    def undo(self, moves: int) -> Rewound:
        """Take back that many moves and acts, and everything the clock did since. A new name stays."""
        back = self.rewound(moves)
        del self._past[-len(back.undone) :]
        self._past += back.names
        self.state, self.sealed = back.state, back.sealed
        return back

    def rewound(self, moves: int) -> Rewound:
        """What taking back that many moves and acts comes to. Nothing is changed."""
        if not 1 <= moves <= self.moves:
            few = plural(
                "There is {count} move to take back, not {moves}.",
                "There are {count} moves to take back, not {moves}.",
                self.moves,
                moves=moves,
            )
            raise Refused("TABLE-4", few)
        undone: list[Moment] = []
        while moves:
            undone.append(self._past[-len(undone) - 1])
            moves -= undone[-1].counts
        state, sealed = undone[-1].state, undone[-1].sealed
        names: list[Moment] = []
        for moment in reversed(undone):
            if isinstance(moment.done, RenamePlayer):
                names.append(Moment(state, sealed, False, moment.done, line=moment.line))
                state = self.game.rules.rename(state, moment.done.player, moment.done.name)
                sealed = self._renamed_seals(sealed, moment.done)
        return Rewound(undone, names, state, sealed)

    def written(self, line: int) -> None:
        """The last input stands in that line of the kifu."""
        self._past[-1].line = line

    @property
    def past(self) -> Iterator[Moment]:
        """Every input that has not been taken back, the latest first."""
        return reversed(self._past)

    @property
    def ended_by_hand(self) -> EndMatch | None:
        """The act by which the referee has ended the match."""
        return next((moment.done for moment in self.past if isinstance(moment.done, EndMatch)), None)

    def forget(self) -> None:
        """Drop the last input, because it could not be written down."""
        moment = self._past.pop()
        self.state, self.sealed = moment.state, moment.sealed
        if isinstance(moment.done, RenamePlayer):
            self.players = renamed(self.players, moment.done.name, moment.done.player)

    def _more_together(self) -> bool:
        together = self.game.rules.together
        for kinds in self.awaits.values():  # asked at every sealed move, so without a generator
            for kind in kinds:
                if kind in together:
                    return True
        return False

    def _out_of_turn(self, player: str, move: Move) -> Refused:
        fuller = self.game.rules.out_of_turn(self.state, self.sealed, player, move)
        if fuller is not None:
            return fuller.citing("TABLE-3")
        if player not in self.awaits:
            return Refused("TABLE-3", message("Nothing is awaited from {player} now.", player=Thing("player", player)))
        return Refused(
            "TABLE-3",
            message(
                "{player} cannot do that now ({move}); awaited: {kinds}.",
                player=Thing("player", player),
                move=Thing("move", move.kind),
                kinds=things("move", self.awaits[player]),
            ),
        )


@cache
def _reader(moves: Any) -> msgspec.json.Decoder[Any]:
    """Decodes any move of a game. Kept, because building a decoder for a large union is slow."""
    return msgspec.json.Decoder(moves)
