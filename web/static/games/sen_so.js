// Sen So on the page: the grid, the pawns, and before each side the sheet with its cards.

import { animate, s, write } from "../dom.js";
import { face } from "../faces.js";
import { colour, sign } from "../seats.js";
import { words } from "./plain.js";
import { ARROWS, NAMES, pickers } from "./sen_so_pickers.js";

const CELL = 60;
const SHEET = 116;
const SLOT = 78;
const SLOTS = ["weapon", "block", "action1", "action2"];

/** @typedef {{card: SVGGElement, caption: SVGTextElement, key: string}} Slot */
/** @typedef {{ring: SVGElement, shield: SVGElement, wind: SVGElement, mark: SVGElement, element: SVGGElement}} Pawn */
/** @typedef {{player: string, sheet: SVGGElement, slots: Record<string, Slot>, pawn: Pawn}} Seat */

/** @param {DrawingTools} tools */
export const create = (tools) => new Drawn(tools);

/** @implements {Drawing<SenSo.Page, SenSo.Move, SenSo.Happening>} */
class Drawn {
  /** @param {DrawingTools} tools */
  constructor({ t, deck, own }) {
    this.t = t;
    this.deck = deck;
    this.own = own;
    this.element = s("svg", { class: "sen-so", role: "img" });
    this.shape = 1;
    /** How the board is turned on this page, in eighths of a circle. */
    this.turn = 0;
    this.columns = 0;
    this.rows = 0;
    /** @type {Point} */
    this.half = [0, 0];
    /** @type {Record<string, SVGGElement>} */
    this.layers = {};
    /** @type {Seat[]} */
    this.seats = [];
    this.pickers = pickers({ t, deck, title: (/** @type {string} */ name) => this.title(name) });
  }

  // --- geometry: a seat's own page is turned so that its player looks up ----------------------------------------

  /** @param {SenSo.Page} page */
  begin(page) {
    const [columns, rows] = page.view.board;
    const seat = page.view.seats.find((each) => each.name === this.own);
    this.turn = seat ? seat.facing : 0;
    this.columns = columns;
    this.rows = rows;
    const across = this.turn % 4 === 0;
    this.half = [((across ? columns : rows) * CELL) / 2, ((across ? rows : columns) * CELL) / 2];
    const sides = page.view.seats.map((each) => this.shown(each.facing + 4));
    const wide = sides.some((side) => side % 4 === 2) ? SHEET + 8 : 8;
    const high = sides.some((side) => side % 4 === 0) ? SHEET + 8 : 8;
    const [x, y] = [this.half[0] + wide, this.half[1] + high];
    this.element.setAttribute("viewBox", `${-x} ${-y} ${2 * x} ${2 * y}`);
    this.shape = x / y;
    this.element.append(arrowHead());
    for (const name of ["ground", "sheets", "marks", "trails", "pawns", "traces", "strikes", "bursts"]) {
      this.layers[name] = this.element.appendChild(s("g", { class: name }));
    }
    this.ground();
    this.seats = page.view.seats.map((each, index) => this.seat(each, index));
  }

  /**
   * A direction as it shows on this page.
   * @param {number} direction
   */
  shown(direction) {
    return (((direction - this.turn) % 8) + 8) % 8;
  }

  /**
   * @param {Point} point
   * @returns {Point}
   */
  turned([x, y]) {
    switch (this.turn) {
      case 2: return [y, -x];
      case 4: return [-x, -y];
      case 6: return [-y, x];
      default: return [x, y];
    }
  }

  /** @param {string} cell */
  at(cell) {
    const column = cell.charCodeAt(0) - 97;
    const row = Number(cell.slice(1)) - 1;
    return this.turned([(column + 0.5 - this.columns / 2) * CELL, -(row + 0.5 - this.rows / 2) * CELL]);
  }

  // --- what stays ----------------------------------------------------------------------------------------------

  ground() {
    const [x, y] = this.half;
    this.layers.ground.append(s("rect", { class: "mat", x: -x - 5, y: -y - 5, width: 2 * x + 10, height: 2 * y + 10, rx: 6 }));
    for (let row = 1; row <= this.rows; row += 1) {
      for (let column = 0; column < this.columns; column += 1) {
        const name = `${String.fromCharCode(97 + column)}${row}`;
        const [cx, cy] = this.at(name);
        const kind = (column + row) % 2 ? "cell odd" : "cell";
        const box = { class: kind, x: cx - CELL / 2, y: cy - CELL / 2, width: CELL, height: CELL };
        this.layers.ground.append(s("rect", box));
        if (row === 1 || column === 0) {
          this.layers.ground.append(s("text", { class: "cell-name", x: cx - CELL / 2 + 4, y: cy + CELL / 2 - 5 }, name));
        }
      }
    }
  }

  /**
   * @param {SenSo.NinjaView} view
   * @param {number} index
   * @returns {Seat}
   */
  seat(view, index) {
    const ahead = (this.shown(view.facing) * Math.PI) / 4;
    const [up, left] = [[Math.sin(ahead), -Math.cos(ahead)], [-Math.cos(ahead), -Math.sin(ahead)]];
    const depth = Math.abs(up[0]) > 0.5 ? this.half[0] : this.half[1];
    const back = depth + 9 + SHEET / 2;
    const middle = [-up[0] * back, -up[1] * back];
    const upright = Math.abs(up[0]) > 0.5;
    const sheet = s("g", { class: "sheet" });
    sheet.style.setProperty("--seat", colour(index));
    const [long, short] = [4 * (SLOT + 18) + 4, SHEET - 14];
    const [wide, high] = upright ? [short, long] : [long, short];
    const box = { class: "tray", x: middle[0] - wide / 2, y: middle[1] - high / 2, width: wide, height: high, rx: 12 };
    sheet.append(s("rect", box));
    /** @type {Record<string, Slot>} */
    const slots = {};
    SLOTS.forEach((slot, place) => {
      const along = -(place - 1.5) * (SLOT + 18);
      const [x, y] = [middle[0] + left[0] * along, middle[1] + left[1] * along];
      const card = s("g", { class: "card" });
      const caption = s("text", { class: "caption", y: SLOT / 2 + 11 });
      sheet.append(s("g", { transform: `translate(${x} ${y - 8})` }, s("circle", { class: "slot", r: SLOT / 2 - 4 }), card, caption));
      slots[slot] = { card, caption, key: "" };
    });
    const off = long / 2 + 26;
    const name = s("g", { transform: `translate(${middle[0] + left[0] * off} ${middle[1] + left[1] * off})` }, sign(index, 15));
    sheet.append(name);
    this.layers.sheets.append(sheet);
    return { player: view.name, sheet, slots, pawn: this.pawn(view, index) };
  }

  /**
   * @param {SenSo.NinjaView} view
   * @param {number} index
   * @returns {Pawn}
   */
  pawn(view, index) {
    const looks = this.shown(view.facing) * 45;
    const parts = {
      ring: s("circle", { class: "ring", r: 27 }),
      shield: s("path", { class: "shield", d: "M-18 -21 A27.500 27.500 0 0 1 18 -21" }),
      wind: s("path", { class: "wind", d: "M-9 25 l9 -6 l9 6 M-9 31 l9 -6 l9 6", transform: `rotate(${looks})` }),
      mark: sign(index, 17),
    };
    const nose = s("path", { class: "nose", d: "M-7 -15 L0 -25 L7 -15 Z", transform: `rotate(${looks})` });
    const body = s("g", { class: "body" }, parts.ring, parts.wind, parts.shield, nose, parts.mark);
    const element = s("g", { class: "pawn" }, s("ellipse", { class: "shadow", rx: 17, ry: 6, cy: 17 }), body);
    this.layers.pawns.append(element);
    return Object.assign(parts, { element });
  }

  // --- what changes --------------------------------------------------------------------------------------------

  /**
   * @param {SenSo.Page} page
   * @param {SenSo.Page | null} before
   * @param {SaidShown<SenSo.Happening>[]} news
   */
  update(page, before, news) {
    if (!this.seats.length) this.begin(page);
    page.view.seats.forEach((seat, index) => {
      this.place(this.seats[index].pawn, seat);
      this.lay(this.seats[index], seat, page);
    });
    if (!Object.keys(page.turned_up).length) {
      this.layers.traces.textContent = "";
      this.layers.trails.textContent = "";
    }
    this.strikes(page);
    this.tell(page, before, news);
    this.element.setAttribute("aria-label", this.aloud(page));
  }

  /**
   * @param {Pawn} pawn
   * @param {SenSo.NinjaView} seat
   */
  place(pawn, seat) {
    pawn.element.classList.toggle("gone", seat.out);
    if (seat.cell === null) return;
    const [x, y] = this.at(seat.cell);
    pawn.element.style.transform = `translate(${x}px, ${y}px)`;
    const side = NAMES.indexOf(seat.block || "");
    pawn.ring.classList.toggle("open", side >= 0);
    pawn.shield.classList.toggle("open", side >= 0);
    if (side >= 0) pawn.shield.setAttribute("transform", `rotate(${this.shown(side + seat.facing) * 45})`);
    pawn.wind.classList.toggle("blows", seat.momentum);
  }

  /**
   * The cards on a player's sheet. What lies face down is a back; nobody here knows more.
   * @param {Seat} parts
   * @param {SenSo.NinjaView} seat
   * @param {SenSo.Page} page
   */
  lay(parts, seat, page) {
    const player = seat.name;
    const phase = page.view.phase;
    parts.sheet.dataset.phase = page.phases[player];
    parts.sheet.classList.toggle("out", seat.out);
    const locked = page.ready.includes(player) || page.phases[player] === "locked" || ["countdown", "reveal"].includes(page.stage);
    const down = phase !== "setup" || locked;
    const turned = page.turned_up[player];
    const facing = (/** @type {string | null | undefined} */ name) => this.shown(NAMES.indexOf(name || "") + seat.facing) * 45;

    if (seat.weapon) this.card(parts.slots.weapon, seat.weapon, 0, this.title(seat.weapon));
    else this.card(parts.slots.weapon, phase === "setup" && locked ? null : "", 0, "");

    if (seat.second) this.card(parts.slots.block, seat.second, 0, this.title(seat.second));
    else if (seat.block && NAMES.includes(seat.block)) this.card(parts.slots.block, "block", facing(seat.block), this.title("block"));
    else this.card(parts.slots.block, down ? null : "", 0, "");

    const fresh = phase === "pre_actions" && !seat.acted;
    if (turned && turned.move === "reveal" && !fresh) this.card(parts.slots.action1, turned.card, facing(turned.direction), this.title(turned.card));
    else if (turned && ["change_weapon", "second_weapon"].includes(turned.move) && !fresh) this.card(parts.slots.action1, "", 0, this.t("New weapon"));
    else if (turned && turned.move === "change_block" && !fresh) this.card(parts.slots.action1, "", 0, this.t("New block"));
    else this.card(parts.slots.action1, down && phase !== "over" ? null : "", 0, "");
    // After the Scoring the second action moves up and a new one is awaited: until it lies there the place is open.
    this.card(parts.slots.action2, (phase === "select" ? locked : down && phase !== "over") ? null : "", 0, "");
  }

  /**
   * Put a card into a slot: a name, null for a back, "" for none. It turns over when it changes.
   * @param {Slot} slot
   * @param {string | null} name
   * @param {number} turn
   * @param {string} caption
   */
  card(slot, name, turn, caption) {
    write(slot.caption, caption);
    const key = `${name} ${turn}`;
    if (slot.key === key) return;
    const first = slot.key === "";
    slot.key = key;
    slot.card.textContent = "";
    const drawn = name === "" ? null : face(this.deck, name, SLOT - 8);
    if (!drawn) return;
    slot.card.append(s("g", { transform: `rotate(${turn})` }, drawn));
    if (!first) animate(slot.card, [{ transform: "scaleX(0)" }, { transform: "scaleX(1)" }], { duration: 420, easing: "cubic-bezier(.2,1.6,.4,1)" });
  }

  /** @param {SenSo.Page} page */
  strikes(page) {
    this.layers.strikes.textContent = "";
    this.layers.marks.textContent = "";
    for (const strike of page.view.strikes) {
      const attacker = page.view.seats.find((seat) => seat.name === strike.by);
      if (!attacker || attacker.cell === null) continue;
      const cells = strike.target ? [strike.target] : strike.choices;
      for (const cell of cells) {
        const [x, y] = this.at(cell);
        const box = { class: strike.target ? "aimed" : "choice", x: x - CELL / 2 + 2, y: y - CELL / 2 + 2, width: CELL - 4, height: CELL - 4, rx: 5 };
        this.layers.marks.append(s("rect", box));
        this.layers.strikes.append(this.arrow(attacker.cell, cell, strike.target ? "strike" : "strike maybe"));
      }
    }
  }

  /**
   * @param {string} from
   * @param {string} to
   * @param {string} kind
   */
  arrow(from, to, kind) {
    const [[x1, y1], [x2, y2]] = [this.at(from), this.at(to)];
    const length = Math.hypot(x2 - x1, y2 - y1) || 1;
    const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
    const ends = { x1: x1 + dx * 10, y1: y1 + dy * 10, x2: x2 - dx * 14, y2: y2 - dy * 14 };
    return s("g", { class: kind }, s("line", Object.assign({ class: "halo" }, ends)), s("line", Object.assign({ class: "shaft", "marker-end": "url(#sen-so-head)" }, ends)));
  }

  /**
   * Draw what has happened: who went where, who struck whom, who ran into what.
   * @param {SenSo.Page} page
   * @param {SenSo.Page | null} before
   * @param {SaidShown<SenSo.Happening>[]} news
   */
  tell(page, before, news) {
    for (const { happened } of news) {
      if (!happened) continue;
      switch (happened.what) {
        case "moved":
          if (before) this.trail(happened.start, happened.cell, page.players.indexOf(happened.player));
          break;
        case "collided":
          this.burst(happened.cell, "bump", 0);
          break;
        case "aimed":
        case "glanced":
          this.trace(happened.start, happened.cell);
          break;
        case "struck":
          this.trace(happened.start, happened.cell);
          this.burst(happened.cell, happened.blocked ? "guarded" : "hit", 350);
          break;
        case "exchanged":
          this.trace(happened.start, happened.cell);
          this.burst(happened.cell, "hit", 350);
          break;
      }
    }
  }

  /**
   * @param {string} from
   * @param {string} to
   * @param {number} index
   */
  trail(from, to, index) {
    const [[x1, y1], [x2, y2]] = [this.at(from), this.at(to)];
    const line = s("line", { class: "trail", x1, y1, x2, y2, stroke: colour(index) });
    this.layers.trails.append(s("g", { class: "step" }, s("circle", { cx: x1, cy: y1, r: 9, class: "left", stroke: colour(index) }), line));
  }

  /**
   * @param {string} from
   * @param {string} to
   */
  trace(from, to) {
    const key = `${from}-${to}`;
    if (Array.from(this.layers.traces.children).some((each) => each.getAttribute("data-key") === key)) return;
    const arrow = this.arrow(from, to, "strike echo");
    arrow.setAttribute("data-key", key);
    this.layers.traces.append(arrow);
  }

  /**
   * @param {string} cell
   * @param {string} kind
   * @param {number} delay
   */
  burst(cell, kind, delay) {
    const [x, y] = this.at(cell);
    const rays = Array.from({ length: 8 }, (_, ray) => s("path", { d: "M0 -20 L4 -33 L0 -40 L-4 -33 Z", transform: `rotate(${ray * 45 + 22.5})` }));
    const spark = s("g", {}, kind === "guarded" ? s("circle", { r: 30 }) : rays);
    const burst = s("g", { class: `burst ${kind}`, transform: `translate(${x} ${y})` }, spark);
    this.layers.bursts.append(burst);
    const frames = [{ transform: "scale(.2)", opacity: 0 }, { transform: "scale(1.1)", opacity: 1, offset: 0.3 }, { transform: "scale(1.35)", opacity: 0 }];
    animate(spark, frames, { duration: 900, delay, fill: "backwards" }).then(() => burst.remove());
  }

  // --- words ---------------------------------------------------------------------------------------------------

  /** @param {string} name */
  title(name) {
    return this.deck.names[name] || name;
  }

  /** @param {SenSo.Page} page */
  aloud(page) {
    const where = page.view.seats.filter((seat) => seat.cell !== null).map((seat) => `${seat.name} ${seat.cell}`);
    return `${this.progress(page)}. ${where.join(", ")}`;
  }

  /**
   * @param {SenSo.Page} page
   * @param {string} player
   * @returns {Standing}
   */
  standing(page, player) {
    const seat = page.view.seats.find((each) => each.name === player);
    /** @type {StandingNote[]} */
    const notes = [];
    if (!seat) return { score: null, won: false, out: false, notes };
    if (seat.loadout && seat.loadout.length) {
      const weapons = seat.loadout.map((name) => this.title(name)).join(", ");
      notes.push({ text: this.t("Inventory: {weapons}", { weapons }), kind: "secret" });
    }
    if (seat.out) notes.push({ text: this.t("Knocked out"), kind: "bad" });
    if (seat.weapon) notes.push({ text: this.title(seat.weapon), kind: "weapon" });
    if (seat.second) notes.push({ text: this.title(seat.second), kind: "weapon" });
    const side = NAMES.indexOf(seat.block || "");
    const arrow = ARROWS[this.shown(side + seat.facing)];
    if (page.view.phase !== "setup" && !seat.second) notes.push(side >= 0 ? { text: `${this.title("block")} ${arrow}`, kind: "open" } : { text: this.t("Block hidden"), kind: "hidden" });
    if (seat.momentum) notes.push({ text: this.t("Momentum"), kind: "momentum" });
    if (seat.endurance !== null) notes.push({ text: this.t("Endurance {left}", { left: seat.endurance }), kind: "endurance" });
    return { score: seat.score, won: page.view.winners.includes(player), out: seat.out, notes };
  }

  /** @param {SenSo.Page} page */
  progress(page) {
    const { set, end, over } = page.view;
    if (over) return this.t("{sets} sets played", { sets: set });
    const number = this.t("Set {number}", { number: set + 1 });
    if (end.actions) return `${number} / ${end.actions}`;
    if (end.points) return [number, this.t("to {points} points", { points: end.points })].join(" · ");
    return number;
  }

  /** @param {string} player */
  spot(player) {
    const seat = this.seats.find((each) => each.player === player);
    return seat ? seat.pawn.mark : null;
  }

  /** @param {SenSo.Move} move */
  describe(move) {
    const { t } = this;
    const side = (/** @type {string | null | undefined} */ name) => ARROWS[NAMES.indexOf(name || "")];
    switch (move.move) {
      case "arm": return move.weapons.length ? move.weapons.map((name) => this.title(name)).join(", ") : t("No weapon");
      case "set": return t("My cards lie face down");
      case "show": return t("Start with {weapon}", { weapon: this.title(move.weapon) });
      case "change_block": return t("New block");
      case "change_weapon": return t("New weapon: {weapon}", { weapon: this.title(move.weapon) });
      case "second_weapon": return t("Second weapon: {weapon}", { weapon: this.title(move.weapon) });
      case "reveal": return `${this.title(move.card)} ${side(move.direction)}`;
      case "aim": return t("Attack {cell}", { cell: move.cell });
      case "guard": return move.direction === undefined || move.direction === null ? t("No block on that side") : `${this.title("block")} ${side(move.direction)}`;
      case "concede": return t("Concede");
      default: return words(move, t);
    }
  }
}

const arrowHead = () =>
  s("defs", {}, s("marker", { id: "sen-so-head", viewBox: "0 0 10 10", refX: 7, refY: 5, markerWidth: 3.4, markerHeight: 3.4, orient: "auto" }, s("path", { d: "M0 0 L10 5 L0 10 L2.500 5 Z", class: "tip" })));
