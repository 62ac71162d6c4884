"""Whether a finger that aims at a control meets it: nothing else may answer the tap or be painted over it."""

from playwright.sync_api import Page

# Every control in view whose centre is not its own: [what it is called, what lies over it].
COVERED = """() => {
  const CONTROLS = "button, a[href], input, select, summary, textarea, [role=button], [onclick]";
  const shown = (each) => each.checkVisibility({ visibilityProperty: true });
  const wanted = (each) => !each.disabled && !each.closest("[inert]") && shown(each);
  const text = (each) => each.getAttribute("aria-label") || each.innerText || each.value || "";
  const named = (each) => `${each.tagName} #${each.id} .${each.getAttribute("class") || ""} ${text(each).slice(0, 40)}`;
  // What a scrolling part cuts off is not covered but out of view.
  const inView = (x, y, each) => {
    if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return false;
    for (let box = each.parentElement; box && box !== document.body; box = box.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(box);
      const at = box.getBoundingClientRect();
      if (overflowY !== "visible" && (y < at.top || y > at.bottom)) return false;
      if (overflowX !== "visible" && (x < at.left || x > at.right)) return false;
    }
    return true;
  };
  // What lets taps through may hide a control all the same: a veil, a stamp, a number that flies by.
  const paints = (each) => {
    const style = getComputedStyle(each);
    if (style.visibility !== "visible" || Number(style.opacity) === 0) return false;
    const clear = style.backgroundColor === "rgba(0, 0, 0, 0)" || style.backgroundColor === "transparent";
    const worded = Array.from(each.childNodes).some((node) => node.nodeType === 3 && node.textContent.trim());
    const drawn = each.tagName === "IMG" || each instanceof SVGGeometryElement;
    return !clear || style.backgroundImage !== "none" || worded || drawn;
  };
  // A bar that sticks to an edge is part of the page: whatever lies under it can be scrolled out.
  const sticks = (each) => each && (getComputedStyle(each).position === "sticky" || sticks(each.parentElement));
  const within = (each, hit) => hit.closest("label") && hit.closest("label").contains(each);
  const mine = (each, hit) => hit && (each.contains(hit) || hit.contains(each) || within(each, hit));
  const dialog = document.querySelector("dialog[open]");
  const spots = [];
  for (const each of Array.from((dialog || document).querySelectorAll(CONTROLS)).filter(wanted)) {
    const at = each.getBoundingClientRect();
    const [x, y] = [at.left + at.width / 2, at.top + at.height / 2];
    if (inView(x, y, each)) spots.push([each, x, y]);
  }
  const found = [];
  for (const [each, x, y] of spots) {
    const hit = document.elementFromPoint(x, y);
    if (!mine(each, hit) && !sticks(hit)) found.push([named(each), hit ? named(hit) : "nothing"]);
  }
  const all = new CSSStyleSheet();
  all.replaceSync("* { pointer-events: auto !important; }");
  document.adoptedStyleSheets = [all];
  for (const [each, x, y] of spots) {
    for (const above of document.elementsFromPoint(x, y)) {
      if (mine(each, above) || sticks(above)) break;
      if (paints(above)) { found.push([named(each), `${named(above)} (painted over it)`]); break; }
    }
  }
  document.adoptedStyleSheets = [];
  return found;
}"""

SCROLL = "step => { window.scrollBy(0, step); return window.scrollY; }"


def covered(page: Page) -> list[list[str]]:
    """Controls in view that cannot be tapped in the middle, or are hidden there, and what lies over them."""
    found: list[list[str]] = page.evaluate(COVERED)
    return found


def covered_anywhere(page: Page) -> list[list[str]]:
    """The same, one screen after the other down to the end of a page that has to be scrolled."""
    step = (page.viewport_size or {"height": 800})["height"] - 80
    top, before = page.evaluate(SCROLL, -100_000), -1
    found: list[list[str]] = []
    while top != before:
        found += [each for each in covered(page) if each not in found]
        before, top = top, page.evaluate(SCROLL, step)
    page.evaluate(SCROLL, -100_000)
    return found
