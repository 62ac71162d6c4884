"""Everything that is missing in a game or wrong with it: the conformance suite, and what its package has to have."""

from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from random import Random

from companion import games
from companion.core.message import Message, message
from companion.core.rulings import Refused, ShinpanError
from companion.core.wording import LANGUAGES, SOURCE
from companion.games.kit.game import Game
from companion.record import conformance
from companion.record.match import Match

PEOPLE = ("Aki", "Ben", "Cho", "Dai", "Emi", "Fay", "Gen", "Hana")
RUNS = 5
"""Random beginnings that each check is tried on, for each number of players."""
LENGTH = 40
ORIGINS = ("booklet", "inferred", "house")
UPWARDS = 3
"""So many folders above the package may hold its tests."""


CHECKS = (
    conformance.replays_to_the_same_state,
    conformance.legal_moves_are_accepted,
    conformance.undo_is_exact,
    conformance.facts_are_plain,
    conformance.acts_are_exact,
    conformance.sealed_moves_stay_hidden,
    conformance.spectators_know_least,
    conformance.reading_inverts_the_layout,
)


def every_finding(name: str, tests: Path | None) -> Iterator[Message]:
    game, package = games.game(name), games.package(name)
    folder = Path(str(resources.files(package)))
    yield from _rules(game, folder, tests)
    yield from _texts(folder)
    yield from conformance.imports_no_other_game(package, folder, [games.package(each) for each in games.names()])
    yield from _finished(conformance.options_are_in_words(game, PEOPLE))
    for count in sorted({game.seats[0], max(2, game.seats[0]), game.seats[-1]}):
        yield from _matches(game, PEOPLE[:count])


def _rules(game: Game, folder: Path, tests: Path | None) -> Iterator[Message]:
    own = {number: rule for number, rule in game.rules.catalogue().items() if not number.startswith("TABLE-")}
    for number, rule in own.items():
        if rule.origin not in ORIGINS:
            yield message(
                "The origin of {rule} is one of {origins}, not {origin}.",
                rule=number,
                origins=ORIGINS,
                origin=rule.origin,
            )
    beside = [each / "tests" for each in folder.parents[:UPWARDS]]
    found = tests or next((each for each in beside if each.is_dir()), None)
    if found is None:
        yield message("There are no tests beside {folder}; --tests says where they are.", folder=str(folder))
    else:
        yield from conformance.rules_are_cited(list(own), found)


def _texts(folder: Path) -> Iterator[Message]:
    try:
        from companion.core import catalogues
    except ModuleNotFoundError:
        told = message(
            "Checking translations needs Babel; this installs it: {command}",
            command='pip install "shinpan[author]"',
        )
        raise ShinpanError(told) from None

    for language in LANGUAGES:
        if language != SOURCE and not (folder / "locale" / language / "messages.po").is_file():
            yield message("There is no {file}.", file=f"locale/{language}/messages.po")
    for kind, language, text in catalogues.findings(folder):
        match kind:
            case "untranslated":
                yield message("Nobody has translated this ({language}): {text}", language=language, text=text)
            case "facts":
                yield message(
                    "The translation has other facts in braces ({language}): {text}", language=language, text=text
                )
            case "unused":
                yield message("This is translated and never said ({language}): {text}", language=language, text=text)
            case "not literal":
                yield message("{place}: write the template out in the call, so that it can be collected.", place=text)
            case "not filled":
                yield message("{place}: the template names a fact that is not given.", place=text)
            case "not compiled":
                command = f"python -m companion.core.catalogues compile {folder}"
                yield message("{file} is not compiled; this does it: {command}", file=text, command=command)


def _matches(game: Game, players: tuple[str, ...]) -> Iterator[Message]:
    def begin() -> Match:
        return Match(game, players)

    try:
        begin()
    except Refused as refusal:
        yield message(
            "A match of {count} with no options is refused: {reason}", count=len(players), reason=refusal.message
        )
        return
    for seed in range(RUNS):
        random = Random(seed)
        drawn = [random.randrange(2**20) for _ in range(LENGTH)]
        for check in CHECKS:
            yield from _finished(check(begin, drawn))
        yield from _finished(conformance.refusals_change_nothing(begin, drawn, drawn[:4]))
    yield from _finished(conformance.comes_to_an_end(begin, RUNS))


def _finished(found: conformance.Findings) -> conformance.Findings:
    """What a check finds, whatever the game's own code does in the middle of it."""
    try:
        yield from found
    except Refused as refusal:
        yield message("A move that is offered is refused: {reason}", reason=refusal.message)
    except Exception as error:
        yield message("The game breaks down: {error}", error=f"{type(error).__name__}: {error}".partition("\n")[0])
