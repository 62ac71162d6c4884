"""Clips for a dispute: which seconds are kept, and when they are written beside the kifu."""

from collections import deque
from dataclasses import dataclass, field

from companion.app.camera_feed import CameraFeed
from companion.app.clip_ring import ClipRing
from companion.core.events import Effect, Read, Said
from companion.record.clip import encode
from companion.record.evidence import CLIP
from companion.referee.last_seconds import TOLD
from companion.referee.service import Service

BEFORE, AFTER = 7.0, 2.0
"""Seconds of a clip before the first thing that it is kept for, and after the last. The count of three is in it."""
TOGETHER = 5.0
"""Seconds within which several things share a clip. With the others that is less than the ring holds."""


@dataclass
class _Due:
    """A clip that is to be written."""

    first: float
    last: float
    lines: set[int] = field(default_factory=set)
    said: list[Said] = field(default_factory=list)


class ClipKeeper:
    """`hear` is called under the table's lock and takes note; everything else happens in the camera's thread."""

    def __init__(self, ring: ClipRing | None = None) -> None:
        self.ring = ring or ClipRing()
        self._heard: deque[tuple[float, Read | Said]] = deque(maxlen=256)
        self._due: _Due | None = None
        self._told = False
        """That clips cannot be kept has been said; it is said once a match."""

    def hear(self, effect: Effect, at: float) -> None:
        if isinstance(effect, Read) or (isinstance(effect, Said) and effect.kind in TOLD):
            self._heard.append((at, effect))

    def forget(self) -> None:
        """Another match begins, or none."""
        self._heard.clear()
        self._due, self._told = None, False
        self.ring.clear()

    def look(self, feed: CameraFeed, service: Service) -> None:
        """After each look of the camera: take the frame, if it is a new one, and write what is due."""
        if service.lobby is not None or service.evidence.folder is None:
            return
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
        clip = encode(stills, self.ring.size, service.testimony(start, end))
        evidence = service.evidence
        names = evidence.keep(clip, sorted(due.lines), service.numbers(due.said), CLIP)
        if names:
            service.vouch_for(clip, [name + CLIP for name in names])
        elif evidence.trouble is not None and not self._told:
            self._told = True
            service.notice(evidence.trouble)
