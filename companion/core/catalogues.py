"""Compile the translations: a tool of the build, and the only part of Shinpan that needs Babel.

`python -m companion.core.catalogues` compiles every `messages.po` in the tree to the `messages.mo` beside it, which
the standard library reads. Building the package does the same (`pyproject.toml`, `cmdclass`).
"""

import sys
from collections.abc import Iterator
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from setuptools.command.build_py import build_py

PACKAGES = ("companion", "firmware_interface", "hardware", "vision", "web")


def sources(root: Path) -> Iterator[Path]:
    for package in PACKAGES:
        yield from sorted((root / package).rglob("locale/*/messages.po"))


def compile_one(source: Path) -> None:
    with source.open("rb") as lines:
        catalogue = read_po(lines, locale=source.parent.name)
    with source.with_suffix(".mo").open("wb") as compiled:
        write_mo(compiled, catalogue)


class BuildWithCatalogues(build_py):  # type: ignore[misc]
    """What setuptools calls when the package is built or installed."""

    def run(self) -> None:
        for source in sources(Path.cwd()):
            compile_one(source)
        super().run()


if __name__ == "__main__":
    for each in sources(Path(sys.argv[1] if len(sys.argv) > 1 else ".")):
        compile_one(each)
