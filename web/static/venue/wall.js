// The wall: all tables live, the most exciting ones large; calls for the next round over everything.

import { t } from "../bootstrap.js";
import { byId, h, replace, score } from "../dom.js";
import { elapsed } from "../clock.js";
import { stayAwake } from "../awake.js";
import { follow } from "./follow.js";

const LARGE = 2;
const ROTATE = 8000;
const STAY = 6000;

/** @type {VenuePage | null} */
let page = null;
/** @type {string[]} */
let large = [];
let since = 0;
let turn = 0;
let told = 0;

/** Who is shown large: whoever is most exciting, but nobody is taken away after a moment. */
function choose() {
  if (!page) return;
  const playing = page.tables.filter((table) => table.here && table.stage !== "lobby");
  const ranked = (playing.length ? playing : page.tables).slice().sort((a, b) => b.excitement - a.excitement);
  const wanted = ranked.slice(0, page.tables.length > 3 ? LARGE : 1).map((table) => table.id);
  const known = large.every((id) => page && page.tables.some((table) => table.id === id));
  if (!known || large.length !== wanted.length || Date.now() - since > STAY) {
    if (large.join() !== wanted.join()) since = Date.now();
    large = wanted;
  }
}

function draw() {
  if (!page) return;
  choose();
  const big = large.map((id) => page && page.tables.find((table) => table.id === id)).filter(Boolean);
  const others = page.tables.filter((table) => !large.includes(table.id));
  const room = window.innerWidth > 1200 ? 12 : 6;
  const screens = Math.max(1, Math.ceil(others.length / room));
  const shown = others.slice((turn % screens) * room, (turn % screens) * room + room);
  const main = byId("main");
  main.dataset.large = String(big.length);
  replace(
    main,
    page.round.stage === "called" ? called(page.rounds[page.rounds.length - 1]) : null,
    h("section", { class: "large", "aria-label": t("The most exciting tables") }, big.map((table) => table && tile(table, true))),
    h("section", { class: "small", "aria-label": t("All tables") }, shown.map((table) => tile(table, false))),
    screens > 1 ? h("p", { class: "screens" }, `${(turn % screens) + 1} / ${screens}`) : null,
  );
}

/** @param {RoundShown} round */
function called(round) {
  return h(
    "section",
    { class: "called" },
    h("h2", {}, t("Round {round}: take your seats", { round: round.number })),
    h("ul", {}, round.pairings.map((each) => h("li", {}, h("b", {}, each.table || t("waits")), h("span", {}, each.players.join(" · "))))),
    round.byes.length ? h("p", {}, t("Bye: {names}", { names: round.byes.join(", ") })) : null,
  );
}

/**
 * @param {WallTable} table
 * @param {boolean} isLarge
 */
function tile(table, isLarge) {
  const moving = table.running ? (performance.now() - told) / 1000 : 0;
  const reached = table.reached + (table.running ? table.age : 0) + moving;
  const clock = table.limit ? elapsed(Math.max(0, table.limit - reached)) : elapsed(reached);
  return h(
    "a",
    { class: `tile ${table.stage}${table.calls.length ? " calls" : ""}`, href: `/table/${table.id}` },
    h("header", {}, h("b", {}, table.name), h("span", {}, table.title || t("free")), table.stage === "lobby" || table.stage === "gone" ? null : h("time", {}, clock)),
    h("ul", { class: "duel" }, table.players.map((player) => person(player))),
    h("p", { class: "stage" }, table.calls.length ? t("{names} calls the arbiter", { names: table.calls.join(", ") }) : stage(table)),
    isLarge && table.said.length ? h("ol", { class: "said" }, table.said.map((text) => h("li", {}, text))) : null,
  );
}

/** @param {WallPlayer} player */
function person(player) {
  const marks = [player.won ? "won" : "", player.awaited ? "awaited" : "", player.ready ? "ready" : ""].join(" ");
  return h("li", { class: marks }, h("span", { class: "who" }, player.name), h("b", {}, score(player.standing)));
}

/** @param {WallTable} table */
function stage(table) {
  if (table.count) return String(table.count);
  /** @type {Record<string, string>} */
  const known = {
    gone: t("not connected: it plays on by itself"),
    lobby: table.board ? t("take your seats") : t("free"),
    paused: t("paused"),
    countdown: t("three, two, one"),
    reveal: t("reveal"),
    over: t("over"),
  };
  return known[table.stage] || "";
}

follow((next) => {
  page = next;
  told = performance.now();
  draw();
});
window.setInterval(draw, 1000);
window.setInterval(() => {
  turn += 1;
}, ROTATE);
stayAwake();
