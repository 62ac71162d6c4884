// Help without playing for anyone: whose turn it is, what a laid combination makes, what it redeems and where it fits.

import { h, replace, write } from "../dom.js";
import { chip } from "../rulebook.js";
import { badge } from "../seats.js";

const SIZES = [1, 0.92, 0.85, 0.78, 0.72];

export class Help {
  constructor(t, words) {
    this.t = t;
    this.words = words;
    this.told = h("div", { "aria-live": "polite" });
    // It stays when the rest is written anew: a finger on it is never lost.
    this.ask = h("button", { class: "quiet", onclick: () => this.toggle() });
    this.list = h("div");
    this.element = h("div", { class: "next" }, this.told, this.ask, this.list);
    this.asked = false;
  }

  show(page) {
    const key = JSON.stringify([page.advice, page.view.turn, page.view.phase, page.over, this.asked, page.prompts[page.view.turn]]);
    if (key === this.shown) return;
    this.shown = key;
    this.page = page;
    replace(this.told, this.turn(page), page.over ? [] : this.lines(page));
    this.request(page);
    this.squeeze();
  }

  /** On a screen that nobody scrolls, much help is written smaller until all of it is seen. A list may be scrolled. */
  squeeze() {
    const { element } = this;
    for (const size of SIZES) {
      element.style.setProperty("--size", size);
      if (this.list.firstChild || element.scrollHeight <= element.clientHeight) return;
    }
  }

  turn(page) {
    const { turn } = page.view;
    return h("p", { class: "now" }, badge(page.players.indexOf(turn)), page.over ? this.result(page.view) : `${turn}: ${page.prompts[turn]}`);
  }

  /** When it is over the turn stays with whoever ended it: the winner. */
  result({ turn, solo }) {
    const wins = this.t("wins the match");
    return solo ? `${turn}: ${this.words.points(solo.score)} · ${solo.level_title}` : `${turn} ${wins}.`;
  }

  lines({ advice, view }) {
    const about = !advice ? [] : advice.laid ? this.about(advice.laid) : this.fits(advice.fits);
    return about.concat(this.missing(view.seats.find(({ player }) => player === view.turn)));
  }

  /** All about cards that lie together, or are tapped together. */
  about(laid) {
    return this.laid(laid).concat(this.fits(laid.fits));
  }

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

  /** Who has most and who has fewest sticks; where some tie, the choice among them. */
  redeem({ redeem: ways, redeem_rule: rule, bonus_rule: bonusRule }) {
    const { t } = this;
    const every = (lists) => Array.from(new Set([].concat(...lists)));
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

  /** Where each card would go, fan by fan, and why another cannot be used. */
  fits(fits) {
    const goes = ({ card, sticks, closes }) => `${this.words.worth(card)} → ${closes ? "10 ✓" : `${sticks}/10`}`;
    const usable = fits.filter(({ obstacle }) => !obstacle);
    const kinds = Array.from(new Set(usable.map(({ fan }) => fan)));
    const each = kinds.map((kind) => `${this.words.fan(kind)} ${usable.filter(({ fan }) => fan === kind).map(goes).join(", ")}`).join(" · ");
    const not = fits.filter(({ obstacle }) => obstacle).map(({ obstacle }) => h("p", { class: "not" }, obstacle.text, " ", obstacle.rules.map(chip)));
    return (each ? [h("p", { class: "may" }, this.t("Fits: {each}", { each }))] : []).concat(not);
  }

  missing(seat) {
    const each = seat.fans.filter((fan) => !fan.closed).map((fan) => `${fan.title} ${fan.missing}`).join(", ");
    return h("p", { class: "not" }, this.t("Sticks still missing: {each}", { each }));
  }

  furthest({ redeem, score }) {
    const cards = redeem.map((card) => this.words.title(card)).join(" + ");
    const points = this.words.points(score);
    return [h("p", { class: "now" }, "★ ", this.t("The best now: redeem {cards}; {points} can be reached without another draw.", { cards, points }))];
  }

  toggle() {
    this.asked = !this.asked;
    this.element.parentNode.classList.toggle("asked", this.asked);
    this.show(this.page);
  }

  /** Alone: every combination on the table, for whoever asks to see them; the best one first. */
  request({ view, over, advice }) {
    this.ask.hidden = !view.solo || over;
    this.ask.setAttribute("aria-expanded", String(this.asked));
    write(this.ask, this.asked ? this.t("Hide the combinations") : this.t("Show the combinations"));
    if (!this.asked || this.ask.hidden || view.phase !== "action" || (advice && advice.laid)) {
      replace(this.list);
      return;
    }
    const { best = null, on_table: found = [] } = advice || {};
    const leads = (each) => Boolean(best) && each.cards.length === best.cards.length && each.cards.every((card) => best.cards.includes(card));
    const line = (each) => h("li", { class: leads(each) ? "best" : "" }, leads(each) ? this.furthest(best) : [], this.about(each));
    const first = found.filter(leads).concat(found.filter((each) => !leads(each)));
    replace(this.list, first.length ? h("ul", { class: "combinations" }, first.map(line)) : h("p", { class: "not" }, this.t("There is none on the table.")));
  }
}
