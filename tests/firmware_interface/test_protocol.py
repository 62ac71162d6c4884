"""The line codec: vectors, damage, and nothing accepted that was not said."""

import binascii
import json
import os
import subprocess
import sys
from importlib import resources
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_interface import protocol
from firmware_interface.damage import damage, lines
from tests.bench.panels import damaged

VECTORS = json.loads((resources.files("firmware_interface") / "vectors.json").read_text())
MARKERS = {"panel": protocol.PANEL, "host": protocol.HOST}


def fields() -> st.SearchStrategy[tuple[bytes, str, list[int | str]]]:
    """Everything that either side can say."""

    def value(field: object) -> st.SearchStrategy[int | str]:
        if isinstance(field, tuple):
            return st.sampled_from(field)
        assert isinstance(field, int)
        if field < 0:
            return st.text("0123456789abcdef", min_size=-field, max_size=-field)
        return st.integers(0, 16**field - 1)

    said = [(marker, verb, shape) for marker, verbs in protocol.SAYS.items() for verb, shape in verbs.items()]
    return st.sampled_from(said).flatmap(
        lambda line: st.tuples(st.just(line[0]), st.just(line[1]), st.tuples(*map(value, line[2])).map(list))
    )


def test_the_checksum_is_crc_16_ccitt() -> None:
    for vector in VECTORS["crc"]:
        data = bytes.fromhex(vector["bytes"])

        assert protocol.crc16(data) == vector["crc"] == binascii.crc_hqx(data, 0xFFFF)


@pytest.mark.parametrize("vector", VECTORS["good"], ids=lambda vector: vector["line"].strip())
def test_a_good_vector_reads_and_writes_as_printed(vector: dict[str, object]) -> None:
    marker, line = MARKERS[str(vector["from"])], str(vector["line"]).encode()
    values = vector["values"]
    assert isinstance(values, list)

    assert protocol.decode(marker, line[:-1]) == (vector["seq"], vector["verb"], values)
    assert protocol.encode(marker, int(str(vector["seq"])), str(vector["verb"]), *values) == line


@pytest.mark.parametrize("vector", VECTORS["bad"], ids=lambda vector: vector["what"])
def test_a_bad_vector_is_refused(vector: dict[str, str]) -> None:
    assert protocol.decode(protocol.PANEL, bytes.fromhex(vector["bytes"])) is None


@pytest.mark.parametrize("vector", VECTORS["recover"], ids=lambda vector: vector["what"])
def test_a_good_line_survives_the_rubbish_around_it(vector: dict[str, str]) -> None:
    wire = protocol.Lines(protocol.HOST, protocol.PANEL)

    assert wire.feed(bytes.fromhex(vector["bytes"]) + b"\n") == [(vector["seq"], vector["verb"], vector["values"])]


def test_the_vectors_name_everything_that_can_be_said() -> None:
    said = {(MARKERS[vector["from"]], vector["verb"]) for vector in VECTORS["good"]}

    assert said == {(marker, verb) for marker, verbs in protocol.SAYS.items() for verb in verbs}


def test_the_vectors_pass_under_a_real_micropython() -> None:
    """The codec is fed to the interpreter as it is; the vectors come in as a literal."""
    program = Path(__file__).with_name("vectors_in_micropython.py")
    home = os.environ | {"PYTHONPATH": str(Path(protocol.__file__).parent.parent)}
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, timeout=120, env=home)

    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {
        "implementation": "micropython",
        "passed": len(VECTORS["crc"]) + 2 * len(VECTORS["good"]) + len(VECTORS["recover"]) + len(VECTORS["bad"]),
        "failed": [],
    }


@given(fields(), st.integers(0, 255))
def test_what_is_written_is_read_back(said: tuple[bytes, str, list[int | str]], seq: int) -> None:
    marker, verb, values = said
    line = protocol.encode(marker, seq, verb, *values)

    assert protocol.decode(marker, line[:-1]) == (seq, verb, values)
    assert len(line) <= protocol.LONGEST
    assert line.endswith(b"\n")
    assert line.isascii()


@pytest.mark.parametrize(
    "words",
    [("SING",), ("PING",), ("PING", 1, 2), ("PING", 256), ("PING", -1), ("SHOW", 0, "asleep", 1)],
)
def test_what_the_protocol_cannot_say_is_not_sent(words: tuple[str, int | str]) -> None:
    with pytest.raises(ValueError, match=words[0]):
        protocol.encode(protocol.HOST, 0, *words)


@given(fields(), st.data())
def test_bytes_may_arrive_in_any_pieces(said: tuple[bytes, str, list[int | str]], data: st.DataObject) -> None:
    marker, verb, values = said
    wire = protocol.Lines(b"-", marker)
    line = protocol.encode(marker, 7, verb, *values) * 3
    cuts = sorted(data.draw(st.lists(st.integers(0, len(line)), max_size=5)))
    pieces = [line[start:end] for start, end in zip([0, *cuts], [*cuts, len(line)], strict=True)]

    assert [good for piece in pieces for good in wire.feed(piece)] == [(7, verb, values)] * 3
    assert wire.bad == 0


def test_our_own_words_echoed_by_a_terminal_count_as_nothing() -> None:
    wire = protocol.Lines(protocol.HOST, protocol.PANEL)

    assert wire.feed(wire.line("PING", 1) * 2) == []
    assert (wire.bad, wire.lost) == (0, 0)


def test_lost_and_damaged_lines_are_counted() -> None:
    panel = protocol.Lines(protocol.PANEL, protocol.HOST)
    host = protocol.Lines(protocol.HOST, protocol.PANEL)
    sent = [panel.line("ACK", number) for number in range(6)]

    host.feed(sent[0] + sent[3] + sent[4].replace(b"04", b"05") + sent[5])

    assert (host.lost, host.bad) == (3, 1)


def test_a_board_that_starts_again_has_lost_nothing() -> None:
    host = protocol.Lines(protocol.HOST, protocol.PANEL)
    for _ in range(2):
        panel = protocol.Lines(protocol.PANEL, protocol.HOST)
        host.feed(panel.line("HELLO", "panel", 1, 0, 256, "0" * 16, 1, 0) + panel.line("ACK", 1))

    assert host.lost == 0


def test_noise_without_end_takes_no_memory_and_does_not_hide_the_next_line() -> None:
    wire = protocol.Lines(protocol.HOST, protocol.PANEL)
    for _ in range(100):
        wire.feed(b"\xff" * 1000)

    good = protocol.encode(protocol.PANEL, 1, "ACK", 2)
    assert wire.feed(good + good) == [(1, "ACK", [2])] * 2
    assert len(wire._rest) <= protocol.LONGEST


def test_the_panels_clock_may_wrap_round() -> None:
    assert protocol.since(5, protocol.TICKS - 5) == 10
    assert protocol.since(protocol.TICKS - 5, 5) == -10


def test_of_many_damaged_lines_none_is_taken_for_something_that_was_not_said() -> None:
    """A quick share of the million that `make bench-panels` reads."""
    hurt = damage(lines(seed=1), count=40_000, seed=2)
    wrong = [(line, read) for line, read in hurt if protocol.decode(line[:1], read) is not None]

    assert wrong == []


@pytest.mark.long
def test_of_a_million_damaged_lines_none_is_taken_for_something_that_was_not_said() -> None:
    assert damaged(1_000_000)[0] == 0
