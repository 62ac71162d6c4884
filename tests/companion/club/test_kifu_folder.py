"""What a table has to send: the matches begun there, in the order in which they were begun."""

from pathlib import Path

from companion.club.kifu_folder import KifuFolder
from companion.record.journal import DataFolder


def test_matches_are_sent_in_the_order_they_were_begun_whatever_game_and_clock(tmp_path: Path) -> None:
    with DataFolder(tmp_path) as folder:
        begun = []
        for game, stamp in (
            ("senjutsu", "2026-01-02-200000"),
            ("high_card", "2026-01-02-200000"),  # in the same second, and before it by the alphabet
            ("sen_so", "2026-01-01-000000"),  # the clock was set back by a day
        ):
            path = folder.new(game, stamp)
            path.write_text('{"kifu": 1}\n')
            begun.append(path.stem)

        assert list(KifuFolder(folder).written()) == begun
        assert list(KifuFolder(folder, since=begun[0]).written()) == begun[1:]
