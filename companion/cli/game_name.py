"""The argument GAME of many commands."""

from typing import Any

import click

from companion.games import names


class GameName(click.ParamType[str]):
    """The name of a game that is here, in the tree or installed. Nothing is imported to find out."""

    name = "game"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value not in names():
            self.fail(f"{value!r} is not one of {', '.join(map(repr, names()))}.", param, ctx)
        return str(value)
