// Everybody who has played here: the standings, one person's figures, and how each does against the others.

import { people as first, t } from "./bootstrap.js";
import { byId, h, replace, write } from "./dom.js";
import { filters, query } from "./filters.js";
import { openDialog } from "./rulebook.js";
import { post } from "./tap.js";

let wanted = first.wanted;

/** @param {StandingsAnswer} found */
function show(found) {
  const body = byId("standings").querySelector("tbody");
  if (!body) return;
  const row = (/** @type {StandingLine} */ line, /** @type {number} */ place) =>
    h("tr", {}, h("td", { class: "place" }, String(place + 1)), h("th", { scope: "row" }, h("button", { class: "name", onclick: () => open(line.name) }, line.name)), h("td", {}, String(line.wins)), h("td", {}, String(line.shared)), h("td", {}, String(line.matches)));
  replace(body, found.lines.map(row));
  byId("standings").hidden = !found.lines.length;
  const none = found.lines.length ? "" : t("No match that counts.");
  const reading = t("still being read: {total}", { total: found.left });
  write(byId("total"), found.left ? `${none} ${reading}` : none);
}

async function ask() {
  const answer = await fetch(`/api/people?${query(wanted)}&lang=${first.language}`);
  if (answer.ok) show(await answer.json());
}

/** @param {string} name */
async function open(name) {
  const search = query({ game: wanted.game, player: "", day: wanted.day });
  search.set("lang", first.language);
  const answer = await fetch(`/api/people/${encodeURIComponent(name)}?${search}`);
  if (!answer.ok) return;
  /** @type {PersonAnswer} */
  const person = await answer.json();
  const place = byId("person");
  place.hidden = false;
  replace(place, h("h2", {}, person.name), person.games.map(inGame), against(person), first.referee && wishes(person), h("p", {}, h("a", { href: `/history?${query({ game: wanted.game, player: name, day: wanted.day })}` }, t("Matches of {name}", { name }))));
  place.scrollIntoView({ block: "nearest" });
}

/** @param {PersonShown} shown */
function inGame(shown) {
  const figures = shown.figures.map((figure) => [
    h("dt", {}, figure.title),
    h("dd", {}, t("{total} in all, {mean} a match", { total: figure.total, mean: figure.mean })),
    figure.a_round !== null && [h("dt", {}, figure.round_title), h("dd", {}, String(figure.a_round))],
  ]);
  const thought = shown.thought === null ? t("The kifus have no times.") : t("{seconds} s an answer ({count} timed)", { seconds: shown.thought, count: shown.answers });
  const liked = shown.favourites.map((each) => h("li", {}, `${each.name}: ${each.times}×`, each.cost !== null && h("small", {}, ` ${shown.cost_title}: ${each.cost}`)));
  return h(
    "article",
    { class: "figures" },
    h("h3", {}, shown.game),
    h("dl", {}, h("dt", {}, t("Matches")), h("dd", {}, t("{wins} won of {matches}", { wins: shown.wins, matches: shown.matches })), figures, h("dt", {}, t("Time to think")), h("dd", {}, thought), liked.length > 0 && [h("dt", {}, shown.favourites_title), h("dd", {}, h("ul", {}, liked))]),
  );
}

/** @param {PersonAnswer} person */
function against(person) {
  if (!person.against.length) return null;
  const row = (/** @type {HeadToHead} */ each) => h("tr", {}, h("th", { scope: "row" }, each.other), h("td", {}, String(each.one_won)), h("td", {}, String(each.other_won)), h("td", {}, String(each.both_won + each.neither_won)), h("td", {}, String(each.matches)));
  return h("table", { class: "against" }, h("caption", {}, t("Head to head")), h("thead", {}, h("tr", {}, h("td"), [t("Won"), t("Lost"), t("Neither"), t("Matches")].map((each) => h("th", { scope: "col" }, each)))), h("tbody", {}, person.against.map(row)));
}

/**
 * What the referee can do at somebody's wish.
 * @param {PersonAnswer} person
 */
function wishes(person) {
  const wish = async (/** @type {object} */ body) => {
    const answer = await post("/api/people", body);
    if (answer.ok) window.location.reload();
    else openDialog("", h("h2", { id: "rule-number" }, person.name), h("p", {}, answer.text));
  };
  const merge = () => {
    const field = h("input", { id: "merge-into" });
    const keep = (/** @type {Event} */ event) => {
      event.preventDefault();
      wish({ what: "merge", name: person.name, into: field.value });
    };
    openDialog("titling", h("h2", { id: "rule-number" }, t("{name} is the same person as …", { name: person.name })), h("form", { onsubmit: keep }, h("label", { for: "merge-into" }, t("The name that counts")), field, h("button", { class: "act" }, t("Merge"))));
  };
  const others = person.names.filter((name) => name !== person.name);
  return h(
    "p",
    { class: "wishes" },
    person.anonymous
      ? h("button", { class: "quiet", onclick: () => wish({ what: "named", name: person.name }) }, t("Show the name again"))
      : [h("button", { class: "quiet", onclick: () => wish({ what: "anonymous", name: person.name }) }, t("Make anonymous")), h("button", { class: "quiet", onclick: merge }, t("Merge with another name"))],
    others.map((name) => h("button", { class: "quiet", onclick: () => wish({ what: "split", name }) }, t("{name} is somebody else", { name }))),
  );
}

const evenings = byId("by-evening");
replace(evenings, h("option", { value: "" }, t("All evenings")), first.days.map((day) => h("option", { value: day, selected: day === first.wanted.day }, day)));
filters((now) => {
  wanted = now;
  byId("person").hidden = true;
  ask();
});
show(first.found);
const asked = new URLSearchParams(window.location.search).get("name");
if (asked) open(asked);
