// The arbiter's desk: the round, the tables, the players, the results; everything with one tap and a reason.

import { t } from "../bootstrap.js";
import { byId, h, replace } from "../dom.js";
import { follow, points } from "./follow.js";
import { action, ask, beginForm, send } from "./desk_forms.js";
import { bringIn, takeHome } from "./desk_files.js";

/** @type {Record<string, string>} */
const drawn = {};

/**
 * Draw a part again only when what it shows has changed: a button must not move under a finger.
 * @param {string} id
 * @param {unknown} key
 * @param {() => Child[]} make
 */
function part(id, key, make) {
  const text = JSON.stringify(key);
  if (drawn[id] === text) return;
  drawn[id] = text;
  replace(byId(id), ...make());
}

/** @param {VenuePage} page */
function alarms(page) {
  const calls = page.tables.filter((table) => table.calls.length);
  byId("alarms").hidden = !calls.length && !page.alarms.length;
  part("alarms", [calls.map((table) => [table.id, table.calls]), page.alarms], () => [
    calls.map((table) => h("p", { class: "call" }, h("b", {}, table.name), h("span", {}, t("{names} calls the arbiter", { names: table.calls.join(", ") })), action(t("On my way"), () => send({ what: "answer", table: table.id })))),
    page.alarms.map((alarm) => h("p", {}, alarm.table ? h("b", {}, alarm.table) : null, h("span", {}, alarm.text), action(t("Seen"), () => send({ what: "dismiss", number: alarm.number })))),
  ]);
}

/** @param {VenuePage} page */
function rounds(page) {
  const { stage, paused } = page.round;
  part("round", [page.round, page.kind, page.entrants.length], () => {
    const step = (/** @type {string} */ text, /** @type {string} */ what, kind = "") => action(text, () => send({ what: "round", step: what }), kind);
    if (stage === "none" || stage === "over") {
      return [stage === "over" ? h("p", { class: "sentence" }, t("{title} is over.", { title: page.round.title })) : null, beginForm(), bringIn()];
    }
    /** @type {Child[]} */
    const steps = [];
    if (stage === "registration" || stage === "break") steps.push(step(t("Pair round {round}", { round: page.round.round + 1 }), "pair", "ready"));
    if (stage === "called") steps.push(step(t("Start on all tables"), "start", "ready"), step(t("Pair again"), "unpair"));
    if (stage === "playing") {
      steps.push(paused ? step(t("Go on"), "resume", "ready") : step(t("Pause all"), "pause"));
      for (const minutes of [1, 5]) steps.push(action(t("+{minutes} min for all", { minutes }), () => send({ what: "extend", minutes })));
    }
    steps.push(action(t("End the tournament"), async () => {
      const sure = await ask(t("End the tournament?"), []);
      if (sure) send({ what: "round", step: "end" });
    }));
    return [h("div", { class: "steps" }, steps)];
  });
}

/** @param {VenuePage} page */
function tables(page) {
  part("tables", [page.tables.map((table) => [table.id, table.name, table.here, table.stage, table.board, table.players.map((player) => player.name), table.trouble, table.unsent > 20, table.behind]), page.round.stage], () => [
    h(
      "ul",
      { class: "desk-tables" },
      page.tables.map((table) =>
        h(
          "li",
          { class: table.here ? table.stage : "gone" },
          h("a", { href: `/table/${table.id}` }, h("b", {}, table.name)),
          h("span", { class: "who" }, table.players.map((player) => player.name).join(" · ") || t("free")),
          h("em", {}, table.here ? words(table) : t("not connected: it plays on by itself")),
          table.trouble.map((text) => h("p", { class: "fault" }, text)),
          table.board && page.round.stage === "playing"
            ? h("span", { class: "steps" }, action(t("+5 min"), () => send({ what: "extend", minutes: 5, board: table.board })), action(t("To another table …"), () => move(page, table)))
            : table.stage === "gone" && !table.board
              ? h("span", { class: "steps" }, action(t("Take out …"), () => drop(table)))
              : null,
        ),
      ),
    ),
    h("div", { class: "steps" }, action(t("Add a table …"), addTable), action(t("Lights and speakers …"), lights)),
  ]);
}

/** @param {WallTable} table */
function words(table) {
  if (table.behind) return t("has not taken its orders yet");
  if (table.unsent > 20) return t("{lines} lines still to come", { lines: table.unsent });
  return table.stage === "lobby" ? t("ready") : table.stage === "over" ? t("over") : t("playing");
}

/**
 * @param {VenuePage} page
 * @param {WallTable} table
 */
async function move(page, table) {
  const free = page.tables.filter((each) => each.here && each.id !== table.id && each.stage === "lobby");
  const choice = h("select", { "aria-label": t("To which table?") }, free.map((each) => h("option", { value: each.id }, each.name)));
  if (await ask(t("Where does this match go on?"), [choice])) send({ what: "move", board: table.board, table: choice.value });
}

async function addTable() {
  const name = h("input", { "aria-label": t("Name of the table"), maxlength: 40 });
  if (!(await ask(t("What is the new table called?"), [name]))) return;
  const said = await send({ what: "code", name: name.value });
  if (said) await ask(t("At the table, type this within an hour:"), [h("code", { class: "join" }, `shinpan club join ${said.address}`)]);
}

/** @param {WallTable} table */
async function drop(table) {
  if (await ask(t("Take {name} out of the club? What was played there stays.", { name: table.name }), [])) send({ what: "drop", table: table.id });
}

/** How Home Assistant gets to the broker: an account that listens and says nothing. */
async function lights() {
  const said = await send({ what: "lights" });
  if (!said) return;
  const { broker, user, secret, authority } = said;
  const rows = [`${broker.tls ? "mqtts" : "mqtt"}://${broker.host}:${broker.port}`, user, secret];
  const proof = authority ? [h("p", {}, t("The certificate that vouches for the broker:")), h("textarea", { rows: 4, readonly: true, "aria-label": t("Certificate") }, authority)] : [];
  await ask(t("Home Assistant logs in at the broker with this:"), [rows.map((text) => h("code", { class: "join" }, text)), proof]);
}

/** @param {VenuePage} page */
function players(page) {
  part("players", [page.entrants, page.penalties, page.round.stage], () => [
    h(
      "ul",
      { class: "desk-players" },
      page.entrants.map((each) =>
        h(
          "li",
          { class: each.left ? "left" : "" },
          h("span", {}, each.name),
          each.left
            ? action(t("Back"), () => send({ what: "back", id: each.id }))
            : [action(t("Leaves"), () => reasoned(t("Why does {name} leave?", { name: each.name }), (why) => send({ what: "leave", id: each.id, why }))), action(t("Penalty"), () => penalty(each))],
        ),
      ),
    ),
    page.penalties.map((each) => h("p", {}, `${each.name}: −${points(each.points)} (${each.why})`, action(t("Take back"), () => send({ what: "forgive", number: each.number })))),
    page.round.stage === "none" || page.round.stage === "over" ? null : h("div", { class: "steps" }, action(t("Add players …"), addPlayers)),
  ]);
}

/** @param {EntrantShown} each */
async function penalty(each) {
  const much = h("input", { type: "number", min: 0, max: 10, step: 0.5, value: 1, "aria-label": t("Points") });
  const why = h("input", { "aria-label": t("Why?"), placeholder: t("Why?"), maxlength: 200 });
  if (await ask(t("A penalty for {name}", { name: each.name }), [much, why])) send({ what: "penalty", id: each.id, points: Number(much.value), why: why.value });
}

async function addPlayers() {
  const names = h("textarea", { rows: 6, "aria-label": t("Names, a line each; a rating after a comma"), placeholder: "Aki\nBen, 1200" });
  const file = h("input", { type: "file", accept: ".csv,text/csv,text/plain", "aria-label": t("Or a CSV file") });
  file.addEventListener("change", async () => {
    if (file.files && file.files[0]) names.value = await file.files[0].text();
  });
  if (await ask(t("Names, a line each; a rating after a comma"), [names, h("label", {}, h("span", {}, t("Or a CSV file")), file)])) send({ what: "enter", names: names.value });
}

/**
 * @param {string} question
 * @param {(why: string) => void} then
 */
async function reasoned(question, then) {
  const why = h("input", { "aria-label": t("Why?"), maxlength: 200 });
  if (await ask(question, [why])) then(why.value);
}

/** @param {VenuePage} page */
function results(page) {
  part("results", [page.rounds, page.round.stage === "none"], () => [
    page.rounds.length ? null : h("p", {}, t("None yet.")),
    page.rounds.slice().reverse().map((each) => [
      h("h3", {}, t("Round {number}", { number: each.number })),
      h(
        "ul",
        { class: "desk-results" },
        each.pairings.map((pair) =>
          h(
            "li",
            {},
            h("b", {}, pair.table || `${pair.board}`),
            h("span", {}, pair.players.map((name, seat) => (pair.points.length ? `${name} ${points(pair.points[seat])}` : name)).join(" · ")),
            pair.by_hand ? h("em", {}, pair.by_hand) : null,
            pair.held ? action(t("Release"), () => send({ what: "release", round: each.number, board: pair.board }), "ready") : null,
            action(pair.points.length ? t("Correct …") : t("Enter …"), () => enter(each.number, pair)),
          ),
        ),
      ),
    ]),
    page.round.stage === "none" ? null : takeHome(),
  ]);
}

/**
 * @param {number} round
 * @param {PairingShown} pair
 */
async function enter(round, pair) {
  const fields = pair.players.map((name, seat) => h("input", { type: "number", min: 0, max: 1, step: "any", value: pair.points.length ? pair.points[seat] : 0, "aria-label": name }));
  const why = h("input", { "aria-label": t("Why?"), placeholder: t("Why?"), maxlength: 200 });
  const rows = pair.players.map((name, seat) => h("label", {}, h("span", {}, name), fields[seat]));
  if (await ask(t("Points, from 0 to 1"), [...rows, why])) send({ what: "result", round, board: pair.board, points: fields.map((field) => Number(field.value)), why: why.value });
}

follow((page) => {
  alarms(page);
  rounds(page);
  tables(page);
  players(page);
  results(page);
});
