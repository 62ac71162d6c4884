"""Random matches give the same states by the rules and by their second, independent writing."""

from random import Random
from typing import Any

import pytest

from companion.games.sen_so import GAME
from companion.record.match import Match
from tests.companion.games.sen_so.second_writing import SIDES, SecondWriting, name

LOADOUTS = (
    ["katana", "nunchaku", "shuriken"],
    ["bo_staff", "nagamaki", "shuriken", "shuriken"],
    ["kau_sin_ke", "nagamaki", "bo_staff"],
    [],
    ["shuriken"],
)
BOARDS = ([9, 9], [5, 5], [4, 6], [3, 3])


class Pair:
    """One match, played twice at once."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        players = ["Aki", "Ben", "Cho", "Dai"][: chance.choice([2, 3, 4])]
        options: dict[str, Any] = {
            "board": chance.choice(BOARDS),
            "end": chance.choice([{"actions": 12}, {"points": 10}]),
            "block_bearing": chance.choice(["bearing", "arrow"]),
            "flying_attack_after_collision": chance.random() < 0.5,
            "weapon_waives_bans": chance.random() < 0.5,
            "knock_out": chance.choice([None, None, 15]),
        }
        self.match = Match(GAME, players, options)
        self.truth = SecondWriting(players, options, {player: chance.choice(LOADOUTS) for player in players})
        self.guards = {player: chance.choice(SIDES) for player in players}
        """The side that each block that lies there really guards."""

    def put(self, player: str, move: str, **fields: Any) -> None:
        self.match.move(player, self.match.decode({"move": move, **fields}))

    def set_up(self) -> None:
        truth = self.truth
        held = {player: [each for each in truth.loadout[player] if each != "shuriken"] for player in truth.players}
        for player in truth.players:
            self.put(player, "arm", weapons=truth.loadout[player])
        for player in truth.players:
            self.put(player, "set", slots=[*(["weapon"] if held[player] else []), "block", "action1", "action2"])
        for player in truth.players:
            if held[player]:
                truth.weapon[player] = self.chance.choice(held[player])
                self.put(player, "show", weapon=truth.weapon[player])

    def play_a_set(self) -> None:
        chance, truth = self.chance, self.truth
        cards = {player: self._card(player) for player in truth.present()}
        for player in [each for each, (card, _) in cards.items() if card == "block"]:
            self.put(player, "change_block")
            self.guards[player], truth.block[player] = chance.choice(SIDES), "hidden"
            truth.stand_still(player)
        for player in [each for each, (card, _) in cards.items() if card in ("katana", "nagamaki", "bo_staff")]:
            self.put(player, "change_weapon", weapon=cards[player][0])
            truth.weapon[player] = cards[player][0]
            truth.stand_still(player)
        reveals = {player: action for player, action in cards.items() if action[1]}
        for player in chance.sample(list(reveals), len(reveals)):
            self.put(player, "reveal", card=reveals[player][0], direction=reveals[player][1])
        actions = truth.move(reveals)
        reached = {player: truth.locations(player, *action) for player, action in actions.items()}
        choices = {player: cells for player, cells in reached.items() if cells}
        assert self.awaited("aim") == [player for player in truth.present() if len(choices.get(player, ())) > 1]
        targets = {}
        for player, cells in choices.items():
            struck = [cell for cell in cells if truth.standing(cell)]
            targets[player] = chance.choice(struck or cells)
            if len(cells) > 1:
                self.put(player, "aim", cell=name(targets[player]))
        self._guard(actions, targets)
        truth.settle(actions, targets)

    def _card(self, player: str) -> tuple[str, str]:
        others = [each for each in self.truth.loadout[player] if each not in ("shuriken", self.truth.weapon[player])]
        kept = [each for each in others if each in ("katana", "nagamaki", "bo_staff")]
        cards = ["move", "move", "leap", "flying_attack", "attack", "attack", "attack", "block", *kept[:1]]
        cards += ["shuriken"] if "shuriken" in self.truth.loadout[player] else []
        card = self.chance.choice(cards)
        return card, "" if card == "block" or card in kept else self.chance.choice(SIDES)

    def _guard(self, actions: dict[str, tuple[str, str]], targets: dict[str, tuple[int, int]]) -> None:
        truth = self.truth
        sides: dict[str, set[str]] = {}
        for _, defender, side in truth.hits(actions, targets):
            if truth.block[defender] == "hidden":
                sides.setdefault(defender, set()).add(side)
        assert self.awaited("guard") == [player for player in truth.present() if player in sides]
        for player, hit in sides.items():
            shown = self.guards[player] if self.guards[player] in hit else None
            truth.block[player] = shown or "hidden"
            self.put(player, "guard", direction=shown)

    def awaited(self, kind: str) -> list[str]:
        return [player for player, kinds in self.match.awaits.items() if kind in kinds]

    def hold_against(self) -> None:
        facts, truth = self.match.facts, self.truth
        assert facts["scores"] == truth.score
        assert (facts["set"], facts["over"], facts["winners"]) == (truth.sets, truth.over, truth.winners())
        for player in truth.present():
            told = facts["players"][player]
            assert told["cell"] == name(truth.cell[player])
            assert told["weapon"] == truth.weapon[player]
            assert told["block"] == truth.block[player]
            assert told["momentum"] == truth.momentum[player]
            assert told["loadout"] == truth.loadout[player]


@pytest.mark.parametrize("seed", range(60))
def test_both_writings_of_the_rules_agree_after_every_set(seed: int) -> None:
    pair = Pair(Random(seed))
    pair.set_up()
    for _ in range(40):
        pair.play_a_set()
        pair.hold_against()
        if pair.truth.over:
            break
        for player in pair.truth.present():
            pair.put(player, "set", slots=["action2"])
