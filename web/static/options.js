// The options of a match as a form, made from what the game says of them.

import { t } from "./bootstrap.js";
import { h } from "./dom.js";
import { chip } from "./rulebook.js";
import { badge } from "./seats.js";

/** @typedef {(options: Record<string, unknown>) => unknown} Change */
/** @typedef {{name: string, place: number}} Seated */

/**
 * A field for each option; `change` gets all of them with every change.
 * @param {LobbyPage} page
 * @param {boolean} open
 * @param {Change} change
 */
export function forms(page, open, change) {
  // Whoever is quick gives the next answer before the table has shown the last one.
  /** @type {Record<string, unknown>} */
  const all = {};
  for (const each of page.options) all[each.name] = each.value;
  const set = (/** @type {OptionShown} */ option, /** @type {unknown} */ value) => {
    all[option.name] = value;
    change(Object.assign({}, all));
  };
  const seated = page.seats.map((name, place) => ({ name, place })).filter(({ name }) => name);
  return page.options.map((option) =>
    h(
      "fieldset",
      { class: "option", disabled: !open },
      h("legend", {}, option.title),
      field(option, seated, () => all[option.name], (value) => set(option, value)),
      h("p", { class: "fault", id: `fault-option-${option.name}`, role: "alert" }),
      h("p", { class: "note" }, option.note, " ", option.rule ? chip(option.rule) : null),
    ),
  );
}

/**
 * @param {OptionShown} option
 * @param {Seated[]} seated
 * @param {() => unknown} answer what was answered last
 * @param {(value: unknown) => void} set
 * @returns {Child}
 */
function field(option, seated, answer, set) {
  const id = `option-${option.name}`;
  if (option.kind === "switch") {
    return h("label", { class: "switch" }, h("input", { type: "checkbox", id, checked: Boolean(option.value), onchange: (/** @type {any} */ event) => set(event.target.checked) }), t("Yes"));
  }
  if (option.kind === "number") {
    const number = (/** @type {any} */ event) => set(event.target.value === "" ? null : Number(event.target.value));
    return h("input", { type: "number", id, placeholder: option.optional ? t("As usual") : null, value: option.value === null ? "" : String(option.value), min: option.least, max: option.most, "aria-label": option.title, onchange: number });
  }
  if (option.kind === "several") {
    const chosen = () => /** @type {unknown[]} */ (answer() || []);
    return option.choices.map((choice, place) => {
      const has = () => chosen().some((each) => same(each, choice.value));
      const toggled = () => set(has() ? chosen().filter((each) => !same(each, choice.value)) : [...chosen(), choice.value]);
      return pressed(`${id}-${place}`, choice.title, has(), toggled);
    });
  }
  if (option.kind === "each") {
    const chosen = () => /** @type {unknown[]} */ (answer() || []);
    return seated.map(({ name, place }, seat) => {
      const choose = (/** @type {unknown} */ value) => set(seated.map((_, at) => (at === seat ? value : given(chosen()[at]))));
      return h("label", { class: "one-each" }, badge(place), h("span", {}, name), list(`${id}-${seat}`, `${option.title}: ${name}`, option.choices, given(chosen()[seat]), choose, true));
    });
  }
  const choices = option.kind === "player" ? seated.map(({ name }, seat) => ({ title: name, value: seat + 1 })) : option.choices;
  if (option.kind === "player" || choices.length > 5) return list(id, option.title, choices, option.value, set, option.optional);
  return choices.map((choice, place) => pressed(`${id}-${place}`, choice.title, same(choice.value, option.value), () => set(choice.value)));
}

/**
 * @param {string} id
 * @param {string} title
 * @param {ChoiceShown[]} choices
 * @param {unknown} value
 * @param {(value: unknown) => void} set
 * @param {boolean} optional
 */
function list(id, title, choices, value, set, optional) {
  const select = h("select", { id, "aria-label": title, onchange: (/** @type {any} */ event) => set(event.target.value === "" ? null : choices[Number(event.target.value)].value) });
  if (optional) select.append(h("option", { value: "" }, t("As usual")));
  choices.forEach((choice, place) => select.append(h("option", { value: String(place), selected: same(choice.value, value) }, choice.title)));
  return select;
}

/**
 * @param {string} id
 * @param {string} title
 * @param {boolean} on
 * @param {() => void} onclick
 */
const pressed = (id, title, on, onclick) => h("button", { type: "button", class: "quiet", id, "aria-pressed": String(on), onclick }, title);

/**
 * @param {unknown} one
 * @param {unknown} other
 */
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** @param {unknown} value */
const given = (value) => (value === undefined ? null : value);
