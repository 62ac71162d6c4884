"""Which lines go out when: only the venue's own word counts."""

from companion.club.outbox import AGAIN, MOST_LINES, Outbox, Span
from companion.club.payloads import Acks, MatchHead


def acked(**lines: int) -> Acks:
    return Acks(matches=tuple(MatchHead(match, count) for match, count in lines.items()))


def test_nothing_is_sent_before_the_venue_has_said_what_it_has() -> None:
    outbox = Outbox()

    assert list(outbox.due({"m": 3}, 0.0)) == []
    assert outbox.unknown({"m": 3}) == ["m"]


def test_a_piece_is_sent_again_until_the_venue_has_it() -> None:
    outbox = Outbox()
    outbox.take(acked(m=0))

    assert list(outbox.due({"m": 3}, 0.0)) == [Span("m", 1, 3)]
    assert list(outbox.due({"m": 3}, AGAIN / 2)) == []
    assert list(outbox.due({"m": 3}, AGAIN)) == [Span("m", 1, 3)]
    outbox.take(acked(m=3))
    assert list(outbox.due({"m": 3}, 100.0)) == []


def test_the_next_lines_follow_at_once_when_the_venue_gets_on() -> None:
    outbox = Outbox()
    outbox.take(acked(m=0))
    many = 2 * MOST_LINES

    assert list(outbox.due({"m": many}, 0.0)) == [Span("m", 1, MOST_LINES)]
    outbox.take(acked(m=MOST_LINES))
    assert list(outbox.due({"m": many}, 0.01)) == [Span("m", MOST_LINES + 1, many)]


def test_an_acknowledgement_that_comes_late_takes_nothing_back() -> None:
    outbox = Outbox()
    outbox.take(acked(m=5))
    outbox.take(acked(m=2))

    assert outbox.unsent({"m": 5}) == 0


def test_a_venue_that_comes_back_with_less_gets_it_all() -> None:
    outbox = Outbox()
    outbox.take(acked(m=5))
    outbox.forget()
    outbox.take(acked(m=1))

    assert list(outbox.due({"m": 5}, 0.0)) == [Span("m", 2, 5)]
