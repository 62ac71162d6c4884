// What somebody can do now, as big buttons; a game brings its own picker where there are too many.

import { h } from "./dom.js";
import { t } from "./bootstrap.js";
import { remembering } from "./remember.js";
import { tap } from "./tap.js";

const LIKELY = 4;

/** Draws lists of moves; what is still open stays as it is, for somebody may be in the middle of choosing. */
export function chooser(send) {
  let kept = {};
  return (moves, game) => {
    const before = kept;
    kept = {};
    for (const kind of new Set(moves.map((move) => move.move))) {
      const same = moves.filter((move) => move.move === kind);
      const key = JSON.stringify(same);
      kept[key] = before[key] || drawn(kind, same, game, send);
    }
    return Object.keys(kept).map((key) => kept[key]);
  };
}

function drawn(kind, moves, game, send) {
  if (game.pickers[kind]) return game.pickers[kind](moves, send);
  return h("div", { class: "choices" }, moves.map((move) => h("button", { class: "big", onclick: () => send(move) }, game.describe(move))));
}

/** A card that the camera is not sure of: its two best names, any other, or none. */
export function settle(question, deck) {
  const look = remembering(question.zone);
  const fix = async (card) => {
    if ((await tap("correct", { zone: question.zone, card, rotation: question.rotation })) && card !== null) look.keep(card, named(card));
  };
  const named = (card) => deck.names[card] || card;
  const likely = question.guesses.slice(0, LIKELY).map((card) => h("button", { class: "big", onclick: () => fix(card) }, named(card)));
  const others = h("select", { "aria-label": t("Another card"), onchange: (event) => event.target.value && fix(event.target.value) });
  others.append(h("option", { value: "" }, t("Another card")), ...Object.keys(deck.cards).map((card) => h("option", { value: card }, named(card))));
  const down = h("button", { class: "quiet", onclick: () => fix(null) }, t("It lies face down"));
  return h("div", { class: "question" }, look.crop, h("p", {}, t("Which card lies at {zone}?", { zone: question.place || question.zone })), h("div", { class: "likely" }, likely), others, down, look.tick);
}

/** Every move that is open to a player, asked for when it is wanted: the tablet stands in for the camera. */
export async function open(player) {
  const answer = await fetch(`/api/options?player=${encodeURIComponent(player)}`);
  return answer.ok ? (await answer.json()).moves : [];
}

export const button = (text, onclick, kind) => h("button", { class: kind || "big", onclick }, t(text));
