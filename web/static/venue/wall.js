// The wall: all tables live, the most exciting ones large, each of them in its turn; between rounds what matters then.

import { t } from "../bootstrap.js";
import { byId, h, replace, score } from "../dom.js";
import { elapsed } from "../clock.js";
import { stayAwake } from "../awake.js";
import { follow } from "./follow.js";
import { scene } from "./wall_scenes.js";

const LARGE = 2;
const TURN = 8000;
const WAITED = 15000; // milliseconds of waiting that weigh as much as one point of excitement

/** @type {VenuePage | null} */
let page = null;
/** @type {string[]} */
let large = [];
/** @type {Map<string, number>} When each table was last large. */
const shown = new Map();
const began = Date.now();
let turn = 0;
let chosen = -1;
let told = 0;

/**
 * Who is large in this turn: the most exciting, but whoever has waited long comes up too.
 * @param {WallTable[]} tables
 */
function choose(tables) {
  const playing = tables.filter((table) => table.here && table.stage !== "lobby");
  const still = large.every((id) => playing.some((table) => table.id === id));
  if (chosen === turn && still && large.length) return;
  chosen = turn;
  const now = Date.now();
  const weight = (/** @type {WallTable} */ table) => table.excitement + (now - (shown.get(table.id) || began)) / WAITED;
  const ranked = (playing.length ? playing : tables).slice().sort((a, b) => weight(b) - weight(a));
  large = ranked.slice(0, tables.length > 3 ? LARGE : 1).map((table) => table.id);
  for (const id of large) shown.set(id, now);
}

function draw() {
  if (!page) return;
  const now = page.now + (performance.now() - told) / 1000;
  const instead = scene(page, now, turn);
  const main = byId("main");
  if (instead) {
    replace(main, instead);
    return;
  }
  const { tables } = page;
  choose(tables);
  const big = tables.filter((table) => large.includes(table.id));
  const others = tables.filter((table) => !large.includes(table.id));
  const room = window.innerWidth > 1200 ? 12 : 6;
  const screens = Math.max(1, Math.ceil(others.length / room));
  const few = others.slice((turn % screens) * room, (turn % screens) * room + room);
  const many = [1, 2, 3, 4, 8].find((most) => few.length <= most) || 12;
  const latest = few.length > 2 ? 0 : 1;
  replace(
    main,
    h("section", { class: "large", "aria-label": t("The most exciting tables") }, big.map((table) => tile(table, 2))),
    h("section", { class: "small", "data-many": many, "aria-label": t("All tables") }, few.map((table) => tile(table, latest))),
    screens > 1 ? h("p", { class: "screens" }, `${(turn % screens) + 1} / ${screens}`) : null,
  );
}

/**
 * @param {WallTable} table
 * @param {number} latest how many of its last rulings are read out
 */
function tile(table, latest) {
  const moving = table.running ? (performance.now() - told) / 1000 : 0;
  const reached = table.reached + (table.running ? table.age : 0) + moving;
  const clock = table.limit ? elapsed(Math.max(0, table.limit - reached)) : elapsed(reached);
  const resting = table.stage === "lobby" || table.stage === "gone";
  return h(
    "a",
    { class: `tile ${table.stage}${table.calls.length ? " calls" : ""}`, href: `/table/${table.id}` },
    h("header", {}, h("b", {}, table.name), h("span", {}, table.title || (table.board ? "" : t("free"))), resting ? null : h("time", {}, clock)),
    h("ul", { class: table.players.length > 3 ? "duel crowd" : "duel" }, table.players.map(person)),
    h("p", { class: table.count ? "stage count" : "stage" }, table.calls.length ? t("{names} calls the arbiter", { names: table.calls.join(", ") }) : stage(table)),
    latest && table.said.length ? h("ol", { class: "latest" }, table.said.slice(0, latest).map((text) => h("li", {}, text))) : null,
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
}, TURN);
stayAwake();
