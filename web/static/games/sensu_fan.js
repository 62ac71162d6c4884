// A fan as it lies in front of its player: a section for every card, a rib for every stick, the missing ones as shadows.

import { s } from "../dom.js";

const FULL = 10;
const SPREAD = 156;
const STEP = SPREAD / FULL;
/** @type {Record<string, { dark: string, light: string }>} */
const PAINT = {
  gun_sen: { dark: "#1f4e9c", light: "#dbe6f5" },
  hi_ogi: { dark: "#2d7a3a", light: "#dff2dc" },
  mai_ougi: { dark: "#c2356f", light: "#fbe0ea" },
};

/**
 * @param {number} radius
 * @param {number} stick
 */
const at = (radius, stick) => {
  const angle = ((STEP * stick - SPREAD / 2 - 90) * Math.PI) / 180;
  return [radius * Math.cos(angle), radius * Math.sin(angle)];
};
/**
 * @param {number} radius
 * @param {number} stick
 */
const point = (radius, stick) => at(radius, stick).map((each) => each.toFixed(2)).join(" ");

/**
 * The rim of one stick's width; each type has a different outline, so that colour is not needed to tell them apart.
 * @param {string} kind
 * @param {number} radius
 * @param {number} stick
 */
function rim(kind, radius, stick) {
  if (kind === "gun_sen") return `A${radius} ${radius} 0 0 1 ${point(radius, stick + 1)}`;
  if (kind === "hi_ogi") return `L${point(radius, stick + 1)}`;
  return `Q${point(radius * 1.14, stick + 0.5)} ${point(radius, stick + 1)}`;
}

/**
 * @param {string} kind
 * @param {number} radius
 * @param {number} first
 * @param {number} sticks
 */
function leaf(kind, radius, first, sticks) {
  const inner = radius * 0.34;
  const edge = Array.from({ length: sticks }, (_, stick) => rim(kind, radius, first + stick)).join(" ");
  return `M${point(inner, first)} L${point(radius, first)} ${edge} L${point(inner, first + sticks)} A${inner} ${inner} 0 0 0 ${point(inner, first)} Z`;
}

/**
 * @param {number} radius
 * @param {number} stick
 */
const rib = (radius, stick) => {
  const [x, y] = at(radius * 0.96, stick + 0.5);
  return s("line", { x1: 0, y1: 0, x2: x.toFixed(2), y2: y.toFixed(2) });
};

/**
 * @param {Sensu.FanView} fan
 * @param {Sensu.FanCardView} card
 * @param {number} first
 * @param {number} radius
 */
function section(fan, card, first, radius) {
  const kind = fan.type;
  const { dark, light } = PAINT[kind];
  const middle = first + card.sticks / 2;
  const [x, y] = at(radius * 0.74, middle);
  const turn = STEP * middle - SPREAD / 2;
  const wild = card.values.length > 1;
  // The three digits of a wild run along the stick, never upside down.
  const along = turn < 0 ? turn + 90 : turn - 90;
  const value = s("text", { class: wild ? "value wild" : "value", fill: dark, transform: `translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${(wild ? along : turn).toFixed(1)})`, dy: "0.36em" }, card.values.join(""));
  /** @type {SVGElement[]} */
  const parts = [s("path", { d: leaf(kind, radius, first, card.sticks), fill: light, stroke: dark, "stroke-width": 1.6, "stroke-linejoin": "round" })];
  parts.push(s("g", { class: "ribs", stroke: dark }, Array.from({ length: card.sticks }, (_, stick) => rib(radius, first + stick))));
  // A disc behind the number keeps it readable over the ribs.
  const [px, py] = [x.toFixed(1), y.toFixed(1)];
  parts.push(s("circle", { cx: px, cy: py, r: wild ? 8 : 9.5, fill: light }), value);
  if (card.symbol) {
    const [sx, sy] = at(radius * 0.46, middle);
    parts.push(s("circle", { class: "symbol", cx: sx.toFixed(1), cy: sy.toFixed(1), r: 6 }));
    parts.push(s("text", { class: "letter", x: sx.toFixed(1), y: sy.toFixed(1), dy: "0.36em" }, fan.letter));
  }
  return s("g", { class: "section", "data-card": card.card }, parts);
}

/**
 * @param {string} kind
 * @param {number} radius
 */
function folded(kind, radius) {
  const { dark, light } = PAINT[kind];
  const tall = radius * 0.98;
  const ribs = [-0.1, -0.035, 0.035, 0.1].map((x) => s("line", { x1: 0, y1: 0, x2: (x * radius).toFixed(2), y2: (-tall).toFixed(2), stroke: dark, "stroke-width": 2 }));
  const body = `M${-radius * 0.05} 0 L${-radius * 0.16} ${-tall} L${radius * 0.16} ${-tall} L${radius * 0.05} 0 Z`;
  const band = { x: -radius * 0.15, y: -tall * 0.62, width: radius * 0.3, height: radius * 0.1, rx: 2, class: "band" };
  return s("g", { class: "section folded" }, s("path", { d: body, fill: light, stroke: dark, "stroke-width": 2.4, "stroke-linejoin": "round" }), ribs, s("rect", band));
}

/**
 * A fan around its hinge, opening upwards.
 * @param {Sensu.FanView} fan
 * @param {number} radius
 */
export function drawFan(fan, radius) {
  const { dark } = PAINT[fan.type];
  const hinge = s("circle", { class: "hinge", r: 4.5, fill: dark });
  if (fan.closed) return s("g", {}, folded(fan.type, radius), hinge);
  const ghost = fan.missing > 0 ? s("path", { class: "ghost", d: leaf(fan.type, radius, fan.sticks, fan.missing) }) : null;
  const ribs = s("g", { class: "ghost ribs" }, Array.from({ length: fan.missing }, (_, stick) => rib(radius, fan.sticks + stick)));
  let first = 0;
  const sections = fan.cards.map((card) => {
    const drawn = section(fan, card, first, radius);
    first += card.sticks;
    return drawn;
  });
  return s("g", {}, ghost, ribs, sections, hinge);
}
