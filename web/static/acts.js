// What somebody can do now, as big buttons; a game brings its own picker where there are too many.

import { h } from "./dom.js";
import { t } from "./first.js";

/** Elements for a list of moves; `send` gets the one that is chosen. */
export function choices(moves, game, send) {
  const kinds = Array.from(new Set(moves.map((move) => move.move)));
  return kinds.map((kind) => {
    const same = moves.filter((move) => move.move === kind);
    if (game.pickers[kind]) return game.pickers[kind](same, send);
    return h("div", { class: "choices" }, same.map((move) => h("button", { class: "big", onclick: () => send(move) }, game.describe(move))));
  });
}

/** Every move that is open to a player, asked for when it is wanted: the tablet stands in for the camera. */
export async function open(player) {
  const answer = await fetch(`/api/options?player=${encodeURIComponent(player)}`);
  return answer.ok ? (await answer.json()).moves : [];
}

export const button = (text, onclick, kind) => h("button", { class: kind || "big", onclick }, t(text));
