"""Team play: pairs who may protect each other and win together."""

import pytest

from companion.games.san_ni_ichi import GAME

WEAPONS = [
    "torinoko-1",
    "block-0",
    "block-0",
    "sai-13",
    "sai-14",
    "tonfa-11",
    "tonfa-12",
    "shuriken-21",
    "shuriken-22",
    "yoso_kogeki-15",
]
TEAMS = [["Aki", "Cho"], ["Ben", "Dai"]]


@pytest.fixture
def table(bout):
    return bout(4, teams=TEAMS, weapons=WEAPONS)


@pytest.mark.rule("SNI-60", "SNI-R30")
def test_a_block_may_protect_the_team_mate_instead_of_its_player(table):
    table.reveal(Aki="block-0", Ben="fire-1", Cho="fire-2", Dai="fire-3")
    assert "SNI-60" in table.refused("Aki", "block", for_="Ben")
    assert "TABLE-4" in table.refused("Aki", "block", for_="Nobody")
    rulings = table.do("Aki", "block", for_="Cho")

    assert rulings[0].rule == "SNI-60"
    assert table["blocked"] == ["Cho"]
    assert "SNI-29" in table.refused("Ben", "play", on="Cho")
    table.do("Ben", "play", on="Aki")
    assert "SNI-29" in table.refused("Cho", "play", on="Cho")


@pytest.mark.rule("SNI-60", "SNI-R30", "SNI-38")
def test_a_smoke_bomb_for_the_team_mate_saves_the_mate_who_draws_from_ones_own_pile(table):
    table.round(Aki=("fire-1", "Aki"), Ben=("fire-2", "Ben"), Cho=("fire-3", "Cho"), Dai=("fire-4", "Dai"))
    table.reveal(Aki="water-1", Ben="wood-2", Cho="water-6", Dai="wood-5")
    table.do("Aki", "play", on="Aki")
    table.do("Ben", "discard")
    table.do("Dai", "discard")
    table.do("Cho", "play", on="Cho")
    assert {"SNI-60"} <= set(table.refused("Aki", "smoke", for_="Dai"))
    assert "SNI-38" in table.refused("Aki", "smoke", for_="Cho", draw="fire-1")
    table.do("Aki", "smoke", for_="Cho")
    table.do("Ben", "pass")
    table.do("Cho", "pass")
    rulings = table.do("Dai", "pass")

    assert [ruling.rule for ruling in rulings][:3] == ["SNI-60", "SNI-38", "SNI-37"]
    assert table["hands"] == {"Aki": 4, "Ben": 5, "Cho": 6, "Dai": 5}
    assert table["piles"] == {"Aki": ["fire-1", "water-1"], "Ben": [], "Cho": ["water-6"], "Dai": []}
    assert table["damage.Ben"] == 2


@pytest.mark.rule("SNI-60")
def test_without_team_play_nobody_is_protected_by_another(bout):
    table = bout()
    table.reveal(Aki="block-0", Ben="fire-1", Cho="fire-2")

    assert {"SNI-60", "SNI-58"} <= set(table.refused("Aki", "block", for_="Ben"))


@pytest.mark.rule("SNI-59", "SNI-R30")
def test_team_mates_damage_is_added_up_and_the_lowest_team_wins(bout):
    table = bout(4, teams=TEAMS, deck=[9, 1], weapons=["shuriken-22"])
    attack = [f"{element}-{strength}" for element in ("fire", "water", "wood") for strength in range(1, 10)]
    first = {"Aki": ("fire-9", "Aki"), "Ben": "fire-8", "Cho": "fire-7", "Dai": "fire-6"}
    second = {"Aki": "water-1", "Ben": ("water-5", "Ben"), "Cho": "water-3", "Dai": "water-4"}
    third = {"Aki": "wood-1", "Ben": "wood-2", "Cho": "wood-3", "Dai": ("wood-5", "Dai")}
    used = {turn if isinstance(turn, str) else turn[0] for each in (first, second, third) for turn in each.values()}
    free = [*(card for card in attack if card not in used), "shuriken-22"]
    for each in (first, second, third):
        table.round(**each)
    for _ in range(4):
        table.round(**{name: free.pop() for name in table.match.players})

    assert table["damage"] == {"Aki": 9, "Ben": 5, "Cho": 0, "Dai": 5}
    assert table["winners"] == ["Aki", "Cho"]


@pytest.mark.rule("SNI-61")
def test_a_team_mate_sees_no_more_of_a_hand_than_anybody_else(table):
    table.round(
        Aki=("fire-1", "Aki"),
        Ben="fire-2",
        Cho=("tonfa-11", {"move": "tonfa", "from": "Aki", "discard": "wood-1"}),
        Dai="fire-4",
    )
    views = {viewer: GAME.rules.view(table.match.state, viewer) for viewer in (None, "Aki", "Ben", "Cho", "Dai")}

    assert [views[viewer].you for viewer in views] == [None, "Aki", "Ben", "Cho", "Dai"]
    assert len({view.seats for view in views.values()}) == 1
    assert views["Cho"].seats[0].mate == "Cho"
    assert views["Cho"].seats[0].hand == 6


def test_two_bombs_for_one_player_each_draw_a_card(bout):
    weapons = ["torinoko-1", "torinoko-2", *WEAPONS[2:]]
    table = bout(4, teams=TEAMS, weapons=weapons)
    table.reveal(Aki="fire-1", Ben="water-2", Cho="wood-3", Dai="fire-4")
    for name in ("Aki", "Ben", "Cho", "Dai"):
        table.do(name, "play", on="Aki")
    table.do("Aki", "smoke")
    table.do("Cho", "smoke", for_="Aki")
    table.passes()

    assert table["piles.Aki"] == ["wood-3", "fire-4"]
    assert table["hands"] == {"Aki": 7, "Ben": 6, "Cho": 5, "Dai": 6}
