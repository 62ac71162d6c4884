// What lies before one Senjutsu player: the card of the round with the instants over it, wounds as they are laid out,
// the hand with its stuns, deck and discards, and the kamae tree with its ring.

import { animate, s, write } from "../dom.js";
import { face } from "../faces.js";
import { colour, sign } from "../seats.js";

const CARD = 80;
const SMALL = 42;
const TINY = 30;
/** @param {number} width */
const tall = (width) => (width * 88) / 63;
/** @type {Record<string, Point>} */
const NODES = { gateway: [0, 40], balance: [0, -2], aggression: [-40, -34], determination: [40, -34] };
const NODE = 14;
// Where things lie, for a strip below or above the arena and for one beside it: [x, y] from its middle.
/** @typedef {"name" | "deck" | "discards" | "card" | "wounds" | "hand" | "kamae"} Part */
/** @type {Record<Part, Point> & {width: number}} */
const ACROSS = { name: [-246, -54], deck: [-222, 8], discards: [-172, 8], card: [-96, 0], wounds: [-20, -34], hand: [-20, 41], kamae: [194, -2], width: 150 };
/** @type {Record<Part, Point> & {width: number}} */
const UPRIGHT = { name: [-64, -218], card: [-22, -142], wounds: [-62, 2], hand: [-62, 62], kamae: [0, 146], deck: [42, -174], discards: [42, -82], width: 124 };

/** @type {Part[]} */
const PARTS = ["deck", "discards", "card", "wounds", "hand", "kamae"];

export class Console {
  /**
   * @param {{t: Translate, deck: DeckShown, words: import("./senjutsu_words.js").Words, half: Point}} board
   * @param {Senjutsu.SamuraiView} one
   * @param {number} seat
   * @param {number} side
   */
  constructor(board, one, seat, side) {
    this.board = board;
    this.deck = board.deck;
    this.words = board.words;
    this.places = side % 2 ? UPRIGHT : ACROSS;
    const away = side % 2 ? board.half[0] - 74 : board.half[1] - 79;
    const [x, y] = [[0, away], [-away, 0], [0, -away], [away, 0]][side];
    const [wide, high] = side % 2 ? [138, 456] : [512, 146];
    this.element = s("g", { class: "console", transform: `translate(${x} ${y})` });
    this.element.style.setProperty("--seat", colour(seat));
    this.element.append(s("rect", { class: "tray", x: -wide / 2, y: -high / 2, width: wide, height: high, rx: 12 }));
    const [nx, ny] = this.places.name;
    this.element.append(s("g", { transform: `translate(${nx + 12} ${ny + 2})` }, sign(seat, 9)));
    this.name = this.element.appendChild(s("text", { class: "who", x: nx + 28, y: ny + 7 }));
    /** @type {Record<string, {group: SVGGElement, key: string | null}>} */
    this.parts = {};
    for (const part of PARTS) {
      this.parts[part] = { group: this.element.appendChild(s("g", { class: part, transform: `translate(${this.places[part]})` })), key: null };
    }
    /** @type {Record<string, SVGGElement>} */
    this.node = {};
    this.tree(one.tree);
  }

  /** @param {Record<string, string[]>} tree */
  tree(tree) {
    const { group } = this.parts.kamae;
    for (const from of Object.keys(tree)) {
      for (const to of tree[from]) {
        const both = (tree[to] || []).includes(from);
        if (both && from > to) continue;
        const [[x1, y1], [x2, y2]] = [NODES[from], NODES[to]];
        const length = Math.hypot(x2 - x1, y2 - y1);
        const [dx, dy] = [((x2 - x1) / length) * (NODE + 3), ((y2 - y1) / length) * (NODE + 3)];
        group.append(s("line", { class: both ? "branch" : "branch one-way", x1: x1 + dx, y1: y1 + dy, x2: x2 - dx, y2: y2 - dy, "marker-end": both ? null : "url(#senjutsu-head)" }));
      }
    }
    Object.keys(NODES).forEach((kamae) => {
      const [x, y] = NODES[kamae];
      const name = this.words.kamae(kamae);
      this.node[kamae] = s("g", { class: `node ${kamae}`, transform: `translate(${x} ${y})` }, s("circle", { r: NODE }), s("text", { y: 5 }, name.charAt(0)), s("title", {}, name));
      group.append(this.node[kamae]);
    });
  }

  /**
   * @param {Senjutsu.SamuraiView} one
   * @param {Senjutsu.Page} page
   */
  show(one, page) {
    write(this.name, this.places === ACROSS ? one.player : one.player.slice(0, 12));
    this.element.dataset.phase = page.phases[one.player];
    this.element.classList.toggle("out", one.defeated);
    for (const kamae of Object.keys(this.node)) this.node[kamae].classList.toggle("here", kamae === one.kamae);
    const locked = page.ready.includes(one.player) || ["countdown", "reveal"].includes(page.stage);
    const down = !one.played.length && locked && !one.defeated && !page.over;
    this.fill("card", down ? [null] : one.played, CARD, (place) => (this.places === ACROSS ? [place * 22, place * 5] : [place * 7, place * 20]));
    this.fill("deck", one.deck ? [null] : [], SMALL, () => [0, 0], one.deck);
    this.fill("discards", one.discards.slice(-1), SMALL, () => [0, 0], one.discards.length);
    this.row(one);
    const backs = Math.max(0, one.hand - one.stuns - (down ? 1 : 0));
    const held = Array(backs).fill(null).concat(Array(one.stuns).fill("stun"));
    const step = Math.min(22, (this.places.width - TINY) / Math.max(1, held.length - 1));
    this.fill("hand", held, TINY, (place) => [place * step + TINY / 2, 0]);
  }

  /**
   * Wounds as they are laid out, and the room that is left until the last.
   * @param {Senjutsu.SamuraiView} one
   */
  row(one) {
    const step = Math.min(26, (this.places.width - SMALL) / Math.max(1, Math.max(one.health, one.wounds.length) - 1));
    const open = Array(Math.max(0, one.health - one.wounds.length)).fill("");
    this.fill("wounds", one.wounds.concat(open), SMALL, (place) => [place * step + SMALL / 2, 0]);
  }

  /**
   * Cards of a place: a name, null for a back, "" for room. Only what is new is drawn, and the last one turns over.
   * @param {Part} part
   * @param {(string | null)[]} cards
   * @param {number} width
   * @param {(place: number) => Point} at
   * @param {number} [count]
   */
  fill(part, cards, width, at, count) {
    const place = this.parts[part];
    const key = JSON.stringify([cards, count]);
    if (place.key === key) return;
    const first = place.key === null;
    place.key = key;
    place.group.textContent = "";
    /** @type {SVGElement[]} */
    const drawn = [];
    cards.forEach((card, index) => {
      const shape = card === "" ? health() : face(this.deck, card, width);
      if (shape) drawn.push(s("g", { transform: `translate(${at(index)})` }, s("title", {}, card ? this.words.title(card) : ""), s("g", {}, shape)));
    });
    if (!cards.length && part !== "hand" && part !== "wounds") drawn.push(room(width));
    for (const each of drawn) place.group.append(each);
    if (count !== undefined) {
      place.group.append(s("text", { class: "count", y: tall(width) / 2 + 13 }, String(count)));
      place.group.append(s("text", { class: "caption", y: tall(width) / 2 + 24 }, part === "deck" ? this.board.t("deck") : this.board.t("discards")));
    }
    const last = drawn[cards.filter((card) => card !== "").length - 1];
    if (!first && last && last.lastElementChild && (part === "card" || part === "wounds")) {
      animate(last.lastElementChild, [{ transform: "scaleX(0)" }, { transform: "scaleX(1)" }], { duration: 420, easing: "cubic-bezier(.2,1.6,.4,1)" });
    }
  }
}

/** An empty place; among wounds a point of health that is left. */
const health = () => s("circle", { class: "health", r: 6 });
/** @param {number} width */
const room = (width) => s("rect", { class: "room", x: -width / 2 + 2, y: -tall(width) / 2 + 2, width: width - 4, height: tall(width) - 4, rx: 4 });
