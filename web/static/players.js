// The players: sign, name, score, what is awaited from them, and big: placing, locked, counting, turning up.

import { animate, h, replace, score, write } from "./dom.js";
import { t } from "./bootstrap.js";
import { fly } from "./fly.js";
import { badge, colour } from "./seats.js";

const STATES = {
  placing: "Placing",
  locked: "Locked",
  countdown: "Locked",
  reveal: "Turn up!",
  choice: "Choosing",
  idle: "Waits",
};

export class Players {
  constructor(element, game) {
    this.element = element;
    this.game = game;
    this.cards = {};
  }

  show(page, before) {
    this.element.classList.toggle("few", page.players.length < 4);
    this.element.classList.toggle("many", page.players.length > 4);
    page.players.forEach((player, seat) => {
      if (!this.cards[player]) this.cards[player] = this.card(player, seat);
      this.update(this.cards[player], player, page, before);
    });
  }

  card(player, seat) {
    const card = {
      score: h("output", { class: "score" }),
      state: h("p", { class: "state" }),
      prompt: h("p", { class: "prompt" }),
      notes: h("ul", { class: "notes" }),
    };
    const name = h("h2", { class: "name" }, badge(seat), h("span", {}, player));
    card.element = h("article", { class: "player" }, name, card.score, card.state, card.prompt, card.notes);
    card.element.style.setProperty("--seat", colour(seat));
    this.element.append(card.element);
    return card;
  }

  update(card, player, page, before) {
    const standing = this.game.standing(page, player);
    const phase = page.over ? "over" : page.phases[player];
    const won = page.over && standing.won;
    card.element.dataset.phase = phase;
    card.element.classList.toggle("awaited", page.awaited.includes(player) && !page.ready.includes(player));
    card.element.classList.toggle("out", Boolean(standing.out));
    card.element.classList.toggle("won", Boolean(won));
    const state = page.over ? (won ? t("Winner") : "") : t(STATES[phase] || phase);
    write(card.state, state);
    write(card.prompt, page.over || page.prompts[player] === state ? "" : page.prompts[player]);
    const notes = JSON.stringify(standing.notes);
    if (card.shownNotes !== notes) {
      card.shownNotes = notes;
      replace(card.notes, standing.notes.map((note) => h("li", { class: note.kind || "" }, note.text)));
    }
    write(card.score, score(standing.score));
    const old = before ? this.game.standing(before, player).score : standing.score;
    if (typeof standing.score === "number" && standing.score !== old) this.points(card, player, standing.score - old);
  }

  points(card, player, change) {
    const kind = change > 0 ? "gain" : "loss";
    const text = change > 0 ? `+${change}` : `−${-change}`;
    const spot = this.game.spot(player);
    if (spot) fly(text, kind, spot, card.score);
    const beat = [{ transform: "scale(1)" }, { transform: "scale(1.45)" }, { transform: "scale(1)" }];
    animate(card.score, beat, { duration: 500, delay: spot ? 1300 : 0 });
  }
}
