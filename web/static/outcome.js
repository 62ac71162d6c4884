// After the match: who won, how everybody stands, and what comes next. It pushes the page down and covers nothing.

import { first, t } from "./bootstrap.js";
import { byId, h, replace, score, write } from "./dom.js";
import { badge } from "./seats.js";
import { post } from "./tap.js";
import { outcomeTitle } from "./winners.js";

let closed = false;
let shown = "";

/**
 * @param {AnyPage} page
 * @param {Drawing} game
 */
export function outcome(page, game) {
  const element = byId("outcome");
  const now = JSON.stringify([page.over, page.review, closed, page.said.length && page.said[page.said.length - 1].number]);
  if (now === shown) return;
  shown = now;
  if (!page.over) closed = false;
  element.hidden = !page.over || closed;
  if (!element.hidden) replace(element, result(page, game), steps(page));
}

/**
 * A virtual table plays by itself; whoever looks on can sit down in the lobby.
 * @param {AnyPage} page
 */
export function virtualTable(page) {
  const element = byId("virtual-table");
  element.hidden = !first.virtual || page.over || first.role === "referee";
  const now = String(Boolean(page.hand));
  if (element.hidden || element.dataset.plays === now) return;
  element.dataset.plays = now;
  const trouble = h("span", { class: "fault", role: "alert" });
  const ask = async (/** @type {string} */ path) => {
    const answer = await post(path, {});
    write(trouble, answer.ok ? "" : answer.text);
  };
  const text = page.hand ? t("You play at the virtual table.") : t("Bots play at the virtual table.");
  replace(
    element,
    h("span", { class: page.hand ? "aside" : "" }, text),
    page.hand && h("button", { class: "quiet", id: "bot-plays-on", onclick: () => ask("/api/virtual/hand-over") }, t("Let a bot play on")),
    h("button", { class: "quiet", id: "back-to-lobby", onclick: () => ask("/api/virtual/leave") }, page.hand ? t("Stop the match") : t("Sit down and play")),
    trouble,
  );
}

/**
 * @param {AnyPage} page
 * @param {Drawing} game
 */
function result(page, game) {
  const standings = page.players.map((player, seat) => ({ player, seat, standing: game.standing(page, player) }));
  const winners = standings.filter((each) => each.standing.won).map((each) => each.player);
  const title = outcomeTitle(winners, page.players, t);
  const rulings = page.said.filter((each) => each.kind !== "notice" && !each.taken_back);
  const last = rulings[rulings.length - 1];
  // What the referee has ended says first how, and then who wins, which the title says already.
  const how = last && last.kind === "act" ? rulings.find((each) => each.line === last.line) : last;
  return [
    h("h2", { id: "outcome-title" }, title, page.review && h("small", {}, t("under review"))),
    h("p", { class: "how" }, how ? how.text : ""),
    h(
      "ul",
      { class: "standings" },
      standings.map(({ player, seat, standing }) => h("li", { class: standing.won ? "won" : null }, badge(seat), player, " ", h("b", {}, score(standing.score)), " ", standing.unit || "")),
    ),
  ];
}

/** @param {AnyPage} page */
function steps(page) {
  const trouble = h("p", { class: "fault", role: "alert" });
  const to = (/** @type {NextBody["to"]} */ where) => async () => {
    const answer = await post("/api/table/next", { to: where });
    write(trouble, answer.ok ? "" : answer.text);
  };
  const close = () => {
    closed = true;
    byId("outcome").hidden = true;
  };
  const next = page.review
    ? [first.role === "referee" ? h("button", { class: "act", onclick: to("confirm") }, t("Confirm the result")) : h("p", {}, t("The referee has to confirm the result."))]
    : [
        h("button", { class: "act", onclick: to("rematch") }, t("Rematch")),
        page.players.length > 1 && h("button", { class: "act", onclick: to("rotate") }, t("Rematch, one seat on")),
        h("button", { class: "act", onclick: to("lobby") }, t("Another game")),
      ];
  const back = page.match && h("a", { class: "quiet", href: `/history/${encodeURIComponent(page.match)}` }, t("Look back"));
  return [h("p", { class: "next" }, first.arranges && next, back, h("button", { class: "quiet", onclick: close }, t("Close"))), trouble];
}
