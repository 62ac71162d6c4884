"""What axe-core, a checker of accessibility, finds wrong with a page."""

from pathlib import Path

from playwright.sync_api import Page

AXE = Path(__file__).parents[2] / "web/node_modules/axe-core/axe.min.js"
"""It is installed with what checks the scripts: `make web/node_modules/ready`."""


# What arrives fades in for a moment, and half-faded letters have too little contrast.
SETTLED = """() => Promise.all(document.getAnimations()
  .filter((each) => each.effect.getComputedTiming().endTime <= 3000)
  .map((each) => each.finished.catch(() => null)))
  .then(() => null)"""


def findings(page: Page) -> list[str]:
    """Each rule that is broken, and where."""
    page.evaluate(SETTLED)
    page.evaluate(AXE.read_text())
    found = page.evaluate("axe.run()")
    return [f"{each['id']}: {[node['target'] for node in each['nodes']]}" for each in found["violations"]]
