"""Matches at the virtual table: players who lay cards, a camera drawn over them, panels on real serial devices."""

import time
import weakref
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from werkzeug.test import Client

from companion.app.senses import Senses
from companion.app.wiring import NOTHING_KEPT, Devices, Eyes, Keeping, RunningTable, put_together
from companion.core.events import Press, Sense, Tap
from companion.core.message import Message, Thing, message, plural
from companion.record import kifu
from companion.record.journal import JournalFailed
from companion.record.match import Match
from companion.referee.referee import Referee
from companion.virtual import seating
from companion.virtual.person import Person
from companion.virtual.physical_table import PhysicalTable
from companion.virtual.player import Hands, Player
from firmware_interface.panels import Panels
from firmware_interface.simulator import SimulatedPanel, lockstep
from vision.calibration.calibrate import calibrate
from vision.calibration.projection import TableProjection
from vision.camera.frames import VirtualCamera
from vision.pictures import Image
from vision.recognition.gallery import Gallery
from vision.simulation.scene import Hand, Lying, Scene, SceneRenderer
from vision.watching.watcher import Watcher
from web.app import Settings

FRAME = 0.1
"""Seconds between two camera frames of the virtual table."""
MOST_FRAMES = 12
"""Frames after which a table that nobody touches has been read, or cannot be read as it is."""
LOOKS = 3
HEARTBEAT = 0.8
"""Seconds between two polls of a panel, which takes three silent seconds for a pulled cable; one poll may be late on a
busy machine."""
AGAIN = 0.15
"""Seconds between two presses by the same player."""
PATIENCE = 1000
"""Half milliseconds that an answer of a panel may take. No line is ever lost at a virtual table, so one that is late is
waited for, and a busy machine plays the same match as an idle one."""
REACTION = (0.2, 0.9)
"""How fast people are when they only have to turn a card."""


class DemoClock:
    """The service's clock in a demo: simulated, so that a match can run as fast as the machine allows."""

    def __init__(self, speed: float | None) -> None:
        self.now = 0.0
        self.speed = speed
        self._began = time.monotonic()

    def advance(self, seconds: float) -> None:
        """Let simulated time pass; at a given speed, no faster than that."""
        self.now += seconds
        if self.speed is not None:
            time.sleep(max(0.0, self.now / self.speed - (time.monotonic() - self._began)))


class VirtualDevices:
    """What is plugged into a virtual table: a camera that is drawn, a panel at each place on a real serial device."""

    def __init__(self, places: int, clock: DemoClock) -> None:
        self.clock = clock
        self.camera = VirtualCamera()
        self.boards = [SimulatedPanel(seats=1, uid=f"{place + 1:016x}") for place in range(places)]
        boards = self.boards
        self.panels = Panels(
            places,
            ports=lambda: [board.port for board in boards if board.port],
            bound={board.uid: (place,) for place, board in enumerate(boards)},
        )

    @property
    def plugged(self) -> Devices:
        return Devices(self.camera, panels=self.panels)

    def hear(self) -> list[Press | Sense]:
        return lockstep(self.panels, self.boards, self.clock.now, PATIENCE)

    def listen(self, senses: Senses, heard: Callable[[], list[Press | Sense]] | None = None) -> None:
        """Poll twice, some milliseconds apart: a press is reported only when its contact has stopped bouncing."""
        for _ in range(2):
            self.clock.advance(0.01)
            senses.poll(heard or self.hear)

    def close(self) -> None:
        for board in self.boards:
            board.close()


class Studio:
    """The table of one match as it really lies, and the camera's pictures of it."""

    def __init__(self, match: Match, seed: int) -> None:
        self.match = match
        self.noise = np.random.default_rng(seed)
        layout, deck = match.game.table.layout(match.state), match.game.table.deck(match.state)
        self._faces = {name: card.face for name, card in deck.cards.items()}
        self._back = deck.back
        self._tags = {piece: number for number, piece in layout.tags.items()}
        self._layout = layout
        self._renderer = SceneRenderer(layout, TableProjection.overhead(layout.width, layout.height))

    def table(self, random: Random) -> PhysicalTable:
        return PhysicalTable(self._layout, random)

    def eyes(self) -> Eyes:
        """Every card is enrolled, and the table measured."""
        gallery = Gallery.from_faces(self.match.game.name, self._faces, self._back)
        calibration = calibrate(self.frame(Scene()), self._layout)
        return Eyes(Watcher(self._layout, gallery, calibration), None, gallery, calibration)

    def frame(self, scene: Scene) -> Image:
        return self._renderer.frame(scene, self.noise)

    def scene(self, table: PhysicalTable) -> Scene:
        """What lies there now."""
        holder = self._layout.holder is not None
        cards = tuple(
            Lying(
                self._faces[thing.card] if thing.face_up else self._back,
                thing.x,
                thing.y,
                thing.turn,
                holder_turn=thing.zone_turn if holder else None,
            )
            for thing in table.things()
        )
        return Scene(cards, {self._tags[piece]: place for piece, place in table.pieces.items()})


class Sitting:
    """One match at the virtual table. Call `beat()` until `over`."""

    def __init__(
        self,
        running: RunningTable,
        devices: VirtualDevices,
        studio: Studio,
        seed: int,
        think: tuple[float, float],
        people: Mapping[str, Person] | None = None,
    ) -> None:
        """`people` have sat down themselves; bots play for everybody else."""
        match = self.match = studio.match
        self.clock = devices.clock
        self._devices, self._studio = devices, studio
        self._random = Random(seed)
        self._think = think
        self._table = studio.table(self._random)
        self._scene = Scene()
        self.service, self.app, self.feed, self.senses = running.service, running.app, running.feed, running.senses
        self._boards = [devices.boards[place] for place in self.service.places.values()]
        self._pages = [self._log_in(name) for name in match.players]
        hands = [self._hands(seat, name, (people or {}).get(name)) for seat, name in enumerate(match.players)]
        self.players: list[Player] = seating(match.game.name)(hands, match.state)
        self._prompt: list[object] = [None] * len(match.players)
        self._due = [0.0] * len(match.players)
        self._finger = [0.0] * len(match.players)
        """When each player last pressed a button."""
        self.presses: list[Press] = []
        """Every press that came over the wire."""
        self.corrections = 0
        """Unsure readings that a player had to settle."""
        self._looks = 0
        """How often the camera may still look again at a table that it could not read."""
        self._listen()

    @property
    def over(self) -> bool:
        return self.match.over

    def beat(self) -> None:
        """Everybody does what they have to do next; the camera looks; the panels are heard; time passes."""
        acted = False
        for seat, player in enumerate(self.players):
            page: dict[str, Any] = self._pages[seat].get("/api/page").get_json()
            if page["viewer"] != player.hands.name:  # renamed, or the seat has another code
                self._pages[seat] = self._log_in(self.match.players[seat])
                continue
            light = self._boards[seat].lights[0].phase
            self._notice(seat, (page["awaits"], light))
            if self.clock.now >= self._due[seat]:
                acted |= self._settle(seat, page) or player.act(page, light)
        if self._table.touched or self._looks or self.clock.speed is not None:
            self._film()
        self._listen()
        if not acted:
            self._pass_time()
        self._mind_the_disk()

    def player(self, name: str) -> Player:
        return next(player for player in self.players if player.hands.name == name)

    def show_the_end(self) -> None:
        """Everybody reads once more what was said last, before their cards are counted."""
        for seat, player in enumerate(self.players):
            player.act(self._pages[seat].get("/api/page").get_json(), self._boards[seat].lights[0].phase)

    def _mind_the_disk(self) -> None:
        """Nobody is there to make room on the disk, so the demo ends with the journal's error."""
        trouble = self.service.referee.record.trouble
        if trouble is not None:
            raise JournalFailed(trouble)

    def _settle(self, seat: int, page: dict[str, Any]) -> bool:
        """Where the page asks about a card that the camera is not sure of, its owner says what it is: one tap."""
        own = [question for question in page["questions"] if question["zone"].startswith(page["viewer"] + ".")]
        for question in own:
            lying = self._table.top(question["zone"])
            if lying is not None:
                card = lying.card if lying.face_up else None
                data = {"zone": question["zone"], "card": card, "rotation": lying.rotation}
                self._pages[seat].post("/api/tap", json={"what": "correct", "data": data}, headers=SAME_SITE)
                self.corrections += 1
        return bool(own)

    def _notice(self, seat: int, prompt: object) -> None:
        """A new request takes some thought; turning a card up takes only a moment."""
        if prompt != self._prompt[seat]:
            self._prompt[seat] = prompt
            if self.players[seat].hands.person is not None:
                return  # whoever sits there thinks for themselves
            needs_thought = prompt[1] == "placing" or prompt[1] == "choice"  # type: ignore[index]
            self._due[seat] = self.clock.now + self._random.uniform(*(self._think if needs_thought else REACTION))

    def _pass_time(self) -> None:
        ahead = [due for due in self._due if due > self.clock.now]
        counting = self.service.referee.stage == "countdown"
        leap = min(ahead) - self.clock.now if ahead and self.clock.speed is None and not counting else FRAME
        until = self.clock.now + max(leap, FRAME)
        # A panel that hears nothing for longer takes its cable for pulled and drops its presses.
        while self.clock.now < until:
            self.clock.advance(min(HEARTBEAT, until - self.clock.now))
            self.senses.poll(self._hear)

    def _film(self) -> None:
        """Hands reach in over the old picture and leave the new one; the camera looks until the table has been read."""
        before, touched = self._scene, sorted(self._table.touched)
        self._table.touched.clear()
        self._scene = self._studio.scene(self._table)
        if touched:
            hands = tuple(self._hand(*place) for place in touched)
            for scene in (before, self._scene):
                self._expose(Scene(scene.cards, scene.pieces, hands))
            self._looks = LOOKS
        for _ in range(MOST_FRAMES if self._looks else 1):
            if self._expose(self._scene) or self._settled:
                self._looks = 0
                return
        self._looks = max(0, self._looks - 1)

    @property
    def _settled(self) -> bool:
        watcher = self.feed.watcher
        return watcher is not None and watcher.settled

    def _expose(self, scene: Scene) -> bool:
        self._devices.camera.show(self._studio.frame(scene))
        seen = self.senses.look()
        self.clock.advance(FRAME)
        return seen

    def _hand(self, x: float, y: float) -> Hand:
        """An arm that reaches in from the nearest edge."""
        layout = self._table.layout
        edges = {
            (x, -60.0): y,
            (x, layout.height + 60.0): layout.height - y,
            (-60.0, y): x,
            (layout.width + 60.0, y): layout.width - x,
        }
        return Hand(x, y, *min(edges, key=lambda edge: edges[edge]))

    def _listen(self) -> None:
        self._devices.listen(self.senses, self._hear)

    def _hear(self) -> list[Press | Sense]:
        heard = self._devices.hear()
        self.presses += [event for event in heard if isinstance(event, Press)]
        return heard

    def _log_in(self, name: str) -> Client:
        client, pins = Client(self.app), self.app.extensions["shinpan"]["pins"]
        client.post("/api/login", json={"role": name, "pin": pins.pin(pins.key(name))}, headers=SAME_SITE)
        return client

    def _hands(self, seat: int, name: str, person: Person | None) -> Hands:
        evening: Sitting = weakref.proxy(self)  # what the players hold must not keep the evening alive

        def press(button: str) -> None:
            evening._finger[seat] = max(evening.clock.now, evening._finger[seat] + AGAIN)
            evening._boards[seat].tap(0, button, evening._finger[seat])

        def tap(what: str, data: dict[str, Any]) -> None:
            # What a person taps on the page is for the hands; what the hands tap is not.
            if evening.players[seat].hands.person is not None:
                refusal = evening.service.submit(Tap(name, what, data, evening.clock.now)).refusal
                assert refusal is None, refusal
            else:
                answer = evening._pages[seat].post("/api/tap", json={"what": what, "data": data}, headers=SAME_SITE)
                assert answer.status_code == 200, answer.text
            evening._mind_the_disk()

        def linger(seconds: float) -> None:
            evening._due[seat] = evening.clock.now + seconds

        return Hands(name, self._table, press, tap, Random(self._random.random()), linger, person)


class Evening(Sitting):
    """A virtual table for one match only."""

    def __init__(
        self,
        referee: Referee,
        seed: int,
        settings: Settings,
        speed: float | None = None,
        think: tuple[float, float] = (15.0, 45.0),
        keeping: Keeping = NOTHING_KEPT,
    ) -> None:
        clock, studio = DemoClock(speed), Studio(referee.match, seed)
        devices = VirtualDevices(len(referee.match.players), clock)
        running = put_together(referee, lambda: clock.now, settings, devices.plugged)
        running.play(referee, keeping, studio.eyes())
        weakref.finalize(self, running.let_go).atexit = False
        super().__init__(running, devices, studio, seed, think)

    def close(self) -> None:
        self.senses.stop()
        self._devices.close()


SAME_SITE = {"Origin": "http://localhost"}


def differences(evening: Evening, path: Path) -> list[Message]:
    """Where the referee's kifu or the wire differ from what the players really did."""
    told: dict[str, list[dict[str, Any]]] = {player.hands.name: [] for player in evening.players}
    for numbered in kifu.read(kifu.load(path)):
        line = numbered.line
        if isinstance(line, kifu.Moved) and not line.refused:
            told[line.by].append(line.fields)
    found: list[Message] = []
    for seat, player in enumerate(evening.players):
        name, deeds = player.hands.name, player.hands.deeds
        found += [
            message(
                "{player}'s move {number} was {did} and was taken for {seen}",
                player=Thing("player", name),
                number=number,
                did=str(did),
                seen=str(seen),
            )
            for number, (did, seen) in enumerate(zip(deeds, told[name], strict=False), 1)
            if did != seen
        ]
        # The match may end while somebody is in the middle of one move, but not of more.
        if not len(deeds) - 1 <= len(told[name]) <= len(deeds):
            found.append(
                message(
                    "{player}: {made} were made and {seen} were seen",
                    player=Thing("player", name),
                    made=plural("{count} move", "{count} moves", len(deeds)),
                    seen=len(told[name]),
                )
            )
        pressed = [press.button for press in evening.presses if press.seat == seat]
        if pressed != player.hands.presses:
            found.append(
                message(
                    "{player} pressed {pressed}, and {heard} came over the wire",
                    player=Thing("player", name),
                    pressed=tuple(player.hands.presses),
                    heard=tuple(pressed),
                )
            )
    match = evening.service.referee.match
    if match.over:
        evening.show_the_end()
    if not found and _truth(evening) != match.facts[match.game.rules.standing]:
        found.append(message("the result is not that of what was really done"))
    for player in evening.players if match.over else ():
        for fact, value in player.counts().items():
            ruled = match.facts[fact][player.hands.name]
            if value != ruled:
                found.append(
                    message(
                        "{player} has {fact} {counted} on the table, and {ruled} was ruled",
                        player=Thing("player", player.hands.name),
                        fact=fact,
                        counted=str(value),
                        ruled=str(ruled),
                    )
                )
    return found


def _truth(evening: Evening) -> Any:
    """The result that the rules give for what the players really did, in the order in which the rules take it."""
    seen = evening.service.referee.match
    truth = Match(seen.game, seen.players, seen.options)
    deeds = {player.hands.name: list(player.hands.deeds) for player in evening.players}
    order = {kind: place for place, kind in enumerate(seen.game.reveals.kinds)}
    while True:
        due = [name for name in truth.awaits if deeds[name] and deeds[name][0]["move"] in truth.awaits[name]]
        if not due:
            return truth.facts[seen.game.rules.standing]
        name = min(due, key=lambda each: order.get(deeds[each][0]["move"], 0))
        truth.move(name, truth.decode(deeds[name].pop(0)))
