"""What a club may ask of a table that stays on: a match of a tournament, or one that was begun at another table."""

import time
from contextlib import suppress
from datetime import datetime
from importlib.metadata import version

from msgspec.structs import replace

from companion.app.match_store import reopen
from companion.app.table import Table
from companion.club.kifu_folder import KifuFolder
from companion.club.member import Member
from companion.club.membership import Membership
from companion.club.payloads import Order, TakeOver
from companion.club.results import order_of
from companion.core.events import Tap
from companion.core.files import PRIVATE, write_whole
from companion.core.message import message
from companion.core.rulings import Refused, ShinpanError
from companion.games import names
from companion.record import kifu
from companion.record.journal import DataFolder
from companion.referee.lobby import PLACES, at_field
from companion.referee.service import Service
from web.pins import Pins


class TableInClub:
    """Safe to call from any thread: everything is done under the table's lock."""

    def __init__(self, table: Table, folder: DataFolder) -> None:
        self._table, self._folder = table, folder

    @property
    def service(self) -> Service:
        return self._table.running.service

    @property
    def order(self) -> str:
        return self._table.arrangement.order

    def in_play(self) -> tuple[str, int] | None:
        return self._table.in_play

    def has_line(self, text: str) -> bool:
        live = self._table.in_play
        if live is None:
            return False
        with suppress(ShinpanError):
            return text.encode() in kifu.load(self._folder.matches / f"{live[0]}.kifu")
        return False

    def summon(self, order: Order) -> None:
        with self.service.held():
            if self.service.lobby is None and not self._make_room(order):
                return  # it is being played here, or has been
            if order.take_over is not None and order.start:
                self._take_over(order, order.take_over)
                return
            self._arrange(order)
            if order.start:
                refusal = self.service.submit(Tap("", "start", {}, self.service.now())).refusal
                if refusal is not None:
                    raise Refused(refusal.rules, refusal.message, refusal.field)

    def _make_room(self, order: Order) -> bool:
        """Whether the table is free for it now. What is played here is played to its end."""
        if self.order == order.id:
            return False
        if not self.service.referee.match.over:
            raise Refused("TABLE-4", message("Another match is being played at this table."))
        self.service.go_on("lobby")
        return True

    def _arrange(self, order: Order) -> None:
        lobby = self.service.lobby
        assert lobby is not None
        if order.game not in names():
            raise at_field("game", message("There is no game called {name} at this table.", name=order.game))
        made = replace(
            lobby.arrangement,
            seats=(*order.players, *[""] * (PLACES - len(order.players))),
            game=order.game,
            options={**lobby.arrangement.options, order.game: order.options},
            with_phone=(),
            order=order.id,
            order_title=order.title,
        )
        if made == lobby.arrangement:
            return
        lobby.summon(made)
        pins: Pins = self._table.running.app.extensions["shinpan"]["pins"]
        for place, name in enumerate(made.seats):
            if name and pins.seats[place].name != name:
                pins.renew(place, name)  # whoever sat there before is logged out
        self.service.freshen()

    def _take_over(self, order: Order, taken: TakeOver) -> None:
        """Go on with a match from its kifu. However often it is asked for, the file is written once."""
        known = [path for path in self._folder.begun(order.game) if _is_for(path.read_bytes()[:20_000], order.id)]
        path = known[0] if known else self._folder.new(order.game, datetime.now().strftime("%Y-%m-%d-%H%M%S"))
        if not known:
            write_whole(path, "\n".join(taken.lines).encode() + b"\n", rights=PRIVATE)
        found = reopen(self._folder, path)
        if found is None:
            raise ShinpanError(message("The match of the other table cannot go on here: its kifu is damaged."))
        self._table.adopt_order(*found, order.id, order.title)


def _is_for(beginning: bytes, order: str) -> bool:
    return order_of(beginning.decode("utf-8", "replace").splitlines()[:4]) == order


def member_of(membership: Membership, table: Table, folder: DataFolder) -> Member:
    here = TableInClub(table, folder)
    kifus = KifuFolder(folder, membership.since, here.in_play)
    return Member(membership, here, kifus, version("shinpan"), time.monotonic)
