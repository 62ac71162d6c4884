"""What systemd and shellcheck say about the units and scripts."""

import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.pi.roots import Failed, checked
from tests.pi.versions import ROOT

SYSTEM = ROOT / "hardware" / "pi"
LIMITS = {"shinpan.service": 3.0, "shinpan-undo-update.service": 3.0, "shinpan-kiosk.service": 10.0}
"""The kiosk is a browser with a sandbox of its own, and a compositor that needs the screen."""


def rows() -> Iterator[tuple[str, str]]:
    scripts = [ROOT / "install.sh", *SYSTEM.glob("*.sh"), *(ROOT / "hardware/image").rglob("*.sh")]
    checked(["shellcheck", *map(str, scripts)])
    yield "shellcheck", f"{len(scripts)} scripts, nothing found"
    for unit, limit in LIMITS.items():
        told = checked(["systemd-analyze", "security", "--offline=true", "--no-pager", str(SYSTEM / unit)])
        exposure = float(re.findall(r"exposure level for \S+: ([\d.]+)", told)[-1])
        if exposure >= limit:
            raise Failed(f"{unit}: {exposure}")
        yield f"systemd-analyze security {unit}", str(exposure)
    yield "systemd-analyze verify", _verified()


def _verified() -> str:
    """The programs that they start exist only where Shinpan is installed; `true` stands in for them here."""
    with tempfile.TemporaryDirectory() as folder:
        for unit in LIMITS:
            text = (SYSTEM / unit).read_text()
            target = Path(folder) / unit
            target.write_text(re.sub(r"(?m)^(ExecStart(?:Pre)?=\+?)/opt/\S+", r"\1/bin/true", text))
        for conf in SYSTEM.glob("*.service"):
            if conf.name not in LIMITS:
                shutil.copy(conf, folder)
        told = checked(["systemd-analyze", "verify", "--man=no", *(str(Path(folder) / unit) for unit in LIMITS)])
    ours = [line for line in told.splitlines() if "shinpan" in line]
    if ours:
        raise Failed(ours[0])
    return f"{len(LIMITS)} units, nothing found"
