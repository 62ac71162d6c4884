// Whoever plays by keyboard stays where they are: when something is drawn again, the focus goes to what has taken its
// place, or to `otherwise`.

/**
 * @param {HTMLElement[]} places
 * @param {HTMLElement} otherwise
 * @param {() => void} draw
 */
export function keepingFocus(places, otherwise, draw) {
  const held = /** @type {HTMLElement | null} */ (document.activeElement);
  const inside = held !== null && places.some((place) => place.contains(held));
  const key = held && held.getAttribute("data-key");
  draw();
  const gone = held !== null && (!held.isConnected || getComputedStyle(held).visibility === "hidden");
  if (!inside || (document.activeElement === held && !gone)) return;
  const same = places.map((place) => key && place.querySelector(`[data-key=${CSS.escape(key)}]`)).find(Boolean);
  const next = /** @type {HTMLElement} */ (held && !gone ? held : same || otherwise);
  next.focus({ preventScroll: next === otherwise });
}
