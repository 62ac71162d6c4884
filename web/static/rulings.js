// The last sentences, newest first, each with its rule. Only what is new is read aloud.

import { t } from "./bootstrap.js";
import { byId, h, write } from "./dom.js";
import { pictureOf } from "./evidence.js";
import { chip } from "./rulebook.js";
import { badge } from "./seats.js";

// Whatever can stand beside a name is listed here; anything else is a letter, and the name only part of a longer word.
const LETTER_LAST = /[^\s.,;:!?'’"()+−–-]$/;
const LETTER_FIRST = /^[^\s.,;:!?'’"()+−–-]/;
/** @type {Record<string, string>} */
const KINDS = { refused: t("Refused"), call: t("Called"), time: t("Time"), notice: t("Notice"), act: t("Referee") };

/**
 * What only the referee's page has beside a ruling.
 * @type {{clip: ((said: SaidShown<unknown>) => HTMLElement) | null}}
 */
export const beside = { clip: null };

export class Rulings {
  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
    /** @type {Set<number>} */
    this.numbers = new Set();
    this.started = false;
  }

  /**
   * Show what is new and return it for the board to draw. At the start that is the last step of the match.
   * @param {AnyPage} page
   */
  show(page) {
    const kept = new Set(page.said.map((said) => said.number));
    for (const row of Array.from(this.element.children)) if (!kept.has(Number(row.getAttribute("data-number")))) row.remove();
    const fresh = page.said.filter((said) => !this.numbers.has(said.number));
    for (const said of fresh) this.element.prepend(this.row(said, page.players));
    for (const said of page.said) {
      if (said.picture || said.clip) this.picture(said);
      if (said.taken_back) this.strike(said);
    }
    this.numbers = kept;
    if (fresh.length) this.element.scrollTop = 0;
    if (this.started) {
      if (fresh.length) write(byId("aloud"), fresh.map((said) => said.text).join(" "));
      return fresh;
    }
    this.started = true;
    const last = Math.max(0, ...page.said.map((said) => said.line));
    return fresh.filter((said) => last && said.line === last);
  }

  /**
   * A picture or a clip may be on the disk a moment after its sentence is on the page.
   * @param {SaidShown<unknown>} said
   */
  picture(said) {
    const chips = this.element.querySelector(`[data-number="${said.number}"] .chips`);
    if (chips && said.picture && !chips.querySelector(".picture")) chips.append(pictureOf(said));
    if (chips && said.clip && beside.clip && !chips.querySelector(".clip")) chips.prepend(beside.clip(said));
  }

  /**
   * What was taken back is struck through, and says so to whoever cannot see that.
   * @param {SaidShown<unknown>} said
   */
  strike(said) {
    const row = this.element.querySelector(`[data-number="${said.number}"]:not(.undone)`);
    if (!row) return;
    row.classList.add("undone");
    row.prepend(h("span", { class: "unseen" }, t("Taken back:")));
  }

  /**
   * @param {SaidShown<unknown>} said
   * @param {string[]} players
   */
  row(said, players) {
    const kind = KINDS[said.kind];
    const text = h("p", {}, kind && h("strong", { class: "kind" }, kind), " ", sentence(said, players));
    const row = h("li", { class: `said ${said.kind}${this.started ? " fresh" : ""}`, "data-number": said.number });
    row.append(text, h("span", { class: "chips" }, said.rules.map(chip)));
    return row;
  }
}

/**
 * The sentence with the sign of each player before the name.
 * @param {SaidShown<unknown>} said
 * @param {string[]} players
 * @returns {Child}
 */
export function sentence(said, players) {
  const names = said.players.slice().sort((a, b) => b.length - a.length);
  if (!names.length) return said.text;
  const escaped = names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
  return said.text.split(new RegExp(`(${escaped})`)).map((part, place, parts) => {
    const inside = LETTER_LAST.test(place ? parts[place - 1] : "") || LETTER_FIRST.test(parts[place + 1] || "");
    if (place % 2 === 0 || inside) return part;
    return h("span", { class: "who" }, badge(players.indexOf(part)), part);
  });
}
