// The head of the kifu, small, for whoever wants to know later that nothing was changed; and as a code to scan.

import { t } from "./bootstrap.js";
import { h, maybe, replace } from "./dom.js";
import { openDialog } from "./rulebook.js";

/**
 * "3f2a9c01…" as people compare it.
 * @param {string} digits
 */
const inGroups = (digits) => (digits.slice(0, 16).match(/.{4}/g) || []).join(" ");

/** @param {AnyPage} page */
export function showRecord({ record }) {
  const place = maybe("record");
  if (!place || !record || place.dataset.check === record.check) return;
  place.dataset.check = record.check;
  const line = t("Kifu, line {line}: {head}", { line: record.line, head: inGroups(record.check) });
  replace(place, h("button", { title: t("Note it down, and nobody can change the kifu unnoticed."), onclick: () => open(record, line) }, line));
}

/**
 * @param {KifuHead} record
 * @param {string} line
 */
function open(record, line) {
  openDialog(
    "record",
    h("h2", { id: "rule-number" }, line),
    h("img", { src: `/record.svg?${record.check}`, alt: t("Code to scan") }),
    h("p", {}, t("Scan it or take a picture of it. `shinpan verify` will tell whether a file is this match, unchanged and not cut off.")),
    record.key && h("p", { class: "origin" }, t("Key of this table: {key}", { key: inGroups(record.key) })),
  );
}
