"""The table's own key: it signs what the table has written, so that whoever has the file can see that it is unchanged.

`cryptography` is imported where it is needed: most commands never sign anything.
"""

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from companion.core.files import PRIVATE, NotWritten, set_aside, write_whole
from companion.core.message import Message, message
from companion.core.rulings import ShinpanError
from companion.record.kifu import Chain, Rest, Signed

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

FILE = "table.key"


class BadKey(ShinpanError):
    """A file that should hold the table's key and does not."""


class TableKey:
    """An Ed25519 key. Use `TableKey.kept`."""

    def __init__(self, private: "Ed25519PrivateKey") -> None:
        self._private = private
        self.public = private.public_key().public_bytes_raw().hex()

    @classmethod
    def kept(cls, data: Path) -> tuple["TableKey", Message | None]:
        """The key in this data folder, made if there is none; and what is to be said about it.

        A damaged one is set aside: what it has signed stays signed, and `shinpan verify` will say that the table has
        had two keys.
        """
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        path, notice = data / FILE, None
        try:
            return cls._load(path), None
        except FileNotFoundError:
            pass
        except BadKey as error:
            notice = set_aside(path, error.message)
        key = cls(Ed25519PrivateKey.generate())
        try:
            both = f"{key._private.private_bytes_raw().hex()} {key.public}\n"
            write_whole(path, both.encode(), rights=PRIVATE)
        except NotWritten as error:  # it holds for this run; the next start makes another
            notice = error.message
        return key, notice

    @classmethod
    def _load(cls, path: Path) -> "TableKey":
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        try:
            path.chmod(PRIVATE)
            with path.open("rb") as file:
                private, _, public = file.read(200).decode("ascii").strip().partition(" ")
            key = cls(Ed25519PrivateKey.from_private_bytes(bytes.fromhex(private)))
            if key.public == public:  # a flipped bit would make it another key, as good as any
                return key
        except FileNotFoundError:
            raise
        except (OSError, ValueError):
            pass
        raise BadKey(message("{file} does not hold the key of a table.", file=path.name))

    def sign(self, chain: Chain, rest: Rest) -> Signed:
        line = Signed(rest, chain.lines, chain.head.hex(), self.public, "")
        return msgspec.structs.replace(line, signature=self._private.sign(_signed_bytes(line)).hex())


def public_key(data: Path) -> str | None:
    """The public key of the table that keeps its data there, if there is one."""
    with suppress(BadKey, FileNotFoundError):
        return TableKey._load(data / FILE).public
    return None


def holds(line: Signed) -> bool:
    """Whether the key in that line has signed what the line says."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(line.key))
        key.verify(bytes.fromhex(line.signature), _signed_bytes(line))
    except (InvalidSignature, ValueError):
        return False
    return True


def _signed_bytes(line: Signed) -> bytes:
    return f"Shinpan kifu 1, {line.signed}, {line.lines} lines, {line.head}".encode()


def in_groups(key: str, shown: int = 16) -> str:
    """The beginning of a key or head as people compare it: 3f2a 9c01 77de 04b1."""
    return " ".join(key[at : at + 4] for at in range(0, shown, 4))
