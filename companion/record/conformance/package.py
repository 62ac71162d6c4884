"""Checks of a game's package that play no match: its options in words, its imports, its tests."""

import ast
from collections.abc import Sequence
from pathlib import Path

from companion.core.message import message
from companion.core.rulings import Refused
from companion.games.kit.game import Game
from companion.games.kit.option_forms import can_be_asked, header_options, literal_values, option_fields, presets
from companion.record.conformance.playing import Findings
from companion.record.match import Match


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
