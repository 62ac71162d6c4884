"""The page's own words. English is the key; what `web/it.po` knows goes to the browser with the page."""

from functools import cache
from importlib import resources

from babel.messages.pofile import read_po

from companion.core.message import message
from companion.core.wording import LANGUAGES, sentence, translate
from companion.record.match import Match

BACK = "back"


@cache
def for_scripts(language: str) -> dict[str, str]:
    """English -> that language, for everything the scripts may say; empty for English itself."""
    if language == "en":
        return {}
    with (resources.files("web") / f"{language}.po").open("rb") as lines:
        keys = [message.id for message in read_po(lines) if message.id and isinstance(message.id, str)]
    return {key: translate(key, language) for key in keys}


def card_name(match: Match, card: str, language: str) -> str:
    """What people call a card of this match."""
    return (
        translate("The back", language)
        if card == BACK
        else sentence(message("{card}", card=card), language, match.name)
    )


def choose(asked: str | None, kept: str | None, accepted: str | None) -> str:
    """The language of a viewer: asked for in the address, kept from before, or what the browser prefers."""
    for wish in (asked, kept, accepted):
        if wish in LANGUAGES:
            return str(wish)
    return "en"
