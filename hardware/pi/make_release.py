"""Make a release file (`make release`), or a folder of wheels for an installation without a network (`make wheels`).

    python hardware/pi/make_release.py release --version 0.2.0 --key release.key --wheels build/wheels
    python hardware/pi/make_release.py wheels --into build/wheels --python 3.11 --python 3.13 --machine aarch64
    python hardware/pi/make_release.py key release.key

`companion/upkeep/releases.py` says what a release file is. Run from a checkout with its environment; nothing of this
is needed on a Pi.
"""

import argparse
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[2]
PINNED, TOOLS = ROOT / "requirements-print.txt", ROOT / "requirements-build.txt"
SYSTEM = ROOT / "hardware" / "pi"
SYSTEM_FILES = ("*.service", "*.rules", "*.conf", "*.toml", "kiosk*.sh")
PLATFORMS = ("manylinux2014", "manylinux_2_17", "manylinux_2_24", "manylinux_2_27", "manylinux_2_28", "manylinux_2_31")
MACHINES = ("aarch64", "x86_64")


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    release = commands.add_parser("release")
    release.add_argument("--into", type=Path, default=ROOT / "build")
    release.add_argument("--version", default="", help="instead of the one in pyproject.toml")
    release.add_argument("--key", type=Path, help="signs it; made by `key`")
    release.add_argument("--wheels", type=Path, help="a folder of wheels to put into it")
    wheels = commands.add_parser("wheels")
    wheels.add_argument("--into", type=Path, default=ROOT / "build" / "wheels")
    wheels.add_argument("--python", action="append", default=[])
    wheels.add_argument("--machine", action="append", default=[], choices=MACHINES)
    key = commands.add_parser("key")
    key.add_argument("file", type=Path)
    asked = parser.parse_args(arguments)
    match asked.command:
        case "release":
            file = make_release(asked.into, asked.version, asked.key, asked.wheels)
            print(f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file}")
        case "wheels":
            make_wheels(asked.into, asked.python or ["3.11", "3.13"], asked.machine or ["aarch64"])
        case "key":
            print(make_key(asked.file))
    return 0


# --- releases -----------------------------------------------------------------------------------------------------


def make_release(into: Path, version: str = "", key: Path | None = None, wheels: Path | None = None) -> Path:
    """The release file; the same sources give the same bytes."""
    with TemporaryDirectory() as scratch:
        wheel = build_wheel(Path(scratch), version)
        folder = Path(scratch) / f"shinpan-{version or wheel.name.split('-')[1]}"
        return pack(fill(folder, wheel, key, wheels), into)


def build_wheel(scratch: Path, version: str) -> Path:
    """From a copy of what is in git, so that nothing else gets in."""
    source, tools = scratch / "source", scratch / "tools"
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True).stdout
    for name in filter(None, listed.decode().split("\0")):
        if (ROOT / name).is_file() and not name.startswith("tests/"):
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, source / name)
    if version:
        project = source / "pyproject.toml"
        project.write_text(re.sub(r'(?m)^version = ".*"', f'version = "{version}"', project.read_text(), count=1))
    pip("install", "--require-hashes", "--target", str(tools), "-r", str(TOOLS))
    environment = os.environ | {"PYTHONPATH": str(tools), "SOURCE_DATE_EPOCH": str(epoch())}
    pip("wheel", "--no-deps", "--no-build-isolation", "-w", str(scratch), str(source), environment=environment)
    return next(scratch.glob("shinpan-*.whl"))


def fill(folder: Path, wheel: Path, key: Path | None, wheels: Path | None) -> Path:
    (folder / "system").mkdir(parents=True)
    shutil.copy2(wheel, folder)
    shutil.copy2(ROOT / "install.sh", folder)
    shutil.copy2(ROOT / "LICENSE", folder)
    shutil.copy2(PINNED, folder / "requirements.txt")
    for pattern in SYSTEM_FILES:
        for each in SYSTEM.glob(pattern):
            shutil.copy2(each, folder / "system")
    if wheels is not None:
        shutil.copytree(wheels, folder / "wheels")
    version = folder.name.removeprefix("shinpan-")
    (folder / "release.json").write_text(json.dumps({"version": version}) + "\n")
    if key is not None:
        (folder / "keys").mkdir()
        (folder / "keys" / "release.pub").write_text(public_of(key) + "\n")
    (folder / "MANIFEST").write_text(manifest(folder))
    if key is not None:
        (folder / "MANIFEST.sig").write_text(signed(key, (folder / "MANIFEST").read_bytes()) + "\n")
    return folder


def manifest(folder: Path) -> str:
    files = sorted(each for each in folder.rglob("*") if each.is_file())
    digests = ((hashlib.sha256(each.read_bytes()).hexdigest(), each.relative_to(folder)) for each in files)
    return "".join(f"{digest}  {name}\n" for digest, name in digests)


def pack(folder: Path, into: Path) -> Path:
    into.mkdir(parents=True, exist_ok=True)
    file = into / f"{folder.name}.tar"
    with tarfile.open(file, "w", format=tarfile.GNU_FORMAT) as archive:
        for each in sorted(folder.rglob("*")):
            if each.is_file():
                member = tarfile.TarInfo(str(Path(folder.name) / each.relative_to(folder)))
                content = each.read_bytes()
                member.size, member.mtime = len(content), epoch()
                member.mode = 0o755 if each.suffix == ".sh" else 0o644
                archive.addfile(member, io.BytesIO(content))
    return file


def epoch() -> int:
    """When the commit was made."""
    told = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True, check=False)
    return int(told.stdout.strip() or 0)


# --- keys ---------------------------------------------------------------------------------------------------------


def make_key(file: Path) -> str:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as opened:
        opened.write(Ed25519PrivateKey.generate().private_bytes_raw().hex() + "\n")
    return public_of(file)


def public_of(key: Path) -> str:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return (
        Ed25519PrivateKey.from_private_bytes(bytes.fromhex(key.read_text().strip()))
        .public_key()
        .public_bytes_raw()
        .hex()
    )


def signed(key: Path, content: bytes) -> str:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(key.read_text().strip())).sign(content).hex()


# --- wheels -------------------------------------------------------------------------------------------------------


def make_wheels(into: Path, pythons: Iterable[str], machines: Iterable[str]) -> None:
    """All wheels that an installation needs, each as its hash says, for other machines and Pythons than this one."""
    into.mkdir(parents=True, exist_ok=True)
    machines = list(machines)
    for python in pythons:
        for machine in machines:
            with TemporaryDirectory() as scratch:
                asked = Path(scratch) / "asked.txt"
                asked.write_text("".join(wanted(PINNED.read_text(), python, machine)))
                platforms = [f"--platform={each}_{machine}" for each in PLATFORMS]
                chosen = ["--python-version", python, "--implementation", "cp", *platforms]
                pip(
                    "download",
                    "--only-binary=:all:",
                    "--no-deps",
                    "--require-hashes",
                    *chosen,
                    "-d",
                    str(into),
                    "-r",
                    str(asked),
                )
            print(f"Python {python} on {machine}: {into}")


def wanted(pinned: str, python: str, machine: str) -> Iterator[str]:
    """The pinned packages for that Python and machine. pip would ask the Python that it runs on."""
    from packaging.requirements import Requirement

    environment = {
        "python_version": python,
        "python_full_version": f"{python}.0",
        "platform_machine": machine,
        "platform_system": "Linux",
        "sys_platform": "linux",
        "implementation_name": "cpython",
        "platform_python_implementation": "CPython",
        "os_name": "posix",
    }
    for block in re.split(r"\n(?=\S)", pinned.replace("\\\n", " ").strip()):
        requirement, *hashes = block.split("--hash=")
        found = Requirement(requirement.strip())
        if found.marker is None or found.marker.evaluate(environment):
            yield " ".join([f"{found.name}{found.specifier}", *(f"--hash={each.strip()}" for each in hashes)]) + "\n"


def pip(*arguments: str, environment: dict[str, str] | None = None) -> None:
    command = [sys.executable, "-m", "pip", arguments[0], "-q", "--disable-pip-version-check", *arguments[1:]]
    subprocess.run(command, check=True, env=environment)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
