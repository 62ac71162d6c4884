"""The build guide says what the programs do: pins, prices, pictures and the lines of the protocol."""

import itertools
import math
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from firmware_interface import protocol
from hardware import stand
from hardware.drawings import FOLDER, PICTURES
from hardware.panel import pins as panel_pins
from hardware.panel.main import LIGHTS
from hardware.timer import TimerPins
from hardware.wiring import PI, PICO, panel_wires, timer_wires

ROOT = Path(protocol.__file__).parent.parent
GUIDE = (ROOT / "hardware/README.md").read_text()
PROTOCOL = (ROOT / "docs/panel-protocol.md").read_text()


@pytest.mark.parametrize("name", PICTURES)
def test_the_pictures_in_the_tree_are_those_that_the_code_draws(name: str) -> None:
    assert (FOLDER / name).read_text() == PICTURES[name](), "run python -m hardware.drawings"
    assert f"pictures/{name}" in GUIDE


@pytest.mark.parametrize("draw", PICTURES.values())
def test_a_picture_is_well_formed_and_nothing_leaves_the_sheet(draw: object) -> None:
    root = ElementTree.fromstring(draw())  # type: ignore[operator]
    width, height = map(float, root.attrib["viewBox"].split()[2:])
    points = [
        tuple(map(float, pair.split(","))) for part in root.iter() for pair in part.attrib.get("points", "").split()
    ]
    texts = [(float(part.attrib["x"]), float(part.attrib["y"])) for part in root.iter() if part.tag.endswith("text")]

    assert len(points) > 20
    assert all(0 <= x <= width and 0 <= y <= height for x, y in [*points, *texts])


def test_every_pin_of_the_panel_is_wired_once() -> None:
    wired = [PICO.split()[wire.pin - 1] for wire in panel_wires()]
    used = [*panel_pins.BUTTONS[0], panel_pins.PIXELS_PIN, panel_pins.BUZZER_PIN]

    assert sorted(name for name in wired if name.startswith("GP")) == sorted(f"GP{gpio}" for gpio in used)
    assert len({wire.pin for wire in panel_wires()}) == len(wired)


def test_every_pin_of_the_timer_is_wired_once() -> None:
    pins = TimerPins()
    wired = [PI.split()[wire.pin - 1] for wire in timer_wires()]
    used = [pins.start, pins.reset, pins.buzzer, *pins.bar, pins.clock, pins.data]

    assert sorted(name for name in wired if name.startswith("GPIO")) == sorted(f"GPIO{gpio}" for gpio in used)
    assert len({wire.pin for wire in timer_wires()}) == len(wired)


def test_the_boards_have_forty_pins_with_ground_where_it_really_is() -> None:
    assert [pin for pin, name in enumerate(PICO.split(), 1) if "GND" in name] == [3, 8, 13, 18, 23, 28, 33, 38]
    assert [pin for pin, name in enumerate(PI.split(), 1) if name == "GND"] == [6, 9, 14, 20, 25, 30, 34, 39]
    assert len(PICO.split()) == len(PI.split()) == 40


def test_the_wiring_table_of_the_guide_is_that_of_the_picture() -> None:
    rows = re.findall(r"^\| (\d+) \| (\w+) \|", GUIDE, re.MULTILINE)

    assert rows == [(str(wire.pin), PICO.split()[wire.pin - 1]) for wire in sorted(panel_wires())]


def test_the_prices_add_up() -> None:
    totals = 0
    for table in GUIDE.split("| part |")[1:]:
        rows = re.findall(r"\| (\d+) \| ([\d.]+) \| ([\d.]+) \|", table)
        total = re.search(r"\*\*([\d.]+)\*\*", table)
        assert all(math.isclose(int(count) * float(each), float(cost)) for count, each, cost in rows)
        assert total is not None
        assert math.isclose(sum(float(cost) for _, _, cost in rows), float(total[1]))
        totals += 1

    assert totals == 2


def test_the_guide_explains_every_light() -> None:
    explained = GUIDE.split("| light | means |")[1].split("\n\n")[0]

    assert explained.count("\n") - 1 == len(LIGHTS) == len(protocol.PHASES)


def test_tabs_fit_their_slots() -> None:
    cheek = stand.cheek()
    upper, lower = cheek[2:6], cheek[8:12]

    for tab in (upper, lower):
        assert math.isclose(math.dist(tab[1], tab[2]), stand.TAB)
        assert math.isclose(math.dist(tab[0], tab[1]), stand.THICK)
    for depth, edge in ((stand.SLOPE, (cheek[1], cheek[6])), (stand.DEPTH, (cheek[7], cheek[0]))):
        assert math.isclose(math.dist(*edge), depth)
        for _, y, width, height in stand.slots(depth):
            assert (width, height) == (stand.THICK + stand.FIT, stand.TAB + stand.FIT)
            assert math.isclose(y + height / 2, depth / 2)


def test_tabs_point_outwards() -> None:
    xs, ys = zip(*stand.cheek(), strict=True)

    assert max(ys) == stand.BACK + stand.THICK
    assert min(xs) == 0
    upper = stand.cheek()[3]
    slope = (stand.BACK - stand.FRONT) / stand.DEPTH
    assert upper[1] < stand.BACK - stand.FRONT - slope * upper[0]


def test_holes_leave_wood_between_them() -> None:
    holes = [stand.READY, *stand.SMALL, *stand.LIGHTS]
    for one, other in itertools.combinations(holes, 2):
        assert math.dist(one[:2], other[:2]) >= (one[2] + other[2]) / 2 + 5
    for x, y, diameter in holes:
        assert stand.INSET + diameter / 2 + 5 < x < stand.WIDTH - stand.INSET - diameter / 2 - 5
        assert diameter / 2 + 5 < y < stand.SLOPE - diameter / 2 - 5


def test_the_lines_in_the_documentation_are_good_lines() -> None:
    lines = re.findall(r"[$>][0-9a-f]{2} [A-Z]+[ a-z0-9]*\*[0-9A-F]{4}", PROTOCOL)

    assert len(lines) == 9
    for line in lines:
        assert protocol.decode(line[:1].encode(), line.encode()) is not None, line


def test_the_documentation_names_every_verb_with_all_its_fields() -> None:
    for verbs in protocol.SAYS.values():
        for verb, fields in verbs.items():
            row = re.search(rf"^\| `{verb}` \|([^|]*)\|", PROTOCOL, re.MULTILINE)
            assert row is not None, verb
            named = [part for part in row[1].split(",") if part.strip()]
            widths = [int(width) for width in re.findall(r"`(\d+)`", row[1])]
            assert len(named) == len(fields), verb
            assert widths == [abs(field) for field in fields if isinstance(field, int)], verb
    for words in (protocol.PHASES, protocol.BUTTONS, protocol.KINDS):
        assert all(f"`{word}`" in PROTOCOL for word in words)
