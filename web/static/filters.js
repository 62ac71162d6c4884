// Which matches somebody wants: a game, a player, a day. The address keeps it, so that it can be sent to somebody.

import { past as first, t } from "./bootstrap.js";
import { byId, h, maybe, replace } from "./dom.js";

/** @typedef {{game: string, player: string, day: string}} Wanted */

/** @param {string} id */
const field = (id) => /** @type {HTMLInputElement | null} */ (maybe(id));

/** @param {Wanted} wanted */
export function query(wanted) {
  const asked = new URLSearchParams();
  if (wanted.game) asked.set("game", wanted.game);
  if (wanted.player) asked.set("player", wanted.player);
  if (wanted.day) asked.set("day", wanted.day);
  return asked;
}

/**
 * Fill the filters, and call `changed` with what is wanted whenever that is something else.
 * @param {(wanted: Wanted) => unknown} changed
 */
export function filters(changed) {
  const game = byId("by-game");
  replace(game, h("option", { value: "" }, t("All games")), Object.keys(first.games).sort().map((name) => h("option", { value: name, selected: name === first.wanted.game }, first.games[name])));
  const [player, day, evening] = [field("by-player"), field("by-day"), field("by-evening")];
  if (player) player.value = first.wanted.player;
  if (day) day.value = first.wanted.day.length === 10 ? first.wanted.day : "";
  const read = () => {
    const wanted = { game: /** @type {HTMLSelectElement} */ (game).value, player: player ? player.value.trim() : "", day: day ? day.value : "" };
    const asked = query(wanted).toString();
    window.history.replaceState(null, "", asked ? `?${asked}` : window.location.pathname);
    changed(wanted);
  };
  byId("filters").addEventListener("change", (event) => {
    if (evening && day && event.target === evening) day.value = evening.value;
    else if (evening && day) evening.value = day.value;
    read();
  });
  byId("filters").addEventListener("submit", (event) => {
    event.preventDefault();
    read();
  });
  byId("all").onclick = () => {
    for (const each of [player, day, evening]) if (each) each.value = "";
    /** @type {HTMLSelectElement} */ (game).value = "";
    read();
  };
}
