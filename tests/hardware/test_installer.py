"""The installer and the units, as far as that can be seen without root; `make test-pi` installs for real."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
INSTALLER, SYSTEM = ROOT / "install.sh", ROOT / "hardware" / "pi"
UNITS = sorted(SYSTEM.glob("*.service"))


def install(*arguments: str, source: Path = INSTALLER) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["bash", str(source), *arguments], text=True, capture_output=True, check=False)


def version_in(root: Path, name: str, mark: str = "") -> Path:
    """A version in place, as far as switching to it cares."""
    folder = root / "opt/shinpan/versions" / name
    (folder / "system").mkdir(parents=True)
    for each in SYSTEM.iterdir():
        if each.is_file():
            shutil.copy(each, folder / "system")
    (folder / "system" / "shinpan.service").write_text((SYSTEM / "shinpan.service").read_text() + mark)
    shutil.copy(INSTALLER, folder)
    (folder / "release.json").write_text(f'{{"version": "{name}"}}\n')
    return folder


def everything(root: Path) -> set[str]:
    return {str(each.relative_to(root)) for each in root.rglob("*") if not each.is_dir()}


def test_a_dry_run_says_what_it_would_do_and_does_nothing(tmp_path):
    done = install("--dry-run", "--root", str(tmp_path / "root"))
    assert done.returncode == 0, done.stderr
    assert "[7/7]" in done.stdout
    assert "would make" in done.stdout
    assert done.stdout.rstrip().endswith("Nothing was changed.")
    assert everything(tmp_path / "root") == set()


def test_switching_puts_the_versions_own_files_in_place_and_back_again(tmp_path):
    old, new = version_in(tmp_path, "0.1.0"), version_in(tmp_path, "0.2.0", "# newer\n")
    for folder in (old, new, new):
        done = install("--activate", "--root", str(tmp_path), source=folder / "install.sh")
        assert done.returncode == 0, done.stderr
    opt, unit = tmp_path / "opt/shinpan", tmp_path / "etc/systemd/system/shinpan.service"
    assert (opt / "current").readlink() == Path("versions/0.2.0")
    assert (opt / "previous").readlink() == Path("versions/0.1.0")
    assert unit.read_text().endswith("# newer\n")
    install("--activate", "--root", str(tmp_path), source=old / "install.sh")
    assert (opt / "current").readlink() == Path("versions/0.1.0")
    assert not unit.read_text().endswith("# newer\n")
    assert (tmp_path / "usr/local/bin/shinpan").is_symlink()


def test_whoever_takes_an_update_back_may_write_wherever_switching_writes(tmp_path):
    folder = version_in(tmp_path, "0.1.0")
    before = everything(tmp_path)
    install("--activate", "--root", str(tmp_path), source=folder / "install.sh")
    allowed = re.findall(r"(?m)^ReadWritePaths=(.*)$", (SYSTEM / "shinpan-undo-update.service").read_text())[0].split()
    written = everything(tmp_path) - before
    assert written
    assert [each for each in written if not any(f"/{each}".startswith(f"{path}/") for path in allowed)] == []


def test_uninstalling_leaves_data_and_settings(tmp_path):
    folder = version_in(tmp_path, "0.1.0")
    install("--activate", "--root", str(tmp_path), source=folder / "install.sh")
    for kept in ("var/lib/shinpan/matches/one.kifu", "etc/shinpan/shinpan.toml"):
        (tmp_path / kept).parent.mkdir(parents=True)
        (tmp_path / kept).write_text("kept")
    shutil.copy(folder / "install.sh", tmp_path / "install.sh")
    done = install("--uninstall", "--root", str(tmp_path), source=tmp_path / "install.sh")
    assert done.returncode == 0, done.stderr
    assert everything(tmp_path) == {"var/lib/shinpan/matches/one.kifu", "etc/shinpan/shinpan.toml", "install.sh"}
    assert "Kept:" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--ofline"], "There is no option --ofline."),
        (["--offline", "/no/such/folder"], "There is no folder /no/such/folder."),
    ],
)
def test_what_goes_wrong_is_told_with_what_to_do(arguments, told):
    done = install(*arguments)
    assert done.returncode == 1
    assert told in done.stderr
    assert "What to do: " in done.stderr


def test_a_folder_that_is_no_release_is_told(tmp_path):
    shutil.copy(INSTALLER, tmp_path / "install.sh")
    done = install("--dry-run", "--root", str(tmp_path / "root"), source=tmp_path / "install.sh")
    assert done.returncode == 1
    assert "neither a release nor a checkout" in done.stderr


def test_a_release_that_was_damaged_on_its_way_is_told(tmp_path):
    shutil.copy(INSTALLER, tmp_path / "install.sh")
    (tmp_path / "release.json").write_text('{"version": "0.2.0"}\n')
    (tmp_path / "MANIFEST").write_text(f"{'0' * 64}  release.json\n")
    done = install("--dry-run", "--root", str(tmp_path / "root"), source=tmp_path / "install.sh")
    assert done.returncode == 1
    assert "Download the release file again." in done.stderr


def test_every_failure_says_what_to_do():
    """`fail` takes a sentence and an advice; nobody may forget the second."""
    text = INSTALLER.read_text().replace("\\\n", " ")
    calls = re.findall(r'\bfail ("[^"]*(?:\\"[^"]*)*") *(".*?")?', text)
    assert len(calls) > 12
    assert [said for said, advice in calls if not advice] == []


@pytest.mark.skipif(shutil.which("shellcheck") is None, reason="shellcheck is not installed; `make test-pi` does that")
def test_shellcheck_finds_nothing():
    scripts = [INSTALLER, *SYSTEM.glob("*.sh"), *(ROOT / "hardware/image").rglob("*.sh")]
    done = subprocess.run(["shellcheck", *map(str, scripts)], text=True, capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
@pytest.mark.parametrize("unit", ["shinpan.service", "shinpan-undo-update.service"])
def test_what_the_service_may_do_is_little(unit):
    """Below 3.0 on systemd's scale, where 10 is everything."""
    done = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--threshold=29", str(SYSTEM / unit)],
        text=True,
        capture_output=True,
        check=False,
    )
    if "--offline" in done.stderr:
        pytest.skip("this systemd-analyze cannot judge a file")
    assert done.returncode == 0, done.stdout[-300:]


def test_no_unit_names_a_group_that_a_machine_may_lack():
    for unit in UNITS:
        assert "SupplementaryGroups" not in re.sub(r"#.*", "", unit.read_text())


def test_the_service_waits_for_no_network():
    assert "network-online" not in re.sub(r"#.*", "", (SYSTEM / "shinpan.service").read_text())
