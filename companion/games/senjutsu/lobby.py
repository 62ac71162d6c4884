"""Senjutsu before a duel: its options in words."""

from companion.core.message import message
from companion.games.kit.set_up import Choice, OptionWords, Preset, SetUp
from companion.games.senjutsu.state import SenjutsuOptions
from companion.games.senjutsu.tile import TILE

ARENAS = tuple(
    Choice([columns, rows], message("{columns} by {rows} hexes", columns=columns, rows=rows))
    for columns, rows in ((6, 5), (8, 5), (8, 7), (10, 7))
)

SET_UP = SetUp(
    about=message("Samurai choose a card each, reveal them together and duel from kamae to kamae."),
    minutes=(20, 40),
    tile=TILE,
    options=SenjutsuOptions,
    elsewhere=("decks", "cards", "start_hexes", "starts", "facings", "terrain", "advantage"),
    words={
        "samurai": OptionWords(
            message("Samurai"),
            message("Everybody fights as another one; who does not choose takes the first that is left."),
            "SJ-8",
            (
                Choice("master", message("The Master")),
                Choice("student", message("The Student")),
                Choice("ronin", message("The Ronin")),
                Choice("vengeful", message("The Vengeful")),
            ),
        ),
        "health": OptionWords(
            message("Health"),
            message("So many wounds defeat a samurai: five, unless you agree on another number."),
            "SJ-R10",
            least=1,
            most=20,
        ),
        "hand_limit": OptionWords(
            message("Hand limit"),
            message("Who holds more cards discards at the end of a round; five, unless you agree otherwise."),
            "SJ-13",
            least=1,
            most=10,
        ),
        "arena": OptionWords(
            message("Arena"),
            message("The columns and rows of the battlefield."),
            "SJ-1",
            ARENAS,
        ),
        "empty_deck": OptionWords(
            message("No card left to draw"),
            message("What a player takes who should draw from an empty deck."),
            "SJ-R1",
            (
                Choice("mixed", message("A wound in the Draw Phase, otherwise a stun")),
                Choice("wound", message("Always a wound"), "SJ-52"),
                Choice("stun", message("Always a stun"), "SJ-66"),
            ),
        ),
        "block_timing": OptionWords(
            message("A block stops an attack of"),
            message("The initiative at which an attack has to come."),
            "SJ-R8",
            (
                Choice("equal", message("The same initiative")),
                Choice("equal_or_faster", message("The same initiative or a lower one")),
            ),
        ),
        "stun_defeat": OptionWords(
            message("Defeat by stuns"),
            message("A samurai whose player holds nothing but stuns is defeated."),
            "SJ-R15",
            (
                Choice("over", message("Above the hand limit")),
                Choice("limit", message("Already at the hand limit")),
            ),
        ),
        "collision_cancels": OptionWords(
            message("A collision cancels the card of"),
            message("Both take a stun card; one of them also loses the rest of the card."),
            "SJ-R16",
            (
                Choice("mover", message("The samurai that moves")),
                Choice("first_mover", message("The one who moved first in the round"), "SJ-64"),
            ),
        ),
        "edge_cancels": OptionWords(
            message("The edge cancels the card"),
            message("A samurai that runs into the edge or an object also loses the rest of the card."),
            "SJ-R17",
        ),
        "advantage_symbol": OptionWords(
            message("Advantage symbol"),
            message("Where it moves its player's token on the advantage track."),
            "SJ-R19",
            (Choice("top", message("To the top")), Choice("up", message("One place up"))),
        ),
        "instant_order": OptionWords(
            message("Instants are asked for"),
            message("In the order of the advantage track."),
            "SJ-R23",
            (Choice("top", message("From the top")), Choice("bottom", message("From the bottom"))),
        ),
    },
    presets=(
        Preset("duel", message("Duel"), {}),
        Preset("short", message("Short duel: 3 wounds"), {"health": 3, "arena": [6, 5]}),
        Preset("long", message("Long duel: 8 wounds"), {"health": 8}),
        Preset("letter", message("By the booklet's letter"), {"collision_cancels": "first_mover"}),
    ),
)
