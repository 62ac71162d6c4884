"""Checks of a game's rules: moves, refusals, undo, facts, and that a match ends."""

from collections.abc import Sequence
from random import Random

import msgspec

from companion.core.message import Thing, message, plural
from companion.core.rulings import Refused
from companion.games.kit.game import Move
from companion.record import kifu
from companion.record.conformance.playing import MOST_MOVES, PATIENCE, Begin, Findings, choose, fields, play, written
from companion.record.match import Match
from companion.record.recorded_match import header
from companion.record.replay import Replay


def replays_to_the_same_state(begin: Begin, drawn: Sequence[int]) -> Findings:
    match = begin()
    line, chain = kifu.write(header(match), kifu.START)
    lines = [line]
    for player, move, _ in play(match, drawn):
        line, chain = kifu.write({"by": player, **fields(move)}, chain)
        lines.append(line)
    again = Replay(b"".join(lines)).finish()
    if (again.state, again.sealed, again.facts) != (match.state, match.sealed, match.facts):
        yield plural(
            "A match of {count} move, written down and replayed, ends in another state.",
            "A match of {count} moves, written down and replayed, ends in another state.",
            match.moves,
        )


def refusals_change_nothing(begin: Begin, drawn: Sequence[int], strange: Sequence[int]) -> Findings:
    """Moves that were made before are tried by anybody at any time: most are refused, by rules that exist."""
    match = begin()
    known = match.game.rules.catalogue()
    seen: list[Move] = []
    for _, move, _ in play(match, drawn):
        seen.append(move)
        for choice in strange:
            player, odd = match.players[choice % len(match.players)], seen[choice // 7 % len(seen)]
            before = match.state, match.sealed, match.facts, match.moves
            try:
                match.move(player, odd)
                match.undo(1)
            except Refused as refusal:
                for rule in refusal.rules:
                    if rule not in known:
                        yield message("A refusal cites {rule}, and there is no such rule.", rule=rule)
                if not refusal.text.endswith("."):
                    yield message("A refusal is not a sentence: {text}", text=refusal.text)
            if (match.state, match.sealed, match.facts, match.moves) != before:
                yield message("A refused move or an undo of {move} changes the state.", move=written(odd))


def legal_moves_are_accepted(begin: Begin, drawn: Sequence[int]) -> Findings:
    """What is awaited can be done, and every move that is offered is accepted."""
    match = begin()
    pick = Random(len(drawn))
    for _ in play(match, drawn):
        for player in match.players:
            kinds = match.awaits.get(player, ())
            found = match.game.rules.legal_moves(match.state, match.sealed, player)
            who = Thing("player", player)
            for kind in {move.kind for move in found} - set(kinds):
                yield message("{player} is offered {kind}, which is not awaited.", player=who, kind=kind)
            if bool(found) != bool(kinds):
                yield message("{player} is awaited for {kinds} and has no legal move.", player=who, kinds=kinds)
            try:
                for move in found:
                    match.game.rules.check(match.state, match.sealed, player, match.decode(fields(move)))
                for move in pick.sample(list(found), min(3, len(found))):
                    match.move(player, move)
                    match.undo(1)
            except Refused as refusal:
                yield message(
                    "{move} is offered to {player} and refused: {reason}",
                    move=written(move),
                    player=who,
                    reason=refusal.message,
                )


def undo_is_exact(begin: Begin, drawn: Sequence[int]) -> Findings:
    match = begin()
    past = [(match.state, match.sealed, match.facts)]
    past += [(match.state, match.sealed, match.facts) for _ in play(match, drawn)]
    for back in range(1, len(past)):
        here = match.moves
        match.undo(back)
        exact = (match.state, match.sealed, match.facts) == past[here - back]
        for _ in play(match, drawn[here - back :]):
            pass
        if not exact or (match.state, match.sealed, match.facts) != past[here]:
            yield plural(
                "{count} move taken back and made again leads to another state.",
                "{count} moves taken back and made again lead to another state.",
                back,
            )
        if back * back > 2 * len(past):
            break


def facts_are_plain(begin: Begin, drawn: Sequence[int]) -> Findings:
    """Facts and rulings can be written down, cite rules that exist, and know when the match is over."""
    match = begin()
    known = match.game.rules.catalogue()
    for _, _, rulings in play(match, drawn):
        facts = match.facts
        if msgspec.json.decode(msgspec.json.encode(facts)) != msgspec.to_builtins(facts):
            yield message("The facts do not come back from JSON as they were: use lists, not tuples.")
        if facts["over"] is not (not facts["awaits"]):
            over, awaits = facts["over"], tuple(facts["awaits"])
            yield message("The fact `over` is {over}, and awaited are: {awaits}.", over=over, awaits=awaits)
        if facts["over"] and not _decided(match):
            yield message("A match is over and nobody has won.")
        if facts["winners"] and not facts["over"]:
            winners = tuple(facts["winners"])
            yield message("Somebody has won a match that is not over: {winners}.", winners=winners)
        if facts["winners"] != [player for player in match.players if player in facts["winners"]]:
            yield message("The winners are not in the order of the seats: {winners}.", winners=tuple(facts["winners"]))
        for ruling in rulings:
            if ruling.rule not in known:
                yield message("A ruling cites {rule}, and there is no such rule.", rule=ruling.rule)
            if not ruling.text:
                yield message("A ruling by {rule} says nothing.", rule=ruling.rule)
            msgspec.json.encode(ruling.changes)


def _decided(match: Match) -> bool:
    """Somebody has won, or no winner is needed: a solo match, or a game that can be drawn."""
    return bool(match.facts["winners"]) or len(match.players) == 1 or match.game.rules.can_be_drawn


def comes_to_an_end(begin: Begin, seed: int) -> Findings:
    """A random match ends, and can be laid out all along."""
    match, pick = begin(), Random(seed)
    zones = [zone.name for zone in match.game.table.layout(match.state).zones]
    if len(set(zones)) != len(zones):
        yield message("Two places of the layout have the same name.")
    while not match.over and match.moves < MOST_MOVES:
        limit = match.game.rules.time_limit(match.state)
        if limit is not None and match.moves == PATIENCE:
            match.clock(limit)
        if not match.over:
            match.move(*choose(match, pick.randrange(2**20)))
        if match.moves % 20 == 0 and not (
            match.game.table.layout(match.state).zones and match.game.table.deck(match.state).cards
        ):
            yield plural(
                "After {count} move there is no layout or no deck.",
                "After {count} moves there is no layout or no deck.",
                match.moves,
            )
    if not match.over:
        yield plural(
            "A random match is not over after {count} move.",
            "A random match is not over after {count} moves.",
            MOST_MOVES,
        )
    elif not _decided(match):
        yield message("A match is over and nobody has won.")
    for player in match.players if match.over else ():
        if match.game.rules.legal_moves(match.state, match.sealed, player):
            yield message("The match is over, and {player} has a legal move.", player=Thing("player", player))
