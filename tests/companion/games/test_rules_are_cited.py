"""Every numbered rule is held by a test that says so: `@pytest.mark.rule("SEN-58")`."""

from pathlib import Path

import pytest

from companion import games
from companion.core.wording import LANGUAGES, SOURCE
from companion.games.kit.catalogue import rules_of
from companion.games.kit.game import ORIGINS
from companion.record.conformance import cited_rules, rules_are_cited

TESTS = Path(__file__).parents[2]


@pytest.mark.parametrize("name", games.names())
def test_every_rule_of_the_game_is_cited_by_a_test(name):
    assert [str(each) for each in rules_are_cited(list(games.game(name).rules.catalogue()), TESTS)] == []


def test_no_test_cites_a_rule_that_does_not_exist():
    known = set().union(*(games.game(name).rules.catalogue() for name in games.names()))

    assert not sorted(cited_rules(TESTS) - known)


@pytest.mark.parametrize("name", games.names())
def test_every_rule_is_told_in_every_language_with_its_origin(name):
    for number, rule in rules_of(games.package(name)).items():
        told = {rule.told(number, language).strip() for language in LANGUAGES}
        assert "" not in told, number
        assert len(told) == len(LANGUAGES), number
        assert rule.told(number, SOURCE) == rule.text, number
        assert rule.origin in ORIGINS, number
        assert rule.origin != "yours", number
