// Help without playing for anyone: whose turn it is, what a laid combination makes, what it redeems and where it fits.

import { h, replace, write } from "../dom.js";
import { chip } from "../rulebook.js";
import { badge } from "../seats.js";
import { outcomeTitle } from "../winners.js";

const SIZES = [1, 0.92, 0.85, 0.78, 0.72];

export class Help {
  /**
   * @param {Translate} t
   * @param {import("./sensu_words.js").Words} words
   */
  constructor(t, words) {
    this.t = t;
    this.words = words;
    this.told = h("div", { "aria-live": "polite" });
    // It is kept when the rest is redrawn, so that a tap on it is never lost.
    this.ask = h("button", { class: "quiet", onclick: () => this.toggle() });
    this.list = h("div");
    this.element = h("div", { class: "next" }, this.told, this.ask, this.list);
    this.asked = false;
    this.shown = "";
    /** @type {Sensu.Page | null} */
    this.page = null;
  }

  /** @param {Sensu.Page} page */
  show(page) {
    const key = JSON.stringify([page.advice, page.view.turn, page.view.phase, page.view.winners, page.over, this.asked, page.prompts[page.view.turn]]);
    if (key === this.shown) return;
    this.shown = key;
    this.page = page;
    replace(this.told, this.turn(page), page.over ? [] : this.lines(page));
    this.request(page);
    this.squeeze();
  }

  /** Where a page does not scroll, long help is set in smaller type until all of it can be seen. A list may scroll. */
  squeeze() {
    const { element } = this;
    for (const size of SIZES) {
      element.style.setProperty("--size", String(size));
      if (this.list.firstChild || element.scrollHeight <= element.clientHeight) return;
    }
  }

  /** @param {Sensu.Page} page */
  turn(page) {
    const { turn } = page.view;
    return h("p", { class: "now" }, page.over ? this.result(page) : [badge(page.players.indexOf(turn)), `${turn}: ${page.prompts[turn]}`]);
  }

  /** @param {Sensu.Page} page */
  result({ players, view: { turn, solo, winners } }) {
    if (solo) return [badge(0), `${turn}: ${this.words.points(solo.score)} · ${solo.level_title}`];
    return [winners.length === 1 ? badge(players.indexOf(winners[0])) : null, outcomeTitle(winners, players, this.t)];
  }

  /** @param {Sensu.Page} page */
  lines({ advice, view }) {
    const about = !advice ? [] : advice.laid ? this.about(advice.laid) : this.fits(advice.fits);
    const seat = view.seats.find(({ player }) => player === view.turn);
    return seat ? about.concat(this.missing(seat)) : about;
  }

  /**
   * All about cards that lie together, or are tapped together.
   * @param {Sensu.CombinationAdvice} laid
   * @returns {HTMLElement[]}
   */
  about(laid) {
    return this.laid(laid).concat(this.fits(laid.fits));
  }

  /** @param {Sensu.CombinationAdvice} laid */
  laid(laid) {
    const { t } = this;
    const cards = laid.cards.map((card) => this.words.title(card)).join(" + ");
    const short = laid.short > 0 ? t("{number} missing to 20", { number: laid.short }) : t("{number} too much", { number: -laid.short });
    const wild = laid.wild === null ? [] : [" (", t("the wild is {value}", { value: laid.wild }), ")"];
    const lines = [h("p", { class: "sum" }, `${cards} = `, h("b", {}, String(laid.total)), wild, laid.short ? ` · ${short}` : "")];
    if (laid.short) return lines;
    if (laid.bonuses.length) lines.push(h("p", { class: "may" }, laid.bonuses.map((bonus) => [bonus.text, " ", bonus.rules.map(chip), " "])));
    return laid.redeem.length ? lines.concat(this.redeem(laid)) : lines;
  }

  /**
   * Who has most and who has fewest sticks; where some tie, the choice among them.
   * @param {Sensu.CombinationAdvice} laid
   */
  redeem({ redeem: ways, redeem_rule: rule, bonus_rule: bonusRule }) {
    const { t } = this;
    /** @param {string[][]} lists */
    const every = (lists) => Array.from(new Set(lists.reduce((all, list) => all.concat(list), [])));
    /** @param {string[]} cards @param {string} between */
    const titles = (cards, between) => cards.map((card) => this.words.title(card)).join(between);
    const bonus = ways.map((way) => way.slice(1));
    const sure = every(bonus).filter((card) => bonus.every((cards) => cards.includes(card)));
    const tied = every(bonus).filter((card) => !sure.includes(card));
    const number = bonus[0].length - sure.length;
    const or = t("or");
    const choice = number > 1 ? t("{number} of {cards}", { number, cards: titles(tied, ", ") }) : titles(tied, ` ${or} `);
    const few = [titles(sure, " + "), sure.length && number ? `(${choice})` : choice].filter(Boolean).join(" + ");
    const most = titles(every(ways.map((way) => [way[0]])), ` ${or} `);
    const also = few ? [" ", t("Bonus, with the fewest sticks: {cards}", { cards: few }), " ", chip(bonusRule)] : [];
    return h("p", { class: "may" }, t("Redeemed, with the most sticks: {cards}", { cards: most }), " ", chip(rule), also);
  }

  /**
   * Where each card would go, fan by fan, and why another cannot be used.
   * @param {Sensu.FanFit[]} fits
   */
  fits(fits) {
    /** @param {Sensu.FanFit} fit */
    const goes = ({ card, sticks, closes }) => `${this.words.worth(card)} → ${closes ? "10 ✓" : `${sticks}/10`}`;
    const usable = fits.filter(({ obstacle }) => !obstacle);
    const kinds = Array.from(new Set(usable.map(({ fan }) => fan)));
    const each = kinds.map((kind) => `${this.words.fan(kind)} ${usable.filter(({ fan }) => fan === kind).map(goes).join(", ")}`).join(" · ");
    const not = fits.map(({ obstacle }) => (obstacle ? h("p", { class: "not" }, obstacle.text, " ", obstacle.rules.map(chip)) : []));
    const usableOnes = each ? [h("p", { class: "may" }, this.t("Fits: {each}", { each }))] : [];
    return usableOnes.concat(...not);
  }

  /** @param {Sensu.FanSeatView} seat */
  missing(seat) {
    const each = seat.fans.filter((fan) => !fan.closed).map((fan) => `${fan.title} ${fan.missing}`).join(", ");
    return h("p", { class: "not" }, this.t("Sticks still missing: {each}", { each }));
  }

  /** @param {Sensu.BestCombination} best */
  furthest({ redeem, score }) {
    const cards = redeem.map((card) => this.words.title(card)).join(" + ");
    const points = this.words.points(score);
    return [h("p", { class: "now" }, "★ ", this.t("The best now: redeem {cards}; {points} can be reached without another draw.", { cards, points }))];
  }

  toggle() {
    this.asked = !this.asked;
    if (this.element.parentElement) this.element.parentElement.classList.toggle("asked", this.asked);
    if (this.page) this.show(this.page);
  }

  /**
   * Alone: every combination on the table, for whoever asks to see them; the best one first.
   * @param {Sensu.Page} page
   */
  request({ view, over, advice }) {
    this.ask.hidden = !view.solo || over;
    this.ask.setAttribute("aria-expanded", String(this.asked));
    write(this.ask, this.asked ? this.t("Hide the combinations") : this.t("Show the combinations"));
    if (!this.asked || this.ask.hidden || view.phase !== "action" || (advice && advice.laid)) {
      replace(this.list);
      return;
    }
    const best = advice ? advice.best : null;
    const found = advice ? advice.on_table : [];
    /** @param {Sensu.CombinationAdvice} each */
    const leads = (each) => best !== null && each.cards.length === best.cards.length && each.cards.every((card) => best.cards.includes(card));
    /** @param {Sensu.CombinationAdvice} each */
    const line = (each) => h("li", { class: leads(each) ? "best" : "" }, best && leads(each) ? this.furthest(best) : [], this.about(each));
    const first = found.filter(leads).concat(found.filter((each) => !leads(each)));
    replace(this.list, first.length ? h("ul", { class: "combinations" }, first.map(line)) : h("p", { class: "not" }, this.t("There is none on the table.")));
  }
}
