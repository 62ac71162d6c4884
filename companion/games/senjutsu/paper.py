"""Reference cards, and the consoles of the samurai (SJ-1)."""

from companion.core.message import Thing, message
from companion.games.kit.paper import ConsoleCard, Paper, RulesSection, SummaryCard, Track
from companion.games.kit.topics import Branches, Node
from companion.games.senjutsu.card_language.ability import KAMAE
from companion.games.senjutsu.cards import FIGHTERS, Fighter
from companion.games.senjutsu.kamae_board import CORNERS
from companion.games.senjutsu.state import DuelState


def paper(state: DuelState) -> tuple[Paper, ...]:
    reference = SummaryCard(
        message("Senjutsu: a round"),
        (
            RulesSection(message("Draw Phase"), ("SJ-36", "SJ-46", "SJ-47", "SJ-52")),
            RulesSection(message("Activation Phase"), ("SJ-48", "SJ-14", "SJ-26", "SJ-27", "SJ-49", "SJ-50")),
            RulesSection(message("Discard Phase"), ("SJ-51", "SJ-59", "SJ-39")),
            RulesSection(message("Instants"), ("SJ-40", "SJ-41", "SJ-43")),
            RulesSection(message("Wounds and stuns"), ("SJ-33", "SJ-34", "SJ-38", "SJ-64", "SJ-65")),
            RulesSection(message("Kamae"), ("SJ-22", "SJ-31", "SJ-58")),
        ),
    )
    return (reference, *(_console(name, fighter) for name, fighter in FIGHTERS.items()))


def _console(name: str, fighter: Fighter) -> ConsoleCard:
    return ConsoleCard(
        title=message("{samurai}", samurai=Thing("samurai", name)),
        facts=(
            message("Weapon: {weapon}", weapon=fighter.weapon.capitalize()),
            message("Initiative: {number}", number=fighter.initiative),
            message("Hand limit: {number}", number=fighter.hand),
        ),
        tracks=(Track(message("Wounds"), fighter.health), Track(message("Stuns"), fighter.hand)),
        drawing=Branches(
            tuple(
                Node(
                    message("{kamae}", kamae=Thing("kamae", kamae)),
                    kamae,
                    (0.5 + 0.32 * CORNERS[kamae][0], 0.5 - 0.32 * CORNERS[kamae][1]),
                )
                for kamae in KAMAE
            ),
            tuple((KAMAE.index(one), KAMAE.index(other)) for one, ends in fighter.tree.items() for other in ends),
        ),
        note=message("Initiative number, health and kamae tree are house data: compare them with your console."),
    )
