// What every live page shows of every game: head line, banners, players, rulings, senses. The board is the game's.

import * as drawing from "/drawing.js";
import { stayAwake } from "./awake.js";
import { watchCamera } from "./camera.js";
import { Clock } from "./clock.js";
import { byId, h, replace, write } from "./dom.js";
import * as faces from "./faces.js";
import { first, t } from "./bootstrap.js";
import { follow } from "./live.js";
import { Moment } from "./moment.js";
import { Players } from "./players.js";
import { Rulings } from "./rulings.js";
import { soundSwitch } from "./sounds.js";

const PATIENCE = 2000;

/** Start a live page; `more` draws what only this kind of page has. */
export async function start(more) {
  const frame = new Frame(await faces.deck(), more || (() => {}));
  frame.show(first.page);
  follow((page) => frame.show(page), (stale) => frame.stale(stale));
  watchCamera();
  soundSwitch();
  stayAwake();
}

class Frame {
  constructor(deck, more) {
    const seat = first.page.players.indexOf(first.role);
    this.game = drawing.create({ t, deck, own: seat < 0 ? null : first.role });
    byId("board").append(this.game.element);
    this.deck = deck;
    this.more = more;
    this.clock = new Clock();
    this.moment = new Moment();
    this.players = byId("players") ? new Players(byId("players"), this.game) : null;
    this.rulings = new Rulings(byId("rulings"));
    this.before = null;
    this.isStale = false;
  }

  show(page) {
    const news = this.rulings.show(page);
    this.clock.tell(page.clock);
    write(byId("progress"), this.game.progress(page));
    document.body.dataset.stage = page.stage;
    document.body.classList.toggle("paused", page.paused && !page.over);
    this.page = page;
    this.banners();
    this.game.update(page, this.before, news);
    document.body.style.setProperty("--shape", this.game.shape || 1);
    if (this.players) this.players.show(page, this.before);
    this.moment.show(page, this.before, this.game);
    this.senses(page);
    this.more(page, this.game, this.deck);
    this.before = page;
  }

  stale(stale) {
    if (stale === this.isStale) return;
    this.isStale = stale;
    document.body.classList.toggle("stale", stale);
    this.banners();
  }

  banners() {
    const wanted = [];
    if (this.isStale) wanted.push(["lost", t("No news from the table. What you see may be old; trying again …")]);
    if (this.page.paused && !this.page.over) wanted.push(["hold", t("Paused. The clock stands.")]);
    for (const question of this.lasting()) {
      wanted.push(["ask", t("The camera is not sure of a card at {zone}: the referee settles it with one tap.", { zone: question.place || question.zone })]);
    }
    const key = JSON.stringify(wanted);
    if (key === this.bannersShown) return;
    this.bannersShown = key;
    replace(byId("banners"), wanted.map(([kind, text]) => h("p", { class: `banner ${kind}` }, text)));
  }

  /** Questions that have stood for a moment: a card that is just being turned is no question. */
  lasting() {
    const now = Date.now();
    const before = this.asked || {};
    this.asked = {};
    for (const { zone } of this.page.questions) this.asked[zone] = before[zone] || now;
    const open = this.page.questions.filter(({ zone }) => now - this.asked[zone] >= PATIENCE);
    if (open.length < this.page.questions.length) window.setTimeout(() => this.banners(), PATIENCE);
    return open;
  }

  senses(page) {
    const key = JSON.stringify(page.senses);
    if (key === this.sensesShown) return;
    this.sensesShown = key;
    const list = byId("senses");
    if (list) replace(list, Object.keys(page.senses).sort().map((name) => sense(name, page.senses[name])));
    const caption = document.querySelector("#camera figcaption");
    if (caption) replace(caption, sense("camera", page.senses.camera || { state: "ok", text: "" }, "span"));
    const simulated = Object.keys(page.senses).some((name) => page.senses[name].state === "simulated");
    const title = document.querySelector(".title");
    const badge = title.querySelector(".mock");
    if (simulated && !badge) title.append(h("em", { class: "mock" }, t("SIMULATED")));
    if (!simulated && badge) badge.remove();
  }
}

/** "panel 2" is "pannello 2": the word is translated, its number stays. */
const named = (name) => name.replace(/^[a-z]+/i, (word) => t(word));

function sense(name, { state, text }, tag) {
  const known = { ok: t("ok"), missing: t("missing"), simulated: t("SIMULATED"), trouble: t("trouble") };
  return h(tag || "li", { class: `sense ${state}` }, h("b", {}, named(name)), " ", h("span", {}, text || known[state]));
}
