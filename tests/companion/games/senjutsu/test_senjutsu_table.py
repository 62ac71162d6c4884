"""The table: places, cards, what is seen and what it means; and what a viewer gets."""

import re
from typing import Any

import pytest

from companion.cli import run
from companion.core.layout import Layout, SeenCard, SeenPiece, Sight
from companion.core.rulings import Refused
from companion.games.senjutsu import GAME
from companion.games.senjutsu.cards import starter_cards
from companion.games.senjutsu.faces import back, face, token
from companion.games.senjutsu.kamae_board import RADIUS, ring
from companion.games.senjutsu.layout import ArenaOnTable, piece
from companion.record.match import Match

NAMES = ("Aki", "Ben", "Cho", "Dai")
TURN = {"N": 0.0, "NE": 300.0, "SE": 240.0, "S": 180.0, "SW": 120.0, "NW": 60.0}


def standing(state: Any, player: str, hex: str, facing: str, slip: float = 0.0) -> SeenPiece:
    x, y = ArenaOnTable(state.duel).centre(state.duel.arena.names[hex])
    return SeenPiece(x + slip, y - slip, TURN[facing] + slip)


def overlap(layout: Layout) -> list[tuple[str, str]]:
    def box(zone: Any) -> tuple[float, float, float, float]:
        wide, high = (zone.width, zone.height) if zone.turn % 180 == 0 else (zone.height, zone.width)
        return zone.x - wide / 2, zone.y - high / 2, zone.x + wide / 2, zone.y + high / 2

    boxes = [(zone.name, box(zone)) for zone in layout.zones]
    return [
        (one, other)
        for at, (one, a) in enumerate(boxes)
        for other, b in boxes[at + 1 :]
        if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
    ]


def in_a_corner(zone: Any, layout: Layout) -> bool:
    """Whether a zone reaches into the forty millimetres of a corner, where the camera's markers lie."""
    wide, high = (zone.width, zone.height) if zone.turn % 180 == 0 else (zone.height, zone.width)
    along = min(zone.x, layout.width - zone.x) - wide / 2
    up = min(zone.y, layout.height - zone.y) - high / 2
    return along < 40 and up < 40


@pytest.mark.rule("SJ-1", "SJ-9")
@pytest.mark.parametrize("count", [2, 3, 4])
def test_every_seat_has_its_places_on_the_table_and_none_overlap(count: int) -> None:
    match = Match(GAME, NAMES[:count])
    layout = GAME.table.layout(match.state)

    names = {zone.name for zone in layout.zones}
    places = ("card", "wounds", "deck", "discards")
    assert names == {f"{player}.{place}" for player in NAMES[:count] for place in places}
    assert overlap(layout) == []
    assert not [zone.name for zone in layout.zones if in_a_corner(zone, layout)]
    for zone in layout.zones:
        assert 0 < zone.x < layout.width
        assert 0 < zone.y < layout.height
        assert (zone.holds == "row") is zone.name.endswith(".wounds")
    assert set(layout.tags.values()) == {name(player) for player in NAMES[:count] for name in (piece, ring)}
    ground = ArenaOnTable(match.state.duel)
    for place in match.state.duel.arena.hexes:
        x, y = ground.centre(place)
        for zone in layout.zones:
            near = max(abs(x - zone.x) / 2, abs(y - zone.y) / 2)
            assert near > ground.side / 2


@pytest.mark.rule("SJ-2", "SJ-R31")
def test_the_cards_of_a_match_are_the_decks_the_passive_cards_and_the_supply() -> None:
    deck = GAME.table.deck(Match(GAME, NAMES[:2]).state)

    assert (deck.cards["wound"].copies, deck.cards["bleeding"].copies, deck.cards["stun"].copies) == (
        20,
        10,
        10,
    )
    assert deck.cards["passive"].copies == 2
    supply = {"wound", "bleeding", "stun", "passive"}
    assert sum(card.copies for name, card in deck.cards.items() if name not in supply) == 80
    assert deck.cards["swift_mind"].origin == "inferred"


def test_no_two_cards_look_alike() -> None:
    faces = [face(card) for card in starter_cards().values()] + [token(name) for name in ("wound", "bleeding", "stun")]

    crests = [tuple(shape for shape in one.shapes if "text" not in type(shape).__name__.lower()) for one in faces]
    assert len(set(crests)) == len(faces)
    assert back() not in faces


@pytest.mark.rule("SJ-47", "SJ-48", "SJ-6")
def test_a_face_down_card_is_a_choice_and_a_face_up_one_is_read() -> None:
    match = Match(GAME, NAMES[:2])
    down = Sight({"Aki.card": (SeenCard(None, False),)})
    assert GAME.table.read(match.state, {}, "Aki", Sight({})) is None
    assert GAME.table.read(match.state, {}, "Aki", Sight({"Aki.card": ()})) is None
    for player in NAMES[:2]:
        sight = Sight({f"{player}.card": down.zones["Aki.card"]})
        match.move(player, GAME.table.read(match.state, match.sealed, player, sight))
    assert GAME.table.read(match.state, {}, "Aki", down) is None
    unsure = Sight({"Aki.card": (SeenCard(None, True, guesses=("firm_mind", "swift_mind")),)})
    assert GAME.table.read(match.state, {}, "Aki", unsure) is None
    up = Sight({"Aki.card": (SeenCard("firm_mind", True),)})
    assert GAME.table.read(match.state, {}, "Aki", up).card == "firm_mind"


def test_an_instant_laid_over_the_card_is_read_once(bout: Any) -> None:
    script = "card Slow\ntype attack\nrank wood\nspeed 1\nattack wound 1 at B\n"
    extra = "card Extra\ntype meditation\nrank wood\ninstant add\ndraw 1\n"
    duel = bout(script + extra)
    duel.play(Aki="slow", Ben="slow")
    assert duel.asked[0] == "Ben"
    base = Sight({"Ben.card": (SeenCard("slow", True),)})
    laid = Sight({"Ben.card": (SeenCard("extra", True),)})

    assert GAME.table.read(duel.state, {}, "Ben", Sight({"Ben.card": ()})) is None
    assert GAME.table.read(duel.state, {}, "Ben", base) is None
    assert GAME.table.read(duel.state, {}, "Ben", Sight({"Ben.card": (SeenCard(None, False),)})) is None
    move = GAME.table.read(duel.state, {}, "Ben", laid)
    assert move.card == "extra"
    duel.match.move("Ben", move)
    assert duel.asked[0] == "Ben"
    assert GAME.table.read(duel.state, {}, "Ben", laid) is None


def test_ready_leaves_out_what_may_be_left_out(bout: Any) -> None:
    script = "card Slow\ntype attack\nrank wood\nspeed 3-1\nattack wound 1 at B\n"
    extra = "card Extra\ntype meditation\nrank wood\ninstant add\ndraw 1\n"
    duel = bout(script + extra)
    duel.play(Aki="slow", Ben="slow")
    assert duel.asked == ("Ben", ("speed",))
    assert GAME.reveals.ready(duel.state, {}, "Ben", Sight({})) is None
    assert GAME.reveals.ready(duel.state, {}, "Aki", Sight({})) is None
    duel.do("Ben", "speed", value=1)
    duel.do("Aki", "speed", value=1)

    assert duel.asked == ("Ben", ("instant", "pass"))
    assert GAME.reveals.ready(duel.state, {}, "Ben", Sight({})) == duel.match.decode({"move": "pass"})


@pytest.mark.rule("SJ-4", "SJ-54")
def test_a_miniature_that_has_moved_and_turned_is_read_as_the_move_it_made() -> None:
    match = Match(GAME, NAMES[:2], {"decks": {"firm_mind": 3, "quick_stab": 37}})
    for player in NAMES[:2]:
        match.move(player, match.decode({"move": "select"}))
    for player, card in (("Aki", "firm_mind"), ("Ben", "passive")):
        match.move(player, match.decode({"move": "reveal", "card": card}))
    state = match.state

    def seen(hex: str, facing: str) -> Any:
        return GAME.table.read(
            match.state, {}, "Aki", Sight({}, {piece("Aki"): standing(state, "Aki", hex, facing, 3.0)})
        )

    assert seen("d1", "N") is None
    assert seen("d2", "N") is None, "half way is not yet a move"
    assert seen("a5", "N") is None, "out of reach"
    assert seen("d3", "N").path == ["N", "N"]
    match.move("Aki", seen("e3", "NE"))
    assert match.facts["samurai"]["Aki"]["hex"] == "e3"
    assert seen("e3", "N") is None
    match.move("Aki", seen("e3", "NE"))
    assert match.facts["samurai"]["Aki"]["facing"] == "NE"


def test_a_forced_discard_is_read_from_the_pile(bout: Any) -> None:
    duel = bout("card Cry\ntype meditation\nrank wood\nspeed 5\nfoes discard 1\n")
    duel.play(Aki="cry", Ben="cry")
    assert duel.asked == ("Aki", ("discard",))
    sight = Sight({"Aki.discards": (SeenCard("cry", True),)})

    assert GAME.table.read(duel.state, {}, "Aki", Sight({"Aki.discards": ()})) is None
    move = GAME.table.read(duel.state, {}, "Aki", sight)
    assert move.cards == ["cry"]
    duel.match.move("Aki", move)
    assert duel.asked == ("Ben", ("discard",))
    duel.do("Ben", "discard", cards=["cry"])
    duel.play(Aki="cry", Ben="passive")
    assert duel.asked == ("Ben", ("discard",))
    late = Sight({"Ben.discards": (SeenCard("cry", True),)})
    assert GAME.table.read(duel.state, {}, "Ben", late) is None, "what lay there before is no answer"


@pytest.mark.rule("SJ-4")
def test_a_miniature_that_stands_or_faces_wrong_is_called() -> None:
    state = Match(GAME, NAMES[:2]).state
    right = {
        piece("Aki"): standing(state, "Aki", "d1", "N", 4.0),
        piece("Ben"): standing(state, "Ben", "d5", "S"),
    }

    assert GAME.table.misplaced(state, Sight({}, right)) == {}
    assert GAME.table.misplaced(state, Sight({})) == {}
    turned = right | {piece("Ben"): standing(state, "Ben", "d5", "SW")}
    assert GAME.table.misplaced(state, Sight({}, turned)) == {"Ben": ("d5 SW", "d5 S")}
    moved = right | {piece("Aki"): standing(state, "Aki", "c2", "N")}
    assert GAME.table.misplaced(state, Sight({}, moved)) == {"Aki": ("c2 N", "d1 N")}
    beside = right | {piece("Aki"): SeenPiece(5.0, 5.0)}
    assert GAME.table.misplaced(state, Sight({}, beside)) == {"Aki": ("? N", "d1 N")}


@pytest.mark.rule("SJ-33")
def test_wounds_that_are_not_laid_out_are_noticed(bout: Any) -> None:
    duel = bout("card Cut\ntype attack\nrank wood\nspeed 6\nattack wound 2 at F\n")
    duel.play(Aki="cut", Ben="passive")
    one, two = (SeenCard("wound", True),), (SeenCard("wound", True),) * 2

    assert GAME.table.advice(duel.state, Sight({"Ben.wounds": one})).wounds == {"Ben": (1, 2)}
    assert GAME.table.advice(duel.state, Sight({"Ben.wounds": two, "Aki.wounds": ()})) is None
    assert GAME.table.advice(duel.state, Sight({})) is None


def test_every_viewer_sees_the_same_public_duel(bout: Any) -> None:
    duel = bout("card Cut\ntype attack\nrank wood\nspeed 6-5\nattack wound 1 at F\n")
    duel.play(Aki="cut", Ben="cut")
    view = GAME.rules.view(duel.state, None)

    assert view.samurai[0].hand == 5
    assert view.asked == "Ben"
    assert view.question == ("speed",)
    assert [(one.player, one.speed) for one in view.order] == [("Ben", None), ("Aki", None)]
    own = GAME.rules.view(duel.state, "Aki")
    assert own.samurai == view.samurai
    assert own.viewer == "Aki"


def test_the_data_says_where_it_comes_from(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        run(["rules", "senjutsu"])
    told = capsys.readouterr().out
    assert "  Wild Swing: inferred (speed 7, two wounds," in told
    assert "  Dragon Moon Slash: house\n" in told
    assert "  kamae trees: house (except the branch from the gateway to balance; option `samurai`)" in told

    with pytest.raises(SystemExit):
        run(["rules", "senjutsu", "--language", "it"])
    told = capsys.readouterr().out
    assert "  alberi dei kamae: nostro (tranne il ramo dalla porta all'equilibrio; opzione `samurai`)" in told
    data = told.partition("I dati e la loro origine:")[2]
    assert not re.search(r"\b(house|booklet|inferred|speed|option)\b", data)


def lying_on(state: Any, player: str, kamae: str, slip: float = 0.0) -> SeenPiece:
    x, y = ArenaOnTable(state.duel).kamae_board(state.duel.seat[player]).places[kamae]
    return SeenPiece(x + slip, y - slip, 77.0)


@pytest.mark.rule("SJ-9", "SJ-29", "SJ-R32")
@pytest.mark.parametrize("count", [2, 3, 4])
def test_every_seat_has_four_kamae_places_clear_of_tiles_and_cards(count: int) -> None:
    state = Match(GAME, NAMES[:count]).state
    layout, ground = GAME.table.layout(state), ArenaOnTable(state.duel)
    boards = [ground.kamae_board(seat) for seat in range(count)]
    spots = [spot for board in boards for spot in board.places.values()]

    def apart(one: tuple[float, float], other: tuple[float, float]) -> float:
        return ((one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2) ** 0.5

    assert len(spots) == 4 * count
    assert min(apart(one, other) for at, one in enumerate(spots) for other in spots[:at]) > 2 * RADIUS
    for x, y in spots:
        assert RADIUS < x < layout.width - RADIUS
        assert RADIUS < y < layout.height - RADIUS
        assert min(apart((x, y), ground.centre(place)) for place in state.duel.arena.hexes) > RADIUS + ground.side
        for zone in layout.zones:
            wide, high = (zone.width, zone.height) if zone.turn % 180 == 0 else (zone.height, zone.width)
            assert abs(x - zone.x) > wide / 2 + RADIUS or abs(y - zone.y) > high / 2 + RADIUS
    for board in boards:
        own = board.places["gateway"], board.places["determination"]
        assert apart(*own) < apart(board.places["gateway"], board.places["balance"])


@pytest.mark.rule("SJ-31", "SJ-R26", "SJ-58")
def test_a_ring_that_goes_to_another_kamae_is_the_step_that_it_shows() -> None:
    match = Match(GAME, NAMES[:2], {"decks": {"quick_stab": 40}})
    for player in NAMES[:2]:
        match.move(player, match.decode({"move": "select"}))
    for player in NAMES[:2]:
        match.move(player, match.decode({"move": "reveal", "card": "passive"}))
    match.move("Ben", match.decode({"move": "choose", "option": "kamae"}))
    state = match.state

    def seen(**rings: SeenPiece) -> Any:
        return GAME.table.read(state, {}, "Ben", Sight({}, {ring(player): at for player, at in rings.items()}))

    assert match.awaits == {"Ben": ("kamae", "pass")}
    assert seen() is None
    assert seen(Ben=lying_on(state, "Ben", "gateway", 4.0)) is None
    assert seen(Ben=SeenPiece(5.0, 5.0)) is None, "in somebody's hand, or beside the places"
    assert seen(Aki=lying_on(state, "Aki", "balance")) is None, "another's ring"
    assert seen(Ben=lying_on(state, "Ben", "balance", 4.0)).to == "balance"
    with pytest.raises(Refused) as caught:
        match.move("Ben", seen(Ben=lying_on(state, "Ben", "aggression")))
    assert "SJ-31" in caught.value.rules


@pytest.mark.rule("SJ-30")
def test_a_ring_that_lies_on_the_wrong_kamae_is_called_and_shown() -> None:
    state = Match(GAME, NAMES[:2]).state
    wrong = Sight({}, {ring("Aki"): lying_on(state, "Aki", "balance"), ring("Ben"): lying_on(state, "Ben", "gateway")})

    assert GAME.table.misplaced(state, wrong) == {"Aki": ("kamae balance", "kamae gateway")}
    assert GAME.table.advice(state, wrong).rings == {"Aki": ("balance", "gateway")}
    both = Sight({}, {**wrong.pieces, piece("Aki"): standing(state, "Aki", "c2", "N")})
    assert GAME.table.misplaced(state, both) == {"Aki": ("c2 N", "d1 N")}, "the miniature comes first"
    assert GAME.table.misplaced(state, Sight({}, {ring("Aki"): SeenPiece(5.0, 5.0)})) == {
        "Aki": ("kamae ?", "kamae gateway")
    }
