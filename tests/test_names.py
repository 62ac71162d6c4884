"""One name, one thing: nobody has to ask which `View` is meant."""

import ast
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("companion", "firmware_interface", "hardware", "vision", "web")


def modules() -> list[Path]:
    return [
        file for package in PACKAGES for file in sorted((ROOT / package).rglob("*.py")) if "skeleton" not in file.parts
    ]


def test_no_two_classes_have_one_name() -> None:
    homes = defaultdict(list)
    for file in modules():
        for node in ast.parse(file.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef):
                homes[node.name].append(str(file.relative_to(ROOT)))

    assert len(homes) > 200
    assert {name: files for name, files in homes.items() if len(files) > 1} == {}
