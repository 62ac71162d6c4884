"""What every game owes to the match, whatever its rules, as checks that say in sentences what is wrong.

Each check plays matches and yields a message for every fault it finds; no message means that all is well. `begin` makes
a new match, and `drawn` are numbers that choose among the legal moves, so that a run can be repeated exactly. The test
suite and `shinpan game check` call the same checks.
"""

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from companion.core.layout import Sight
from companion.core.message import Message, Thing, message, plural
from companion.core.rulings import Refused, Ruling
from companion.games.kit.game import Game, Move
from companion.games.kit.option_forms import can_be_asked, header_options, literal_values, option_fields, presets
from companion.games.kit.reading import Row
from companion.record import kifu
from companion.record.acts import RenamePlayer, decode
from companion.record.match import Match
from companion.record.recorded_match import header
from companion.record.replay import Replay

Begin = Callable[[], Match]
Findings = Iterator[Message]
MOST_MOVES = 3000
"""A random match that is longer than this does not come to an end."""
PATIENCE = 400
"""Moves after which the clock of a match against time runs out."""
TRIED = 12
"""So many moves are tried of those that are legal at one moment."""


def choose(match: Match, choice: int) -> tuple[str, Move]:
    """One of all moves that are open to anybody."""
    awaited = list(match.awaits)
    player = awaited[choice % len(awaited)]
    open_moves = match.game.rules.legal_moves(match.state, match.sealed, player)
    return player, open_moves[(choice // 7) % len(open_moves)]


def play(match: Match, drawn: Sequence[int]) -> Iterator[tuple[str, Move, tuple[Ruling, ...]]]:
    """Make one move for each number, until the match is over."""
    for choice in drawn:
        if match.over:
            return
        player, move = choose(match, choice)
        yield player, move, match.move(player, move)


def fields(move: Move) -> dict[str, Any]:
    return dict(msgspec.to_builtins(move))


def _written(move: Move | None) -> str:
    """A move as a kifu has it, for a finding."""
    return "–" if move is None else msgspec.json.encode(move).decode()


# --- the match ------------------------------------------------------------------------------------------------------


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
                yield message("A refused move or an undo of {move} changes the state.", move=_written(odd))


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
                    move=_written(move),
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


def acts_are_exact(begin: Begin, drawn: Sequence[int]) -> Findings:
    """Acts of the referee between the moves: each is replayed and taken back exactly, and a new name is everywhere."""
    match = begin()
    line, chain = kifu.write(header(match), kifu.START)
    lines = [line]
    past: list[Snapshot] = []
    """What stood before each input that an undo counts, since somebody was last renamed."""
    for at, choice in enumerate(drawn):
        before, written = _stands(match), _any_input(match, at, choice)
        try:
            yield from _put_in(match, written, past)
        except Refused as refusal:
            if _stands(match) != before:
                yield message("A refused act changes the state: {reason}", reason=refusal.message)
            written["refused"] = refusal.rules
        line, chain = kifu.write(written, chain)
        lines.append(line)
    again = Replay(b"".join(lines)).finish()
    if (_stands(again), again.players) != (_stands(match), match.players):
        yield message("A match with acts of the referee, written down and replayed, ends in another state.")


Snapshot = tuple[Any, Mapping[str, Any], dict[str, Any]]


def _stands(match: Match) -> Snapshot:
    return match.state, match.sealed, match.facts


def _any_input(match: Match, at: int, choice: int) -> dict[str, Any]:
    """A move, an act, an undo or the clock, as a kifu has it."""
    kind, choice = choice % 12, choice // 12
    player = match.players[choice % len(match.players)]
    amount, why = choice // 8 % 21 - 10, f"choice {at}"
    match kind:
        case 0:
            return {"referee": "time", "seconds": amount * 30, "why": why}
        case 1 | 2:
            return {"referee": "award", "player": player, "points": amount, "why": why}
        case 3:
            return {"referee": "rule", "say": why}
        case 4:
            how = ("agreed", "conceded", "abandoned", "disqualified")[amount % 4]
            return {"referee": "end", "how": how, "player": player, "why": why}
        case 5:
            return {"referee": "rename", "player": player, "name": f"N{at}"}
        case 6 if match.moves:
            return {"undo": 1 + choice % min(3, match.moves), "why": why}
        case 7:
            return {"clock": match.facts.get("clock", 0) + 15.0 * abs(amount)}
    if match.over:
        return {"undo": min(3, match.moves), "why": why} if match.moves else {"referee": "rule", "say": why}
    player, move = choose(match, choice)
    return {"by": player, **fields(move)}


def _put_in(match: Match, written: Mapping[str, Any], past: list[Snapshot]) -> Findings:
    before = _stands(match)
    if "undo" in written:
        match.undo(written["undo"])
        if len(past) >= written["undo"]:
            wanted = past[-written["undo"]]
            del past[-written["undo"] :]
            if _stands(match) != wanted:
                yield plural(
                    "Taking back {count} move or act leads to another state.",
                    "Taking back {count} moves and acts leads to another state.",
                    written["undo"],
                )
        else:
            past.clear()
    elif "clock" in written:
        match.clock(written["clock"])
    elif "move" in written:
        match.move(written["by"], match.decode({name: value for name, value in written.items() if name != "by"}))
        past.append(before)
    else:
        act = decode(written)
        match.act(act)
        if isinstance(act, RenamePlayer):
            past.clear()
            yield from _name_is_gone(match, act.player)
        else:
            past.append(before)


def _name_is_gone(match: Match, name: str) -> Findings:
    views = [match.game.rules.view(match.state, viewer) for viewer in (None, *match.players)]
    zones = [zone.name for zone in match.game.table.layout(match.state).zones]
    shown = msgspec.json.decode(msgspec.json.encode([match.facts, views, list(match.sealed)], enc_hook=str))
    if name in _texts_in(shown) or any(zone.startswith(f"{name}.") for zone in zones):
        yield message("{player} has a new name, and the old one is still in the state.", player=Thing("player", name))


def _texts_in(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from value
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from _texts_in(each)
    elif isinstance(value, str):
        yield value


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
    """Somebody has won, or nobody has to: alone, or where a match can be drawn."""
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


# --- what is shown ---------------------------------------------------------------------------------------------------


def sealed_moves_stay_hidden(begin: Begin, drawn: Sequence[int]) -> Findings:
    """Two runs that differ only in a sealed move look the same to everybody."""
    match = begin()
    for _ in play(match, drawn):
        for player in match.awaits:
            found = match.game.rules.legal_moves(match.state, match.sealed, player)
            for kind in match.game.rules.together:
                held = [move for move in found if move.kind == kind]
                looks = {_look(match, player, move) for move in held[:1] + held[-1:]}
                if len(looks - {b""}) > 1:
                    yield message("A view shows which {kind} somebody has sealed.", kind=kind)


def _look(match: Match, player: str, move: Move) -> bytes:
    """All that anybody is shown after that move, or nothing where it does not stay sealed."""
    match.move(player, move)
    shown = b""
    if player in match.sealed:
        views = [match.game.rules.view(match.state, viewer) for viewer in (None, *match.players)]
        shown = msgspec.json.encode([views, match.awaits])
    match.undo(1)
    return shown


def spectators_know_least(begin: Begin, drawn: Sequence[int]) -> Findings:
    """Where views differ, the spectator's has a blank there: what one player alone is shown is that player's own."""
    match = begin()
    for _ in play(match, drawn):
        spectator = _shown_to(match, None)
        for player in match.players:
            for path, value in _told_differently(spectator, _shown_to(match, player)):
                if value and value != "hidden":
                    yield message(
                        "A spectator is shown {value} at {path}, and {player} something else: the view shows too much.",
                        value=str(value),
                        path=path,
                        player=Thing("player", player),
                    )


def _shown_to(match: Match, viewer: str | None) -> Any:
    """A view as a page gets it."""
    return msgspec.json.decode(msgspec.json.encode(match.game.rules.view(match.state, viewer)))


def _told_differently(spectator: Any, own: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(spectator, dict) and isinstance(own, dict):
        for key in spectator:
            yield from _told_differently(spectator[key], own.get(key), f"{path}.{key}")
    elif isinstance(spectator, list) and isinstance(own, list) and len(spectator) == len(own):
        for at, (theirs, mine) in enumerate(zip(spectator, own, strict=True)):
            yield from _told_differently(theirs, mine, f"{path}.{at}")
    elif spectator != own:
        yield path, spectator


def reading_inverts_the_layout(begin: Begin, drawn: Sequence[int]) -> Findings:
    """Every legal move, laid on the table as `table.laid` says, is read as that move."""
    match = begin()
    table, laid = match.game.table, match.game.table.laid
    if laid is None:
        yield message("`read` is not checked: no `table.laid` says how moves lie there.")
        return
    lying: dict[str, Row] = {zone.name: () for zone in table.layout(match.state).zones}
    for choice in drawn:
        if match.over:
            return
        for player in match.awaits:
            legal = match.game.rules.legal_moves(match.state, match.sealed, player)
            step = -(-len(legal) // TRIED) or 1
            for move in legal[::step]:
                yield from _read_back(match, player, move, lying, laid(match.state, player, move))
        player, move = choose(match, choice)
        lying |= laid(match.state, player, move) or {}
        match.move(player, move)


def _read_back(
    match: Match, player: str, move: Move, lying: Mapping[str, Row], places: Mapping[str, Row] | None
) -> Findings:
    table = match.game.table
    if places is None:
        return
    cards = table.deck(match.state).cards
    for zone, row in places.items():
        if zone not in lying:
            yield message("{move} is laid in {zone}, and the layout has no such place.", move=_written(move), zone=zone)
        for each in row:
            if each.card is not None and each.card not in cards:
                yield message("{move} lays {card}, and the deck has no such card.", move=_written(move), card=each.card)
    read = table.read(match.state, match.sealed, player, Sight({**lying, **places}))
    if read != move and (read is None or _after(match, player, read) != _after(match, player, move)):
        yield message(
            "{move} of {player} lies on the table, and is read as {read}: `read` does not invert the layout.",
            move=_written(move),
            player=Thing("player", player),
            read=_written(read),
        )


def _after(match: Match, player: str, move: Move) -> Any:
    """What follows from a move; two that lead to the same state may be read one for the other."""
    try:
        match.move(player, move)
    except Refused as refusal:
        return refusal.rules
    after = match.state, match.sealed
    match.undo(1)
    return after


# --- before the match -----------------------------------------------------------------------------------------------


def options_are_in_words(game: Game, people: Sequence[str]) -> Findings:
    """Every option has words for its form, or is said to have none; every preset begins a match."""
    fields, words, known = option_fields(game), game.set_up.words, game.rules.catalogue()
    for name in sorted(fields.keys() - {*words, *game.set_up.elsewhere}):
        yield message("The option {option} is neither in `set_up.words` nor in `set_up.elsewhere`.", option=name)
    for name in sorted({*words, *game.set_up.elsewhere} - fields.keys()):
        yield message("There are words for {option}, and there is no such option.", option=name)
    for name in sorted(words.keys() & fields.keys()):
        for rule in (words[name].rule, *(each.rule for each in words[name].choices if each.rule)):
            if rule not in known:
                yield message("The words for {option} cite {rule}, and there is no such rule.", option=name, rule=rule)
        titled = [each.value for each in words[name].choices]
        for value in literal_values(fields[name]):
            if value not in titled:
                yield message("The option {option} has no title for {value}.", option=name, value=str(value))
        if not can_be_asked(fields[name], words[name]):
            yield message("No form can ask for {option}: it needs choices.", option=name)
    for count in game.seats:
        for preset in presets(game, count):
            players = people[:count]
            try:
                Match(game, players, header_options(game, players, preset.options))
            except Refused as refusal:
                yield message(
                    "The preset {preset} is refused in a match of {count}: {reason}",
                    preset=preset.key,
                    count=count,
                    reason=refusal.message,
                )


# --- the package -----------------------------------------------------------------------------------------------------


def imports_no_other_game(package: str, folder: Path, others: Sequence[str]) -> Findings:
    """`others` are the packages of the other games."""
    for file in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [each.name for each in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names = [node.module, *(f"{node.module}.{each.name}" for each in node.names)]
            for other in others:
                if other != package and any(f"{name}.".startswith(f"{other}.") for name in names):
                    yield message("{file} imports another game, {other}.", file=file.name, other=other)


def cited_rules(tests: Path) -> set[str]:
    """The rules that tests are marked with: `@pytest.mark.rule("SEN-58")`."""
    found = set()
    for path in tests.rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.rule":
                found |= {str(each.value) for each in node.args if isinstance(each, ast.Constant)}
    return found


def rules_are_cited(rules: Sequence[str], tests: Path) -> Findings:
    cited = cited_rules(tests)
    for rule in rules:
        if rule not in cited:
            yield message("No test cites {rule}.", rule=rule)
