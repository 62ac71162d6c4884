// San, Ni, Ichi! in words: cards, moves as buttons, and what is announced before every card.

import { h, replace, s } from "../dom.js";
import { face } from "../faces.js";
import { words } from "./plain.js";

/**
 * A line of what is announced.
 * @typedef {{kind: string, text: string, rule?: string, player?: string}} Part
 */

export class Words {
  /**
   * @param {Translate} t
   * @param {DeckShown} deck
   * @param {string | null} own
   */
  constructor(t, deck, own) {
    this.t = t;
    this.deck = deck;
    this.own = own;
    /** @type {SanNiIchi.Page | null} */
    this.page = null;
    /** @type {Drawing["pickers"]} */
    this.pickers = { reveal: (moves, send) => this.pickReveal(moves, send), tonfa: (moves, send) => this.pickTonfa(moves, send) };
  }

  /**
   * What a card or an element is called: "Fire 3", "Fire".
   * @param {string} id
   */
  title(id) {
    return (this.page && this.page.view.names[id]) || this.deck.names[id] || id;
  }

  // --- what is announced -----------------------------------------------------------------------------------------

  /**
   * What is going on and by which rule, what may be done, and what stands in the way.
   * @param {SanNiIchi.Page} page
   * @returns {Part[]}
   */
  next(page) {
    const { view } = page;
    const { t } = this;
    /** @type {Part} */
    const now = Object.assign({ kind: "now" }, view.now);
    const reminders = view.reminders.map((note) => Object.assign({ kind: "not" }, note));
    if (view.over) return [now];
    if (view.phase === "damage") {
      const open = view.asked.filter((name) => page.awaited.includes(name));
      return [now, { kind: "may", text: t("Still to answer: {players}", { players: open.join(", ") || "–" }) }];
    }
    if (view.next === null) {
      if (view.seats.some((seat) => seat.selected)) return [now, ...reminders];
      const open = page.awaited.filter((name) => !page.ready.includes(name));
      const still = { kind: "may", text: t("Still to choose: {players}", { players: open.join(", ") || "–" }) };
      return [now, still, ...reminders];
    }
    now.player = view.order[view.next].player;
    const may = { kind: "may", text: view.may.map((each) => this.may(each)).join(" · ") };
    // Whatever Block forbids is told once, in a note of its own.
    const barred = view.seats.filter((seat) => seat.name in view.barred && !seat.blocked).map((seat) => view.barred[seat.name]);
    const notes = view.block.concat(barred.slice(0, 1)).slice(0, 2);
    return [now, may, ...notes.map((note) => Object.assign({ kind: "not" }, note))];
  }

  /** @param {SanNiIchi.PossiblePlay} may */
  may({ move, players }) {
    const names = players.join(", ");
    switch (move) {
      case "play": return this.t("May be played on {players}", { players: names });
      case "counter": return this.t("Counter to {players}", { players: names });
      case "sai": return this.t("Swaps two piles of {players}", { players: names });
      case "tonfa": return this.t("Takes a top card from {players}", { players: names });
      case "shuriken": return this.t("Into any Damage Pile");
      case "block": return this.t("Blocks for {players}", { players: names });
      default: return this.t("or discarded");
    }
  }

  // --- moves as buttons ------------------------------------------------------------------------------------------

  /**
   * @param {SanNiIchi.Move} move
   * @returns {string}
   */
  describe(move) {
    const { t } = this;
    switch (move.move) {
      case "select": return t("My card lies face down");
      case "sit_out": return t("I hold nothing but smoke bombs ({number})", { number: (move.cards || "").length });
      case "reveal": return this.title(move.card);
      case "play": return this.describePlay(move);
      case "discard": return t("Discard it");
      case "block": return move.for ? t("Block for {mate}", { mate: move.for }) : t("Block for me");
      case "sai": return t("Swap {one} and {other}", { one: move.swap[0], other: move.swap[1] });
      case "shuriken": return move.target === this.own ? t("Into my own Damage Pile") : t("Into {player}'s Damage Pile", { player: move.target });
      case "tonfa": return t("Take {player}'s top card, discard {card}", { player: move.from, card: this.title(move.discard || "") });
      case "smoke": return this.describeSmoke(move);
      case "pass": return t("No smoke bomb");
      default: return words(move, t);
    }
  }

  /** @param {SanNiIchi.PlayOnPile} move */
  describePlay({ on, counter, element }) {
    const { t } = this;
    const pile = this.pile(on);
    const as = element ? ` (${this.title(element)})` : "";
    if (counter) return t("On my pile, then counter: pile to {player}", { player: counter });
    if (on === this.own) return (pile.length ? t("On my own pile") : t("Start my own pile")) + as;
    if (!pile.length) return t("Start a pile on {player}", { player: on }) + as;
    return t("On {player}'s {card}", { player: on, card: this.title(pile[pile.length - 1]) });
  }

  /** @param {SanNiIchi.UseSmokeBomb} move */
  describeSmoke(move) {
    const { t } = this;
    const bomb = move.for ? t("Smoke bomb for {mate}", { mate: move.for }) : t("Smoke bomb");
    const drawn = move.draw && t("draw {card}", { card: this.title(move.draw) });
    return drawn ? `${bomb}: ${drawn}` : bomb;
  }

  /** @param {string} player */
  pile(player) {
    const seat = this.page && this.page.view.seats.find((each) => each.name === player);
    return seat ? seat.pile : [];
  }

  // --- pickers ---------------------------------------------------------------------------------------------------

  /**
   * @param {string} card
   * @param {() => unknown} onclick
   * @param {boolean} [chosen]
   */
  choice(card, onclick, chosen) {
    const picture = s("svg", { viewBox: "-33 -46 66 92", "aria-hidden": "true" }, face(this.deck, card, 63));
    return h("button", { class: "card-choice", "aria-pressed": String(Boolean(chosen)), onclick }, picture, h("span", {}, this.title(card)));
  }

  /**
   * @param {SanNiIchi.TurnUpSelected[]} moves
   * @param {Send<SanNiIchi.Move>} send
   */
  pickReveal(moves, send) {
    return h("div", { class: "card-choices" }, moves.map((move) => this.choice(move.card, () => send(move))));
  }

  /**
   * First whose top card, then which card is given up for it.
   * @param {SanNiIchi.UseTonfa[]} moves
   * @param {Send<SanNiIchi.Move>} send
   */
  pickTonfa(moves, send) {
    const place = h("div", { class: "picker" });
    const sources = Array.from(new Set(moves.map((move) => move.from)));
    const draw = (/** @type {string | null} */ source) => {
      const top = (/** @type {string} */ player) => {
        const pile = this.pile(player);
        return pile.length ? this.title(pile[pile.length - 1]) : "";
      };
      const from = h("div", { class: "choices" }, sources.map((player) =>
        h("button", { class: "big", "aria-pressed": String(player === source), onclick: () => draw(player) }, this.t("Take {player}'s {card}", { player, card: top(player) }))));
      const given = moves.filter((move) => move.from === source);
      replace(place, from, source && h("p", { class: "ask" }, this.t("Which card do you discard?")), source && h("div", { class: "card-choices" }, given.map((move) => this.choice(move.discard || "", () => send(move)))));
    };
    draw(sources.length === 1 ? sources[0] : null);
    return place;
  }
}
