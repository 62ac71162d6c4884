"""An OpenAPI 3.1 description, made from the structs that are received and sent."""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

SCHEMAS = "#/components/schemas/{name}"


class Operation(NamedTuple):
    """One address that can be read."""

    path: str
    """With its parameters in braces."""
    name: str
    about: str
    query: type[msgspec.Struct]
    answer: type[msgspec.Struct]
    missing: bool = False
    """What the path names may not be there."""


def described(
    title: str, version: str, about: str, operations: Sequence[Operation], trouble: type[msgspec.Struct]
) -> dict[str, Any]:
    kinds = (*(each.answer for each in operations), trouble)
    _, components = msgspec.json.schema_components(kinds, ref_template=SCHEMAS)
    return {
        "openapi": "3.1.0",
        "info": {"title": title, "version": version, "description": about, "license": {"name": "Apache-2.0"}},
        "servers": [{"url": "/"}],
        "paths": {each.path: {"get": _operation(each, trouble)} for each in operations},
        "components": {"schemas": components},
    }


def _operation(operation: Operation, trouble: type[msgspec.Struct]) -> dict[str, Any]:
    said = {"400": "It was not asked as described, and why."}
    if operation.missing:
        said["404"] = "There is no such thing here."
    if operation.name != "live":
        said["404"] = "There is no such thing here, or the table keeps no matches."
    answers = {status: _response(text, trouble) for status, text in said.items()}
    return {
        "operationId": operation.name,
        "summary": operation.about,
        "parameters": [*_in_path(operation.path), *_in_query(operation.query)],
        "responses": {"200": _response("It is there.", operation.answer), **answers},
    }


def _response(about: str, kind: type[msgspec.Struct]) -> dict[str, Any]:
    schema = {"$ref": SCHEMAS.format(name=kind.__name__)}
    return {"description": about, "content": {"application/json": {"schema": schema}}}


def _in_path(path: str) -> list[dict[str, Any]]:
    return [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}
        for name in re.findall(r"{(\w+)}", path)
    ]


def _in_query(kind: type[msgspec.Struct]) -> list[dict[str, Any]]:
    (_,), components = msgspec.json.schema_components([kind], ref_template=SCHEMAS)
    properties = components[kind.__name__].get("properties", {})
    return [{"name": name, "in": "query", "required": False, "schema": schema} for name, schema in properties.items()]
