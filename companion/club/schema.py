"""Writes the schema of everything that tables and venue say: `python -m companion.club.schema`.

The result is `docs/club-schema.json`, JSON Schema 2020-12, for whoever wants to read along; a test says when it is old.
"""

from pathlib import Path

import msgspec

from companion.club import payloads, topics

FILE = Path(__file__).parents[2] / "docs" / "club-schema.json"


def schema() -> bytes:
    kinds, parts = msgspec.json.schema_components(payloads.ANY, ref_template="#/$defs/{name}")
    named = {what: kinds[payloads.ANY.index(kind)] for what, kind in payloads.KINDS.items()}
    whole = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Shinpan in a club, version {topics.VERSION}",
        "description": "The last word of a topic names what stands in it.",
        "topics": named,
        "$defs": parts,
    }
    return msgspec.json.format(msgspec.json.encode(whole)) + b"\n"


if __name__ == "__main__":
    FILE.write_bytes(schema())
