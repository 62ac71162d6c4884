// What fills the wall when no round is being played: the way in, the call to the tables, how everybody stands.

import { t } from "../bootstrap.js";
import { h } from "../dom.js";
import { elapsed } from "../clock.js";
import { points } from "./follow.js";

const ROOM = 24; // pairings on one screen
const TOP = 8;

/**
 * @param {VenuePage} page
 * @param {number} now the venue's clock
 * @param {number} turn which screen, where there are several
 * @returns {HTMLElement | null} null: the tables are what there is to see
 */
export function scene(page, now, turn) {
  const { stage } = page.round;
  const playing = page.tables.some((table) => table.here && table.stage !== "lobby" && table.stage !== "over");
  if (stage === "registration" && !playing) return gather(page);
  if (stage === "called") return called(page, now, turn);
  if (stage === "break" || (stage === "over" && !playing)) return standing(page);
  return null;
}

/** @param {VenuePage} page */
function gather(page) {
  const names = page.entrants.filter((each) => !each.left).map((each) => each.name);
  return h(
    "section",
    { class: "scene gather" },
    h("div", { class: "way-in" }, h("h2", {}, t("Scan to play")), h("img", { src: "/register.svg", alt: t("A code to scan: it opens the registration on a phone") })),
    h("div", {}, h("p", { class: "number" }, t("{count} registered", { count: names.length })), h("ul", { "data-many": names.length > 24 ? "more" : "few" }, names.map((name) => h("li", {}, name)))),
  );
}

/**
 * @param {VenuePage} page
 * @param {number} now
 * @param {number} turn
 */
function called(page, now, turn) {
  const round = page.rounds[page.rounds.length - 1];
  const screens = Math.max(1, Math.ceil(round.pairings.length / ROOM));
  const at = (turn % screens) * ROOM;
  const some = round.pairings.slice(at, at + ROOM);
  const many = some.length <= 4 ? "4" : some.length <= 10 ? "10" : "24";
  const left = page.round.ends ? Math.ceil(page.round.ends - now) : 0;
  return h(
    "section",
    { class: "scene called" },
    h("header", {}, h("h2", {}, t("Round {round}: take your seats", { round: round.number })), left > 0 ? h("time", { role: "timer" }, elapsed(left)) : null),
    h("ul", { "data-many": many }, some.map((each) => h("li", {}, h("b", {}, each.table || t("waits")), h("span", {}, each.players.join(" · "))))),
    round.byes.length ? h("p", { class: "byes" }, t("Bye: {names}", { names: round.byes.join(", ") })) : null,
    screens > 1 ? h("p", { class: "screens" }, `${(turn % screens) + 1} / ${screens}`) : null,
  );
}

/** @param {VenuePage} page */
function standing(page) {
  const first = page.standings.filter((row) => row.rank === 1).map((row) => row.name);
  const over = page.round.stage === "over";
  const head = over ? (first.length > 1 ? t("{names} share the win", { names: first.join(", ") }) : t("{name} wins", { name: first[0] || "" })) : t("After round {round}", { round: page.round.round });
  return h(
    "section",
    { class: "scene standing" },
    h("h2", {}, head),
    h("ol", {}, page.standings.slice(0, TOP).map((row) => h("li", { class: row.rank === 1 ? "first" : "" }, h("b", {}, `${row.rank}.`), h("span", {}, row.name), h("b", {}, points(row.points))))),
  );
}
