// At the virtual table: the cards of this seat, and what the virtual hands ask. Nobody else is sent either.

import { first, t } from "./bootstrap.js";
import { h, replace, s, write } from "./dom.js";
import { face } from "./faces.js";
import { post } from "./tap.js";

/** @type {Set<number>} */
let chosen = new Set();
let asked = -1;
let shown = "";

/**
 * @param {DeckShown} deck
 * @param {string} card
 */
function drawn(deck, card) {
  const found = deck.cards[card];
  const picture = found && face(deck, card, 63);
  if (!picture) return null;
  const high = (63 * found.height) / found.width;
  return s("svg", { viewBox: `-31.500 ${-high / 2} 63 ${high}`, "aria-hidden": "true" }, picture);
}

/**
 * @param {HTMLElement} element
 * @param {AnyPage} page
 * @param {DeckShown} deck
 */
export function showHand(element, page, deck) {
  const hand = page.hand;
  element.hidden = !hand;
  const now = JSON.stringify([hand, Array.from(chosen)]);
  if (!hand || now === shown) return;
  shown = now;
  const question = hand.question;
  if (question && question.number !== asked) {
    asked = question.number;
    chosen = new Set();
  }
  const held = document.activeElement ? document.activeElement.id : "";
  replace(
    element,
    hand.cards.length > 0 && h("ul", { class: "own-cards", "aria-label": t("Your hand") }, hand.cards.map((card) => h("li", { "aria-label": deck.names[card] || card, title: deck.names[card] || card }, drawn(deck, card)))),
    question && asking(question, page, deck, element),
  );
  const again = held && document.getElementById(held);
  if (again) again.focus();
}

/**
 * @param {HandQuestionShown} question
 * @param {AnyPage} page
 * @param {DeckShown} deck
 * @param {HTMLElement} element
 */
function asking(question, page, deck, element) {
  const trouble = h("p", { class: "fault", role: "alert" });
  const send = async (/** @type {number[]} */ wanted) => {
    const answer = await post("/api/hand", { player: first.role, number: question.number, chosen: wanted });
    write(trouble, answer.ok ? "" : answer.text);
  };
  const single = question.least === 1 && question.most === 1;
  const pick = (/** @type {number} */ place) => {
    if (single) {
      send([place]);
      return;
    }
    if (chosen.has(place)) chosen.delete(place);
    else chosen.add(place);
    showHand(element, page, deck);
  };
  const options = question.options.map((option, place) =>
    h("button", { class: option.card ? "card-choice" : "big", id: `hand-${place}`, "aria-pressed": single ? null : String(chosen.has(place)), onclick: () => pick(place) }, option.card ? drawn(deck, option.card) : null, option.title),
  );
  const fits = chosen.size >= question.least && chosen.size <= question.most;
  return h(
    "div",
    { class: "asking" },
    h("p", { class: "ask", "aria-live": "polite" }, question.text),
    h("div", { class: question.options.some((option) => option.card) ? "card-choices" : "choices" }, options),
    !single && h("button", { class: "big ready", id: "hand-send", disabled: !fits, onclick: () => send(Array.from(chosen)) }, t("Do it")),
    trouble,
  );
}
