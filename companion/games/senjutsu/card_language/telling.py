"""Lines of a card as people read them: messages, where `scribe` writes the card language itself."""

from companion.core.message import Message, message, plural, things
from companion.games.senjutsu.card_language import ability as a
from companion.games.senjutsu.hexes import WAYS


def tell(lines: a.Lines) -> Message:
    """What these lines do, one after the other."""
    if len(lines) == 1:
        return _line(lines[0])
    return message("{lines}", lines=tuple(_line(line) for line in lines))


def tell_choices(choices: tuple[a.Lines, ...]) -> Message:
    """`move up to 1 or kamae`."""
    told = tell(choices[0])
    for choice in choices[1:]:
        told = message("{one} or {other}", one=told, other=tell(choice))
    return told


def _line(line: a.AnyLine) -> Message:
    match line:
        case a.StepLine():
            return _step(line)
        case a.RotateLine():
            return _rotate(line)
        case a.DrawLine():
            up_to = message("draw up to {number}", number=line.cards)
            return up_to if line.may else message("draw {number}", number=line.cards)
        case a.DiscardLine() | a.ForcedDiscard():
            return message("discard {number}", number=line.cards)
        case a.BlockLine():
            return message("block")
        case a.AdvantageLine():
            return message("advantage")
        case a.KamaeLine():
            return message("kamae")
        case a.InKamaeLine():
            return message("in {kamae}: {lines}", kamae=things("kamae", line.kamae), lines=tell(line.lines))
        case a.MayLine():
            return message("may {lines}", lines=tell(line.lines))
        case a.OnHitLine():
            return message("on hit: {lines}", lines=tell(line.lines))
        case a.EitherLine():
            return tell_choices(line.choices)
        case _:
            return _harming(line)


def _harming(line: a.AttackLine | a.SufferLine | a.FoesLine | a.EveryoneLine | a.CostLine) -> Message:
    harm = _harm(line.harm, line.discard if isinstance(line, a.CostLine) else 0)
    match line:
        case a.AttackLine():
            return message("attack: {harm}", harm=harm) if harm else message("attack")
        case a.SufferLine():
            return message("suffer {harm}", harm=harm)
        case a.FoesLine():
            return message("every opponent: {harm}", harm=harm)
        case a.EveryoneLine():
            return message("everyone: {harm}", harm=harm)
        case a.CostLine():
            return message("cost: {harm}", harm=harm)


def _step(line: a.StepLine) -> Message:
    number, ways = line.hexes, " ".join(WAYS[way] for way in line.ways)
    if len(line.ways) == len(WAYS):
        return message("move up to {number}", number=number) if line.may else message("move {number}", number=number)
    if line.may:
        return message("move up to {number} {ways}", number=number, ways=ways)
    return message("move {number} {ways}", number=number, ways=ways)


def _rotate(line: a.RotateLine) -> Message:
    number = line.sixths
    if line.side < 0:
        up_to = message("rotate up to {number} left", number=number)
        return up_to if line.may else message("rotate {number} left", number=number)
    if line.side > 0:
        up_to = message("rotate up to {number} right", number=number)
        return up_to if line.may else message("rotate {number} right", number=number)
    return message("rotate up to {number}", number=number) if line.may else message("rotate {number}", number=number)


def _harm(harm: a.Harm, discard: int) -> tuple[Message, ...]:
    discard += harm.discard
    parts = (
        (harm.wound, plural("{count} wound", "{count} wounds", harm.wound)),
        (harm.bleed, plural("{count} bleeding wound", "{count} bleeding wounds", harm.bleed)),
        (harm.stun, plural("{count} stun", "{count} stuns", harm.stun)),
        (harm.push, plural("pushed {count} hex", "pushed {count} hexes", harm.push)),
        (discard, plural("discard {count} card", "discard {count} cards", discard)),
    )
    return tuple(told for count, told in parts if count)
