// All matches of this table, the newest first.

import { past as first, t } from "./bootstrap.js";
import { byId, h, replace, write } from "./dom.js";
import { filters, query } from "./filters.js";
import { badge } from "./seats.js";
import { post } from "./tap.js";

/** Milliseconds between two looks while files are still being read. */
const AGAIN = 1500;

let wanted = first.wanted;
/** @type {MatchShown[]} */
let shown = [];
let asked = 0;

/** @param {MatchShown} match */
function row(match) {
  const seats = match.seats.map((seat, place) => h("span", { class: seat.won ? "seat won" : "seat" }, badge(place), seat.name, seat.won && h("span", { class: "unseen" }, ` (${t("Winner")})`)));
  return h(
    "li",
    { class: match.fault ? "match broken" : match.running ? "match running" : "match" },
    h(
      "a",
      { href: `/history/${encodeURIComponent(match.name)}` },
      h("time", { datetime: match.began }, match.began.slice(0, 16)),
      h("strong", {}, match.title || match.game || match.name, match.title && h("small", {}, match.game)),
      h("span", { class: "seats" }, seats),
      h("span", { class: "ending" }, match.ending),
    ),
  );
}

/** @param {MatchesAnswer} found */
function show(found) {
  shown = found.start ? shown.concat(found.matches) : found.matches;
  const list = byId("matches");
  if (!found.start) replace(list);
  list.append(...found.matches.map(row));
  const count = t("Matches: {total}", { total: found.total });
  const reading = t("still being read: {total}", { total: found.left });
  write(byId("total"), found.left ? `${count} · ${reading}` : count);
  byId("more").hidden = shown.length >= found.total;
  byId("faults").hidden = !found.faults.length;
  const faults = byId("faults").querySelector("ul");
  if (faults) replace(faults, found.faults.map((each) => h("li", {}, each)));
  byId("archive").setAttribute("href", `/history/archive.zip?${query(wanted)}`);
  if (found.left) window.setTimeout(() => shown.length <= found.matches.length && ask(0), AGAIN);
}

/** @param {number} start */
async function ask(start) {
  asked += 1;
  const mine = asked;
  const search = query(wanted);
  search.set("from", String(start));
  search.set("lang", first.language);
  try {
    const answer = await fetch(`/api/history?${search}`);
    if (mine === asked && answer.ok) show(await answer.json());
    replace(byId("banners"));
  } catch (_) {
    replace(byId("banners"), h("p", { class: "banner lost" }, t("The table does not answer. Nothing was sent.")));
  }
}

/** @param {File} file */
async function bringIn(file) {
  const content = await new Promise((done) => {
    const reader = new FileReader();
    reader.onload = () => done(String(reader.result).replace(/^[^,]*,/, ""));
    reader.readAsDataURL(file);
  });
  const answer = await post("/api/history/import", { file: file.name, data: content });
  /** @type {BroughtShown[]} */
  const brought = answer.ok ? answer.said.brought : [{ file: file.name, name: "", reason: answer.text }];
  const told = (/** @type {BroughtShown} */ each) => (each.name ? h("li", {}, h("a", { href: `/history/${encodeURIComponent(each.name)}` }, each.file)) : h("li", { class: "fault" }, `${each.file}: ${each.reason}`));
  replace(byId("brought"), brought.map(told));
  ask(0);
}

replace(byId("players"), first.players.map((name) => h("option", { value: name })));
byId("in-and-out").hidden = !first.referee;
byId("more").onclick = () => ask(shown.length);
byId("import").onchange = (event) => {
  const { files } = /** @type {HTMLInputElement} */ (event.target);
  if (files && files[0]) bringIn(files[0]);
};
filters((now) => {
  wanted = now;
  ask(0);
});
show(first.found);
