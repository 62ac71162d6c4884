// What somebody can do now, as big buttons; a game brings its own picker where there are too many.

import { t } from "./bootstrap.js";
import { h } from "./dom.js";
import { remembering } from "./remember.js";
import { tap } from "./tap.js";

const LIKELY = 4;

/**
 * Draws lists of moves. What is still offered stays as it is: somebody may be in the middle of choosing.
 * @param {Send<AnyMove>} send
 * @returns {(moves: AnyMove[], game: Drawing) => HTMLElement[]}
 */
export function chooser(send) {
  /** @type {Map<string, HTMLElement>} */
  let kept = new Map();
  return (moves, game) => {
    const before = kept;
    kept = new Map();
    for (const kind of new Set(moves.map((move) => move.move))) {
      const same = moves.filter((move) => move.move === kind);
      const key = JSON.stringify(same);
      kept.set(key, before.get(key) || drawn(kind, same, game, send));
    }
    return Array.from(kept.values());
  };
}

/**
 * @param {string} kind
 * @param {AnyMove[]} moves
 * @param {Drawing} game
 * @param {Send<AnyMove>} send
 * @returns {HTMLElement}
 */
function drawn(kind, moves, game, send) {
  if (game.pickers[kind]) return game.pickers[kind](moves, send);
  return h("div", { class: "choices" }, moves.map((move) => h("button", { class: "big", onclick: () => send(move) }, game.describe(move))));
}

/**
 * A card that the camera is not sure of: its likeliest names, any other, or none.
 * @param {Question} question
 * @param {DeckShown} deck
 */
export function settle(question, deck) {
  const look = remembering(question.zone);
  const named = (/** @type {string} */ card) => deck.names[card] || card;
  const fix = async (/** @type {string | null} */ card) => {
    if ((await tap("correct", { zone: question.zone, card, rotation: question.rotation })) && card !== null) look.keep(card, named(card));
  };
  const likely = question.guesses.slice(0, LIKELY).map((card) => h("button", { class: "big", onclick: () => fix(card) }, named(card)));
  const others = h("select", { "aria-label": t("Another card") });
  others.addEventListener("change", () => others.value && fix(others.value));
  others.append(h("option", { value: "" }, t("Another card")), ...Object.keys(deck.cards).map((card) => h("option", { value: card }, named(card))));
  const down = h("button", { class: "quiet", onclick: () => fix(null) }, t("It lies face down"));
  return h("div", { class: "question" }, look.crop, h("p", {}, t("Which card lies at {zone}?", { zone: question.place })), h("div", { class: "likely" }, likely), others, down, look.tick);
}

/**
 * Every move that a player may make, asked for when it is wanted: the tablet stands in for the camera.
 * @param {string} player
 * @returns {Promise<AnyMove[]>}
 */
export async function open(player) {
  const answer = await fetch(`/api/options?player=${encodeURIComponent(player)}`);
  return answer.ok ? (await answer.json()).moves : [];
}

/**
 * @param {string} text
 * @param {() => unknown} onclick
 * @param {string} [kind]
 */
export const button = (text, onclick, kind) => h("button", { class: kind || "big", onclick }, t(text));
