"""Our side of the benchmark: random matches, a long kifu replayed, and the camera path."""

import statistics
import time
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

from companion.core.layout import SeenPiece
from companion.games import game
from companion.games.kit.game import Game
from companion.record import kifu
from companion.record.match import Match
from companion.record.recorded_match import RecordedMatch, header
from companion.record.replay import Replay
from vision.calibration.calibrate import calibrate
from vision.calibration.projection import TableProjection
from vision.recognition.gallery import Gallery
from vision.simulation.scene import Lying, Scene, SceneRenderer
from vision.watching.watcher import Watcher

PLAYERS = ("Aki", "Ben", "Cho", "Dai")
MATCHES: dict[str, tuple[int, dict[str, Any]]] = {
    "sen_so": (2, {"end": {"actions": 25}}),
    "san_ni_ichi": (4, {}),
    "senjutsu": (2, {}),
    "sensu": (2, {}),
}
"""Game -> how many play, and the options of the match."""
LONGEST = 2000


def games() -> dict[str, Callable[[Random], int]]:
    return {f"Shinpan {game(name).title}": _player(game(name), *MATCHES[name]) for name in MATCHES}


def _player(chosen: Game, players: int, options: dict[str, Any]) -> Callable[[Random], int]:
    def play(random: Random) -> int:
        """Random legal moves until the match is over."""
        match = Match(chosen, PLAYERS[:players], options)
        for step in range(LONGEST):
            awaits = match.awaits
            if not awaits:
                return step
            player = random.choice(list(awaits)) if len(awaits) > 1 else next(iter(awaits))
            match.move(player, random.choice(chosen.rules.legal_moves(match.state, match.sealed, player)))
        return LONGEST

    return play


def replay_time() -> str:
    """A Sen So kifu of 300 moves, written as the service writes it, read and played again."""
    lines: list[bytes] = []
    check = kifu.START

    def write(fields: Any) -> int:
        nonlocal check
        line, check = kifu.write(fields, check)
        lines.append(line)
        return len(lines)

    match = Match(game("sen_so"), PLAYERS[:2], {"end": {"actions": 10_000}})
    write(header(match))
    record, random = RecordedMatch(match, write), Random(3)
    while match.moves < 300:
        player = random.choice(list(match.awaits))
        record.move(player, random.choice(match.game.rules.legal_moves(match.state, match.sealed, player)), 0.0)
    data = b"".join(lines)
    times = []
    for _ in range(15):
        began = time.process_time()
        Replay(data).finish()
        times.append(time.process_time() - began)
    return f"Replay of a Sen So kifu of {match.moves} moves: {statistics.median(times) * 1000:.1f} ms (goal: under 10)"


def round_cost() -> str:
    """A whole Senjutsu round (choose, reveal, resolve, discard, draw) as both cards grow longer."""
    costs = {lines: _round_of(lines) * 1e6 for lines in (1, 4, 16, 64)}
    told = ", ".join(f"{cost:.0f} with {lines}" for lines, cost in costs.items())
    line = (costs[64] - costs[1]) / (2 * 63)
    return f"Senjutsu: microseconds for a round of two cards: {told} lines each; a line more costs {line:.1f}"


def _round_of(lines: int) -> float:
    """Seconds of CPU time, with lines that ask nobody and hurt nobody."""
    body = ("attack wound 1 at B", "rotate 1 left", "block at F", "advantage")
    rows = ["card Kata", "type attack", "rank wood", "speed 5", *(body[at % len(body)] for at in range(lines))]
    options = {"cards": "\n".join(rows), "decks": {"kata": 40}}
    times = []
    for _ in range(7):
        match = Match(game("senjutsu"), PLAYERS[:2], options)
        began, first = time.process_time(), match.state.round
        while match.state.round < first + 25:
            for player in match.players:
                match.move(player, match.decode({"move": "select"}))
            for player in match.players:
                match.move(player, match.decode({"move": "reveal", "card": "kata"}))
        times.append((time.process_time() - began) / 25)
    return statistics.median(times)


def vision_speed() -> str:
    """Frames a second of the camera path on a four-player table: nothing new, and sixteen cards at once."""
    chosen = game("sen_so")
    state = Match(chosen, PLAYERS).state
    layout, deck = chosen.table.layout(state), chosen.table.deck(state)
    noise = np.random.default_rng(1)
    studio = SceneRenderer(layout, TableProjection.overhead(layout.width, layout.height))
    faces = [card.face for card in deck.cards.values()]
    gallery = Gallery.from_faces("sen_so", {name: card.face for name, card in deck.cards.items()}, deck.back)
    calibration = calibrate(studio.frame(Scene(), noise), layout)
    scenes = [
        Scene(
            tuple(
                Lying(faces[(shift + number) % len(faces)], zone.x, zone.y, zone.turn, holder_turn=zone.turn)
                for number, zone in enumerate(layout.zones)
            ),
            {10: SeenPiece(320, 320, 0)},
        )
        for shift in range(2)
    ]
    frames = [[studio.frame(scene, noise) for _ in range(6)] for scene in scenes]
    watcher = Watcher(layout, gallery, calibration)
    for frame in frames[0] * 10:  # enough quiet ones to prepare the gallery, too
        watcher.look(frame, 0.0)
    began = time.process_time()
    for turn in range(30):
        watcher.look(frames[0][turn % 6], 0.0)
    idle = (time.process_time() - began) / 30
    began = time.process_time()
    for turn in range(5):
        for frame in frames[(turn + 1) % 2]:
            watcher.look(frame, 0.0)
    busy = (time.process_time() - began) / 30
    height, width = frames[0][0].shape[:2]
    return (
        f"Vision at {width} x {height}: {1 / idle:.0f} frames/s when nothing changes, "
        f"{1 / busy:.0f} frames/s while all {len(layout.zones)} cards change every 6 frames (CPU time)"
    )
