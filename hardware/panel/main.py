"""The panel's firmware: buttons debounced and stamped, lights by phase, one line protocol to the host.

`Panel` knows no pins: a board gives it bytes, buttons and lights, so that the same code runs on a Pico
(`board.py`), in the tests on fake pins, and behind the simulator's serial port. Everything happens in `step`, which
never waits.
"""

try:
    from firmware_interface import protocol
except ImportError:  # on the board the codec lies beside this file
    import protocol  # type: ignore[import-not-found, no-redef]

FIRMWARE = 0x0101  # 1.1

STABLE_MS = 5  # a contact that has not moved for this long has stopped bouncing
RESEND_MS = 200
ALONE_MS = 3000  # without a word from the host for this long nobody is listening
KEPT = 16  # presses that wait for the host to take them

# For each phase: colour (red, green, blue), milliseconds on, milliseconds off. Nobody needs to tell colours apart:
# what wants an answer blinks, and no two phases blink alike.
LIGHTS = {
    "idle": ((24, 24, 24), 1, 0),
    "placing": ((0, 0, 255), 1, 0),
    "locked": ((0, 255, 0), 1, 0),
    "countdown": ((255, 140, 0), 1, 0),
    "reveal": ((255, 255, 255), 1, 0),
    "choice": ((180, 0, 255), 500, 250),
    "refused": ((255, 0, 0), 120, 120),
    "offline": ((255, 0, 0), 100, 1900),
    "asking": (None, 250, 250),  # in the colour of the place at the table
    "seated": (None, 1, 0),
}
# The places at the table have the colours that the pages give them, in the light of a lamp instead of a screen's: a
# test holds the two together.
PLACES = ((0, 43, 114), (202, 88, 0), (0, 87, 44), (154, 49, 99), (24, 116, 208), (170, 29, 0))
DARK = (0, 0, 0)

# What a phase sounds like as it begins, on a panel with a buzzer: hertz, milliseconds.
SOUNDS = {"countdown": (880, 80), "reveal": (1760, 250), "refused": (220, 200)}


class Board:
    """What the panel needs from the hardware under it: a Pico, or a simulated one."""

    uid = "0000000000000000"
    seats = 1
    pixels = 3  # lights at each seat
    abilities = 0

    def read(self) -> bytes:
        """What has come from the host, without waiting."""
        return b""

    def write(self, line: bytes) -> None:
        """Send this to the host."""

    def pressed(self) -> int:
        """The buttons as they are at this moment, bounce and all: bit 4 * seat + button."""
        return 0

    def light(self, seat: int, colours: "list[tuple[int, int, int]]") -> None:
        """Show these colours at this seat from now on."""

    def tone(self, hertz: int) -> None:
        """Sound the buzzer; 0 is silence."""

    def repl(self) -> None:
        """Stop being a panel and wait for new firmware."""


class Button:
    """One contact. A press counts once it has stopped bouncing and is stamped with its first touch."""

    def __init__(self) -> None:
        self.down = False
        self.touched = 0
        self._level = False
        self._moved = 0
        self._moving = False

    def scan(self, level: bool, now: int) -> bool:
        """Whether this is the moment at which a press is certain."""
        if level != self._level:
            self._level = level
            self._moved = now
            if not self._moving:
                self._moving = True
                self.touched = now
        elif self._moving and protocol.since(now, self._moved) >= STABLE_MS:
            self._moving = False
            if level != self.down:
                self.down = level
                return level
        return False


class Lamp:
    """The lights of one seat: what they show, and what they will show when the moment comes."""

    def __init__(self, pixels: int) -> None:
        self.phase = "idle"
        self.count = 0
        self.since = 0
        self.cue = None  # type: tuple[str, int, int] | None
        self._pixels = pixels

    def show(self, phase: str, count: int, now: int) -> bool:
        """Whether that is news: the same command sent again must not restart a blink."""
        self.cue = None
        if (phase, count) == (self.phase, self.count):
            return False
        self.phase, self.count, self.since = phase, count, now
        return True

    def due(self, now: int) -> bool:
        if self.cue is None or protocol.since(now, self.cue[2]) < 0:
            return False
        phase, count, at = self.cue
        return self.show(phase, count, at)

    def colours(self, now: int, alone: bool) -> "list[tuple[int, int, int]]":
        phase = "offline" if alone else self.phase
        colour, on, off = LIGHTS[phase]
        if colour is None:
            colour = PLACES[self.count % len(PLACES)]
        lit = self._pixels
        if phase == "countdown":
            lit = min(self.count, lit)
        elif phase == "offline":
            lit = 1
        if off and (now if alone else protocol.since(now, self.since)) % (on + off) >= on:
            lit = 0
        return [colour] * lit + [DARK] * (self._pixels - lit)


class Panel:
    """One board: its seats, its line to the host."""

    def __init__(self, board: Board, now: int) -> None:
        self.board = board
        self.lines = protocol.Lines(protocol.PANEL, protocol.HOST)
        self.lamps = [Lamp(board.pixels) for _ in range(board.seats)]
        self.buttons = [Button() for _ in range(board.seats * len(protocol.BUTTONS))]
        self.alone = True
        self._booted = now
        self._heard = now
        self._event = 0
        self._kept = []  # type: list[list[int]]  # presses not yet taken: event, button, touched, sent
        self._shown = [None] * board.seats  # type: list[object]
        self._quiet_at = None  # type: int | None
        self._hello()

    def step(self, now: int) -> None:
        """Everything that is to be done at this moment, in milliseconds on the board's clock."""
        for seq, verb, values in self.lines.feed(self.board.read()):
            self._heard = now
            self.alone = False
            self._obey(seq, verb, values, now)
        if not self.alone and protocol.since(now, self._heard) >= ALONE_MS:
            self.alone = True
            self._kept = []  # what was pressed while nobody listened answers nothing
        self._scan(now)
        self._show(now)

    def _obey(self, seq: int, verb: str, values, now: int) -> None:  # type: ignore[no-untyped-def]
        if verb == "GREET":
            self._kept = []
            self._event = 0
            self._hello()
        elif verb == "PING":
            self._say("PONG", values[0], now % protocol.TICKS, self._held(), self._event)
        elif verb == "TAKEN":
            self._kept = [press for press in self._kept if press[0] != values[0]]
        elif verb == "STAT":
            up = (now - self._booted) % protocol.TICKS // 1000
            self._say("STATS", min(self.lines.lost, 0xFFFF), min(self.lines.bad, 0xFFFF), up)
        elif verb == "BUZZ":
            self._say("ACK", seq)
            self._sound(values[0], values[1], now)
        elif verb == "REPL":
            self._say("ACK", seq)
            self.board.repl()
        elif values[0] >= len(self.lamps):
            self._say("NAK", seq, "seat")
        else:
            self._say("ACK", seq)
            lamp = self.lamps[values[0]]
            if verb == "CUE":
                lamp.cue = values[1], values[2], values[3]
            elif lamp.show(values[1], values[2], now):
                self._announce(lamp, now)

    def _scan(self, now: int) -> None:
        levels = self.board.pressed()
        for number, button in enumerate(self.buttons):
            if button.scan(bool(levels >> number & 1), now) and not self.alone:
                self._event = (self._event + 1) & 0xFFFF
                self._kept = self._kept[1 - KEPT :]
                self._kept.append([self._event, number, button.touched, now - RESEND_MS])
        for press in self._kept:
            if protocol.since(now, press[3]) >= RESEND_MS:
                press[3] = now
                seat, button_number = divmod(press[1], len(protocol.BUTTONS))
                self._say("PRESS", press[0], seat, protocol.BUTTONS[button_number], press[2] % protocol.TICKS)

    def _show(self, now: int) -> None:
        for seat, lamp in enumerate(self.lamps):
            if lamp.due(now):
                self._announce(lamp, now)
            colours = lamp.colours(now, self.alone)
            if colours != self._shown[seat]:
                self._shown[seat] = colours
                self.board.light(seat, colours)
        if self._quiet_at is not None and protocol.since(now, self._quiet_at) >= 0:
            self._quiet_at = None
            self.board.tone(0)

    def _announce(self, lamp: Lamp, now: int) -> None:
        if lamp.phase in SOUNDS:
            self._sound(*SOUNDS[lamp.phase], now)

    def _sound(self, hertz: int, milliseconds: int, now: int) -> None:
        self._quiet_at = now + milliseconds
        self.board.tone(hertz)

    def _held(self) -> int:
        return sum([1 << number for number, button in enumerate(self.buttons) if button.down])

    def _hello(self) -> None:
        board = self.board
        self._say(
            "HELLO", "panel", protocol.MAJOR, protocol.MINOR, FIRMWARE, board.uid, board.seats, board.abilities
        )

    def _say(self, verb: str, *values) -> None:  # type: ignore[no-untyped-def]
        self.board.write(self.lines.line(verb, *values))


def run() -> None:
    """The board's own main loop; leaves to the interpreter's prompt when somebody wants to flash it."""
    import time  # type: ignore[import-not-found, unused-ignore]

    import board  # type: ignore[import-not-found, unused-ignore]

    pico = board.start()
    if pico is None:
        return
    panel = Panel(pico, time.ticks_ms())  # type: ignore[attr-defined]
    while True:
        panel.step(time.ticks_ms())  # type: ignore[attr-defined]
        pico.feed()


if __name__ == "__main__":
    run()
