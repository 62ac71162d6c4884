// A player's page: what is asked, ready, the player's choices, and the tablet in place of the camera.

import { button, chooser, open, settle } from "./acts.js";
import { first, t } from "./bootstrap.js";
import { byId, h, replace, score } from "./dom.js";
import { start } from "./frame.js";
import { badge, colour } from "./seats.js";
import { post, tap } from "./tap.js";

const player = first.role;
const seat = first.page.players.indexOf(player);
const choices = chooser((move) => tap("move", move));
let shown = "";
let turn = 0;
let byTap = false;

/**
 * @param {AnyPage} page
 * @param {Drawing} game
 */
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

/**
 * What can be done from here: the choices by tap, or everything where the tablet takes the camera's place.
 * @param {AnyPage} page
 * @param {boolean} blind
 * @returns {Promise<AnyMove[]>}
 */
async function offered(page, blind) {
  if (!blind || !page.awaits.length) return page.choices;
  const early = (/** @type {AnyMove} */ move) => first.reveals.includes(move.move) && page.stage !== "reveal";
  return (await open(player)).filter((move) => !early(move));
}

/**
 * @param {AnyPage} page
 * @param {Drawing} game
 * @param {DeckShown} deck
 */
async function acts(page, game, deck) {
  const phase = page.phases[player];
  const { camera } = page.senses;
  const blind = byTap || !camera || !["ok", "simulated"].includes(camera.state);
  const questions = page.questions.filter(({ zone }) => zone.startsWith(`${player}.`));
  turn += 1;
  const mine = turn;
  const moves = await offered(page, blind);
  // Nothing is drawn again while it still holds: somebody may be in the middle of choosing.
  const key = JSON.stringify([phase, page.stage, moves, questions, blind, page.over]);
  if (mine !== turn || key === shown) return;
  shown = key;
  const byCards = page.awaits.filter((kind) => !moves.some((move) => move.move === kind));
  const ready = phase === "placing" || phase === "choice" ? byCards.length > 0 : false;
  replace(
    byId("acts"),
    h("div", { class: "answer", id: "answer", "aria-live": "assertive" }),
    ready && button("Ready", () => tap("ready"), "big ready"),
    phase === "locked" && h("p", { class: "locked" }, t("Locked. Leave your cards as they lie.")),
    questions.map((question) => settle(question, deck)),
    choices(moves, game),
    byCards.length > 0 && !blind && button("Enter my cards by tap", () => { byTap = true; acts(page, game, deck); }, "quiet"),
    button("Log out", async () => { await post("/api/logout", { role: player }); window.location.assign("/"); }, "quiet"),
  );
}

start((page, game, deck) => {
  own(page, game);
  acts(page, game, deck);
});
