// What every live page shows of every game: head line, banners, players, rulings, senses. The board is the game's.

import * as drawing from "/drawing.js";
import { stayAwake } from "./awake.js";
import { first, t } from "./bootstrap.js";
import { watchCamera } from "./camera.js";
import { Clock } from "./clock.js";
import { byId, h, maybe, replace, write } from "./dom.js";
import * as faces from "./faces.js";
import { follow } from "./live.js";
import { Moment } from "./moment.js";
import { outcome, virtualTable } from "./outcome.js";
import { Players } from "./players.js";
import { showRecord } from "./record.js";
import { Rulings } from "./rulings.js";
import { soundSwitch } from "./sounds.js";
import { tell, voiceSwitch } from "./voice.js";

const PATIENCE = 2000;

/** @typedef {(page: AnyPage, game: Drawing, deck: DeckShown) => unknown} More */

/**
 * Start a live page; `more` draws what only this kind of page has.
 * @param {More} [more]
 */
export async function start(more) {
  const frame = new Frame(first.page, await faces.fetchDeck(), more || (() => {}));
  frame.show(first.page);
  follow((page) => frame.show(page), (stale) => frame.stale(stale));
  watchCamera();
  soundSwitch();
  voiceSwitch();
  stayAwake();
}

/**
 * Names stand all over the page: once somebody has another one, it is loaded again, at that player's own address.
 * @param {AnyPage} page
 */
function renamed(page) {
  const before = first.page.players;
  if (page.players.length !== before.length || page.players.every((name, seat) => name === before[seat])) return false;
  const seat = before.indexOf(first.role);
  if (seat < 0) window.location.reload();
  else window.location.replace(`/seat/${encodeURIComponent(page.players[seat])}`);
  return true;
}

class Frame {
  /**
   * @param {AnyPage} page
   * @param {DeckShown} deck
   * @param {More} more
   */
  constructor(page, deck, more) {
    this.page = page;
    /** @type {Drawing} */
    this.game = drawing.create({ t, deck, own: page.players.includes(first.role) ? first.role : null });
    byId("board").append(this.game.element);
    this.deck = deck;
    this.more = more;
    this.clock = new Clock();
    this.moment = new Moment();
    const players = maybe("players");
    this.players = players && new Players(players, this.game);
    this.rulings = new Rulings(byId("rulings"));
    /** @type {AnyPage | null} */
    this.before = null;
    this.isStale = false;
    this.bannersShown = "";
    this.sensesShown = "";
    /** @type {Record<string, number>} */
    this.asked = {};
  }

  /** @param {AnyPage} page */
  show(page) {
    if (renamed(page)) return;
    const news = this.rulings.show(page);
    this.clock.tell(page.clock);
    write(byId("progress"), this.game.progress(page));
    document.body.dataset.stage = page.stage;
    document.body.classList.toggle("paused", page.paused && !page.over);
    this.page = page;
    this.banners();
    this.game.update(page, this.before, news);
    document.body.style.setProperty("--shape", String(this.game.shape || 1));
    if (this.players) this.players.show(page, this.before);
    this.moment.show(page, this.before, this.game);
    outcome(page, this.game);
    virtualTable(page);
    if (this.before && news.some((said) => said.kind === "time")) this.clock.warn();
    tell(page, this.before, news, this.game);
    this.senses(page);
    showRecord(page);
    this.more(page, this.game, this.deck);
    this.before = page;
  }

  /** @param {boolean} stale */
  stale(stale) {
    if (stale === this.isStale) return;
    this.isStale = stale;
    document.body.classList.toggle("stale", stale);
    this.banners();
  }

  banners() {
    const wanted = [];
    if (this.isStale) wanted.push({ kind: "lost", text: t("No news from the table. What you see may be old; trying again …") });
    if (this.page.paused && !this.page.over) wanted.push({ kind: "hold", text: t("Paused. The clock is stopped.") });
    for (const question of this.lasting()) {
      wanted.push({ kind: "ask", text: t("The camera is not sure of a card at {zone}: the referee settles it with one tap.", { zone: question.place }) });
    }
    const key = JSON.stringify(wanted);
    if (key === this.bannersShown) return;
    this.bannersShown = key;
    replace(byId("banners"), wanted.map(({ kind, text }) => h("p", { class: `banner ${kind}` }, text)));
  }

  /** Questions that have been open for a moment: a card that is just being turned up needs no answer. */
  lasting() {
    const now = Date.now();
    const before = this.asked;
    this.asked = {};
    for (const { zone } of this.page.questions) this.asked[zone] = before[zone] || now;
    const open = this.page.questions.filter(({ zone }) => now - this.asked[zone] >= PATIENCE);
    if (open.length < this.page.questions.length) window.setTimeout(() => this.banners(), PATIENCE);
    return open;
  }

  /** @param {AnyPage} page */
  senses(page) {
    const key = JSON.stringify(page.senses);
    if (key === this.sensesShown) return;
    this.sensesShown = key;
    const list = maybe("senses");
    if (list) replace(list, alike(page.senses).map(([name, shown]) => sense("li", name, shown)));
    const caption = document.querySelector("#camera figcaption");
    if (caption) replace(caption, sense("span", "camera", page.senses.camera || { state: "ok", text: "" }));
    const simulated = Object.keys(page.senses).some((name) => page.senses[name].state === "simulated");
    const title = document.querySelector(".title");
    const badge = document.querySelector(".title .mock");
    if (title && simulated && !badge) title.append(h("em", { class: "mock" }, t("SIMULATED")));
    if (!simulated && badge) badge.remove();
  }
}

/** @type {Record<string, string>} */
const SENSES = { camera: t("camera"), panel: t("panel"), timer: t("timer") };

/**
 * "panel 2" is "pannello 2": the word is translated, its number stays.
 * @param {string} name
 */
const named = (name) => name.replace(/^[a-z]+/i, (word) => SENSES[word] || word);

/**
 * Senses with the same to say are said together: "panel 1, 2, 3".
 * @param {Record<string, SenseShown>} senses
 * @returns {[string, SenseShown][]}
 */
function alike(senses) {
  /** @type {Map<string, [string, SenseShown]>} */
  const said = new Map();
  for (const name of Object.keys(senses).sort()) {
    const [word, number] = name.split(/ (?=\d+$)/);
    const key = JSON.stringify([word, senses[name], number ? "" : name]);
    const before = said.get(key);
    if (before) before[0] += `, ${number}`;
    else said.set(key, [name, senses[name]]);
  }
  return Array.from(said.values());
}

/**
 * @param {"li" | "span"} tag
 * @param {string} name
 * @param {SenseShown} shown
 */
function sense(tag, name, { state, text }) {
  const known = { ok: t("ok"), missing: t("missing"), simulated: t("SIMULATED"), trouble: t("trouble") };
  return h(tag, { class: `sense ${state}` }, h("b", {}, named(name)), " ", h("span", {}, text || known[state]));
}
