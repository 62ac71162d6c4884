"""The table is held to the description of /api/v1 that it serves itself, by schemathesis."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
import schemathesis
from flask import Flask
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.core.failures import FailureGroup

from tests.web.evening import SETTINGS, Evening
from web.api_v1 import OPERATIONS
from web.app import create_app

KIFUS = Path(__file__).parents[1] / "kifu"
KEPT = ("high_card/three-rounds", "sen_so/conceded")
DESCRIPTION = "/api/v1/openapi.json"
PLAIN = {"Accept-Encoding": "identity"}
"""Over WSGI nobody unpacks what the table compresses."""
QUICK = settings(
    max_examples=25,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    data = tmp_path_factory.mktemp("data")
    (data / "matches").mkdir()
    for number, path in enumerate(KEPT):
        name = f"2026-01-{number + 1:02}-200000-{path.split('/')[0]}.kifu"
        (data / "matches" / name).write_bytes((KIFUS / f"{path}.kifu").read_bytes())
    (data / "matches" / "2026-01-09-200000-sen_so.kifu").write_text('{"kifu": 1, "game": "sen_so", "pla')
    evening = Evening()
    evening.begin()
    return create_app(evening.service, msgspec.structs.replace(SETTINGS, data=data))


@pytest.mark.parametrize("path", [operation.path for operation in OPERATIONS])
def test_the_table_answers_as_its_description_says(table: Flask, path: str) -> None:
    described: Any = schemathesis.openapi.from_wsgi(DESCRIPTION, table)

    @QUICK
    @given(case=described[path]["GET"].as_strategy())
    def holds(case: Any) -> None:
        case.call_and_validate(headers=PLAIN)

    holds()


def test_a_field_that_is_not_as_described_is_found(table: Flask) -> None:
    """The check would be worth nothing if it passed whatever the table says."""
    told: Any = msgspec.json.decode(table.test_client().get(DESCRIPTION).get_data())
    told["components"]["schemas"]["PublishedMatches"]["properties"]["total"]["type"] = "string"
    described: Any = schemathesis.openapi.from_dict(told)
    described.app = table
    case = described["/api/v1/matches"]["GET"].Case()

    with pytest.raises(FailureGroup) as found:
        case.call_and_validate(headers=PLAIN)
    assert "PublishedMatches/properties/total" in str(found.value.exceptions)
