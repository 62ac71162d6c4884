"""What axe-core, a checker of accessibility, finds wrong with a page."""

from pathlib import Path

from playwright.sync_api import Page

AXE = Path(__file__).parents[2] / "web/node_modules/axe-core/axe.min.js"
"""It is installed with what checks the scripts: `make web/node_modules/ready`."""


def findings(page: Page) -> list[str]:
    """Each rule that is broken, and where."""
    page.evaluate(AXE.read_text())
    found = page.evaluate("axe.run()")
    return [f"{each['id']}: {[node['target'] for node in each['nodes']]}" for each in found["violations"]]
