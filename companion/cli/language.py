"""The language of a command: one option for all that have it; what goes wrong is told in it, too."""

from collections.abc import Callable
from typing import Any

import click

from companion.core.wording import LANGUAGES, SOURCE

LANGUAGE = "language"
"""Where the chosen language is kept in the context's object."""


def language_option(text: str = "Of what is printed.") -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def remember(context: click.Context, _: click.Parameter, language: str) -> str:
        if context.obj is not None:
            context.obj[LANGUAGE] = language
        return language

    return click.option(
        "--language",
        type=click.Choice(LANGUAGES),
        default=SOURCE,
        show_default=True,
        is_eager=True,
        callback=remember,
        help=text,
    )
