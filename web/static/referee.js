// The referee's desk, all on one screen: the camera, the people, what is to be settled, and what can be done by hand.

import { button, chooser, open, settle } from "./acts.js";
import { t } from "./bootstrap.js";
import { awardForm, endForm, renameForm, ruleForm, timeForm } from "./desk_forms.js";
import { People } from "./desk_people.js";
import { TakeBack } from "./desk_undo.js";
import { clipOf } from "./dispute.js";
import { decision } from "./dispute_decision.js";
import { byId, h, replace, write } from "./dom.js";
import { start } from "./frame.js";
import { Readings } from "./readings.js";
import { watchPhone } from "./phone_desk.js";
import { beside } from "./rulings.js";
import { badge } from "./seats.js";
import { post, tap } from "./tap.js";

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
    this.urgentShown = "";
    this.doneWith = "";
    this.hold = h("button", { class: "act hold" });
    this.less = button("−1 min", () => this.open(timeForm(-1, this.close)), "step");
    this.more = button("+1 min", () => this.open(timeForm(1, this.close)), "step");
    this.urgent = h("div", { class: "urgent" });
    this.questions = h("div", { class: "questions" });
    this.entry = h("div", { class: "entry" });
    this.calm = h("p", { class: "calm" }, t("Nothing has to be settled."));
    this.close = () => replace(this.entry);
    this.people = new People(page.players, game, { award: (player, points) => this.open(awardForm(player, points, this.close)), enter: (player) => this.enter(player) });
    this.back = new TakeBack();
    this.ends = button("End the match", () => this.open(endForm(page.players, this.close)), "quiet");
    replace(
      byId("acts"),
      h("div", { class: "timing" }, this.hold, this.less, this.more),
      this.people.element,
      this.back.element,
    );
    replace(
      byId("work"),
      h("div", { class: "answer", id: "answer", "aria-live": "assertive" }),
      this.entry,
      this.urgent,
      this.questions,
      new Readings(deck).element,
      this.calm,
      h("div", { class: "row by-hand" },
        button("Rule by hand", () => this.open(ruleForm(this.close)), "quiet"),
        this.ends,
        button("Rename", () => this.open(renameForm(page.players, this.close)), "quiet"),
        button("Log out", async () => { await post("/api/logout", { role: "referee" }); window.location.assign("/"); }, "quiet")),
    );
  }

  /** @param {HTMLElement} form */
  open(form) {
    replace(this.entry, form);
    form.scrollIntoView({ block: "nearest" });
    const field = form.querySelector("input, select");
    if (field instanceof HTMLElement) field.focus({ preventScroll: true });
  }

  /**
   * The moves of a player, to be made by the referee.
   * @param {string} player
   */
  async enter(player) {
    const offer = (await open(player)) || { moves: [], parts: {} };
    const awaited = offer.moves.length > 0 || Object.keys(offer.parts).length > 0;
    const send = async (/** @type {AnyMove} */ move) => {
      if (await tap("move", Object.assign({ by: player }, move))) this.close();
    };
    const offered = awaited ? chooser(send, this.deck)(offer, this.game) : h("p", {}, t("Nothing is awaited from {player}.", { player }));
    this.open(h("div", { class: "act-form" }, h("h3", {}, player), offered, button("Close", this.close, "quiet")));
  }

  /** @param {AnyPage} page */
  show(page) {
    write(this.hold, page.paused ? t("Go on") : t("Pause"));
    this.hold.onclick = () => tap(page.paused ? "resume" : "pause");
    this.hold.disabled = page.over;
    this.less.disabled = page.clock.limit === null || page.over;
    this.more.disabled = page.clock.limit === null;
    this.ends.disabled = page.over;
    this.people.show(page);
    this.back.show(page);
    this.showUrgent(page);
    const key = JSON.stringify(page.questions);
    if (key !== this.asked) {
      this.asked = key;
      replace(this.questions, page.questions.map((question) => settle(question, this.deck)));
    }
    this.calm.hidden = Boolean(page.questions.length || this.urgent.firstChild);
  }

  /**
   * Who calls, what a correction would take, and what has to be put back on the table.
   * @param {AnyPage} page
   */
  showUrgent(page) {
    const back = page.put_back.join("\n");
    const key = JSON.stringify([page.calls, page.offer, back, this.doneWith === back]);
    if (key === this.urgentShown) return;
    this.urgentShown = key;
    const done = () => {
      this.doneWith = back;
      this.showUrgent(page);
    };
    replace(
      this.urgent,
      Object.keys(page.calls).map((player) =>
        h("div", { class: "due call" }, h("p", {}, badge(page.players.indexOf(player)), t("{player} calls you.", { player })), button("I come", () => tap("answer", { player }), "act"))),
      page.offer && h("div", { class: "due" }, h("p", {}, page.offer),
        h("div", { class: "row" },
          button("Take it back and make it right", () => tap("mend", { accept: true, why: t("A card was misread") }), "act"),
          button("Leave it as it is", () => tap("mend", { accept: false }), "quiet"))),
      page.put_back.length > 0 && this.doneWith !== back && h("div", { class: "due" }, h("h3", {}, t("Put back on the table")), h("ul", {}, page.put_back.map((each) => h("li", {}, each))), button("All is put back", done, "act")),
    );
  }
}

beside.clip = (said) => clipOf(said, { decision });
/** @type {Desk | null} */
let desk = null;

start((page, game, deck) => {
  desk = desk || new Desk(page, game, deck);
  desk.show(page);
});

watchPhone();
