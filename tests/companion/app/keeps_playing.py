"""Goes on with the newest match of a data folder, move after move, and acknowledges each on standard output."""

import sys
from datetime import UTC, datetime
from pathlib import Path
from random import Random

from companion.app.match_store import begin, resume
from companion.games import game
from companion.record.journal import DataFolder


def main(path: Path, seed: int) -> None:
    random = Random(seed)
    with DataFolder(path) as folder:
        going_on = resume(folder, game("sen_so"))
        if going_on is None:
            options = {"end": {"actions": 10**6}}
            referee, _ = begin(folder, game("sen_so"), ["Aki", "Ben", "Cho"], options, datetime(2026, 1, 1, tzinfo=UTC))
        else:
            referee, _ = going_on
        match = referee.match
        print(f"resumed {match.moves}", flush=True)
        while not match.over:
            player = random.choice(list(match.awaits))
            options_now = match.game.rules.legal_moves(match.state, match.sealed, player)
            referee.record.move(player, random.choice(options_now), 0.0)
            print(match.moves, flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
