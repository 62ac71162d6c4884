"""What is tried in one root, from the first installation to the last."""

import json
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from companion.app.budget import Budget
from companion.core.wording import sentence
from tests.pi.roots import PATH, Booted, Failed, Root, checked
from tests.pi.versions import ROOT, Versions

WHEELS = "/srv/wheels"
MATCHES = ("high_card", 'sen_so={"end": {"actions": 2}}')
HEALTH = (
    "import urllib.request as r, urllib.error as e, sys\n"
    "try: print(r.urlopen('http://127.0.0.1/healthz', timeout=5).read().decode())\n"
    "except e.HTTPError as error: print(error.read().decode())\n"
    "except OSError as error: print(error); sys.exit(1)"
)
PYTHON = "/opt/shinpan/current/venv/bin/python"
KIFU = "var/lib/shinpan/matches/2026-01-01-120000-high_card.kifu"
WATCHDOG = 30.0


class Here:
    """What the same programs give on this machine itself."""

    def __init__(self, scratch: Path) -> None:
        self._scratch = scratch
        self._known: dict[str, object] | None = None

    def results(self) -> dict[str, object]:
        if self._known is None:
            folder = self._scratch / "kifu"
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(ROOT / "tests" / "kifu", folder)
            program = ROOT / "tests" / "pi" / "same_as_here.py"
            self._known = json.loads(checked([sys.executable, str(program), str(folder), *MATCHES]).splitlines()[-1])
        return self._known


class Trial:
    def __init__(self, root: Root, versions: Versions, wheels: Path, here: Here) -> None:
        self.root, self.versions, self.here = root, versions, here
        shutil.copytree(wheels, root.path / "srv/wheels")
        for each in (versions.first, versions.later, versions.broken, versions.strangers):
            shutil.copy(each, root.path / "srv" / each.name)
        checked(["tar", "-C", str(root.path / "srv"), "-xf", str(versions.first)])

    @property
    def installer(self) -> tuple[str, ...]:
        return (f"/srv/{self.versions.first.stem}/install.sh", "--offline", WHEELS)

    def rows(self) -> Iterator[tuple[str, str]]:
        yield from self.installed_twice()
        if self.root.native:
            yield from BootedTrial(self).rows()
        else:
            yield from self.same_as_here()
            yield from self.carried()
            yield from self.updated_without_systemd()
        yield from self.taken_away_and_put_back()

    # --- installing -----------------------------------------------------------------------------------------------

    def installed_twice(self) -> Iterator[tuple[str, str]]:
        root = self.root
        told = root.run(*self.installer, fails=True)
        wants(told, "What to do: Connect this machine to the internet")
        yield "install.sh on a machine that lacks packages and a network", "says what to do, exit 1"
        root.run("apt-get", "update", "-qq")
        wants(root.run(*self.installer, "--dry-run"), "Nothing was changed.")
        must(not (root.path / "opt/shinpan").exists(), "a dry run changed something")
        yield "install.sh --dry-run", "7 steps told, nothing changed"
        told = root.run(*self.installer)
        wants(told, "[7/7]", "packages, each as its hash says")
        yield "install.sh, the first time", f"Python {root.python()}, {packages(told)} packages by their hashes"
        before = self.state()
        wants(root.run(*self.installer), "in place already", "kept: ")
        must(self.state() == before, "the second time changed something")
        yield "install.sh, the second time", "nothing left to do, nothing changed"
        if root.native:  # unpacking takes minutes under emulation, and is no other there
            yield from self.mended()
        (root.path / KIFU).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "tests/kifu/high_card/three-rounds.kifu", root.path / KIFU)
        root.run("chown", "-R", "shinpan:shinpan", "/var/lib/shinpan")

    def mended(self) -> Iterator[tuple[str, str]]:
        root = self.root
        site = next((root.path / "opt/shinpan/versions/0.1.0/venv/lib").glob("python*/site-packages"))
        shutil.rmtree(site / "msgspec")
        for name in ("picamera2", "lgpio"):  # stand-ins: the real ones are only in Raspberry Pi's archive
            (root.path / "usr/lib/python3/dist-packages" / f"{name}.py").write_text("")
        told = root.run(*self.installer)
        wants(told, "made /opt/shinpan/versions/0.1.0.r2", "with this system's picamera2 and lgpio")
        yield "install.sh after a package was lost", "a whole version is made beside it, and used"
        told = root.run(PYTHON, "-c", "import lgpio, picamera2, numpy; print(lgpio.__file__, numpy.__file__)")
        wants(told, "/usr/lib/python3/dist-packages/lgpio.py", "/opt/shinpan/current/venv/")
        yield "picamera2 and lgpio where the system has them", "seen by our Python, with our own numpy"

    def state(self) -> dict[str, float]:
        """Whatever the installer has put somewhere, and when."""
        kept = [
            each for place in ("opt/shinpan/versions", "etc/shinpan") for each in (self.root.path / place).rglob("*")
        ]
        return {str(each): each.lstat().st_mtime for each in kept if "__pycache__" not in str(each)}

    # --- another processor ----------------------------------------------------------------------------------------

    def same_as_here(self) -> Iterator[tuple[str, str]]:
        root = self.root
        shutil.copytree(ROOT / "tests" / "kifu", root.path / "srv/kifu")
        shutil.copy(ROOT / "tests/pi/same_as_here.py", root.path / "srv")
        told = root.run(PYTHON, "/srv/same_as_here.py", "/srv/kifu", *MATCHES)
        there, here = json.loads(told.splitlines()[-1]), self.here.results()
        for part in ("transcripts", "vectors", "matches"):
            if there[part] != here[part]:
                raise Failed(f"{part} differ: {first_difference(there[part], here[part])}")
        must(there["vectors"]["wrong"] == 0, "a vector of the codec is wrong")
        must({each[:6] for each in there["transcripts"].values()} == {"exit 0"}, "a transcript does not replay")
        yield "transcripts of all games", f"{len(there['transcripts'])}, each told as here, to the byte"
        yield "vectors of the panels' codec", f"{there['vectors']['right']} right, 0 wrong"
        for game, match in there["matches"].items():
            must(match.get("differences") == [], f"{game}: {match}")
            yield (
                f"a match of {game} through pixels and wire",
                f"{match['frames']} frames read, {len(match['kifu'])} lines, the same kifu as here",
            )

    def carried(self) -> Iterator[tuple[str, str]]:
        """`shinpan bench-pi` there and here, as ratios to a plain loop: milliseconds say nothing under emulation."""
        asked = ("bench-pi", "--seconds", "2", "--json")
        there = msgspec.json.decode(self.root.run("shinpan", *asked), type=Budget)
        here = msgspec.json.decode(checked([str(Path(sys.executable).with_name("shinpan")), *asked]), type=Budget)
        yield "bench-pi: a plain loop of a million steps", f"{there.loop:.0f} ms there, {here.loop:.0f} ms here"
        for one, other in zip(there.parts, here.parts, strict=True):
            yield f"bench-pi: {sentence(one.name)}", f"{one.loops:.3f} loops there, {other.loops:.3f} here"
        yield (
            "bench-pi: at rest below a tenth of a core",
            f"where a loop takes up to {there.slowest:.0f} ms by the loops there, {here.slowest:.0f} ms by those here",
        )

    def updated_without_systemd(self) -> Iterator[tuple[str, str]]:
        """A Debian for another processor cannot be booted here: a small `systemctl` stands in for systemd."""
        root, stand_in = self.root, self.root.path / "usr/local/sbin/systemctl"
        stand_in.parent.mkdir(parents=True, exist_ok=True)
        stand_in.write_text(STAND_IN)
        stand_in.chmod(0o755)
        began = time.monotonic()
        told = self.alone(UPDATE.format(file=self.versions.broken.name))
        wants(told, "did not come up, so 0.1.0 is back and works", "exit 2", "versions/0.1.0\n")
        yield (
            "an update that does not start",
            f"rolled back by itself after {time.monotonic() - began:.0f} s, healthy again",
        )
        must((root.path / KIFU).exists(), "a match is gone")
        must(not (root.path / "var/lib/shinpan/migrated").exists(), "the migrated data stayed")
        told = self.alone(UPDATE.format(file=self.versions.later.name))
        wants(told, "Version 0.2.0 runs.", "exit 0", "versions/0.2.0")
        must(
            (root.path / "var/lib/shinpan/copies/data-1" / Path(KIFU).relative_to("var/lib/shinpan")).exists(),
            "no copy",
        )
        yield "an update that works", "0.2.0 runs; the data migrated, with a copy kept"
        stand_in.unlink()

    def alone(self, script: str) -> str:
        """Run this in the root, in a network of its own."""
        network = "ip link set lo up; echo 0 >/proc/sys/net/ipv4/ip_unprivileged_port_start"
        ended = "; systemctl stop shinpan"
        command = f'{network}; exec chroot {self.root.path} /bin/bash -c "$0"'
        wheels = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": WHEELS}
        environment = {"PATH": PATH, "HOME": "/root"}
        environment |= {"QEMU_CPU": "cortex-a72", "LC_ALL": "C.UTF-8", **wheels}
        return checked(["unshare", "--net", "bash", "-c", command, script + ended], environment)

    # --- the end --------------------------------------------------------------------------------------------------

    def taken_away_and_put_back(self) -> Iterator[tuple[str, str]]:
        root = self.root
        (root.path / "etc/shinpan/shinpan.toml").open("a").write("# mine\n")
        wants(root.run(f"/srv/{self.versions.first.stem}/install.sh", "--uninstall"), "Shinpan is gone. Kept:")
        left = [name for name in ("opt/shinpan", "usr/local/bin/shinpan") if (root.path / name).exists()]
        left += [str(each) for each in (root.path / "etc/systemd/system").rglob("shinpan*")]
        must(not left, f"left behind: {left}")
        must((root.path / KIFU).exists(), "a match is gone")
        yield "install.sh --uninstall", "program, units and rules gone; matches and settings kept"
        wants(self.like_pi_gen(self.versions.later), "kept: /etc/shinpan/shinpan.toml")
        must("# mine" in (root.path / "etc/shinpan/shinpan.toml").read_text(), "the settings were overwritten")
        wants(root.run("shinpan", "replay", f"/{KIFU}"), "as written; the match is won by")
        yield "installed again, by the image's stage as pi-gen runs it", "finds matches and settings as they were"

    def like_pi_gen(self, release: Path) -> str:
        """The scripts of the image's stage, in their order and with the variables that pi-gen gives them. Packages that
        only Raspberry Pi's archive has cannot be had here."""
        stage = ROOT / "hardware/image/stage-shinpan"
        variables = {"ROOTFS_DIR": str(self.root.path), "SHINPAN_RELEASE": str(release), "PATH": PATH}
        told = checked(["bash", "-e", str(stage / "prerun.sh")], variables)
        for script in sorted((stage / "00-shinpan").glob("*.sh")):
            if script.name.endswith("-run-chroot.sh"):
                shutil.copy(script, self.root.path / "srv/stage.sh")
                told += self.root.run(
                    "bash", "-e", "/srv/stage.sh", more={"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": WHEELS}
                )
            else:
                told += checked(["bash", "-e", str(script)], variables)
        return told


STAND_IN = """#!/bin/bash
# Starts and stops the one service that is tried here.
pid=/run/shinpan.pid
alive() { [ -f $pid ] && kill -0 "$(cat $pid)" 2>/dev/null; }
case "$1" in
  start)
    cd /var/lib/shinpan
    setpriv --reuid shinpan --regid shinpan --init-groups /opt/shinpan/current/venv/bin/shinpan serve \\
      --config /etc/shinpan/shinpan.toml --data /var/lib/shinpan </dev/null >>/run/shinpan.log 2>&1 &
    echo $! >$pid ;;
  stop)
    ! alive || kill "$(cat $pid)"
    for _ in $(seq 100); do alive || break; sleep 0.3; done
    ! alive || kill -KILL "$(cat $pid)"
    rm -f $pid ;;
  show) if alive; then echo 0; else echo 9; fi ;;
esac
exit 0
"""
UPDATE = "systemctl start shinpan; shinpan update /srv/{file}; echo exit $?; readlink /opt/shinpan/current"


class BootedTrial:
    """The same root, booted with systemd."""

    def __init__(self, trial: Trial) -> None:
        self.trial, self.root = trial, trial.root

    def rows(self) -> Iterator[tuple[str, str]]:
        with Booted(self.root) as system:
            yield from self.opened(system)
            yield from self.kept_alive(system)
            yield from self.updated(system)
            yield from self.interrupted(system)
        with Booted(self.root) as system:
            yield from self.after_the_cut(system)

    def opened(self, system: Booted) -> Iterator[tuple[str, str]]:
        until(lambda: healthy(system), 60)
        shown = properties(system, "ActiveEnterTimestampMonotonic")
        manager = int(system.run("systemctl", "show", "-P", "UserspaceTimestampMonotonic"))
        took = (int(shown["ActiveEnterTimestampMonotonic"]) - manager) / 1e6
        yield "cold boot to lobby, in a container", f"{took:.1f} s from systemd's start to the open lobby"
        user = system.run("stat", "-c", "%U", f"/proc/{main_pid(system)}").strip()
        must(user == "shinpan", f"it runs as {user}")
        failed = system.run("systemctl", "list-units", "--failed", "--plain", "--no-legend").strip()
        must(not failed, f"failed units: {failed}")
        yield "without network, camera and panels", "open at port 80, as user shinpan, no failed unit"
        wants(system.run(*self.trial.installer), "The table is open.")
        until(lambda: healthy(system), 60)
        yield "install.sh on the running system", "the table is open again"
        told = system.run("systemd-analyze", "security", "--no-pager", "shinpan.service")
        exposure = float(re.findall(r"exposure level for \S+: ([\d.]+)", told)[-1])
        must(exposure < 3.0, f"exposure {exposure}")
        told = system.run("systemd-analyze", "verify", "--man=no", "/etc/systemd/system/shinpan.service", tolerant=True)
        must("shinpan" not in told, told)
        yield "systemd-analyze there", f"security {exposure}, verify finds nothing"
        if self.root.suite != "bookworm":  # its udevadm cannot do that yet
            system.run("udevadm", "verify", "/etc/udev/rules.d/70-shinpan-panels.rules")
            yield "udevadm verify", "nothing found in the rule of the panels"

    def kept_alive(self, system: Booted) -> Iterator[tuple[str, str]]:
        before = main_pid(system)
        began = time.monotonic()
        system.run("bash", "-c", f"kill -KILL {before}")
        until(lambda: main_pid(system) not in (before, "0") and opened(system), 60)
        yield "the service killed", f"open again after {time.monotonic() - began:.0f} s"
        before = main_pid(system)
        began = time.monotonic()
        system.run("bash", "-c", f"kill -STOP {before}")
        until(lambda: main_pid(system) not in (before, "0") and opened(system), WATCHDOG + 60)
        yield "the service stopped dead", f"the watchdog has it started again after {time.monotonic() - began:.0f} s"

    def updated(self, system: Booted) -> Iterator[tuple[str, str]]:
        wheels = ("env", "PIP_NO_INDEX=1", f"PIP_FIND_LINKS={WHEELS}", "shinpan", "update")
        told = system.run(*wheels, f"/srv/{self.trial.versions.strangers.name}", fails=True)
        wants(told, "not signed by whoever")
        yield "an update of a stranger", "refused: another key"
        began = time.monotonic()
        told = system.run(*wheels, f"/srv/{self.trial.versions.broken.name}", fails=True)
        wants(told, "does not come up; going back", "0.1.0.r2 is back and works")
        must(healthy(system), "the old version does not answer")
        must(not (self.root.path / "var/lib/shinpan/migrated").exists(), "the migrated data stayed")
        must((self.root.path / KIFU).exists(), "a match is gone")
        log = (self.root.path / "opt/shinpan/failed-0.3.0.log").read_text()
        wants(log, "this version does not start")
        yield (
            "an update that does not start",
            f"rolled back by itself after {time.monotonic() - began:.0f} s, data too; its log kept",
        )
        self.play(system)
        told = system.run(*wheels, f"/srv/{self.trial.versions.later.name}", fails=True)
        wants(told, "A match is being played")
        yield "an update during a match", "refused; the match goes on"
        self.stop_playing(system)
        told = system.run(*wheels, f"/srv/{self.trial.versions.later.name}")
        wants(told, "Version 0.2.0 runs.")
        must(healthy(system), "the new version does not answer")
        kept = self.root.path / "var/lib/shinpan/copies/data-1" / Path(KIFU).relative_to("var/lib/shinpan")
        must(kept.exists(), "there is no copy of the data")
        yield "an update that works", "0.2.0 runs; the data migrated, with a copy kept"

    def play(self, system: Booted) -> None:
        settings = self.root.path / "etc/shinpan/shinpan.toml"
        self._settings = settings.read_text()
        settings.write_text(self._settings + '\ngame = "sen_so"\nplayers = ["Aki", "Ben"]\n')
        system.run("systemctl", "restart", "shinpan")
        until(lambda: '"playing":true' in health(system), 60)

    def stop_playing(self, system: Booted) -> None:
        (self.root.path / "etc/shinpan/shinpan.toml").write_text(self._settings)
        system.run("systemctl", "stop", "shinpan")
        for each in (self.root.path / "var/lib/shinpan/matches").glob("*sen_so*"):
            each.unlink()
        (self.root.path / "var/lib/shinpan/table.json").unlink()
        system.run("systemctl", "start", "shinpan")
        until(lambda: healthy(system) and '"playing":false' in health(system), 60)

    def interrupted(self, system: Booted) -> Iterator[tuple[str, str]]:
        """The plug is pulled when the new version has just been switched to."""
        system.run(
            *("systemd-run", "--unit", "updating", "env", "PIP_NO_INDEX=1", f"PIP_FIND_LINKS={WHEELS}"),
            *("/usr/local/bin/shinpan", "update", f"/srv/{self.trial.versions.broken.name}"),
        )
        current = self.root.path / "opt/shinpan/current"
        until(lambda: current.readlink().name == "0.3.0", 240)
        must((self.root.path / "opt/shinpan/update.json").exists(), "no note of the update is on the disk")
        system.power_cut()
        yield "the plug pulled in the middle of an update", "0.3.0 is switched to, and has not come up"

    def after_the_cut(self, system: Booted) -> Iterator[tuple[str, str]]:
        until(lambda: healthy(system), 90)
        must((self.root.path / "opt/shinpan/current").readlink().name == "0.2.0", "0.2.0 is not back")
        must(not (self.root.path / "opt/shinpan/update.json").exists(), "the update still counts as under way")
        must((self.root.path / KIFU).exists(), "a match is gone")
        yield "the next start", "0.2.0 is back before the table opens, and healthy"


# --- helpers ------------------------------------------------------------------------------------------------------


def must(true: bool, else_: str) -> None:
    if not true:
        raise Failed(else_)


def wants(told: str, *words: str) -> None:
    for each in words:
        if each not in told:
            raise Failed(f"{each!r} was not said, but:\n{told[-3000:]}")


def packages(told: str) -> str:
    found = re.search(r"(\d+) packages, each", told)
    return found[1] if found else "?"


def until(true: Callable[[], bool], seconds: float) -> None:
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            raise Failed(f"not within {seconds:.0f} s")
        time.sleep(0.3)


def health(system: Booted) -> str:
    return system.run(PYTHON, "-c", HEALTH, tolerant=True)


def healthy(system: Booted) -> bool:
    return '"ok":true' in health(system)


def opened(system: Booted) -> bool:
    """The pages answer some moments before systemd hears of it; until then it does not watch."""
    return healthy(system) and properties(system, "ActiveState") == {"ActiveState": "active"}


def main_pid(system: Booted) -> str:
    return system.run("systemctl", "show", "-P", "MainPID", "shinpan.service", tolerant=True).strip()


def properties(system: Booted, *names: str) -> dict[str, str]:
    told = system.run("systemctl", "show", "shinpan.service", *(f"-p{name}" for name in names))
    return dict(line.split("=", 1) for line in told.splitlines() if "=" in line)


def first_difference(there: object, here: object) -> str:
    if isinstance(there, dict) and isinstance(here, dict):
        for key in [*there, *here]:
            if there.get(key) != here.get(key):
                return f"{key}: {first_difference(there.get(key), here.get(key))}"
    if isinstance(there, list) and isinstance(here, list):
        for one, other in zip(there, here, strict=False):
            if one != other:
                return f"{one} there, {other} here"
    return f"{there} there, {here} here"
