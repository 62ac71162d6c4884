"""A press reaches the page over the whole way: pins, wire, referee, server, stream."""

from pathlib import Path

from tests.firmware_interface.press_to_page import press_to_page


def test_every_press_is_news_on_the_page(tmp_path: Path) -> None:
    """How fast is for the measured run to say (`python -m tests.firmware_interface.press_to_page`)."""
    assert len(press_to_page(tmp_path, 3)) == 3
