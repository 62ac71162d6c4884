// A game that nobody has drawn yet: its view as plain tables. The seam that every drawing has is this one:
//
//   create({t, deck, own}) -> {
//     element                      goes where the board is
//     shape                        its width by its height, where it has one (a square is 1)
//     update(page, before, news)   draws; `news` are the new sentences with their facts
//     standing(page, player)       {score, won, out, notes: [{text, kind}]}
//     progress(page)               a few words for the head line
//     spot(player)                 the player's piece on the board, or null: points fly from there
//     call(count)                  what is called at three, two, one, where it is more than the number
//     describe(move)               a move in words, for buttons
//     pickers                      {kind of move: (moves, send) => element}, where buttons alone would be clumsy
//   }

import { h, replace } from "../dom.js";

export function create({ t }) {
  const element = h("div", { class: "plain" });
  return {
    element,
    update(page) {
      replace(element, table(page.view));
    },
    standing(page, player) {
      const scores = page.view.scores || {};
      const winners = page.view.winners || [];
      return { score: player in scores ? scores[player] : null, won: winners.includes(player), out: false, notes: [] };
    },
    progress: () => "",
    spot: () => null,
    describe: (move) => words(move, t),
    pickers: {},
  };
}

/** "reveal: katana, F" for {move: "reveal", card: "katana", direction: "F"}. */
export function words(move, t) {
  const facts = Object.keys(move).filter((name) => name !== "move").map((name) => [].concat(move[name]).join(", "));
  return facts.length ? `${t(readable(move.move))}: ${facts.map((fact) => t(readable(fact))).join(" · ")}` : t(readable(move.move));
}

export const readable = (name) => {
  const text = String(name).replace(/_/g, " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
};

function table(value) {
  if (value === null || value === undefined) return "–";
  if (Array.isArray(value)) return value.length && typeof value[0] === "object" ? value.map(table) : value.join(", ");
  if (typeof value !== "object") return String(value);
  const rows = Object.keys(value).map((name) => h("tr", {}, h("th", {}, readable(name)), h("td", {}, table(value[name]))));
  return h("table", {}, rows);
}
