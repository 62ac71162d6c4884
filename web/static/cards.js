// The page for the owner of the real cards: a table of printed values, each with its origin, to be put right.

import { cards as first, t } from "./bootstrap.js";
import { byId, h, replace, write } from "./dom.js";

const form = byId("cards");
/** @type {HTMLButtonElement} */
const saveButton = byId("save");
/** @type {HTMLButtonElement} */
const undoButton = byId("undo");

/**
 * @param {unknown} one
 * @param {unknown} other
 */
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/**
 * @param {any} value
 * @returns {any[]}
 */
const listed = (value) => (Array.isArray(value) ? value : [value]);

/** One value on the page: its input, and where the value comes from. */
class Cell {
  /**
   * @param {PrintedRowShown} row
   * @param {PrintedCell} cell
   * @param {() => void} changed
   */
  constructor(row, cell, changed) {
    this.row = row;
    this.cell = cell;
    this.changed = changed;
    this.inputs = this.make();
    this.origin = h("span", { class: "origin" });
    const title = t("Back to {value} ({origin})", { value: listed(cell.own).join(", "), origin: t(cell.origin) });
    this.back = h("button", { type: "button", class: "back", title, "aria-label": title, onclick: () => this.put(cell.own) }, "↺");
    this.element = h("div", { class: `cell ${cell.kind}` }, this.inputs, h("span", { class: "whose" }, this.origin, this.back));
    this.put(cell.value);
  }

  /** @returns {(HTMLInputElement | HTMLSelectElement)[]} */
  make() {
    const { cell, row } = this;
    const label = `${row.title}: ${cell.title}`;
    const common = { oninput: () => this.tell(), "aria-label": label, disabled: first.locked };
    if (cell.kind === "flag") return [h("input", Object.assign({ type: "checkbox" }, common))];
    if (cell.kind === "letter") return [h("input", Object.assign({ type: "text", maxlength: 1, size: 1, autocapitalize: "characters" }, common))];
    if (cell.kind === "choice")
      return [h("select", common, cell.among.map((word) => h("option", { value: word }, words(word))))];
    const number = (/** @type {number | null} */ at) =>
      h("input", Object.assign({ type: "number", inputmode: "numeric", min: cell.least, max: cell.most, step: 1 }, common, { "aria-label": at === null ? label : `${label} ${at + 1}` }));
    return cell.kind === "numbers" ? listed(cell.own).map((_, at) => number(at)) : [number(null)];
  }

  get value() {
    const [input] = this.inputs;
    const whole = (/** @type {{value: string}} */ each) => (each.value.trim() === "" || !Number.isInteger(Number(each.value)) ? each.value : Number(each.value));
    switch (this.cell.kind) {
      case "flag": return input instanceof HTMLInputElement && input.checked;
      case "number": return whole(input);
      case "numbers": return this.inputs.map(whole);
      case "letter": return input.value.toUpperCase();
      default: return input.value;
    }
  }

  /** @param {any} value */
  put(value) {
    this.inputs.forEach((input, at) => {
      if (this.cell.kind === "flag" && input instanceof HTMLInputElement) input.checked = value;
      else input.value = listed(value)[at];
    });
    this.tell();
  }

  tell() {
    const yours = !same(this.value, this.cell.own);
    this.origin.className = `origin ${yours ? "yours" : this.cell.origin}`;
    write(this.origin, t(yours ? "yours" : this.cell.origin));
    this.back.hidden = !yours || first.locked;
    this.mark(false);
    this.element.classList.toggle("unsaved", !same(this.value, this.cell.value));
    this.changed();
  }

  /** @param {boolean} wrong */
  mark(wrong) {
    for (const input of this.inputs) {
      if (wrong) input.setAttribute("aria-invalid", "true");
      else input.removeAttribute("aria-invalid");
    }
    if (wrong) this.inputs[0].focus();
  }
}

/** @param {string} id */
const words = (id) => id.charAt(0).toUpperCase() + id.slice(1).replace(/_/g, " ");

class Page {
  constructor() {
    /** @type {Cell[]} */
    this.cells = [];
    undoButton.addEventListener("click", () => {
      for (const cell of this.cells) cell.put(cell.cell.value);
    });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.save();
    });
    window.addEventListener("beforeunload", (event) => {
      if (this.unsaved.length) event.preventDefault();
    });
  }

  start() {
    this.trouble(first.trouble);
    this.show(first.rows);
  }

  /** @param {PrintedRowShown[]} rows */
  show(rows) {
    this.cells = [];
    /** @type {Map<string, PrintedRowShown[]>} */
    const groups = new Map();
    for (const row of rows) groups.set(row.group, [...(groups.get(row.group) || []), row]);
    replace(form, [...groups].map(([name, members]) => this.group(name, members)));
    if (!rows.length) replace(form, h("p", { class: "about" }, t("Nothing on these cards needs correcting.")));
    this.changed();
  }

  /**
   * @param {string} name
   * @param {PrintedRowShown[]} rows
   */
  group(name, rows) {
    const made = (/** @type {PrintedRowShown} */ row, /** @type {PrintedCell} */ cell) => {
      const found = new Cell(row, cell, () => this.changed());
      this.cells.push(found);
      return found.element;
    };
    const single = rows.every((row) => row.cells.length === 1);
    if (single)
      return h("section", {}, h("h2", {}, name), h("div", { class: "tiles" }, rows.map((row) => h("div", { class: "tile" }, h("h3", {}, row.title), made(row, row.cells[0])))));
    const heads = rows[0].cells.map((cell) => h("th", { scope: "col" }, cell.title, cell.note && h("small", {}, cell.note)));
    return h("section", {}, h("h2", {}, name),
      h("table", {}, h("thead", {}, h("tr", {}, h("td"), heads)),
        h("tbody", {}, rows.map((row) => h("tr", {}, h("th", { scope: "row" }, row.title),
          row.cells.map((cell) => h("td", { "data-title": cell.note ? `${cell.title} (${cell.note})` : cell.title }, made(row, cell))))))));
  }

  get unsaved() {
    return this.cells.filter((cell) => !same(cell.value, cell.cell.value));
  }

  changed() {
    const count = this.unsaved.length;
    byId("save-bar").hidden = first.locked || !this.cells.length;
    saveButton.disabled = !count;
    undoButton.disabled = !count;
    if (count) write(byId("saved"), t("{count} not saved yet", { count }));
    else if (!byId("saved").dataset.done) write(byId("saved"), "");
  }

  /** @param {string} text */
  trouble(text) {
    byId("trouble").hidden = !text;
    write(byId("trouble"), text || "");
  }

  async save() {
    /** @type {ValuesBody["values"]} */
    const values = {};
    for (const { row, cell, value } of this.cells) {
      if (!same(value, cell.own)) values[row.key] = Object.assign(values[row.key] || {}, { [cell.field]: value });
    }
    const body = JSON.stringify({ values });
    /** @type {Response} */
    let answer;
    /** @type {any} */
    let told;
    try {
      answer = await fetch(`/api/cards/${first.game}`, { method: "POST", headers: { "Content-Type": "application/json" }, body });
      told = await answer.json();
    } catch (_) {
      this.trouble(t("The table does not answer. Nothing was sent."));
      return;
    }
    if (!answer.ok) {
      this.trouble(told.text);
      const wrong = this.cells.find((cell) => cell.row.key === told.row && (!told.field || cell.cell.field === told.field));
      if (wrong) wrong.mark(true);
      return;
    }
    this.trouble("");
    byId("saved").dataset.done = "yes";
    this.show(told.rows);
    write(byId("saved"), t("Saved. It counts from the next match on."));
    delete byId("saved").dataset.done;
  }
}

new Page().start();
