// Paints the game's own cards, which the server describes as shapes in millimetres (y up), as SVG.

import { aboutGame } from "./bootstrap.js";
import { s } from "./dom.js";

/** @param {Point[]} points */
const corners = (points) => points.map((point) => `${point[0]},${-point[1]}`).join(" ");

/** @param {Polygon | Circle} shape */
const paint = (shape) => ({ fill: shape.fill || "none", stroke: shape.stroke || "none", "stroke-width": shape.width });

/** @param {Polygon | Circle | TextShape} shape */
function drawn(shape) {
  if (shape.type === "polygon") return s("polygon", Object.assign({ points: corners(shape.points) }, paint(shape)));
  if (shape.type === "circle") {
    const [cx, cy] = shape.centre;
    return s("circle", Object.assign({ cx, cy: -cy, r: shape.radius }, paint(shape)));
  }
  const [x, y] = shape.at;
  // A capital letter is about seven tenths of its font's size.
  const attributes = {
    "font-size": shape.size / 0.7,
    fill: shape.colour || "#000000",
    "text-anchor": "middle",
    "font-weight": 700,
    transform: `translate(${x} ${-y + shape.size / 2}) rotate(${-(shape.turn || 0)})`,
  };
  return s("text", attributes, shape.text);
}

/**
 * A card's face around the origin, `across` units wide; null where the deck has no such card. Null is the back.
 * @param {DeckShown} deck
 * @param {string | null} name
 * @param {number} across
 */
export function face(deck, name, across) {
  const found = name === null ? deck.back : deck.cards[name];
  if (!found) return null;
  return s("g", { class: "face", transform: `scale(${across / found.width})` }, found.shapes.map(drawn));
}

/**
 * A drawing as a picture of its own.
 * @param {Face} drawing
 */
export const picture = (drawing) =>
  s("svg", { viewBox: `${-drawing.width / 2} ${-drawing.height / 2} ${drawing.width} ${drawing.height}`, "aria-hidden": "true" }, drawing.shapes.map(drawn));

/**
 * The cards of the match that has the table, or of another one.
 * @param {string} [path]
 * @returns {Promise<DeckShown>}
 */
export async function fetchDeck(path) {
  const answer = await fetch(path || aboutGame("/api/deck"), { cache: "no-cache" });
  return answer.ok ? answer.json() : { cards: {}, back: null, names: {}, moves: {} };
}
