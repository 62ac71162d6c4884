// The options of a match as a form, made from what the game says of them.

import { t } from "./bootstrap.js";
import { h } from "./dom.js";
import { chip } from "./rulebook.js";

/** @typedef {(options: Record<string, unknown>) => unknown} Change */

/**
 * A field for each option; `change` gets all of them with every change.
 * @param {LobbyPage} page
 * @param {boolean} open
 * @param {Change} change
 */
export function forms(page, open, change) {
  const set = (/** @type {OptionShown} */ option, /** @type {unknown} */ value) => {
    /** @type {Record<string, unknown>} */
    const all = {};
    for (const each of page.options) all[each.name] = each === option ? value : each.value;
    change(all);
  };
  const seated = page.seats.filter(Boolean);
  return page.options.map((option) =>
    h(
      "fieldset",
      { class: "option", disabled: !open },
      h("legend", {}, option.title),
      field(option, seated, (value) => set(option, value)),
      h("p", { class: "note" }, option.note, " ", option.rule ? chip(option.rule) : null),
    ),
  );
}

/**
 * @param {OptionShown} option
 * @param {string[]} seated
 * @param {(value: unknown) => void} set
 * @returns {Child}
 */
function field(option, seated, set) {
  const id = `option-${option.name}`;
  if (option.kind === "switch") {
    return h("label", { class: "switch" }, h("input", { type: "checkbox", id, checked: Boolean(option.value), onchange: (/** @type {any} */ event) => set(event.target.checked) }), t("Yes"));
  }
  if (option.kind === "number") {
    const number = (/** @type {any} */ event) => set(event.target.value === "" ? null : Number(event.target.value));
    return h("input", { type: "number", id, value: option.value === null ? "" : String(option.value), min: option.least, max: option.most, "aria-label": option.title, onchange: number });
  }
  if (option.kind === "several") {
    const chosen = /** @type {unknown[]} */ (option.value || []);
    return option.choices.map((choice, place) => {
      const has = chosen.some((each) => same(each, choice.value));
      const toggled = () => set(has ? chosen.filter((each) => !same(each, choice.value)) : [...chosen, choice.value]);
      return pressed(`${id}-${place}`, choice.title, has, toggled);
    });
  }
  if (option.kind === "each") {
    const chosen = /** @type {unknown[]} */ (option.value || []);
    return seated.map((name, seat) => {
      const choose = (/** @type {unknown} */ value) => set(seated.map((_, at) => (at === seat ? value : given(chosen[at]))));
      return h("label", {}, name, list(`${id}-${seat}`, option.choices, given(chosen[seat]), choose, true));
    });
  }
  const choices = option.kind === "player" ? seated.map((name, seat) => ({ title: name, value: seat + 1 })) : option.choices;
  if (option.kind === "player" || choices.length > 5) return list(id, choices, option.value, set, option.optional);
  return choices.map((choice, place) => pressed(`${id}-${place}`, choice.title, same(choice.value, option.value), () => set(choice.value)));
}

/**
 * @param {string} id
 * @param {ChoiceShown[]} choices
 * @param {unknown} value
 * @param {(value: unknown) => void} set
 * @param {boolean} optional
 */
function list(id, choices, value, set, optional) {
  const select = h("select", { id, onchange: (/** @type {any} */ event) => set(event.target.value === "" ? null : choices[Number(event.target.value)].value) });
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
