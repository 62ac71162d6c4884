"""Sen So before a match: its options in words, and the matches that the booklet advises."""

from companion.core.message import message, plural
from companion.games.kit.set_up import Choice, OptionWords, Preset, SetUp
from companion.games.sen_so.state import SenSoOptions
from companion.games.sen_so.tile import TILE

MINUTES, ACTIONS, POINTS = (10, 15, 20, 30, 45, 60), (10, 15, 25, 40, 50), (15, 20, 30, 50)
ENDS = (
    *(Choice({"time": 60 * each}, plural("{count} minute", "{count} minutes", each), "SEN-71") for each in MINUTES),
    *(Choice({"actions": each}, plural("{count} action", "{count} actions", each), "SEN-72") for each in ACTIONS),
    *(Choice({"points": each}, message("First to {points} points", points=each), "SEN-73") for each in POINTS),
)
BOARDS = tuple(Choice([size, size], message("{size} by {size} spaces", size=size)) for size in (5, 7, 9, 11, 13))

SET_UP = SetUp(
    about=message("Ninja on a grid plan two actions ahead, reveal them together and strike for points."),
    minutes=(20, 40),
    tile=TILE,
    options=SenSoOptions,
    elsewhere=("starts", "patterns", "hands"),
    words={
        "end": OptionWords(
            message("End of the match"),
            message("After so much time, after so many actions, or when somebody has enough points; most points win."),
            "SEN-71",
            ENDS,
        ),
        "board": OptionWords(
            message("Board"),
            message("A small board brings everybody within reach sooner."),
            "SEN-3",
            BOARDS,
        ),
        "knock_out": OptionWords(
            message("Knock Out"),
            message("Everybody's endurance: blows use it up, and at zero a player is out. 30 is advised, 15 is short."),
            "SEN-A1",
            least=1,
            most=99,
        ),
        "advanced_knock_out": OptionWords(
            message("Advanced Knock Out"),
            message("Endurance and score are kept apart; when one ninja is left, the highest score wins."),
            "SEN-A2",
        ),
        "glancing": OptionWords(
            message("Glancing attacks"),
            message("What an attack right beside somebody counts as."),
            "SEN-A3",
            (
                Choice("attack", message("+1 for the attacker")),
                Choice("wound", message("−1 for whoever is touched")),
                Choice("blow", message("Both")),
                Choice("choice", message("As the attacker chooses")),
                Choice("none", message("Nothing")),
            ),
        ),
        "rotating_block": OptionWords(
            message("Rotating block"),
            message("A block that lies face up may be turned by one angle before each action."),
            "SEN-A4",
        ),
        "dual_wield": OptionWords(
            message("Dual wield"),
            message("A second weapon may take the block's place, as far as two hands can hold both."),
            "SEN-A5",
        ),
        "block_bearing": OptionWords(
            message("A blow comes from"),
            message("Decides which side a block has to guard."),
            "SEN-R17",
            (
                Choice("bearing", message("Where the attacker stands")),
                Choice("arrow", message("Where the attack's arrow comes from")),
            ),
        ),
        "flying_attack_after_collision": OptionWords(
            message("Flying Attack after a collision"),
            message("It still strikes, from where it ended."),
            "SEN-R14",
        ),
        "weapon_waives_bans": OptionWords(
            message("Weapons lift bans"),
            message("Bo Staff and Nagamaki help even right after a collision or a Flying Attack."),
            "SEN-R5",
        ),
    },
    presets=(
        Preset("30-minutes", plural("{count} minute", "{count} minutes", 30), {"end": {"time": 1800}}),
        Preset("25-actions", plural("{count} action", "{count} actions", 25), {"end": {"actions": 25}}),
        Preset("30-points", message("First to {points} points", points=30), {"end": {"points": 30}}),
        Preset("knock-out", message("Knock Out"), {"knock_out": 30}),
        Preset("short-knock-out", message("Short Knock Out"), {"knock_out": 15, "board": [7, 7]}),
    ),
)
