// Who plays whom and where: on a phone, on paper, and with the results as they come in.

import { t } from "../bootstrap.js";
import { byId, h, replace } from "../dom.js";
import { follow, points } from "./follow.js";

let shown = "";
let mine = window.sessionStorage.getItem("me") || "";

/** @param {VenuePage} page */
function draw(page) {
  const key = JSON.stringify([page.rounds, page.entrants, mine]);
  if (key === shown) return;
  shown = key;
  const rounds = page.rounds.slice().reverse();
  replace(
    byId("main"),
    page.entrants.length ? finder(page) : null,
    rounds.length ? null : h("p", { class: "sentence" }, t("No round is paired yet. Whoever wants to play registers.")),
    rounds.map((round, at) =>
      h(
        "section",
        { class: "panel round" },
        h("h2", {}, t("Round {number}", { number: round.number }), at === 0 ? h("button", { class: "print", onclick: () => window.print() }, t("Print")) : null),
        h("ol", { class: "pairs" }, round.pairings.map(row)),
        round.byes.length ? h("p", { class: "byes" }, t("Bye: {names}", { names: round.byes.join(", ") })) : null,
      ),
    ),
  );
}

/** @param {VenuePage} page */
function finder(page) {
  const choice = h("select", { "aria-label": t("Who are you?") }, h("option", { value: "" }, t("Who are you?")));
  choice.addEventListener("change", () => choose(choice.value, page));
  for (const each of page.entrants.slice().sort((a, b) => a.name.localeCompare(b.name))) {
    choice.append(h("option", { value: each.name, selected: each.name === mine }, each.name));
  }
  const last = page.rounds[page.rounds.length - 1];
  const found = last && mine ? last.pairings.find((pair) => pair.players.includes(mine)) : null;
  const waiting = t("waits for a table");
  const sits = found ? t("{name}: {table}, seat {seat}", { name: mine, table: found.table || waiting, seat: found.players.indexOf(mine) + 1 }) : last && last.byes.includes(mine) ? t("{name} has a bye this round.", { name: mine }) : "";
  return h("section", { class: "panel finder" }, choice, sits ? h("p", { class: "sits" }, sits) : null);
}

/**
 * @param {string} name
 * @param {VenuePage} page
 */
function choose(name, page) {
  mine = name;
  window.sessionStorage.setItem("me", name);
  draw(page);
}

/** @param {PairingShown} pair */
function row(pair) {
  const done = pair.points.length > 0;
  return h(
    "li",
    { class: pair.players.includes(mine) ? "mine" : "" },
    h("b", { class: "where" }, pair.table || t("waits")),
    h("span", { class: "people" }, pair.players.map((name, seat) => h("span", { class: done && pair.points[seat] === Math.max(...pair.points) ? "won" : "" }, name, done ? h("b", {}, points(pair.points[seat])) : null))),
    pair.held ? h("em", {}, t("result is being checked")) : null,
    pair.by_hand ? h("em", {}, t("by the arbiter: {why}", { why: pair.by_hand })) : null,
  );
}

follow(draw, "hall");
