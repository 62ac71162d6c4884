// Seats are told apart by colour and by shape: the colours of Okabe and Ito, and a shape for whoever cannot see them.

import { s } from "./dom.js";

const COLOURS = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00"];

/**
 * The corners of a regular polygon; with a `waist`, of a star.
 * @param {number} corners
 * @param {number} turn
 * @param {number} radius
 * @param {number} [waist]
 */
const polygon = (corners, turn, radius, waist) => {
  const points = [];
  const steps = waist ? corners * 2 : corners;
  for (let step = 0; step < steps; step += 1) {
    const reach = waist && step % 2 ? radius * waist : radius;
    const angle = ((turn + (360 / steps) * step - 90) * Math.PI) / 180;
    points.push([reach * Math.cos(angle), reach * Math.sin(angle)]);
  }
  return points.map((point) => point.map((each) => each.toFixed(2)).join(",")).join(" ");
};

/** @type {((radius: number) => SVGElement)[]} */
const SHAPES = [
  (radius) => s("circle", { r: radius * 0.92 }),
  (radius) => s("polygon", { points: polygon(3, 0, radius * 1.22), transform: `translate(0 ${radius * 0.2})` }),
  (radius) => s("polygon", { points: polygon(4, 45, radius * 1.2) }),
  (radius) => s("polygon", { points: polygon(4, 0, radius * 1.18) }),
  (radius) => s("polygon", { points: polygon(6, 30, radius * 1.05) }),
  (radius) => s("polygon", { points: polygon(5, 0, radius * 1.25, 0.5) }),
];

/** @param {number} seat */
export const colour = (seat) => COLOURS[seat % COLOURS.length];

/**
 * The seat's sign, centred on the origin, for use inside a drawing.
 * @param {number} seat
 * @param {number} radius
 */
export function sign(seat, radius) {
  const shape = SHAPES[seat % SHAPES.length](radius);
  shape.setAttribute("fill", colour(seat));
  shape.setAttribute("class", "sign");
  shape.setAttribute("stroke-linejoin", "round");
  return shape;
}

/**
 * The seat's sign as a picture of its own, the size of the text around it.
 * @param {number} seat
 */
export const badge = (seat) => s("svg", { class: "badge", viewBox: "-12 -12 24 24", "aria-hidden": "true" }, sign(seat, 9));
