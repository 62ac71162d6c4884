// The board of Sen So: the grid, the pawns, and before each side the play sheet with its cards.

import { animate, s, write } from "../dom.js";
import { face } from "../faces.js";
import { colour, sign } from "../seats.js";
import { NAMES } from "./sen_so_pickers.js";

const CELL = 60;
const SHEET = 116;
const SLOT = 78;

/** @typedef {"weapon" | "block" | "action1" | "action2"} SlotName */
/** @typedef {{ card: SVGElement, caption: SVGElement, key: string }} Slot */
/** @typedef {{ element: SVGElement, ring: SVGElement, shield: SVGElement, wind: SVGElement, mark: SVGElement }} Pawn */
/** @typedef {{ player: string, sheet: SVGElement, slots: Record<SlotName, Slot>, pawn: Pawn }} Seat */

/** @type {SlotName[]} */
const SLOTS = ["weapon", "block", "action1", "action2"];

export class Board {
  /**
   * The page of a player is turned so that this player looks up.
   * @param {SVGElement} element
   * @param {DrawingTools} tools
   * @param {SenSo.Page} page
   */
  constructor(element, { t, deck, own }, page) {
    this.t = t;
    this.deck = deck;
    const [columns, rows] = page.view.board;
    const seat = page.view.seats.find((each) => each.name === own);
    this.turn = seat ? seat.facing : 0;
    this.columns = columns;
    this.rows = rows;
    const across = this.turn % 4 === 0;
    this.half = [((across ? columns : rows) * CELL) / 2, ((across ? rows : columns) * CELL) / 2];
    const sides = page.view.seats.map((each) => this.shown(each.facing + 4));
    const wide = sides.some((side) => side % 4 === 2) ? SHEET + 8 : 8;
    const high = sides.some((side) => side % 4 === 0) ? SHEET + 8 : 8;
    const [x, y] = [this.half[0] + wide, this.half[1] + high];
    element.setAttribute("viewBox", `${-x} ${-y} ${2 * x} ${2 * y}`);
    this.shape = x / y;
    element.append(arrowHead());
    const layer = (/** @type {string} */ name) => element.appendChild(s("g", { class: name }));
    this.layers = {
      ground: layer("ground"),
      sheets: layer("sheets"),
      marks: layer("marks"),
      trails: layer("trails"),
      pawns: layer("pawns"),
      traces: layer("traces"),
      strikes: layer("strikes"),
      bursts: layer("bursts"),
    };
    this.ground();
    this.seats = page.view.seats.map((each, index) => this.seat(each, index));
  }

  // --- geometry ------------------------------------------------------------------------------------------------

  /**
   * A direction as it shows on this page, in eighth turns clockwise from up.
   * @param {number} direction
   */
  shown(direction) {
    return (((direction - this.turn) % 8) + 8) % 8;
  }

  /**
   * @param {SenSo.NinjaView} seat
   * @param {string} direction as the player in that seat sees it
   */
  degrees(seat, direction) {
    return this.shown(NAMES.indexOf(direction) + seat.facing) * 45;
  }

  /**
   * The middle of a space, given its name (`e5`).
   * @param {string} cell
   * @returns {Point}
   */
  at(cell) {
    const column = cell.charCodeAt(0) - 97;
    const row = Number(cell.slice(1)) - 1;
    const [x, y] = [(column + 0.5 - this.columns / 2) * CELL, -(row + 0.5 - this.rows / 2) * CELL];
    switch (this.turn) {
      case 2: return [y, -x];
      case 4: return [-x, -y];
      case 6: return [-y, x];
      default: return [x, y];
    }
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
    const upright = Math.abs(up[0]) > 0.5;
    const back = (upright ? this.half[0] : this.half[1]) + 9 + SHEET / 2;
    const middle = [-up[0] * back, -up[1] * back];
    const sheet = s("g", { class: "sheet" });
    sheet.style.setProperty("--seat", colour(index));
    const [long, short] = [4 * (SLOT + 18) + 4, SHEET - 14];
    const [wide, high] = upright ? [short, long] : [long, short];
    const box = { class: "tray", x: middle[0] - wide / 2, y: middle[1] - high / 2, width: wide, height: high, rx: 12 };
    sheet.append(s("rect", box));
    const [weapon, block, action1, action2] = SLOTS.map((_, place) => {
      const along = -(place - 1.5) * (SLOT + 18);
      const [x, y] = [middle[0] + left[0] * along, middle[1] + left[1] * along];
      const card = s("g", { class: "card" });
      const caption = s("text", { class: "caption", y: SLOT / 2 + 11 });
      sheet.append(s("g", { transform: `translate(${x} ${y - 8})` }, s("circle", { class: "slot", r: SLOT / 2 - 4 }), card, caption));
      return { card, caption, key: "" };
    });
    const off = long / 2 + 26;
    const name = s("g", { transform: `translate(${middle[0] + left[0] * off} ${middle[1] + left[1] * off})` }, sign(index, 15));
    sheet.append(name);
    this.layers.sheets.append(sheet);
    return { player: view.name, sheet, slots: { weapon, block, action1, action2 }, pawn: this.pawn(view, index) };
  }

  /**
   * @param {SenSo.NinjaView} view
   * @param {number} index
   * @returns {Pawn}
   */
  pawn(view, index) {
    const looks = this.shown(view.facing) * 45;
    const ring = s("circle", { class: "ring", r: 27 });
    const shield = s("path", { class: "shield", d: "M-18 -21 A27.500 27.500 0 0 1 18 -21" });
    const wind = s("path", { class: "wind", d: "M-9 25 l9 -6 l9 6 M-9 31 l9 -6 l9 6", transform: `rotate(${looks})` });
    const mark = sign(index, 17);
    const nose = s("path", { class: "nose", d: "M-7 -15 L0 -25 L7 -15 Z", transform: `rotate(${looks})` });
    const body = s("g", { class: "body" }, ring, wind, shield, nose, mark);
    const element = s("g", { class: "pawn" }, s("ellipse", { class: "shadow", rx: 17, ry: 6, cy: 17 }), body);
    this.layers.pawns.append(element);
    return { element, ring, shield, wind, mark };
  }

  // --- what changes --------------------------------------------------------------------------------------------

  /**
   * @param {SenSo.Page} page
   * @param {SenSo.Page | null} before
   * @param {SaidShown<SenSo.Happening>[]} news
   */
  update(page, before, news) {
    page.view.seats.forEach((seat, index) => {
      this.place(this.seats[index].pawn, seat);
      this.lay(this.seats[index], seat, page);
    });
    if (!Object.keys(page.turned_up).length) {
      this.layers.traces.textContent = "";
      this.layers.trails.textContent = "";
    }
    this.strikes(page);
    for (const { happened } of news) if (happened) this.tell(happened, page.players, before !== null);
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
    const open = seat.block !== null && seat.block !== "hidden";
    pawn.ring.classList.toggle("open", open);
    pawn.shield.classList.toggle("open", open);
    if (seat.block && open) pawn.shield.setAttribute("transform", `rotate(${this.degrees(seat, seat.block)})`);
    pawn.wind.classList.toggle("blows", seat.momentum);
  }

  /**
   * The cards on a player's sheet. What lies face down is a back; nobody here knows more.
   * @param {Seat} parts
   * @param {SenSo.NinjaView} seat
   * @param {SenSo.Page} page
   */
  lay({ sheet, slots }, seat, page) {
    const phase = page.view.phase;
    sheet.dataset.phase = page.phases[seat.name];
    sheet.classList.toggle("out", seat.out);
    const counting = page.stage === "countdown" || page.stage === "reveal";
    const locked = page.ready.includes(seat.name) || page.phases[seat.name] === "locked" || counting;
    const down = phase !== "setup" || locked;

    if (seat.weapon) this.card(slots.weapon, seat.weapon, 0, this.title(seat.weapon));
    else this.card(slots.weapon, phase === "setup" && locked ? null : "", 0, "");

    if (seat.second) this.card(slots.block, seat.second, 0, this.title(seat.second));
    else if (seat.block && seat.block !== "hidden") this.card(slots.block, "block", this.degrees(seat, seat.block), this.title("block"));
    else this.card(slots.block, down ? null : "", 0, "");

    const fresh = phase === "pre_actions" && !seat.acted;
    this.action(slots.action1, seat, fresh ? undefined : page.turned_up[seat.name], down && phase !== "over");
    // After the Scoring the second action moves up and a new one is awaited: until it lies there the place is open.
    this.card(slots.action2, (phase === "select" ? locked : down && phase !== "over") ? null : "", 0, "");
  }

  /**
   * The first action, as it was turned up in the last reveal.
   * @param {Slot} slot
   * @param {SenSo.NinjaView} seat
   * @param {SenSo.Move | undefined} turned
   * @param {boolean} down whether a card lies there that was not turned up
   */
  action(slot, seat, turned, down) {
    switch (turned && turned.move) {
      case "change_weapon":
      case "second_weapon":
        this.card(slot, "", 0, this.t("New weapon"));
        break;
      case "change_block":
        this.card(slot, "", 0, this.t("New block"));
        break;
      default:
        if (turned && turned.move === "reveal") {
          this.card(slot, turned.card, this.degrees(seat, turned.direction || ""), this.title(turned.card));
        } else this.card(slot, down ? null : "", 0, "");
    }
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

  // --- what happened -------------------------------------------------------------------------------------------

  /**
   * Who went where, who struck whom, who ran into what.
   * @param {SenSo.Happening} happened
   * @param {string[]} players
   * @param {boolean} seen whether the page has shown the position before
   */
  tell(happened, players, seen) {
    switch (happened.what) {
      case "moved":
        if (seen) this.trail(happened.start, happened.cell, players.indexOf(happened.player));
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
    if (this.layers.traces.querySelector(`[data-key="${key}"]`)) return;
    const arrow = this.arrow(from, to, "strike echo");
    arrow.dataset.key = key;
    this.layers.traces.append(arrow);
  }

  /**
   * @param {string} cell
   * @param {"bump" | "hit" | "guarded"} kind
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

  /** @param {string} card */
  title(card) {
    return this.deck.names[card] || card;
  }
}

const arrowHead = () =>
  s("defs", {}, s("marker", { id: "sen-so-head", viewBox: "0 0 10 10", refX: 7, refY: 5, markerWidth: 3.4, markerHeight: 3.4, orient: "auto" }, s("path", { d: "M0 0 L10 5 L0 10 L2.500 5 Z", class: "tip" })));
