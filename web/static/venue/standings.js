// How everybody stands, and what tells equal points apart.

import { t } from "../bootstrap.js";
import { byId, h, replace } from "../dom.js";
import { follow, points } from "./follow.js";

let shown = "";

/** @param {VenuePage} page */
function draw(page) {
  const key = JSON.stringify([page.standings, page.breaks]);
  if (key === shown) return;
  shown = key;
  if (!page.standings.length) {
    replace(byId("main"), h("p", { class: "sentence" }, t("Nobody is registered yet.")));
    return;
  }
  replace(
    byId("main"),
    h(
      "div",
      { class: "panel scrolls" },
      h(
        "table",
        { class: "standings" },
        h("thead", {}, h("tr", {}, h("th", {}, "#"), h("th", {}, t("Name")), h("th", {}, t("Points")), page.breaks.map((each) => h("th", { class: "break", title: each.explained }, each.name)))),
        h("tbody", {}, page.standings.map((row) => h("tr", { class: row.left ? "left" : "" }, h("td", {}, String(row.rank)), h("th", { scope: "row" }, row.name), h("td", { class: "points" }, points(row.points)), row.breaks.map((value) => h("td", { class: "break" }, points(value)))))),
      ),
    ),
    h("section", { class: "panel" }, h("h2", {}, t("What tells equal points apart")), h("dl", {}, page.breaks.map((each) => [h("dt", {}, each.name), h("dd", {}, each.explained)]))),
    h("p", { class: "files" }, h("a", { href: "/standings.csv" }, "CSV"), " · ", h("a", { href: "/report.pdf" }, "PDF")),
  );
}

follow(draw, "hall");
