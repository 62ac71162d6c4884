"""Cards written out in the card language, so that `script` reads them back as the same cards."""

from collections.abc import Iterable, Iterator

from companion.games.senjutsu.card_language import ability as a
from companion.games.senjutsu.hexes import STEPS, WAYS, Hex


def write_cards(cards: Iterable[a.Ability]) -> str:
    return "\n".join(write_card(card) for card in cards)


def write_card(card: a.Ability) -> str:
    rows = [f"card {card.name}", f"type {card.type}"]
    if card.rank:
        rows.append(f"rank {card.rank}")
    if card.number:
        rows += [f"number {card.number}", f"season {card.season}"]
    if card.sensei:
        rows.append("sensei")
    if card.needs:
        rows.append(f"needs {card.needs}")
    rows.append(f"origin {card.origin}{f': {card.note}' if card.note else ''}")
    if card.instant:
        rows.append(f"instant {card.instant}")
    speed = "=" if card.equal else "-".join(str(end) for end in card.speed)
    if speed:
        rows.append(f"speed {speed}")
    before = card.speed
    for at, segment in enumerate(card.segments):
        if at:
            mark = "-".join(str(end) for end in segment.speed)
            rows.append(f"--- {mark}" if segment.speed != before else "---")
            before = segment.speed
        rows += _lines(segment.lines, "")
    return "\n".join(rows) + "\n"


def describe(lines: a.Lines) -> str:
    """Lines in one row: `move up to 1, rotate up to 1`."""
    return ", ".join(_words(line) for line in lines)


def _lines(lines: a.Lines, indent: str) -> Iterator[str]:
    inner = indent + "  "
    for line in lines:
        match line:
            case a.InKamaeLine():
                yield f"{indent}in {', '.join(line.kamae)}:"
                yield from _lines(line.lines, inner)
            case a.MayLine():
                yield f"{indent}may:"
                yield from _lines(line.lines, inner)
            case a.OnHitLine():
                yield f"{indent}on hit:"
                yield from _lines(line.lines, inner)
            case a.EitherLine():
                for at, choice in enumerate(line.choices):
                    yield f"{indent}{'or' if at else 'either'}:"
                    yield from _lines(choice, inner)
            case a.AttackLine():
                yield indent + _words(line)
                marks = {hex: "x" if wound == line.harm.wound else str(wound) for hex, wound in line.hexes}
                yield from picture(marks, inner)
            case a.BlockLine():
                yield indent + _words(line)
                yield from picture(dict.fromkeys(line.hexes, "x"), inner)
                if line.then:
                    yield f"{indent}on block:"
                    yield from _lines(line.then, inner)
            case _:
                yield indent + _words(line)


def picture(marks: dict[Hex, str], indent: str = "") -> Iterator[str]:
    """The grid as a picture, the six hexes around the samurai always shown."""
    signs = {**dict.fromkeys(STEPS, "."), **marks, (0, 0): "^"}
    left, right = min(x for x, _ in signs), max(x for x, _ in signs)
    for y in range(max(y for _, y in signs), min(y for _, y in signs) - 1, -1):
        row = "".join(signs.get((x, y), " ") + " " for x in range(left, right + 1))
        yield (indent + row).rstrip()


def _words(line: a.AnyLine) -> str:
    match line:
        case a.AttackLine():
            return "attack" + _harm(line.harm)
        case a.BlockLine():
            return "block"
        case a.StepLine():
            ways = "" if len(line.ways) == 6 else "".join(f" {WAYS[way]}" for way in line.ways)
            return f"move {'up to ' if line.may else ''}{line.hexes}{ways}"
        case a.RotateLine():
            side = {-1: " left", 0: "", 1: " right"}[line.side]
            return f"rotate {'up to ' if line.may else ''}{line.sixths}{side}"
        case a.DrawLine():
            return f"draw {'up to ' if line.may else ''}{line.cards}"
        case a.DiscardLine() | a.ForcedDiscard():
            return f"discard {line.cards}"
        case a.SufferLine():
            return "suffer" + _harm(line.harm)
        case a.FoesLine():
            return "foes" + _harm(line.harm)
        case a.EveryoneLine():
            return "everyone" + _harm(line.harm)
        case a.AdvantageLine():
            return "advantage"
        case a.KamaeLine():
            return "kamae"
        case a.CostLine():
            return "cost" + _harm(line.harm) + (f" discard {line.discard}" if line.discard else "")
        case a.InKamaeLine():
            return f"in {', '.join(line.kamae)}: {describe(line.lines)}"
        case a.MayLine():
            return f"may {describe(line.lines)}"
        case a.OnHitLine():
            return f"on hit: {describe(line.lines)}"
        case a.EitherLine():
            return " or ".join(describe(choice) for choice in line.choices)


def _harm(harm: a.Harm) -> str:
    kinds = ("wound", "bleed", "stun", "push", "discard")
    return "".join(f" {kind} {getattr(harm, kind)}" for kind in kinds if getattr(harm, kind))
