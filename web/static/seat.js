// A player's page: what is asked, what can be done about it, and the tablet in place of the camera. What can be done is
// decided by the kinds of move that are awaited; the last step of it is always in the action bar, in the thumb's reach.

import { button, chooser, open, settle } from "./acts.js";
import { first, t } from "./bootstrap.js";
import { Call } from "./call.js";
import { byId, h, replace, score, write } from "./dom.js";
import { keepingFocus } from "./focus.js";
import { start } from "./frame.js";
import { showHand } from "./hand.js";
import { nudge } from "./nudge.js";
import { ReadAloud } from "./read_aloud.js";
import { badge, colour } from "./seats.js";
import { post, tap } from "./tap.js";

const FEW = 3; // so many buttons have room in the bar
const AGAIN = 1000;

const player = first.role;
const seat = first.page.players.indexOf(player);

/** The chosen parts of pickers that stand in the bar. @type {WeakMap<HTMLElement, HTMLElement[]>} */
const steps = new WeakMap();

class Seat {
  /**
   * @param {Drawing} game
   * @param {DeckShown} deck
   */
  constructor(game, deck) {
    this.game = game;
    this.deck = deck;
    this.choices = chooser((move) => tap("move", move), deck);
    this.call = new Call(player);
    this.aloud = new ReadAloud();
    this.aloud.changed = () => this.table();
    this.byTap = false;
    this.shown = "";
    this.turn = 0;
    this.noted = "";
    this.oopsTimer = 0;
    this.oops = byId("oops");
    this.oops.addEventListener("click", () => tap("oops"));
    this.tableAloud = h("button", { class: "quiet", onclick: () => this.aloud.say([this.described()]) }, t("Read the table to me"));
    this.score = h("output", { class: "score" });
    byId("own").style.setProperty("--seat", colour(seat));
    replace(byId("own-name"), badge(seat), h("span", {}, player), this.score);
    replace(
      byId("menu"),
      this.call.element,
      this.aloud.choice(),
      button("Log out", async () => { await post("/api/logout", { role: player }); window.location.assign("/"); }, "quiet"),
    );
    const menu = byId("menu-button");
    menu.addEventListener("click", () => {
      byId("menu").hidden = !byId("menu").hidden;
      menu.setAttribute("aria-expanded", String(!byId("menu").hidden));
    });
    this.table();
  }

  /** @param {AnyPage} page */
  show(page) {
    this.page = page;
    const standing = this.game.standing(page, player);
    write(this.score, score(standing.score));
    const turnsUp = page.phases[player] === "reveal";
    const mine = !page.over && page.awaited.includes(player) && (turnsUp || !page.ready.includes(player));
    const ask = mine && !turnsUp ? t("Your turn: {ask}", { ask: page.prompts[player] }) : page.prompts[player];
    write(byId("ask"), ask);
    const notes = JSON.stringify(standing.notes);
    if (notes !== this.noted) {
      this.noted = notes;
      replace(byId("own-notes"), standing.notes.map((note) => h("li", { class: note.kind }, note.text)));
    }
    this.aloud.tell(page, ask);
    nudge(mine);
    this.second(page);
    this.call.show(page);
    showHand(byId("hand"), page, this.deck);
    this.acts(page);
  }

  table() {
    this.tableAloud.hidden = !this.aloud.on;
  }

  /** The board in words, and how everybody stands. */
  described() {
    const drawn = this.game.element.getAttribute("aria-label") ? this.game.element : this.game.element.querySelector("[aria-label]");
    const { page } = this;
    const all = page ? page.players.map((name) => `${name}: ${score(this.game.standing(page, name).score)}`).join(", ") : "";
    return `${(drawn && drawn.getAttribute("aria-label")) || this.game.element.textContent || ""} ${all}`;
  }

  /**
   * For a few seconds the own last tap can be taken back, unless somebody goes on.
   * @param {AnyPage} page
   */
  second(page) {
    window.clearTimeout(this.oopsTimer);
    const left = page.oops_until === null ? 0 : page.oops_until - page.clock.now;
    const show = (/** @type {boolean} */ possible) => keepingFocus([this.oops], byId("ask"), () => this.oops.classList.toggle("past", !possible));
    show(left > 0);
    if (left > 0) this.oopsTimer = window.setTimeout(() => show(false), left * 1000);
  }

  /**
   * What can be done from here: the choices by tap, or everything where the tablet takes the camera's place.
   * @param {AnyPage} page
   * @param {boolean} blind
   * @returns {Promise<Offer<AnyMove> | null>} null: the table did not answer
   */
  async offered(page, blind) {
    // At the virtual table what the hands ask comes first.
    if (page.hand && page.hand.question && !page.hand.question.beside) return { moves: [], parts: {} };
    if (!page.awaits.length || (!blind && !page.choices.length)) return { moves: [], parts: {} };
    const early = (/** @type {string} */ kind) => first.reveals.includes(kind) && page.stage !== "reveal";
    const offer = await open(player);
    if (!offer) return null;
    const { moves, parts } = offer;
    if (blind) return { moves: moves.filter((move) => !early(move.move)), parts };
    for (const kind of Object.keys(parts)) if (!page.choices.some((move) => move.move === kind)) delete parts[kind];
    return { moves: page.choices.filter((move) => !(move.move in parts)), parts };
  }

  /** @param {AnyPage} page */
  async acts(page) {
    const phase = page.phases[player];
    const { camera } = page.senses;
    const seen = Boolean(camera && ["ok", "simulated"].includes(camera.state));
    const blind = this.byTap || !seen || page.hand !== null;
    const questions = page.questions.filter(({ zone }) => zone.startsWith(`${player}.`));
    this.turn += 1;
    const mine = this.turn;
    const offer = await this.offered(page, blind);
    if (!offer) {
      // Nothing else may happen at the table until this player moves, so nothing else would bring the buttons back.
      window.setTimeout(() => { if (mine === this.turn) this.acts(page); }, AGAIN);
      return;
    }
    // Nothing is drawn again while it still holds: somebody may be in the middle of choosing.
    const key = JSON.stringify([phase, page.stage, page.ready.includes(player), offer, questions, blind, page.over]);
    if (mine !== this.turn || key === this.shown) return;
    this.shown = key;
    const byCards = page.awaits.some((kind) => !(kind in offer.parts) && !offer.moves.some((move) => move.move === kind));
    const drawn = this.choices(offer, this.game).sort((one, other) => tiles(one) - tiles(other));
    const lists = drawn.filter((each) => each.classList.contains("choices"));
    const few = lists.reduce((sum, each) => sum + each.children.length, 0) <= FEW ? lists : [];
    const places = [byId("acts"), byId("bar")];
    keepingFocus(places, byId("ask"), () => {
      replace(
        byId("bar-acts"),
        this.ready(page, blind, offer),
        few,
        drawn.filter((each) => !few.includes(each)).map(taken),
      );
      replace(
        byId("acts"),
        phase === "locked" && h("p", { class: "locked" }, t("Locked. Leave your cards as they lie.")),
        questions.map((question) => settle(question, this.deck)),
        drawn.filter((each) => !few.includes(each)),
        seen && this.byTap && button("Let the camera read my cards", () => this.switchTo(false), "quiet"),
        seen && !this.byTap && byCards && !page.hand && button("Enter my cards by tap", () => this.switchTo(true), "quiet"),
        this.tableAloud,
      );
    });
    replace(byId("answer"));
  }

  /** @param {boolean} byTap */
  switchTo(byTap) {
    this.byTap = byTap;
    if (this.page) this.acts(this.page);
  }

  /**
   * Ready, where it means something, under the name of what it does.
   * @param {AnyPage} page
   * @param {boolean} blind
   * @param {Offer<AnyMove>} offer
   */
  ready(page, blind, offer) {
    if (page.hand || page.phases[player] !== "placing") return null; // virtual hands press by themselves
    const turnsUp = page.stage === "placing" && page.awaits.some((kind) => first.reveals.includes(kind)) && !page.ready.includes(player);
    // By tap, cards that lie face down are a button of their own.
    if (!turnsUp && blind && offer.moves.length) return null;
    const lays = page.awaits.some((kind) => !first.reveals.includes(kind));
    const text = turnsUp && !lays ? t("Ready for the count of three") : t("Ready: my cards lie there");
    return h("button", { class: "big ready", "data-key": "ready", onclick: () => tap("ready") }, text);
  }
}

/** @param {HTMLElement} element */
const tiles = (element) => element.querySelectorAll(".card-choice").length;

/**
 * The last step of a picker, which belongs in the bar.
 * @param {HTMLElement} picker
 */
function taken(picker) {
  const found = steps.get(picker) || /** @type {HTMLElement[]} */ (Array.from(picker.querySelectorAll(".go")));
  steps.set(picker, found);
  return found;
}

/** @type {Seat | null} */
let own = null;

start((page, game, deck) => {
  own = own || new Seat(game, deck);
  own.show(page);
});
