// A corrected card may teach: with a tick, the look that was not known is known from now on. It can be taken out again.

import { first, t } from "./bootstrap.js";
import { byId, h, replace } from "./dom.js";
import { post } from "./tap.js";

let wished = false;

/**
 * The picture of the card that a question is about, and the tick to remember it by; only the referee has them.
 * @param {string} zone
 * @returns {{crop: HTMLElement | null, tick: HTMLElement | null, keep: (card: string, name: string) => void}}
 */
export function remembering(zone) {
  if (first.role !== "referee") return { crop: null, tick: null, keep: () => {} };
  const crop = h("img", { class: "crop", src: `/api/readings/${encodeURIComponent(zone)}.jpg?${Date.now()}`, alt: t("The card as the camera saw it") });
  crop.addEventListener("error", () => crop.remove());
  const box = h("input", {
    type: "checkbox",
    onchange: () => {
      wished = box.checked;
    },
  });
  box.checked = wished;
  const tick = h("label", { class: "remember" }, box, t("Remember this look"));
  return { crop, tick, keep: (card, name) => box.checked && keep(zone, card, name) };
}

/**
 * @param {string} zone
 * @param {string} card
 * @param {string} name
 */
async function keep(zone, card, name) {
  const answer = await post("/api/remember", { zone, card });
  if (!answer.ok) return tell(h("p", {}, answer.text));
  /** @type {RememberAnswer} */
  const { place, revision } = answer.said;
  const undo = async () => {
    const dropped = await post("/api/deck/drop", { card, place, revision });
    tell(h("p", { class: "calm" }, dropped.ok ? t("The look was taken out again.") : dropped.text));
  };
  return tell(h("p", { class: "calm" }, t("One more look at {card} is known.", { card: name }), " ", h("button", { class: "act", onclick: undo }, t("Take it out again"))));
}

/** @param {HTMLElement} said */
function tell(said) {
  replace(byId("answer"), said);
}
