// The picture that a ruling was read from or a call was made on; only the referee is told that there is one.

import { ofMatch, t } from "./bootstrap.js";
import { h, s } from "./dom.js";
import { openDialog } from "./rulebook.js";

const lens = () => s("svg", { viewBox: "0 0 24 18", "aria-hidden": "true" }, s("path", { d: "M2 4h5l2-3h6l2 3h5v13H2z" }), s("circle", { cx: 12, cy: 10, r: 4 }));

/**
 * A button that shows the picture of a sentence.
 * @param {Doubted} said
 */
export function pictureOf(said) {
  const address = `/api/evidence/${said.picture}.jpg${ofMatch && `?${ofMatch}`}`;
  const open = () =>
    openDialog("evidence", h("h2", { id: "rule-number" }, t("The picture it was read from")), h("p", {}, said.text), h("a", { href: address, target: "_blank" }, h("img", { src: address, alt: said.text })));
  return h("button", { class: "rule-chip picture", title: t("Look at the picture"), "aria-label": t("Look at the picture"), onclick: open }, lens());
}
