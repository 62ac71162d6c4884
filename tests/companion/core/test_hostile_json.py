"""JSON and TOML that would exhaust the stack or the patience of whoever reads them."""

import tomllib
from typing import Any

import msgspec
import pytest

from companion.core.validation import DEEPEST, read_json, read_toml

DEEP = 100_000


@pytest.mark.parametrize(
    "text",
    [
        b"[" * DEEP,
        b"[" * DEEP + b"]" * DEEP,
        b'{"a":' * DEEP + b"1" + b"}" * DEEP,
        b'{"a":"]]]]\\"]]","b":' + b"[" * DEEP,
        b'{"a":' + b"9" * 5000 + b"}",
        b'{"a":-' + b"9" * 100_000 + b"}",
        b'{"a":1e999}',
        b'{"a":"\xff"}',
        b"",
    ],
)
def test_whatever_is_wrong_is_one_kind_of_error(text: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        read_json(text)
    with pytest.raises(msgspec.DecodeError):
        read_json(text, dict[str, Any])


def test_as_deep_as_anybody_needs_it_is_read_and_can_be_written_again() -> None:
    text = b"[" * DEEPEST + b"]" * DEEPEST

    assert msgspec.json.encode(read_json(text)) == text


def test_brackets_in_a_text_are_not_deep() -> None:
    text = "[" * DEEP

    assert read_json(msgspec.json.encode({"why": text + '"' + text})) == {"why": text + '"' + text}


def test_many_brackets_beside_each_other_are_not_deep() -> None:
    assert len(read_json(b"[" + b",".join([b"[]"] * 1000) + b"]")) == 1000


@pytest.mark.parametrize("text", ["a = " + "[" * DEEP, "a = " + "9" * 5000, "a = ["])
def test_toml_likewise(text: str) -> None:
    with pytest.raises(tomllib.TOMLDecodeError):
        read_toml(text)
