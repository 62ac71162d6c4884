// Any moment of a match again: the board as it stood, the rulings up to there, the course of the match with the place on it.

import * as drawing from "/drawing.js";
import { first as sent, review as first, t } from "./bootstrap.js";
import { Chart } from "./chart.js";
import { elapsed } from "./clock.js";
import { byId, h, replace, write } from "./dom.js";
import { fetchDeck } from "./faces.js";
import { unfold } from "./frames.js";
import { keeper } from "./keeper.js";
import { Players } from "./players.js";
import { EvidenceKept } from "./review_evidence.js";
import { Rulings } from "./rulings.js";
import { Scrubber } from "./scrubber.js";

const AT_ONCE = 64;
const FOLLOW = 3000;
/** Seconds within which a clip has come to a moment: half the time between two of its pictures. */
const NEAR = 0.05;
const base = `/api/history/${encodeURIComponent(first.match.name)}`;

class Review {
  /** @param {DeckShown} deck */
  constructor(deck) {
    this.moments = first.moments.slice();
    /** @type {Drawing} */
    this.game = drawing.create({ t, deck, own: null });
    byId("board").append(this.game.element);
    /** @type {Map<number, AnyPage>} Line -> its page. */
    this.pages = new Map();
    /** @type {AnyPage | null} */
    this.before = null;
    this.place = -1;
    this.wanted = -1;
    this.last = first.page;
    this.rulings = new Rulings(byId("rulings"));
    this.players = new Players(byId("players"), this.game);
    this.chart = new Chart(byId("chart"));
    this.chart.onplace = (moves) => this.toMoves(moves);
    this.scrubber = new Scrubber(this.moments, (place) => this.go(place));
    this.evidence = new EvidenceKept((line) => this.moments[this.at(line)].text, (clock, line) => this.toClock(clock, line));
    this.evidence.take(first.kept);
    window.addEventListener("hashchange", () => this.follow());
    this.follow();
    if (first.match.running) window.setInterval(() => this.grow(), FOLLOW);
  }

  /** To the moment that the address names, or the last one. */
  follow() {
    const line = Number(window.location.hash.slice(1));
    if (line && this.place >= 0 && this.moments[this.place].line === line) return;
    this.go(line ? this.at(line) : this.moments.length - 1);
  }

  /**
   * The moment that holds at that line.
   * @param {number} line
   */
  at(line) {
    let place = 0;
    while (place + 1 < this.moments.length && this.moments[place + 1].line <= line) place += 1;
    return place;
  }

  /** @param {number} moves */
  toMoves(moves) {
    const known = this.moments.findIndex((moment) => (this.pages.get(moment.line) || first.page).moves >= moves && this.pages.has(moment.line));
    if (known >= 0 && this.pages.size === this.moments.length) this.scrubber.to(known);
    else this.scrubber.to(Math.round((moves / Math.max(1, this.last.moves)) * (this.moments.length - 1)));
  }

  /**
   * To the moment that a clip has come to: the last one by the match clock, and none before the line that it tells of.
   * @param {number} clock
   * @param {number} line
   */
  toClock(clock, line) {
    let place = line ? this.at(line) : 0;
    this.moments.forEach((moment, each) => {
      if (each > place && typeof moment.at === "number" && moment.at <= clock + NEAR) place = each;
    });
    if (place !== this.wanted) this.scrubber.to(place);
    return this.scrubber.words(this.moments[place]);
  }

  /**
   * Show a moment; pages that are not here yet are fetched, and those behind them soon after.
   * @param {number} place
   */
  async go(place) {
    this.wanted = place;
    this.scrubber.show(place);
    const page = await this.page(place);
    if (!page || this.wanted !== place) return; // somebody has gone on
    this.show(place, page);
    const line = this.moments[place].line;
    if (window.location.hash !== `#${line}`) window.history.replaceState(null, "", `#${line}`);
    if (place + AT_ONCE / 2 < this.moments.length) this.page(place + AT_ONCE / 2);
  }

  /**
   * @param {number} place
   * @returns {Promise<AnyPage | undefined>}
   */
  async page(place) {
    const line = this.moments[place].line;
    if (!this.pages.has(line)) {
      const start = Math.floor(place / AT_ONCE) * AT_ONCE;
      try {
        const answer = await fetch(`${base}/frames?from=${this.moments[start].line}&lang=${sent.language}`);
        if (!answer.ok) throw new Error(answer.statusText);
        for (const page of unfold(await answer.json())) this.pages.set(page.version, page);
        this.say("");
      } catch (_) {
        this.say(t("The table does not answer. Nothing was sent."));
      }
    }
    return this.pages.get(line);
  }

  /**
   * @param {number} place
   * @param {AnyPage} page
   */
  show(place, page) {
    const next = place === this.place + 1 && this.before !== null;
    const before = next ? this.before : null;
    if (!next) {
      replace(byId("rulings"));
      this.rulings = new Rulings(byId("rulings"));
    }
    const news = this.rulings.show(this.evidence.withKept(page));
    if (this.before && this.before.players.join("\n") !== page.players.join("\n")) {
      replace(byId("players"));
      this.players = new Players(byId("players"), this.game);
    }
    this.game.update(page, before, news);
    document.body.style.setProperty("--shape", String(this.game.shape || 1));
    document.body.dataset.line = String(this.moments[place].line);
    document.body.classList.toggle("paused", page.paused && !page.over);
    this.players.show(page, before);
    write(byId("progress"), this.game.progress(page));
    write(byId("clock-then"), elapsed(page.clock.reached));
    this.chart.show(this.last, page.moves);
    this.before = page;
    this.place = place;
    // For whatever follows the review from outside the page: it sees exactly what is shown.
    document.dispatchEvent(new CustomEvent("moment", { detail: page }));
  }

  /** A match that is being played has more moments by now. */
  async grow() {
    const last = this.moments[this.moments.length - 1].line;
    try {
      const answer = await fetch(`${base}/moments?after=${last}&lang=${sent.language}`);
      if (!answer.ok) return;
      /** @type {MomentsAnswer} */
      const found = await answer.json();
      const undone = new Set(found.undone);
      this.evidence.take(found.kept);
      const followed = this.place === this.moments.length - 1;
      if (!found.moments.length) return;
      for (const moment of this.moments) if (undone.has(moment.line)) moment.undone = true;
      this.moments.push(...found.moments);
      // The answer that had the last moments in it has more of them now.
      const from = Math.floor((this.moments.length - 1) / AT_ONCE) * AT_ONCE;
      this.moments.slice(from).forEach((moment) => this.pages.delete(moment.line));
      this.last = (await this.page(this.moments.length - 1)) || this.last;
      this.scrubber.grown();
      if (followed) this.go(this.moments.length - 1);
    } catch (_) {
      // The next time.
    }
  }

  /** @param {string} text */
  say(text) {
    replace(byId("banners"), text && h("p", { class: "banner lost" }, text), first.fault && h("p", { class: "banner ask" }, t("It cannot be told further: {reason}", { reason: first.fault })));
  }
}

fetchDeck(`${base}/deck?lang=${sent.language}`).then((deck) => new Review(deck));
keeper();
