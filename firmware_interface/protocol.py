"""The panel protocol: one line of text for each thing said, with a checksum.

    <marker><seq> <VERB> <fields>*<CRC>\n        $1f PRESS 0007 00 ready 0001e240*4B1C

This one file runs unchanged under CPython and on the board under MicroPython, so it imports nothing. Numbers have a
fixed width and words come from closed lists: a byte lost or put in breaks the shape of a line, which a checksum of
16 bits alone would miss once in 65536 times. `docs/panel-protocol.md` is the whole protocol in words.
"""

MAJOR = 1
MINOR = 1

PANEL = b"$"
HOST = b">"
"""Each side has its own marker, so a terminal that echoes is harmless."""

LONGEST = 60
"""Bytes in a line, newline included: below one USB packet of 64, at whose multiples some boards have hung."""

TICKS = 1 << 30
"""The panel's clock counts milliseconds and starts again at zero here."""

KINDS = ("panel", "timer")
BUTTONS = ("ready", "up", "down", "select")
PHASES = ("idle", "placing", "locked", "countdown", "reveal", "choice", "refused", "offline", "asking", "seated")
SINCE_1_1 = {"asking": "choice", "seated": "locked"}
"""Phases that a panel of 1.0 does not know, and what it shows in their place."""
REASONS = ("seat",)

RGB, BUZZER, SIMULATED = 1, 2, 4
"""Bits of what a panel can do (or admits to be)."""

UID = -16
"""A field of sixteen hex digits that stays text: the board's own number."""

SAYS: "dict[bytes, dict[str, tuple[object, ...]]]" = {
    PANEL: {
        "HELLO": (KINDS, 2, 2, 4, UID, 2, 2),  # kind, major, minor, firmware, uid, seats, abilities
        "PONG": (2, 8, 8, 4),  # number of the PING, ticks, buttons held, last event
        "PRESS": (4, 2, BUTTONS, 8),  # event, seat, button, ticks
        "ACK": (2,),  # seq of the command
        "NAK": (2, REASONS),
        "STATS": (4, 4, 8),  # lost, bad, seconds since boot
    },
    HOST: {
        "GREET": (2, 2),  # major, minor
        "PING": (2,),
        "TAKEN": (4,),  # event
        "SHOW": (2, PHASES, 1),  # seat, phase, count or place: from now on
        "CUE": (2, PHASES, 1, 8),  # the same, when the panel's clock says so
        "BUZZ": (4, 4),  # hertz, milliseconds
        "STAT": (),
        "REPL": (),  # stop, and wait for new firmware
    },
}
"""What each side may say. A field is a width in hex digits, or the words it may be."""

HEX = "0123456789abcdef"


def since(now: int, then: int) -> int:
    """Milliseconds from `then` to `now` on a clock that wraps round; negative if `then` is still to come."""
    return (now - then + TICKS // 2) % TICKS - TICKS // 2


def crc16(data: bytes) -> int:
    """CRC-16/CCITT: polynomial 0x1021, started at 0xFFFF."""
    crc = 0xFFFF
    for byte in data:
        x = (crc >> 8) ^ byte
        x ^= x >> 4
        crc = ((crc << 8) ^ (x << 12) ^ (x << 5) ^ x) & 0xFFFF
    return crc


def encode(marker: bytes, seq: int, verb: str, *values) -> bytes:  # type: ignore[no-untyped-def]
    """The line that says this; ValueError for what the protocol cannot say."""
    fields = SAYS[marker].get(verb)
    if fields is None or len(fields) != len(values):
        raise ValueError(f"{verb} {values}")
    words = [_spell(*pair) for pair in zip(fields, values)]  # noqa: B905
    if [_read(*pair) for pair in zip(fields, words)] != list(values):  # noqa: B905
        raise ValueError(f"{verb} {values}")
    body = marker + " ".join([_spell(2, seq & 255), verb] + words).encode()  # noqa: RUF005
    return body + f"*{crc16(body):04X}\n".encode()


def decode(marker: bytes, line: bytes):  # type: ignore[no-untyped-def]
    """What that side said, as (seq, verb, values), or None if the line is damaged.

    The line comes as bytes and without its newline. Only what follows the last marker counts: whatever a reset or
    a full buffer left in front of it is not ours to read.
    """
    start = line.rfind(marker)
    body, tail = line[start:-5], line[-5:]
    if start < 0 or not 4 < len(body) < LONGEST - 5 or tail != f"*{crc16(body):04X}".encode() or max(body) > 126:
        return None
    words = body[1:].decode().split(" ")
    fields = SAYS[marker].get(words[1] if len(words) > 1 else "")
    if fields is None or len(words) != len(fields) + 2:
        return None
    seq = _read(2, words[0])
    values = [_read(*pair) for pair in zip(fields, words[2:])]  # noqa: B905
    return None if seq is None or None in values else (seq, words[1], values)


def _spell(field: object, value: object) -> str:
    return ("{:0" + str(field) + "x}").format(value) if isinstance(field, int) and field > 0 else str(value)


def _read(field: object, word: str) -> "int | str | None":
    if isinstance(field, tuple):
        return word if word in field else None
    if not isinstance(field, int) or len(word) != abs(field) or not all(letter in HEX for letter in word):
        return None
    return int(word, 16) if field > 0 else word


class Lines:
    """One end of a wire: bytes in, what was said out, with a count of what went wrong on the way."""

    def __init__(self, mine: bytes, theirs: bytes) -> None:
        self.mine = mine
        self.theirs = theirs
        self.bad = 0
        self.lost = 0
        self._seq = -1
        self._expected = -1
        self._rest = b""

    def feed(self, data: bytes):  # type: ignore[no-untyped-def]
        """All that these bytes complete, as a list of (seq, verb, values)."""
        if not data:
            return []
        lines = (self._rest + data).split(b"\n")
        # A line that never ends is noise; its last bytes may still be the start of a good one.
        self._rest = lines.pop()[-LONGEST:]
        said = []
        for line in lines:
            if line[-1:] == b"\r":
                line = line[:-1]
            good = decode(self.theirs, line)
            if good:
                said.append(good)
                self._count(good[0], good[1])
            elif line and not decode(self.mine, line):  # not just our own echo
                self.bad += 1
        return said

    def line(self, verb: str, *values) -> bytes:  # type: ignore[no-untyped-def]
        """The next line to send; its number is `sent` afterwards."""
        self._seq = (self._seq + 1) & 255
        return encode(self.mine, self._seq, verb, *values)

    @property
    def sent(self) -> int:
        return self._seq

    def _count(self, seq: int, verb: str) -> None:
        # Whoever (re)starts begins a new count with HELLO or GREET.
        if self._expected >= 0 and verb not in ("HELLO", "GREET"):
            self.lost += (seq - self._expected) & 255
        self._expected = (seq + 1) & 255
