"""An evening in a panel's life, told in Python that CPython and MicroPython both understand.

`tell(main, protocol)` drives the firmware through it and gives back all that the board said, lit and sounded.
"""


def tell(main, protocol):
    heard = []
    host = protocol.Lines(protocol.HOST, protocol.PANEL)

    class Board(main.Board):
        uid = "00c0ffee00c0ffee"
        seats = 2
        abilities = protocol.RGB | protocol.BUZZER

        def __init__(self):
            self.now = 0
            self.inbox = b""
            self.levels = 0

        def read(self):
            data, self.inbox = self.inbox, b""
            return data

        def write(self, line):
            heard.append([self.now, line.decode()])

        def pressed(self):
            return self.levels

        def light(self, seat, colours):
            heard.append([self.now, seat, [list(colour) for colour in colours]])

        def tone(self, hertz):
            heard.append([self.now, hertz])

        def repl(self):
            heard.append([self.now, "repl"])

    board = Board()
    start = protocol.TICKS - 300  # the clock wraps round in the middle of it
    panel = main.Panel(board, start)
    story = {
        10: lambda: host.line("GREET", 1, 0),
        20: lambda: b"\xff\x00rubbish" + host.line("PING", 1),
        30: lambda: host.line("SHOW", 0, "placing", 0) + host.line("SHOW", 1, "choice", 0),
        40: lambda: host.line("SHOW", 7, "placing", 0),
        290: lambda: host.line("CUE", 0, "countdown", 3, 100),
        300: lambda: host.line("CUE", 1, "countdown", 3, 100),
        500: lambda: host.line("PING", 2)[:-3] + b"??\n" + host.line("PING", 3),
        900: lambda: host.line("TAKEN", 1) + host.line("STAT"),
        1000: lambda: host.line("SHOW", 0, "reveal", 0) + host.line("BUZZ", 440, 100),
        1100: lambda: host.line("SHOW", 1, "refused", 0),
        5000: lambda: host.line("PING", 4),
        5100: lambda: host.line("REPL"),
    }
    fingers = {50: 1, 52: 0, 54: 1, 250: 0, 600: 32, 604: 0, 700: 32, 1500: 0, 4500: 1, 4600: 0}
    # Not every millisecond: MicroPython's heap is small here, and its collector had better not wake.
    busy = {begin + after for begin in list(story) + list(fingers) for after in range(8)}
    for moment in sorted(busy | set(range(0, 5200, 50))):
        if moment in story:
            board.inbox += story[moment]()
        board.levels = fingers.get(moment, board.levels)
        board.now = (start + moment) % protocol.TICKS
        panel.step(board.now)
    return heard
