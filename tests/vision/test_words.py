"""Every sentence that the camera can say on a page is known in Italian."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import vision
from companion.core.wording import retell

HOME = Path(vision.__file__).parent
SPOKEN = ("aim", "calibrate", "camera", "gallery", "guide", "spot", "watch")


def sentences(module: str) -> Iterator[str]:
    """What is written in a module to be read by people, with something in every open place."""
    tree = ast.parse((HOME / f"{module}.py").read_text())
    told = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}  # docstrings
    inside = {part for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if node in told or node in inside:
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
        elif isinstance(node, ast.JoinedStr):
            text = "".join(part.value if isinstance(part, ast.Constant) else "7" for part in node.values)
        else:
            continue
        if " " in text and text.endswith((".", "?")):
            yield text


@pytest.mark.parametrize("module", SPOKEN)
def test_every_sentence_is_known_in_italian(module):
    found = list(sentences(module))

    assert [text for text in found if retell(text, "it") == text] == []


def test_sentences_are_found_at_all():
    assert sum(len(list(sentences(module))) for module in SPOKEN) > 30


def test_words_inside_a_sentence_are_translated_and_unknown_sentences_stay():
    assert retell("Marker 3 (far left) is hidden or too blurred to read.", "it").startswith("Il marcatore 3 (lontano")
    assert retell("The dragon sleeps.", "it") == "The dragon sleeps."
    assert retell("Marker 3 (far left) is hidden or too blurred to read.", "en").startswith("Marker 3")
