// The big moments over the table: three, two, one; turn up; and the end.

import { t } from "./bootstrap.js";
import { byId, calm, h, replace, s } from "./dom.js";
import { sound } from "./sounds.js";

/**
 * Three, two and one as a brush writes them in Japanese: that many strokes, each with its start and its length.
 * @type {Record<number, [number, number, number][]>}
 */
const STROKES = {
  3: [[34, 30, 132], [48, 88, 104], [10, 152, 182]],
  2: [[40, 52, 120], [12, 138, 178]],
  1: [[8, 92, 186]],
};

/**
 * @param {[number, number, number]} where
 * @param {number} place
 */
function stroke([x, y, long], place) {
  const end = x + long;
  const d =
    `M${x} ${y - 7} C${x + 9} ${y - 9} ${x + 15} ${y - 6} ${x + 22} ${y - 2} ` +
    `C${x + 0.35 * long} ${y + 3} ${x + 0.65 * long} ${y} ${end - 28} ${y - 7} ` +
    `C${end - 17} ${y - 12} ${end - 9} ${y - 13} ${end - 4} ${y - 9} C${end + 4} ${y - 2} ${end - 1} ${y + 4} ${end - 12} ${y + 5} ` +
    `C${x + 0.7 * long} ${y + 6} ${x + 0.4 * long} ${y + 7} ${x + 17} ${y + 9} C${x + 8} ${y + 10} ${x + 6} ${y + 2} ${x} ${y - 7} Z`;
  const path = s("path", { d });
  path.style.animationDelay = `${place * 0.12}s`;
  return path;
}

/** @param {number} count */
const brush = (count) => s("svg", { class: "brush", viewBox: "0 0 200 180" }, STROKES[count].map(stroke));

/**
 * What is called: the number, or the game's own word for it.
 * @param {number} count
 * @param {Drawing} game
 */
const called = (count, game) => (game.call ? h("b", { class: "number word" }, game.call(count)) : h("b", { class: "number" }, String(count)));

/**
 * Who was ready first. The game does not depend on it, so it is only small print.
 * @param {AnyPage} page
 */
const order = (page) => (page.order ? h("p", { class: "order" }, page.order) : null);

export class Moment {
  constructor() {
    this.element = byId("moment");
    this.shown = "";
  }

  /**
   * @param {AnyPage} page
   * @param {AnyPage | null} before
   * @param {Drawing} game
   */
  show(page, before, game) {
    const count = page.stage === "countdown" ? page.count : 0;
    const now = page.over ? "over" : count ? `count ${count}` : page.stage === "reveal" ? "reveal" : "";
    if (now === this.shown) return;
    this.shown = now;
    if (before) sound(now);
    this.element.className = `moment ${now}`;
    if (count) replace(this.element, h("div", { class: "ring" }), brush(count), called(count, game), order(page));
    else if (now === "reveal") replace(this.element, h("b", { class: "turn" }, t("Turn up!")), order(page));
    else if (now === "over" && !calm()) replace(this.element, h("div", { class: "petals" }, Array.from({ length: 26 }, (_, place) => petal(place))));
    else replace(this.element);
  }
}

/** @param {number} place */
function petal(place) {
  const leaf = h("i");
  leaf.style.left = `${(place * 37 + 11) % 100}%`;
  leaf.style.animationDelay = `${-((place * 53) % 90) / 10}s`;
  leaf.style.animationDuration = `${7 + ((place * 29) % 50) / 10}s`;
  return leaf;
}
