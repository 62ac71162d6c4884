"""Clips for a dispute: which seconds are kept, and when they are written beside the kifu."""

from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from functools import partial

from companion.app.camera_feed import CameraFeed
from companion.app.clip_ring import ClipRing
from companion.core.events import Effect, Read, Said
from companion.record.clip import Still, Testimony, encode
from companion.record.evidence import CLIP, Evidence
from companion.referee.last_seconds import TOLD
from companion.referee.service import Service

BEFORE, AFTER = 7.0, 2.0
"""Seconds of a clip before the first thing that it is kept for, and after the last. The count of three is in it."""
TOGETHER = 5.0
"""Seconds within which several things share a clip. With the others that is less than the ring holds."""
WAITING = 4
"""Clips that may wait to be made smaller; on a machine that does not keep up the next are kept as they are."""
CLOSING = 5.0
"""Seconds that a table which closes waits for a clip that is being made; then it is kept as it is."""
Smaller = Callable[[Sequence[Still], tuple[int, int], Testimony], bytes]
"""Makes a clip as small as this machine can, and takes its time for that."""


@dataclass
class _Due:
    """A clip that is to be written."""

    first: float
    last: float
    lines: set[int] = field(default_factory=set)
    said: list[Said] = field(default_factory=list)


@dataclass
class _BeingMade:
    """A clip that is made smaller, and what it is kept for."""

    clip: Future[bytes]
    plain: Callable[[], bytes]
    """Makes it as it is, at once."""
    evidence: Evidence
    lines: list[int]
    calls: list[int]


class ClipKeeper:
    """`hear` is called under the table's lock and takes note; everything else happens in the camera's thread. Only
    making a clip smaller, which may take a second, has a thread of its own: the camera does not wait for it."""

    def __init__(self, ring: ClipRing | None = None, smaller: Smaller | None = None) -> None:
        """Without `smaller` clips are kept at once, as single pictures."""
        self.ring = ring or ClipRing()
        self._smaller = smaller
        self._maker = None if smaller is None else ThreadPoolExecutor(1, "clips")
        self._making: deque[_BeingMade] = deque()
        self._heard: deque[tuple[float, Read | Said]] = deque(maxlen=256)
        self._due: _Due | None = None
        self._told = False
        """Whether people were told that clips cannot be kept: once a match is enough."""

    def hear(self, effect: Effect, at: float) -> None:
        if isinstance(effect, Read) or (isinstance(effect, Said) and effect.kind in TOLD):
            self._heard.append((at, effect))

    def forget(self) -> None:
        """Another match begins, or none."""
        self._heard.clear()
        self._making.clear()
        self._due, self._told = None, False
        self.ring.clear()

    def look(self, feed: CameraFeed, service: Service) -> None:
        """After each look of the camera: take the frame, if it is a new one, and write what is due."""
        if service.lobby is not None or service.evidence.folder is None:
            return
        self._keep_made(service)
        self._gather()
        if self._due is not None and feed.frame_at > self._due.last + AFTER:
            self.write(service)  # before the new picture pushes out the seconds that it is about: there was a gap
        if feed.frame is not None:
            self.ring.take(feed.frame, feed.frame_at, busy=service.referee.stage in ("countdown", "reveal"))
        due, now = self._due, service.now()
        if due is not None and (now >= due.last + AFTER or now >= due.first + TOGETHER):
            self.write(service)

    def _gather(self) -> None:
        while self._heard:
            at, effect = self._heard.popleft()
            due = self._due = self._due or _Due(at, at)
            due.last = max(due.last, at)
            if isinstance(effect, Said) and not effect.line:
                due.said.append(effect)
            else:
                due.lines.add(effect.line)

    def write(self, service: Service) -> None:
        """Write the clip that is due now, if one is."""
        self._gather()
        due, self._due = self._due, None
        stills = [] if due is None else self.ring.between(due.first - BEFORE, due.last + AFTER)
        if due is None or not stills or service.evidence.folder is None:
            return
        start, end = stills[0].at, max(stills[-1].at, due.last)
        testimony, size = service.testimony(start, end), self.ring.size
        lines, calls = sorted(due.lines), service.numbers(due.said)
        plain = partial(encode, stills, size, testimony)
        if self._smaller is None or self._maker is None or len(self._making) >= WAITING:
            self._keep(service, plain(), lines, calls)
            return
        clip = self._maker.submit(self._smaller, stills, size, testimony)
        self._making.append(_BeingMade(clip, plain, service.evidence, lines, calls))

    def finish(self, service: Service) -> None:
        """The table closes: write what is due, and what is being made, smaller or not."""
        self.write(service)
        wait([each.clip for each in self._making], CLOSING)
        self._keep_made(service, closing=True)
        if self._maker is not None:
            self._maker.shutdown(wait=False, cancel_futures=True)

    def _keep_made(self, service: Service, *, closing: bool = False) -> None:
        while self._making and (closing or self._making[0].clip.done()):
            made = self._making.popleft()
            clip = made.clip.result() if made.clip.done() else made.plain()
            if service.lobby is None and service.evidence is made.evidence:  # else its match has left the table
                self._keep(service, clip, made.lines, made.calls)

    def _keep(self, service: Service, clip: bytes, lines: list[int], calls: Sequence[int]) -> None:
        evidence = service.evidence
        names = evidence.keep(clip, lines, calls, CLIP)
        if names:
            service.vouch_for(clip, [name + CLIP for name in names])
        elif evidence.trouble is not None and not self._told:
            self._told = True
            service.notice(evidence.trouble)
