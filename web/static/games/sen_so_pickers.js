// Choosing in Sen So by tap: weapons as cards for an inventory of eight spaces, actions as a card and a direction.

import { h, replace, s } from "../dom.js";
import { face } from "../faces.js";

// The eight directions of a card, clockwise from straight ahead of its player.
export const NAMES = ["F", "FR", "R", "BR", "B", "BL", "L", "FL"];
export const ARROWS = ["↑", "↗", "→", "↘", "↓", "↙", "←", "↖"];
const AROUND = ["FL", "F", "FR", "L", null, "R", "BL", "B", "BR"];

/**
 * @param {DrawingTools} tools
 * @param {(card: string) => string} title
 */
export function pickers({ t, deck }, title) {
  const picture = (/** @type {string} */ name) => s("svg", { viewBox: "-34 -34 68 68", "aria-hidden": "true" }, face(deck, name, 66));

  /**
   * @param {string} name
   * @param {boolean} chosen
   * @param {string} text
   * @param {() => void} onclick
   */
  const choice = (name, chosen, text, onclick) =>
    h("button", { class: "card-choice", "aria-pressed": String(chosen), onclick }, picture(name), h("span", {}, text));

  /**
   * Weapons of the match: tap a card to take it along, a Shuriken up to twice.
   * @param {SenSo.Arm[]} moves
   * @param {Send<SenSo.Arm>} send
   */
  function arm(moves, send) {
    /** @type {Record<string, number>} */
    const most = {};
    for (const { weapons } of moves) {
      for (const name of weapons) most[name] = Math.max(most[name] || 0, weapons.filter((each) => each === name).length);
    }
    const bags = new Set(moves.map(({ weapons }) => weapons.slice().sort().join()));
    /** @type {Record<string, number>} */
    const taken = {};
    const place = h("div", { class: "picker" });
    const draw = () => {
      /** @type {string[]} */
      const none = [];
      const bag = none.concat(...Object.keys(most).map((name) => Array(taken[name] || 0).fill(name)));
      const fits = bags.has(bag.slice().sort().join());
      const cards = Object.keys(most).map((name) => {
        const count = taken[name] || 0;
        const next = () => {
          taken[name] = (count + 1) % (most[name] + 1);
          draw();
        };
        return choice(name, count > 0, count > 1 ? `${title(name)} ×${count}` : title(name), next);
      });
      const why = fits ? "" : t("These do not fit into the inventory.");
      const done = h("button", { class: "big", disabled: !fits, onclick: () => send({ move: "arm", weapons: bag }) }, t("Take these weapons"));
      replace(place, h("div", { class: "card-choices" }, cards), h("p", { class: "why" }, why), done);
    };
    draw();
    return place;
  }

  /**
   * An action: the card, then the way it points, as its player sees the board.
   * @param {SenSo.RevealAction[]} moves
   * @param {Send<SenSo.RevealAction>} send
   */
  function reveal(moves, send) {
    const cards = Array.from(new Set(moves.map(({ card }) => card)));
    const place = h("div", { class: "picker" });
    const compass = (/** @type {string} */ card) => {
      const way = (/** @type {string | null} */ name) =>
        name === null
          ? h("span", {}, picture(card))
          : h("button", { "aria-label": name, onclick: () => send({ move: "reveal", card, direction: name }) }, ARROWS[NAMES.indexOf(name)]);
      return h("div", { class: "compass" }, AROUND.map(way));
    };
    const draw = (/** @type {string | null} */ chosen) => {
      const choices = cards.map((card) => choice(card, card === chosen, title(card), () => draw(card)));
      replace(place, h("div", { class: "card-choices" }, choices), chosen && compass(chosen));
    };
    draw(null);
    return place;
  }

  return { arm, reveal };
}
