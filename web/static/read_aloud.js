// For whoever cannot see the page: what is asked, what has happened, and which card lies in one's own places, told to a
// screen reader or by the phone's own voice. Only this seat's page gets the cards of its own places.

import { first, t } from "./bootstrap.js";
import { byId, h, write } from "./dom.js";
import { keep, recall } from "./kept.js";
import { switchSounds } from "./sounds.js";

export class ReadAloud {
  constructor() {
    this.mode = recall("read-aloud") || "off";
    this.region = byId("spoken");
    /** @type {Record<string, string[]> | null} */
    this.lying = null;
    /** @type {number | null} The number of the last sentence. */
    this.heard = null;
    this.asked = "";
    this.counted = 0;
    /** @type {() => void} */
    this.changed = () => {};
  }

  get on() {
    return this.mode !== "off";
  }

  /** The switch for the menu. */
  choice() {
    const modes = [["off", t("Off")], ["reader", t("By my screen reader")], ["voice", t("By this phone's voice")]];
    const select = h("select", { id: "read-aloud" }, modes.map(([mode, text]) => h("option", { value: mode, selected: mode === this.mode }, text)));
    select.addEventListener("change", () => {
      this.mode = select.value;
      keep("read-aloud", this.mode);
      if (this.on) switchSounds(); // counts and turns are heard
      this.say([this.on ? t("Everything is read aloud here.") : ""]);
      this.changed();
    });
    return h("label", { class: "wide" }, t("Read aloud"), select);
  }

  /**
   * What is new on this page.
   * @param {AnyPage} page
   * @param {string} ask
   */
  tell(page, ask) {
    const lines = this.cards(page);
    if (this.mode === "voice") {
      // A screen reader has these from the page itself.
      const { heard } = this;
      lines.push(...page.said.filter((said) => heard !== null && said.number > heard).map((said) => said.text));
      if (ask !== this.asked) lines.push(ask);
    }
    if (page.count && page.count !== this.counted) lines.push(String(page.count));
    this.counted = page.count;
    this.asked = ask;
    this.heard = Math.max(-1, ...page.said.map((said) => said.number));
    this.say(lines);
  }

  /**
   * The cards that are new in the seat's own places.
   * @param {AnyPage} page
   */
  cards(page) {
    const before = this.lying;
    this.lying = {};
    /** @type {string[]} */
    const lines = [];
    for (const { place, cards } of page.read_aloud) {
      this.lying[place] = cards;
      const known = (before && before[place]) || [];
      const fresh = known.every((card, at) => card === cards[at]) ? cards.slice(known.length) : cards;
      if (before && fresh.length) lines.push(t("{place}: {cards}", { place, cards: fresh.join(", ") }));
    }
    return lines;
  }

  /** @param {string[]} lines */
  say(lines) {
    const text = lines.join(" ").trim();
    if (!this.on || !text) return;
    this.region.setAttribute("aria-live", this.mode === "reader" ? "assertive" : "off");
    write(this.region, text);
    if (this.mode !== "voice" || !window.speechSynthesis) return;
    const spoken = new SpeechSynthesisUtterance(text);
    spoken.lang = first.language;
    window.speechSynthesis.speak(spoken);
  }
}
