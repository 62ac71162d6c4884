"""Every message that vision can give is written as a literal template and has an Italian translation."""

import ast
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

from babel.messages.pofile import read_po

import vision
from companion.core.message import message
from companion.core.wording import sentence
from vision.calibration.calibrate import CORNERS

HOME = Path(vision.__file__).parent


def calls() -> Iterator[tuple[str, ast.Call]]:
    """Every call of `message` and `plural`, and where it stands."""
    for path in sorted(HOME.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("message", "plural"):
                yield f"{path.relative_to(HOME)}:{node.lineno}", node


def templates(call: ast.Call) -> list[str | None]:
    wanted = call.args[: 2 if isinstance(call.func, ast.Name) and call.func.id == "plural" else 1]
    return [arg.value if isinstance(arg, ast.Constant) and isinstance(arg.value, str) else None for arg in wanted]


def translations() -> dict[str, str]:
    """Template -> Italian, as `messages.po` has them."""
    found: dict[str, str] = {}
    with (HOME / "locale" / "it" / "messages.po").open("rb") as lines:
        for entry in read_po(lines):
            english, italian = ((text,) if isinstance(text, str) else text for text in (entry.id, entry.string))
            found |= dict(zip(english, italian, strict=True))
    return found


def test_every_template_is_a_literal_so_that_it_can_be_extracted() -> None:
    assert [place for place, call in calls() if None in templates(call)] == []
    assert len(list(calls())) > 60


def test_every_template_has_an_italian_translation_with_the_same_facts() -> None:
    known = translations()
    lacking = [
        (place, template)
        for place, call in calls()
        for template in templates(call)
        if template is not None and facts(template) != facts(known.get(template, "{nothing}"))
    ]

    assert lacking == []


def facts(template: str) -> set[str | None]:
    return {name for _, name, _, _ in Formatter().parse(template) if name is not None}


def test_no_error_is_raised_with_a_finished_sentence() -> None:
    finished = []
    for path in sorted(HOME.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            arguments = node.exc.args if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) else []
            if any(isinstance(argument, ast.Constant | ast.JoinedStr) for argument in arguments):
                finished.append(f"{path.relative_to(HOME)}:{node.lineno}")

    assert finished == []


def test_terms_inside_a_sentence_are_translated_with_it() -> None:
    marker = message("{number} ({corner})", number=3, corner=CORNERS[3])
    hidden = message("Marker {marker} is hidden or too blurred to read.", marker=marker)

    assert sentence(hidden, "it") == "Il marcatore 3 (lontano a sinistra) è coperto o troppo sfocato."
    assert sentence(hidden, "en") == "Marker 3 (far left) is hidden or too blurred to read."
