"""Run by the Python of an installed Shinpan, on whatever processor: every transcript, the codec's vectors, and matches
through pixels and wire. Prints what came out as JSON, to be compared with another machine's.

    python same_as_here.py KIFU_FOLDER [GAME=OPTIONS ...]
"""

import hashlib
import json
import subprocess
import sys
import tempfile
from importlib import resources
from pathlib import Path

from click.testing import CliRunner

from companion.cli import shinpan
from firmware_interface import protocol

BY_CHANCE = {"salt", "check"}
"""What is different in every kifu."""


def transcripts(folder: Path) -> dict[str, str]:
    found = {}
    for file in sorted(folder.rglob("*.kifu")):
        name = str(file.relative_to(folder))
        said = CliRunner().invoke(shinpan, ["replay", str(file)])
        told = said.output.replace(str(folder), "")
        found[name] = f"exit {said.exit_code}, {hashlib.sha256(told.encode()).hexdigest()[:16]}"
    return found


def vectors() -> dict[str, int]:
    table = json.loads((resources.files("firmware_interface") / "vectors.json").read_text())
    markers = {"panel": protocol.PANEL, "host": protocol.HOST}
    done = [protocol.crc16(bytes.fromhex(each["bytes"])) == each["crc"] for each in table["crc"]]
    for each in table["good"]:
        marker, line = markers[each["from"]], each["line"].encode()
        done.append(protocol.decode(marker, line[:-1]) == (each["seq"], each["verb"], each["values"]))
        done.append(protocol.encode(marker, each["seq"], each["verb"], *each["values"]) == line)
    done += [protocol.decode(protocol.PANEL, bytes.fromhex(each["bytes"])) is None for each in table["bad"]]
    return {"right": sum(done), "wrong": len(done) - sum(done)}


def played(game: str, options: str) -> dict[str, object]:
    """One match at the virtual table: what the camera read, what the panels said, and the kifu without chance."""
    with tempfile.TemporaryDirectory() as data:
        asked = ["--once", "--seed", "7", "--speed", "max", "--json", "--local", "--port", "0", "--data", data]
        command = [str(Path(sys.executable).with_name("shinpan")), "demo", game, *asked, "--options", options]
        done = subprocess.run(command, text=True, capture_output=True, check=False)
        if done.returncode:
            return {"failed": done.stderr[-600:]}
        told = json.loads(done.stdout.strip().splitlines()[-1])
        (kifu,) = Path(data, "matches").glob("*.kifu")
        lines = [json.loads(line) for line in kifu.read_text().splitlines()]
    lines = [
        {key: value for key, value in line.items() if key not in BY_CHANCE} for line in lines if "signed" not in line
    ]
    return {"kifu": lines, "frames": told["frames"], "moves": told["moves"], "differences": told["differences"]}


def main(folder: Path, games: list[str]) -> None:
    matches = {}
    for each in games:
        game, _, options = each.partition("=")
        matches[each] = played(game, options or "{}")
    print(json.dumps({"transcripts": transcripts(folder), "vectors": vectors(), "matches": matches}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
