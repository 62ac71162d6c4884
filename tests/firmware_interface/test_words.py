"""Names of ports and programs stay as they are in every language."""

from companion.core.message import message
from companion.core.wording import sentence


def test_ports_and_names_stay_as_they_are() -> None:
    user = message("{name} (process {number})", name="thonny", number="12")
    told = message("{port} is in use by {user}: close that first", port="/dev/ttyACM0", user=user)

    assert sentence(told, "it") == "/dev/ttyACM0 è usata da thonny (processo 12): chiudilo prima"
