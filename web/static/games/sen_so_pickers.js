// Choosing in Sen So by tap: weapons as cards for an inventory of eight spaces, actions as a card and a direction.

import { h, replace } from "../dom.js";
import { cardPicker, picture } from "../picker.js";

// The eight directions of a card, clockwise from straight ahead of its player.
export const NAMES = ["F", "FR", "R", "BR", "B", "BL", "L", "FL"];
export const ARROWS = ["↑", "↗", "→", "↘", "↓", "↙", "←", "↖"];
const AROUND = ["FL", "F", "FR", "L", null, "R", "BL", "B", "BR"];

/**
 * @param {DrawingTools} tools
 * @param {(card: string) => string} title
 * @param {() => SenSo.InventoryView | null} inventory
 */
export function pickers({ t, deck }, title, inventory) {
  const sides = [t("ahead"), t("ahead to the right"), t("to the right"), t("back to the right"), t("back"), t("back to the left"), t("to the left"), t("ahead to the left")];
  const drawn = (/** @type {string} */ card) => picture(deck, card);

  /**
   * Weapons of the match: tap a card to take it along, a Shuriken up to twice.
   * @param {SenSo.Arm[]} moves
   * @param {Send<SenSo.Arm>} send
   */
  function arm(moves, send) {
    const { spaces, room } = inventory() || { spaces: {}, room: 0 };
    const filled = (/** @type {string[]} */ weapons) => weapons.reduce((sum, weapon) => sum + spaces[weapon], 0);
    const count = (/** @type {string} */ weapon) => Math.max(...moves.map(({ weapons }) => weapons.filter((each) => each === weapon).length));
    const told = h("p", { class: "hint", "aria-live": "polite" });
    const picker = cardPicker({
      cards: Object.keys(spaces),
      title: (weapon) => `${title(weapon)} · ${spaces[weapon]}`,
      picture: drawn,
      copies: count,
      most: room,
      fits: (weapon, chosen) => filled(chosen.concat(weapon)) <= room,
      label: () => t("Take these weapons"),
      done: (weapons) => send({ move: "arm", weapons }),
      changed: (weapons) => replace(told, t("{filled} of {room} spaces filled", { filled: filled(weapons), room })),
    });
    picker.prepend(told);
    picker.append(h("button", { class: "quiet", onclick: () => send({ move: "arm", weapons: [] }) }, t("Play without a weapon")));
    return picker;
  }

  /**
   * An action: the card, then the way it points, as its player sees the board.
   * @param {SenSo.RevealAction[]} moves
   * @param {Send<SenSo.RevealAction>} send
   */
  function reveal(moves, send) {
    const compass = h("div", { class: "compass" });
    const point = (/** @type {string} */ card) => (/** @type {string | null} */ name) => {
      if (name === null) return h("span", {}, drawn(card));
      const place = NAMES.indexOf(name);
      return h("button", { "aria-label": `${title(card)}: ${sides[place]}`, onclick: () => send({ move: "reveal", card, direction: name }) }, ARROWS[place]);
    };
    const picker = cardPicker({
      cards: Array.from(new Set(moves.map(({ card }) => card))),
      title,
      picture: drawn,
      changed: ([card]) => replace(compass, card && AROUND.map(point(card))),
    });
    picker.append(compass);
    return picker;
  }

  return { arm, reveal };
}
