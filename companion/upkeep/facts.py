"""What can be found out about a table, as plain data: whoever gathers it does I/O, the checks made of it do none.

Everything has a value that means "not looked at", so that somebody who knows only a part can fill in that part."""

from datetime import date

import msgspec

from companion.core.message import Message


class ConfigFacts(msgspec.Struct, frozen=True):
    file: str = ""
    fault: Message | None = None
    open_to_all: bool = False
    """Others on this machine can read it, and there are PINs in it."""


class SystemFacts(msgspec.Struct, frozen=True):
    python: tuple[int, int] = (3, 11)
    bits: int = 64
    missing: tuple[str, ...] = ()
    """Packages that are not installed."""
    two_opencv: bool = False
    user: str = ""
    without: tuple[str, ...] = ()
    """Groups that exist here, that something which is wanted needs, and that the user is not in."""
    today: date | None = None
    time: str = ""
    clock_set: bool | None = None
    """The clock is set by the network or by a clock chip; None: cannot be told."""
    throttled: int | None = None
    """What `vcgencmd get_throttled` says."""
    celsius: float | None = None
    pi: str = ""
    """The model, on a Raspberry Pi."""


class DiskFacts(msgspec.Struct, frozen=True):
    folder: str = ""
    there: bool = True
    writable: bool = True
    read_only: str = ""
    """The mount point, where the file system is mounted read-only."""
    free: int | None = None
    fault: str = ""
    fsync: float | None = None
    """Seconds that a small line takes to reach the disk."""
    wear: int | None = None
    """Per cent of the card's life that is used, as it says itself."""
    aside: tuple[str, ...] = ()
    """Damaged files that were set aside."""
    exposed: tuple[str, ...] = ()
    """Private files that others on this machine can read."""


class CameraFacts(msgspec.Struct, frozen=True):
    wanted: str = "auto"
    fault: Message | None = None
    """Why there is no picture."""
    forbidden: tuple[str, ...] = ()
    """Devices that are there and may not be opened."""
    looked: bool = False
    light: Message | None = None
    """What is wrong with the exposure."""
    sharpness: float | None = None
    """How steep the edges of the markers are: 0.5 is as sharp as it gets, 0.13 is out of focus."""
    rate: float | None = None
    """Pictures a second."""
    frozen: bool = False


class MarkerFacts(msgspec.Struct, frozen=True):
    looked: bool = False
    fits: bool = False
    words: tuple[Message, ...] = ()
    measured: bool = False
    fault: Message | None = None
    """Why the kept measurement cannot be used."""
    days: float | None = None
    """Since the table was measured."""
    drift: float | None = None
    """Pixels by which the markers have moved since then."""


class CardFacts(msgspec.Struct, frozen=True):
    game: str = ""
    looked: bool = False
    missing: int = 0
    wanted: int = 0
    fault: Message | None = None


class PanelFacts(msgspec.Struct, frozen=True):
    port: str
    board: str = ""
    firmware: str = ""
    fault: Message | None = None
    old: bool = False
    lost: int = 0
    damaged: int = 0
    milliseconds: float = 0.0


class PanelsFacts(msgspec.Struct, frozen=True):
    wanted: bool = False
    looked: bool = False
    panels: tuple[PanelFacts, ...] = ()
    without: tuple[int, ...] = ()
    """Seats where somebody sits and that have no panel, counted from 1."""
    forbidden: tuple[str, ...] = ()


class TimerFacts(msgspec.Struct, frozen=True):
    wanted: bool = False
    fault: Message | None = None


class NetworkFacts(msgspec.Struct, frozen=True):
    looked: bool = False
    name: str = ""
    addresses: tuple[str, ...] = ()
    port: int = 0
    taken: Message | None = None
    """Who has the port; None: it is free, or it is ours."""
    forbidden: bool = False
    """A port below 1024 that this user may not open."""
    tls: bool = False
    tls_fault: Message | None = None


class BackupFacts(msgspec.Struct, frozen=True):
    looked: bool = False
    every: str = "day"
    days: float | None = None
    """Since the newest one; None: there is none."""
    folder: str = ""
    matches: int = 0
    """How many there are to lose."""
    fault: Message | None = None


class ServiceFacts(msgspec.Struct, frozen=True):
    process: int | None = None
    answers: bool = True
    silent: tuple[str, ...] = ()


class Facts(msgspec.Struct, frozen=True):
    config: ConfigFacts = ConfigFacts()
    system: SystemFacts = SystemFacts()
    disk: DiskFacts = DiskFacts()
    camera: CameraFacts = CameraFacts()
    markers: MarkerFacts = MarkerFacts()
    cards: CardFacts = CardFacts()
    panels: PanelsFacts = PanelsFacts()
    timer: TimerFacts = TimerFacts()
    network: NetworkFacts = NetworkFacts()
    backups: BackupFacts = BackupFacts()
    service: ServiceFacts = ServiceFacts()
    undecided: bool = False
    """The lobby is open and no game is chosen, so nobody knows yet which mat and which cards are meant."""
