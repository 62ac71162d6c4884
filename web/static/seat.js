// A player's own page: what is asked, ready, the own choices, and the tablet in place of the camera.

import { button, chooser, open, settle } from "./acts.js";
import { byId, h, replace, score } from "./dom.js";
import { first, t } from "./first.js";
import { start } from "./frame.js";
import { badge, colour } from "./seats.js";
import { post, tap } from "./tap.js";

const player = first.role;
const seat = first.page.players.indexOf(player);
const choices = chooser((move) => tap("move", move));
let shown = "";
let byTap = false;

function own(page, game) {
  const standing = game.standing(page, player);
  const place = byId("own");
  place.style.setProperty("--seat", colour(seat));
  replace(
    place,
    h("h2", { class: "name" }, badge(seat), h("span", {}, player), h("output", { class: "score" }, score(standing.score))),
    h("p", { class: "ask", "aria-live": "assertive" }, page.prompts[player]),
    h("ul", { class: "notes" }, standing.notes.map((note) => h("li", { class: note.kind }, note.text))),
  );
}

/** Laid cards that the camera should read and does not: the tablet takes its place. */
const byCards = (move) => first.locks.includes(move.move) || first.reveals.includes(move.move);

async function acts(page, game, deck) {
  const phase = page.phases[player];
  const blind = byTap || !["ok", "simulated"].includes(page.senses.camera);
  // Nothing is drawn again while it still holds: somebody may be in the middle of choosing.
  const questions = page.questions.filter(({ zone }) => zone.startsWith(`${player}.`));
  const key = JSON.stringify([phase, page.stage, page.awaits, page.choices, questions, blind, page.over]);
  if (key === shown) return;
  shown = key;
  const laying = page.awaits.some((kind) => first.locks.includes(kind));
  const turning = page.stage === "reveal" && page.awaits.some((kind) => first.reveals.includes(kind));
  const parts = [h("div", { class: "answer", id: "answer", "aria-live": "assertive" })];
  if (phase === "placing" && !(laying && blind)) parts.push(button("Ready", () => tap("ready"), "big ready"));
  if (phase === "locked") parts.push(h("p", { class: "locked" }, t("Locked. Leave your cards as they lie.")));
  parts.push(questions.map((question) => settle(question, game, deck)));
  const entered = (laying || turning) && blind ? (await open(player)).filter(byCards) : [];
  if (shown !== key) return;
  parts.push(choices(page.choices.concat(entered), game));
  if ((laying || turning) && !blind) parts.push(button("Enter my cards by tap", () => { byTap = true; acts(page, game, deck); }, "quiet"));
  parts.push(button("Log out", async () => { await post("/api/logout", { role: player }); window.location.assign("/"); }, "quiet"));
  replace(byId("acts"), parts);
}

start((page, game, deck) => {
  own(page, game);
  acts(page, game, deck);
});
