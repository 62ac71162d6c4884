"""What msgspec finds wrong is said in our own words, in both languages."""

from typing import Annotated, Any, Literal

import msgspec
import pytest

from companion.core.validation import wrong_field
from companion.core.wording import sentence


class Kind(msgspec.Struct, forbid_unknown_fields=True):
    what: Literal["move", "undo"]
    moves: Annotated[int, msgspec.Meta(ge=1, le=9)] = 1
    rotation: float | None = None
    pair: tuple[int, int] = (0, 0)
    names: dict[str, list[int]] = {}


@pytest.mark.parametrize(
    ("data", "english", "italian"),
    [
        ({}, "what is missing", "manca what"),
        ({"what": "dance"}, "what cannot be dance", "what non può essere dance"),
        ({"what": "undo", "why": "x"}, "there is no field called why", "non c'è un campo chiamato why"),
        (
            {"what": "undo", "moves": "one"},
            "moves must be a whole number, not a text",
            "moves dev'essere un numero intero, non un testo",
        ),
        (
            {"what": "undo", "rotation": "left"},
            "rotation must be a number or nothing, not a text",
            "rotation dev'essere un numero o niente, non un testo",
        ),
        ({"what": "undo", "moves": 0}, "moves must be at least 1", "moves dev'essere almeno 1"),
        ({"what": "undo", "moves": 10}, "moves must be at most 9", "moves dev'essere al massimo 9"),
        ({"what": "undo", "pair": [1]}, "pair must have 2 entries", "pair deve avere 2 voci"),
        (
            {"what": "undo", "names": {"a": ["b"]}},
            "names[0] must be a whole number, not a text",
            "names[0] dev'essere un numero intero, non un testo",
        ),
        (
            [],
            "a group of named values was expected, not a list",
            "ci vuole un gruppo di valori con nome, non un elenco",
        ),
    ],
)
def test_the_field_and_what_was_expected_are_said(data: Any, english: str, italian: str) -> None:
    with pytest.raises(msgspec.ValidationError) as caught:
        msgspec.convert(data, Kind)

    found = wrong_field(caught.value)
    assert sentence(found, "en") == english
    assert sentence(found, "it") == italian


def test_what_is_not_known_is_said_in_general_terms() -> None:
    strange = msgspec.ValidationError("Something new of msgspec - at `$.a.b`")

    assert str(wrong_field(strange)) == "a.b has a value that is not allowed"
