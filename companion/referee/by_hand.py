"""What the referee, as a person, does to a match: take back, put a misread move right, the acts of the kifu."""

from typing import TYPE_CHECKING

from companion.core.events import Tap
from companion.core.message import Message, Thing, message, plural
from companion.core.rulings import Refused
from companion.games.kit.acts import ACT
from companion.record import acts
from companion.referee import mending
from companion.referee.putting_back import put_back

if TYPE_CHECKING:
    from companion.referee.referee import Referee

WHO = "referee"
"""In a tap: whoever has the referee's PIN."""


def take_back(referee: "Referee", moves: int, why: str, *, lies_right: bool = False) -> None:
    """Undo. Rulings that do not hold any more stay, struck through. People are told what has to be put back on the
    table, unless it `lies_right`."""
    match = referee.match
    to_do = () if lies_right else put_back(match, match.rewound(moves))
    undone = referee.record.undo(moves, why).undone
    referee.timekeeper.took_back()
    referee.tell.strike(moment.line for moment in undone if not isinstance(moment.done, acts.RenamePlayer))
    took_back = plural(
        "The referee takes back {count} move: {why}",
        "The referee takes back {count} moves: {why}",
        moves,
        why=why or "–",
    )
    referee.notice(took_back)
    if to_do:
        referee.notice(message("Put back on the table: {places}", places=to_do))
    referee.start_over(to_do)


def correct(referee: "Referee", tap: Tap) -> None:
    """Somebody says what a card really is (None: it lies face down); it holds while the card lies there. Where it has
    become a move already, the referee is asked whether to put that right."""
    zone, named = str(tap.data.get("zone", "")), tap.data.get("card")
    card = None if named is None else str(named)
    if tap.by != WHO and not zone.startswith(tap.by + "."):
        raise Refused("TABLE-3", message("{player} can correct only their own cards.", player=Thing("player", tap.by)))
    if card is not None and card not in referee.match.game.table.deck(referee.match.state).cards:
        raise Refused(
            "TABLE-4", message("There is no card called {card} in this match.", card=Thing("card", str(card)))
        )
    turned = tap.data.get("rotation")
    rotation = float(turned) if isinstance(turned, int | float) else None
    right = referee.table.if_corrected(zone, card, rotation)
    if right is None:
        raise Refused("TABLE-4", message("No card lies in {zone} now.", zone=Thing("place", zone)))
    offer = mending.offer(referee.match, referee.table.telling, right, (zone, card, rotation))
    if offer is None:
        referee.correct(zone, card, rotation, tap.at)
    elif tap.by == WHO:
        referee.offer = offer
        referee.tell.changed()
    else:
        raise Refused("TABLE-3", message("{told} Call the referee to put it right.", told=offer.question))


def mend(referee: "Referee", tap: Tap) -> None:
    """The referee's answer to an offer: take the misread move back and make the right one, or leave it."""
    offer, referee.offer = referee.offer, None
    referee.tell.changed()
    if offer is None or offer.made != referee.match.moves:
        raise Refused("TABLE-4", message("There is nothing to put right any more."))
    if not tap.data.get("accept", True):
        return
    take_back(referee, offer.moves, str(tap.data.get("why", "")), lies_right=offer.meant is not None)
    referee.table.correct(offer.zone, offer.card, offer.rotation)
    right = () if offer.meant is None else ((offer.player, offer.meant),)
    for player, move in (*right, *offer.again):
        if not referee.make(player, move, tap.at):
            break
    referee.correct(offer.zone, offer.card, offer.rotation, tap.at)


def act(referee: "Referee", done: acts.AnyAct, at: float) -> None:
    """An act that is a line of the kifu."""
    was_over = referee.match.over
    if isinstance(done, acts.MoveTimeLimit) and done.seconds < 0:
        referee.write_time_down(at)  # the rules have to know how much has been played
    rulings, line = referee.record.act(done, referee.clock.read(at))
    if isinstance(done, acts.RenamePlayer):
        referee.rename(done.player, done.name)
    for ruling in rulings:
        kind = "act" if ruling.rule == ACT else "ruling"
        referee.tell.say(kind, (ruling.rule,), ruling.message, line, ruling.happened)
    if was_over and not referee.match.over and not referee.paused:
        referee.clock.start(at)
    referee.settle()
    referee.tell.changed()


def concede(referee: "Referee", tap: Tap) -> None:
    """A player gives the match up, in any game. In the kifu it is an act that ends the match, unless the game has a
    move for it, after which the others play on."""
    if tap.by not in referee.match.players:
        raise Refused("TABLE-4", message("Only a player can concede."))
    if "concede" in referee.match.awaits.get(tap.by, ()):
        referee.make(tap.by, referee.match.decode({"move": "concede"}), tap.at)
        return
    act(referee, acts.EndMatch("conceded", tap.by, why=str(tap.data.get("why", "")).strip() or "–"), tap.at)


def call(referee: "Referee", player: str, at: float) -> None:
    """A player wants the referee to come. It is told once, noted in the kifu, and shown until it is answered."""
    if not referee.attention.call(player, at):
        return
    calls = message("{player} calls the referee.", player=Thing("player", player))
    if referee.attention.worth_noting(player, at):
        referee.note(at, calls)
    referee.notice(calls)


def answer(referee: "Referee", tap: Tap) -> None:
    """The referee comes, or the player needs nobody any more."""
    player = str(tap.data.get("player", "")) if tap.by == WHO else tap.by
    if not referee.attention.answer(player):
        raise Refused("TABLE-4", message("{player} does not call the referee.", player=Thing("player", player)))
    referee.notice(_answered(tap.by, player))


def _answered(by: str, player: str) -> Message:
    who = Thing("player", player)
    if by == WHO:
        return message("The referee comes to {player}.", player=who)
    return message("{player} does not need the referee any more.", player=who)
