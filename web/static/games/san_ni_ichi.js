// San, Ni, Ichi! on the page: each seat with its selected card, Combat Pile and Damage Pile, and the order of play.
// A card keeps one sprite as long as it is on the open table: when it moves there, it moves here.

import { animate, h, replace, s, write } from "../dom.js";
import { face } from "../faces.js";
import { chip } from "../rulebook.js";
import { badge, colour, sign } from "../seats.js";
import { Words } from "./san_ni_ichi_words.js";

const TRAY = { width: 352, height: 214, gap: 12 };
const STRIP = 112;
const CARD = 74;
const TALL = (CARD * 88) / 63;
const MIDDLE = 124;
/** @type {Record<Place, Point>} */
const AT = { combat: [72, MIDDLE], selected: [188, MIDDLE], damage: [300, MIDDLE] };
const PEEK = 7;
const SHOWN = 5;
// Clockwise seen from above, the first seat near: [column, row], a column of a half is the middle.
/** @type {Record<number, Point[]>} */
const PLACES = {
  3: [[0.5, 1], [0, 0], [1, 0]],
  4: [[1, 1], [0, 1], [0, 0], [1, 0]],
  5: [[1, 2], [0, 2], [0, 1], [0.5, 0], [1, 1]],
  6: [[1, 2], [0, 2], [0, 1], [0, 0], [1, 0], [1, 1]],
};
const TURNS = { upright: 0, crosswise: 90 };

/** @typedef {"combat" | "selected" | "damage"} Place */
/** @typedef {ReturnType<Drawn["seat"]>} Seat */
/** @typedef {{key: string, card: string | null, x: number, y: number, turn: number, size: number}} Wanted */
/** @typedef {{element: SVGGElement, inner: SVGGElement, card: string | null, to: string}} Sprite */

/** @param {DrawingTools} tools */
export const create = (tools) => new Drawn(tools);

/** @implements {Drawing<SanNiIchi.Page, SanNiIchi.Move, SanNiIchi.Happening>} */
class Drawn {
  /** @param {DrawingTools} tools */
  constructor({ t, deck, own }) {
    this.t = t;
    this.deck = deck;
    this.own = own;
    this.words = new Words(t, deck, own);
    this.pickers = this.words.pickers;
    this.drawing = s("svg", { role: "img", preserveAspectRatio: "xMidYMin meet" });
    this.next = h("div", { class: "next", "aria-live": "polite" });
    this.element = h("div", { class: "san-ni-ichi" }, this.next, this.drawing);
    this.title = s("text", { class: "strip-title", x: 16, y: 55 });
    this.discarded = s("text", { class: "strip-count", y: STRIP - 18 });
    this.wide = 0;
    this.shape = 1;
    /** @type {Record<string, SVGGElement>} */
    this.layers = {};
    /** @type {Map<string, Sprite>} */
    this.sprites = new Map();
    /** @type {Map<string, SVGGElement>} */
    this.minis = new Map();
    /** @type {Seat[]} */
    this.seats = [];
    /** @type {SanNiIchi.Page | null} */
    this.page = null;
    /** What was drawn last.
     * @type {SanNiIchi.View | null} */
    this.before = null;
    this.announced = "";
    this.narrow = window.matchMedia("(max-width: 600px)");
    // A phone that is turned gets the other arrangement.
    this.narrow.addListener(() => {
      this.seats = [];
      replace(this.drawing);
      if (this.page) this.update(this.page, this.page, []);
    });
  }

  // --- what stays ----------------------------------------------------------------------------------------------

  /** @param {SanNiIchi.Page} page */
  begin(page) {
    const names = page.players;
    const first = Math.max(0, names.indexOf(this.own || ""));
    const columns = this.narrow.matches ? 1 : 2;
    const rows = columns === 1 ? names.length : Math.max(...PLACES[names.length].map(([, row]) => row)) + 1;
    this.wide = columns * (TRAY.width + TRAY.gap) - TRAY.gap;
    const high = STRIP + rows * (TRAY.height + TRAY.gap);
    this.drawing.setAttribute("viewBox", `0 0 ${this.wide} ${high}`);
    // The announcement above takes about a fifth of the height.
    this.shape = (0.8 * this.wide) / high;
    for (const name of ["trays", "damage", "cards", "marks", "order"]) {
      this.layers[name] = this.drawing.appendChild(s("g", { class: name }));
    }
    this.sprites.clear();
    this.minis.clear();
    this.seats = names.map((player, index) => {
      const place = (index - first + names.length) % names.length;
      const [column, row] = columns === 1 ? [0, place] : PLACES[names.length][place];
      return this.seat(player, index, column * (TRAY.width + TRAY.gap), STRIP + row * (TRAY.height + TRAY.gap));
    });
    this.middle();
  }

  /**
   * @param {string} player
   * @param {number} index
   * @param {number} x
   * @param {number} y
   */
  seat(player, index, x, y) {
    /** @type {(place: Place) => Point} */
    const at = (place) => [x + AT[place][0], y + AT[place][1]];
    const tray = s("g", { class: "tray-of" }, s("rect", { class: "tray", x, y, width: TRAY.width, height: TRAY.height, rx: 14 }));
    tray.style.setProperty("--seat", colour(index));
    tray.append(
      s("g", { transform: `translate(${x + 24} ${y + 23})` }, sign(index, 12)),
      s("text", { class: "who", x: x + 44, y: y + 30 }, player),
    );
    const text = (/** @type {string} */ kind, /** @type {number} */ where, /** @type {number} */ down) => tray.appendChild(s("text", { class: kind, x: where, y: y + down }));
    const hand = text("hand", x + TRAY.width - 18, 29);
    const [cx, cy] = at("combat");
    const slot = s("rect", { class: "slot", x: cx - CARD / 2 - 5, y: cy - TALL / 2 - 5, width: CARD + 10, height: TALL + 10, rx: 8 });
    const [sx, sy] = at("selected");
    const across = s("rect", { class: "slot", x: sx - TALL / 2 - 4, y: sy - CARD / 2 - 4, width: TALL + 8, height: CARD + 8, rx: 8 });
    const [dx, dy] = at("damage");
    const pile = s("rect", { class: "slot", x: dx - 34, y: dy - 45, width: 68, height: 90, rx: 8 });
    tray.append(slot, across, pile);
    const top = text("caption first", x + 18, TRAY.height - 14);
    const taken = text("caption last", x + TRAY.width - 16, TRAY.height - 14);
    const damage = this.layers.damage.appendChild(s("g", { transform: `translate(${dx} ${dy})` }));
    const shield = s("path", { class: "shield", d: `M${cx - 46} ${cy - 56} h92 v64 q0 40 -46 60 q-46 -20 -46 -60 Z` });
    const mark = s("g", { class: "bar", transform: `translate(${cx + 40} ${cy - 50})` }, s("circle", { r: 15 }), s("path", { d: "M-6 -6 L6 6 M6 -6 L-6 6" }));
    this.layers.marks.append(shield, mark);
    this.layers.trays.append(tray);
    return { player, at, tray, hand, slot, top, taken, damage, shield, mark };
  }

  /** The strip above the seats: the order of play on the left, the discards on the right. */
  middle() {
    this.discarded.setAttribute("x", String(this.wide - 8));
    const ground = s("rect", { class: "strip", x: 0, y: 0, width: this.wide, height: STRIP - 12, rx: 14 });
    this.layers.trays.append(ground, this.title, this.discarded);
  }

  /** @returns {Point} */
  discards() {
    return [this.wide - 36, 40];
  }

  // --- what changes --------------------------------------------------------------------------------------------

  /**
   * @param {SanNiIchi.Page} page
   * @param {SanNiIchi.Page | null} before
   * @param {SaidShown<SanNiIchi.Happening>[]} news
   */
  update(page, before, news) {
    const fresh = !this.seats.length;
    if (fresh) this.begin(page);
    this.page = page;
    this.words.page = page;
    const { view } = page;
    view.seats.forEach((seat, index) => {
      this.tray(this.seats[index], seat, page);
    });
    this.lay(this.wanted(page), fresh ? null : before, page, news);
    if (page.stage === "countdown" && page.count && page.count !== (before && before.count)) this.beat();
    this.line(view, fresh);
    this.announce(page);
    write(this.discarded, view.discards.length ? String(view.discards.length) : "");
    this.drawing.setAttribute("aria-label", this.aloud(page));
  }

  /**
   * @param {Seat} parts
   * @param {SanNiIchi.SanNiIchiSeat} seat
   * @param {SanNiIchi.Page} page
   */
  tray(parts, seat, page) {
    const { view } = page;
    const open = view.may.some((may) => may.players.includes(seat.name));
    parts.tray.dataset.phase = page.phases[seat.name];
    parts.tray.classList.toggle("acts", view.next !== null && view.order[view.next].player === seat.name);
    parts.tray.classList.toggle("won", page.over && view.winners.includes(seat.name));
    parts.slot.classList.toggle("open", open);
    parts.slot.setAttribute("data-element", seat.element || "");
    parts.shield.classList.toggle("on", seat.blocked);
    parts.mark.classList.toggle("on", seat.name in view.barred && !seat.blocked);
    write(parts.hand, view.over ? "" : this.t("{number} in hand", { number: seat.hand }));
    write(parts.top, seat.caption === null ? this.t("Combat") : seat.caption);
    const total = seat.total === null ? "" : ` = ${seat.total}`;
    write(parts.taken, seat.taken ? `${this.t("Damage")} ${seat.taken}${total}` : this.t("Damage"));
    const backs = Math.min(seat.taken, 6);
    if (parts.damage.childNodes.length !== backs) {
      replace(parts.damage, Array.from({ length: backs }, (_, place) => s("g", { transform: `translate(${place * 1.6 - 4} ${4 - place * 2.4})` }, face(this.deck, null, 56))));
    }
  }

  /**
   * Every open card, and the backs of the selected ones: where they lie, the bottom ones first.
   * @param {SanNiIchi.Page} page
   */
  wanted(page) {
    const { view } = page;
    /** @type {Wanted[]} */
    const found = [];
    /** @type {Record<string, number>} */
    const twins = {};
    const put = (/** @type {string} */ card, /** @type {Point} */ [x, y], /** @type {number} */ turn, /** @type {number} */ size = CARD) => {
      twins[card] = (twins[card] || 0) + 1;
      found.push({ key: `${card} ${twins[card]}`, card, x, y, turn, size });
    };
    const [dx, dy] = this.discards();
    view.discards.slice(-3).forEach((card, place) => {
      put(card, [dx - place * 3, dy], place * 4 - 4, 54);
    });
    view.seats.forEach((seat, index) => {
      const { at } = this.seats[index];
      const hidden = Math.max(0, seat.pile.length - SHOWN);
      const tilt = (/** @type {number} */ place) => ((place * 37 + index * 11) % 7) - 3;
      seat.pile.forEach((card, place) => {
        const up = Math.max(0, place - hidden) - Math.min(seat.pile.length, SHOWN) + 1;
        put(card, [at("combat")[0] + up * 3, at("combat")[1] + up * PEEK + 6], tilt(place));
      });
    });
    view.seats.forEach((seat, index) => {
      const place = this.seats[index].at("selected");
      const laid = seat.selected || page.phases[seat.name] === "locked" || (page.ready.includes(seat.name) && view.phase === "selection");
      if (laid && !seat.card && view.phase === "selection") found.push({ key: `back ${seat.name}`, card: null, x: place[0], y: place[1], turn: 90, size: CARD });
      if (seat.lies && seat.card) put(seat.card, place, TURNS[seat.lies]);
    });
    return found;
  }

  /**
   * @param {Wanted[]} wanted
   * @param {SanNiIchi.Page | null} before
   * @param {SanNiIchi.Page} page
   * @param {SaidShown<SanNiIchi.Happening>[]} news
   */
  lay(wanted, before, page, news) {
    const keys = new Set(wanted.map((each) => each.key));
    for (const [key, sprite] of this.sprites) {
      if (!keys.has(key)) this.leave(key, sprite, page, news);
    }
    for (const each of wanted) {
      const to = `translate(${each.x}px, ${each.y}px) rotate(${each.turn}deg)`;
      const known = this.sprites.get(each.key);
      const sprite = known || this.sprite(each.card);
      sprite.inner.setAttribute("transform", `scale(${each.size / CARD})`);
      this.layers.cards.append(sprite.element);
      sprite.element.style.transform = to;
      if (before && known && sprite.to !== to) {
        animate(sprite.element, [{ transform: sprite.to }, { transform: to }], { duration: 700, easing: "cubic-bezier(.3,0,.2,1)" });
      } else if (before && !known) this.enter(sprite, each);
      sprite.to = to;
      this.sprites.set(each.key, sprite);
    }
  }

  /**
   * @param {string | null} card
   * @returns {Sprite}
   */
  sprite(card) {
    const inner = s("g", {}, face(this.deck, card, CARD));
    return { element: s("g", { class: "card" }, inner), inner, card, to: "" };
  }

  /** San, ni, ichi: at each call every covered card leaps a little, all of them together. */
  beat() {
    for (const { element, to, card } of this.sprites.values()) {
      if (card !== null) continue;
      animate(element, [{ transform: to }, { transform: `${to} scale(1.16)` }, { transform: to }], { duration: 420, easing: "cubic-bezier(.2,1.6,.4,1)" });
    }
  }

  /**
   * A back slides in from its player; a card that is turned up flips, all at the same moment.
   * @param {Sprite} sprite
   * @param {Wanted} wanted
   */
  enter(sprite, { x, y, turn, card }) {
    if (card === null) {
      const from = `translate(${x}px, ${y + 60}px) rotate(${turn - 30}deg)`;
      animate(sprite.element, [{ transform: from, opacity: 0 }, { transform: sprite.element.style.transform, opacity: 1 }], { duration: 350 });
      return;
    }
    const at = `translate(${x}px, ${y}px)`;
    const frames = [
      { transform: `${at} rotate(90deg) scale(1, 1)` },
      { transform: `${at} translate(0, -26px) rotate(60deg) scale(1.25, .02)`, offset: 0.35 },
      { transform: `${at} translate(0, -18px) rotate(0deg) scale(1.45, 1.45)`, offset: 0.65 },
      { transform: `${at} rotate(${turn}deg) scale(1, 1)` },
    ];
    animate(sprite.element, frames, { duration: 900, easing: "cubic-bezier(.2,.9,.3,1)" });
  }

  /**
   * A card that is no longer on the open table went into a Damage Pile, under the discards, or back into a hand.
   * @param {string} key
   * @param {Sprite} sprite
   * @param {SanNiIchi.Page} page
   * @param {SaidShown<SanNiIchi.Happening>[]} news
   */
  leave(key, sprite, page, news) {
    this.sprites.delete(key);
    if (sprite.card === null || !sprite.to) {
      sprite.element.remove();
      return;
    }
    const [x, y] = this.goal(sprite.card, page, news);
    const end = `translate(${x}px, ${y}px) rotate(0deg) scale(.72)`;
    animate(sprite.element, [{ transform: sprite.to }, { transform: end, opacity: 1, offset: 0.85 }, { transform: end, opacity: 0 }], { duration: 900, easing: "cubic-bezier(.5,0,.3,1)" }).then(() => sprite.element.remove());
  }

  /**
   * Where a card went, as the rulings tell it; a move that was taken back puts it into its player's hand again.
   * @param {string} card
   * @param {SanNiIchi.Page} page
   * @param {SaidShown<SanNiIchi.Happening>[]} news
   */
  goal(card, page, news) {
    const at = (/** @type {string} */ player, /** @type {Place} */ place) => this.seats[page.players.indexOf(player)].at(place);
    const owner = (this.before || page.view).seats.find((seat) => seat.pile.includes(card) || seat.card === card);
    for (const { happened } of news) {
      if (!happened) continue;
      if (happened.what === "taken" && happened.cards.includes(card)) return at(happened.player, "damage");
      if (happened.what === "thrown" && happened.card === card) return at(happened.target, "damage");
      if (happened.what === "drawn" && happened.card === card) return at(happened.player, "selected");
    }
    return owner && !page.view.discards.includes(card) ? at(owner.name, "selected") : this.discards();
  }

  /**
   * The order of play: when the cards are up, each comes over from its seat and takes its place in the line.
   * @param {SanNiIchi.View} view
   * @param {boolean} still
   */
  line(view, still) {
    const { order } = view;
    const wide = this.narrow.matches ? 34 : 46;
    const start = this.narrow.matches ? 12 : 100;
    const step = Math.min(82, (this.wide - 84 - start) / Math.max(1, order.length));
    write(this.title, order.length && !this.narrow.matches ? this.t("Order") : "");
    const keys = new Set();
    order.forEach((turn, place) => {
      const key = `${turn.player} ${turn.card}`;
      keys.add(key);
      const [x, y] = [start + place * step + wide / 2, 42];
      let mini = this.minis.get(key);
      if (!mini) {
        const seat = this.seats.findIndex((each) => each.player === turn.player);
        const tall = (wide * 88) / 63;
        const mark = s("g", { transform: `translate(${-wide / 2 + 3} ${-tall / 2 + 3})` }, sign(seat, 9));
        const label = s("text", { class: "letter", y: 52 }, `${turn.strength} ${turn.letter}`);
        const halo = s("rect", { class: "halo", x: -wide / 2 - 4, y: -tall / 2 - 4, width: wide + 8, height: tall + 8, rx: 7 });
        mini = s("g", { class: "turn" }, halo, face(this.deck, turn.card, wide), mark, label);
        mini.style.transform = `translate(${x}px, ${y}px)`;
        this.layers.order.append(mini);
        this.minis.set(key, mini);
        if (!still) {
          const [fx, fy] = this.seats[seat].at("selected");
          const from = `translate(${fx}px, ${fy}px) scale(1.45)`;
          animate(mini, [{ transform: from, opacity: 0 }, { transform: from, opacity: 1, offset: 0.1 }, { transform: `translate(${x}px, ${y}px)`, opacity: 1 }], { duration: 900, delay: 950 + place * 130, fill: "backwards", easing: "cubic-bezier(.4,0,.2,1)" });
        }
      }
      mini.classList.toggle("played", turn.played);
      mini.classList.toggle("now", place === view.next);
    });
    for (const [key, mini] of this.minis) {
      if (!keys.has(key)) {
        mini.remove();
        this.minis.delete(key);
      }
    }
    this.before = view;
  }

  // --- words ---------------------------------------------------------------------------------------------------

  /**
   * Whose card is next and why, what may be done with it, and what stands in its way.
   * @param {SanNiIchi.Page} page
   */
  announce(page) {
    const parts = this.words.next(page);
    const key = JSON.stringify(parts);
    if (key === this.announced) return;
    this.announced = key;
    const line = (/** @type {import("./san_ni_ichi_words.js").Part} */ { kind, text, rule, player }) =>
      h("p", { class: kind }, player && badge(page.players.indexOf(player)), text, " ", rule && chip(rule));
    replace(this.next, parts.map(line));
  }

  /** @param {SanNiIchi.Page} page */
  aloud(page) {
    const piles = page.view.seats.map((seat) => `${seat.name}: ${seat.pile.length ? this.words.title(seat.pile[seat.pile.length - 1]) : "–"}`);
    return `${this.progress(page)}. ${piles.join(", ")}`;
  }

  /**
   * @param {SanNiIchi.Page} page
   * @param {string} player
   * @returns {Standing}
   */
  standing(page, player) {
    const seat = page.view.seats[page.players.indexOf(player)];
    /** @type {StandingNote[]} */
    const notes = [];
    if (seat.blocked) notes.push({ text: this.t("Under Block"), kind: "open" });
    if (seat.mate) notes.push({ text: this.t("with {mate}", { mate: seat.mate }), kind: "mate" });
    return { score: seat.total, unit: this.t("damage"), won: page.view.winners.includes(player), out: false, notes };
  }

  /** @param {SanNiIchi.Page} page */
  progress(page) {
    const { round } = page.view;
    if (!page.over) return this.t("Round {number}", { number: round });
    return round === 1 ? this.t("1 round played") : this.t("{rounds} rounds played", { rounds: round });
  }

  /**
   * What is called at the count of three: the game is named after it.
   * @param {number} count
   */
  call(count) {
    return ["", "Ichi!", "Ni!", "San!"][count];
  }

  spot() {
    return null;
  }

  /** @param {SanNiIchi.Move} move */
  describe(move) {
    return this.words.describe(move);
  }
}
