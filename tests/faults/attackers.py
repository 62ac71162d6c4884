"""People who send too much, too slowly, or nonsense; and people who guess."""

from random import Random
from typing import Any

from companion.core.events import Press, Tap, Tick
from tests.bench import hostile
from tests.faults.tried import Tried
from tests.web.evening import PINS, SETTINGS, Evening
from tests.web.test_pins import ORIGIN, of_all
from web.app import create_app
from web.tries import Device, Tries

EVENING = 5 * 3600
PATHS = (
    *("/", "/referee", "/seat/Aki", "/seat/", "/cards", "/calibrate", "/enrol", "/record.svg", "/trust", "/camera.jpg"),
    *("/api/page", "/api/options", "/api/advice", "/api/rules", "/api/deck", "/api/tap", "/api/login", "/api/logout"),
    *(
        "/static/../pins.py",
        "/static/%2e%2e/app.py",
        "/evidence/00001",
        "/events",
        "/healthz",
        "/nothing",
        "/api/lobby",
    ),
)
WORDS = ("", "Aki", "referee", "move", "arm", "undo", "pause", "correct", "katana", "é\x00\ud7ff", "x" * 3000, "9" * 50)


def nonsense(random: Random, depth: int = 0) -> Any:
    """Any JSON value, more often one that means something here."""
    kind = random.randrange(8 if depth < 3 else 5)
    if kind < 2:
        return random.choice(WORDS)
    if kind < 4:
        return random.choice([0, 1, -1, 2**40, 1e308, 0.5, True, None])
    if kind < 5:
        return random.choice(["move", "ready", "award", "end", "rename", "rule", "time"])
    if kind < 6:
        return [nonsense(random, depth + 1) for _ in range(random.randrange(4))]
    keys = ("what", "data", "as", "role", "pin", "move", "weapons", "card", "zone", "moves", "why", "place", "x")
    return {random.choice(keys): nonsense(random, depth + 1) for _ in range(random.randrange(5))}


def fuzzed_requests(times: int, random: Random) -> Tried:
    """No request that makes no sense ends in an error of the program, or lets anybody in."""
    evening = Evening()
    app = create_app(evening.service, SETTINGS, now=lambda: evening.at)
    app.config["PROPAGATE_EXCEPTIONS"] = False
    browsers = [app.test_client() for _ in range(2)]
    browsers[1].post("/api/login", json={"role": "Aki", "pin": PINS["Aki"]}, headers=ORIGIN)
    bad = 0
    for _ in range(times):
        number = random.randrange(2)
        path = random.choice(PATHS) + random.choice(
            ["", "?lang=it", "?as=referee", "?player=Ben&place=%00&card=x", "?lang=%ff"]
        )
        headers = random.choice(
            [ORIGIN, {}, {"Origin": "http://evil.example"}, {"Host": "evil.example"}, {"Cookie": "shinpan=x"}]
        )
        body = random.choice([None, b"", b"{", b"[" * 5000, random.randbytes(40)])
        how: dict[str, Any] = {"data": body} if body is not None else {"json": nonsense(random)}
        answer = browsers[number].open(
            path, method=random.choice(["GET", "POST", "PUT", "HEAD"]), headers=headers, **how
        )
        bad += answer.status_code >= 500
        bad += path.startswith("/referee") and answer.status_code == 200
    return Tried("fuzzed requests", f"{times}", "", bad, "answered wrongly")


def fuzzed_events(times: int, random: Random) -> Tried:
    """No event that makes no sense is more than a refusal."""
    evening, failed = Evening(), 0
    for number in range(times):
        by = random.choice(["Aki", "Ben", "referee", "Zoe", ""])
        data = nonsense(random)
        tap = Tap(
            by,
            random.choice(["move", "ready", "undo", "correct", "award", "rename", "x"]),
            data if isinstance(data, dict) else {},
            number / 50,
        )
        event = random.choice(
            [
                tap,
                tap,
                Press(random.randrange(-1, 7), random.choice(["ready", "up", "select", "x"]), number / 50),
                Tick(number / 50),
            ]
        )
        try:
            evening.service.submit(event)
            if number % 50 == 0:
                evening.service.page(None)
        except Exception as error:
            failed += 1
            print(f"  {event!r}: {error!r}")
    return Tried("fuzzed events", f"{times}", "", failed, "raised an error")


def guesses(addresses: int) -> Tried:
    """Five hours of guessing at the referee's PIN from many addresses, while the referee logs in now and then."""
    pins, clock = of_all(), [0.0]
    tries = Tries(lambda: clock[0])
    device, guessed, kept_out = Device("known", frozenset({"referee"})), 0, 0
    while clock[0] < EVENING:
        for number in range(addresses):
            guessed += (
                tries.enter(pins, "referee", f"{guessed:06}", f"10.0.{number}.7", Device("", frozenset())) is False
            )
        if int(clock[0]) % 600 == 0:
            kept_out += tries.enter(pins, "referee", SETTINGS.referee_pin, "10.9.9.9", device) is not True
        clock[0] += 10.0
    chance = f"{guessed} guesses in five hours: 1 chance in {10**6 // max(1, guessed):,}"
    return Tried(
        f"guessing a PIN from {addresses} addresses", "5 hours", chance, kept_out + (guessed >= 100), "kept out"
    )


def flood(attack: str) -> Tried:
    """The referee pauses while somebody does their worst."""
    opened, took = hostile.under(attack)
    late = sum(each > hostile.LIMIT for each in took)
    return Tried(attack, f"{opened} connections", f"longest pause {took[-1] * 1000:.0f} ms", late, "pauses over 1 s")
