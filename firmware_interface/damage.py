"""Lines as they go over the wire, and what becomes of them on a bad one: material for tests and measurements."""

import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

from firmware_interface import protocol


def lines(seed: int, count: int = 2000) -> list[bytes]:
    """Lines as they really go over the wire, without their newline."""
    chance = random.Random(seed)

    def value(field: object) -> int | str:
        if isinstance(field, tuple):
            return str(chance.choice(field))
        assert isinstance(field, int)
        return f"{chance.getrandbits(64):016x}" if field < 0 else chance.randrange(16**field)

    said = [(marker, verb, shape) for marker, verbs in protocol.SAYS.items() for verb, shape in verbs.items()]
    return [
        protocol.encode(marker, chance.randrange(256), verb, *map(value, shape))[:-1]
        for marker, verb, shape in (chance.choice(said) for _ in range(count))
    ]


def damage(whole: Sequence[bytes], count: int, seed: int) -> Iterator[tuple[bytes, bytes]]:
    """Pairs of a line and what a bad cable, a full buffer or a reset made of it."""
    chance = random.Random(seed)

    def flip(line: bytearray) -> None:
        for _ in range(chance.randint(1, 3)):
            line[chance.randrange(len(line))] ^= 1 << chance.randrange(8)

    def lose(line: bytearray) -> None:
        at = chance.randrange(len(line))
        del line[at : at + chance.randint(1, 3)]

    def insert(line: bytearray) -> None:
        for _ in range(chance.randint(1, 2)):
            line.insert(chance.randrange(len(line) + 1), chance.randrange(256))

    def swap(line: bytearray) -> None:
        at = chance.randrange(len(line) - 1)
        line[at], line[at + 1] = line[at + 1], line[at]

    def double(line: bytearray) -> None:
        at = chance.randrange(len(line))
        line.insert(at, line[at])

    def burst(line: bytearray) -> None:
        at = chance.randrange(len(line))
        for place in range(at, min(at + chance.randint(2, 8), len(line))):
            line[place] = chance.randrange(256)

    def cut(line: bytearray) -> None:
        del line[chance.randrange(1, len(line)) :]

    def merge(line: bytearray) -> None:
        """The start of one line and the end of another, as after a full buffer."""
        other = chance.choice(whole)
        line[chance.randrange(1, len(line)) :] = other[chance.randrange(1, len(other)) :]

    kinds = (flip, lose, insert, swap, double, burst, cut, merge)
    genuine = set(whole)
    made = 0
    while made < count:
        line = chance.choice(whole)
        hurt = bytearray(line)
        chance.choice(kinds)(hurt)
        if bytes(hurt[hurt.rfind(line[:1]) :]) not in genuine:  # else a whole line came through unhurt
            made += 1
            yield line, bytes(hurt)


def believed(hurt: Iterable[tuple[bytes, bytes]], taken: Callable[[bytes, bytes], bool]) -> tuple[int, float]:
    """How many damaged lines a reader takes for something that was not said, and how many it reads in a second.

    Only the reading is timed, and never more than a share is held in memory.
    """
    pairs, wrong, count, seconds = iter(hurt), 0, 0, 0.0
    while share := list(islice(pairs, 20_000)):
        began = time.perf_counter()
        wrong += sum(taken(line, bad) for line, bad in share)
        seconds += time.perf_counter() - began
        count += len(share)
    return wrong, count / seconds
