"""The words of the pages and scripts: the English text is the key, its translation goes along with the page."""

from msgspec import inspect

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


def move_names(match: Match, language: str) -> dict[str, str]:
    """Kind of move -> what people call it, for those that have a name."""
    union = inspect.type_info(match.game.rules.moves)
    structs = union.types if isinstance(union, inspect.UnionType) else (union,)
    kinds = [str(each.tag) for each in structs if isinstance(each, inspect.StructType)]
    return {kind: name for kind in kinds if (name := match.name(kind, language))}


def choose(asked: str | None, kept: str | None, accepted: str | None) -> str:
    """The language of a viewer: asked for in the address, kept from before, or what the browser prefers."""
    for wish in (asked, kept, accepted):
        if wish in LANGUAGES:
            return str(wish)
    return SOURCE
