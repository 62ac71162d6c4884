// All rules of the game, found by number or by word; and what is easier drawn than said: what a weapon hits, which kamae
// is joined to which, what makes a combination.

import { aboutGame, t } from "./bootstrap.js";
import { h, replace, s } from "./dom.js";
import { face, fetchDeck } from "./faces.js";
import { ORIGINS, catalogue } from "./rulebook.js";

/**
 * Letters without their accents, so that "raggio" is found by "RAGGIO" and "ōgi" by "ogi".
 * @param {string} text
 */
const plain = (text) => text.normalize("NFD").replace(/[\u0300-\u036f]/g, "").toLowerCase();

/**
 * Put the rules into an element.
 * @param {HTMLElement} element
 */
export async function browse(element) {
  const [rules, answer, deck] = await Promise.all([catalogue(), fetch(aboutGame("/api/topics")), fetchDeck()]);
  /** @type {Topic[]} */
  const topics = answer.ok ? await answer.json() : [];
  const input = h("input", { type: "search", id: "rule-search", autocomplete: "off", placeholder: t("A number or a word") });
  const count = h("p", { class: "count", role: "status" });
  const drawn = h("ul", { class: "topics" });
  const list = h("dl", { class: "rule-list" });
  const show = () => {
    const words = plain(input.value).split(/\s+/).filter(Boolean);
    const fits = (/** @type {string} */ text) => words.every((word) => plain(text).includes(word));
    const told = (/** @type {Topic} */ topic) => [topic.title, ...topic.rules, ...topic.rules.map((rule) => rules[rule].text)].join(" ");
    const found = Object.keys(rules).filter((number) => fits(`${number} ${rules[number].text}`));
    replace(drawn, topics.filter((topic) => fits(told(topic))).map((topic) => drawTopic(topic, rules, deck)));
    replace(list, found.map((number) => [h("dt", { id: `rule-${number}` }, number), h("dd", {}, rules[number].text, " ", h("small", {}, ORIGINS[rules[number].origin] || ""))]));
    replace(count, found.length === 1 ? t("1 rule") : t("{count} rules", { count: found.length }));
  };
  input.addEventListener("input", show);
  replace(element, h("label", { class: "rule-search", for: "rule-search" }, t("Search the rules"), input), count, drawn, list);
  show();
}

/**
 * The rules beside the board: fetched when they are first opened, and given room while they are.
 * @param {HTMLElement} details
 */
export function readRules(details) {
  const inside = details.querySelector("div");
  details.addEventListener("toggle", () => {
    const open = details.hasAttribute("open");
    document.body.classList.toggle("reading", open);
    if (open && inside && !inside.firstChild) browse(inside);
  });
}

/**
 * @param {Topic} topic
 * @param {Record<string, RuleShown>} rules
 * @param {DeckShown} deck
 */
function drawTopic(topic, rules, deck) {
  const explained = topic.rules.map((rule) => h("p", {}, h("b", {}, rule), " ", rules[rule].text));
  return h("li", { class: "topic" }, h("h2", {}, topic.title), drawing(topic, deck), explained);
}

/**
 * @param {Topic} topic
 * @param {DeckShown} deck
 * @returns {Child}
 */
function drawing(topic, deck) {
  const shown = topic.drawing;
  if (shown.diagram === "squares") return squares(shown, topic.title);
  if (shown.diagram === "branches") return branches(shown, topic.title);
  return h("div", { class: "examples" }, shown.cards.map((card) => example(card, deck)));
}

/**
 * @param {string} card
 * @param {DeckShown} deck
 */
function example(card, deck) {
  const found = deck.cards[card];
  const name = deck.names[card] || card;
  if (!found) return h("span", {}, name);
  const picture = s("svg", { role: "img", "aria-label": name, viewBox: `${-found.width / 2} ${-found.height / 2} ${found.width} ${found.height}` });
  const painted = face(deck, card, found.width);
  if (painted) picture.append(painted);
  return picture;
}

const SIDE = 30;

/**
 * The squares round a piece. The button turns the attack as the card on the table is turned.
 * @param {Squares} shown
 * @param {string} title
 */
function squares(shown, title) {
  const reach = Math.max(2, ...shown.struck[0].map(([right, ahead]) => Math.max(Math.abs(right), Math.abs(ahead))));
  const size = (2 * reach + 1) * SIDE;
  const picture = s("svg", { class: "squares", role: "img", "aria-label": title, viewBox: `0 0 ${size} ${size}` });
  let turn = 0;
  const draw = () => {
    replace(picture);
    for (let row = -reach; row <= reach; row += 1) {
      for (let column = -reach; column <= reach; column += 1) {
        const struck = shown.struck[turn].some(([right, ahead]) => right === column && ahead === -row);
        picture.append(s("rect", { class: struck ? "struck" : "cell", x: (column + reach) * SIDE + 1, y: (row + reach) * SIDE + 1, width: SIDE - 2, height: SIDE - 2 }));
        if (struck) picture.append(s("path", { class: "cross", d: `M${(column + reach) * SIDE + 9} ${(row + reach) * SIDE + 9}l12 12m0 -12l-12 12` }));
      }
    }
    const middle = size / 2;
    picture.append(s("circle", { class: "piece", cx: middle, cy: middle, r: 9 }));
    picture.append(s("path", { class: "arrow", d: "M0 -13l5 8h-10z", transform: `translate(${middle} ${middle}) rotate(${turn * 45})` }));
  };
  draw();
  const step = () => {
    turn = (turn + 1) % shown.struck.length;
    draw();
  };
  return [picture, h("button", { class: "quiet", onclick: step }, t("Turn the attack"))];
}

/** Half the width and the height of a node. */
const NODE = [46, 26];

/**
 * @param {Branches} shown
 * @param {string} title
 */
function branches(shown, title) {
  const told = shown.arrows.map(([from, to]) => `${shown.nodes[from].title} → ${shown.nodes[to].title}`).join(", ");
  const picture = s("svg", { class: "branches", role: "img", "aria-label": `${title}: ${told}`, viewBox: "0 0 300 240" });
  const at = (/** @type {number} */ node) => ({ x: shown.nodes[node].at[0] * 300, y: shown.nodes[node].at[1] * 240 });
  for (const [from, to] of shown.arrows) {
    const [a, b] = [at(from), at(to)];
    const long = Math.hypot(b.x - a.x, b.y - a.y);
    const [dx, dy] = [(b.x - a.x) / long, (b.y - a.y) / long];
    // From rim to rim, and to the right of a branch that leads the other way.
    const side = shown.arrows.some(([one, other]) => one === to && other === from) ? 6 : 0;
    const rim = 1 / Math.hypot(dx / NODE[0], dy / NODE[1]);
    const [x1, y1] = [a.x + dx * (rim + 3) - dy * side, a.y + dy * (rim + 3) + dx * side];
    const [x2, y2] = [b.x - dx * (rim + 10) - dy * side, b.y - dy * (rim + 10) + dx * side];
    picture.append(s("line", { class: "branch", x1, y1, x2, y2 }));
    picture.append(s("path", { class: "head", d: "M8 0l-11 6v-12z", transform: `translate(${x2} ${y2}) rotate(${(Math.atan2(dy, dx) * 180) / Math.PI})` }));
  }
  shown.nodes.forEach((node, place) => {
    const { x, y } = at(place);
    picture.append(s("g", { class: `node ${node.kind}`, transform: `translate(${x} ${y})` }, s("ellipse", { rx: NODE[0], ry: NODE[1] }), s("text", { y: 4 }, node.title)));
  });
  return picture;
}
