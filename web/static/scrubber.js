// The bar at the bottom of a match that is looked back at: a place for every moment, by finger, mouse or key.

import { t } from "./bootstrap.js";
import { elapsed } from "./clock.js";
import { byId, h, replace, s } from "./dom.js";

const SWIPE = 45;
/** Milliseconds that a moment is shown while the match plays by itself. */
const PACE = 1100;
/** @type {Record<string, string>} */
const KINDS = { act: t("Referee"), undo: t("Taken back"), refused: t("Refused"), call: t("Called"), count: t("Count of three"), pause: t("Pause") };
/** @type {Record<string, number>} */
const KEYS = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -Infinity, End: Infinity };

export class Scrubber {
  /**
   * @param {MomentShown[]} moments
   * @param {(place: number) => unknown} go
   */
  constructor(moments, go) {
    this.moments = moments;
    this.go = go;
    this.place = 0;
    this.playing = 0;
    /** @type {HTMLInputElement} */
    this.range = byId("scrubber");
    this.range.addEventListener("input", () => this.to(Number(this.range.value)));
    byId("first-moment").onclick = () => this.to(0);
    byId("before").onclick = () => this.by(-1);
    byId("after").onclick = () => this.by(1);
    byId("last-moment").onclick = () => this.to(Infinity);
    byId("play").onclick = () => this.play(!this.playing);
    document.addEventListener("keydown", (event) => this.key(event));
    this.swipes(byId("board"));
    /** @type {HTMLDetailsElement} */
    const all = byId("all-moments");
    all.addEventListener("toggle", () => this.list(all.open));
    this.grown();
  }

  /** There are more moments than before, or some were taken back. */
  grown() {
    this.range.max = String(this.moments.length - 1);
    this.marks();
    /** @type {HTMLDetailsElement} */
    const all = byId("all-moments");
    this.list(all.open);
  }

  /** @param {number} steps */
  by(steps) {
    this.to(this.place + steps);
  }

  /** @param {number} place */
  to(place) {
    this.play(false);
    this.go(Math.max(0, Math.min(this.moments.length - 1, place)));
  }

  /**
   * Step through the match by itself, or stop.
   * @param {boolean} on
   */
  play(on) {
    window.clearInterval(this.playing);
    this.playing = 0;
    if (on) {
      if (this.place === this.moments.length - 1) this.go(0);
      this.playing = window.setInterval(() => (this.place < this.moments.length - 1 ? this.go(this.place + 1) : this.play(false)), PACE);
    }
    byId("play").setAttribute("aria-pressed", String(on));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.altKey || event.ctrlKey || event.metaKey || target.closest("dialog, select, textarea, input:not([type=range])")) return;
    if (event.key === " " && !target.closest("button, a, summary")) this.play(!this.playing);
    else if (event.key in KEYS) this.by(KEYS[event.key]);
    else return;
    event.preventDefault();
  }

  /** @param {HTMLElement} element */
  swipes(element) {
    /** @type {Touch | null} */
    let began = null;
    element.addEventListener("touchstart", (event) => (began = event.touches.length === 1 ? event.touches[0] : null), { passive: true });
    element.addEventListener("touchend", (event) => {
      const ended = event.changedTouches[0];
      if (!began || !ended) return;
      const [right, down] = [ended.clientX - began.clientX, ended.clientY - began.clientY];
      if (Math.abs(right) > SWIPE && Math.abs(right) > 2 * Math.abs(down)) this.by(right < 0 ? 1 : -1);
    });
  }

  /** What is worth finding on the bar: what was taken back, what the referee did, what was refused or called. */
  marks() {
    const last = Math.max(1, this.moments.length - 1);
    /** @type {Record<string, string>} */
    const paths = {};
    this.moments.forEach((moment, place) => {
      const kind = moment.undone ? "undone" : moment.kind;
      if (kind in KINDS || kind === "undone") paths[kind] = `${paths[kind] || ""}M${((1000 * place) / last).toFixed(1)} 0V10`;
    });
    replace(byId("marks"), Object.keys(paths).map((kind) => s("path", { class: `is-${kind}`, d: paths[kind] })));
  }

  /** @param {number} place */
  show(place) {
    this.place = place;
    const moment = this.moments[place];
    this.range.value = String(place);
    const told = this.words(moment);
    this.range.setAttribute("aria-valuetext", told);
    const kind = moment.undone ? t("Taken back later") : KINDS[moment.kind];
    const time = moment.at === null || moment.at === undefined ? "" : elapsed(moment.at);
    replace(
      byId("where"),
      h("b", {}, t("Line {line}", { line: moment.line })),
      time && h("span", { class: "time" }, time),
      kind && h("em", { class: `is-${moment.undone ? "undone" : moment.kind}` }, kind),
      h("span", { class: moment.undone ? "told is-undone" : "told" }, moment.text),
    );
    const row = document.querySelector(`#moments [aria-current]`);
    if (row) row.removeAttribute("aria-current");
    const now = document.querySelector(`#moments a[href="#${moment.line}"]`);
    if (now) {
      now.setAttribute("aria-current", "true");
      now.scrollIntoView({ block: "nearest" });
    }
  }

  /** @param {MomentShown} moment */
  words(moment) {
    return `${t("Line {line}", { line: moment.line })}: ${moment.text}${moment.undone ? ` (${t("Taken back later")})` : ""}`;
  }

  /**
   * Every moment with its link; made when somebody opens the list.
   * @param {boolean} open
   */
  list(open) {
    const rows = open ? this.moments.map((moment) => h("li", {}, h("a", { href: `#${moment.line}`, class: `is-${moment.undone ? "undone" : moment.kind}` }, h("b", {}, String(moment.line)), " ", moment.text))) : [];
    replace(byId("moments"), rows);
    if (open) this.show(this.place);
  }
}
