"""Translations as files: collect what is said, compare it with what is translated, compile it. A tool of the build.

    python -m companion.core.catalogues extract         every messages.po gets what is new and loses what is not said
    python -m companion.core.catalogues new LANGUAGE    an empty messages.po for another language in every package
    python -m companion.core.catalogues check           what is missing or wrong, a line each
    python -m companion.core.catalogues compile         every messages.po to the messages.mo beside it

A folder may follow (`.` without one): the tree, or the package of one game. Building the package compiles too
(`pyproject.toml`, `cmdclass`). Shinpan itself reads only the compiled files, with the standard library. This module is
the only one that needs Babel, and imports nothing of ours, because the build has nothing of ours to import yet.
"""

import ast
import sys
import tomllib
from collections.abc import Iterable, Iterator
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path
from string import Formatter
from typing import Any, BinaryIO, Literal, NamedTuple

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

PACKAGES = ("companion", "firmware_interface", "hardware", "vision", "web")
KEYWORDS: dict[str, Any] = {
    "message": (1,),
    "plural": (1, 2),
    "translate": (1,),
    "t": (1,),
    "button": (1,),
    "_": (1,),
    "in_context": ((1, "c"), 2),
}
"""Whose arguments are said to people: in Python, in scripts (`t`, `button`), in templates (`_`)."""
LITERAL = {"message": 1, "plural": 2}
"""Calls whose first arguments have to be written out right there, or nobody could collect them."""


class Finding(NamedTuple):
    kind: Literal["untranslated", "facts", "unused", "not compiled", "not literal", "not filled"]
    language: str
    text: str


# --- where translations are -----------------------------------------------------------------------------------------


def homes(root: Path) -> list[Path]:
    """Folders that keep translations of what is said in them, each down to the next such folder."""
    tops = [root / package for package in PACKAGES if (root / package).is_dir()] or [root]
    return sorted(found.parent for top in tops for found in top.rglob("locale") if found.is_dir())


def sources(root: Path) -> list[Path]:
    return [file for home in homes(root) for file in sorted(home.glob("locale/*/messages.po"))]


def load(source: Path) -> Catalog:
    with source.open("rb") as lines:
        return read_po(lines, locale=source.parent.name)


# --- what is said ---------------------------------------------------------------------------------------------------


def _texts_of_rules(lines: BinaryIO, *_: Any, **options: Any) -> Iterator[tuple[int, str, tuple[str, str], list[str]]]:
    """`rules.toml`: each text under its number."""
    for number, rule in tomllib.load(lines).items():
        yield 1, "in_context", (number, rule["text"]), []


def _names_of_things(lines: BinaryIO, *_: Any, **options: Any) -> Iterator[tuple[int, str, tuple[str, str], list[str]]]:
    """`names.toml`: each name under the id of its thing."""
    for thing, name in tomllib.load(lines).items():
        yield 1, "in_context", (thing, name), []


def _texts_of_lobby(lines: BinaryIO, *_: Any, **options: Any) -> Iterator[tuple[int, str, str, list[str]]]:
    """`lobby.toml`: titles, notes and what a game is about, wherever they stand."""
    waiting: list[Any] = [tomllib.load(lines)]
    while waiting:
        found = waiting.pop()
        if isinstance(found, dict):
            yield from ((1, "message", found[key], []) for key in ("about", "title", "note") if key in found)
        waiting += found.values() if isinstance(found, dict) else found if isinstance(found, list) else ()


def _texts_of_template(lines: BinaryIO, *more: Any, **options: Any) -> Iterable[Any]:
    from jinja2.ext import babel_extract

    return babel_extract(lines, *more, **options)


def said(home: Path) -> Catalog:
    """Everything in that folder that is said to people."""
    methods: list[tuple[str, Any]] = [
        ("**/rules.toml", _texts_of_rules),
        ("**/names.toml", _names_of_things),
        ("**/lobby.toml", _texts_of_lobby),
        ("**.py", "python"),
        ("**.js", "javascript"),
        ("**.html", _texts_of_template),
    ]

    def belongs(folder: str) -> bool:
        return not (Path(folder) / "locale").is_dir() and Path(folder).name not in ("node_modules", "panel")

    catalogue = Catalog(charset="utf-8")
    found = extract_from_dir(
        home, methods, keywords=KEYWORDS, options_map={"**.py": {"encoding": "utf-8"}}, directory_filter=belongs
    )
    for file, _, text, _, context in found:
        catalogue.add(text, locations=[(file, 0)], context=context)
    return catalogue


# --- what is wrong ---------------------------------------------------------------------------------------------------


def findings(home: Path) -> list[Finding]:
    template = said(home)
    found = wrong_calls(home)
    for source in sorted(home.glob("locale/*/messages.po")):
        language, known = source.parent.name, load(source)
        for each in filter(_has_words, _texts(template)):
            translated = known.get(each.id, each.context)
            if translated is None or not _complete(translated):
                found.append(Finding("untranslated", language, _english(each)))
        for each in _texts(known):
            if template.get(each.id, each.context) is None:
                found.append(Finding("unused", language, _english(each)))
            elif _complete(each) and not _same_facts(each):
                found.append(Finding("facts", language, _english(each)))
        compiled = source.with_suffix(".mo")
        if not compiled.exists() or _entries(compiled.read_bytes()) != _entries(_compiled(known)):
            found.append(Finding("not compiled", language, str(source)))
    return found


def wrong_calls(home: Path) -> list[Finding]:
    """Calls of `message` and `plural` whose template is not written out, or names a fact that is not given."""
    found = []
    for file in sorted(home.rglob("*.py")):
        if any((folder / "locale").is_dir() for folder in file.parents if home in folder.parents):
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            name = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
            if isinstance(node, ast.Call) and name in LITERAL:
                place = f"{file.relative_to(home)}:{node.lineno}"
                templates = [each.value for each in node.args[: LITERAL[name]] if isinstance(each, ast.Constant)]
                given = {each.arg for each in node.keywords} | ({"count"} if name == "plural" else set())
                if len(templates) < LITERAL[name]:
                    found.append(Finding("not literal", "", place))
                elif None not in given and any(_facts(str(each)) - given for each in templates):
                    found.append(Finding("not filled", "", place))
    return found


def _texts(catalogue: Catalog) -> list[Message]:
    return [each for each in catalogue if each.id]


def _strings(each: Message) -> list[str]:
    """Its translations: one, or one for each plural form."""
    return [each.string] if isinstance(each.string, str) else list(each.string or ())


def _complete(each: Message) -> bool:
    """Every form is translated, none is marked fuzzy, and none merely repeats the English sentence."""
    copied = _english(each).endswith((".", "?", "!")) and _english(each) in _strings(each) and _has_words(each)
    return bool(each.string) and all(_strings(each)) and not each.fuzzy and not copied


def _has_words(each: Message) -> bool:
    """A template of facts alone, like `{file}: {error}`, is the same in every language."""
    return any(sign.isalpha() for part, *_ in Formatter().parse(_english(each)) for sign in part)


def _english(each: Message) -> str:
    return each.id if isinstance(each.id, str) else each.id[1]


def _same_facts(each: Message) -> bool:
    """Each translation uses the facts of its English form; "a card" and "{count} cards" may differ in theirs."""
    english = [each.id] if isinstance(each.id, str) else list(each.id)
    translated = _strings(each)
    paired = zip([english[0], *[english[-1]] * (len(translated) - 1)], translated, strict=True)
    return all(_facts(one) == _facts(other) for one, other in paired)


def _facts(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name}


# --- files -----------------------------------------------------------------------------------------------------------


def _compiled(catalogue: Catalog) -> bytes:
    made = BytesIO()
    write_mo(made, catalogue)
    return made.getvalue()


def _entries(compiled: bytes) -> dict[Any, str]:
    """The translations in a compiled file, without its header, which holds a timestamp."""
    entries: dict[Any, str] = vars(GNUTranslations(BytesIO(compiled)))["_catalog"]
    return {text: translated for text, translated in entries.items() if text}


def compile_one(source: Path) -> None:
    source.with_suffix(".mo").write_bytes(_compiled(load(source)))


def _write(source: Path, catalogue: Catalog) -> None:
    source.parent.mkdir(parents=True, exist_ok=True)
    with source.open("wb") as lines:
        write_po(lines, catalogue, width=0, no_location=True, ignore_obsolete=True, omit_header=False)


def extract(root: Path) -> None:
    for home in homes(root):
        template = said(home)
        for source in sorted(home.glob("locale/*/messages.po")):
            known = load(source)
            known.update(template, no_fuzzy_matching=True)
            _write(source, known)


def new(root: Path, language: str) -> None:
    for home in homes(root):
        source = home / "locale" / language / "messages.po"
        if not source.exists():
            empty = Catalog(locale=language, charset="utf-8")
            empty.update(said(home))
            _write(source, empty)


def __getattr__(name: str) -> Any:
    """`BuildWithCatalogues`, the step of the build; made when asked for, because only the build has setuptools."""
    if name != "BuildWithCatalogues":
        raise AttributeError(name)
    from setuptools.command.build_py import build_py

    class BuildWithCatalogues(build_py):  # type: ignore[misc]
        def run(self) -> None:
            for source in sources(Path.cwd()):
                compile_one(source)
            super().run()

    return BuildWithCatalogues


def main(arguments: list[str]) -> int:
    command, *rest = arguments or ["compile"]
    language = rest.pop(0) if command == "new" and rest else ""
    root = Path(rest[0] if rest else ".")
    if command == "extract":
        extract(root)
    elif command == "new" and language:
        new(root, language)
    elif command == "compile":
        for source in sources(root):
            compile_one(source)
    elif command == "check":
        found = [(home, each) for home in homes(root) for each in findings(home)]
        for home, each in found:
            print(f"{home}: {each.kind}{each.language and f' ({each.language})'}: {each.text}")
        return 1 if found else 0
    else:
        print(__doc__, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
