"""What lies on the table: the camera's readings, and people's corrections of them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from companion.core.layout import SeenCard, SeenPiece, Sight

STILL = 4.0
"""Millimetres that a card may seem to shift while nobody touches it."""


class ObservedTable:
    def __init__(self) -> None:
        self.sight = Sight({})
        self._corrected: dict[str, tuple[tuple[SeenCard, ...], SeenCard]] = {}
        """Corrected readings: zone -> (what the camera saw, what it is)."""
        self._locked: dict[str, dict[str, tuple[SeenCard, ...]]] = {}
        """What lay in a player's zones when they pressed ready."""
        self._left_behind: dict[str, SeenPiece] = {}
        """Pieces that a ruling has moved on the page but nobody has moved on the table yet: where they
        stand now must not be read as a move."""
        self.last_seen: dict[str, tuple[SeenCard, ...]] = {}
        """What lay in each zone when it was last in view."""

    def take(self, sight: Sight) -> None:
        """A new still picture. A correction holds as long as that card stays there."""
        zones = dict(sight.zones)
        for zone, (seen, truth) in list(self._corrected.items()):
            if zone not in zones or zones[zone][-1:] == (truth,):
                continue
            if _alike(zones[zone], seen):
                zones[zone] = (*zones[zone][:-1], truth)
            else:
                del self._corrected[zone]
        self.sight = Sight(zones, sight.pieces)
        self.last_seen |= zones
        self._left_behind = {
            name: stood for name, stood in self._left_behind.items() if sight.pieces.get(name, stood) == stood
        }

    def correct(self, zone: str, card: str | None, rotation: float | None) -> None:
        """Somebody says what the top card there really is (None: it lies face down).

        It shows from the next `take` on.
        """
        seen = self.sight.zones.get(zone, ())
        if seen:
            self._corrected[zone] = (seen, _in_truth(seen[-1], card, rotation))

    def if_corrected(self, zone: str, card: str | None, rotation: float | None) -> Sight | None:
        """What would be read if the top card there were this one; None: no card lies there."""
        seen, telling = self.sight.zones.get(zone, ()), self.telling
        if not seen:
            return None
        return Sight({**telling.zones, zone: (*seen[:-1], _in_truth(seen[-1], card, rotation))}, telling.pieces)

    @property
    def unsure(self) -> dict[str, SeenCard]:
        """Face-up cards that the camera cannot name for certain; one tap settles each."""
        tops = {zone: cards[-1] for zone, cards in self.sight.zones.items() if cards}
        return {zone: card for zone, card in tops.items() if card.face_up and card.card is None}

    @property
    def telling(self) -> Sight:
        """What may be read as a move: everything but pieces that still have to be moved by hand."""
        pieces = {name: seen for name, seen in self.sight.pieces.items() if self._left_behind.get(name) != seen}
        return Sight(self.sight.zones, pieces)

    def leave_behind(self, owners: Iterable[str]) -> None:
        """The rules have just moved the pieces of these players (and nobody else's)."""
        moved = set(owners)
        self._left_behind = {name: seen for name, seen in self.sight.pieces.items() if name.partition(".")[2] in moved}

    def lock(self, player: str) -> None:
        """From now on this player's cards must not move."""
        self._locked[player] = self._lying(player)

    def disturbed(self, player: str, *, laying: bool = False) -> str | None:
        """The first of this player's places in which something moved since they were locked; None: nothing did.

        Whoever is still `laying` may fill the places that were empty.
        """
        for zone, before, now in self._since_locked(player):
            if laying and not before:
                continue
            # The reading of a face-up card may jitter; a face-down card is located exactly, so any shift is a real one.
            if not _same(now, before) or not _still(
                [c for c in now if not c.face_up], [c for c in before if not c.face_up]
            ):
                return zone
        return None

    def put_right(self, player: str, *, laying: bool = False) -> bool:
        """The same cards lie there, face up or down, as when this player was locked."""
        return all(_same(now, before) or (laying and not before) for _, before, now in self._since_locked(player))

    def rename(self, names: Mapping[str, str]) -> None:
        """Players have new names: {old: new}. Their places and pieces are called by them."""
        self.sight = renamed_places(self.sight, names)
        self._corrected = {_place_of(zone, names): kept for zone, kept in self._corrected.items()}
        self._locked = {
            names.get(player, player): {_place_of(zone, names): cards for zone, cards in lying.items()}
            for player, lying in self._locked.items()
        }
        self._left_behind = {_piece_of(piece, names): seen for piece, seen in self._left_behind.items()}
        self.last_seen = {_place_of(zone, names): cards for zone, cards in self.last_seen.items()}

    def _since_locked(self, player: str) -> Iterator[tuple[str, tuple[SeenCard, ...], tuple[SeenCard, ...]]]:
        """(zone, what lay there, what lies there now). A zone that is out of view is left out."""
        for zone, before in self._locked.get(player, {}).items():
            if zone in self.sight.zones:
                yield zone.removeprefix(player + "."), before, self.sight.zones[zone]

    def _lying(self, player: str) -> dict[str, tuple[SeenCard, ...]]:
        return {zone: cards for zone, cards in self.sight.zones.items() if zone.startswith(player + ".")}


def renamed_places(sight: Sight, names: Mapping[str, str]) -> Sight:
    """The same sight once players have new names: a place is `Aki.card`, a piece `pawn.Aki`."""
    zones = {_place_of(zone, names): cards for zone, cards in sight.zones.items()}
    return Sight(zones, {_piece_of(piece, names): seen for piece, seen in sight.pieces.items()})


def _place_of(zone: str, names: Mapping[str, str]) -> str:
    for old, new in names.items():
        if zone.startswith(old + "."):
            return new + zone[len(old) :]
    return zone


def _piece_of(piece: str, names: Mapping[str, str]) -> str:
    kind, dot, owner = piece.partition(".")
    return f"{kind}{dot}{names.get(owner, owner)}"


def _in_truth(seen: SeenCard, card: str | None, rotation: float | None) -> SeenCard:
    return SeenCard(card, card is not None, seen.rotation if rotation is None else rotation, seen.x, seen.y)


def _alike(now: tuple[SeenCard, ...], before: tuple[SeenCard, ...]) -> bool:
    """The same cards lie there, in the same spots."""
    return _same(now, before) and _still(now, before)


def _same(now: Sequence[SeenCard], before: Sequence[SeenCard]) -> bool:
    return [(card.face_up, card.card) for card in now] == [(card.face_up, card.card) for card in before]


def _still(now: Sequence[SeenCard], before: Sequence[SeenCard]) -> bool:
    return all(abs(a.x - b.x) < STILL and abs(a.y - b.y) < STILL for a, b in zip(now, before, strict=True))
