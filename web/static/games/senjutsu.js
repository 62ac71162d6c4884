// Senjutsu on the page: the arena with its samurai, what their cards reach and guard, and before each side the cards,
// wounds, hand and kamae of its player. Above all of it: who has the advantage, and who acts next.

import { animate, s } from "../dom.js";
import { colour, sign } from "../seats.js";
import { Arena, SIDE } from "./senjutsu_arena.js";
import { Console } from "./senjutsu_console.js";
import { Words } from "./senjutsu_words.js";

const STRIP = 158;
const FLANK = 148;
const BAND = 66;
const LISTED = 142;

/** @typedef {{mark: SVGElement, compass: SVGGElement, element: SVGGElement, turn: number | null, ghost: SVGElement | null}} Pawn */
/** @typedef {{row: SVGGElement, key: string}} List */
/** @typedef {{player: string, card?: string, speed?: number | null, now?: boolean}} Entry */

/** @param {DrawingTools} tools */
export const create = (tools) => new Drawn(tools);

/** @implements {Drawing<Senjutsu.Page, Senjutsu.Move, Senjutsu.Happening>} */
class Drawn {
  /** @param {DrawingTools} tools */
  constructor({ t, deck, own }) {
    this.t = t;
    this.deck = deck;
    this.own = own;
    this.words = new Words(t, deck, this);
    this.pickers = this.words.pickers;
    this.element = s("svg", { class: "senjutsu", role: "img" });
    this.shape = 1;
    /** @type {Arena | null} */
    this.arena = null;
    /** @type {Point} */
    this.half = [0, 0];
    /** @type {Record<string, SVGGElement>} */
    this.layers = {};
    /** @type {{player: string, console: Console, pawn: Pawn}[]} */
    this.seats = [];
    /** @type {List} */
    this.advantage = { row: s("g"), key: "" };
    /** @type {List} */
    this.order = { row: s("g"), key: "" };
  }

  /** Where things are; known from the first page on. */
  get map() {
    return /** @type {Arena} */ (this.arena);
  }

  // --- what stays ----------------------------------------------------------------------------------------------

  /** @param {Senjutsu.Page} page */
  begin(page) {
    const arena = new Arena(page.view, page.players.indexOf(this.own || ""));
    this.arena = arena;
    const beside = page.players.some((_, seat) => arena.side(seat) % 2);
    const [x, y] = [Math.max(arena.half[0], 252) + (beside ? FLANK : 10), arena.half[1] + STRIP];
    this.half = [x, y];
    this.element.setAttribute("viewBox", `${-x} ${-y - BAND} ${2 * x} ${2 * y + BAND}`);
    this.shape = (2 * x) / (2 * y + BAND);
    this.element.append(arrowHead());
    for (const name of ["ground", "reach", "consoles", "trails", "offers", "pawns", "blocks", "traces", "bursts", "lists"]) {
      this.layers[name] = this.element.appendChild(s("g", { class: name }));
    }
    this.ground(page.view);
    this.seats = page.view.samurai.map((one, seat) => {
      const console_ = new Console(this, one, seat, arena.side(seat));
      this.layers.consoles.append(console_.element);
      return { player: one.player, console: console_, pawn: this.pawn(seat) };
    });
    this.advantage = this.list(-y - BAND + 20, this.t("Advantage"));
    this.order = this.list(-y - BAND + 50, this.t("Order"));
  }

  /** @param {Senjutsu.View} view */
  ground(view) {
    const middle = Math.ceil(this.map.columns / 2);
    const corners = this.map.corners(SIDE);
    for (const [name, column] of this.map.hexes()) {
      const kind = name in view.terrain ? "terrain" : column < middle ? "hex" : "hex second";
      const [x, y] = this.map.at(name);
      const place = s("g", { transform: `translate(${x} ${y})` }, s("polygon", { class: kind, points: corners }));
      if (name in view.terrain) place.append(s("path", { class: "rock", d: "M-20 13 L-12 -9 L-2 -15 L9 -5 L19 13 Z" }), s("title", {}, view.terrain[name]));
      place.append(s("text", { class: "hex-name", y: 29 }, name));
      this.layers.ground.append(place);
    }
  }

  /**
   * @param {number} seat
   * @returns {Pawn}
   */
  pawn(seat) {
    const mark = sign(seat, 14);
    const base = s("polygon", { class: "base", points: this.map.corners(SIDE * 0.72) });
    base.setAttribute("stroke", colour(seat));
    const nose = s("path", { class: "nose", d: "M-12 -21 L0 -37 L12 -21 Q0 -26 -12 -21 Z", fill: colour(seat) });
    const compass = s("g", { class: "compass-needle" }, nose);
    const body = s("g", { class: "body" }, base, compass, mark);
    const element = this.layers.pawns.appendChild(s("g", { class: "pawn" }, body));
    return { mark, compass, element, turn: null, ghost: null };
  }

  /**
   * @param {number} y
   * @param {string} title
   * @returns {List}
   */
  list(y, title) {
    const row = this.layers.lists.appendChild(s("g", { transform: `translate(${-this.half[0] + 10} ${y})` }));
    row.append(s("text", { class: "list-title" }, title));
    return { row: row.appendChild(s("g", {})), key: "" };
  }

  // --- what changes --------------------------------------------------------------------------------------------

  /**
   * @param {Senjutsu.Page} page
   * @param {Senjutsu.Page | null} before
   * @param {SaidShown<Senjutsu.Happening>[]} news
   */
  update(page, before, news) {
    this.words.view = page.view;
    if (!this.seats.length) this.begin(page);
    const { view } = page;
    view.samurai.forEach((one, seat) => {
      this.place(this.seats[seat].pawn, one);
      this.seats[seat].console.show(one, page);
    });
    this.reach(page);
    this.blocks(view);
    this.lists(page);
    this.strays(page);
    if (!page.awaits.includes("step")) this.layers.offers.textContent = "";
    if (before && before.view.round !== view.round) {
      this.layers.traces.textContent = "";
      this.layers.trails.textContent = "";
    }
    this.tell(page, before, news);
    this.element.setAttribute("aria-label", this.aloud(page));
  }

  /**
   * @param {Pawn} pawn
   * @param {Senjutsu.SamuraiView} one
   */
  place(pawn, one) {
    pawn.element.classList.toggle("gone", one.defeated);
    if (one.hex === null) return;
    const [x, y] = this.map.at(one.hex);
    pawn.element.style.transform = `translate(${x}px, ${y}px)`;
    const angle = this.map.angle(one.facing);
    // The short way round.
    pawn.turn = pawn.turn === null ? angle : pawn.turn + ((((angle - pawn.turn + 180) % 360) + 360) % 360) - 180;
    pawn.compass.style.transform = `rotate(${pawn.turn}deg)`;
  }

  /**
   * Where the open attacks strike as things stand; the next to act is the clearest.
   * @param {Senjutsu.Page} page
   */
  reach(page) {
    this.layers.reach.textContent = "";
    page.view.order.slice().reverse().forEach((waiting, place, all) => {
      const seat = page.players.indexOf(waiting.player);
      for (const name of waiting.reach) {
        const [x, y] = this.map.at(name);
        const kind = place === all.length - 1 ? "struck next" : "struck";
        this.layers.reach.append(s("polygon", { class: kind, points: this.map.corners(SIDE * 0.93), transform: `translate(${x} ${y})`, fill: colour(seat), stroke: colour(seat) }));
      }
    });
  }

  /**
   * A block that stands is a shield on each side that it guards.
   * @param {Senjutsu.View} view
   */
  blocks(view) {
    this.layers.blocks.textContent = "";
    for (const block of view.blocks) {
      const one = view.samurai.find((each) => each.player === block.player);
      if (!one || one.hex === null) continue;
      const [x, y] = this.map.at(one.hex);
      for (const name of block.hexes) {
        const [tx, ty] = this.map.at(name);
        const turn = (Math.atan2(tx - x, y - ty) * 180) / Math.PI;
        this.layers.blocks.append(s("path", { class: "shield", d: "M-17 -31 Q0 -37 17 -31", transform: `translate(${x} ${y}) rotate(${turn})` }));
      }
    }
  }

  /** @param {Senjutsu.Page} page */
  lists(page) {
    const { view } = page;
    /** @type {(list: List, entries: Entry[], step: number, words: (entry: Entry) => Child) => void} */
    const show = (list, entries, step, words) => {
      const key = JSON.stringify(entries);
      if (list.key === key) return;
      list.key = key;
      list.row.textContent = "";
      entries.forEach((entry, place) => {
        const mark = s("g", { transform: "translate(0 -5)" }, sign(page.players.indexOf(entry.player), 9));
        list.row.append(s("g", { class: entry.now ? "entry now" : "entry", transform: `translate(${98 + place * step} 0)` }, mark, words(entry)));
      });
    };
    show(this.advantage, view.advantage.map((player) => ({ player })), 104, ({ player }) => s("text", { x: 16 }, short(player)));
    const acting = view.acting && view.samurai.find((one) => one.player === view.acting);
    /** @type {Entry[]} */
    const now = acting ? [{ player: acting.player, card: acting.played.slice(-1)[0], now: true }] : [];
    const room = Math.floor((2 * this.half[0] - 90) / LISTED);
    const waiting = view.order.map(({ player, card, speed }) => ({ player, card, speed }));
    show(this.order, now.concat(waiting).slice(0, room), LISTED, (entry) => [
      s("text", { class: "speed", x: 22 }, entry.now ? "▸" : entry.speed === null ? "?" : String(entry.speed)),
      s("text", { class: "card-name", x: 35 }, short(this.words.title(entry.card || ""))),
    ]);
  }

  /**
   * A miniature that the camera sees elsewhere than it belongs.
   * @param {Senjutsu.Page} page
   */
  strays(page) {
    /** @type {Senjutsu.Advice["strays"]} */
    const strays = page.advice ? page.advice.strays : {};
    this.seats.forEach(({ player, pawn }) => {
      const stray = strays[player];
      if (pawn.ghost) pawn.ghost.remove();
      pawn.ghost = null;
      const name = stray ? stray[0].split(" ")[0] : "?";
      if (name === "?") return;
      const [x, y] = this.map.at(name);
      pawn.ghost = this.layers.trails.appendChild(s("polygon", { class: "stray", points: this.map.corners(SIDE * 0.72), transform: `translate(${x} ${y})` }));
    });
  }

  /**
   * Hexes to tap where the viewer's samurai may go.
   * @param {Senjutsu.StepMove[]} moves
   * @param {Send<Senjutsu.Move>} send
   */
  offer(moves, send) {
    const { view } = this.words;
    this.layers.offers.textContent = "";
    const me = view && view.samurai.find((one) => one.player === view.asked);
    if (!view || !me || me.hex === null) return;
    const { hex: start } = me;
    const taken = view.samurai.map((one) => one.hex).concat(Object.keys(view.terrain));
    /** @type {Record<string, Senjutsu.StepMove>} */
    const ends = {};
    for (const move of moves) {
      const end = this.map.end(start, move.path || [], taken);
      if (end && !(end in ends)) ends[end] = move;
    }
    Object.keys(ends).forEach((name) => {
      const [x, y] = this.map.at(name);
      const hex = { class: "offer", points: this.map.corners(SIDE * 0.86), transform: `translate(${x} ${y})`, role: "button", tabindex: 0, "aria-label": name };
      const go = () => send(ends[name]);
      this.layers.offers.append(s("polygon", Object.assign(hex, { onclick: go, onkeydown: (/** @type {KeyboardEvent} */ event) => event.key === "Enter" && go() })));
    });
  }

  // --- what has just happened ----------------------------------------------------------------------------------

  /**
   * @param {Senjutsu.Page} page
   * @param {Senjutsu.Page | null} before
   * @param {SaidShown<Senjutsu.Happening>[]} news
   */
  tell(page, before, news) {
    for (const { happened } of news) {
      if (!happened) continue;
      switch (happened.what) {
        case "moved":
          if (before) this.trail(happened.start, happened.end, page.players.indexOf(happened.player));
          break;
        case "stunned":
          if (happened.by === "collision" || happened.by === "obstacle") this.burst(happened.hex, "bump", 0);
          break;
        case "struck":
          this.trace(happened.start, happened.end);
          this.burst(happened.end, "hit", 350);
          break;
        case "blocked":
          this.trace(happened.start, happened.end);
          this.burst(happened.end, "guarded", 350);
          break;
      }
    }
  }

  /**
   * @param {string} from
   * @param {string} to
   * @param {number} seat
   */
  trail(from, to, seat) {
    const [[x1, y1], [x2, y2]] = [this.map.at(from), this.map.at(to)];
    this.layers.trails.append(s("line", { class: "trail", x1, y1, x2, y2, stroke: colour(seat) }));
  }

  /**
   * @param {string} from
   * @param {string} to
   */
  trace(from, to) {
    const [[x1, y1], [x2, y2]] = [this.map.at(from), this.map.at(to)];
    const length = Math.hypot(x2 - x1, y2 - y1) || 1;
    const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
    const ends = { x1: x1 + dx * 20, y1: y1 + dy * 20, x2: x2 - dx * 22, y2: y2 - dy * 22 };
    this.layers.traces.append(s("g", { class: "strike" }, s("line", Object.assign({ class: "halo" }, ends)), s("line", Object.assign({ class: "shaft", "marker-end": "url(#senjutsu-head)" }, ends))));
  }

  /**
   * @param {string} hex
   * @param {string} kind
   * @param {number} delay
   */
  burst(hex, kind, delay) {
    const [x, y] = this.map.at(hex);
    const rays = Array.from({ length: 8 }, (_, ray) => s("path", { d: "M0 -20 L4 -34 L0 -42 L-4 -34 Z", transform: `rotate(${ray * 45 + 22.5})` }));
    const spark = s("g", {}, kind === "guarded" ? s("circle", { r: 32 }) : rays);
    const burst = this.layers.bursts.appendChild(s("g", { class: `burst ${kind}`, transform: `translate(${x} ${y})` }, spark));
    const frames = [{ transform: "scale(.2)", opacity: 0 }, { transform: "scale(1.1)", opacity: 1, offset: 0.3 }, { transform: "scale(1.35)", opacity: 0 }];
    animate(spark, frames, { duration: 900, delay, fill: "backwards" }).then(() => burst.remove());
  }

  // --- words ---------------------------------------------------------------------------------------------------

  /** @param {Senjutsu.Page} page */
  aloud(page) {
    const where = page.view.samurai.filter((one) => one.hex !== null).map((one) => `${one.player} ${one.hex} ${one.facing}`);
    return `${this.progress(page)}. ${where.join(", ")}`;
  }

  /**
   * @param {Senjutsu.Page} page
   * @param {string} player
   * @returns {Standing}
   */
  standing(page, player) {
    const one = page.view.samurai[page.players.indexOf(player)];
    const bleeding = one.wounds.filter((wound) => wound === "bleeding").length;
    /** @type {Senjutsu.Advice} */
    const { strays, wounds, rings } = page.advice || { strays: {}, wounds: {}, rings: {} };
    const stray = strays[player];
    const notes = [{ text: this.words.kamae(one.kamae), kind: `kamae ${one.kamae}` }];
    notes.push({ text: this.t("Wounds {count} of {health}", { count: one.wounds.length, health: one.health }), kind: one.wounds.length ? "bad" : "" });
    notes.push({ text: this.t("{hand} in hand", { hand: one.hand }), kind: "hand" }, { text: this.t("Deck {deck}", { deck: one.deck }), kind: one.deck ? "" : "bad" });
    if (one.stuns) notes.push({ text: this.t("Stuns {stuns}", { stuns: one.stuns }), kind: "bad" });
    if (bleeding) notes.push({ text: this.t("Bleeds {bleeding}", { bleeding }), kind: "bad" });
    if (one.defeated) notes.push({ text: this.t("Defeated"), kind: "bad" });
    if (wounds[player]) notes.push({ text: this.t("Laid out: {laid}", { laid: wounds[player][0] }), kind: "open" });
    if (rings[player]) notes.push({ text: this.t("Ring to {kamae}", { kamae: this.words.kamae(rings[player][1]) }), kind: "open" });
    if (stray && !one.defeated) notes.push({ text: this.t("Samurai to {place}", { place: stray[1] }), kind: "open" });
    return { score: Math.max(0, one.health - one.wounds.length), unit: this.t("health"), won: page.view.winners.includes(player), out: one.defeated, notes };
  }

  /** @param {Senjutsu.Page} page */
  progress(page) {
    const { round, asks, asked, over } = page.view;
    const text = this.t("Round {round}", { round });
    return asks && !over ? `${text} · ${asked}: ${asks}` : text;
  }

  /** @param {string} player */
  spot(player) {
    const seat = this.seats.find((each) => each.player === player);
    return seat ? seat.pawn.mark : null;
  }

  /** @param {Senjutsu.Move} move */
  describe(move) {
    return this.words.describe(move);
  }
}

/**
 * A name that fits into a corner.
 * @param {string} name
 */
const short = (name) => (name.length > 12 ? `${name.slice(0, 10)}…` : name);

const arrowHead = () =>
  s("defs", {}, s("marker", { id: "senjutsu-head", viewBox: "0 0 10 10", refX: 7, refY: 5, markerWidth: 3.4, markerHeight: 3.4, orient: "auto" }, s("path", { d: "M0 0 L10 5 L0 10 L2.500 5 Z", class: "tip" })));
