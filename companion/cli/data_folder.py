"""The data folder of a command: one option for all that have it. Without it, the one of the configuration."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from companion.upkeep.config import configured


def data_option(text: str = "The data folder.") -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    return click.option(
        "--data",
        type=click.Path(path_type=Path, file_okay=False),
        default=lambda: configured().data,
        show_default="that of the configuration, or ./data",
        help=text,
    )
