"""How a table comes into a club: the desk makes a code, somebody types it in at the table, once."""

import secrets
from urllib.parse import urlsplit

import msgspec
from sqlalchemy.exc import IntegrityError

from companion.club.membership import BrokerAddress, Membership
from companion.club.store import KnownTable, Store
from companion.core.message import Thing, message
from companion.core.rulings import ShinpanError

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Without those that look alike."""
LENGTH = 10
"""Letters of a code: 50 bits, good for one table and one hour."""
LASTS = 3600
LONGEST_NAME = 40


class CannotJoin(ShinpanError):
    """A table does not come in, and why."""


class JoinRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    code: str
    key: str = ""
    """The public key that the table signs with."""
    software: str = ""


class JoinAnswer(msgspec.Struct, frozen=True, kw_only=True):
    venue: str
    venue_name: str
    table: str
    name: str
    secret: str
    broker: BrokerAddress
    authority: str = ""

    def membership(self, since: str, pages: str) -> Membership:
        return Membership(
            venue=self.venue,
            venue_name=self.venue_name,
            table=self.table,
            name=self.name,
            secret=self.secret,
            broker=self.broker,
            authority=self.authority,
            since=since,
            pages=pages,
        )


def new_code(store: Store, name: str, now: float) -> str:
    """A code for a table that is to have this name."""
    name = " ".join(name.split())
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise CannotJoin(message("A table's name has 1 to {most} letters.", most=LONGEST_NAME))
    if any(each.name.casefold() == name.casefold() for each in store.tables()):
        raise CannotJoin(message("A table called {name} is in this club already.", name=Thing("table", name)))
    code = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
    store.add_code(code, name, int(now) + LASTS)
    return code


def join(store: Store, asked: JoinRequest, now: float) -> KnownTable:
    """Let the table with this code in. Raises CannotJoin."""
    code = asked.code.upper().replace("-", "").replace(" ", "")
    name = store.use_code(code, int(now))
    if name is None:
        raise CannotJoin(message("That code is not good, or not any more: the desk makes a new one."))
    number = 1 + max((int(each.id[1:]) for each in store.tables()), default=int(store.setting("last table", "0")))
    table = KnownTable(f"t{number}", name, secrets.token_hex(16), asked.key[:64])
    try:
        store.add_table(table)
    except IntegrityError:
        raise CannotJoin(message("A table called {name} is in this club already.", name=Thing("table", name))) from None
    store.set("last table", str(number))
    return table


def spoken(code: str) -> str:
    """A code as people read it out: `K7Q29-FXM4H`."""
    return f"{code[: LENGTH // 2]}-{code[LENGTH // 2 :]}"


def parted(text: str, venue: str) -> tuple[str, str]:
    """Where to ask, and the code: from the whole address that the desk shows, or from a code and an address."""
    parts = urlsplit(text)
    if parts.scheme in ("http", "https") and parts.netloc:
        return f"{parts.scheme}://{parts.netloc}/", parts.path.rstrip("/").rpartition("/")[2]
    if not venue:
        raise CannotJoin(
            message("Give the whole address from the desk, or the code and --venue http://ADDRESS-OF-THE-VENUE:PORT/.")
        )
    return venue.rstrip("/") + "/", text
