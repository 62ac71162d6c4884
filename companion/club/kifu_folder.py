"""The kifus of a table as they can be sent: how many lines of each are safely on the disk, and those lines."""

from collections.abc import Callable
from pathlib import Path

from companion.club.outbox import Span
from companion.club.payloads import MatchHead
from companion.record.journal import DataFolder, begun_at
from companion.record.kifu import check_of

BYTES = 256 * 1024
"""Of a piece, unless its first line alone has more."""


class KifuFolder:
    """`in_play` says which match is being written at this moment and how many of its lines are on the disk: what is in
    the file beyond that may still be taken back. Matches up to `since` were played before the table joined."""

    def __init__(
        self, folder: DataFolder, since: str = "", in_play: Callable[[], tuple[str, int] | None] = lambda: None
    ) -> None:
        self._folder, self._since, self._in_play = folder, since, in_play
        self._known: dict[str, tuple[tuple[int, int], list[int]]] = {}
        """Match -> size and age of the file, and where each line begins."""

    def written(self) -> dict[str, int]:
        """Match -> lines that can be sent, the oldest match first."""
        live = self._in_play()
        found = {}
        paths = [path for path in self._folder.begun("*") if begun_at(path.stem) > begun_at(self._since)]
        for path in sorted(paths, key=lambda each: begun_at(each.stem)):
            match = path.stem
            begins = self._lines(path)
            found[match] = min(len(begins) - 1, live[1]) if live is not None and live[0] == match else len(begins) - 1
        return {match: lines for match, lines in found.items() if lines > 0}

    def _lines(self, path: Path) -> list[int]:
        """Where each line begins, and where the last one ends."""
        try:
            status = path.stat()
        except OSError:
            return [0]
        stamp, known = (status.st_size, status.st_mtime_ns), self._known.get(path.stem)
        if known is not None and known[0] == stamp:
            return known[1]
        begins = known[1][:] if known is not None and known[0][0] <= stamp[0] else [0]
        try:
            with path.open("rb") as file:
                file.seek(begins[-1])
                for line in file:
                    if line.endswith(b"\n"):
                        begins.append(begins[-1] + len(line))
        except OSError:
            return [0]
        self._known[path.stem] = stamp, begins
        return begins

    def read(self, span: Span) -> tuple[str, ...]:
        """The lines of this span, or fewer where they would be too many bytes."""
        path = self._folder.matches / f"{span.match}.kifu"
        begins = self._lines(path)
        last = min(span.last, len(begins) - 1)
        while last > span.first and begins[last] - begins[span.first - 1] > BYTES:
            last -= 1
        if last < span.first:
            return ()
        with path.open("rb") as file:
            file.seek(begins[span.first - 1])
            data = file.read(begins[last] - begins[span.first - 1])
        return tuple(line.decode("utf-8", "replace") for line in data.rstrip(b"\n").split(b"\n"))

    def head(self, match: str, lines: int) -> MatchHead:
        """How far this table has that match, with the check of the last line."""
        told = self.read(Span(match, lines, lines)) if lines else ()
        return MatchHead(match, lines, check_of(told[0]) if told else "")
