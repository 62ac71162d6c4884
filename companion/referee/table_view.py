"""What the page shows, for one viewer in one language: plain data, ready to be sent."""

from typing import Any

import msgspec

from companion.core.events import Condition, Said
from companion.core.message import Message, Thing, message
from companion.core.rulings import Ruling
from companion.core.wording import Names, sentence
from companion.referee import press_order as presses
from companion.referee.referee import Referee

SHOWN = 40
"""Sentences sent with every page."""


def page(referee: Referee, viewer: str | None, language: str, at: float) -> dict[str, Any]:
    """`viewer` is a player's name, `referee`, or None for everybody else, who may know least."""
    match = referee.match
    seat = viewer if viewer in match.players else None
    limit = match.game.rules.time_limit(match.state)
    return {
        "game": match.game.name,
        "title": match.game.title,
        "players": match.players,
        "viewer": viewer,
        "view": msgspec.to_builtins(match.game.rules.view(match.state, seat)),
        "moves": match.moves,
        "stage": referee.stage,
        "count": referee.count,
        "paused": referee.paused,
        "awaited": sorted(match.awaits, key=match.players.index),
        "awaits": list(match.awaits.get(seat, ())) if seat else [],
        "prompts": {player: sentence(_prompt(referee, player), language) for player in match.players},
        "phases": {player: referee.phase(player) for player in match.players},
        "ready": [player for player in match.players if player in referee.ready],
        "choices": [msgspec.to_builtins(move) for move in referee.choices(seat)] if seat else [],
        "cursor": referee.cursor.get(seat, 0) if seat else 0,
        "clock": {
            "reached": round(referee.clock.read(at), 2),
            "running": referee.clock.running,
            "limit": limit,
            "now": at,
        },
        "order": _order(referee, language),
        "turned_up": _turned_up(referee),
        "advice": in_words(referee.advice, match.name, language),
        "said": [
            _sentence(number, said, match.name, language)
            for number, said in list(enumerate(referee.said, referee.spoken - len(referee.said)))[-SHOWN:]
        ],
        "senses": {name: _condition(each, language) for name, each in referee.senses.items()},
        "questions": [
            {
                "zone": zone,
                "place": match.name(zone, language) or zone,
                "guesses": card.guesses,
                "rotation": card.rotation,
            }
            for zone, card in referee.unsure.items()
        ],
        "over": match.over,
    }


def _prompt(referee: Referee, player: str) -> Message:
    """What is awaited from this player, in words that give nothing away."""
    kinds = referee.match.awaits.get(player, ())
    game = referee.match.game
    if referee.match.over:
        return message("The match is over.")
    if player in referee.reveal.called:
        return message("Press ready for the count of three.")
    if not kinds:
        return message("Waits for the others.")
    if any(kind in game.reveals.locks for kind in kinds):
        return game.rules.prompts.get(kinds[0], message("Lay the cards face down and press ready."))
    if any(kind in game.reveals.kinds for kind in kinds):
        if referee.stage == "reveal":
            return message("Turn up!")
        return (
            message("Waits for the others.")
            if player in referee.ready
            else message("Press ready for the count of three.")
        )
    return game.rules.prompts.get(kinds[0], message("Your choice."))


def _order(referee: Referee, language: str) -> str:
    """Who was ready first before the last count, and how sure that is."""
    told = presses.sentence(referee.reveal.presses, referee.match.players)
    return "" if told is None else sentence(told, language)


def _turned_up(referee: Referee) -> dict[str, Any]:
    """The cards of the last reveal, without those that are still sealed."""
    sealed = referee.match.sealed
    return {
        player: msgspec.to_builtins(move) for player, move in referee.turned_up.items() if sealed.get(player) != move
    }


def _sentence(number: int, said: Said, names: Names, language: str) -> dict[str, Any]:
    """Its facts go along where the sentence itself tells them, so that a page can draw what it says."""
    return {
        "number": number,
        "kind": said.kind,
        "rules": said.rules,
        "text": sentence(said.message, language, names),
        "facts": {
            name: _plain(fact) for name, fact in said.message.facts.items() if f"{{{name}}}" in said.message.template
        },
        "happened": msgspec.to_builtins(said.happened),
        "line": said.line,
    }


def in_words(help_: Any, names: Names, language: str) -> Any:
    """Plain data of a struct, its rulings as sentences."""
    if isinstance(help_, Ruling):
        return {"rules": (help_.rule,), "text": sentence(help_.message, language, names)}
    if isinstance(help_, msgspec.Struct):
        return {name: in_words(getattr(help_, name), names, language) for name in help_.__struct_fields__}
    if isinstance(help_, dict):
        return {name: in_words(value, names, language) for name, value in help_.items()}
    return [in_words(each, names, language) for each in help_] if isinstance(help_, tuple | list) else help_


def _condition(condition: Condition, language: str) -> str:
    return condition.state.value if condition.message is None else sentence(condition.message, language)


def _plain(fact: Any) -> Any:
    """TRANSITION: until scripts draw what happened and not what was said."""
    if isinstance(fact, Thing):
        return fact.id
    return [_plain(each) for each in fact] if isinstance(fact, list | tuple) else fact
