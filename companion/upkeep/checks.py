"""The machine and its service: one small check for each thing that can be wrong, with what mends it."""

from companion.core.message import Message, message, plural
from companion.referee.lobby_view import Check
from companion.upkeep.facts import Facts

ROOM = 200 * 2**20
"""Bytes that should be free on the disk; a match takes far less, its pictures included."""
BUILT = 2026
"""No match was refereed before this year: a clock that says so has not been set."""
SLOW = 0.25
"""Seconds for a line to reach the disk above which players would notice it."""
WORN = 80
"""Per cent of its life after which a card should be changed."""
HOT = 80.0
"""Degrees at which a Pi begins to slow down."""
OLD = {"day": 3.0, "week": 15.0}
"""Days after which a backup that should be made every day or every week is too old."""
UNDER_VOLTAGE, HAS_BEEN_UNDER_VOLTAGE = 1, 1 << 16
RESTART = "sudo systemctl restart shinpan"
REPAIR = "sudo sh install.sh"


def config(facts: Facts) -> Check:
    found = facts.config
    if found.fault is not None:
        return Check("config", "trouble", found.fault, command="shinpan config mend", fix="config")
    if found.open_to_all:
        told = message("Everybody on this machine can read {file}, and there are PINs in it.", file=found.file)
        return Check("config", "trouble", told, command=f"chmod o-rwx {found.file}", fix="rights")
    if not found.file:
        return Check("config", "ok", message("There is no configuration file: defaults hold."))
    return Check("config", "ok", message("{file} is in order.", file=found.file))


def python(facts: Facts) -> Check:
    system = facts.system
    version = "{}.{}".format(*system.python)
    if system.python < (3, 11):
        told = message("This is Python {version}; 3.11 or newer is needed.", version=version)
        return Check("python", "trouble", told, command=REPAIR)
    if system.bits != 64:
        told = message("This system has {bits} bits: use the 64-bit Raspberry Pi OS.", bits=system.bits)
        return Check("python", "trouble", told)
    return Check("python", "ok", message("Python {version}, 64 bits.", version=version))


def packages(facts: Facts) -> Check:
    system = facts.system
    if system.missing:
        told = message("Packages are missing: {names}.", names=system.missing)
        return Check("packages", "trouble", told, command=REPAIR)
    if system.two_opencv:
        told = message("OpenCV is installed twice, and each overwrites files of the other.")
        return Check("packages", "trouble", told, command=REPAIR)
    return Check("packages", "ok", message("All packages are there."))


def service(facts: Facts) -> Check:
    found = facts.service
    if found.process is None:
        return Check("service", "off", message("The table does not run at the moment."))
    if not found.answers:
        told = message("The table runs (process {process}) and its pages do not answer.", process=found.process)
        return Check("service", "trouble", told, command=RESTART)
    if found.silent:
        told = message("The table runs, but these stand still: {names}.", names=found.silent)
        return Check("service", "trouble", told, command=RESTART)
    return Check("service", "ok", message("The table runs (process {process}) and answers.", process=found.process))


def data(facts: Facts) -> Check:
    disk, user = facts.disk, facts.system.user
    if not disk.there:
        told = message("The data folder {folder} is not there.", folder=disk.folder)
        return Check("data", "trouble", told, command=f"mkdir -p {disk.folder}", fix="data")
    if disk.read_only:
        told = message("The disk under {folder} can only be read.", folder=disk.folder)
        return Check("data", "trouble", told, command=f"sudo mount -o remount,rw {disk.read_only}")
    if not disk.writable:
        told = message("{user} may not write to the data folder {folder}.", user=user, folder=disk.folder)
        return Check("data", "trouble", told, command=f"sudo chown -R {user} {disk.folder}")
    return Check("data", "ok", message("The data folder is {folder}.", folder=disk.folder))


def disk(facts: Facts) -> Check:
    found = facts.disk
    if found.free is None:
        return Check("disk", "trouble", message("The disk cannot be read: {detail}.", detail=found.fault))
    if found.free < ROOM:
        told = message("Only {size} MB are free on the disk: make room.", size=found.free // 2**20)
        return Check("disk", "trouble", told, command="sudo apt-get clean && sudo journalctl --vacuum-size=50M")
    return Check("disk", "ok", message("There is room on the disk: {size} GB.", size=round(found.free / 2**30, 1)))


def speed(facts: Facts) -> Check:
    seconds = facts.disk.fsync
    if seconds is None:
        return Check("speed", "off", message("How fast the disk is cannot be told."))
    told = message("A line reaches the disk in {milliseconds} ms.", milliseconds=round(seconds * 1000, 1))
    if seconds > SLOW:
        slow = message("{told} That is slow: use a card of class A1 or better, or an SSD.", told=told)
        return Check("speed", "trouble", slow)
    return Check("speed", "ok", told)


def wear(facts: Facts) -> Check:
    used = facts.disk.wear
    if used is None:
        return Check("wear", "off", message("This card does not tell how worn it is: keep backups."))
    told = message("The card has used {percent} % of its life.", percent=used)
    if used >= WORN:
        return Check("wear", "trouble", message("{told} Change it.", told=told), command="shinpan backup")
    return Check("wear", "ok", told)


def files(facts: Facts) -> Check:
    aside = facts.disk.aside
    if aside:
        told = plural(
            "A damaged file was set aside: {names}.", "Damaged files were set aside: {names}.", len(aside), names=aside
        )
        command = "rm " + " ".join(f"{facts.disk.folder}/{name}" for name in aside)
        return Check("files", "trouble", told, command=command)
    return Check("files", "ok", message("No file is damaged."))


def private(facts: Facts) -> Check:
    exposed = facts.disk.exposed
    if exposed:
        told = message("Others on this machine can read secrets: {names}.", names=exposed)
        command = "chmod 600 " + " ".join(f"{facts.disk.folder}/{name}" for name in exposed)
        return Check("private", "trouble", told, command=command, fix="rights")
    return Check("private", "ok", message("Keys and PINs are private."))


def groups(facts: Facts) -> Check:
    without, user = facts.system.without, facts.system.user
    if without:
        told = plural(
            "{user} is not in the group {groups}.", "{user} is not in the groups {groups}.", len(without),
            user=user, groups=without,
        )  # fmt: skip
        return Check("groups", "trouble", told, command=f"sudo usermod -aG {','.join(without)} {user} && {RESTART}")
    return Check("groups", "ok", message("{user} is in all groups that are needed.", user=user))


def clock(facts: Facts) -> Check:
    system = facts.system
    if system.today is None:
        return Check("clock", "off", message("The clock was not looked at."))
    set_it = "sudo timedatectl set-ntp true"
    if system.today.year < BUILT:
        told = message("The clock says {date}; connect the table to the network, or set it.", date=str(system.today))
        return Check("clock", "trouble", told, command=set_it)
    if system.clock_set is False:
        told = message("The clock says {time}, and nothing sets it.", time=system.time)
        return Check("clock", "trouble", told, command=set_it)
    return Check("clock", "ok", message("The clock says {time}.", time=system.time))


def power(facts: Facts) -> Check:
    bits = facts.system.throttled
    if bits is None:
        return Check("power", "off", message("Whether the power is good can be told only on a Raspberry Pi."))
    if bits & UNDER_VOLTAGE:
        return Check("power", "trouble", _weak(message("The voltage is too low now.")))
    if bits & HAS_BEEN_UNDER_VOLTAGE:
        return Check("power", "trouble", _weak(message("The voltage was too low since the last start.")))
    return Check("power", "ok", message("The power is good."))


def _weak(told: Message) -> Message:
    return message("{told} Use the power supply made for this Pi and a short cable.", told=told)


def heat(facts: Facts) -> Check:
    celsius = facts.system.celsius
    if celsius is None:
        return Check("heat", "off", message("This machine does not tell how warm it is."))
    told = message("The processor has {degrees} °C.", degrees=round(celsius))
    if celsius >= HOT:
        return Check("heat", "trouble", message("{told} Give it air, or a cooler.", told=told))
    return Check("heat", "ok", told)


def name(facts: Facts) -> Check:
    network = facts.network
    if not network.looked:
        return Check("name", "off", message("The network was not looked at."))
    if not network.addresses:
        told = message("This machine is on no network: phones cannot reach it.")
        return Check("name", "trouble", told, command="sudo nmtui")
    if network.name in ("", "localhost"):
        told = message("This machine has no name of its own, so {name} leads nowhere.", name="shinpan.local")
        return Check("name", "trouble", told, command="sudo hostnamectl set-hostname shinpan")
    return Check(
        "name",
        "ok",
        message("Phones find it as {name} or {addresses}.", name=f"{network.name}.local", addresses=network.addresses),
    )


def port(facts: Facts) -> Check:
    network = facts.network
    if not network.looked:
        return Check("port", "off", message("The network was not looked at."))
    if network.forbidden:
        told = message("{user} may not open port {port}.", user=facts.system.user, port=network.port)
        return Check("port", "trouble", told, command="shinpan config set port=8080")
    if network.taken is not None:
        told = message("Port {port} is taken: {by}.", port=network.port, by=network.taken)
        return Check("port", "trouble", told, command=f"shinpan config set port={_other(network.port)}")
    return Check("port", "ok", message("The pages are on port {port}.", port=network.port))


def _other(port: int) -> int:
    return 8080 if port < 1024 else port + 1


def tls(facts: Facts) -> Check:
    network = facts.network
    if not network.tls:
        return Check("tls", "off", message("Pages travel in the open; `tls = true` encrypts them."))
    if network.tls_fault is not None:
        return Check("tls", "trouble", network.tls_fault, command=RESTART, fix="tls")
    return Check("tls", "ok", message("Pages are encrypted, and the certificate is good."))


def backups(facts: Facts) -> Check:
    found = facts.backups
    if not found.looked or found.every == "never":
        return Check("backups", "off", message("No backups are made by themselves."))
    if found.fault is not None:
        return Check("backups", "trouble", found.fault, command="shinpan config set backup_folder=")
    if not found.matches:
        return Check("backups", "ok", message("There is nothing to back up yet."))
    if found.days is None:
        told = message("There is no backup yet.")
        return Check("backups", "trouble", told, command="shinpan backup", fix="backup")
    told = plural("The newest backup is {count} day old.", "The newest backup is {count} days old.", round(found.days))
    if found.days > OLD[found.every]:
        return Check("backups", "trouble", told, command="shinpan backup", fix="backup")
    return Check("backups", "ok", told)


MACHINE = (
    service, config, python, packages, data, disk, speed, wear, files, private, groups, clock, power, heat, name, port,
    tls, backups,
)  # fmt: skip
