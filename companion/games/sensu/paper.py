"""The summary card that everybody gets (SU-14)."""

from companion.core.message import message
from companion.games.kit.paper import Paper, RulesSection, SummaryCard
from companion.games.sensu.state import SensuState


def paper(state: SensuState) -> tuple[Paper, ...]:
    sections = [
        RulesSection(message("Aim"), ("SU-50",)),
        RulesSection(message("A turn"), ("SU-16", "SU-17", "SU-18", "SU-19", "SU-48")),
        RulesSection(message("A combination"), ("SU-21", "SU-22", "SU-29", "SU-30", "SU-31")),
        RulesSection(message("Bonus cards"), ("SU-23", "SU-24", "SU-25", "SU-26", "SU-32", "SU-33")),
        RulesSection(message("Fans"), ("SU-39", "SU-40", "SU-42", "SU-44", "SU-45", "SU-46")),
        RulesSection(message("Powers"), ("SU-52", "SU-55", "SU-56", "SU-57")),
    ]
    if len(state.terms.players) == 1:
        sections[0] = RulesSection(message("Aim"), ("SU-68", "SU-77"))
        sections[1] = RulesSection(message("A turn"), ("SU-69", "SU-70", "SU-71", "SU-72"))
    values = tuple(str(value) for value in range(1, 10))
    sticks = tuple(str(count) for count in state.terms.table)
    table = ((message("Value"), values), (message("Sticks"), sticks))
    return (SummaryCard(message("Sensu: the summary"), tuple(sections), table),)
