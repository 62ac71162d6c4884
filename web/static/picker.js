// Choosing cards by tap or key: filters and a search where there are many, tiles that stay where they are while one
// chooses, and one button that does it. The button has the class `go`: the seat's page keeps it in the action bar.

import { t } from "./bootstrap.js";
import { h, s, write } from "./dom.js";
import { face } from "./faces.js";

const SOME = 6;
const MANY = 12;
const VERY_MANY = 24; // then they are shown group by group, and small
const MARKS = /[\u0300-\u036f]/g;

/**
 * @typedef {object} Choosing
 * @property {string[]} cards
 * @property {(card: string) => string} title
 * @property {(card: string) => Child} picture
 * @property {(card: string) => string} [group] the filter that shows it
 * @property {(card: string) => number} [copies] how often it can be chosen
 * @property {number} [least]
 * @property {number} [most]
 * @property {(card: string, chosen: string[]) => boolean} [fits] whether it can be added
 * @property {(chosen: string[]) => string} [label] what the button says
 * @property {(chosen: string[]) => unknown} [done] without it there is no button
 * @property {(chosen: string[]) => unknown} [changed]
 */

/**
 * Text as it is searched for: "hi-ogi 7" finds "Hi-ōgi 7".
 * @param {string} text
 */
const plainly = (text) => text.normalize("NFD").replace(MARKS, "").toLowerCase();

/**
 * Our own drawing of a card, as large as its tile.
 * @param {DeckShown} deck
 * @param {string} card
 */
export function picture(deck, card) {
  const known = deck.cards[card];
  if (!known) return null;
  const { width, height } = known;
  return s("svg", { viewBox: `${-width / 2} ${-height / 2} ${width} ${height}`, "aria-hidden": "true" }, face(deck, card, width));
}

/** @param {Choosing} choosing */
export function cardPicker({ cards, title, picture: drawn, group, copies, least = 1, most = 1, fits, label, done, changed }) {
  /** @type {string[]} */
  let chosen = [];
  const number = (/** @type {string} */ card) => chosen.filter((each) => each === card).length;
  const room = (/** @type {string} */ card) => (most === 1 || chosen.length < most) && number(card) < (copies ? copies(card) : 1) && (!fits || fits(card, most === 1 ? [] : chosen));
  const go = h("button", { class: "big go", onclick: () => done && done(chosen) });

  const show = () => {
    for (const { card, tile, name } of tiles) {
      const count = number(card);
      tile.setAttribute("aria-pressed", String(count > 0));
      tile.setAttribute("aria-disabled", String(!count && !room(card)));
      write(name, count > 1 ? `${title(card)} ×${count}` : title(card));
    }
    go.disabled = chosen.length < least;
    write(go, label && (chosen.length || least === 0) ? label(chosen) : told(chosen.length, least, most));
    if (changed) changed(chosen.slice());
  };
  const tap = (/** @type {string} */ card) => {
    if (most === 1) chosen = [card];
    else if (room(card)) chosen = chosen.concat(card);
    else chosen = chosen.filter((each) => each !== card);
    show();
  };
  const tiles = cards.map((card) => {
    const name = h("span", {}, title(card));
    return { card, name, tile: h("button", { class: "card-choice", "data-key": card, onclick: () => tap(card) }, drawn(card), name) };
  });
  const grid = h("div", { class: "card-choices" }, tiles.map(({ tile }) => tile));
  const narrow = filters(cards, group, (shown) => {
    for (const { card, tile } of tiles) tile.hidden = !number(card) && !shown(title(card), group ? group(card) : "");
  });
  show();
  return h("div", { class: cards.length > VERY_MANY ? "picker crowded" : "picker" }, narrow, grid, done && go);
}

/**
 * @param {number} count
 * @param {number} least
 * @param {number} most
 */
function told(count, least, most) {
  if (most === 1) return t("Choose a card");
  return least === most ? t("{count} of {all} chosen", { count, all: most }) : t("{count} chosen", { count });
}

/**
 * Chips for the groups, and a search where there are many cards; both say what is shown.
 * @param {string[]} cards
 * @param {((card: string) => string) | undefined} group
 * @param {(shown: (title: string, group: string) => boolean) => void} narrow
 */
function filters(cards, group, narrow) {
  const groups = group && cards.length > SOME ? Array.from(new Set(cards.map(group))) : [];
  let only = cards.length > VERY_MANY && groups.length > 1 ? groups[0] : "";
  const search = h("input", { type: "search", placeholder: t("Search"), "aria-label": t("Search the cards"), autocomplete: "off" });
  const chips = (groups.length > 1 ? [""].concat(groups) : []).map((name) => h("button", { class: "chip", "data-key": `filter ${name}`, onclick: () => { only = name; show(); } }, name || t("All")));
  const show = () => {
    chips.forEach((chip, place) => chip.setAttribute("aria-pressed", String(only === (place ? groups[place - 1] : ""))));
    const wanted = plainly(search.value.trim());
    // Whoever searches, searches all of them.
    narrow((title, of) => (wanted ? plainly(title).includes(wanted) : !only || of === only));
  };
  search.addEventListener("input", show);
  show();
  const many = cards.length > MANY;
  return (chips.length > 0 || many) && h("div", { class: "filters", role: "group", "aria-label": t("Show only") }, chips, many && search);
}
