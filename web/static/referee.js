// The referee's page: hold and go on, take back with a reason, settle a card, and act for anybody at the table.

import { button, chooser, open, settle } from "./acts.js";
import { byId, h, replace, write } from "./dom.js";
import { t } from "./bootstrap.js";
import { start } from "./frame.js";
import { Readings } from "./readings.js";
import { badge } from "./seats.js";
import { post, tap } from "./tap.js";

const REASONS = ["A card was misread", "Wrong tap", "The players agree"];
const parts = {};
let asked = "";

function build(page) {
  const why = h("input", { id: "why", required: true, placeholder: t("Why?"), list: "reasons" });
  const moves = h("input", { id: "moves", type: "number", min: 1, value: 1, "aria-label": t("How many moves") });
  const back = async (event) => {
    event.preventDefault();
    if (await tap("undo", { moves: Number(moves.value), why: why.value })) why.value = "";
  };
  parts.hold = h("button", { class: "big hold" });
  parts.questions = h("div", { class: "questions" });
  parts.readings = new Readings();
  parts.seats = page.players.map((player, place) => {
    const ready = button("Ready", () => tap("ready", { by: player }), "act");
    const moveOpen = button("Enter a move", () => enter(player), "act");
    const prompt = h("span", { class: "prompt" });
    return { player, ready, moveOpen, prompt, row: h("li", {}, h("b", {}, badge(place), player), prompt, ready, moveOpen) };
  });
  parts.entry = h("div", { class: "entry" });
  replace(
    byId("acts"),
    h("div", { class: "answer", id: "answer", "aria-live": "assertive" }),
    parts.hold,
    parts.questions,
    parts.readings.element,
    h("ul", { class: "seats" }, parts.seats.map((each) => each.row)),
    parts.entry,
    h("form", { class: "undo", onsubmit: back }, h("label", { for: "why" }, t("Take back")), moves, why, h("button", { class: "act" }, t("Take back"))),
    h("datalist", { id: "reasons" }, REASONS.map((reason) => h("option", { value: t(reason) }))),
    button("Log out", async () => { await post("/api/logout", { role: "referee" }); window.location.assign("/"); }, "quiet"),
  );
}

async function enter(player) {
  const moves = await open(player);
  const send = async (move) => {
    if (await tap("move", Object.assign({ by: player }, move))) replace(parts.entry);
  };
  const close = button("Close", () => replace(parts.entry), "quiet");
  replace(parts.entry, h("h3", {}, player), moves.length ? chooser(send)(moves, parts.game) : h("p", {}, t("Nothing is awaited from {player}.", { player })), close);
}

function show(page, game, deck) {
  parts.game = game;
  if (!parts.hold) build(page);
  parts.readings.tell(deck);
  write(parts.hold, t(page.paused ? "Go on" : "Pause"));
  parts.hold.onclick = () => tap(page.paused ? "resume" : "pause");
  parts.hold.disabled = page.over;
  for (const each of parts.seats) {
    write(each.prompt, page.prompts[each.player]);
    each.ready.disabled = page.phases[each.player] !== "placing";
    each.moveOpen.disabled = !page.awaited.includes(each.player);
  }
  const key = JSON.stringify(page.questions);
  if (key !== asked) {
    asked = key;
    replace(parts.questions, page.questions.map((question) => settle(question, deck)));
  }
}

start(show);
