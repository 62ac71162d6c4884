// What the camera reads, drawn on its picture and listed place by place: a reading may be sure and wrong all the same.

import { settle } from "./acts.js";
import { t } from "./bootstrap.js";
import { h, maybe, replace, s } from "./dom.js";

const EVERY = 1500;

export class Readings {
  /** @param {DeckShown} deck */
  constructor(deck) {
    this.deck = deck;
    this.list = h("ul", { class: "readings" });
    this.element = h("details", { class: "camera-reads" }, h("summary", {}, t("What the camera reads")), this.list);
    this.element.addEventListener("toggle", () => this.element.open && this.refresh().catch(() => {}));
    this.marks = maybe("marks");
    this.figure = maybe("camera");
    this.shown = "";
    this.chosen = "";
    this.load();
  }

  async load() {
    const looking = this.element.open || (this.figure && !this.figure.hidden);
    if (looking && !document.hidden) await this.refresh().catch(() => {});
    window.setTimeout(() => this.load(), EVERY);
  }

  async refresh() {
    const answer = await fetch("/api/readings", { cache: "no-store" });
    /** @type {Partial<ReadingsAnswer & Blind & Trouble>} */
    const said = await answer.json();
    const key = JSON.stringify([said, this.chosen]);
    if (key === this.shown) return;
    this.shown = key;
    const found = said.readings || [];
    if (!said.readings) replace(this.list, h("li", {}, said.blind || said.text));
    else replace(this.list, found.length ? found.map((each) => this.row(each)) : h("li", {}, t("No card lies face up.")));
    if (this.marks) replace(this.marks, outlines(found), found.map((each) => this.mark(each)));
  }

  /** @param {ReadingShown} reading */
  name(reading) {
    return reading.card ? this.deck.names[reading.card] || reading.card : t("not sure");
  }

  /** @param {ReadingShown} reading */
  choose(reading) {
    this.chosen = reading.zone === this.chosen ? "" : reading.zone;
    this.refresh();
  }

  /**
   * A card on the picture: its name in its place, to be tapped where it is wrong.
   * @param {ReadingShown} reading
   */
  mark(reading) {
    const open = () => {
      this.element.open = true;
      this.chosen = "";
      this.choose(reading);
      this.element.scrollIntoView({ block: "nearest" });
    };
    const name = this.name(reading);
    const mark = h("button", { class: `mark ${reading.card ? "sure" : "unsure"}`, onclick: open, "aria-label": `${reading.place}: ${name}` }, h("span", {}, reading.card ? name : "?"));
    ["left", "top"].forEach((side, axis) => {
      const along = reading.corners.map((corner) => corner[axis] * 100);
      mark.style.setProperty(side, `${Math.min(...along)}%`);
      mark.style.setProperty(axis ? "height" : "width", `${Math.max(...along) - Math.min(...along)}%`);
    });
    return mark;
  }

  /** @param {ReadingShown} reading */
  row(reading) {
    const open = reading.zone === this.chosen;
    const name = this.name(reading);
    const crop = h("img", { class: "crop", src: `/api/readings/${encodeURIComponent(reading.zone)}.jpg?${reading.look}`, alt: name });
    const sure = h("small", {}, `${Math.round(reading.confidence * 100)} %`);
    return h("li", {},
      h("button", { class: "reading", onclick: () => this.choose(reading), "aria-expanded": String(open) }, crop, h("span", {}, h("b", {}, name), " ", sure, h("br"), reading.place)),
      open && settle({ zone: reading.zone, place: reading.place, rotation: reading.rotation, guesses: reading.guesses.filter((card) => card !== reading.card) }, this.deck));
  }
}

/** @param {ReadingShown[]} found */
const outlines = (found) =>
  s("svg", { viewBox: "0 0 1 1", preserveAspectRatio: "none", "aria-hidden": "true" },
    found.map(({ card, corners }) => s("polygon", { class: card ? "sure" : "unsure", points: corners.map((corner) => corner.join(",")).join(" ") })));
