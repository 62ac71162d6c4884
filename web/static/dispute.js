// The disputed second: the clip of a ruling, the readings, the presses, the count and the rule on one scrubber.

import { first, ofMatch, t } from "./bootstrap.js";
import { timeline } from "./dispute_timeline.js";
import { h, replace, s, write } from "./dom.js";
import { catalogue, openDialog } from "./rulebook.js";

const sign = () => s("svg", { viewBox: "0 0 24 18", "aria-hidden": "true" }, s("rect", { x: 2, y: 2, width: 20, height: 14, rx: 2 }), s("path", { d: "M10 5.5v7l6-3.5z" }));

/**
 * What a page has beside a clip: at the table the referee's decision, when looking back the moment of the match that the
 * clip has come to.
 * @typedef {{
 *   decision?: (said: Doubted, known: Dispute, done: () => void) => HTMLElement,
 *   follow?: (clock: number, line: number) => string,
 * }} BesideClip
 */

/**
 * A button that opens the seconds around a sentence.
 * @param {Doubted} said
 * @param {BesideClip} page
 */
export function clipOf(said, page) {
  const title = t("Look at the seconds around it");
  return h("button", { class: "rule-chip clip", title, "aria-label": title, onclick: () => open(said, page) }, sign());
}

/**
 * @param {Doubted} said
 * @param {BesideClip} page
 */
async function open(said, page) {
  const answer = await fetch(`/api/dispute/${said.clip}?lang=${first.language}&${ofMatch}`).catch(() => null);
  const whole = answer && answer.ok ? await fetch(`/api/clips/${said.clip}.avi?${ofMatch}`).catch(() => null) : null;
  if (!answer || !whole || !whole.ok) {
    openDialog("evidence", h("h2", { id: "rule-number" }, t("The disputed second")), h("p", {}, t("That clip is not kept any more.")));
    return;
  }
  /** @type {Dispute} */
  const known = await answer.json();
  new Viewer(said, known, await whole.arrayBuffer(), page).open();
}

class Viewer {
  /**
   * @param {Doubted} said
   * @param {Dispute} known
   * @param {ArrayBuffer} file
   * @param {BesideClip} page
   */
  constructor(said, known, file, page) {
    this.said = said;
    this.known = known;
    this.page = page;
    // Each picture is a part of the file, which is here as a whole: every step is shown at once, without another request.
    this.pictures = known.frames.map(({ start, size }) => URL.createObjectURL(new Blob([file.slice(start, start + size)], { type: "image/jpeg" })));
    this.frame = 0;
    this.playing = 0;
    this.picture = h("img", { class: "still", alt: t("The table as the camera saw it") });
    this.time = h("output", { class: "when" });
    this.readings = h("ul", { class: "then", tabindex: 0 });
    this.play = h("button", { class: "act play", onclick: () => this.toggle() }, t("Play"));
    this.slider = h("input", { type: "range", class: "scrubber", min: 0, max: Math.round(known.seconds * 1000), value: 0, step: 10, "aria-label": t("Moment") });
    this.slider.addEventListener("input", () => this.seek(Number(this.slider.value) / 1000));
    this.line = timeline(known, (at) => this.seek(at));
    this.rule = h("div", { class: "cited" });
    this.match = h("p", { class: "in-match" });
  }

  open() {
    const close = () => this.dialog && this.dialog.close();
    openDialog(
      "dispute",
      h("div", { class: "seen" },
        this.picture,
        h("div", { class: "steps" },
          h("button", { class: "quiet", title: t("One picture back"), "aria-label": t("One picture back"), onclick: () => this.step(-1) }, "◀"),
          this.play,
          h("button", { class: "quiet", title: t("One picture on"), "aria-label": t("One picture on"), onclick: () => this.step(1) }, "▶"),
          this.time),
        this.page.follow && this.match),
      h("div", { class: "known" },
        h("h2", { id: "rule-number" }, t("The disputed second")),
        h("p", { class: "doubted" }, this.said.text),
        this.rule,
        this.known.order && h("p", { class: "order" }, this.known.order),
        h("h3", {}, t("What the camera read")),
        this.readings,
        this.page.decision && this.page.decision(this.said, this.known, close)),
      h("div", { class: "times" }, this.line.element, this.slider),
    );
    this.dialog = /** @type {HTMLDialogElement} */ (this.picture.closest("dialog"));
    const keys = (/** @type {KeyboardEvent} */ event) => this.key(event);
    this.dialog.addEventListener("keydown", keys);
    this.dialog.addEventListener("close", () => {
      this.stop();
      if (this.dialog) this.dialog.removeEventListener("keydown", keys);
      this.pictures.forEach((url) => URL.revokeObjectURL(url));
    }, { once: true });
    this.cite();
    this.seek(this.moment());
  }

  /** The doubted sentence, as the clip has it: a call without a line is known by its kind, or is whatever has no line. */
  same() {
    const { line, kind } = this.said;
    return this.known.sentences.filter((each) => (line ? each.line === line : !each.line && (!kind || each.kind === kind)));
  }

  /** When the sentence was said; the end, where the clip does not know. */
  moment() {
    const same = this.same();
    return same.length ? same[0].at : this.known.seconds;
  }

  async cite() {
    const rules = await catalogue();
    const cited = this.said.rules.length ? this.said.rules : /** @type {string[]} */ ([]).concat(...this.same().map((each) => each.rules));
    replace(this.rule, Array.from(new Set(cited)).map((number) => h("p", {}, h("b", {}, number), " ", rules[number] ? rules[number].text : "")));
  }

  /**
   * The last picture that was taken by then.
   * @param {number} at
   */
  seek(at) {
    const later = this.known.frames.findIndex((frame) => frame.at > at + 0.0005);
    this.frame = later < 0 ? this.known.frames.length - 1 : Math.max(0, later - 1);
    this.show(at);
  }

  /** @param {number} by */
  step(by) {
    this.stop();
    this.frame = Math.min(this.known.frames.length - 1, Math.max(0, this.frame + by));
    this.show(this.known.frames[this.frame].at);
  }

  /** @param {number} at */
  show(at) {
    this.picture.src = this.pictures[this.frame];
    this.picture.dataset.frame = String(this.frame);
    this.slider.value = String(Math.round(at * 1000));
    this.line.at(at);
    write(this.time, t("{seconds} s, picture {number} of {all}", { seconds: at.toFixed(2), number: this.frame + 1, all: this.known.frames.length }));
    this.then(at);
    if (this.page.follow) write(this.match, this.page.follow(this.known.clock + at, this.lineAt(at)));
  }

  /**
   * The last line of the kifu that the clip has heard of by then; 0: none.
   * @param {number} at
   */
  lineAt(at) {
    return Math.max(0, ...this.known.sentences.filter((each) => each.at <= at + 0.0005).map((each) => each.line));
  }

  /**
   * What was read by then; what was read otherwise within the clip comes first and says so.
   * @param {number} at
   */
  then(at) {
    /** @type {Map<string, ReadingThen[]>} */
    const places = new Map();
    for (const reading of this.known.readings) places.set(reading.zone, (places.get(reading.zone) || []).concat(reading));
    const rows = [];
    for (const all of places.values()) {
      const now = all.filter((reading) => reading.at <= at + 0.0005).pop();
      if (!now || (all.length === 1 && !now.cards.length)) continue;
      const before = all[all.indexOf(now) - 1];
      rows.push({ changes: all.length > 1, element: row(now, before) });
    }
    rows.sort((one, other) => Number(other.changes) - Number(one.changes));
    replace(this.readings, rows.map(({ element, changes }) => (changes ? (element.classList.add("changes"), element) : element)));
  }

  toggle() {
    if (this.playing) return this.stop();
    if (this.frame === this.known.frames.length - 1) this.seek(0);
    const from = this.known.frames[this.frame].at;
    const began = performance.now();
    write(this.play, t("Stop"));
    this.playing = window.setInterval(() => {
      const at = from + (performance.now() - began) / 1000;
      if (at >= this.known.seconds) this.stop();
      this.seek(Math.min(at, this.known.seconds));
    }, 50);
    return undefined;
  }

  stop() {
    window.clearInterval(this.playing);
    this.playing = 0;
    write(this.play, t("Play"));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const field = event.target instanceof HTMLInputElement && event.target !== this.slider;
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (field || event.target instanceof HTMLSelectElement || !by) return;
    event.preventDefault();
    this.step(by);
  }
}

/**
 * @param {ReadingThen} now
 * @param {ReadingThen | undefined} before
 */
function row(now, before) {
  const top = now.cards[now.cards.length - 1];
  const lay = before && before.cards[before.cards.length - 1];
  const moved = top && lay ? Math.hypot(top.x - lay.x, top.y - lay.y) : 0;
  return h("li", { "data-zone": now.zone },
    h("span", { class: "place" }, now.place),
    h("span", { class: "card" }, top ? name(top) : t("nothing")),
    top && top.face_up && h("span", { class: "sure" }, `${Math.round(top.confidence * 100)} %`),
    moved >= 2 && h("span", { class: "moved" }, t("moved by {distance} mm", { distance: moved.toFixed(0) })));
}

/** @param {CardThen} card */
function name(card) {
  if (!card.face_up) return t("a card, face down");
  return card.name || t("not sure: {cards}", { cards: card.guesses.join(", ") || "–" });
}
