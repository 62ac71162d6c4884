"""One line of the table that `make test-faults` prints."""

from typing import NamedTuple


class Tried(NamedTuple):
    what: str
    times: str
    held: str
    lost: int
    lost_what: str = "lost"
