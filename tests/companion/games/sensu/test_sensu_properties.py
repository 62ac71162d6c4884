"""What holds in every match, played with random legal moves."""

import random

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.core.rulings import Refused
from companion.games.sensu import GAME
from companion.games.sensu.card_sets import EMPTY, cards_in
from companion.games.sensu.cards import CARDS, TYPES
from companion.games.sensu.combination import lays
from companion.games.sensu.legal_moves import legal_moves_with
from companion.games.sensu.moves import SensuMoves
from companion.record.match import Match
from companion.record.replay import look_up, same

NAMES = ["Aki", "Ben", "Cho", "Dai", "Eri"]
LONG = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@st.composite
def headers(draw):
    players = NAMES[: draw(st.integers(1, 5))]
    options = {
        "sticks": draw(st.lists(st.integers(1, 4), min_size=9, max_size=9)),
        "wild_winds": draw(st.sampled_from([0, 2])),
    }
    if len(players) > 1:
        options["first"] = draw(st.sampled_from(players))
        options["variants"] = draw(st.lists(st.sampled_from(["powers", "chosen_fan"]), unique=True))
        options["harmony_may_start_fan"] = draw(st.booleans())
        options["wisdom"] = draw(st.sampled_from(["tops", "any"]))
        if "chosen_fan" in options["variants"]:
            options["chosen"] = {name: draw(st.sampled_from(TYPES)) for name in players}
    return players, options


def moves_at_random(match, chance, most):
    """Play on, and give back each move with the rulings and the facts before and after it."""
    for _ in range(most):
        if match.over:
            return
        ((player, kinds),) = match.awaits.items()
        choices = GAME.rules.legal_moves(match.state, {}, player)
        wanted = chance.choice(kinds)
        move = chance.choice([move for move in choices if move.kind == wanted] or choices)
        before = match.facts
        yield player, move, before, match.move(player, move), match.facts


@LONG
@given(headers(), st.randoms(use_true_random=False))
def test_every_option_is_accepted_and_its_kind_awaited(header, chance):
    match = Match(GAME, *header)
    for _ in moves_at_random(match, chance, 60):
        for player, kinds in match.awaits.items():
            choices = GAME.rules.legal_moves(match.state, {}, player)
            assert choices
            for move in choices:
                assert move.kind in kinds
                GAME.rules.check(match.state, {}, player, move)
        for player in set(match.players) - set(match.awaits):
            assert not GAME.rules.legal_moves(match.state, {}, player)


@LONG
@given(headers(), st.randoms(use_true_random=False))
def test_rulings_name_every_change_of_the_facts_and_a_known_rule(header, chance):
    match = Match(GAME, *header)
    rules = GAME.rules.catalogue()
    for _, _, before, rulings, after in moves_at_random(match, chance, 120):
        told = {}
        for ruling in rulings:
            assert ruling.rule in rules
            assert "{" not in ruling.text
            for path, (old, new) in ruling.changes.items():
                told[path] = (told[path][0] if path in told else old, new)
        for path, (old, new) in told.items():
            assert same(look_up(before, path), old), path
            assert same(look_up(after, path), new), path
        for path in leaves(before) | leaves(after):
            if not same(look_up(before, path), look_up(after, path)):
                assert path in told, path


def leaves(facts):
    """Dotted paths as the kifu lists them; phase and awaits follow from the rest."""
    paths = {"over", "winners", "turn", "deck", "redeemed", "score", "level"} & set(facts)
    for group in ("hands", "discards", "chosen"):
        paths |= {f"{group}.{player}" for player in facts[group]}
    paths |= {f"fans.{p}.{kind}.{part}" for p, fans in facts["fans"].items() for kind in fans for part in fans[kind]}
    return paths | {f"columns.{at}" for at in range(len(facts.get("columns", ())))}


@LONG
@given(headers(), st.randoms(use_true_random=False))
def test_no_card_is_lost_or_doubled_and_fans_keep_to_the_rules(header, chance):
    match = Match(GAME, *header)
    for *_, facts in moves_at_random(match, chance, 200):
        state = match.state
        open_cards = [card for fans in facts["fans"].values() for fan in fans.values() for card in fan["cards"]]
        open_cards += [card for pile in facts["discards"].values() for card in pile]
        open_cards += [card for column in facts.get("columns", ()) for card in column] + facts["redeemed"]
        known = [card for seat in state.seats for card in cards_in(seat.known)]
        unseen = [card for pool in state.unseen for card in cards_in(pool)]
        assert sorted(open_cards + known + unseen) == sorted(state.terms.cards)
        assert facts["deck"] + sum(facts["hands"].values()) == len(known) + len(unseen)
        assert all(0 <= count <= (6 if facts["phase"] == "discard" else 5) for count in facts["hands"].values())
        for fans in facts["fans"].values():
            for kind, fan in fans.items():
                assert all(CARDS[card].type == kind for card in fan["cards"])
                assert fan["sticks"] == sum(state.terms.sticks[card] for card in fan["cards"]) <= 10
                assert fan["closed"] == (fan["sticks"] == 10)
        if len(match.players) > 1:
            assert facts["deck"] or not any(facts["discards"].values())
            assert facts["over"] == (max(seat.closed for seat in state.seats) == 2)


@LONG
@given(headers(), st.randoms(use_true_random=False))
def test_undo_is_exact_and_replay_gives_the_same_state(header, chance):
    match = Match(GAME, *header)
    states, lines = [match.state], []
    for player, move, *_ in moves_at_random(match, chance, 60):
        states.append(match.state)
        lines.append((player, msgspec.to_builtins(move)))
    again = Match(GAME, *header)
    for (player, fields), state in zip(lines, states[1:], strict=True):
        again.move(player, again.decode(fields))
        assert again.state == state
    for state in reversed(states[:-1]):
        match.undo(1)
        assert match.state == state


ANY_CARD = st.sampled_from([*CARDS, "gun_sen-10-0", ""])
SOME_CARDS = st.lists(ANY_CARD, max_size=6)
WHO = st.sampled_from([*NAMES, "deck", "Zoe"])
ANY_MOVE = st.one_of(
    st.fixed_dictionaries(
        {"move": st.just("draw")}, optional={"from": WHO, "card": ANY_CARD, "to": st.text(max_size=8)}
    ),
    st.fixed_dictionaries({"move": st.just("discard"), "card": ANY_CARD}),
    st.fixed_dictionaries(
        {"move": st.just("combine"), "cards": SOME_CARDS},
        optional={"redeem": SOME_CARDS, "wild": st.integers(-1, 10), "discard": SOME_CARDS},
    ),
    st.fixed_dictionaries({"move": st.just("place"), "cards": SOME_CARDS}),
    st.fixed_dictionaries({"move": st.sampled_from(["wisdom", "harmony"]), "from": WHO}),
    st.fixed_dictionaries({"move": st.just("courage"), "fans": st.dictionaries(WHO, st.sampled_from([*TYPES, "x"]))}),
    st.fixed_dictionaries({"move": st.just("chosen"), "fan": st.sampled_from([*TYPES, "x"])}),
    st.just({"move": "pass"}),
)


@LONG
@given(headers(), st.randoms(use_true_random=False), st.lists(st.tuples(WHO, ANY_MOVE), max_size=40))
def test_whatever_is_tried_is_accepted_or_refused_with_a_known_rule_and_no_change(header, chance, tries):
    match = Match(GAME, *header)
    rules = GAME.rules.catalogue()
    played = moves_at_random(match, chance, 60)
    for player, fields in tries:
        before, refusal = match.state, None
        try:
            match.move(player, match.decode(fields))
        except Refused as refused:
            refusal = refused
        if refusal is not None:
            assert match.state is before
            assert refusal.rules
            assert set(refusal.rules) <= set(rules)
            assert "{" not in refusal.text
        next(played, None)


@LONG
@given(headers(), st.randoms(use_true_random=False))
def test_what_the_referee_cannot_know_does_not_change_any_view(header, chance):
    """Two matches that differ only in the unseen cards look the same to everyone."""
    match = Match(GAME, *header)
    for _ in moves_at_random(match, chance, 80):
        pass
    hidden = msgspec.structs.replace(match.state, unseen=tuple(EMPTY for _ in match.state.unseen))
    solo = len(match.players) == 1
    for viewer in (None, *match.players):
        if not solo:  # alone nothing is hidden: the deck is what was not drawn, and its sticks may score
            assert GAME.rules.view(hidden, viewer) == GAME.rules.view(match.state, viewer)
        assert msgspec.json.encode(GAME.rules.view(match.state, viewer))


class Dealer:
    """Holds the hands and the deck that the referee does not see."""

    def __init__(self, match, seed, patience=0.0):
        self.match, self.chance, self.patience = match, random.Random(seed), patience
        self.deck = sorted(match.state.terms.cards)
        self.chance.shuffle(self.deck)
        self.hands = {player: [self.deck.pop() for _ in range(5)] for player in match.players}

    def play(self) -> SensuMoves:
        player = self.match.state.player
        hand, piles = self.hands[player], self.match.facts["discards"]
        choices = legal_moves_with(self.match.state, hand)
        if self.chance.random() < self.patience:
            choices = [move for move in choices if getattr(move, "from_", "") == "deck"] or choices
        move = self.chance.choice(choices)
        source = getattr(move, "from_", None)
        if move.kind in ("draw", "wisdom"):
            hand.append(self.deck.pop() if source == "deck" else piles[source][-1])
        rulings = self.match.move(player, move)
        for card in (
            getattr(move, "cards", ()) if move.kind == "combine" else [move.card] if move.kind == "discard" else []
        ):
            hand.remove(card)
        for ruling in rulings:
            if ruling.rule == "SU-49":
                shuffled = [card for path, (old, _) in ruling.changes.items() if path != "deck" for card in old]
                self.chance.shuffle(shuffled)
                self.deck = shuffled
        return move


@pytest.mark.rule("SU-11", "SU-12", "SU-49", "TABLE-1", "TABLE-2")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("variants", [[], ["powers"], ["powers", "chosen_fan"]])
def test_an_honest_table_is_never_called(players, variants):
    """Real hands and a real deck, dealt and shuffled: no legal play is refused, and the counts agree."""
    names = NAMES[:players]
    options = {"variants": variants}
    if "chosen_fan" in variants:
        options["chosen"] = {name: TYPES[at % 3] for at, name in enumerate(names)}
    match = Match(GAME, names, options)
    dealer = Dealer(match, seed=players)
    for _ in range(1200):
        if match.over:
            break
        dealer.play()
        facts = match.facts
        assert facts["deck"] == len(dealer.deck)
        assert facts["hands"] == {name: len(hand) for name, hand in dealer.hands.items()}
        for seat in match.state.seats:
            assert set(cards_in(seat.known)) <= set(dealer.hands[seat.player])
    assert match.moves > 100


@pytest.mark.rule("SU-49", "SU-R11", "TABLE-1")
@pytest.mark.parametrize("players", [2, 3, 5])
def test_an_honest_table_is_never_called_after_many_shuffles(players):
    match = Match(GAME, NAMES[:players])
    dealer = Dealer(match, seed=players, patience=0.97)
    for _ in range(1500):
        if match.over:
            break
        dealer.play()
        assert match.facts["deck"] == len(dealer.deck)
    assert len(match.state.unseen) > 3


def test_options_for_a_known_hand_are_exactly_what_is_accepted():
    match = Match(GAME, ["Aki", "Ben"])
    hand = ["gun_sen-7-0", "hi_ogi-7-0", "mai_ougi-6-0", "gun_sen-123-0", "hi_ogi-4-0"]
    table = match.state.terms.table

    found = legal_moves_with(match.state, hand)

    assert [move for move in found if move.kind == "draw"] == [match.decode({"move": "draw", "from": "deck"})]
    assert {frozenset(move.cards) for move in found if move.kind == "combine"} == {
        frozenset(hand[:3]),
        frozenset(("gun_sen-7-0", "mai_ougi-6-0", "gun_sen-123-0", "hi_ogi-4-0")),
        frozenset(("hi_ogi-7-0", "mai_ougi-6-0", "gun_sen-123-0", "hi_ogi-4-0")),
        frozenset(("gun_sen-7-0", "hi_ogi-7-0", "gun_sen-123-0", "hi_ogi-4-0")),
    }
    for move in lays(tuple(hand), table):
        GAME.rules.check(match.state, {}, "Aki", move)
