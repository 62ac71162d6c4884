// A rule's number can be tapped to read the rule.

import { byId, h, replace } from "./dom.js";
import { first, t } from "./bootstrap.js";

let rules = null;

async function catalogue() {
  if (!rules) {
    const answer = await fetch(`/api/rules?lang=${first.language}`);
    if (answer.ok) rules = await answer.json();
  }
  return rules || {};
}

async function open(number) {
  const rule = (await catalogue())[number];
  openDialog(
    "",
    h("h2", { id: "rule-number" }, number),
    h("p", {}, rule ? rule.text : t("This rule is not in the catalogue.")),
    rule && h("p", { class: "origin" }, t(ORIGINS[rule.origin] || rule.origin)),
  );
}

/** Something to be read over the page, closed by its button or a tap beside it. */
export function openDialog(kind, ...content) {
  const dialog = byId("rule");
  const close = () => (dialog.close ? dialog.close() : dialog.removeAttribute("open"));
  dialog.className = `rule ${kind}`;
  replace(dialog, content, h("button", { onclick: close }, t("Close")));
  dialog.onclick = (event) => event.target === dialog && close();
  if (dialog.showModal) dialog.showModal();
  else dialog.setAttribute("open", "");
}

const ORIGINS = {
  booklet: "From the booklet.",
  inferred: "Inferred: the booklet implies it.",
  house: "House rule: the booklet is silent.",
};

export const chip = (number) =>
  h("button", { class: "rule-chip", title: t("Read the rule"), onclick: () => open(number) }, number);
