"""Work whose results are counted, not timed, on all cores at once."""

import multiprocessing
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import TypeVar

import cv2

Task = TypeVar("Task")
Result = TypeVar("Result")


def on_all_cores(work: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[Result]:
    """The result of every task, in order. Not for anything that is timed: processes disturb each other."""
    cores = len(os.sched_getaffinity(0))
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(cores, mp_context=spawn, initializer=_alone) as pool:
        yield from pool.map(work, tasks)


def _alone() -> None:
    cv2.setNumThreads(1)
