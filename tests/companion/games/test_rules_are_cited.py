"""Every numbered rule is held by a test that says so: `@pytest.mark.rule("SEN-58")`."""

import ast
from functools import cache
from pathlib import Path

import pytest

from companion import games

TESTS = Path(__file__).parents[2]


@cache
def cited() -> dict[str, set[str]]:
    """Rule number -> the test files whose tests are marked with it."""
    found: dict[str, set[str]] = {}
    for path in TESTS.rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.rule":
                for number in node.args:
                    assert isinstance(number, ast.Constant), f"{path.name}: a rule number is written out"
                    found.setdefault(str(number.value), set()).add(path.name)
    return found


@pytest.mark.parametrize("name", games.names())
def test_every_rule_of_the_game_is_cited_by_a_test(name):
    uncovered = [rule for rule in games.game(name).rules.catalogue() if rule not in cited()]

    assert not uncovered, f"no test cites {', '.join(uncovered)}"


def test_no_test_cites_a_rule_that_does_not_exist():
    known = set(TABLE).union(*(games.game(name).rules.catalogue() for name in games.names()))

    assert not sorted(set(cited()) - known)


@pytest.mark.parametrize("name", games.names())
def test_every_rule_is_told_in_both_languages_with_its_origin(name):
    for number, rule in games.game(name).rules.catalogue().items():
        assert rule.en.strip(), number
        assert rule.it.strip(), number
        assert rule.en != rule.it, number
        assert rule.origin in ("booklet", "inferred", "house"), number
