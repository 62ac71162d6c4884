"""The round: draw, choose, reveal, resolve by initiative, discard; and on to the next (SJ-46 to SJ-52)."""

from companion.games.senjutsu.ability import FASTEST, PASSIVE, STUN
from companion.games.senjutsu.desk import Desk
from companion.games.senjutsu.instants import all_lines, ask_next, may_lay, open_window
from companion.games.senjutsu.resolve import resolve_line
from companion.games.senjutsu.state import Activation, Ask, first_of


def reveal(desk: Desk, cards: dict[int, str]) -> None:
    """All chosen cards are turned up; their segments wait for their initiative."""
    for seat, card in sorted(cards.items()):
        samurai, name = desk.samurai[seat], desk.players[seat]
        held = samurai.hand + samurai.stuns
        if card == STUN:
            desk.change(seat, card=STUN, stuns=samurai.stuns - 1)
            changes = {f"stuns.{name}": (samurai.stuns, samurai.stuns - 1), f"hands.{name}": (held, held - 1)}
            desk.rule("SJ-38", "{player} plays a stun card and does nothing.", changes, player=name)
            continue
        counted = card != PASSIVE
        desk.change(seat, card=card, hand=samurai.hand - counted, shown=desk.opened(seat, card))
        changes = {f"hands.{name}": (held, held - 1)} if counted else {}
        desk.rule("SJ-48", "{player} reveals {card}.", changes, player=name, card=card)
        for at, segment in enumerate(desk.duel.cards[card].segments):
            speed = segment.speed[0] if len(segment.speed) == 1 else -1
            desk.queue.append(Activation(seat, card, at, speed))
    desk.stage = "resolve"


def run(desk: Desk) -> None:
    """Go on until somebody has to be asked, or the duel is over."""
    while desk.stage == "resolve" and desk.ask is None:
        if desk.frames:
            resolve_line(desk)
        elif desk.acting >= 0:
            _finish(desk)
        elif not desk.queue:
            _end_round(desk)
        elif desk.window == "open":
            ask_next(desk)
        elif desk.window == "shut":
            _begin(desk)
        elif unset := [waiting.player for waiting in desk.queue if waiting.speed < 0]:
            desk.ask = Ask(min(unset, key=desk.advantage.index), ("speed",))
        else:
            open_window(desk)


def _begin(desk: Desk) -> None:
    """The next card acts."""
    activation = first_of(desk.queue, desk.duel, desk.advantage)
    desk.queue.remove(activation)
    seat, duel = activation.player, desk.duel
    # A speed above the current moment acts now, at this moment (R21); what follows behind a card turns no clock.
    speed = min(activation.speed, desk.clock)
    desk.clock = desk.clock if activation.at_once else speed
    desk.window, desk.acting = "", seat
    lines = duel.cards[activation.card].segments[activation.segment].lines
    for card in activation.added:
        lines += all_lines(duel.cards[card])
    say = "{player} resolves {card} at {speed}."
    desk.rule("SJ-14", say, player=duel.players[seat], card=activation.card, speed=speed)
    desk.push(seat, lines, speed)


def _finish(desk: Desk) -> None:
    """An activation has come to its end; before the turn is over its player may still add an instant."""
    seat = desk.acting
    mine = any(waiting.player == seat for waiting in desk.queue)
    if not mine and may_lay(desk, seat):
        desk.ask = Ask(seat, ("instant", "pass"))
    else:
        desk.acting = -1


def _end_round(desk: Desk) -> None:
    _discard_played(desk)
    _keep_limit(desk)
    if desk.stage == "over":
        return
    desk.round += 1
    changes = {"round": (desk.round - 1, desk.round), "phase": ("activation", "draw")}
    desk.rule("SJ-3", "Round {round} begins.", changes, round=desk.round)
    desk.stage, desk.clock, desk.window = "select", FASTEST, ""
    desk.guards, desk.quiet, desk.stirred = [], (), ()
    _draw_phase(desk)


def _discard_played(desk: Desk) -> None:
    """Face up, instants on top; the passive card goes back to its hand and a stun to the supply."""
    for seat, samurai in enumerate(desk.samurai):
        played = tuple(card for card in (samurai.card, *samurai.laid) if card not in (None, PASSIVE, STUN))
        if played:
            name, pile = desk.players[seat], len(samurai.pile)
            changes = {f"discards.{name}": (pile, pile + len(played))}
            desk.rule("SJ-50", "{player} discards {cards} face up.", changes, player=name, cards=played)
        if samurai.card:
            desk.change(seat, card=None, laid=(), pile=samurai.pile + played)


def _keep_limit(desk: Desk) -> None:
    """Everyone discards down to the limit; who has nothing but stuns above it is defeated."""
    fallen = []
    for seat in desk.standing():
        limit = desk.duel.limit[seat]
        over = desk.samurai[seat].hand + desk.samurai[seat].stuns - limit
        if over > 0:
            desk.discard(seat, over, "SJ-51")
        stuns = desk.samurai[seat].stuns
        if stuns > limit or (desk.duel.options.stun_defeat == "limit" and stuns >= limit):
            fallen.append(seat)
    desk.fell(fallen, "SJ-39", "{player} holds too many stun cards and is defeated.")


def _draw_phase(desk: Desk) -> None:
    """Bleeding first, then the round's card."""
    for seat in desk.standing():
        samurai, name = desk.samurai[seat], desk.players[seat]
        lost = min(samurai.bleeding, samurai.deck)
        if lost:
            desk.change(seat, deck=samurai.deck - lost, pile=samurai.pile + (None,) * lost)
            changes = {
                f"decks.{name}": (samurai.deck, samurai.deck - lost),
                f"discards.{name}": (len(samurai.pile), len(samurai.pile) + lost),
            }
            one = "{player} bleeds: a card goes face down from the deck to the discards."
            many = "{player} bleeds: {count} cards go face down from the deck to the discards."
            desk.tell("SJ-36", one, many, changes, seat, lost)
        desk.draw(seat, 1, in_draw_phase=True)
    desk.settle()
