"""The table of a match: zones, faces, what is read from it, what is shown of it."""

from itertools import combinations, pairwise
from math import cos, radians, sin

import msgspec
import pytest

from companion.core.events import Seen
from companion.core.layout import SeenCard, Sight
from companion.games.sensu import GAME
from companion.games.sensu.faces import HEIGHT, WIDTH, closed_id
from companion.games.sensu.moves import (
    Chosen,
    Combine,
    Courage,
    DiscardFanCard,
    DrawFanCard,
    Harmony,
    PassTurn,
    PlaceRedeemed,
    Wisdom,
)
from companion.games.sensu.state import asked
from companion.record.recorded_match import RecordedMatch
from companion.referee.referee import Referee
from companion.referee.table_view import page

NAMES = ["Aki", "Ben", "Cho", "Dai", "Eri"]


def corners(zone):
    c, s = cos(radians(zone.turn)), sin(radians(zone.turn))
    halves = [(x * zone.width / 2, y * zone.height / 2) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    return [(zone.x + x * c - y * s, zone.y + x * s + y * c) for x, y in halves]


def box(zone):
    xs, ys = zip(*corners(zone), strict=True)
    return min(xs), min(ys), max(xs), max(ys)


@pytest.mark.rule("SU-8", "SU-12", "SU-13", "SU-67")
@pytest.mark.parametrize(("players", "chosen"), [(1, False), *((n, c) for n in (2, 3, 4, 5) for c in (False, True))])
def test_zones_lie_on_the_table_apart_from_each_other_and_from_the_markers(story, players, chosen):
    names = NAMES[:players]
    options = {"variants": ["chosen_fan"], "chosen": dict.fromkeys(names, "hi_ogi")} if chosen else {}
    layout = GAME.table.layout(story(names, **options).state)

    boxes = {zone.name: box(zone) for zone in layout.zones}
    assert len(boxes) == len(layout.zones)
    markers = [(x, y, x + 50, y + 50) for x in (0, layout.width - 50) for y in (0, layout.height - 50)]
    for left, low, right, high in boxes.values():
        assert left >= 0
        assert low >= 0
        assert right <= layout.width
        assert high <= layout.height
    for a, b in [*combinations(boxes.values(), 2), *((a, m) for a in boxes.values() for m in markers)]:
        assert a[2] <= b[0] + 1e-6 or b[2] <= a[0] + 1e-6 or a[3] <= b[1] + 1e-6 or b[3] <= a[1] + 1e-6, (a, b)
    for zone in layout.zones:
        assert zone.width >= WIDTH
        assert zone.height >= HEIGHT
    for name in names:
        for place in ("discards", "gun_sen", "hi_ogi", "mai_ougi", "combination", "redeemed"):
            assert f"{name}.{place}" in boxes
    assert "deck" in boxes
    assert ("Aki.column4" in boxes) == (players == 1)
    assert layout.card == (59.0, 92.0)


@pytest.mark.parametrize("players", [1, 2, 3, 4, 5])
def test_seats_go_round_the_table_clockwise_seen_from_above(story, players):
    layout = GAME.table.layout(story(NAMES[:players]).state)
    zones = {zone.name: zone for zone in layout.zones}
    around = [
        (zones[f"{n}.hi_ogi"].x - layout.width / 2, zones[f"{n}.hi_ogi"].y - layout.height / 2) for n in NAMES[:players]
    ]

    turning = [a[0] * b[1] - a[1] * b[0] for a, b in pairwise(around)]
    assert all(cross <= 1e-6 for cross in turning)
    assert around[0][1] < 0


def test_no_two_cards_look_alike_and_every_card_fits_its_size(story):
    for options in ({}, {"variants": ["powers"]}):
        deck = GAME.table.deck(story(NAMES, **options).state)
        faces = [card.face for card in deck.cards.values()] + [deck.back]
        assert len({msgspec.json.encode(face) for face in faces}) == len(faces) == 94
        assert {(face.width, face.height) for face in faces} == {(59.0, 92.0)}
    assert deck.cards["gun_sen-3-0"].origin == "house"
    assert deck.cards["gun_sen-4-0"].origin == "inferred"


def test_the_left_edge_alone_tells_every_card(story):
    """In a fan a card is covered but for its left edge, in a column but for its top."""

    def within(shape, inside):
        points = getattr(shape, "points", None) or [getattr(shape, "centre", None) or shape.at]
        return all(inside(x, y) for x, y in points)

    deck = GAME.table.deck(story(NAMES, variants=["powers"]).state)
    for inside in (lambda x, y: x <= -13.0, lambda x, y: y >= 27.0):
        edges = {
            msgspec.json.encode([shape for shape in card.face.shapes if within(shape, inside)])
            for name, card in deck.cards.items()
            if not name.startswith("closed")
        }
        assert len(edges) == 90


def up(*cards):
    return tuple(SeenCard(card, True) for card in cards)


def sight_of(state, **changed):
    """The table as this state has it, except for some zones."""
    zones = {zone.name: () for zone in GAME.table.layout(state).zones}
    for seat in state.seats:
        zones[f"{seat.player}.discards"] = up(*seat.discards[-1:])
        for kind, fan in zip(("gun_sen", "hi_ogi", "mai_ougi"), seat.fans, strict=True):
            zones[f"{seat.player}.{kind}"] = up(*fan.cards, *([closed_id(kind)] if fan.closed else []))
    zones[f"{state.player}.redeemed"] = up(*state.redeemed)
    for at, column in enumerate(state.columns, 1):
        zones[f"{state.player}.column{at}"] = up(*column)
    zones |= {name.replace("__", "."): cards for name, cards in changed.items()}
    return Sight(zones)


def read(table, **changed):
    return GAME.table.read(table.state, {}, table.state.player, sight_of(table.state, **changed))


@pytest.mark.rule("SU-17", "SU-18", "SU-19")
def test_draws_and_discards_are_read_from_the_piles(story):
    table = story().lay_out(discards={"Aki": ["gun_sen-1-0"], "Ben": ["hi_ogi-1-0", "hi_ogi-2-0"]})

    assert read(table) is None
    assert read(table, Ben__discards=up("hi_ogi-1-0")) == DrawFanCard("Ben")
    assert read(table, Aki__discards=()) == DrawFanCard("Aki")
    # A new card on the player's pile while nothing else has changed: a card was drawn from the deck before.
    assert read(table, Aki__discards=up("mai_ougi-1-0")) == DrawFanCard("deck")
    assert read(table, Aki__discards=up("mai_ougi-1-0"), Ben__discards=up("hi_ogi-1-0")) == DrawFanCard("Ben")
    table.does("Aki", "draw", from_="deck")
    assert read(table) is None
    assert read(table, Aki__discards=up("mai_ougi-1-0")) == DiscardFanCard("mai_ougi-1-0")
    assert read(table, Aki__discards=(SeenCard(None, True, guesses=("mai_ougi-1-0", "mai_ougi-2-0")),)) is None


def test_a_pile_that_waits_to_be_shuffled_is_no_discard(story):
    table = story().lay_out(discards={"Aki": ["gun_sen-1-0"], "Ben": ["hi_ogi-1-0"]}, deck=1)
    table.does("Aki", "draw", from_="deck")

    assert read(table, Aki__discards=up("gun_sen-1-0")) is None
    assert read(table, Aki__discards=up("gun_sen-2-0")) == DiscardFanCard("gun_sen-2-0")


@pytest.mark.rule("SU-21", "SU-28", "SU-31")
def test_a_combination_is_read_when_the_redeemed_cards_lie_apart(story):
    table = story()

    def lay(redeemed, rest):
        return read(table, Aki__combination=up(*rest), Aki__redeemed=up(*redeemed))

    assert lay([], ["gun_sen-7-0", "hi_ogi-7-0", "mai_ougi-6-0"]) is None
    assert lay(["mai_ougi-6-0"], ["gun_sen-7-0", "hi_ogi-7-0"]) is None  # a bonus card is still due
    redeem = ("mai_ougi-6-0", "gun_sen-7-0")
    assert lay(redeem, ["hi_ogi-7-0"]) == Combine((*redeem, "hi_ogi-7-0"), redeem, None, ("hi_ogi-7-0",))
    wild = lay(["mai_ougi-3-0"], ["gun_sen-9-0", "hi_ogi-789-0"])
    assert wild.wild == 8
    too_much = lay(["mai_ougi-3-0"], ["gun_sen-9-0", "hi_ogi-9-0"])
    assert isinstance(too_much, Combine)
    assert "SU-21" in table.refuses("Aki", "combine", cards=too_much.cards, redeem=too_much.redeem)


@pytest.mark.rule("SU-38", "SU-41", "SU-46")
def test_placing_is_read_from_the_fans_as_they_lie(story):
    table = story().lay_out(fans={"Aki": ["hi_ogi-1-0", "hi_ogi-4-0", "hi_ogi-5-0"]})
    cards = ["hi_ogi-6-0", "hi_ogi-7-0", "hi_ogi-7-1"]
    table.does("Aki", "combine", cards=cards, redeem=cards)
    fan = ["hi_ogi-1-0", "hi_ogi-4-0", "hi_ogi-5-0"]

    assert read(table) is None
    halfway = {"Aki__hi_ogi": up(*fan, "hi_ogi-7-0"), "Aki__redeemed": up("hi_ogi-7-1", "hi_ogi-6-0")}
    assert read(table, **halfway) is None
    done = {"Aki__redeemed": (), "Aki__discards": up("hi_ogi-6-0")}
    both = (*fan, "hi_ogi-7-1", "hi_ogi-7-0")
    placed = read(table, Aki__hi_ogi=up(*both), **done).cards
    assert [card for card in placed if card != "hi_ogi-6-0"] == ["hi_ogi-7-1", "hi_ogi-7-0"]
    covered = up(*both, closed_id("hi_ogi"))
    assert isinstance(read(table, Aki__hi_ogi=covered, **done), PlaceRedeemed)
    assert read(table, Aki__gun_sen=up("hi_ogi-7-0"), Aki__hi_ogi=up(*both[:-1]), **done) is None


SYMBOLS = ["hi_ogi-4-0", "hi_ogi-6-0", "mai_ougi-4-0", "mai_ougi-6-0", "gun_sen-4-0", "gun_sen-6-0"]


@pytest.mark.rule("SU-55", "SU-56", "SU-57", "SU-R14")
@pytest.mark.parametrize("kind", ["gun_sen", "hi_ogi", "mai_ougi"])
def test_powers_are_read_from_what_they_change(story, kind):
    table = story(variants=["powers"], symbols=SYMBOLS).lay_out(
        fans={"Aki": [f"{kind}-4-0"], "Ben": ["hi_ogi-9-0", "mai_ougi-9-0"]}, discards={"Ben": ["gun_sen-9-0"]}
    )
    cards = [f"{kind}-6-0", f"{kind}-7-0", f"{kind}-7-1"]
    table.does("Aki", "combine", cards=cards, redeem=cards)
    # The power acts after the first card: the others still lie redeemed.
    fan = {f"Aki__{kind}": up(f"{kind}-4-0", cards[0]), "Aki__redeemed": up(*cards[1:])}
    placed = read(table, **fan)
    assert placed == PlaceRedeemed(tuple(cards))
    table.does("Aki", "place", cards=cards)

    assert read(table) is None
    if asked(table.state) == "wisdom":
        assert read(table, Ben__discards=()) == Wisdom("Ben")
    elif asked(table.state) == "harmony":
        after = up(f"{kind}-4-0", *cards)
        laid = read(table, Ben__discards=(), Aki__gun_sen=up("gun_sen-9-0"), Aki__mai_ougi=after, Aki__redeemed=())
        assert laid == Harmony("Ben")
    else:
        lost = {"Ben__hi_ogi": (), "Ben__discards": up("hi_ogi-9-0")}
        after = up(f"{kind}-4-0", *cards)
        assert read(table, **lost, Aki__gun_sen=after, Aki__redeemed=()) == Courage({"Ben": "hi_ogi"})


@pytest.mark.rule("SU-63")
def test_the_new_chosen_fan_is_read_from_its_card(story):
    table = story(variants=["chosen_fan"], chosen={"Aki": "hi_ogi", "Ben": "hi_ogi"})
    table.lay_out(fans={"Aki": ["hi_ogi-1-0", "hi_ogi-2-0", "hi_ogi-8-0"]})
    cards = ["hi_ogi-6-0", "hi_ogi-7-0", "hi_ogi-7-1"]
    table.does("Aki", "combine", cards=cards, redeem=cards)
    table.does("Aki", "place", cards=cards)

    assert read(table) is None
    assert read(table, Aki__chosen=up(closed_id("gun_sen"))) == Chosen("gun_sen")


@pytest.mark.rule("SU-70")
def test_solo_draws_are_read_from_columns_and_discards(story):
    table = story(["Aki"]).lay_out(columns=[["gun_sen-1-1"], [], [], []], discards={"Aki": ["hi_ogi-1-1"]})

    assert read(table) is None
    assert read(table, Aki__column1=up("gun_sen-1-1", "gun_sen-2-1")) == DrawFanCard(card="gun_sen-2-1", to="column1")
    assert read(table, Aki__column3=up("gun_sen-2-1")) == DrawFanCard(card="gun_sen-2-1", to="column3")
    assert read(table, Aki__discards=up("gun_sen-2-1")) == DrawFanCard(card="gun_sen-2-1", to="discards")


@pytest.mark.rule("SU-18", "SU-49")
def test_an_own_pile_whose_top_is_another_card_means_the_deck(story):
    """Taking back the top of one's own pile and discarding another card looks the same: it takes two steps."""
    piles = {"Aki": ["gun_sen-1-0", "gun_sen-2-0"], "Ben": ["hi_ogi-1-0", "hi_ogi-2-0"]}
    assert read(story().lay_out(discards=piles), Aki__discards=up("gun_sen-3-0")) == DrawFanCard("deck")
    table = story().lay_out(discards=piles, deck=1)

    assert read(table, Aki__discards=up("gun_sen-3-0")) is None
    assert read(table, Aki__discards=up("gun_sen-1-0")) == DrawFanCard("Aki")
    # With the last card of the deck all piles are gathered.
    assert read(table, Aki__discards=(), Ben__discards=()) == DrawFanCard("deck")
    assert read(table, Aki__discards=up("gun_sen-3-0"), Ben__discards=()) == DrawFanCard("deck")
    assert read(table, Ben__discards=up("hi_ogi-1-0")) == DrawFanCard("Ben")


@pytest.mark.rule("SU-19", "SU-R11")
def test_the_first_card_of_a_new_deck_is_a_discard_once_the_draw_was_said(story):
    table = story().lay_out(discards={"Aki": ["gun_sen-1-0"], "Ben": ["hi_ogi-1-0"]}, deck=1)
    table.does("Aki", "draw", from_="deck")
    table.does("Aki", "discard", card="gun_sen-2-0")

    assert read(table, Ben__discards=up("hi_ogi-1-0")) is None
    table.does("Ben", "draw", from_="deck")
    assert read(table, Ben__discards=up("hi_ogi-1-0")) == DiscardFanCard("hi_ogi-1-0")


@pytest.mark.rule("SU-57", "SU-R14")
def test_a_card_placed_and_its_power_used_are_read_from_one_picture(story):
    table = story(variants=["powers"], symbols=SYMBOLS).lay_out(fans={"Aki": ["gun_sen-4-0"], "Ben": ["hi_ogi-9-0"]})
    cards = ["gun_sen-6-0", "gun_sen-7-0", "gun_sen-7-1"]
    table.does("Aki", "combine", cards=cards, redeem=cards)
    done = {"Aki__gun_sen": up("gun_sen-4-0", *cards), "Aki__redeemed": ()}
    lost = {"Ben__hi_ogi": (), "Ben__discards": up("hi_ogi-9-0")}

    assert read(table, **done) is None
    assert read(table, **done, **lost) == PlaceRedeemed(tuple(cards))
    table.does("Aki", "place", cards=cards)
    assert read(table, **done, **lost) == Courage({"Ben": "hi_ogi"})


@pytest.mark.rule("SU-55")
def test_the_pile_that_wisdom_took_from_is_the_one_that_changed(story):
    table = story(variants=["powers"], symbols=SYMBOLS)
    table.lay_out(
        fans={"Aki": ["hi_ogi-4-0", "hi_ogi-1-0", "hi_ogi-5-0"]},
        discards={"Aki": ["gun_sen-9-0"], "Ben": ["gun_sen-8-0", "gun_sen-7-0"]},
    )
    cards = ["hi_ogi-6-0", "hi_ogi-7-0", "hi_ogi-7-1"]
    table.does("Aki", "combine", cards=cards, redeem=cards)
    table.does("Aki", "place", cards=["hi_ogi-6-0", "hi_ogi-7-0", "hi_ogi-7-1"])
    for _ in range(2):
        table.does("Aki", "wisdom", from_="deck")
    fan = up("hi_ogi-4-0", "hi_ogi-1-0", "hi_ogi-5-0", "hi_ogi-6-0")
    after = {"Aki__hi_ogi": fan, "Aki__redeemed": (), "Aki__discards": up("hi_ogi-7-1")}

    assert read(table, **after, Ben__discards=up("gun_sen-8-0")) == Wisdom("Ben")


@pytest.mark.rule("SU-17", "SU-55", "SU-R3")
def test_ready_says_what_nobody_can_see(story):
    table = story(variants=["powers"], symbols=SYMBOLS).lay_out(fans={"Aki": ["hi_ogi-4-0"]}, hands={"Aki": 3})

    def ready(**changed):
        return GAME.reveals.ready(table.state, {}, table.state.player, sight_of(table.state, **changed))

    assert ready() == DrawFanCard("deck")
    assert ready(Aki__combination=up("gun_sen-9-0")) is None
    assert GAME.reveals.ready(table.state, {}, "Ben", sight_of(table.state)) is None
    cards = ["hi_ogi-6-0", "hi_ogi-7-0", "hi_ogi-7-1"]
    table.does("Aki", "combine", cards=cards, redeem=cards)
    assert ready() is None
    table.does("Aki", "place", cards=cards)
    assert ready() == Wisdom("deck")
    assert GAME.reveals.ready(story().lay_out(deck=0).state, {}, "Aki", Sight({})) == PassTurn()
    assert GAME.reveals.ready(story(["Aki"]).state, {}, "Aki", Sight({})) is None


def test_a_player_picks_by_tap_only_what_is_not_laid(story):
    table = story(variants=["powers"], symbols=SYMBOLS).lay_out(
        fans={"Aki": ["gun_sen-4-0"], "Ben": ["hi_ogi-9-0", "mai_ougi-9-0"]}, discards={"Ben": ["hi_ogi-1-0"]}
    )

    def picks(player="Aki"):
        return list(GAME.table.choices(table.state, {}, player))

    assert picks() == [DrawFanCard("deck"), DrawFanCard("Ben")]
    assert picks("Ben") == []
    cards = ["gun_sen-6-0", "gun_sen-7-0", "gun_sen-7-1"]
    table.does("Aki", "combine", cards=cards, redeem=cards)
    assert picks() == []
    table.does("Aki", "place", cards=cards)
    assert picks() == [Courage({"Ben": "hi_ogi"}), Courage({"Ben": "mai_ougi"})]
    assert list(GAME.table.choices(story(["Aki"]).state, {}, "Aki")) == []


class Watched:
    """A referee for a table of Sensu."""

    def __init__(self, story):
        self.lines = []
        self.story = story
        self.referee = Referee(RecordedMatch(story.match, self._write))

    def _write(self, fields):
        self.lines.append(fields)
        return len(self.lines)

    def sees(self, **changed):
        self.referee.handle(Seen(sight_of(self.story.state, **changed), 0.0))
        return [line["move"] for line in self.lines if "refused" not in line]


@pytest.mark.rule("SU-17", "SU-19")
def test_one_picture_tells_a_draw_and_its_discard(story):
    watched = Watched(story())

    assert watched.sees(Aki__discards=up("gun_sen-1-0")) == ["draw", "discard"]
    assert watched.story["turn"] == "Ben"


@pytest.mark.rule("SU-43")
def test_a_card_that_cannot_be_there_is_called_when_it_is_laid(story):
    table = story().lay_out(fans={"Ben": ["hi_ogi-9-0"]})
    watched = Watched(table)

    assert watched.sees(Aki__discards=up("hi_ogi-9-0")) == ["draw"]
    called = watched.referee.said[-1]
    assert called.kind == "refused"
    assert {"TABLE-1", "SU-43"} <= set(called.rules)
    assert watched.sees(Aki__discards=up("hi_ogi-8-0")) == ["draw", "discard"]


@pytest.mark.rule("SU-21", "SU-23", "SU-46")
def test_the_page_helps_with_what_is_laid_and_plays_for_nobody(story):
    table = story().lay_out(fans={"Aki": ["hi_ogi-1-0", "hi_ogi-2-0", "hi_ogi-4-0"]})
    watched = Watched(table)
    shown = []

    def help_():
        shown.append(msgspec.json.decode(msgspec.json.encode(page(watched.referee, None, "en", 0.0).advice)))
        return shown[-1]

    assert help_() is None
    watched.sees(Aki__combination=up("gun_sen-7-0", "hi_ogi-7-0"))
    assert help_()["laid"]["short"] == 6
    watched.sees(Aki__combination=up("gun_sen-7-0", "hi_ogi-7-0", "hi_ogi-6-0"))
    laid = help_()["laid"]
    assert (laid["total"], laid["short"], laid["redeem"][0]) == (20, 0, ["hi_ogi-6-0", "gun_sen-7-0"])
    assert laid["bonuses"] == [{"rules": ["SU-23"], "text": "Equal numbers (7) give one bonus card."}]
    fits = {fit["card"]: fit["obstacle"] and fit["obstacle"]["rules"] for fit in laid["fits"]}
    assert fits == {"gun_sen-7-0": None, "hi_ogi-7-0": None, "hi_ogi-6-0": ["SU-46"]}
    assert help_()["missing"] == {"gun_sen": 10, "hi_ogi": 1, "mai_ougi": 10}
    assert watched.lines == []

    watched.sees(Aki__combination=up("gun_sen-7-0"), Aki__redeemed=up("hi_ogi-6-0", "hi_ogi-7-0"))
    assert [fit["card"] for fit in help_()["fits"]] == ["hi_ogi-6-0", "hi_ogi-7-0"]
    assert help_()["laid"] is None


def test_alone_every_combination_on_the_table_can_be_asked_for(story):
    table = story(["Aki"]).lay_out(columns=[["gun_sen-7-1"], ["hi_ogi-7-1"], ["mai_ougi-6-1"], []])

    found = GAME.table.advice(table.state, Sight({}))
    assert [advice.cards for advice in found.on_table] == [("mai_ougi-6-1", "gun_sen-7-1", "hi_ogi-7-1")]
    assert (found.best.cards, found.best.redeem[0], found.best.score) == (found.on_table[0].cards, "mai_ougi-6-1", 3)


def test_nothing_is_read_for_a_player_who_is_not_at_turn_nor_from_covered_places(story):
    table = story().lay_out(discards={"Ben": ["hi_ogi-1-0"]})
    state = table.state

    assert GAME.table.read(state, {}, "Ben", sight_of(state, Ben__discards=())) is None
    assert GAME.table.read(state, {}, "Aki", Sight({})) is None


@pytest.mark.parametrize("viewer", [None, "Aki", "Ben"])
def test_a_view_counts_hands_and_does_not_remind_of_what_went_into_them(story, viewer):
    table = story().lay_out(discards={"Ben": ["hi_ogi-9-0"]})
    table.does("Aki", "draw", from_="Ben")

    shown = GAME.rules.view(table.state, viewer)

    assert [seat.hand for seat in shown.seats] == [6, 5]
    text = msgspec.json.encode(shown).decode()
    assert "hi_ogi-9-0" not in text
    assert (shown.turn, shown.phase, shown.deck) == ("Aki", "discard", table["deck"])
    assert shown.solo is None


def test_a_solo_view_has_columns_score_and_level(story):
    table = story(["Aki"]).lay_out(columns=[["gun_sen-1-1"], [], [], []], fans={"Aki": ["hi_ogi-1-1"]})

    solo = GAME.rules.view(table.state, None).solo

    assert (solo.score, solo.level, str(solo.level_title)) == (4, "gutted", "Gutted")
    assert [card.card for card in solo.columns[0]] == ["gun_sen-1-1"]
