"""A sentence about each setting, in the order in which people read them: for the commented file and for the page."""

from typing import Any

import msgspec

from companion.core.message import Message, message
from companion.core.wording import SOURCE, sentence
from companion.upkeep.config import DEFAULTS
from companion.upkeep.toml_text import as_toml

WIDTH = 100


class Setting(msgspec.Struct, frozen=True):
    name: str
    about: Message
    live: bool = False
    """A new value holds at once; of the others, from the next start on."""
    secret: bool = False
    """Not to be shown in reports and on pages."""
    page: bool = True
    """It can be changed on the page of settings."""
    sample: Any = None
    """What the commented file shows where the default shows nothing."""


class SettingGroup(msgspec.Struct, frozen=True):
    title: Message
    settings: tuple[Setting, ...]


GROUPS = (
    SettingGroup(
        message("The house"),
        (
            Setting(
                "data",
                message("The folder of matches, cards and measurements. Seen from this file."),
                page=False,
            ),
            Setting(
                "language",
                message("The language of pages and messages, en or it. Empty: that of each browser."),
                live=True,
            ),
            Setting(
                "referee_pin",
                message("The referee's PIN, 6 to 12 digits. Empty: one is made at the first start and kept."),
                live=True,
                secret=True,
            ),
            Setting(
                "seat_pins",
                message("The PIN that a player has at any seat; others get one that is made up."),
                live=True,
                secret=True,
                page=False,
                sample={"Aki": "135791"},
            ),
            Setting(
                "lobby_for",
                message("Who may seat people and start matches: everyone in the house, players or the referee."),
                live=True,
            ),
            Setting("review", message("A result counts only when the referee has confirmed it."), live=True),
        ),
    ),
    SettingGroup(
        message("Camera"),
        (
            Setting(
                "camera",
                message("auto, none, phone, v4l2:DEVICE, picamera2, file:VIDEO or images:FOLDER."),
            ),
            Setting(
                "camera_for",
                message(
                    "Whose pages show the camera's picture: referee, everyone, delayed (as the table lay after the "
                    "last reveal) or masked (live, with covered cards painted over)."
                ),
            ),
            Setting(
                "idle_frames",
                message("Looks a second while nobody is at the table; a hand or a press wakes the camera."),
                live=True,
            ),
        ),
    ),
    SettingGroup(
        message("Panels and timer"),
        (
            Setting("panels", message("auto, none, or device paths and URLs.")),
            Setting("timer", message("A timer panel on this machine's own pins: none, gpio or simulated.")),
            Setting(
                "timer_pins",
                message("Its wiring, where it differs from the build guide."),
                page=False,
                sample={"start": 17, "bar": [5, 6, 13]},
            ),
        ),
    ),
    SettingGroup(
        message("Network"),
        (
            Setting("host", message("The address that pages are served on; 0.0.0.0 is all of them.")),
            Setting("port", message("The port of the pages; 80 needs no number in the address.")),
            Setting("tls", message("Encrypted pages, with a certificate that phones are told to trust once.")),
            Setting(
                "webhooks",
                message(
                    "Addresses that are told of countdowns, rulings and wins, signed with the secret in webhook.key "
                    "among the data."
                ),
                page=False,
                secret=True,  # whoever has such an address can often write to it
                sample=("https://club.example/shinpan",),
            ),
            Setting(
                "api_origins",
                message("Sites whose pages may read /api/v1 in a browser; programs need no leave."),
                page=False,
                sample=("https://club.example",),
            ),
        ),
    ),
    SettingGroup(
        message("Backups"),
        (
            Setting("backup_every", message("How often one is made by itself: day, week or never."), live=True),
            Setting("backup_keep", message("How many are kept."), live=True),
            Setting("backup_folder", message("Where. Empty: the folder backups among the data."), live=True),
            Setting("backup_pictures", message("With the pictures of rulings; they are large."), live=True),
            Setting(
                "backup_usb",
                message("On a USB stick when one is plugged in: ask (once for each stick), always or never."),
                live=True,
            ),
            Setting(
                "events_kept",
                message("Of how many matches the events are kept for reports of faults, without pictures."),
                live=True,
            ),
        ),
    ),
    SettingGroup(
        message("A match that begins at once"),
        (
            Setting("game", message("The game that the table begins with. Empty: the lobby asks."), page=False),
            Setting("players", message("Its players, in seat order."), page=False, sample=("Aki", "Ben")),
            Setting(
                "options",
                message("Its options, as in the header of a kifu."),
                page=False,
                sample={"end": {"actions": 25}},
            ),
        ),
    ),
)
SETTINGS = {setting.name: setting for group in GROUPS for setting in group.settings}


def example(values: dict[str, Any] | None = None, language: str = SOURCE) -> str:
    """The commented file: every setting with its default, commented out, but for the `values` that are given."""
    values = values or {}
    lines = _comment(
        sentence(
            message(
                "The configuration of a Shinpan table. What is commented out shows the default. What is given on the "
                "command line counts first, then the environment (SHINPAN_PORT=8081), then this file. "
                "`shinpan config check` says what is wrong with it, `shinpan config show` where each value comes from."
            ),
            language,
        )
    )
    for group in GROUPS:
        title = sentence(group.title, language)
        lines += ["", f"# --- {title} {'-' * (WIDTH - len(title) - 7)}"]
        for setting in group.settings:
            lines += ["", *_comment(sentence(setting.about, language))]
            if setting.name in values:
                lines.append(f"{setting.name} = {as_toml(values[setting.name])}")
            else:
                shown = getattr(DEFAULTS, setting.name) if setting.sample is None else setting.sample
                lines.append(f"# {setting.name} = {as_toml(shown)}")
    return "\n".join(lines) + "\n"


def _comment(text: str) -> list[str]:
    lines, line = [], "#"
    for word in text.split():
        if len(line) + len(word) >= WIDTH:
            lines.append(line)
            line = "#"
        line += " " + word
    return [*lines, line]
