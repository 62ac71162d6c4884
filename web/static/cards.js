// The set-up page for the owner of the real cards: a table of printed values, each with its origin, to be put right.

import { byId, h, replace, write } from "./dom.js";
import { first, t } from "./bootstrap.js";

const form = byId("cards");
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** One value on the page: its input, and whose word it is. */
class Cell {
  constructor(row, cell, changed) {
    Object.assign(this, { row, cell, changed });
    this.inputs = this.make();
    this.origin = h("span", { class: "origin" });
    const title = t("Back to {value} ({origin})", { value: [].concat(cell.own).join(", "), origin: t(cell.origin) });
    this.back = h("button", { type: "button", class: "back", title, "aria-label": title, onclick: () => this.put(cell.own) }, "↺");
    this.element = h("div", { class: `cell ${cell.kind}` }, this.inputs, h("span", { class: "whose" }, this.origin, this.back));
    this.put(cell.value);
  }

  make() {
    const { cell, row } = this;
    const label = `${row.title}: ${cell.title}`;
    const common = { oninput: () => this.tell(), "aria-label": label, disabled: first.locked };
    if (cell.kind === "flag") return [h("input", Object.assign({ type: "checkbox" }, common))];
    if (cell.kind === "letter") return [h("input", Object.assign({ type: "text", maxlength: 1, size: 1, autocapitalize: "characters" }, common))];
    if (cell.kind === "choice")
      return [h("select", common, cell.among.map((word) => h("option", { value: word }, words(word))))];
    const number = (at) =>
      h("input", Object.assign({ type: "number", inputmode: "numeric", min: cell.least, max: cell.most, step: 1 }, common, { "aria-label": at === null ? label : `${label} ${at + 1}` }));
    return cell.kind === "numbers" ? cell.own.map((_, at) => number(at)) : [number(null)];
  }

  get value() {
    const [input] = this.inputs;
    const whole = (each) => (each.value.trim() === "" || !Number.isInteger(Number(each.value)) ? each.value : Number(each.value));
    switch (this.cell.kind) {
      case "flag": return input.checked;
      case "number": return whole(input);
      case "numbers": return this.inputs.map(whole);
      case "letter": return input.value.toUpperCase();
      default: return input.value;
    }
  }

  put(value) {
    if (this.cell.kind === "flag") this.inputs[0].checked = value;
    else [].concat(value).forEach((each, at) => (this.inputs[at].value = each));
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

  mark(wrong) {
    this.inputs.forEach((input) => (wrong ? input.setAttribute("aria-invalid", "true") : input.removeAttribute("aria-invalid")));
    if (wrong) this.inputs[0].focus();
  }
}

const words = (id) => id.charAt(0).toUpperCase() + id.slice(1).replace(/_/g, " ");

class Page {
  constructor() {
    this.cells = [];
    byId("undo").addEventListener("click", () => this.cells.forEach((cell) => cell.put(cell.cell.value)));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.save();
    });
    window.addEventListener("beforeunload", (event) => this.unsaved.length && event.preventDefault());
    this.trouble(first.trouble);
    this.show(first.rows);
  }

  show(rows) {
    this.cells = [];
    const groups = new Map();
    rows.forEach((row) => groups.set(row.group, [...(groups.get(row.group) || []), row]));
    replace(form, [...groups].map(([name, members]) => this.group(name, members)));
    if (!rows.length) replace(form, h("p", { class: "about" }, t("Nothing on these cards needs correcting.")));
    this.changed();
  }

  group(name, rows) {
    const made = (row, cell) => {
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
    byId("save").disabled = byId("undo").disabled = !count;
    if (count) write(byId("saved"), t("{count} not saved yet", { count }));
    else if (!byId("saved").dataset.done) write(byId("saved"), "");
  }

  trouble(text) {
    byId("trouble").hidden = !text;
    write(byId("trouble"), text || "");
  }

  async save() {
    const values = {};
    this.cells.forEach((cell) => {
      if (!same(cell.value, cell.cell.own)) (values[cell.row.key] = values[cell.row.key] || {})[cell.cell.field] = cell.value;
    });
    const body = JSON.stringify({ values });
    let answer, told;
    try {
      answer = await fetch(`/api/cards/${first.game}`, { method: "POST", headers: { "Content-Type": "application/json" }, body });
      told = await answer.json();
    } catch (error) {
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

new Page();
