// A transparent page to be laid over a stream: scores, clock and the last ruling, as every spectator may know them.

import * as drawing from "/drawing.js";
import { first, t } from "./bootstrap.js";
import { Clock } from "./clock.js";
import { byId, h, replace, score, write } from "./dom.js";
import { fetchDeck } from "./faces.js";
import { follow } from "./live.js";
import { sentence } from "./rulings.js";
import { badge, colour } from "./seats.js";

/** Kinds of sentences that are for the audience: no refused taps, no notices about cables. */
const TOLD = ["ruling", "act", "call", "time"];
const clock = new Clock();
let shown = "";

/**
 * @param {AnyPage} page
 * @param {Drawing} game
 */
function show(page, game) {
  clock.tell(page.clock);
  document.body.classList.toggle("paused", page.paused && !page.over);
  // Some games know who stands how only once they have seen the page.
  game.update(page, null, []);
  write(byId("progress"), game.progress(page));
  const last = page.said.filter((said) => TOLD.includes(said.kind)).pop();
  const players = page.players.map((player, seat) => {
    const standing = game.standing(page, player);
    const turn = !page.over && page.awaited.includes(player) && page.awaited.length < page.players.length;
    const element = h(
      "li",
      { class: `${turn ? "turn" : ""}${page.over && standing.won ? " won" : ""}${standing.out ? " out" : ""}` },
      h("span", { class: "name" }, badge(seat), player),
      h("b", {}, score(standing.score)),
      h("small", {}, page.over && standing.won ? t("Winner") : score(standing.score) === "" ? "" : standing.unit || ""),
    );
    element.style.setProperty("--seat", colour(seat));
    return element;
  });
  replace(byId("scores"), players);
  const key = last ? String(last.number) : "";
  if (key === shown) return;
  shown = key;
  replace(byId("last"), last ? h("p", {}, sentence(last, page.players), " ", last.rules.map((rule) => h("em", {}, rule))) : null);
}

async function start() {
  const game = drawing.create({ t, deck: await fetchDeck(), own: null });
  show(first.page, game);
  follow((page) => show(page, game), (stale) => document.body.classList.toggle("stale", stale));
}

start();
