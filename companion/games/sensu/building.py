"""The second action of a turn, step B: redeemed cards are laid into fans, one after the other."""

from companion.core.message import Thing, message, plural
from companion.core.rulings import Ruling
from companion.games.kit.faults import Faults
from companion.games.sensu.fans import put
from companion.games.sensu.hands import report_unknown_cards
from companion.games.sensu.moves import PlaceRedeemed
from companion.games.sensu.names import CARD, all_cards
from companion.games.sensu.order import pass_on
from companion.games.sensu.powers import possible_now
from companion.games.sensu.state import SensuState, replace


def check_place(state: SensuState, move: PlaceRedeemed) -> None:
    faults = Faults()
    if report_unknown_cards(state, move.cards, faults):
        for card in move.cards:
            if card not in state.redeemed:
                told = message("{card} was not redeemed and cannot be placed.", card=CARD[card])
                faults.add(("SU-38", "SU-28", "SU-43", "TABLE-1"), told)
        left = tuple(card for card in state.redeemed if card not in move.cards)
        if left:
            told = plural(
                "Every redeemed card is placed: {cards} is missing.",
                "Every redeemed card is placed: {cards} are missing.",
                len(left),
                cards=all_cards(left),
            )
            faults.add(("SU-38", "SU-28", "SU-R8"), told)
    if not move.cards:
        faults.add("TABLE-4", message("The move does not say which cards are placed."))
    faults.refuse()


def place(state: SensuState, move: PlaceRedeemed, said: list[Ruling]) -> SensuState:
    said.append(
        Ruling(
            "SU-38",
            message(
                "{player} builds with {cards}.",
                player=Thing("player", state.player),
                cards=all_cards(move.cards),
            ),
            {"redeemed": (state.redeemed, move.cards)} if move.cards != state.redeemed else {},
        )
    )
    return carry_on(replace(state, phase="build", redeemed=move.cards), said)


def carry_on(state: SensuState, said: list[Ruling]) -> SensuState:
    """Place card after card; stop where the player has something to decide first, or the match is over."""
    while state.phase == "build":
        if state.asks:
            if possible_now(state, state.asks[0]):
                return state
            said.append(Ruling("SU-54", message("Nothing can be done with this power now, so it is skipped.")))
            state = replace(state, asks=state.asks[1:])
        elif state.redeemed:
            card, rest = state.redeemed[0], state.redeemed[1:]
            changes = {"redeemed": (state.redeemed, rest)}
            state = put(replace(state, redeemed=rest), card, said, changes)
        else:
            return pass_on(state, said, "SU-47")
    return state
