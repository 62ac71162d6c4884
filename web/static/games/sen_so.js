// Sen So on the page: what is said beside the board. `sen_so_board.js` draws the board, `sen_so_pickers.js` the choices.

import { s } from "../dom.js";
import { Board } from "./sen_so_board.js";
import { ARROWS, NAMES, pickers } from "./sen_so_pickers.js";

/**
 * @param {DrawingTools} tools
 * @returns {Drawing<SenSo.Page, SenSo.Move, SenSo.Happening>}
 */
export const create = (tools) => new SenSoDrawing(tools);

class SenSoDrawing {
  /** @param {DrawingTools} tools */
  constructor(tools) {
    this.tools = tools;
    this.t = tools.t;
    this.element = s("svg", { class: "sen-so", role: "img" });
    /** @type {SenSo.InventoryView | null} */
    this.inventory = null;
    this.pickers = pickers(tools, (card) => this.title(card), () => this.inventory);
    /** @type {Board | null} the size of the board is known with the first page */
    this.board = null;
  }

  get shape() {
    return this.board ? this.board.shape : undefined;
  }

  /**
   * @param {SenSo.Page} page
   * @param {SenSo.Page | null} before
   * @param {SaidShown<SenSo.Happening>[]} news
   */
  update(page, before, news) {
    this.inventory = page.view.inventory;
    this.board = this.board || new Board(this.element, this.tools, page);
    this.board.update(page, before, news);
    const where = page.view.seats.filter((seat) => seat.cell !== null).map((seat) => `${seat.name} ${seat.cell}`);
    this.element.setAttribute("aria-label", `${this.progress(page)}. ${where.join(", ")}`);
  }

  /** @param {string} player */
  spot(player) {
    const seat = this.board && this.board.seats.find((each) => each.player === player);
    return seat ? seat.pawn.mark : null;
  }

  /** @param {string} card */
  title(card) {
    return this.tools.deck.names[card] || card;
  }

  /**
   * @param {SenSo.Page} page
   * @param {string} player
   * @returns {Standing}
   */
  standing(page, player) {
    const seat = page.view.seats.find((each) => each.name === player);
    if (!seat) return { score: null, won: false, out: false, notes: [] };
    return { score: seat.score, unit: Math.abs(seat.score) === 1 ? this.t("point") : this.t("points"), won: page.view.winners.includes(player), out: seat.out, notes: this.notes(page, seat) };
  }

  /**
   * @param {SenSo.Page} page
   * @param {SenSo.NinjaView} seat
   */
  notes(page, seat) {
    /** @type {StandingNote[]} */
    const notes = [];
    if (seat.loadout && seat.loadout.length) {
      const weapons = seat.loadout.map((name) => this.title(name)).join(", ");
      notes.push({ text: this.t("Inventory: {weapons}", { weapons }), kind: "secret" });
    }
    if (seat.out) notes.push({ text: this.t("Knocked out"), kind: "bad" });
    if (seat.weapon) notes.push({ text: this.title(seat.weapon), kind: "weapon" });
    if (seat.second) notes.push({ text: this.title(seat.second), kind: "weapon" });
    else if (page.view.phase !== "setup") notes.push(this.block(seat));
    if (seat.momentum) notes.push({ text: this.t("Momentum"), kind: "momentum" });
    if (seat.endurance !== null) notes.push({ text: this.t("Endurance {left}", { left: seat.endurance }), kind: "endurance" });
    return notes;
  }

  /**
   * @param {SenSo.NinjaView} seat
   * @returns {StandingNote}
   */
  block(seat) {
    if (seat.block === null || seat.block === "hidden") return { text: this.t("Block hidden"), kind: "hidden" };
    const shown = this.board ? this.board.shown(NAMES.indexOf(seat.block) + seat.facing) : 0;
    return { text: `${this.title("block")} ${ARROWS[shown]}`, kind: "open" };
  }

  /** @param {SenSo.Page} page */
  progress(page) {
    const { set, end, over } = page.view;
    if (over) return set === 1 ? this.t("1 set played") : this.t("{sets} sets played", { sets: set });
    const number = this.t("Set {number}", { number: set + 1 });
    if (end.actions) return `${number} / ${end.actions}`;
    if (end.points) return [number, this.t("to {points} points", { points: end.points })].join(" · ");
    return number;
  }

  /** @param {SenSo.Move} move */
  describe(move) {
    const { t } = this;
    const side = (/** @type {string | null | undefined} */ name) => ARROWS[NAMES.indexOf(name || "")];
    switch (move.move) {
      case "arm": return move.weapons.length ? move.weapons.map((name) => this.title(name)).join(", ") : t("No weapon");
      case "set": return move.slots.join() === "weapon" ? t("My start weapon lies face down") : t("My cards lie face down");
      case "show": return t("Start with {weapon}", { weapon: this.title(move.weapon) });
      case "change_block": return t("New block");
      case "change_weapon": return t("New weapon: {weapon}", { weapon: this.title(move.weapon) });
      case "second_weapon": return t("Second weapon: {weapon}", { weapon: this.title(move.weapon) });
      case "reveal": return `${this.title(move.card)} ${side(move.direction)}`;
      case "aim": return t("Attack {cell}", { cell: move.cell });
      case "guard": return move.direction ? `${this.title("block")} ${side(move.direction)}` : t("No block on that side");
      case "glance": return this.glance(move.result);
      case "rotate_block": return t("Rotate block: {side}", { side: move.direction });
      case "concede": return t("Concede");
    }
  }

  /** @param {SenSo.AsGlance["result"]} result */
  glance(result) {
    switch (result) {
      case "attack": return this.t("Glance: Attack");
      case "wound": return this.t("Glance: Wound");
      case "blow": return this.t("Glance: Blow");
    }
  }
}
