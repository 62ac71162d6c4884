// The referee's page: pause and go on, take back with a reason, settle a card, and act for anybody at the table.

import { button, chooser, open, settle } from "./acts.js";
import { t } from "./bootstrap.js";
import { byId, h, replace, write } from "./dom.js";
import { start } from "./frame.js";
import { Readings } from "./readings.js";
import { badge } from "./seats.js";
import { post, tap } from "./tap.js";

const REASONS = [t("A card was misread"), t("Wrong tap"), t("The players agree")];

class Desk {
  /**
   * @param {AnyPage} page
   * @param {Drawing} game
   * @param {DeckShown} deck
   */
  constructor(page, game, deck) {
    this.game = game;
    this.deck = deck;
    this.asked = "";
    this.hold = h("button", { class: "big hold" });
    this.questions = h("div", { class: "questions" });
    this.entry = h("div", { class: "entry" });
    this.seats = page.players.map((player, place) => {
      const ready = button("Ready", () => tap("ready", { by: player }), "act");
      const moveOpen = button("Enter a move", () => this.enter(player), "act");
      const prompt = h("span", { class: "prompt" });
      return { player, ready, moveOpen, prompt, row: h("li", {}, h("b", {}, badge(place), player), prompt, ready, moveOpen) };
    });
    replace(
      byId("acts"),
      h("div", { class: "answer", id: "answer", "aria-live": "assertive" }),
      this.hold,
      this.questions,
      new Readings(deck).element,
      h("ul", { class: "seats" }, this.seats.map((each) => each.row)),
      this.entry,
      undo(),
      h("datalist", { id: "reasons" }, REASONS.map((reason) => h("option", { value: reason }))),
      button("Log out", async () => { await post("/api/logout", { role: "referee" }); window.location.assign("/"); }, "quiet"),
    );
  }

  /**
   * The moves of a player, to be made by the referee.
   * @param {string} player
   */
  async enter(player) {
    const offer = await open(player);
    const awaited = offer.moves.length > 0 || Object.keys(offer.parts).length > 0;
    const send = async (/** @type {AnyMove} */ move) => {
      if (await tap("move", Object.assign({ by: player }, move))) replace(this.entry);
    };
    const close = button("Close", () => replace(this.entry), "quiet");
    replace(this.entry, h("h3", {}, player), awaited ? chooser(send, this.deck)(offer, this.game) : h("p", {}, t("Nothing is awaited from {player}.", { player })), close);
  }

  /** @param {AnyPage} page */
  show(page) {
    write(this.hold, page.paused ? t("Go on") : t("Pause"));
    this.hold.onclick = () => tap(page.paused ? "resume" : "pause");
    this.hold.disabled = page.over;
    for (const each of this.seats) {
      write(each.prompt, page.prompts[each.player]);
      each.ready.disabled = page.phases[each.player] !== "placing";
      each.moveOpen.disabled = !page.awaited.includes(each.player);
    }
    const key = JSON.stringify(page.questions);
    if (key === this.asked) return;
    this.asked = key;
    replace(this.questions, page.questions.map((question) => settle(question, this.deck)));
  }
}

function undo() {
  const why = h("input", { id: "why", required: true, placeholder: t("Why?"), list: "reasons" });
  const moves = h("input", { id: "moves", type: "number", min: 1, value: 1, "aria-label": t("How many moves") });
  const back = async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (await tap("undo", { moves: Number(moves.value), why: why.value })) why.value = "";
  };
  return h("form", { class: "undo", onsubmit: back }, h("label", { for: "why" }, t("Take back")), moves, why, h("button", { class: "act" }, t("Take back")));
}

/** @type {Desk | null} */
let desk = null;

start((page, game, deck) => {
  desk = desk || new Desk(page, game, deck);
  desk.show(page);
});
