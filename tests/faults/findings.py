"""`python -m tests.faults.findings [TREE …]`: each finding of the audit made to happen from outside.

The findings are of commit 828ad0c (`docs/trust.md`). Its rooms and interfaces were others, so nothing here imports the
program: each trial starts it as a user does and looks at what comes of it. With the path of another checkout, that one
is tried in the same run. Exit 1 if this tree has a finding. Nothing but the loopback is spoken to.
"""

import contextlib
import http.client
import os
import re
import socket
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
import numpy as np

from tests.faults import costly
from tests.faults.checkout import MATCH, Served, Tree

HERE = Path(__file__).parents[2]
Trial = Callable[[Tree], bool]
"""Whether the tree bears it."""


def an_empty_panels_file(tree: Tree) -> bool:
    (tree.folder / "panels.json").write_bytes(b"")
    with tree.table() as table:
        return table is not None


def a_login_over_a_restart(tree: Tree) -> bool:
    with tree.table() as table:
        assert table is not None
        status, cookie = table.log_in("referee", table.pin("referee"))
        assert status == 200
    with tree.table() as table:
        return table is not None and table.get("/referee", Cookie=cookie) == 200 and _is_desk(table, cookie)


def _is_desk(table: Served, cookie: str) -> bool:
    return table.get("/api/undo", Cookie=cookie) != 403 and table.get("/api/page?as=referee", Cookie=cookie) == 200


def an_edited_clock(tree: Tree) -> bool:
    with tree.table() as table:
        assert table is not None
    (path,) = (tree.folder / "matches").glob("*.kifu")
    path.with_suffix(".clock").write_text("80002.0")
    with tree.table() as table:
        assert table is not None
        return float(table.page()["clock"]["reached"]) < 60.0


def a_hundred_thousand_brackets(tree: Tree) -> bool:
    path = tree.folder / "deep.kifu"
    path.write_text('{"kifu": 1, "game": "sen_so", "players": ["Aki", "Ben"]}\n' + "[" * 100_000 + "\n")
    return "Traceback" not in tree.run("replay", str(path)).stderr


def a_stray_kifu(tree: Tree) -> bool:
    (tree.folder / "matches").mkdir()
    (tree.folder / "matches" / "zzz-sen_so.kifu").write_text("nothing of ours\n")
    with tree.table() as table:
        return table is not None


def a_clock_that_jumps(tree: Tree) -> bool:
    """Whether a login outlives it when the wall clock leaps thirty days ahead, as on a Pi that finds the net."""
    jumped = tree.folder / "jumped"
    (tree.folder / "site").mkdir()
    (tree.folder / "site" / "sitecustomize.py").write_text(
        "import os, time\nreal = time.time\n"
        f"time.time = lambda: real() + (30 * 86400 if os.path.exists({str(jumped)!r}) else 0)\n"
    )
    with tree.table() as table:
        assert table is not None
        _, cookie = table.log_in("referee", table.pin("referee"))
        jumped.touch()
        return _is_desk(table, cookie)


def a_number_of_five_thousand_digits(tree: Tree) -> bool:
    path = tree.folder / "deck.txt"
    path.write_text("9" * 5000 + " Wild Swing\n")
    return "Traceback" not in tree.run("deck", str(path)).stderr


def guesses_between_own_logins(tree: Tree) -> bool:
    """Whether a player who guesses the referee's PIN and logs in again and again is slowed down."""
    with tree.table() as table:
        assert table is not None
        own, tried = table.pin("Aki"), 0
        for number in range(40):
            status, _ = table.log_in("referee", f"{number:06}")
            tried += status == 403
            if number % 4 == 3:
                table.log_in("Aki", own)
        return tried < 20


def refused_moves_of_sixty_kilobytes(tree: Tree) -> bool:
    """Whether the match stays small."""
    with tree.table() as table:
        assert table is not None
        _, cookie = table.log_in("Aki", table.pin("Aki"))
        for _ in range(40):
            table.post("/api/tap", {"what": "move", "data": {"move": "arm", "weapons": ["x" * 60_000]}}, cookie)
    (path,) = (tree.folder / "matches").glob("*.kifu")
    return path.stat().st_size < 500_000


def others_wrong_tries(tree: Tree) -> bool:
    """Whether the referee, who was let in before, gets in again while somebody else guesses."""
    with tree.table() as table:
        assert table is not None
        pin, own = table.pin("referee"), "127.0.0.30"  # not the table's own screen
        _, cookie = table.log_in("referee", pin, address=own)
        for number in range(30):
            table.log_in("referee", f"{number:06}", address=f"127.0.0.{number % 10 + 2}")
        return table.log_in("referee", pin, cookie, own)[0] == 200


def streams_from_nineteen_addresses(tree: Tree) -> bool:
    """Whether the referee still gets one."""
    with tree.table() as table, contextlib.ExitStack() as open_ones:
        assert table is not None
        _, cookie = table.log_in("referee", table.pin("referee"))
        for number in range(620):
            with contextlib.suppress(OSError):
                open_ones.enter_context(table.watch(address=f"127.0.0.{number % 19 + 2}"))
        time.sleep(1.0)
        with contextlib.suppress(OSError):
            return b" 200 " in open_ones.enter_context(table.watch(cookie)).recv(100)
        return False


def bodies_that_never_come(tree: Tree) -> bool:
    with tree.table() as table, contextlib.ExitStack() as open_ones:
        assert table is not None
        for _ in range(8):
            sock = open_ones.enter_context(socket.create_connection(("127.0.0.1", table.port)))
            sock.sendall(
                b"POST /api/tap HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://127.0.0.1\r\n"
                b"Content-Type: application/json\r\nContent-Length: 100\r\n\r\n"
            )
        time.sleep(0.5)
        return _answers(table)


def idle_sockets(tree: Tree) -> bool:
    with tree.table() as table, contextlib.ExitStack() as open_ones:
        assert table is not None
        for number in range(1100):
            with contextlib.suppress(OSError):
                open_ones.enter_context(socket.create_connection(("127.0.0.1", table.port), timeout=5))
            if number % 100 == 99:
                time.sleep(0.05)
        return _answers(table)


def _answers(table: Served) -> bool:
    with contextlib.suppress(OSError, http.client.HTTPException):
        return table.get("/healthz", timeout=10.0) in (200, 404) and table.get("/", timeout=10.0) == 200
    return False


def the_camera_for_anybody(tree: Tree) -> bool:
    pictures = tree.folder / "pictures"
    pictures.mkdir()
    cv2.imwrite(str(pictures / "1.png"), np.full((480, 640, 3), 90, np.uint8))
    with tree.table(*MATCH[:3], "--camera", f"images:{pictures}") as table:
        assert table is not None
        for _ in range(50):
            status = table.get("/camera.jpg")
            if status in (200, 403):
                return status == 403
            time.sleep(0.1)
        raise AssertionError("there is no picture")


def a_logged_out_cookie(tree: Tree) -> bool:
    with tree.table() as table:
        assert table is not None
        _, cookie = table.log_in("referee", table.pin("referee"))
        table.post("/api/logout", {}, cookie)
        return table.get("/api/page?as=referee", Cookie=cookie) == 403


def pins_in_the_log(tree: Tree) -> bool:
    with tree.table() as table:
        assert table is not None
        return re.search(r"\b\d{4}(\d\d)?\b(?!:)", Path(table._log).read_text().replace(str(table.port), "")) is None


def a_line_changed_with_its_check(tree: Tree) -> bool:
    """Whether there is any way to notice it."""
    return tree.run("verify", "--help").returncode == 0


def transcript(name: str, tree: Tree) -> bool:
    """Whether the rules go as a transcript says that was written from the booklet."""
    return tree.run("replay", str(HERE / "tests" / "kifu" / name)).returncode == 0


TRIALS: dict[str, tuple[str, Trial]] = {
    "C1": ("an empty `panels.json`", an_empty_panels_file),
    "C2": ("a login over a restart", a_login_over_a_restart),
    "C3": ("a `.clock` of 80,002 s", an_edited_clock),
    "C4": ("100,000 brackets in a kifu", a_hundred_thousand_brackets),
    "C5": ("a wall clock that leaps thirty days", a_clock_that_jumps),
    "V2": ("a number of 5,000 digits in a deck", a_number_of_five_thousand_digits),
    "C6": ("a stray `zzz-sen_so.kifu`", a_stray_kifu),
    "W1": ("40 guesses at the referee's PIN between own logins", guesses_between_own_logins),
    "W3": ("40 refused moves of 60 kB", refused_moves_of_sixty_kilobytes),
    "W4": ("30 wrong PINs by somebody else", others_wrong_tries),
    "W5": ("620 streams from 19 addresses", streams_from_nineteen_addresses),
    "W2": ("8 POSTs without their body", bodies_that_never_come),
    "W6": ("1,100 idle sockets", idle_sockets),
    "W7": ("`/camera.jpg` by anybody", the_camera_for_anybody),
    "W8a": ("a cookie after logging out", a_logged_out_cookie),
    "W8b": ("PINs in what goes to the system's log", pins_in_the_log),
    "W8c": ("the rights of kept pictures", costly.pictures_that_others_can_read),
    "W8d": ("a hidden choice that is refused", costly.a_tapped_choice_that_is_refused),
    "H1": ("a camera that opens and gives no picture", costly.a_camera_without_pictures),
    "H2": ("two boards with one number", costly.two_boards_with_one_number),
    "H3": ("5,000 presses", costly.thousands_of_presses),
    "M1": ("eight matches one after the other", costly.one_match_after_the_other),
    "V1": ("a checked cloth, with 3 GB of memory", costly.gingham),
    "K1": ("a command that notices a changed line", a_line_changed_with_its_check),
    "B1": ("Senjutsu: who falls is not pushed", partial(transcript, "senjutsu/falls-unpushed.kifu")),
    "B2": ("Senjutsu: an added attack is blocked", partial(transcript, "senjutsu/added-attack-blocked.kifu")),
    "B3": ("Senjutsu: the farthest is pushed first", partial(transcript, "senjutsu/falling-and-pushing.kifu")),
    "B4": ("Senjutsu: stuns for ever end in a draw", partial(transcript, "senjutsu/stuns-for-ever.kifu")),
    "SEN": (
        "Sen So: weapons are shown before the rest is laid",
        partial(transcript, "sen_so/weapons-shown-first.kifu"),
    ),
    "SU-R15": ("Sensu: Wisdom from anywhere in the pile", partial(transcript, "sensu/wisdom_any.kifu")),
    "SNI-R21": ("San, Ni, Ichi!: the last Smoke Bomb", partial(transcript, "san_ni_ichi/last_bomb_strict.kifu")),
}


def main() -> int:
    trees = {"now": HERE} | {Path(each).name: Path(each).resolve() for each in sys.argv[1:]}
    wanted = os.environ.get("FINDINGS", "").split() or list(TRIALS)
    print(f"| finding | tried | {' | '.join(trees)} |\n|---|---|{'---|' * len(trees)}", flush=True)
    fell = 0
    for name in wanted:
        what, trial = TRIALS[name]
        told = []
        for called, path in trees.items():
            with TemporaryDirectory() as folder:
                bears = trial(Tree(path, Path(folder)))
            told.append("bears it" if bears else "**falls**")
            fell += called == "now" and not bears
        print(f"| {name} | {what} | {' | '.join(told)} |", flush=True)
    return 1 if fell else 0


if __name__ == "__main__":
    sys.exit(main())
