"""The disputed second: a clip with what the referee knew in it, as its page shows them on one scrubber."""

import msgspec

from companion.core.events import Press
from companion.core.layout import SeenCard
from companion.core.wording import sentence
from companion.record.clip import Clip, ClipFrame, CountHeard, PressHeard, ReadingMade, SentenceSaid
from companion.record.match import Match
from companion.referee import press_order


class CardThen(msgspec.Struct, frozen=True):
    """A card as the camera had it."""

    name: str
    """Empty: it lay face down, or nobody could say which it was."""
    face_up: bool
    confidence: float
    guesses: tuple[str, ...]
    x: float
    y: float


class ReadingThen(msgspec.Struct, frozen=True):
    """What the camera made of one place, from then on."""

    at: float
    zone: str
    place: str
    """What people call it."""
    cards: tuple[CardThen, ...]


class SentenceThen(msgspec.Struct, frozen=True):
    """A ruling, a call or a refusal."""

    at: float
    kind: str
    rules: tuple[str, ...]
    line: int
    text: str
    """In the viewer's language; a clip of an older version knows it only in English."""


class Dispute(msgspec.Struct, frozen=True):
    """Everything about the seconds around a ruling. Times are seconds since the first picture."""

    frames: tuple[ClipFrame, ...]
    seconds: float
    players: tuple[str, ...]
    clock: float
    """The match clock at the first picture."""
    presses: tuple[PressHeard, ...]
    order: str
    """Who was ready first, in words."""
    counts: tuple[CountHeard, ...]
    readings: tuple[ReadingThen, ...]
    sentences: tuple[SentenceThen, ...]
    back: int
    """How many moves would have to be taken back for the ruling not to count any more; 0: none can."""


def dispute(clip: Clip, match: Match, language: str, back: int = 0) -> Dispute:
    told = clip.testimony
    told_at = [*(each.at for each in told.sentences), *(each.at for each in told.counts)]
    last = max([clip.frames[-1].at, *told_at, *(each.at for each in told.presses)])
    return Dispute(
        frames=clip.frames,
        seconds=round(last, 3),
        players=told.players,
        clock=told.clock,
        presses=told.presses,
        order=_order(told.presses, told.players, language),
        counts=told.counts,
        readings=tuple(_reading(each, match, language) for each in told.readings),
        sentences=tuple(_sentence(each, match, language) for each in told.sentences),
        back=back,
    )


def _order(presses: tuple[PressHeard, ...], players: tuple[str, ...], language: str) -> str:
    """Of each player the last press: the one that counted."""
    latest = {each.player: each for each in presses if each.player in players}
    heard = [
        Press(players.index(player), "ready", each.at, each.uncertainty, each.clock, each.stamp)
        for player, each in latest.items()
    ]
    told = press_order.sentence(heard, players)
    return "" if told is None else sentence(told, language)


def _sentence(each: SentenceSaid, match: Match, language: str) -> SentenceThen:
    text = each.text if each.said is None else sentence(each.said, language, match.name)
    return SentenceThen(each.at, each.kind, each.rules, each.line, text)


def _reading(reading: ReadingMade, match: Match, language: str) -> ReadingThen:
    def shown(card: SeenCard) -> CardThen:
        guesses = tuple(match.name(guess, language) or guess for guess in card.guesses)
        name = "" if card.card is None else match.name(card.card, language) or card.card
        return CardThen(name, card.face_up, card.confidence, guesses, card.x, card.y)

    place = match.name(reading.zone, language) or reading.zone
    return ReadingThen(reading.at, reading.zone, place, tuple(map(shown, reading.cards)))
