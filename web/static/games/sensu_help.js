// Help without playing for anyone: whose turn it is, what a laid combination makes, what it redeems and where it fits.

import { h, replace } from "../dom.js";
import { chip } from "../rulebook.js";
import { badge } from "../seats.js";

export class Help {
  constructor(t, words) {
    this.t = t;
    this.words = words;
    this.element = h("div", { class: "next", "aria-live": "polite" });
    this.asked = false;
  }

  show(page) {
    const key = JSON.stringify([page.advice, page.view.turn, page.view.phase, page.over, this.asked, page.prompts[page.view.turn]]);
    if (key === this.shown) return;
    this.shown = key;
    this.page = page;
    replace(this.element, this.turn(page), page.over ? [] : this.lines(page.advice), this.request(page));
  }

  turn(page) {
    const { turn } = page.view;
    const text = page.over ? this.t("The match is over.") : page.prompts[turn];
    return h("p", { class: "now" }, badge(page.players.indexOf(turn)), `${turn}: `, text);
  }

  lines(advice) {
    if (!advice) return [];
    const found = advice.laid ? this.laid(advice.laid) : [];
    const fits = advice.laid ? advice.laid.fits : advice.fits;
    return found.concat(this.fits(fits), fits.length || found.length ? this.missing(advice.missing) : []);
  }

  laid(laid) {
    const { t } = this;
    const cards = laid.cards.map((card) => this.words.title(card)).join(" + ");
    const short = laid.short > 0 ? t("{number} missing to 20", { number: laid.short }) : t("{number} too much", { number: -laid.short });
    const wild = laid.wild === null ? "" : ` (${t("the wild is {value}", { value: laid.wild })})`;
    const lines = [h("p", { class: "sum" }, `${cards} = `, h("b", {}, String(laid.total)), wild, laid.short ? ` · ${short}` : "")];
    if (laid.short) return lines;
    lines.push(...laid.bonuses.map((bonus) => h("p", { class: "may" }, bonus.text, " ", bonus.rules.map(chip))));
    const ways = laid.redeem.map((way) => way.map((card) => this.words.title(card)).join(" + "));
    return lines.concat(h("p", { class: "may" }, t("May be redeemed: {ways}", { ways: ways.join(` ${t("or")} `) }), " ", chip("SU-22")));
  }

  /** Where each card would go, and why another cannot be used. */
  fits(fits) {
    const goes = ({ card, fan, sticks, closes }) => `${this.words.title(card)} → ${this.words.fan(fan)} ${closes ? "10 ✓" : `${sticks}/10`}`;
    const usable = fits.filter(({ obstacle }) => !obstacle).map(goes);
    const not = fits.filter(({ obstacle }) => obstacle).map(({ obstacle }) => h("p", { class: "not" }, obstacle.text, " ", obstacle.rules.map(chip)));
    return (usable.length ? [h("p", { class: "may" }, this.t("Fits: {each}", { each: usable.join(" · ") }))] : []).concat(not);
  }

  missing(missing) {
    const open = Object.keys(missing).filter((kind) => missing[kind] > 0);
    const each = open.map((kind) => `${this.words.fan(kind)} ${missing[kind]}`).join(", ");
    return [h("p", { class: "not" }, this.t("Sticks still missing: {each}", { each }))];
  }

  furthest({ redeem, score }) {
    const cards = redeem.map((card) => this.words.title(card)).join(" + ");
    return [h("p", { class: "now" }, `★ ${this.t("The best now: redeem {cards}; {score} points can be reached without another draw.", { cards, score })}`)];
  }

  /** Alone: every combination on the table, for whoever asks to see them. */
  request(page) {
    if (!page.view.solo || page.over) return null;
    const found = (page.advice && page.advice.on_table) || [];
    const toggle = () => {
      this.asked = !this.asked;
      this.show(this.page);
    };
    const ask = h("button", { class: "quiet", "aria-expanded": String(this.asked), onclick: toggle }, this.asked ? this.t("Hide the combinations") : this.t("Show the combinations"));
    if (!this.asked) return ask;
    const { best } = page.advice || {};
    const leads = (each) => best && each.cards.length === best.cards.length && each.cards.every((card) => best.cards.includes(card));
    const line = (each) => h("li", { class: leads(each) ? "best" : "" }, this.laid(each), this.fits(each.fits), leads(each) ? this.furthest(best) : []);
    return [ask, found.length ? h("ul", { class: "combinations" }, found.map(line)) : h("p", { class: "not" }, this.t("There is none on the table."))];
  }
}
