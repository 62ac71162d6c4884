"""Sen So once more, written from the rules alone and as plainly as can be: what the referee is held against.

It shares no code with the rules it checks, takes cells as (column, row) from 0, and knows whole sets only.
"""

from collections.abc import Mapping

Cell = tuple[int, int]
Action = tuple[str, str]
"""A revealed card and its direction."""

SIDES = ["F", "FR", "R", "BR", "B", "BL", "L", "FL"]
STEPS = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]
PATTERNS = {
    "katana": [(1, 0), (1, -1), (1, 1), (2, 0)],
    "nunchaku": [(1, 0), (1, -1), (1, 1), (-1, 0)],
    "kau_sin_ke": [(2, 0), (3, 0)],
    "bo_staff": [(1, 0), (2, 0)],
    "nagamaki": [(1, 0), (1, -1), (1, 1)],
}
HELPERS = {"leap": "bo_staff", "flying_attack": "nagamaki"}
LOOKS = {2: [0, 4], 3: [0, 2, 4], 4: [0, 2, 4, 6]}


def name(cell: Cell) -> str:
    return "abcdefghijklmnopqrstuvwxyz"[cell[0]] + str(cell[1] + 1)


def turned(right: int, forward: int, eighths: int) -> Cell:
    """Go round the ring cell by cell."""
    ring, x, y = max(abs(right), abs(forward)), right, forward
    for _ in range(ring * eighths):
        if y == ring and x < ring:
            x += 1
        elif x == ring and y > -ring:
            y -= 1
        elif y == -ring and x > -ring:
            x -= 1
        else:
            y += 1
    return x, y


class SecondWriting:
    def __init__(self, players: list[str], options: Mapping[str, object], loadouts: Mapping[str, list[str]]) -> None:
        self.players, self.options = players, options
        self.columns, self.rows = options["board"]  # type: ignore[misc]
        self.looks = dict(zip(players, LOOKS[len(players)], strict=True))
        middle, half = self.columns // 2, self.rows // 2
        starts = {0: (middle, 0), 2: (0, half), 4: (middle, self.rows - 1), 6: (self.columns - 1, half)}
        self.cell = {player: starts[look] for player, look in self.looks.items()}
        self.score = dict.fromkeys(players, 0)
        self.weapon: dict[str, str | None] = dict.fromkeys(players)
        self.loadout = {player: list(weapons) for player, weapons in loadouts.items()}
        self.block = dict.fromkeys(players, "hidden")
        self.momentum = dict.fromkeys(players, False)
        self.banned = dict.fromkeys(players, False)
        self.out: set[str] = set()
        self.sets = 0
        self.over = False
        self._collided: set[str] = set()

    def present(self) -> list[str]:
        return [player for player in self.players if player not in self.out]

    def on_board(self, cell: Cell) -> bool:
        return 0 <= cell[0] < self.columns and 0 <= cell[1] < self.rows

    def arrow(self, player: str, direction: str) -> int:
        return (SIDES.index(direction) + self.looks[player]) % 8

    def stand_still(self, player: str) -> None:
        """A block or a weapon was changed."""
        self.momentum[player] = self.banned[player] = False

    def move(self, reveals: Mapping[str, Action]) -> dict[str, Action]:
        """The Move phase; gives back the actions that count."""
        valid = {player: action for player, action in reveals.items() if self._allowed(player, action[0])}
        tracks: dict[str, list[Cell]] = {}
        for player, (card, direction) in valid.items():
            (x, y), (dx, dy) = self.cell[player], STEPS[self.arrow(player, direction)]
            steps = {"move": 1, "flying_attack": 1, "leap": 2}.get(card, 0)
            if steps:
                tracks[player] = [(x + step * dx, y + step * dy) for step in range(steps + 1)]
        self._collided = set()
        for player, track in tracks.items():
            while not self.on_board(track[-1]):
                track.pop()
                self._collided.add(player)
        while True:
            where = {player: tracks[player][-1] if player in tracks else self.cell[player] for player in self.present()}
            back = [p for p in tracks if len(tracks[p]) > 1 and list(where.values()).count(where[p]) > 1]
            if not back:
                break
            for player in back:
                tracks[player].pop()
                self._collided.add(player)
        self.cell.update(where)
        for player, (card, _) in reveals.items():
            went = player in tracks
            self.momentum[player] = went and card != "flying_attack" and player not in self._collided
            self.banned[player] = player in self._collided or (went and card == "flying_attack")
        return valid

    def _allowed(self, player: str, card: str) -> bool:
        if card not in HELPERS:
            return True
        helped = self.weapon[player] == HELPERS[card]
        if self.banned[player] and not (helped and self.options["weapon_waives_bans"]):
            return False
        return self.momentum[player] or helped

    def locations(self, player: str, card: str, direction: str) -> list[Cell] | None:
        """Where this action may strike; None where it is no attack."""
        arrow, (x, y) = self.arrow(player, direction), self.cell[player]
        if card == "attack":
            weapon = self.weapon[player]
            shifts = [turned(r, f, arrow) for f, r in (PATTERNS[weapon] if weapon else [(1, 0)])]
        elif card == "flying_attack":
            if player in self._collided and not self.options["flying_attack_after_collision"]:
                return None
            shifts = [STEPS[arrow]]
        elif card == "shuriken":
            dx, dy = STEPS[arrow]
            line = [(x + far * dx, y + far * dy) for far in range(1, 27)]
            return [cell for cell in line if self.standing(cell)][:1]
        else:
            return None
        return [cell for cell in dict.fromkeys((x + dx, y + dy) for dx, dy in shifts) if self.on_board(cell)]

    def standing(self, cell: Cell) -> str | None:
        return next((player for player in self.present() if self.cell[player] == cell), None)

    def hits(self, actions: Mapping[str, Action], targets: Mapping[str, Cell]) -> list[tuple[str, str, str]]:
        """(attacker, defender, the side it comes from)"""
        found = []
        for attacker, cell in targets.items():
            defender = self.standing(cell)
            if defender is not None:
                found.append((attacker, defender, self._side(attacker, defender, actions[attacker][1])))
        return found

    def _side(self, attacker: str, defender: str, direction: str) -> str:
        dx, dy = (self.cell[attacker][at] - self.cell[defender][at] for at in (0, 1))
        bearing = (self.arrow(attacker, direction) + 4) % 8
        if self.options["block_bearing"] == "bearing" and (0 in (dx, dy) or abs(dx) == abs(dy)):
            bearing = STEPS.index(((dx > 0) - (dx < 0), (dy > 0) - (dy < 0)))
        return SIDES[(bearing - self.looks[defender]) % 8]

    def settle(self, actions: Mapping[str, Action], targets: Mapping[str, Cell]) -> None:
        """The Scoring, and the end of the set."""
        hits = self.hits(actions, targets)
        blocked = {(attacker, defender) for attacker, defender, side in hits if self.block[defender] == side}
        for attacker, defender, _ in hits:
            if (attacker, defender) in blocked and (defender, attacker) in blocked:
                continue
            self._gain(attacker, 5)
            if (attacker, defender) not in blocked:
                self._gain(defender, -5)
        for player, (card, _) in actions.items():
            if card == "shuriken":
                self.loadout[player].remove("shuriken")
            elif player in targets and player not in {attacker for attacker, _, _ in hits}:
                x, y = targets[player]
                near = {(x + dx, y + dy) for dx, dy in STEPS}
                self._gain(player, sum(self.cell[other] in near for other in self.present() if other != player))
        self.sets += 1
        endurance, end = self.options.get("knock_out"), self.options["end"]
        if endurance:
            self.out |= {player for player in self.present() if self.score[player] <= -endurance}  # type: ignore[operator]
        limits = {"points": max(self.score.values()), "actions": self.sets}
        reached = any(limits[kind] >= limit for kind, limit in end.items())  # type: ignore[attr-defined]
        self.over = reached or (bool(endurance) and len(self.present()) <= 1)

    def _gain(self, player: str, points: int) -> None:
        if points < 0 or not self.options.get("knock_out"):
            self.score[player] += points

    def winners(self) -> list[str]:
        judged = self.present() or self.players
        best = max(self.score[player] for player in judged)
        return [player for player in judged if self.score[player] == best] if self.over else []
