// What the camera reads, place by place, for the referee to put right: a reading may be sure and wrong all the same.

import { settle } from "./acts.js";
import { t } from "./bootstrap.js";
import { h, replace } from "./dom.js";

const EVERY = 1500;

export class Readings {
  /** @param {DeckShown} deck */
  constructor(deck) {
    this.deck = deck;
    this.list = h("ul", { class: "readings" });
    this.element = h("details", { class: "camera-reads" }, h("summary", {}, t("What the camera reads")), this.list);
    this.element.addEventListener("toggle", () => this.element.open && this.load());
    this.shown = "";
    this.chosen = "";
    this.timer = 0;
  }

  async load() {
    if (!this.element.open) return;
    if (!document.hidden) await this.refresh().catch(() => {});
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.load(), EVERY);
  }

  async refresh() {
    const answer = await fetch("/api/readings", { cache: "no-store" });
    /** @type {Partial<ReadingsAnswer & Blind & Trouble>} */
    const said = await answer.json();
    const key = JSON.stringify([said, this.chosen]);
    if (key === this.shown) return;
    this.shown = key;
    if (!said.readings) replace(this.list, h("li", {}, said.blind || said.text));
    else replace(this.list, said.readings.length ? said.readings.map((each) => this.row(each)) : h("li", {}, t("No card lies face up.")));
  }

  /** @param {ReadingShown} reading */
  row(reading) {
    const open = reading.zone === this.chosen;
    const choose = () => {
      this.chosen = open ? "" : reading.zone;
      this.refresh();
    };
    const name = reading.card ? this.deck.names[reading.card] || reading.card : t("not sure");
    const crop = h("img", { class: "crop", src: `/api/readings/${encodeURIComponent(reading.zone)}.jpg?${reading.look}`, alt: name });
    const sure = h("small", {}, `${Math.round(reading.confidence * 100)} %`);
    return h("li", {},
      h("button", { class: "reading", onclick: choose, "aria-expanded": String(open) }, crop, h("span", {}, h("b", {}, name), " ", sure, h("br"), reading.place)),
      open && settle({ zone: reading.zone, place: reading.place, rotation: reading.rotation, guesses: reading.guesses.filter((card) => card !== reading.card) }, this.deck));
  }
}
