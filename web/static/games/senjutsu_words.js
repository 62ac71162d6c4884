// Senjutsu in words, and choosing by tap: cards as cards, ways as a compass of six, steps on the arena itself.

import { h, replace, write } from "../dom.js";
import { cardPicker, picture } from "../picker.js";
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
      discard: (moves, send, parts) => this.pickDiscards(moves, send, parts),
      step: (moves, send, parts) => this.pickSteps(moves, send, parts),
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
      case "kamae": return t("Change stance to {kamae}", { kamae: this.kamae(move.to) });
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

  /**
   * To do nothing is called by what is not done.
   * @param {Senjutsu.PassUp} move
   */
  pass(move) {
    const { t } = this;
    if (move.rest) return t("No more instants this round");
    switch (this.view && this.view.question[0]) {
      case "instant": return t("No instant now");
      case "step": return t("Stay where I am");
      case "rotate": return t("Do not turn");
      case "kamae": return t("Keep my stance");
      case "draw": return t("Draw nothing");
      default: return t("Do without it");
    }
  }

  // --- pickers ---------------------------------------------------------------------------------------------------

  /** @param {string} card */
  picture(card) {
    return picture(this.deck, card);
  }

  /**
   * @param {(Senjutsu.RevealCard | Senjutsu.LayInstant)[]} moves
   * @param {Send<Senjutsu.Move>} send
   */
  pickCard(moves, send) {
    const kind = moves[0].move;
    const move = (/** @type {string} */ card) => ({ move: kind, card });
    return cardPicker({
      cards: moves.map(({ card }) => card),
      title: (card) => this.title(card),
      picture: (card) => this.picture(card),
      label: ([card]) => (kind === "reveal" ? this.t("I turned up {card}", { card: this.title(card) }) : this.describe({ move: "instant", card })),
      done: ([card]) => send(/** @type {Senjutsu.Move} */ (move(card))),
    });
  }

  /**
   * So many cards as are forced out of the hand.
   * @param {Senjutsu.DiscardForced[]} moves
   * @param {Send<Senjutsu.Move>} send
   * @param {Parts} [parts]
   */
  pickDiscards(moves, send, parts) {
    const count = parts ? parts.most : moves[0].cards.length;
    const held = (/** @type {string} */ card) => (parts ? parts.of[card] : Math.max(...moves.map(({ cards }) => cards.filter((each) => each === card).length)));
    const cards = parts ? Object.keys(parts.of) : Array.from(new Set(moves.reduce((all, move) => all.concat(move.cards), /** @type {string[]} */ ([]))));
    return cardPicker({
      cards,
      title: (card) => this.title(card),
      picture: (card) => this.picture(card),
      copies: held,
      least: count,
      most: count,
      label: (chosen) => this.t("Discard {cards}", { cards: chosen.map((card) => this.title(card)).join(", ") }),
      done: (chosen) => send({ move: "discard", cards: chosen }),
    });
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
    const { element, allow } = this.compass((facing) => send({ move: "rotate", facing }));
    allow(moves.map((move) => move.facing));
    return element;
  }

  /**
   * A path, step by step; or the hex itself, tapped on the arena.
   * @param {Senjutsu.StepMove[]} moves
   * @param {Send<Senjutsu.Move>} send
   * @param {Parts} [parts]
   */
  pickSteps(moves, send, parts) {
    const place = h("div", { class: "picker" });
    const paths = moves.map((move) => move.path || []);
    const starts = (/** @type {string[]} */ start) => paths.filter((path) => start.every((facing, step) => path[step] === facing));
    const next = (/** @type {string[]} */ path) => (parts ? (path.length < parts.most ? Object.keys(parts.of) : []) : Array.from(new Set(starts(path).map((each) => each[path.length]).filter(Boolean))));
    const whole = (/** @type {string[]} */ path) => path.length > 0 && (Boolean(parts) || starts(path).some((each) => each.length === path.length));
    /** @type {string[]} */
    let path = [];
    const go = h("button", { class: "big go", onclick: () => send({ move: "step", path }) });
    const back = h("button", { class: "quiet", "data-key": "back", onclick: () => draw([]) }, this.t("From the start"));
    const way = this.compass((facing) => draw(path.concat(facing)));
    const draw = (/** @type {string[]} */ longer) => {
      path = longer;
      if (whole(path) && !next(path).length) send({ move: "step", path });
      way.allow(next(path));
      go.hidden = !whole(path);
      write(go, this.t("Go {path}", { path: path.join(" · ") }));
      back.hidden = !path.length;
    };
    replace(place, h("p", { class: "hint" }, this.t("Tap a hex on the arena, or go step by step.")), way.element, back, go);
    draw([]);
    this.board.offer(moves, send);
    return place;
  }

  /**
   * Six ways as they lie on this page; `allow` says which of them are open.
   * @param {(facing: string) => void} onclick
   */
  compass(onclick) {
    const { arena } = this.board;
    const buttons = FACINGS.map((facing) => {
      const arrow = h("span", { "aria-hidden": "true" }, "↑");
      arrow.style.transform = `rotate(${arena ? arena.angle(facing) : 0}deg)`;
      return h("button", { "aria-label": facing, "data-key": facing, onclick: () => onclick(facing) }, arrow, h("small", {}, facing));
    });
    // The page of a side seat is turned: the compass shows what is up there on top.
    const shift = Math.round(((arena ? arena.turn : 0) * 90) / 60);
    const turned = (/** @type {string} */ facing) => buttons[(FACINGS.indexOf(facing) + shift) % 6];
    const element = h("div", { class: "compass six" }, AROUND.map((facing) => (facing === null ? h("span", {}) : turned(facing))));
    const allow = (/** @type {string[]} */ open) => buttons.forEach((button, place) => { button.disabled = !open.includes(FACINGS[place]); });
    return { element, allow };
  }
}
