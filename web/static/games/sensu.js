// Sensu on the page: every seat with its three fans and its discard pile, the deck in the middle, and help with what
// is being laid. In the solo game: the columns, and the combinations on request.

import { animate, h, replace, s, write } from "../dom.js";
import { face } from "../faces.js";
import { colour, sign } from "../seats.js";
import { drawFan } from "./sensu_fan.js";
import { Help } from "./sensu_help.js";
import { Words } from "./sensu_words.js";

const GAP = 12;
const STRIP = 112;
const COLUMNS = 372;
const ROOMY = 500;
// A wide seat has its pile beside the fans, a compact one above them: for phones, and where many sit.
const WIDE = { width: 660, height: 206, fans: [98, 284, 470], hinge: 154, radius: 88, pile: [612, 106], card: 74, hand: 552 };
const COMPACT = { width: 420, height: 216, fans: [73, 210, 347], hinge: 176, radius: 67, pile: [376, 56], card: 52, hand: 322 };
// Clockwise seen from above, the first seat near: [column, row]. Among five the deck has the sixth place.
/** @type {Record<number, number[][]>} */
const PLACES = {
  4: [[1, 1], [0, 1], [0, 0], [1, 0]],
  5: [[1, 2], [0, 2], [0, 1], [0, 0], [1, 1]],
};

/** @typedef {{ drawn: SVGElement, caption: SVGElement, key: string }} FanParts */
/**
 * @typedef {object} SeatParts
 * @property {string} player
 * @property {SVGElement} tray
 * @property {SVGElement} mark
 * @property {SVGElement} hand
 * @property {number} held
 * @property {SVGElement} count
 * @property {SVGElement} pile
 * @property {string} pileKey
 * @property {FanParts[]} fans
 */

/**
 * Whether what happened opens this section of a player's fan. A closed fan is folded: one section without a card.
 * @param {Sensu.Happening | null} happened
 * @param {Element} section
 * @param {Sensu.FanView} fan
 * @param {string} player
 */
function unfolds(happened, section, fan, player) {
  if (!happened) return false;
  if (happened.what === "closed") return fan.closed && happened.fan === fan.type && happened.player === player;
  return happened.what === "built" && happened.card === section.getAttribute("data-card");
}

/**
 * Whether what happened laid this card on a discard pile.
 * @param {Sensu.Happening | null} happened
 * @param {string} card
 */
function fell(happened, card) {
  if (!happened) return false;
  if (happened.what === "discarded") return happened.cards.includes(card);
  return happened.what === "drew" && happened.place === "discards" && happened.card === card;
}

/** @param {DrawingTools} tools */
export const create = (tools) => new SensuDrawing(tools);

class SensuDrawing {
  /** @param {DrawingTools} tools */
  constructor({ t, deck, own }) {
    this.t = t;
    this.deck = deck;
    this.own = own;
    this.words = new Words(t, deck, own, (laid) => this.help.about(laid));
    this.pickers = this.words.pickers;
    this.help = new Help(t, this.words);
    const layer = (/** @type {string} */ name) => s("g", { class: name });
    this.layers = { trays: layer("trays"), strip: layer("strip"), fans: layer("fans"), piles: layer("piles"), columns: layer("columns") };
    this.drawing = s("svg", { role: "img", preserveAspectRatio: "xMidYMin meet" }, Object.values(this.layers));
    this.element = h("div", { class: "sensu" }, this.help.element, this.drawing);
    // In the strip above the seats: the deck, the Closed fan cards, and what is being laid.
    this.stack = s("g", { transform: "translate(46 50)" });
    this.left = s("text", { class: "deck-count", x: 86, y: 60 });
    this.stacks = s("g");
    this.laid = s("g");
    this.sum = s("text", { class: "sum", y: 62 });
    /** @type {SeatParts[]} */
    this.seats = [];
    /** @type {{ kind: string, drawn: SVGElement, count: SVGElement }[]} */
    this.closed = [];
    this.tray = WIDE;
    this.room = { x: 0, width: 0, height: 0 };
    this.wide = 0;
    this.under = 0;
    this.shape = 1;
    this.laidKey = "";
    this.columnsKey = "";
    /** @type {Sensu.Page | null} */
    this.page = null;
    this.narrow = window.matchMedia("(max-width: 600px)");
    // When a phone is turned, the seats are arranged anew.
    this.narrow.addListener(() => {
      this.clear();
      if (this.page) this.update(this.page, this.page, []);
    });
  }

  /** Take everything off the board, so that it is drawn anew. */
  clear() {
    for (const part of [...Object.values(this.layers), this.stack, this.stacks, this.laid]) replace(part);
    this.seats = [];
    this.laidKey = "";
    this.columnsKey = "";
  }

  // --- what stays ----------------------------------------------------------------------------------------------

  /** @param {Sensu.Page} page */
  begin(page) {
    const names = page.players;
    const narrow = this.narrow.matches;
    this.tray = narrow || names.length > 3 ? COMPACT : WIDE;
    this.element.classList.toggle("compact", this.tray === COMPACT);
    const columns = narrow || names.length < 4 ? 1 : 2;
    // In one column the viewer's seat is the near one; on a phone it is the first.
    const near = (/** @type {number} */ place) => (narrow ? place : (place + names.length - 1) % names.length);
    const places = columns === 1 ? names.map((_, place) => [0, near(place)]) : PLACES[names.length];
    const rows = Math.max(...places.map(([, row]) => row)) + 1;
    const { width, height } = this.tray;
    this.wide = columns * (width + GAP) - GAP;
    const among = columns === 2 && names.length === 5;
    const top = among ? 0 : STRIP;
    this.room = among ? { x: width + GAP, width, height } : { x: 0, width: this.wide, height: STRIP - GAP };
    this.under = top + rows * (height + GAP);
    const high = this.under + (page.view.solo ? COLUMNS : -GAP);
    this.drawing.setAttribute("viewBox", `-4 -4 ${this.wide + 8} ${high + 8}`);
    this.shape = this.wide / (high + 90);
    const first = this.own === null ? 0 : Math.max(0, names.indexOf(this.own));
    this.seats = names.map((player, index) => {
      const [column, row] = places[(index - first + names.length) % names.length];
      return this.seat(player, index, column * (width + GAP), top + row * (height + GAP));
    });
    this.middle(page);
  }

  /**
   * @param {string} player
   * @param {number} index
   * @param {number} x
   * @param {number} y
   * @returns {SeatParts}
   */
  seat(player, index, x, y) {
    const { width, height, fans, hinge, pile, card, hand } = this.tray;
    const tall = (card * 92) / 59;
    const tray = s("g", { class: "tray-of" }, s("rect", { class: "tray", x, y, width, height, rx: 14 }));
    tray.style.setProperty("--seat", colour(index));
    const mark = sign(index, 12);
    tray.append(
      s("g", { transform: `translate(${x + 25} ${y + 25})` }, mark),
      s("text", { class: "who", x: x + 46, y: y + 32 }, player),
      s("rect", { class: "slot", x: x + pile[0] - card / 2 - 3, y: y + pile[1] - tall / 2 - 3, width: card + 6, height: tall + 6, rx: 7 }),
    );
    const [beside, under] = this.tray === WIDE ? [0, tall / 2 + 22] : [-card / 2 - 22, tall / 2 - 2];
    const parts = {
      hand: tray.appendChild(s("g", { transform: `translate(${x + hand} ${y + 25})` })),
      count: tray.appendChild(s("text", { class: "count", x: x + pile[0] + beside, y: y + pile[1] + under })),
      pile: this.layers.piles.appendChild(s("g", { transform: `translate(${x + pile[0]} ${y + pile[1]})` })),
      fans: fans.map((place) => {
        const drawn = s("g", { transform: `translate(${x + place} ${y + hinge})` });
        const caption = s("text", { class: "caption", x: x + place, y: y + hinge + 27 });
        this.layers.fans.append(drawn);
        tray.append(caption);
        return { drawn, caption, key: "" };
      }),
    };
    this.layers.trays.append(tray);
    return Object.assign({ player, tray, mark, held: -1, pileKey: "" }, parts);
  }

  /**
   * The deck, the Closed fan cards, and what is being laid: a strip above the seats.
   * @param {Sensu.Page} page
   */
  middle(page) {
    const { x, width, height } = this.room;
    const low = (height - STRIP + GAP) / 2;
    const strip = this.layers.strip.appendChild(s("g", { transform: `translate(${x} ${low})` }));
    strip.append(s("rect", { class: "strip-ground", x: 0, y: -low, width, height, rx: 14 }), this.stack, this.left, this.stacks, this.laid, this.sum);
    this.sum.setAttribute("x", String(width - 16));
    this.closed = Object.keys(page.view.closed_stacks).map((kind, place) => {
      const at = (width < ROOMY ? 154 : 170) + place * 40;
      const drawn = s("g", { transform: `translate(${at} 42)` }, face(this.deck, `closed-${kind}`, 34));
      const count = s("text", { class: "closed-count", x: at, y: 91 });
      this.stacks.append(drawn, count);
      return { kind, drawn, count };
    });
  }

  // --- what changes --------------------------------------------------------------------------------------------

  /**
   * @param {Sensu.Page} page
   * @param {Sensu.Page | null} _before
   * @param {SaidShown<Sensu.Happening>[]} news
   */
  update(page, _before, news) {
    const fresh = this.seats.length === 0;
    if (fresh) this.begin(page);
    this.page = page;
    this.words.page = page;
    // When the board is drawn for the first time, nothing on it moves.
    const happened = fresh ? [] : news.map((said) => said.happened);
    page.view.seats.forEach((seat, index) => {
      this.lay(this.seats[index], seat, page, happened);
    });
    this.strip(page);
    if (page.view.solo) this.columns(page.view.solo.columns);
    this.help.show(page);
    this.drawing.setAttribute("aria-label", this.aloud(page));
  }

  /**
   * `happened` is what happened since the last page.
   * @param {SeatParts} parts
   * @param {Sensu.FanSeatView} seat
   * @param {Sensu.Page} page
   * @param {(Sensu.Happening | null)[]} happened
   */
  lay(parts, seat, page, happened) {
    const { view } = page;
    parts.tray.dataset.phase = page.phases[seat.player];
    parts.tray.classList.toggle("acts", !page.over && view.turn === seat.player);
    parts.tray.classList.toggle("won", page.over && view.winners.includes(seat.player));
    seat.fans.forEach((fan, place) => {
      this.fan(parts.fans[place], seat.player, fan, seat.chosen === fan.type, happened);
    });
    this.pile(parts, seat.discards, happened);
    if (!view.solo) this.hand(parts, seat.hand);
  }

  /**
   * @param {FanParts} parts
   * @param {string} player
   * @param {Sensu.FanView} fan
   * @param {boolean} chosen
   * @param {(Sensu.Happening | null)[]} happened
   */
  fan(parts, player, fan, chosen, happened) {
    const words = fan.closed ? `${fan.title} ✓` : `${fan.title} ${fan.sticks}/10`;
    write(parts.caption, chosen ? `★ ${words}` : words);
    parts.caption.classList.toggle("done", fan.closed);
    parts.caption.classList.toggle("chosen", chosen);
    const key = JSON.stringify([fan.cards, fan.closed]);
    if (parts.key === key) return;
    parts.key = key;
    replace(parts.drawn, drawFan(fan, this.tray.radius));
    // A new section unfolds from the hinge; so does the whole fan when it is closed.
    const sections = Array.from(parts.drawn.querySelectorAll(".section"));
    sections.filter((section) => happened.some((each) => unfolds(each, section, fan, player))).forEach((section) => {
      animate(section, [{ transform: "scale(.1) rotate(-40deg)", opacity: 0 }, { transform: "none", opacity: 1 }], { duration: 700, easing: "cubic-bezier(.2,1.3,.4,1)" });
    });
  }

  /**
   * @param {SeatParts} parts
   * @param {Sensu.FanCardView[]} discards
   * @param {(Sensu.Happening | null)[]} happened
   */
  pile(parts, discards, happened) {
    write(parts.count, discards.length ? `×${discards.length}` : "");
    const shown = discards.slice(-3);
    const key = shown.map((card) => card.card).join();
    if (parts.pileKey === key) return;
    parts.pileKey = key;
    const drawn = shown.map((card, place) => s("g", { transform: `translate(${(place - shown.length + 1) * 3} ${(place - shown.length + 1) * -2}) rotate(${((place * 5) % 3) - 1})` }, face(this.deck, card.card, this.tray.card)));
    replace(parts.pile, drawn);
    if (shown.length && happened.some((each) => fell(each, shown[shown.length - 1].card))) animate(drawn[drawn.length - 1], [{ opacity: 0, translate: "0 -22px" }, { opacity: 1, translate: "0 0" }], { duration: 450 });
  }

  /**
   * As many backs as there are cards in the hand; nobody here knows more.
   * @param {SeatParts} parts
   * @param {number} count
   */
  hand(parts, count) {
    if (parts.held === count) return;
    parts.held = count;
    const backs = Array.from({ length: count }, (_, place) => s("g", { transform: `translate(${(place - count + 0.5) * 17} 0) rotate(${(place - (count - 1) / 2) * 4})` }, face(this.deck, null, 21)));
    replace(parts.hand, backs, s("title", {}, this.t("{number} in hand", { number: count })));
  }

  /** @param {Sensu.Page} page */
  strip(page) {
    const { view, advice } = page;
    write(this.left, `×${view.deck}`);
    const backs = Math.min(4, Math.ceil(view.deck / 12));
    if (this.stack.childNodes.length !== backs) {
      replace(this.stack, Array.from({ length: backs }, (_, place) => s("g", { transform: `translate(${place * 1.5} ${-place * 2})` }, face(this.deck, null, 50))));
    }
    this.closed.forEach(({ kind, drawn, count }) => {
      write(count, String(view.closed_stacks[kind]));
      drawn.classList.toggle("none", view.closed_stacks[kind] === 0);
    });
    const laid = advice ? advice.laid : null;
    const cards = laid ? laid.cards : view.redeemed.map((card) => card.card);
    const key = cards.join();
    write(this.sum, laid ? `= ${laid.total}` : "");
    this.sum.classList.toggle("right", laid !== null && laid.short === 0);
    if (key === this.laidKey) return;
    this.laidKey = key;
    const { width } = this.room;
    // Where there is little room, what is laid lies over the Closed fan cards.
    const over = width < ROOMY && cards.length > 0;
    this.stacks.classList.toggle("away", over);
    const start = width - (laid ? 112 : 40);
    const step = Math.min(46, (start - (over ? 160 : 300)) / Math.max(1, cards.length - 1));
    replace(this.laid, cards.map((card, place) => s("g", { transform: `translate(${start - (cards.length - 1 - place) * step} 50)` }, face(this.deck, card, 44))));
  }

  /** @param {Sensu.FanCardView[][]} columns */
  columns(columns) {
    const step = this.wide / columns.length;
    const card = Math.min(96, step - 18);
    const tall = (card * 92) / 59;
    const key = JSON.stringify(columns);
    if (key === this.columnsKey) return;
    this.columnsKey = key;
    replace(this.layers.columns, columns.map((column, at) => {
      const x = (at + 0.5) * step;
      const down = Math.min(42, (COLUMNS - tall - 16) / Math.max(1, column.length - 1));
      const slot = s("rect", { class: "slot", x: x - card / 2 - 3, y: this.under + 5, width: card + 6, height: tall + 6, rx: 7 });
      return [slot, column.map((each, place) => s("g", { transform: `translate(${x} ${this.under + 8 + tall / 2 + place * down})` }, face(this.deck, each.card, card)))];
    }));
  }

  // --- words ---------------------------------------------------------------------------------------------------

  /** @param {Sensu.Page} page */
  aloud(page) {
    const closed = this.t("closed");
    const fans = (/** @type {Sensu.FanSeatView} */ seat) => seat.fans.map((fan) => `${fan.title} ${fan.closed ? closed : fan.sticks}`).join(", ");
    return `${this.progress(page)}. ${page.view.seats.map((seat) => `${seat.player}: ${fans(seat)}`).join(". ")}`;
  }

  /**
   * @param {Sensu.Page} page
   * @param {string} player
   * @returns {Standing}
   */
  standing(page, player) {
    const { view } = page;
    const seat = view.seats[page.players.indexOf(player)];
    const notes = [];
    if (view.solo) notes.push({ text: view.solo.level_title, kind: "open" });
    else notes.push({ text: this.t("{number} in hand", { number: seat.hand }), kind: "hidden" });
    if (seat.chosen) notes.push({ text: `★ ${this.words.fan(seat.chosen)}`, kind: "momentum" });
    const closed = seat.fans.filter((fan) => fan.closed).length;
    const unit = view.solo ? this.t("points") : closed === 1 ? this.t("fan closed") : this.t("fans closed");
    return { score: view.solo ? view.solo.score : closed, unit, won: view.winners.includes(player), out: false, notes };
  }

  /** @param {Sensu.Page} page */
  progress(page) {
    const { view } = page;
    if (view.solo) return this.words.points(view.solo.score);
    const goal = this.t("first to close two fans");
    return view.variants.length ? `${goal} · ${view.variants.join(", ")}` : goal;
  }

  /** @param {string} player */
  spot(player) {
    const seat = this.seats.find((each) => each.player === player);
    return seat ? seat.mark : null;
  }

  /** @param {Sensu.Move} move */
  describe(move) {
    return this.words.describe(move);
  }
}
