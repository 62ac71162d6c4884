"""Clips as H.264 where this machine can write it, and back to single pictures.

The OpenCV that we ship reads H.264 and cannot write it. FFmpeg can, where it is installed: on the encoder of a
Raspberry Pi 4, or with x264 or OpenH264. That an encoder is listed says little, a Pi 5 lists one that it does not have;
so each is given a small film first, and has to give every picture of it back.
"""

import logging
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache
from itertools import pairwise

import cv2
import numpy as np

from companion.core.message import message
from companion.core.rulings import ShinpanError
from companion.record.clip import H264, RATE, Still, Testimony, decode, encode

log = logging.getLogger("shinpan")

ENCODERS = {
    "h264_v4l2m2m": ("-b:v", "2M"),
    "libx264": ("-preset", "veryfast", "-crf", "20"),
    "libopenh264": ("-b:v", "2M"),
}
"""Those that are tried, the cheapest for the processor first, each with what it is to aim at."""
PATIENCE = 20.0
"""Seconds for one clip; a Raspberry Pi takes less than one."""
QUALITY = 85
"""Of the pictures that a film is turned back into."""
TRIAL = 12
"""Pictures of the film that an encoder is tried with."""
ALIKE = 12.0
"""Levels by which a picture may differ from what it was, on average."""
_UNIT = re.compile(rb"\x00?\x00\x00\x01\x09")
"""Where the next picture begins in a stream of H.264 with access unit delimiters."""


class NotFilmed(ShinpanError):
    """These pictures could not be made into a film, or the film not into pictures."""


def smallest_clip(stills: Sequence[Still], size: tuple[int, int], testimony: Testimony) -> bytes:
    """The clip as H.264, or as Motion-JPEG where that is not possible, or no smaller. It takes its time."""
    plain, encoder = encode(stills, size, testimony), best_encoder()
    if not encoder:
        return plain
    try:
        return min(_filmed(stills, size, testimony, encoder), plain, key=len)
    except (NotFilmed, cv2.error) as error:
        log.warning("A clip is kept as single pictures: %s", error)
        return plain


@cache
def best_encoder() -> str:
    """The first encoder that really works on this machine; empty: none does."""
    if shutil.which("ffmpeg") is None:
        return ""
    found = next((encoder for encoder in ENCODERS if _works(encoder)), "")
    log.info("Clips are written as %s.", f"H.264 by {found}" if found else "single pictures")
    return found


def pictures(film: bytes) -> list[bytes]:
    """Every picture of a clip in H.264 as a JPEG; raises NotFilmed where one is missing."""
    clip = decode(film)
    width, height = clip.size
    with tempfile.NamedTemporaryFile(suffix=".avi") as file:
        file.write(film)
        file.flush()
        reader = cv2.VideoCapture(file.name, cv2.CAP_FFMPEG)
        found: list[bytes] = []
        while len(found) < len(clip.frames):
            done, picture = reader.read()
            if not done:
                break
            found.append(_jpeg(picture[:height, :width]))
        reader.release()
    if len(found) != len(clip.frames):
        raise NotFilmed(message("The film has {count} pictures.", count=len(found)))
    return found


def _filmed(stills: Sequence[Still], size: tuple[int, int], testimony: Testimony, encoder: str) -> bytes:
    units = _encoded([still.jpeg for still in stills], encoder)
    if len(units) != len(stills):
        raise NotFilmed(message("The film has {count} pictures.", count=len(units)))
    parts = [Still(still.at, unit) for still, unit in zip(stills, units, strict=True)]
    return encode(parts, size, testimony, H264)


def _encoded(jpegs: Sequence[bytes], encoder: str) -> list[bytes]:
    """The same pictures in H.264, one part of the stream for each; the first depends on no other."""
    # H.264 has colours for every second pixel, so the picture gets an even number of them.
    even = "pad=ceil(iw/2)*2:ceil(ih/2)*2"
    command = [
        *("nice", "-n", "10", "ffmpeg", "-v", "error", "-threads", "1"),
        *("-f", "image2pipe", "-c:v", "mjpeg", "-framerate", str(RATE), "-i", "pipe:0"),
        *("-vf", even, "-pix_fmt", "yuv420p", "-c:v", encoder, *ENCODERS[encoder], "-bf", "0", "-g", "600"),
        *("-threads", "1", "-fps_mode", "passthrough", "-bsf:v", "h264_metadata=aud=insert", "-f", "h264", "pipe:1"),
    ]
    try:
        ran = subprocess.run(command, input=b"".join(jpegs), capture_output=True, timeout=PATIENCE, check=False)
    except (OSError, subprocess.SubprocessError) as error:
        raise NotFilmed(message("FFmpeg does not run: {detail}", detail=str(error))) from None
    if ran.returncode:
        told = ran.stderr.decode(errors="replace").strip().splitlines()
        raise NotFilmed(message("FFmpeg: {detail}", detail=told[-1] if told else str(ran.returncode)))
    starts = [found.start() for found in _UNIT.finditer(ran.stdout)]
    return [ran.stdout[at:end] for at, end in pairwise([*starts, len(ran.stdout)])]


def _works(encoder: str) -> bool:
    """Whether a film of a moving square comes back picture by picture. Its sides are odd on purpose."""
    frames = []
    for number in range(TRIAL):
        frame = np.full((181, 321, 3), 60, np.uint8)
        frame[40:120, 10 + 20 * number : 60 + 20 * number] = (40, 200, 230)
        frames.append(frame)
    stills = [Still(number / RATE, _jpeg(frame)) for number, frame in enumerate(frames)]
    try:
        back = pictures(_filmed(stills, (321, 181), Testimony(), encoder))
    except (NotFilmed, cv2.error) as error:
        log.info("No clips by %s: %s", encoder, error)
        return False
    shown = [cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR) for jpeg in back]
    return all(
        one is not None and one.shape == other.shape and cv2.absdiff(one, other).mean() < ALIKE
        for one, other in zip(shown, frames, strict=True)
    )


def _jpeg(picture: np.ndarray) -> bytes:
    done, jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    assert done
    return jpeg.tobytes()
