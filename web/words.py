"""The words of the pages and scripts: the English text is the key, its translation goes along with the page."""

from companion.core.message import Thing
from companion.core.wording import LANGUAGES, SOURCE, texts, translate
from companion.record.match import Match

BACK = "back"


def for_scripts(language: str) -> dict[str, str]:
    """English text -> the same in that language, for everything that scripts may say; empty for English itself."""
    return {} if language == SOURCE else texts("web", language)


def card_name(match: Match, card: str, language: str) -> str:
    """What people call a card of this match."""
    if card == BACK:
        return translate("The back", language)
    return match.name(card, language) or str(Thing("card", card))


def choose(asked: str | None, kept: str | None, accepted: str | None) -> str:
    """The language of a viewer: asked for in the address, kept from before, or what the browser prefers."""
    for wish in (asked, kept, accepted):
        if wish in LANGUAGES:
            return str(wish)
    return SOURCE
