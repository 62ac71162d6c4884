// San, Ni, Ichi! in words: cards, moves as buttons, and what is announced before every card.

import { h, replace } from "../dom.js";
import { cardPicker, picture } from "../picker.js";
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
      case "sit_out": return t("I hold nothing but smoke bombs ({number})", { number: [].concat(/** @type {any} */ (move.cards || [])).length });
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
   * One card of the hand, found by its element or among the weapons.
   * @param {string[]} cards
   * @param {(card: string) => string} label
   * @param {(card: string) => unknown} done
   */
  pickCard(cards, label, done) {
    const kind = (/** @type {string} */ card) => card.split("-")[0];
    const elements = ["fire", "water", "wood"];
    return cardPicker({
      cards,
      title: (card) => this.title(card),
      picture: (card) => picture(this.deck, card),
      group: (card) => (elements.includes(kind(card)) ? this.title(kind(card)) : this.t("Weapons")),
      label: ([card]) => label(card),
      done: ([card]) => done(card),
    });
  }

  /**
   * @param {SanNiIchi.TurnUpSelected[]} moves
   * @param {Send<SanNiIchi.Move>} send
   */
  pickReveal(moves, send) {
    const label = (/** @type {string} */ card) => this.t("I turned up {card}", { card: this.title(card) });
    return this.pickCard(moves.map((move) => move.card), label, (card) => send({ move: "reveal", card }));
  }

  /**
   * First whose top card, then which card is given up for it.
   * @param {SanNiIchi.UseTonfa[]} moves
   * @param {Send<SanNiIchi.Move>} send
   */
  pickTonfa(moves, send) {
    const sources = Array.from(new Set(moves.map((move) => move.from)));
    let from = sources[0];
    const top = (/** @type {string} */ player) => this.title(this.pile(player).slice(-1)[0] || "");
    const taken = sources.map((player) => h("button", { class: "chip", "data-key": `from ${player}`, onclick: () => choose(player) }, this.t("Take {player}'s {card}", { player, card: top(player) })));
    const given = h("div");
    const choose = (/** @type {string} */ player) => {
      from = player;
      taken.forEach((chip, place) => chip.setAttribute("aria-pressed", String(sources[place] === from)));
      replace(given, ...cards.filter((each) => each.player === from).map((each) => each.element));
      for (const each of cards) each.go.hidden = each.player !== from;
    };
    const cards = sources.map((player) => {
      const held = moves.filter((move) => move.from === player).map((move) => move.discard || "");
      const label = (/** @type {string} */ card) => this.describe({ move: "tonfa", from: player, discard: card });
      const element = this.pickCard(held, label, (discard) => send({ move: "tonfa", from: player, discard }));
      return { player, element, go: /** @type {HTMLElement} */ (element.querySelector(".go")) };
    });
    const place = h("div", { class: "picker" }, taken, h("p", { class: "hint" }, this.t("Which card do you discard?")), given, cards.map((each) => each.go));
    choose(from);
    return place;
  }
}
