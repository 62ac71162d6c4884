"""The places on the table, what the cards lying there mean, and what the cards look like."""

from itertools import combinations

import numpy as np
import pytest
from msgspec.structs import replace

from companion.core.layout import SeenCard, Sight
from companion.games.san_ni_ichi import GAME
from companion.games.san_ni_ichi.moves import (
    GiveUpCard,
    NoSmokeBomb,
    PlayOnPile,
    SelectFaceDown,
    SitOut,
    TurnUpSelected,
    UseBlock,
    UseSai,
    UseShuriken,
    UseSmokeBomb,
    UseTonfa,
)
from vision.simulation.paint import paint

NAMES = ("Aki", "Ben", "Cho", "Dai", "Eri", "Fuu")
NO_BOMBS = ("block-0", "block-0", "sai-13", "tonfa-11", "yoso_kogeki-15", "shuriken-22")
DOWN = SeenCard(None, False, 90.0)


def up(card, rotation=90.0):
    return SeenCard(card, True, rotation)


def sight(table, **zones):
    """The table as the state has it, with some places changed: `Aki_selected=up("fire-1")`, () for empty."""
    state = table.match.state
    seen = {"discard": (up(state.discards[-1]),) if state.discards else (), "weapons": ()}
    revealed = {state.table.players[seat]: card for seat, card in (*state.order[state.turn :], *state.spent)}
    for seat, name in enumerate(state.table.players):
        seen[f"{name}.combat"] = tuple(up(laid.card, 0.0) for laid in state.piles[seat][-1:])
        seen[f"{name}.damage"] = (DOWN,) if state.damage[seat] else ()
        seen[f"{name}.selected"] = (up(revealed[name]),) if name in revealed else ()
    for place, lying in zones.items():
        seen[place.replace("_", ".")] = lying if isinstance(lying, tuple) else (lying,)
    return Sight(seen)


def read(table, player, **zones):
    return GAME.table.read(table.match.state, table.match.sealed, player, sight(table, **zones))


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_every_seat_has_its_places_apart_from_all_others_on_a_table_of_reasonable_size(players):
    layout = GAME.table.layout(GAME.rules.setup(NAMES[:players], {}))
    expected = {f"{name}.{place}" for name in NAMES[:players] for place in ("selected", "combat", "damage")}

    assert {zone.name for zone in layout.zones} == expected | {"weapons", "discard"}
    assert layout.card == (63.0, 88.0)
    assert layout.width <= 1600
    assert layout.height <= 1000
    for zone in layout.zones:
        assert zone.width / 2 <= zone.x <= layout.width - zone.width / 2
        assert zone.height / 2 <= zone.y <= layout.height - zone.height / 2
    for one, other in combinations(layout.zones, 2):
        apart_x = abs(one.x - other.x) - (one.width + other.width) / 2
        apart_y = abs(one.y - other.y) - (one.height + other.height) / 2
        assert max(apart_x, apart_y) > 0, (one.name, other.name)


@pytest.mark.rule("SNI-11", "SNI-54")
def test_a_selected_card_fits_crosswise_and_piles_show_their_top_card():
    layout = GAME.table.layout(GAME.rules.setup(NAMES, {}))
    for zone in layout.zones:
        if zone.name.endswith(".selected"):
            assert zone.width >= 88
            assert zone.height >= 88
            assert zone.rotations == 4
        if zone.name.endswith((".combat", ".damage")):
            assert zone.holds == "pile"


def test_seats_follow_each_other_clockwise_seen_from_above():
    for players in (3, 4, 5, 6):
        layout = GAME.table.layout(GAME.rules.setup(NAMES[:players], {}))
        at = {zone.name: complex(zone.x - layout.width / 2, zone.y - layout.height / 2) for zone in layout.zones}
        places = [at[f"{name}.selected"] for name in NAMES[:players]]
        turns = [np.angle(after / before) for before, after in zip(places, [*places[1:], places[0]], strict=True)]
        assert sum(turns) == pytest.approx(-2 * np.pi)
        assert layout.zones[1].turn == 0.0


@pytest.mark.rule("SNI-11", "SNI-12")
def test_a_face_down_card_is_a_selection_and_turned_up_it_is_a_reveal(bout):
    table = bout()
    assert read(table, "Aki") is None
    assert read(table, "Aki", Aki_selected=DOWN) == SelectFaceDown()
    assert read(table, "Aki", Aki_selected=up("fire-1")) is None
    table.select()
    assert read(table, "Aki", Aki_selected=DOWN) is None
    assert read(table, "Aki", Aki_selected=up("fire-1")) == TurnUpSelected("fire-1")
    assert read(table, "Aki", Aki_selected=SeenCard(None, True)) is None
    table.do("Aki", "reveal", card="fire-1")
    assert read(table, "Aki", Aki_selected=up("fire-1")) is None


@pytest.mark.rule("SNI-39")
def test_bombs_shown_by_a_player_who_holds_nothing_else_mean_sitting_out(bout):
    table = bout(weapons=["torinoko-1", "block-0", "sai-13", "tonfa-11", "yoso_kogeki-15", "shuriken-22"])
    assert read(table, "Aki", Aki_selected=up("torinoko-1")) is None
    table.match.state = replace(table.match.state, hands=(1, 1, 1))
    assert read(table, "Aki", Aki_selected=up("torinoko-1")) == SitOut(("torinoko-1",))


@pytest.mark.rule("SNI-18", "SNI-21", "SNI-23")
def test_an_attack_card_is_read_where_it_lies_and_a_counter_by_the_pile_that_moved(bout):
    table = bout()
    table.round(Aki=("fire-1", "Aki"), Ben=("fire-2", "Ben"), Cho="fire-3")
    table.reveal(Aki="water-4", Ben="wood-5", Cho="wood-4")

    assert read(table, "Ben") is None
    assert read(table, "Aki") is None
    assert read(table, "Aki", Aki_selected=(), Aki_combat=up("water-4", 0)) == PlayOnPile("Aki")
    assert read(table, "Aki", Aki_selected=(), Cho_combat=up("water-4", 0)) == PlayOnPile("Cho")
    assert read(table, "Aki", Aki_selected=(), Aki_combat=(), Cho_combat=up("water-4", 0)) == PlayOnPile("Aki", "Cho")
    assert read(table, "Aki", Aki_selected=(), discard=up("water-4")) == GiveUpCard()


@pytest.mark.rule("SNI-29", "SNI-60")
def test_a_block_turned_upright_is_played_for_its_player_or_on_the_team_mate_s_place(bout):
    weapons = [
        "block-0",
        "block-1",
        "sai-13",
        "sai-14",
        "tonfa-11",
        "tonfa-12",
        "shuriken-21",
        "shuriken-22",
        "sai-15",
        "sai-16",
    ]
    table = bout(4, teams=[["Aki", "Cho"], ["Ben", "Dai"]], weapons=weapons)
    table.reveal(Aki="block-0", Ben="fire-1", Cho="fire-2", Dai="fire-3")

    assert read(table, "Aki") is None
    for rotation in (0.0, 350.0, 180.0):
        assert read(table, "Aki", Aki_selected=up("block-0", rotation)) == UseBlock()
    for rotation in (90.0, 270.0, 80.0):
        assert read(table, "Aki", Aki_selected=up("block-0", rotation)) is None
    assert read(table, "Aki", Aki_selected=(), Cho_selected=(up("fire-2"), up("block-0", 0.0))) == UseBlock("Cho")
    assert read(table, "Aki", Aki_selected=(), discard=up("block-0")) == GiveUpCard()


@pytest.mark.rule("SNI-40", "SNI-42", "SNI-48")
def test_weapons_are_read_from_what_moved(bout):
    table = bout()
    table.round(Aki=("fire-1", "Aki"), Ben=("fire-2", "Ben"), Cho=("fire-3", "Cho"))
    table.round(Aki=("water-1", "Aki"), Ben="wood-1", Cho=("wood-2", "Cho"))
    table.reveal(Aki="tonfa-11", Ben="sai-13", Cho="shuriken-22")
    assert table["piles.Aki"] == ["fire-1", "water-1"]

    assert read(table, "Aki") is None
    taken = {"Aki_combat": up("fire-1", 0)}
    assert read(table, "Aki", **taken) is None
    assert read(table, "Aki", **taken, discard=up("wood-4")) == UseTonfa("Aki", "wood-4")
    table.do("Aki", "discard")
    table.do("Ben", "discard")
    assert read(table, "Cho", Cho_selected=(), Ben_damage=(DOWN, up("shuriken-22"))) == UseShuriken("Ben")
    assert read(table, "Cho", Cho_selected=(), Aki_damage=DOWN) == UseShuriken("Aki")


@pytest.mark.rule("SNI-40")
def test_two_piles_that_changed_places_are_a_sai(bout):
    table = bout()
    table.round(Aki=("fire-1", "Aki"), Ben=("fire-2", "Ben"), Cho=("fire-3", "Cho"))
    table.reveal(Aki="wood-1", Ben="wood-2", Cho="sai-13")
    table.do("Aki", "discard")
    table.do("Ben", "discard")

    assert read(table, "Cho") is None
    assert read(table, "Cho", Aki_combat=up("fire-2", 0)) is None
    swapped = {"Aki_combat": up("fire-2", 0), "Ben_combat": up("fire-1", 0)}
    assert read(table, "Cho", **swapped) == UseSai(("Aki", "Ben"))


@pytest.mark.rule("SNI-35")
def test_a_bomb_on_ones_own_place_is_used_and_ready_without_one_is_a_pass(bout):
    table = bout(weapons=["torinoko-1", "block-0", "sai-13", "tonfa-11", "yoso_kogeki-15", "shuriken-22"])
    table.reveal(Aki="fire-2", Ben="water-2", Cho="wood-1")
    table.do("Cho", "play", on="Cho")
    table.do("Aki", "play", on="Aki")
    table.do("Ben", "play", on="Aki")

    assert read(table, "Cho") is None
    assert read(table, "Cho", Cho_selected=DOWN) is None
    assert read(table, "Cho", Cho_selected=up("torinoko-1")) == UseSmokeBomb(card="torinoko-1")
    # Fire 2 or water 2: the camera cannot see which one Aki wants back.
    assert read(table, "Aki", Aki_selected=up("torinoko-1")) is None

    def ready(**zones):
        return GAME.reveals.ready(table.match.state, table.match.sealed, "Aki", sight(table, **zones))

    assert ready() == NoSmokeBomb()
    assert ready(Aki_selected=up("tonfa-11")) == NoSmokeBomb()
    assert ready(Aki_selected=up("torinoko-1")) is None
    table.passes()
    assert ready() is None


@pytest.mark.rule("SNI-29", "SNI-60")
def test_a_second_block_that_looks_the_same_is_not_read_where_one_lies_already(bout):
    table = bout(4, teams=[["Aki", "Cho"], ["Ben", "Dai"]], weapons=[*NO_BOMBS, "sai-14", "sai-15", "sai-16", "sai-17"])
    table.reveal(Aki="block-0", Ben="fire-1", Cho="block-0", Dai="fire-3")
    table.do("Aki", "block", for_="Cho")

    upright = up("block-0", 0.0)
    assert read(table, "Cho", Aki_selected=(), Cho_selected=(up("block-0"), upright)) is None
    assert read(table, "Cho", Aki_selected=upright, Cho_selected=upright) == UseBlock("Aki")


@pytest.mark.rule("SNI-44")
def test_a_twin_that_lies_on_a_pile_already_is_not_taken_for_the_card_that_is_next(bout):
    table = bout(weapons=["yoso_kogeki-15", "yoso_kogeki-15", *NO_BOMBS[:4]])
    table.round(Aki=("fire-1", "Aki"), Ben=("fire-2", "Ben"), Cho="fire-3")
    table.reveal(Aki="wood-1", Ben="yoso_kogeki-15", Cho="yoso_kogeki-15")
    table.do("Aki", "play", on="Cho")
    table.do("Ben", "play", on="Aki")

    assert read(table, "Cho") is None
    assert read(table, "Cho", Cho_selected=(), Cho_combat=up("yoso_kogeki-15", 0)) == PlayOnPile("Cho")


@pytest.mark.rule("SNI-48")
def test_an_older_discard_is_not_taken_for_the_card_that_a_tonfa_gives_up(bout):
    table = bout()
    table.round(Aki=("fire-1", "Aki"), Ben=("fire-2", "Ben"), Cho="fire-3")
    table.round(Aki="fire-4", Ben=("fire-5", "Ben"), Cho="wood-1")
    table.reveal(Aki="tonfa-11", Ben="wood-2", Cho="wood-3")
    table.do("Ben", "discard")
    table.do("Cho", "discard")

    assert read(table, "Aki", Aki_combat=(), discard=up("fire-3")) is None
    assert read(table, "Aki", Aki_combat=(), discard=up("water-1")) == UseTonfa("Aki", "water-1")


def test_a_covered_place_is_not_an_empty_one(bout):
    table = bout()
    table.reveal(Aki="fire-1", Ben="water-2", Cho="wood-3")
    seen = sight(table, discard=up("fire-1"))
    covered = {name: cards for name, cards in seen.zones.items() if name != "Aki.selected"}

    assert GAME.table.read(table.match.state, {}, "Aki", Sight(covered)) is None


def test_a_proxy_looks_like_no_other_card_either_way_up_at_the_camera_s_scale():
    deck = GAME.table.deck(GAME.rules.setup(NAMES, {}))
    pictures = {card: paint(data.face, 1.6)[0][..., :3].astype(int) for card, data in deck.cards.items()}
    pictures["back"] = paint(deck.back, 1.6)[0][..., :3].astype(int)
    for (one, first), (other, second) in combinations(pictures.items(), 2):
        for turned in (second, second[::-1, ::-1]):
            differing = (np.abs(first - turned).max(axis=2) > 60).mean()
            assert differing > 0.01, (one, other)
    for card, picture in pictures.items():
        assert card == "back" or (np.abs(picture - picture[::-1, ::-1]).max(axis=2) > 60).mean() > 0.05, card
