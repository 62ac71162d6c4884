// Draws any game: its view as plain tables. A game that nobody has drawn needs nothing else, and a drawing of its own is
// a script like this one: `create(tools)` gives a `Drawing` (`web/drawing.d.ts` says what that is).

import { h, replace } from "../dom.js";

/** Fields of a view that the page shows with the players already. */
const ELSEWHERE = ["over", "winners", "scores"];

/**
 * @param {DrawingTools} tools
 * @returns {Drawing}
 */
export function create({ t, deck }) {
  const element = h("div", { class: "plain" });
  return {
    element,
    update(page) {
      const fields = Object.keys(page.view).filter((field) => !ELSEWHERE.includes(field));
      const name = namer(t, deck, page.players);
      replace(element, table(fields.reduce((told, field) => Object.assign(told, { [field]: page.view[field] }), {}), name, t));
    },
    standing(page, player) {
      const scores = page.view.scores || {};
      const winners = page.view.winners || [];
      return { score: player in scores ? scores[player] : null, won: winners.includes(player), out: false, notes: [] };
    },
    progress: () => "",
    spot: () => null,
    describe: (move) => words(move, t, deck),
    pickers: {},
  };
}

/**
 * What people call something: players by their names, cards as the deck names them, words as the catalogue has them;
 * the names of anything else are made readable.
 * @param {Translate} t
 * @param {DeckShown} [deck]
 * @param {string[]} [players]
 * @returns {(id: unknown) => string}
 */
const namer = (t, deck, players) => {
  /** @type {Record<string, string>} */
  const common = { round: t("Round"), phase: t("Phase"), turn: t("Turn"), played: t("Played"), hand: t("Hand") };
  return (id) => {
    const text = String(id);
    if (players && players.includes(text)) return text;
    return (deck && deck.names[text]) || common[text] || t(readable(text));
  };
};

/**
 * "Reveal: Katana · F" for {move: "reveal", card: "katana", direction: "F"}.
 * @param {AnyMove} move
 * @param {Translate} t
 * @param {DeckShown} [deck]
 */
export function words(move, t, deck) {
  const name = namer(t, deck);
  const kind = (deck && deck.moves[move.move]) || name(move.move);
  const facts = Object.keys(move).filter((field) => field !== "move" && move[field] !== null);
  const told = facts.map((field) => [].concat(move[field]).map(name).join(", "));
  return told.length ? `${kind}: ${told.join(" · ")}` : kind;
}

/**
 * "Two swords" for "two_swords".
 * @param {unknown} id
 */
export const readable = (id) => {
  const text = String(id).replace(/_/g, " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
};

/**
 * @param {any} value
 * @param {(id: unknown) => string} name
 * @param {Translate} t
 * @returns {Child}
 */
function table(value, name, t) {
  if (value === null || value === undefined || value === "") return "–";
  if (typeof value === "boolean") return value ? t("Yes") : t("No");
  if (typeof value === "string") return name(value);
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value)) {
    if (!value.length) return "–";
    return value.some((each) => each && typeof each === "object") ? value.map((each) => table(each, name, t)) : value.map(name).join(", ");
  }
  const rows = Object.keys(value).map((field) => h("tr", {}, h("th", { scope: "row" }, name(field)), h("td", {}, table(value[field], name, t))));
  return rows.length ? h("table", {}, rows) : "–";
}
