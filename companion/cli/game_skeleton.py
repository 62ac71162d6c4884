"""The files of a new game: High Card once more, under another name and as a package of its own."""

from contextlib import suppress
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

EXAMPLE = "companion.games.high_card"


def write(name: str, home: Path) -> list[Path]:
    """Write the package into `home`, which must not exist; gives back the files."""
    texts = {
        "pyproject.toml": "pyproject.toml.txt",
        "README.md": "README.md.txt",
        f"tests/test_{name}.py": "test_game.py.txt",
    }
    beside = resources.files("companion.cli") / "skeleton"
    sources = {home / goal: beside / source for goal, source in texts.items()}
    sources |= {home / name / path: file for path, file in _files(resources.files(EXAMPLE))}
    for goal, source in sources.items():
        goal.parent.mkdir(parents=True, exist_ok=True)
        goal.write_text(_renamed(source.read_text(encoding="utf-8"), name), encoding="utf-8")
    _compile(home)
    return sorted(sources)


def _compile(home: Path) -> None:
    """Without Babel the game speaks English until somebody compiles its translations."""
    with suppress(ModuleNotFoundError):
        from companion.core.catalogues import compile_one

        for source in home.rglob("messages.po"):
            compile_one(source)


def _files(folder: Traversable, path: str = "") -> list[tuple[str, Traversable]]:
    found = []
    for each in folder.iterdir():
        if each.is_dir() and each.name != "__pycache__":
            found += _files(each, f"{path}{each.name}/")
        elif each.name.endswith((".py", ".toml", ".po")):
            found.append((path + each.name, each))
    return found


def _renamed(text: str, name: str) -> str:
    words = name.split("_")
    initials = "".join(word[0] for word in words) if len(words) > 1 else name[:3]
    for old, new in (
        (EXAMPLE, name),
        ("high_card", name),
        ("High Card", " ".join(words).title()),
        ("HighCard", "".join(word.title() for word in words)),
        ("HC-", f"{initials.upper()}-"),
    ):
        text = text.replace(old, new)
    return text
