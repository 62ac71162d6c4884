"""`make test-api`: schemathesis asks a table on this machine what its description of the API allows and forbids."""

import subprocess
import sys
import tempfile
from pathlib import Path

import msgspec

from tests.web.evening import SETTINGS, Evening
from web.app import create_app
from web.server import Server

KIFUS = Path(__file__).parents[1] / "kifu"
EXAMPLES = "60"


def main() -> int:
    command = str(Path(sys.executable).parent / "schemathesis")
    with tempfile.TemporaryDirectory() as folder:
        matches = Path(folder) / "matches"
        matches.mkdir()
        for number, path in enumerate(sorted(KIFUS.glob("*/*.kifu"))[:12]):
            (matches / f"2026-01-{number + 1:02}-200000-{path.parent.name}.kifu").write_bytes(path.read_bytes())
        evening = Evening()
        evening.begin()
        app = create_app(evening.service, msgspec.structs.replace(SETTINGS, data=Path(folder)))
        with Server(app, evening.service, port=0) as server:
            checks = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
            done = subprocess.run(
                [
                    command,
                    "run",
                    f"{server.url}api/v1/openapi.json",
                    "--url",
                    server.url.rstrip("/"),
                    "--checks",
                    checks,
                    "-n",
                    EXAMPLES,
                ],
                check=False,
            )
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
