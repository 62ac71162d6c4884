"""The table between two matches: who sits where, what is played and how, until somebody starts.

Like the referee it takes events one at a time, does no I/O of its own and reads no clock.
"""

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from companion.core.events import Changed, Condition, Effect, Event, Light, Outcome, Press, Sense, Tap
from companion.core.message import Message, Thing, message
from companion.core.rulings import Refusal, Refused, ShinpanError
from companion.games import game, names
from companion.games.kit.option_forms import OptionForm, answers_for, header_options, option_forms
from companion.record.match import Match

PLACES: Final = 6
"""Seats round a table; more than six play none of the games."""
REMEMBERED = 60
"""People whose names are offered."""
OWN_PRESETS = 20
"""Presets that somebody can keep of one game."""
LONGEST_NAME = 40
TAKEN = ("screen", "camera")
"""Names that no player may take: these log in at a table too."""


class Arrangement(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was chosen in the lobby. It is kept over restarts."""

    seats: tuple[str, ...] = ("",) * PLACES
    """Who sits where; empty: nobody."""
    game: str = ""
    """Empty: none is chosen yet."""
    options: dict[str, dict[str, Any]] = {}
    """Game -> what was answered in its form last."""
    presets: dict[str, dict[str, dict[str, Any]]] = {}
    """Game -> title -> options: what people keep for themselves."""
    with_phone: tuple[int, ...] = ()
    """Places whose players act on a phone of their own."""
    people: tuple[str, ...] = ()
    """Everybody who has sat here, whoever played last first."""
    order: str = ""
    """The order of a venue that is played here next; empty: people play what they like."""
    order_title: str = ""
    """What people call it: `Spring Cup, round 2, table 3`."""

    @property
    def players(self) -> tuple[str, ...]:
        return tuple(filter(None, self.seats))

    @property
    def places(self) -> tuple[int, ...]:
        """Where the players sit, in the order in which they play."""
        return tuple(place for place, name in enumerate(self.seats) if name)

    @property
    def chosen_options(self) -> dict[str, Any]:
        """What was answered last for the chosen game, as far as it is about those who sit now."""
        answers = self.options.get(self.game, {})
        return answers_for(game(self.game), self.asked_for, answers) if answers and self.game in names() else answers

    @property
    def asked_for(self) -> int:
        """For how many players the options of the chosen game are asked: those who sit, or as many as have to."""
        seats = game(self.game).seats
        return max(seats.start, min(len(self.players), seats.stop - 1))


class Lobby:
    """`begin` starts the match of an arrangement, and raises what stands in its way; `keep` remembers it; `seated` lets
    bots take seats."""

    def __init__(
        self,
        arrangement: Arrangement,
        begin: Callable[[Arrangement], None],
        keep: Callable[[Arrangement], None] = lambda arrangement: None,
        seated: Callable[[Arrangement], Arrangement] = lambda arrangement: arrangement,
        senses: Mapping[str, Condition] | None = None,
    ) -> None:
        self.arrangement = arrangement
        self.senses: dict[str, Condition] = dict(senses or {})
        self.asking: int | None = None
        """The place whose ready button was pressed, and which waits for a name."""
        self.notices: list[Message] = []
        self._begin, self._keep, self._seated = begin, keep, seated

    def handle(self, event: Event) -> Outcome:
        """Never raises."""
        try:
            return Outcome(self._effects(event))
        except Refused as error:
            return Outcome([], error.refusal)
        except ShinpanError as error:
            return Outcome([], Refusal((), error.message))

    def notice(self, news: Message) -> None:
        self.notices.append(news)

    def _effects(self, event: Event) -> list[Effect]:
        before = self.lights
        match event:
            case Press():
                self._press(event)
            case Tap():
                self._tap(event)
            case Sense():
                self.senses[event.name] = event.condition
                if event.news is not None:
                    self.notice(event.news)
            case _:
                return []
        changed = [light for light in self.lights if light not in before]
        return [*changed, Changed()]

    @property
    def lights(self) -> list[Light]:
        """Whoever sits has a steady light in the colour of the place; where a name is asked for it blinks."""
        return [
            Light(place, "asking" if place == self.asking else "seated", place)
            if name or place == self.asking
            else Light(place, "idle")
            for place, name in enumerate(self.arrangement.seats)
        ]

    def summon(self, arrangement: Arrangement) -> None:
        """Somebody else has arranged the next match: a venue, for a tournament. Raises Refused where that cannot be."""
        refusal = too_few_or_many(arrangement.game, arrangement.players) or try_out(
            arrangement.game, arrangement.players, arrangement.chosen_options
        )
        if refusal is not None:
            raise refusal
        if arrangement != self.arrangement:
            self._keep(arrangement)
            self.arrangement = arrangement

    # --- sitting down ---------------------------------------------------------------------------------------------

    def _press(self, press: Press) -> None:
        """Ready at an empty seat: somebody sits down there, and the page asks for the name."""
        if press.button != "ready" or not 0 <= press.seat < PLACES:
            return
        self.asking = press.seat if not self.arrangement.seats[press.seat] and self.asking != press.seat else None

    def _tap(self, tap: Tap) -> None:
        deeds: dict[str, Callable[[dict[str, Any]], Arrangement | None]] = {
            "sit": self._sit,
            "stand": self._stand,
            "swap": self._swap,
            "game": self._choose,
            "options": self._take_options,
            "keep_preset": self._keep_preset,
            "drop_preset": self._drop_preset,
            "forget": self._forget,
            "start": self._start,
        }
        if tap.what not in deeds:
            raise Refused("TABLE-3", message("No match is being played: the table is in the lobby."))
        after = deeds[tap.what](tap.data)
        after = None if after is None else self._seated(after)
        if after is not None and after != self.arrangement:
            self._keep(after)
            self.arrangement = after

    def _place(self, data: dict[str, Any], field: str = "place") -> int:
        place = data.get(field)
        if not isinstance(place, int) or not 0 <= place < PLACES:
            raise at_field("place", message("There is no such seat; they go from 1 to {last}.", last=PLACES))
        return place

    def _sit(self, data: dict[str, Any]) -> Arrangement:
        place, name = self._place(data), " ".join(str(data.get("name", "")).split())
        if not name or len(name) > LONGEST_NAME or not name.isprintable():
            raise at_field(
                "name",
                message("A name has 1 to {most} letters, and nothing that cannot be printed.", most=LONGEST_NAME),
            )
        if alike(name) == "referee":
            raise at_field("name", message("That name is the referee's; choose another one."))
        if alike(name) in TAKEN:
            raise at_field("name", message("At this table that is no person's name; choose another one."))
        elsewhere = [each for at, each in enumerate(self.arrangement.seats) if at != place and each]
        if any(name.startswith(f"{each}.") or each.startswith(f"{name}.") for each in elsewhere):
            raise at_field("name", message("One name goes on after the dot where another one ends."))
        if alike(name) in map(alike, elsewhere):
            raise at_field("name", message("{player} sits at this table already.", player=Thing("player", name)))
        if self.asking == place:
            self.asking = None
        seats = _with(self.arrangement.seats, place, name)
        people = (name, *(each for each in self.arrangement.people if alike(each) != alike(name)))
        phones = {*self.arrangement.with_phone} - {place} | ({place} if data.get("phone") is True else set())
        return replace(self.arrangement, seats=seats, people=people[:REMEMBERED], with_phone=tuple(sorted(phones)))

    def _stand(self, data: dict[str, Any]) -> Arrangement:
        place = self._place(data)
        if self.asking == place:
            self.asking = None
        phones = tuple(each for each in self.arrangement.with_phone if each != place)
        return replace(self.arrangement, seats=_with(self.arrangement.seats, place, ""), with_phone=phones)

    def _swap(self, data: dict[str, Any]) -> Arrangement:
        one, other = self._place(data), self._place(data, "with")
        seats = self.arrangement.seats
        return replace(self.arrangement, seats=_with(_with(seats, one, seats[other]), other, seats[one]))

    def _forget(self, data: dict[str, Any]) -> Arrangement:
        """Stop offering this name."""
        return replace(
            self.arrangement, people=tuple(each for each in self.arrangement.people if each != data.get("name"))
        )

    # --- what is played -------------------------------------------------------------------------------------------

    def _choose(self, data: dict[str, Any]) -> Arrangement:
        name = str(data.get("game", ""))
        if name not in names():
            raise at_field("game", message("There is no game called {name} at this table.", name=name))
        try:
            game(name)
        except ShinpanError as broken:
            raise at_field("game", broken.message) from None
        return replace(self.arrangement, game=name)

    def _take_options(self, data: dict[str, Any]) -> Arrangement:
        """All options of the chosen game at once: those that were given and no others. Answers that are sound one by
        one are kept though they contradict each other, because people give one after the other; the match cannot start
        until they agree."""
        options = self._given(data)
        refusal = self._tried(options)
        if refusal is not None and not self._sound(options):
            raise refusal
        return replace(self.arrangement, options={**self.arrangement.options, self._chosen: options})

    @property
    def _chosen(self) -> str:
        if not self.arrangement.game:
            raise at_field("game", message("Choose a game first."))
        return self.arrangement.game

    def _given(self, data: dict[str, Any]) -> dict[str, Any]:
        options, forms = data.get("options"), self._forms
        if not isinstance(options, dict):
            raise at_field("options", message("The options of this match cannot be read."))
        for form in (each for each in forms if each.kind == "number" and each.name in options):
            if not form.takes(options[form.name], self.arrangement.asked_for):
                bounds = {"option": form.title, "least": form.least, "most": form.most}
                raise at_field(form.name, message("{option}: a whole number from {least} to {most}.", **bounds))
        return options

    @property
    def _forms(self) -> tuple[OptionForm, ...]:
        return option_forms(game(self._chosen), self.arrangement.asked_for)

    def _tried(self, options: dict[str, Any]) -> Refused | None:
        """What speaks against them, as far as that can be said before everybody sits."""
        return try_out(self._chosen, self.arrangement.players, options)

    def _sound(self, options: dict[str, Any]) -> bool:
        """Whether the forms of this game could give each of these answers."""
        forms, players = {form.name: form for form in self._forms}, self.arrangement.asked_for
        return all(name in forms and forms[name].takes(answer, players) for name, answer in options.items())

    def _keep_preset(self, data: dict[str, Any]) -> Arrangement:
        title = " ".join(str(data.get("title", "")).split())
        if not title or len(title) > LONGEST_NAME:
            raise at_field("title", message("Give it a name of 1 to {most} letters.", most=LONGEST_NAME))
        options = self._given(data)
        refusal = self._tried(options)
        if refusal is not None:
            raise refusal
        own = {**self.arrangement.presets.get(self._chosen, {}), title: options}
        if len(own) > OWN_PRESETS:
            raise at_field("title", message("There are {most} already: drop one first.", most=OWN_PRESETS))
        return replace(self.arrangement, presets={**self.arrangement.presets, self._chosen: own})

    def _drop_preset(self, data: dict[str, Any]) -> Arrangement:
        own = {
            title: kept
            for title, kept in self.arrangement.presets.get(self._chosen, {}).items()
            if title != data.get("title")
        }
        return replace(self.arrangement, presets={**self.arrangement.presets, self._chosen: own})

    def _start(self, data: dict[str, Any]) -> None:
        refusal = self.obstacle
        if refusal is not None:
            raise refusal
        played = self.arrangement.players
        people = (*played, *(each for each in self.arrangement.people if each not in played))
        self.arrangement = replace(self.arrangement, people=people[:REMEMBERED])
        self._begin(self.arrangement)

    @property
    def trial(self) -> Match:
        """A match like the one that is being arranged, for pages about its cards and its table."""
        chosen = game(self.arrangement.game or names()[0])
        players = self.arrangement.players
        people = [*players, *stand_ins(chosen.seats.start, players)][: chosen.seats.stop - 1]
        try:
            return Match(chosen, people, header_options(chosen, people, self.arrangement.chosen_options))
        except Refused:
            return Match(chosen, people, {})

    @property
    def obstacle(self) -> Refused | None:
        """Why the match that was chosen cannot start yet."""
        if not self.arrangement.game:
            return at_field("game", message("Choose a game first."))
        return too_few_or_many(self.arrangement.game, self.arrangement.players) or try_out(
            self.arrangement.game, self.arrangement.players, self.arrangement.chosen_options
        )


def too_few_or_many(name: str, players: Sequence[str]) -> Refused | None:
    seats = game(name).seats
    if len(players) in seats:
        return None
    title, least, most = game(name).title, seats.start, seats.stop - 1
    if least == most:
        told = message("{title} is for {least} players.", title=title, least=least)
    else:
        told = message("{title} is for {least} to {most} players.", title=title, least=least, most=most)
    return at_field("players", told)


def try_out(name: str, players: Sequence[str], answers: Mapping[str, Any]) -> Refused | None:
    """What the rules of the game say against a match like this. While too few sit, others stand in for them."""
    chosen = game(name)
    people = [*players, *stand_ins(chosen.seats.start, players)][: chosen.seats.stop - 1]
    try:
        Match(chosen, people, header_options(chosen, people, answers))
    except Refused as error:
        return error if error.field else Refused(error.rules, error.message, "options")
    except ShinpanError as error:
        return Refused((), error.message, "options")
    return None


def stand_ins(wanted: int, players: Sequence[str]) -> list[str]:
    """Names for those who do not sit yet."""
    free = (f"{number}" for number in range(1, 2 * wanted + 1) if f"{number}" not in players)
    return list(islice(free, max(0, wanted - len(players))))


def at_field(field: str, why: Message) -> Refused:
    """Something in an arrangement that will not do, and which field of the page it belongs to."""
    return Refused("TABLE-4", why, field)


def alike(name: str) -> str:
    """What a name looks like: two that look alike are the same."""
    return unicodedata.normalize("NFKC", name).casefold()


def _with(seats: tuple[str, ...], place: int, name: str) -> tuple[str, ...]:
    return (*seats[:place], name, *seats[place + 1 :])
