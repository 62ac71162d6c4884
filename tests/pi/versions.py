"""Release files for the trials: the checkout as it is, one that migrates the data, and one that does not start."""

import importlib.util
import re
import shutil
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]
NO_EDITS: Mapping[str, tuple[str, str]] = {}


def _maker() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_release", ROOT / "hardware/pi/make_release.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


maker = _maker()


def migrates(to: int) -> tuple[str, str]:
    """A program whose data folder has this version."""
    steps = ", ".join(
        f'{step}: lambda data: (data / "migrated").write_text("{step}") and None' for step in range(1, to)
    )
    return r"CURRENT = 1\n(.*?)= \{\}\n", rf"CURRENT = {to}\n\1= {{{steps}}}\n"


DOES_NOT_START = (
    r"    at_once = match_of",
    '    raise RuntimeError("this version does not start")\n        at_once = match_of',
)
LATER = {"companion/upkeep/data_version.py": migrates(2)}
BROKEN = {"companion/upkeep/data_version.py": migrates(3), "companion/cli/serve.py": DOES_NOT_START}


@dataclass(frozen=True)
class Versions:
    """Signed with one key, but for a stranger's."""

    first: Path
    later: Path
    broken: Path
    strangers: Path


def make_versions(scratch: Path) -> Versions:
    for key in ("release.key", "stranger.key"):
        (scratch / key).unlink(missing_ok=True)
        maker.make_key(scratch / key)
    wheel = maker.build_wheel(fresh(scratch / "wheel"), "")

    def made(version: str, edits: Mapping[str, tuple[str, str]] = NO_EDITS, key: str = "release.key") -> Path:
        folder = scratch / f"made-{version}-{key.split('.')[0]}"
        whole = maker.fill(
            fresh(folder) / f"shinpan-{version}", altered(wheel, folder, version, edits), scratch / key, None
        )
        packed: Path = maker.pack(whole, folder)
        return packed

    return Versions(made("0.1.0"), made("0.2.0", LATER), made("0.3.0", BROKEN), made("0.4.0", key="stranger.key"))


def fresh(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def altered(wheel: Path, into: Path, version: str, edits: Mapping[str, tuple[str, str]]) -> Path:
    """The same wheel under another version, with some of its text changed."""
    before = wheel.name.split("-")[1]
    target = into / wheel.name.replace(before, version, 1)
    with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            content = old.read(name)
            if name in edits:
                content = _edited(name, content.decode(), *edits[name]).encode()
            if name.endswith(".dist-info/METADATA"):
                content = content.replace(f"\nVersion: {before}\n".encode(), f"\nVersion: {version}\n".encode(), 1)
            if name.endswith(".dist-info/RECORD"):
                content = re.sub(rb",sha256=[^,]*,\d*", b",,", content).replace(
                    f"shinpan-{before}.dist-info".encode(), f"shinpan-{version}.dist-info".encode()
                )
            new.writestr(name.replace(f"shinpan-{before}.dist-info", f"shinpan-{version}.dist-info"), content)
    return target


def _edited(name: str, text: str, pattern: str, replacement: str) -> str:
    changed, count = re.subn(pattern, replacement, text, count=1, flags=re.DOTALL)
    if not count:
        raise ValueError(f"{name} has changed; tests/pi/versions.py has to follow")
    return changed
