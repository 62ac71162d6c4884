// The players as the referee needs them: how they stand, who is awaited and for how long, and what can be done for them.

import { button } from "./acts.js";
import { t } from "./bootstrap.js";
import { elapsed } from "./clock.js";
import { h, score, write } from "./dom.js";
import { badge, colour } from "./seats.js";
import { tap } from "./tap.js";

/**
 * @typedef {{award: (player: string, points: number) => void, enter: (player: string) => void}} Doing
 */

/**
 * @param {string} player
 * @param {number} seat
 * @param {Doing} doing
 */
function row(player, seat, doing) {
  const parts = {
    prompt: h("span", { class: "prompt" }),
    since: h("span", { class: "since" }),
    points: h("output", { class: "score" }),
    ready: button("Ready", () => tap("ready", { by: player }), "act"),
    enter: button("Enter a move", () => doing.enter(player), "act"),
    less: h("button", { class: "step", "aria-label": t("Take from {player}", { player }), onclick: () => doing.award(player, -1) }, "−"),
    more: h("button", { class: "step", "aria-label": t("Give to {player}", { player }), onclick: () => doing.award(player, 1) }, "+"),
  };
  const element = h("li", { class: "person" },
    h("b", { class: "name" }, badge(seat), h("span", {}, player)), h("span", { class: "asked" }, parts.since, parts.prompt),
    h("span", { class: "points" }, parts.less, parts.points, parts.more), parts.ready, parts.enter);
  element.style.setProperty("--seat", colour(seat));
  return Object.assign(parts, { player, element });
}

export class People {
  /**
   * @param {string[]} players
   * @param {Drawing} game
   * @param {Doing} doing
   */
  constructor(players, game, doing) {
    this.game = game;
    this.rows = players.map((player, seat) => row(player, seat, doing));
    this.element = h("ul", { class: "persons" }, this.rows.map(({ element }) => element));
    this.element.classList.toggle("many", players.length > 4);
    /** @type {AnyPage | null} */
    this.page = null;
    this.heard = 0;
    window.setInterval(() => this.count(), 1000);
  }

  /** @param {AnyPage} page */
  show(page) {
    this.page = page;
    this.heard = performance.now();
    for (const each of this.rows) {
      const standing = this.game.standing(page, each.player);
      each.element.classList.toggle("awaited", each.player in page.waits);
      each.element.classList.toggle("calls", each.player in page.calls);
      write(each.prompt, page.prompts[each.player]);
      write(each.points, score(standing.score) || "–");
      each.ready.disabled = page.phases[each.player] !== "placing";
      each.enter.disabled = !page.awaited.includes(each.player);
      each.less.disabled = each.more.disabled = page.over;
      each.less.hidden = each.more.hidden = !page.awards.includes(each.player) && !page.over;
    }
    this.count();
  }

  /** How long each has been awaited. */
  count() {
    const { page } = this;
    if (!page) return;
    const now = page.clock.now + (performance.now() - this.heard) / 1000;
    for (const { player, since } of this.rows) write(since, player in page.waits ? elapsed(now - page.waits[player]) : "");
  }
}
