// Draws any game: its view as plain tables. A game that nobody has drawn needs nothing else, and a drawing of its own is
// a script like this one: `create(tools)` gives a `Drawing` (`web/drawing.d.ts` says what that is).

import { h, replace, s } from "../dom.js";
import { face } from "../faces.js";

/** Fields of a view that the page shows with the players already. */
const ELSEWHERE = ["over", "winners", "scores"];

/**
 * @param {DrawingTools} tools
 * @returns {Drawing}
 */
export function create({ t, deck }) {
  const element = h("div", { class: "plain" });
  let shown = "";
  return {
    element,
    update(page) {
      const key = JSON.stringify(page.view);
      if (key === shown) return;
      shown = key;
      const fields = Object.keys(page.view).filter((field) => !ELSEWHERE.includes(field));
      replace(element, new Tables(t, deck, page.players).table(page.view, fields));
    },
    standing(page, player) {
      const scores = page.view.scores || {};
      const winners = page.view.winners || [];
      return { score: player in scores ? scores[player] : null, unit: Math.abs(scores[player]) === 1 ? t("point") : t("points"), won: winners.includes(player), out: false, notes: [] };
    },
    progress: () => "",
    spot: () => null,
    describe: (move) => words(move, t, deck),
    pickers: {},
  };
}

/**
 * "Reveal: Katana · F" for {move: "reveal", card: "katana", direction: "F"}.
 * @param {AnyMove} move
 * @param {Translate} t
 * @param {DeckShown} [deck]
 */
export function words(move, t, deck) {
  const named = (/** @type {unknown} */ id) => (deck && deck.names[String(id)]) || t(readable(id));
  const kind = (deck && deck.moves[move.move]) || t(readable(move.move));
  const facts = Object.keys(move).filter((field) => field !== "move" && move[field] !== null);
  const told = facts.map((field) => [].concat(move[field]).map(named).join(", "));
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

/** Data as tables: cards are drawn, players keep their names, anything else is made readable. */
class Tables {
  /**
   * @param {Translate} t
   * @param {DeckShown} deck
   * @param {string[]} players
   */
  constructor(t, deck, players) {
    this.t = t;
    this.deck = deck;
    this.players = players;
    /** @type {Record<string, string>} */
    this.common = { round: t("Round"), phase: t("Phase"), turn: t("Turn"), played: t("Played"), hand: t("Hand") };
  }

  /** @param {string} id */
  named(id) {
    if (this.players.includes(id)) return id;
    return this.deck.names[id] || this.common[id] || this.t(readable(id));
  }

  /**
   * @param {Record<string, unknown>} value
   * @param {string[]} fields
   * @returns {Child}
   */
  table(value, fields) {
    if (!fields.length) return "–";
    return h("table", {}, fields.map((field) => h("tr", {}, h("th", { scope: "row" }, this.named(field)), h("td", {}, this.cell(value[field])))));
  }

  /**
   * @param {any} value
   * @returns {Child}
   */
  cell(value) {
    if (value === null || value === undefined || value === "") return "–";
    if (typeof value === "boolean") return value ? this.t("Yes") : this.t("No");
    if (typeof value === "string") return this.deck.cards[value] ? this.card(value) : this.named(value);
    if (typeof value !== "object") return String(value);
    if (!Array.isArray(value)) return this.table(value, Object.keys(value));
    if (!value.length) return "–";
    const cells = value.map((each) => this.cell(each));
    // Words stand in a row with commas; cards and tables stand for themselves.
    return cells.every((each) => typeof each === "string") ? cells.join(", ") : cells;
  }

  /** @param {string} id */
  card(id) {
    const { width, height } = this.deck.cards[id];
    const drawn = s("svg", { viewBox: `${-width / 2} ${-height / 2} ${width} ${height}`, "aria-hidden": "true" }, face(this.deck, id, width));
    return h("figure", { class: "card" }, drawn, h("figcaption", {}, this.named(id)));
  }
}
