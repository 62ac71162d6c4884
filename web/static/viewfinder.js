// The live picture of a set-up page, and what is drawn on it. One picture at a time, only while somebody can see it:
// the next is asked for when the last is on the screen, so a slow table is asked less often and requests never pile up.

import { stayAwake } from "./awake.js";
import { byId, h, replace, s, write } from "./dom.js";

const EVERY = 350;
const NONE = 2500;

/** @template {{look: number, size: Point}} News */
export class Viewfinder {
  /**
   * `ask` is where news comes from, `picture` gives the address of its picture, `draw` what lies over it.
   * @param {{ask: string, picture: (news: News) => string, draw: (news: News) => Child, trouble: (text: string) => void}} parts
   */
  constructor({ ask, picture, draw, trouble }) {
    this.ask = ask;
    this.picture = picture;
    this.draw = draw;
    this.trouble = trouble;
    this.figure = byId("stage");
    this.image = this.figure.querySelector("img") || h("img");
    this.sheet = this.figure.querySelector("svg") || s("svg");
    this.caption = this.figure.querySelector("figcaption") || h("figcaption");
    this.shown = "";
  }

  start() {
    stayAwake(); // both hands are at the cards
    this.step();
  }

  async step() {
    let wait = EVERY;
    try {
      if (!document.hidden) wait = await this.look();
    } catch (_) {
      this.fail("");
      wait = NONE;
    }
    window.setTimeout(() => this.step(), wait);
  }

  async look() {
    const answer = await fetch(this.ask, { cache: "no-store" });
    if (answer.status === 403) window.location.reload();
    const news = await answer.json();
    if (news.blind || !answer.ok) {
      this.fail(news.blind || news.text);
      return NONE;
    }
    const got = await fetch(this.picture(news), { cache: "no-store" });
    if (got.ok) await this.put(await got.blob());
    this.figure.dataset.state = "seeing";
    write(this.caption, "");
    this.sheet.setAttribute("viewBox", `0 0 ${news.size[0]} ${news.size[1]}`);
    replace(this.sheet, this.draw(news));
    return EVERY;
  }

  /** @param {Blob} blob */
  async put(blob) {
    const next = URL.createObjectURL(blob);
    this.image.src = next;
    if (this.image.decode) await this.image.decode().catch(() => {});
    if (this.shown) URL.revokeObjectURL(this.shown);
    this.shown = next;
  }

  /** @param {string} text */
  fail(text) {
    this.figure.dataset.state = "blind";
    replace(this.sheet);
    if (text) write(this.caption, text);
    this.trouble(text);
  }
}

/** @param {Point[]} corners */
const points = (corners) => corners.map((point) => point.join(",")).join(" ");

/** @param {Point[]} corners */
const middle = (corners) => [0, 1].map((axis) => corners.reduce((sum, point) => sum + point[axis], 0) / corners.length);

/**
 * Four corners drawn over the picture, with a word in their middle.
 * @param {Point[]} corners
 * @param {string} kind
 * @param {string} text
 * @param {number} size
 */
export function outline(corners, kind, text, size) {
  const [x, y] = middle(corners);
  return s("g", { class: kind }, s("polygon", { points: points(corners) }), text && s("text", { x, y, "font-size": size, dy: "0.35em" }, text));
}
