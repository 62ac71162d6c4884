"""Sensu before a match: its options in words."""

from companion.core.message import message
from companion.games.kit.set_up import Choice, OptionWords, Preset, SetUp
from companion.games.sensu.cards import TITLES
from companion.games.sensu.state import SensuOptions
from companion.games.sensu.tile import TILE

TOGETHER = (2, 3, 4, 5)
"""The solo game has neither a starting player nor the variants (SU-R24)."""

SET_UP = SetUp(
    about=message("Combine your cards to redeem sticks, and be the first to close two fans of ten."),
    minutes=(20, 40),
    tile=TILE,
    options=SensuOptions,
    elsewhere=("sticks", "symbols", "wild_winds"),
    words={
        "first": OptionWords(
            message("Who starts"),
            message("The youngest; say who that is, or the first seat starts."),
            "SU-15",
            players=TOGETHER,
            seats=True,
        ),
        "variants": OptionWords(
            message("Variants"),
            message("Either may be used, or both."),
            "SU-51",
            (
                Choice("powers", message("Powers: the second symbol in a fan sets off its power"), "SU-52"),
                Choice("chosen_fan", message("Chosen fan: one fan has to be closed before any other"), "SU-59"),
            ),
            players=TOGETHER,
        ),
        "chosen": OptionWords(
            message("Chosen fans"),
            message("With the variant: shuffle the Closed fan cards, deal everybody one, and say here which."),
            "SU-59",
            tuple(Choice(kind, message("{name}", name=title)) for kind, title in TITLES.items()),
            players=TOGETHER,
        ),
        "wisdom": OptionWords(
            message("Wisdom"),
            message("With Powers: what the power of the Hi-ōgi may take from a discard pile."),
            "SU-R15",
            (Choice("tops", message("The top card")), Choice("any", message("Any card of it"))),
            players=TOGETHER,
        ),
        "harmony_may_start_fan": OptionWords(
            message("Harmony may start a fan"),
            message("With Powers: the card that the Mai-ougi brings may begin a new fan."),
            "SU-R16",
            players=TOGETHER,
        ),
    },
    presets=(
        Preset("base", message("Base game"), {}, TOGETHER),
        Preset("powers", message("With Powers"), {"variants": ["powers"]}, TOGETHER),
        Preset("solo", message("Solo, for the highest score"), {}, (1,)),
    ),
)
