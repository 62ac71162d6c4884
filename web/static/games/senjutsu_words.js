// Senjutsu in words, and choosing by tap: cards as cards, ways as a compass of six, steps on the arena itself.

import { h, replace, s } from "../dom.js";
import { face } from "../faces.js";
import { words } from "./plain.js";
import { FACINGS } from "./senjutsu_arena.js";

// The six ways as they lie around the middle of a grid of three by three; one more row for straight up and down.
const AROUND = [null, "N", null, "NW", null, "NE", "SW", null, "SE", null, "S", null];

/**
 * What the words need of the board: where things are on this page, and hexes to tap.
 * @typedef {{arena: import("./senjutsu_arena.js").Arena | null, offer: (moves: Senjutsu.StepMove[], send: Send<Senjutsu.Move>) => void}} Board
 */

export class Words {
  /**
   * @param {Translate} t
   * @param {DeckShown} deck
   * @param {Board} board
   */
  constructor(t, deck, board) {
    this.t = t;
    this.deck = deck;
    this.board = board;
    /** @type {Senjutsu.View | null} */
    this.view = null;
    /** @type {Drawing["pickers"]} */
    this.pickers = {
      reveal: (moves, send) => this.pickCard(moves, send),
      instant: (moves, send) => this.pickCard(moves, send),
      discard: (moves, send) => this.pickDiscards(moves, send),
      step: (moves, send) => this.pickSteps(moves, send),
      rotate: (moves, send) => this.pickFacing(moves, send),
      kamae: (moves, send) => this.pickKamae(moves, send),
    };
  }

  /**
   * "Wild Swing" for wild_swing.
   * @param {string} card
   */
  title(card) {
    return this.deck.names[card] || card;
  }

  /** @param {string} id */
  kamae(id) {
    return (this.view && this.view.names[id]) || id;
  }

  /**
   * @param {Senjutsu.Move} move
   * @returns {string}
   */
  describe(move) {
    const { t } = this;
    switch (move.move) {
      case "select": return t("My card lies face down");
      case "reveal": return this.title(move.card);
      case "speed": return t("Speed {value}", { value: move.value });
      case "instant": return t("Lay {card}", { card: this.title(move.card) });
      case "pass": return this.pass(move);
      case "step": return (move.path || []).join(" · ");
      case "rotate": return t("Face {facing}", { facing: move.facing });
      case "kamae": return t("Kamae: {kamae}", { kamae: this.kamae(move.to) });
      case "choose": return this.alternative(Number(move.option)) || String(move.option);
      case "use": return this.alternative(1) || words(move, t);
      case "draw": return move.cards ? t("Draw {cards}", { cards: move.cards }) : t("Draw nothing");
      case "discard": return move.cards.map((card) => this.title(card)).join(", ");
      default: return words(move, t);
    }
  }

  /** @param {number} option */
  alternative(option) {
    return this.view && this.view.alternatives[option - 1];
  }

  /** @param {Senjutsu.PassUp} move */
  pass(move) {
    if (move.rest) return this.t("No more instants this round");
    return this.view && this.view.question.includes("instant") ? this.t("No instant now") : this.t("Leave it out");
  }

  // --- pickers ---------------------------------------------------------------------------------------------------

  /** @param {string} card */
  picture(card) {
    return s("svg", { viewBox: "-34 -46 68 92", "aria-hidden": "true" }, face(this.deck, card, 62));
  }

  /**
   * @param {string} card
   * @param {string} text
   * @param {boolean} chosen
   * @param {() => unknown} onclick
   */
  choice(card, text, chosen, onclick) {
    return h("button", { class: "card-choice", "aria-pressed": String(chosen), onclick }, this.picture(card), h("span", {}, text));
  }

  /**
   * @param {(Senjutsu.RevealCard | Senjutsu.LayInstant)[]} moves
   * @param {Send<Senjutsu.Move>} send
   */
  pickCard(moves, send) {
    return h("div", { class: "card-choices" }, moves.map((move) => this.choice(move.card, this.title(move.card), false, () => send(move))));
  }

  /**
   * So many cards as are forced out of the hand.
   * @param {Senjutsu.DiscardForced[]} moves
   * @param {Send<Senjutsu.Move>} send
   */
  pickDiscards(moves, send) {
    const count = moves[0].cards.length;
    const cards = Array.from(new Set(moves.reduce((all, move) => all.concat(move.cards), /** @type {string[]} */ ([]))));
    if (count === 1) return h("div", { class: "card-choices" }, cards.map((card) => this.choice(card, this.title(card), false, () => send({ move: "discard", cards: [card] }))));
    const place = h("div", { class: "picker" });
    const draw = (/** @type {string[]} */ chosen) => {
      const tapped = (/** @type {string} */ card) => () => draw(chosen.length < count ? chosen.concat(card) : [card]);
      const number = (/** @type {string} */ card) => chosen.filter((each) => each === card).length;
      const text = (/** @type {string} */ card) => (number(card) > 1 ? `${this.title(card)} ×${number(card)}` : this.title(card));
      const done = h("button", { class: "big", disabled: chosen.length !== count, onclick: () => send({ move: "discard", cards: chosen }) }, this.t("Discard {count} of {all}", { count: chosen.length, all: count }));
      replace(place, h("div", { class: "card-choices" }, cards.map((card) => this.choice(card, text(card), number(card) > 0, tapped(card)))), done);
    };
    draw([]);
    return place;
  }

  /**
   * The kamae that a branch leads to, in their colours.
   * @param {Senjutsu.KamaeStep[]} moves
   * @param {Send<Senjutsu.Move>} send
   */
  pickKamae(moves, send) {
    const button = (/** @type {Senjutsu.KamaeStep} */ move) => h("button", { class: `kamae-choice ${move.to}`, "aria-label": this.describe(move), onclick: () => send(move) }, this.kamae(move.to));
    return h("div", { class: "kamae-choices" }, moves.map(button));
  }

  /**
   * @param {Senjutsu.RotateMove[]} moves
   * @param {Send<Senjutsu.Move>} send
   */
  pickFacing(moves, send) {
    return this.compass(moves.map((move) => move.facing), (facing) => send({ move: "rotate", facing }));
  }

  /**
   * A path, step by step; or the hex itself, tapped on the arena.
   * @param {Senjutsu.StepMove[]} moves
   * @param {Send<Senjutsu.Move>} send
   */
  pickSteps(moves, send) {
    const place = h("div", { class: "picker" });
    const paths = moves.map((move) => move.path || []);
    const starts = (/** @type {string[]} */ start) => paths.filter((path) => start.every((facing, step) => path[step] === facing));
    const draw = (/** @type {string[]} */ path) => {
      const next = new Set(starts(path).map((each) => each[path.length]).filter(Boolean));
      const whole = path.length > 0 && starts(path).some((each) => each.length === path.length);
      const step = (/** @type {string} */ facing) => {
        const longer = path.concat(facing);
        if (starts(longer).length === 1) send({ move: "step", path: longer });
        else draw(longer);
      };
      const go = whole && h("button", { class: "big", onclick: () => send({ move: "step", path }) }, this.t("Go {path}", { path: path.join(" · ") }));
      const back = path.length > 0 && h("button", { class: "quiet", onclick: () => draw([]) }, this.t("From the start"));
      replace(place, h("p", { class: "hint" }, this.t("Tap a hex on the arena, or go step by step.")), this.compass(Array.from(next), step), go, back);
    };
    draw([]);
    this.board.offer(moves, send);
    return place;
  }

  /**
   * Six ways as they lie on this page.
   * @param {string[]} open
   * @param {(facing: string) => void} onclick
   */
  compass(open, onclick) {
    const { arena } = this.board;
    const button = (/** @type {string} */ facing) => {
      const turn = arena ? arena.angle(facing) : 0;
      const arrow = h("span", { "aria-hidden": "true" }, "↑");
      arrow.style.transform = `rotate(${turn}deg)`;
      return h("button", { "aria-label": facing, disabled: !open.includes(facing), onclick: () => onclick(facing) }, arrow, h("small", {}, facing));
    };
    // The page of a side seat is turned: the compass shows what is up there on top.
    const shift = Math.round(((arena ? arena.turn : 0) * 90) / 60);
    const turned = (/** @type {string} */ facing) => FACINGS[(FACINGS.indexOf(facing) + shift) % 6];
    return h("div", { class: "compass six" }, AROUND.map((facing) => (facing === null ? h("span", {}) : button(turned(facing)))));
  }
}
