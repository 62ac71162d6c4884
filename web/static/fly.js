// Points fly from the board to the score.

import { animate, h } from "./dom.js";

/**
 * A number flies from one place on the page to another.
 * @param {string} text
 * @param {string} kind
 * @param {Element} from
 * @param {Element} to
 */
export function fly(text, kind, from, to) {
  const start = from.getBoundingClientRect();
  const end = to.getBoundingClientRect();
  if (!start.width || !end.width || !document.body.animate) return;
  const bird = h("b", { class: `bird ${kind}`, "aria-hidden": "true" }, text);
  document.body.append(bird);
  const at = (/** @type {DOMRect} */ box, /** @type {number} */ size) => `translate(${box.left + box.width / 2}px, ${box.top + box.height / 2}px) translate(-50%, -50%) scale(${size})`;
  animate(
    bird,
    [
      { transform: at(start, 0.2), opacity: 0 },
      { transform: at(start, 1.5), opacity: 1, offset: 0.2 },
      { transform: at(start, 1.3), opacity: 1, offset: 0.5 },
      { transform: at(end, 0.6), opacity: 0.2 },
    ],
    { duration: 1700, easing: "cubic-bezier(.5,0,.3,1)" },
  ).then(() => bird.remove());
}
