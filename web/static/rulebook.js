// A rule's number can be tapped to read the rule.

import { aboutGame, t } from "./bootstrap.js";
import { byId, h, replace } from "./dom.js";

/** @type {Record<string, string>} */
export const ORIGINS = {
  booklet: t("From the booklet."),
  inferred: t("Inferred: the booklet implies it."),
  house: t("House rule: the booklet is silent."),
};

/** @type {Record<string, RuleShown> | null} */
let rules = null;

/** @returns {Promise<Record<string, RuleShown>>} */
export async function catalogue() {
  if (!rules) {
    const answer = await fetch(aboutGame("/api/rules"));
    if (answer.ok) rules = await answer.json();
  }
  return rules || {};
}

/** @param {string} number */
async function open(number) {
  const rule = (await catalogue())[number];
  openDialog(
    "",
    h("h2", { id: "rule-number" }, number),
    h("p", {}, rule ? rule.text : t("This rule is not in the catalogue.")),
    rule && h("p", { class: "origin" }, ORIGINS[rule.origin] || rule.origin),
  );
}

/**
 * Something to be read over the page, closed by its button or a tap beside it.
 * @param {string} kind
 * @param {Child[]} content
 */
export function openDialog(kind, ...content) {
  /** @type {HTMLDialogElement} */
  const dialog = byId("rule");
  // Old browsers have dialogs that only know whether they are open.
  const close = () => (dialog.close ? dialog.close() : dialog.removeAttribute("open"));
  dialog.className = `rule ${kind}`;
  replace(dialog, content, h("button", { onclick: close }, t("Close")));
  // With braces: a handler that returns false would take their clicks from forms inside.
  dialog.onclick = (event) => {
    if (event.target === dialog) close();
  };
  if (dialog.showModal) dialog.showModal();
  else dialog.setAttribute("open", "");
}

/** @param {string} number */
export const chip = (number) => h("button", { class: "rule-chip", title: t("Read the rule"), onclick: () => open(number) }, number);
