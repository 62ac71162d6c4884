"""A turn of the base game: draw and discard, or lay a combination and build."""

from companion.core.message import message
from companion.core.rulings import Ruling
from companion.games.sensu.cards import CARDS, HAND, TARGET
from companion.games.sensu.columns import call_covered, leave_columns
from companion.games.sensu.combination import Worth, reasons, wild_in, wild_made_trio, worth
from companion.games.sensu.fans import put
from companion.games.sensu.faults import Faults
from companion.games.sensu.hands import call_absent, call_strangers, may_hold, out_of_hand
from companion.games.sensu.moves import Combine, Discard, Draw, Place
from companion.games.sensu.packs import BIT, NO_CARD
from companion.games.sensu.piles import call_source, onto_pile, refill, take
from companion.games.sensu.powers import possible_now
from companion.games.sensu.state import State, replace, reseat


def check_draw(state: State, move: Draw) -> None:
    faults = Faults()
    if move.from_ is None:
        faults.add(("SU-16", "TABLE-4"), "It is not said where the card is drawn from.")
    else:
        call_source(state, move.from_, faults)
    if move.card is not None or move.to is not None:
        faults.add("TABLE-4", "A drawn card goes into the hand: it is not named and has no other place.")
    faults.refuse()


def draw(state: State, move: Draw, said: list[Ruling]) -> State:
    assert move.from_ is not None
    held = state.seat.hand + 1
    if held <= HAND:
        return pass_on(take(state, move.from_, said), said, "SU-20")
    state = replace(take(state, move.from_, said), phase="discard")
    facts = {"player": state.player, "count": held}
    said.append(Ruling("SU-19", message("{player} holds {count} cards and must discard one.", **facts)))
    return state


def check_discard(state: State, move: Discard) -> None:
    if may_hold(state, state.seat, BIT.get(move.card, NO_CARD)):
        return
    faults = Faults()
    if call_strangers(state, (move.card,), faults):
        call_absent(state, state.seat, (move.card,), faults, "SU-19")
    faults.refuse()


def discard(state: State, move: Discard, said: list[Ruling]) -> State:
    player, cards, before = state.player, (move.card,), state.seat
    pile, held = (*before.discards, *cards), before.hand
    seat, unseen = out_of_hand(state, cards)
    changes = {f"hands.{player}": (held, held - 1), f"discards.{player}": (before.discards, pile)}
    said.append(Ruling("SU-19", message("{player} discards {card}.", player=player, card=move.card), changes))
    after = replace(reseat(state, state.turn, replace(seat, discards=pile)), unseen=unseen)
    return pass_on(refill(after, said), said, "SU-20")


def check_combine(state: State, move: Combine) -> None:
    faults = Faults()
    cards = move.cards
    if call_strangers(state, cards, faults):
        if state.terms.solo:
            call_covered(state, cards, faults)
        else:
            _call_hand(state, cards, faults)
        _call_wild(move, faults)
        found = worth(cards, move.wild, state.terms.table)
        if found.total != TARGET:
            say = "{cards} add up to {total}, not to 20."
            faults.add("SU-21", say, cards=cards, total=found.total)
        _call_redeem(move, found, faults)
    faults.refuse()


def _call_hand(state: State, cards: tuple[str, ...], faults: Faults) -> None:
    seat = state.seat
    if len(cards) > seat.hand:
        facts = {"player": seat.player, "count": len(cards), "hand": seat.hand}
        faults.add(("TABLE-2", "SU-21"), "{player} lays {count} cards and holds {hand}.", **facts)
    call_absent(state, seat, cards, faults, "SU-21")


def _call_wild(move: Combine, faults: Faults) -> None:
    wilds = tuple(card for card in move.cards if CARDS[card].wild)
    if len(wilds) > 1:
        say = "A combination takes one wild at most, and {cards} are {count}."
        faults.add("SU-30", say, cards=wilds, count=len(wilds))
    if move.wild is None and wilds:
        say = "It is not said which value {card} takes."
        faults.add(("SU-31", "TABLE-4"), say, card=wilds[0])
    elif move.wild is not None and not wilds:
        faults.add(("SU-31", "TABLE-4"), "A value for a wild is named, and there is no wild in the combination.")
    elif move.wild is not None and not any(move.wild in CARDS[card].values for card in wilds):
        faults.add("SU-31", "{card} cannot count as {value}.", card=wilds[0], value=move.wild)


def _call_redeem(move: Combine, found: Worth, faults: Faults) -> None:
    cards, redeem = move.cards, move.redeem
    strangers = tuple(card for card in redeem if card not in cards)
    if strangers:
        say = "{card} is not in the combination and cannot be redeemed."
        faults.add(("SU-22", "SU-26", "TABLE-1", "TABLE-4"), say, card=strangers[0])
    if len(set(redeem)) < len(redeem):
        faults.add("TABLE-1", "A card is redeemed twice.")
    due = 1 + found.bonuses
    if len(redeem) != due:
        rules = _earned(move, found) if len(redeem) < due else _unearned(move, found)
        say = "Cards that this combination redeems: {due}, not {given}."
        faults.add(rules, say, due=due, given=len(redeem))
    if redeem and not strangers and redeem[0] not in found.highest:
        say = "{card} does not have the most sticks; these have: {highest_cards}."
        faults.add(("SU-22", "SU-27"), say, card=redeem[0], highest_cards=found.highest)
    elif redeem and not strangers and len(redeem) == due and not found.allows(redeem):
        say = "Bonus cards are those with the fewest sticks, and {cards} are not."
        faults.add(("SU-26", "SU-27", "SU-R5"), say, cards=redeem[1:])
    rest = {card for card in cards if card not in redeem}
    if move.discard is not None and (len(move.discard) != len(rest) or set(move.discard) != rest):
        say = "The cards to discard are those of the combination that are not redeemed, each once."
        faults.add(("SU-29", "TABLE-1"), say)


def _earned(move: Combine, found: Worth) -> tuple[str, ...]:
    """The rules by which more is due."""
    because = {
        "SU-22": not move.redeem,
        "SU-23": found.pairs,
        "SU-24": found.trio,
        "SU-32": wild_made_trio(move.cards, found),
        "SU-25": found.bonuses == 2,
        "SU-R4": True,
        "TABLE-4": not move.redeem,
    }
    return tuple(rule for rule, holds in because.items() if holds)


def _unearned(move: Combine, found: Worth) -> tuple[str, ...]:
    """The rules by which less is due. More than a pair, or more than three of a type, is still one bonus."""
    false_pair = not found.pairs and any(CARDS[card].values == (move.wild,) for card in move.cards)
    because = {
        "SU-33": false_pair,
        "SU-R7": false_pair,
        "SU-23": found.bonuses or not found.pairs,
        "SU-24": found.bonuses or not found.trio,
        "SU-R6": found.bonuses,
        "SU-25": True,
        "SU-22": True,
    }
    return tuple(rule for rule, holds in because.items() if holds)


def combine(state: State, move: Combine, said: list[Ruling]) -> State:
    cards, redeem, player = move.cards, move.redeem, state.player
    found = worth(cards, move.wild, state.terms.table)
    laid = {"player": player, "cards": cards}
    if state.terms.solo:
        state, changes = leave_columns(state, cards)
    else:
        before = state.seat.hand
        seat, unseen = out_of_hand(state, cards)
        state = replace(reseat(state, state.turn, seat), unseen=unseen)
        changes = {f"hands.{player}": (before, before - len(cards))}
    if move.wild is None:
        said.append(Ruling("SU-21", message("{player} lays {cards}: 20.", **laid), changes))
    else:
        facts = {**laid, "wild_card": wild_in(cards), "value": move.wild}
        said.append(
            Ruling("SU-31", message("{player} lays {cards}: 20, with {wild_card} as {value}.", **facts), changes)
        )
    facts = {"player": player, "card": redeem[0]}
    say = "{player} redeems {card}, with the most sticks."
    said.append(Ruling("SU-22", message(say, **facts), {"redeemed": ((), redeem[:1])}))
    _say_bonuses(move, found, player, said)
    rest = move.discard if move.discard is not None else tuple(card for card in cards if card not in redeem)
    state = replace(state, phase="place", redeemed=redeem)
    return onto_pile(state, state.turn, rest, said, "SU-29")


def _say_bonuses(move: Combine, found: Worth, player: str, said: list[Ruling]) -> None:
    redeem = move.redeem
    said += reasons(move.cards, found)
    if found.bonuses:
        rule = "SU-26" if found.bonuses == 1 else "SU-25"
        say = "{player} redeems as a bonus, with the fewest sticks: {cards}."
        facts = {"player": player, "cards": redeem[1:]}
        said.append(Ruling(rule, message(say, **facts), {"redeemed": (redeem[:1], redeem)}))


def check_place(state: State, move: Place) -> None:
    faults = Faults()
    if call_strangers(state, move.cards, faults):
        for card in move.cards:
            if card not in state.redeemed:
                say = "{card} was not redeemed and cannot be placed."
                faults.add(("SU-38", "SU-28", "SU-43", "TABLE-1"), say, card=card)
        left = tuple(card for card in state.redeemed if card not in move.cards)
        if left:
            say = "Every redeemed card is placed: {cards} is missing."
            faults.add(("SU-38", "SU-28", "SU-R8"), say, cards=left)
    if not move.cards:
        faults.add("TABLE-4", "It is not said which cards are placed.")
    faults.refuse()


def place(state: State, move: Place, said: list[Ruling]) -> State:
    changes = {"redeemed": (state.redeemed, move.cards)} if move.cards != state.redeemed else {}
    facts = {"player": state.player, "cards": move.cards}
    said.append(Ruling("SU-38", message("{player} builds with {cards}.", **facts), changes))
    return carry_on(replace(state, phase="build", redeemed=move.cards), said)


def carry_on(state: State, said: list[Ruling]) -> State:
    """Place card after card; stop where the player has something to say first, or the match is over."""
    while state.phase == "build":
        if state.asks:
            if possible_now(state, state.asks[0]):
                return state
            say = "Nothing can be done with this power now, so it passes."
            said.append(Ruling("SU-54", message(say)))
            state = replace(state, asks=state.asks[1:])
        elif state.redeemed:
            card, rest = state.redeemed[0], state.redeemed[1:]
            changes = {"redeemed": (state.redeemed, rest)}
            state = put(replace(state, redeemed=rest), card, said, changes)
        else:
            return pass_on(state, said, "SU-47")
    return state


def pass_on(state: State, said: list[Ruling], rule: str) -> State:
    """The turn goes to the next player."""
    terms, turn = state.terms, (state.turn + 1) % len(state.seats)
    if not terms.solo:
        player = terms.players[turn]
        said.append(Ruling(rule, message("{player} is next.", player=player), {"turn": (state.player, player)}))
    return replace(state, phase="action", turn=turn)
