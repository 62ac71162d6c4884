"""What every game owes to the match, whatever its rules, as checks that say in sentences what is wrong.

Each check plays matches and yields a message for every fault it finds; no message means that all is well. `begin` makes
a new match, and `drawn` are numbers that choose among the legal moves, so that a run can be repeated exactly. The test
suite and `shinpan game check` call the same checks.
"""

from companion.record.conformance.acts import acts_are_exact
from companion.record.conformance.package import (
    cited_rules,
    imports_no_other_game,
    options_are_in_words,
    rules_are_cited,
)
from companion.record.conformance.playing import Begin, Findings, choose
from companion.record.conformance.read_back import reading_inverts_the_layout
from companion.record.conformance.rules import (
    comes_to_an_end,
    facts_are_plain,
    legal_moves_are_accepted,
    refusals_change_nothing,
    replays_to_the_same_state,
    undo_is_exact,
)
from companion.record.conformance.secrecy import sealed_moves_stay_hidden, spectators_know_least

__all__ = [
    "Begin",
    "Findings",
    "acts_are_exact",
    "choose",
    "cited_rules",
    "comes_to_an_end",
    "facts_are_plain",
    "imports_no_other_game",
    "legal_moves_are_accepted",
    "options_are_in_words",
    "reading_inverts_the_layout",
    "refusals_change_nothing",
    "replays_to_the_same_state",
    "rules_are_cited",
    "sealed_moves_stay_hidden",
    "spectators_know_least",
    "undo_is_exact",
]
