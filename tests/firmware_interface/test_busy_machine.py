"""A machine that is busy with other things must not cost a panel its link."""

import os
import tty

import pytest
from serial.serialutil import Timeout

from firmware_interface.ports import open_port


def test_a_line_that_was_written_counts_although_the_machine_stopped_in_the_middle(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """pyserial looks at its clock after the writing: half a second's pause there once unplugged a healthy panel."""
    panel, host = os.openpty()
    tty.setraw(host)
    port = open_port(os.ttyname(host))
    passed = [0.0]
    write = os.write

    def stalled(end: int, data: bytes) -> int:
        written = write(end, data)
        passed[0] += 0.5
        return written

    monkeypatch.setattr(Timeout, "TIME", staticmethod(lambda: passed[0]))
    monkeypatch.setattr(os, "write", stalled)
    try:
        assert port.write(b"hello\n") == 6
        assert os.read(panel, 64) == b"hello\n"
    finally:
        port.close()
        os.close(panel)
        os.close(host)
