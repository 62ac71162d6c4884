// The course of the match: how everybody stood after each move, as lines that climb and fall in steps.

import { t } from "./bootstrap.js";
import { h, replace, s, score } from "./dom.js";
import { colour, sign } from "./seats.js";

/** Room for the numbers beside the lines, in letters. */
const LEFT = 2.4;
const RIGHT = 1;
const TOP = 0.6;
const BOTTOM = 1.6;

/**
 * Round numbers to write beside the chart, from the lowest to the highest that was reached.
 * @param {number} low
 * @param {number} high
 */
export function ticks(low, high) {
  const wanted = Math.max(high - low, 1) / 4;
  const ten = 10 ** Math.floor(Math.log10(wanted));
  const step = Math.max(1, [1, 2, 5, 10].map((each) => each * ten).find((each) => each >= wanted) || 1);
  const found = [];
  for (let at = Math.floor(low / step) * step; at < high + step; at += step) found.push(at);
  return found;
}

export class Chart {
  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
    this.picture = s("svg", { role: "img" });
    this.shown = "";
    /** @type {AnyPage | null} */
    this.page = null;
    /** @type {number | undefined} After so many moves stands whoever looks back. */
    this.place = undefined;
    /** @type {((moves: number) => void) | null} Called with the moves that somebody points at. */
    this.onplace = null;
    if (window.ResizeObserver) new ResizeObserver(() => this.page && this.show(this.page, this.place)).observe(element);
    this.picture.addEventListener("click", (event) => this.point(event));
  }

  /**
   * @param {AnyPage} page
   * @param {number} [place] where on it somebody stands who looks back
   */
  show(page, place) {
    this.page = page;
    this.place = place;
    const { title, steps } = page.tally;
    this.element.hidden = !steps.length || !steps[0].tally.length;
    if (this.element.hidden) return;
    if (!this.picture.isConnected) replace(this.element, h("figcaption", {}, h("h2", {}, title)), this.picture);
    // It is drawn in the pixels that it has on this screen, so that its letters are as large as any.
    const { width, height } = this.picture.getBoundingClientRect();
    const letter = parseFloat(window.getComputedStyle(this.picture).fontSize);
    const key = JSON.stringify([page.tally, page.moves, page.players, width, height, letter, place]);
    if (key === this.shown || !width) return;
    this.shown = key;
    this.draw(page, width, height, letter);
  }

  /**
   * @param {AnyPage} page
   * @param {number} width
   * @param {number} height
   * @param {number} letter
   */
  draw(page, width, height, letter) {
    const { title, steps } = page.tally;
    const now = steps[steps.length - 1].tally;
    const last = Math.max(page.moves, 1);
    const all = steps.reduce((/** @type {number[]} */ found, step) => found.concat(step.tally), []);
    const lines = ticks(Math.min(0, ...all), Math.max(1, ...all));
    const [low, high] = [lines[0], lines[lines.length - 1]];
    const [left, right, top, bottom] = [LEFT * letter, width - RIGHT * letter, TOP * letter, height - BOTTOM * letter];
    const x = (/** @type {number} */ moves) => left + ((right - left) * moves) / last;
    const y = (/** @type {number} */ value) => top + ((bottom - top) * (high - value)) / (high - low);
    const told = page.players.map((player, seat) => `${player} ${score(now[seat])}`).join(", ");
    const { picture } = this;
    picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
    picture.setAttribute("aria-label", `${title}: ${told}. ${moves(page.moves)}.`);
    replace(picture);
    for (const at of lines) {
      picture.append(s("line", { class: at ? "grid" : "grid zero", x1: left, x2: right, y1: y(at), y2: y(at) }));
      picture.append(s("text", { class: "tick", x: left - 0.4 * letter, y: y(at) + 0.35 * letter }, score(at)));
    }
    picture.append(s("text", { class: "tick first", x: left, y: height - 0.3 * letter }, "0"), s("text", { class: "tick", x: right, y: height - 0.3 * letter }, moves(page.moves)));
    page.players.forEach((_, seat) => {
      // Whoever stands alike is drawn side by side, so that no line hides another.
      const beside = (seat - (page.players.length - 1) / 2) * 2.5;
      let path = "";
      steps.forEach((step, place) => {
        const [at, up] = [x(step.moves), y(step.tally[seat]) + beside];
        path += place ? `H${at.toFixed(1)}V${up.toFixed(1)}` : `M${at.toFixed(1)} ${up.toFixed(1)}`;
      });
      picture.append(s("path", { class: "course", d: `${path}H${right.toFixed(1)}`, stroke: colour(seat) }));
    });
    if (this.place !== undefined) picture.append(s("line", { class: "place", x1: x(Math.min(this.place, last)), x2: x(Math.min(this.place, last)), y1: top, y2: bottom }));
    // The signs come last, over all lines; those who stand alike share a place, one beside the other.
    page.players.forEach((_, seat) => {
      const alike = now.slice(0, seat).filter((each) => each === now[seat]).length;
      picture.append(s("g", { transform: `translate(${right - alike * 1.1 * letter} ${y(now[seat])})` }, sign(seat, 0.5 * letter)));
    });
  }

  /** @param {MouseEvent} event */
  point(event) {
    if (!this.onplace || !this.page) return;
    const { left, width } = this.picture.getBoundingClientRect();
    const letter = parseFloat(window.getComputedStyle(this.picture).fontSize);
    const [start, end] = [LEFT * letter, width - RIGHT * letter];
    const share = Math.max(0, Math.min(1, (event.clientX - left - start) / (end - start)));
    this.onplace(Math.round(share * Math.max(this.page.moves, 1)));
  }
}

/** @param {number} count */
const moves = (count) => (count === 1 ? t("1 move") : t("{moves} moves", { moves: count }));
