// Laying a combination of 20 by tap: any cards that the hand may hold, any way to redeem from them, and the rest on the
// discard pile in any order.

import { h, replace, write } from "../dom.js";
import { cardPicker } from "../picker.js";
import { fits, least, TARGET } from "./sensu_sums.js";

export class Combining {
  /**
   * @param {import("./sensu_words.js").Words} words
   * @param {Parts} parts
   * @param {Send<Sensu.Move>} send
   */
  constructor(words, parts, send) {
    this.words = words;
    this.t = words.t;
    /** @type {string[]} */
    this.cards = [];
    /** @type {Sensu.CombinationAdvice | null} */
    this.laid = null;
    /** @type {string[][]} The ways to redeem. */
    this.redeems = [];
    /** @type {string[]} */
    this.redeem = [];
    /** @type {string[]} The rest, the last on top. */
    this.rest = [];
    this.told = h("div", { class: "told", "aria-live": "polite" });
    this.ways = h("div", { class: "chips-row", role: "group", "aria-label": this.t("Which cards do you redeem?") });
    this.order = h("div", { class: "chips-row" });
    this.go = h("button", { class: "big", onclick: () => send(this.move) });
    const picker = cardPicker({
      cards: words.sorted(Object.keys(parts.of)),
      title: (card) => words.title(card),
      picture: (card) => words.picture(card),
      group: (card) => words.fanOf(card),
      most: parts.most,
      fits,
      changed: (chosen) => this.advise(chosen),
    });
    picker.append(this.told, h("div", { class: "last go" }, this.ways, this.order, this.go));
    this.element = picker;
  }

  /** @returns {Sensu.Combine} */
  get move() {
    const { cards, redeem, rest, laid } = this;
    /** @type {Sensu.Combine} */
    const move = { move: "combine", cards, redeem, discard: rest };
    return laid && laid.wild !== null ? Object.assign(move, { wild: laid.wild }) : move;
  }

  /**
   * The table says what these cards make and how they may be redeemed.
   * @param {string[]} cards
   */
  async advise(cards) {
    this.cards = cards;
    const laid = cards.length ? await this.words.advice(cards) : null;
    if (this.cards !== cards) return;
    this.laid = laid;
    this.redeems = laid ? different(laid.redeem) : [];
    this.choose(this.redeems[0] || []);
    replace(this.told, laid && laid.redeem.length ? this.words.explain(laid) : null);
  }

  /** @param {string[]} redeem */
  choose(redeem) {
    this.redeem = redeem;
    this.rest = this.cards.filter((card) => !redeem.includes(card));
    this.show();
  }

  show() {
    const { t, words, redeem, rest } = this;
    const ways = this.redeems;
    const way = (/** @type {string[]} */ each) =>
      h("button", { class: "chip", "data-key": `redeem ${each}`, "aria-pressed": String(each === redeem), onclick: () => this.choose(each) }, t("Redeem {cards}", { cards: words.inARow(each) }));
    refill(this.ways, ways.length > 1 ? ways.map(way) : []);
    const up = (/** @type {string} */ card) => () => {
      this.rest = rest.filter((each) => each !== card).concat(card);
      this.show();
    };
    const heap = (/** @type {string} */ card) => h("button", { class: "chip", "data-key": `rest ${card}`, "aria-label": t("Put {card} on top", { card: words.title(card) }), onclick: up(card) }, words.title(card));
    const tell = redeem.length > 0 && rest.length > 1;
    refill(this.order, tell ? [h("p", {}, t("Discarded so, the last on top; tap one to put it on top:")), ...rest.map(heap)] : []);
    this.go.disabled = !redeem.length;
    write(this.go, redeem.length ? t("Lay 20, redeem {cards}", { cards: words.inARow(redeem) }) : this.open());
  }

  /** What is still missing. */
  open() {
    const { t, cards } = this;
    if (!cards.length) return t("Lay a combination of 20");
    const total = this.laid ? this.laid.total : least(cards);
    const names = this.words.inARow(cards);
    return total > TARGET ? t("{cards} = {total}: too much", { cards: names, total }) : t("{cards} = {total}: {short} missing", { cards: names, total, short: TARGET - total });
  }
}

/**
 * In which order the same cards are redeemed makes no difference: they are placed in any order afterwards.
 * @param {string[][]} ways
 */
const different = (ways) => ways.filter((way, at) => ways.findIndex((each) => each.every((card) => way.includes(card))) === at);

/**
 * Draw again without losing the keyboard's place.
 * @param {HTMLElement} place
 * @param {HTMLElement[]} children
 */
function refill(place, children) {
  const held = document.activeElement && place.contains(document.activeElement) ? document.activeElement.getAttribute("data-key") : null;
  replace(place, children);
  const again = children.find((child) => held !== null && child.getAttribute("data-key") === held);
  if (again) again.focus();
}
