"""The types that scripts are checked against are those of the structs that are sent and received."""

import re
from typing import get_args

from web import api
from web.types import FILE, declarations


def test_the_types_of_the_scripts_are_fresh():
    assert FILE.read_text() == declarations(), "run `python -m web.types`"


def test_every_game_of_ours_has_its_types():
    told = declarations()

    for name in ("HighCard", "SanNiIchi", "SenSo", "Senjutsu", "Sensu"):
        (body,) = re.findall(rf"^declare namespace {name} {{\n(.*?)^}}", told, re.DOTALL | re.MULTILINE)
        assert "type Page = TablePage<View, Move, Happening, Advice>;" in body


def test_what_may_be_left_out_is_optional_and_what_is_sent_in_words_is_a_text():
    told = declarations()

    assert "picture?: string;" in told
    kinds = sorted(get_args(api.What))
    what = " | ".join(f'"{kind}"' for kind in kinds)
    assert {"award", "call", "move", "undo"} <= set(kinds)
    assert f"what: {what};" in told
    assert 'state: "ok" | "missing" | "simulated" | "trouble";' in told
    assert "bonuses: Told[];" in told
