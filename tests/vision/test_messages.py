"""Vision never makes a finished sentence: it gives messages, and every one of them has an Italian translation."""

import ast
from pathlib import Path

import vision
from companion.core.catalogues import findings, said, wrong_calls
from companion.core.message import message
from companion.core.wording import sentence
from vision.calibration.calibrate import CORNERS

HOME = Path(vision.__file__).parent


def test_every_message_is_translated_into_italian_and_no_translation_is_left_over() -> None:
    assert [each for each in findings(HOME) if each.kind != "not compiled"] == []
    assert wrong_calls(HOME) == []
    assert len(said(HOME)) > 60


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
