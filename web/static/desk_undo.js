// Taking back, with a look at what it undoes before it is done.

import { first, t } from "./bootstrap.js";
import { submit, worded } from "./desk_forms.js";
import { h, replace } from "./dom.js";

export class TakeBack {
  constructor() {
    this.moves = h("input", { id: "moves", type: "number", min: 1, value: 1, "aria-label": t("How many moves"), oninput: () => this.preview() });
    this.why = worded(t("Why?"), [t("A card was misread"), t("Wrong tap"), t("The players agree")], "why");
    this.back = h("button", { class: "act" }, t("Take back"));
    this.shown = h("div", { class: "undoing", "aria-live": "polite" });
    this.wrong = h("p", { class: "wrong", role: "alert" });
    this.element = h("form", { class: "undo", onsubmit: (/** @type {Event} */ event) => this.send(event), novalidate: true },
      h("h2", { class: "unseen" }, t("Take back")), this.moves, this.why.element, this.back, this.wrong, this.shown);
    this.asked = "";
    this.count = 0;
    this.last = "";
  }

  /** @param {AnyPage} page */
  show(page) {
    this.back.disabled = page.moves === 0;
    this.moves.max = String(Math.max(1, page.moves));
    const written = page.said.filter((said) => said.line && !said.taken_back);
    const last = `${page.moves} ${written.length && written[written.length - 1].line}`;
    if (last === this.last) return;
    this.last = last;
    this.count = page.moves;
    this.preview();
  }

  /** @param {Event} event */
  async send(event) {
    event.preventDefault();
    if (!(await submit("undo", { moves: Number(this.moves.value), why: this.why.input.value }, this.wrong))) return;
    this.element.reset();
    this.preview();
  }

  async preview() {
    if (!this.count) return replace(this.shown, h("p", {}, t("There is nothing to take back.")));
    const asked = `/api/undo?moves=${encodeURIComponent(this.moves.value)}&lang=${first.language}`;
    this.asked = asked;
    const answer = await fetch(asked).catch(() => null);
    if (!answer || this.asked !== asked) return undefined;
    /** @type {Undoing & Trouble} */
    const told = await answer.json();
    if (!answer.ok) return replace(this.shown, h("p", {}, told.text));
    return replace(this.shown,
      h("ul", { class: "undoes" }, told.undoes.map(({ text }) => h("li", {}, text))),
      told.put_back.length > 0 && h("p", {}, h("b", {}, t("Then on the table:")), " ", told.put_back.join("; ")));
  }
}
