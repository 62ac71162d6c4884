"""What lies on a play sheet, read as an answer to what is awaited."""

import pytest

from companion.core.layout import SeenCard, SeenPiece, Sight
from companion.games.sen_so import GAME
from companion.games.sen_so.geometry import NAMES
from companion.games.sen_so.layout import cell_centre, zone
from companion.games.sen_so.moves import ChangeBlock, ChangeWeapon, RevealAction, Set, Show, ShowBlock

DOWN = (SeenCard(None, False),)
PLAYERS = ["Aki", "Ben", "Cho", "Dai"]
ALL = ("weapon", "block", "action1", "action2")


def up(card, direction="F", wobble=0.0):
    """A card that lies face up, its arrow in that direction as its owner sees it."""
    return (SeenCard(card, True, -45.0 * NAMES.index(direction) % 360 + wobble),)


def sight(player, **zones):
    return Sight({zone(player, slot): cards for slot, cards in zones.items()})


def read(match, player, **zones):
    return GAME.table.read(match.match.state, match.match.sealed, player, sight(player, **zones))


@pytest.fixture
def four(bout):
    return bout("Aki Ben Cho Dai", weapons=dict.fromkeys(PLAYERS, ("katana", "bo_staff", "shuriken")))


@pytest.mark.rule("SEN-9", "SEN-14")
def test_the_set_up_is_read_when_every_card_lies_face_down(bout):
    match = bout(weapons={"Aki": ["katana"]}, armed=False)
    match.arm()

    assert read(match, "Aki", weapon=DOWN, block=DOWN, action1=DOWN, action2=DOWN) == Set(ALL)
    assert read(match, "Aki", weapon=DOWN, block=DOWN, action1=DOWN, action2=()) is None
    assert read(match, "Aki", weapon=DOWN, block=up("block"), action1=DOWN, action2=DOWN) is None
    assert read(match, "Aki", weapon=DOWN, block=DOWN, action1=DOWN) is None, "a hand covers the last place"


def test_who_has_no_weapon_needs_no_card_in_the_weapons_place(bout):
    match = bout(armed=False)
    match.arm()

    assert read(match, "Aki", weapon=(), block=DOWN, action1=DOWN, action2=DOWN) == Set(ALL[1:])


@pytest.mark.rule("SEN-13")
def test_a_start_weapon_is_read_when_it_is_turned_up(bout):
    match = bout(weapons={"Aki": ["katana"]}, armed=False)
    match.arm()
    match.lay()

    assert read(match, "Aki", weapon=up("katana")) == Show("katana")
    assert read(match, "Aki", weapon=DOWN) is None
    assert read(match, "Aki", weapon=(SeenCard(None, True, guesses=("katana", "nagamaki")),)) is None
    assert read(match, "Aki") is None
    assert read(match, "Ben", weapon=up("katana")) is None, "nothing is awaited from Ben"


@pytest.mark.rule("SEN-7", "SEN-4", "SEN-23", "SEN-R29")
@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("direction", NAMES)
def test_a_revealed_action_is_read_in_all_eight_directions_on_all_four_sides(four, player, direction):
    for wobble in (-20.0, 0.0, 20.0):
        assert read(four, player, action1=up("move", direction, wobble)) == RevealAction("move", direction)


@pytest.mark.rule("SEN-7")
def test_zones_are_turned_so_that_upright_is_where_the_player_looks(four):
    layout = GAME.table.layout(four.match.state)
    turns = {name: {each.turn for each in layout.zones if each.name.startswith(name)} for name in PLAYERS}

    assert turns == {"Aki": {0.0}, "Ben": {270.0}, "Cho": {180.0}, "Dai": {90.0}}
    assert {each.rotations for each in layout.zones} == {8}


@pytest.mark.rule("SEN-23")
def test_an_action_that_is_hidden_unknown_or_covered_is_not_read_yet(four):
    assert read(four, "Aki", action1=DOWN) is None
    assert read(four, "Aki", action1=(SeenCard(None, True, guesses=("move", "leap")),)) is None
    assert read(four, "Aki", weapon=up("katana"), block=DOWN) is None


@pytest.mark.rule("SEN-19")
def test_an_empty_first_place_with_the_old_weapon_and_a_hidden_block_is_a_changed_block(four, bout):
    assert read(four, "Aki", weapon=up("katana"), block=DOWN, action1=()) == ChangeBlock()
    assert read(four, "Aki", weapon=up("katana"), block=up("block"), action1=()) is None
    assert read(four, "Aki", weapon=up("katana"), action1=()) is None, "the block's place is covered"
    assert read(four, "Aki", block=DOWN, action1=()) is None, "the weapon's place is covered"
    assert read(bout(), "Aki", weapon=(), block=DOWN, action1=()) == ChangeBlock()


@pytest.mark.rule("SEN-20")
def test_another_weapon_in_place_is_a_changed_weapon(four):
    assert read(four, "Aki", weapon=up("bo_staff"), block=DOWN, action1=()) == ChangeWeapon("bo_staff")
    assert read(four, "Aki", weapon=DOWN, block=DOWN, action1=()) is None


@pytest.mark.rule("SEN-29", "SEN-30")
def test_after_a_set_a_new_second_action_counts_when_the_old_one_has_moved_up(bout):
    match = bout().set(Aki="move F", Ben="move F")

    assert read(match, "Aki", action1=DOWN, action2=DOWN) == Set(("action2",))
    assert read(match, "Aki", action1=(), action2=DOWN) is None
    assert read(match, "Aki", action1=up("move"), action2=DOWN) is None
    assert read(match, "Aki", action2=DOWN) is None


@pytest.mark.rule("SEN-55")
def test_a_block_that_is_turned_up_when_hit_is_a_guard(bout):
    match = bout(starts={"Aki": "e4", "Ben": "e5"}).set(Aki="attack F", Ben="attack B")

    assert read(match, "Ben", block=up("block", "FR")) == ShowBlock("FR")
    assert read(match, "Ben", block=DOWN) is None
    assert read(match, "Ben") is None
    assert read(match, "Aki", block=up("block")) is None


def test_nothing_is_read_into_a_match_that_is_over(bout):
    match = bout(end={"actions": 1}).set(Aki="move F", Ben="move F")

    assert read(match, "Aki", action1=DOWN, action2=DOWN) is None


@pytest.mark.parametrize("board", [[9, 9], [5, 7], [8, 3]])
def test_a_pawn_is_found_in_the_space_it_stands_in(bout, board):
    state = bout(board=board).match.state
    for ninja in state.ninjas:
        for cell in state.board.cells:
            x, y = cell_centre(state, cell)
            wrong = GAME.table.misplaced(state, Sight({}, {f"pawn.{ninja.name}": SeenPiece(x + 7, y - 7)}))
            belongs = state.board.name(ninja.cell)
            stands = state.board.name(cell)
            assert wrong == ({} if stands == belongs else {ninja.name: (stands, belongs)})


def test_a_pawn_beside_the_board_is_misplaced_and_one_out_of_sight_is_not(bout):
    state = bout().match.state

    assert GAME.table.misplaced(state, Sight({}, {"pawn.Aki": SeenPiece(5, 5)})) == {"Aki": ("?", "e1")}
    assert GAME.table.misplaced(state, Sight({})) == {}


@pytest.mark.rule("SEN-A1")
def test_the_pawn_of_who_is_out_may_stand_anywhere(bout):
    match = bout("Aki Ben Cho", knock_out=5)
    match.do("Cho", "concede")

    assert GAME.table.misplaced(match.match.state, Sight({}, {"pawn.Cho": SeenPiece(5, 5)})) == {}


@pytest.mark.rule("SEN-6")
def test_every_place_lies_on_the_table_beside_the_board_and_apart_from_all_others(four):
    layout = GAME.table.layout(four.match.state)
    for at, one in enumerate(layout.zones):
        assert one.width / 2 <= one.x <= layout.width - one.width / 2
        assert one.height / 2 <= one.y <= layout.height - one.height / 2
        for other in layout.zones[at + 1 :]:
            assert max(abs(one.x - other.x), abs(one.y - other.y)) >= one.width
    assert layout.tags == {10: "pawn.Aki", 11: "pawn.Ben", 12: "pawn.Cho", 13: "pawn.Dai"}
    assert layout.holder is not None


@pytest.mark.rule("SEN-1", "SEN-2")
def test_every_card_has_a_face_of_its_own_and_the_back_is_the_same_from_all_eight_sides(four):
    deck = GAME.table.deck(four.match.state)
    faces = [card.face for card in deck.cards.values()]

    assert set(deck.cards) == {
        "move", "leap", "flying_attack", "attack", "block",
        "katana", "nunchaku", "kau_sin_ke", "bo_staff", "nagamaki", "shuriken",
    }  # fmt: skip
    assert all(faces.count(face) == 1 for face in faces)
    assert deck.back not in faces
    assert deck.cards["shuriken"].copies == deck.cards["move"].copies == 8
    assert deck.cards["katana"].copies == 4


@pytest.mark.rule("SEN-13")
def test_a_start_weapon_that_lies_alone_is_set_and_then_shown_before_the_rest(bout):
    match = bout(weapons={"Aki": ["katana"], "Ben": ["katana"]}, armed=False)
    match.arm()
    nothing = {"block": (), "action1": (), "action2": ()}

    assert read(match, "Aki", weapon=DOWN, **nothing) == Set(("weapon",))
    assert read(match, "Aki", weapon=DOWN, **{**nothing, "block": DOWN}) is None, "the rest is being laid"
    for player in ("Aki", "Ben"):
        match.do(player, "set", slots=["weapon"])
    assert read(match, "Aki", weapon=DOWN, **nothing) is None
    assert read(match, "Aki", weapon=up("katana"), **nothing) == Show("katana")
    assert read(match, "Aki", weapon=DOWN, block=DOWN, action1=DOWN, action2=DOWN) == Set(ALL[1:])
