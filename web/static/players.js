// The players: sign, name, score, what is asked of them, and in big letters: placing, locked, turning up.

import { t } from "./bootstrap.js";
import { animate, h, replace, score, write } from "./dom.js";
import { fly } from "./fly.js";
import { badge, colour } from "./seats.js";

/** @type {Record<string, string>} */
const STATES = {
  placing: t("Placing"),
  locked: t("Locked"),
  countdown: t("Locked"),
  reveal: t("Turn up!"),
  choice: t("Choosing"),
  idle: t("Waits"),
};

/**
 * @param {string} player
 * @param {number} seat
 */
function card(player, seat) {
  const parts = {
    score: h("output", { class: "score" }),
    unit: h("p", { class: "unit" }),
    state: h("p", { class: "state" }),
    prompt: h("p", { class: "prompt" }),
    notes: h("ul", { class: "notes" }),
  };
  const name = h("h2", { class: "name" }, badge(seat), h("span", {}, player));
  const element = h("article", { class: "player" }, name, parts.score, parts.unit, parts.state, parts.prompt, parts.notes);
  element.style.setProperty("--seat", colour(seat));
  return Object.assign(parts, { element, shownNotes: "" });
}

export class Players {
  /**
   * @param {HTMLElement} element
   * @param {Drawing} game
   */
  constructor(element, game) {
    this.element = element;
    this.game = game;
    /** @type {Record<string, ReturnType<typeof card>>} */
    this.cards = {};
  }

  /**
   * @param {AnyPage} page
   * @param {AnyPage | null} before
   */
  show(page, before) {
    this.element.classList.toggle("few", page.players.length < 4);
    this.element.classList.toggle("many", page.players.length > 4);
    page.players.forEach((player, seat) => {
      if (!this.cards[player]) {
        this.cards[player] = card(player, seat);
        this.element.append(this.cards[player].element);
      }
      this.update(player, page, before);
    });
  }

  /**
   * @param {string} player
   * @param {AnyPage} page
   * @param {AnyPage | null} before
   */
  update(player, page, before) {
    const shown = this.cards[player];
    const standing = this.game.standing(page, player);
    const phase = page.over ? "over" : page.phases[player];
    const won = page.over && standing.won;
    shown.element.dataset.phase = phase;
    shown.element.classList.toggle("awaited", page.awaited.includes(player) && !page.ready.includes(player));
    shown.element.classList.toggle("out", Boolean(standing.out));
    shown.element.classList.toggle("won", Boolean(won));
    const state = page.over ? (won ? t("Winner") : "") : STATES[phase] || "";
    write(shown.state, state);
    write(shown.prompt, page.over || page.prompts[player] === state ? "" : page.prompts[player]);
    const notes = JSON.stringify(standing.notes);
    if (shown.shownNotes !== notes) {
      shown.shownNotes = notes;
      replace(shown.notes, standing.notes.map((note) => h("li", { class: note.kind || "" }, note.text)));
    }
    write(shown.score, score(standing.score));
    write(shown.unit, shown.score.textContent ? standing.unit || "" : "");
    const old = before ? this.game.standing(before, player).score : standing.score;
    if (typeof standing.score === "number" && standing.score !== old) this.points(player, standing.score - (old || 0));
  }

  /**
   * @param {string} player
   * @param {number} change
   */
  points(player, change) {
    const kind = change > 0 ? "gain" : "loss";
    const text = change > 0 ? `+${change}` : `−${-change}`;
    const spot = this.game.spot(player);
    const { score: number } = this.cards[player];
    if (spot) fly(text, kind, spot, number);
    const beat = [{ transform: "scale(1)" }, { transform: "scale(1.45)" }, { transform: "scale(1)" }];
    animate(number, beat, { duration: 500, delay: spot ? 1300 : 0 });
  }
}
