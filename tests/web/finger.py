"""Somebody's finger on a phone: taps what the page offers, and nothing that the page does not show."""

from random import Random

from playwright.sync_api import Error, Page

# What can be tapped now, as ids of this moment: what the hands ask, the steps in the bar, and cards to choose from.
OFFERED = """() => {
  const says = (each, name) => each.getAttribute(`aria-${name}`) === "true";
  const shown = (each) => each.checkVisibility({ visibilityProperty: true });
  const tappable = (each) => !each.disabled && !says(each, "disabled") && shown(each);
  const found = { asked: [], steps: [], cards: [] };
  const note = (kind, selector, more) => {
    for (const each of document.querySelectorAll(selector)) {
      if (!tappable(each) || (more && !more(each))) continue;
      each.dataset.tap = each.dataset.tap || String(Math.random());
      found[kind].push(each.dataset.tap);
    }
  };
  note("asked", "dialog[open] button");
  if (document.querySelector("dialog[open]")) return found;
  note("asked", "#hand:not([hidden]) .asking button");
  note("steps", "#bar-acts button");
  note("cards", "#acts button", (each) => !says(each, "pressed") && !each.matches(".quiet, .go, .filter, .rule-chip"));
  return found;
}"""


class Finger:
    def __init__(self, phone: Page, seed: int) -> None:
        self.phone, self._random = phone, Random(seed)
        self.taps = 0

    def tap(self) -> bool:
        """One tap on something that is offered: rather on what ends a choice than on what changes it."""
        found = self.phone.evaluate(OFFERED)
        asked, steps, cards = found["asked"], found["steps"], found["cards"]
        kinds = [some for some, often in ((asked, 6), (steps, 3), (cards, 2)) for _ in range(often) if some]
        if not kinds:
            return False
        wanted = self._random.choice(self._random.choice(kinds))
        try:
            self.phone.locator(f"[data-tap='{wanted}']").click(timeout=1000)
        except Error:  # it went while the finger was on its way
            return False
        self.taps += 1
        return True
