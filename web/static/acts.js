// What somebody can do now, by the kinds of move that are awaited: big buttons, cards to choose from, or the game's own
// picker.

import { t } from "./bootstrap.js";
import { h } from "./dom.js";
import { cardPicker, picture } from "./picker.js";
import { remembering } from "./remember.js";
import { tap } from "./tap.js";

const LIKELY = 2;
const FEW = 4;

/**
 * Draws what is offered, kind by kind. What is still offered stays as it is: somebody may be in the middle of choosing.
 * @param {Send<AnyMove>} send
 * @param {DeckShown} deck
 * @returns {(offer: Offer<AnyMove>, game: Drawing) => HTMLElement[]}
 */
export function chooser(send, deck) {
  /** @type {Map<string, HTMLElement>} */
  let kept = new Map();
  return ({ moves, parts }, game) => {
    const before = kept;
    kept = new Map();
    for (const kind of new Set(moves.map((move) => move.move).concat(Object.keys(parts)))) {
      const same = moves.filter((move) => move.move === kind);
      const key = JSON.stringify([kind, same, parts[kind]]);
      kept.set(key, before.get(key) || drawn(kind, same, game, send, deck, parts[kind]));
    }
    return Array.from(kept.values());
  };
}

/**
 * @param {string} kind
 * @param {AnyMove[]} moves
 * @param {Drawing} game
 * @param {Send<AnyMove>} send
 * @param {DeckShown} deck
 * @param {Parts | undefined} parts
 * @returns {HTMLElement}
 */
function drawn(kind, moves, game, send, deck, parts) {
  if (game.pickers[kind]) return game.pickers[kind](moves, send, parts);
  if (parts) return assembled(kind, parts, game, send, deck);
  const field = moves.length > FEW && cardField(moves, deck);
  if (field) return oneCard(moves, field, game, send, deck);
  return h("div", { class: "choices" }, moves.map((move) => h("button", { class: "big", "data-key": JSON.stringify(move), onclick: () => send(move) }, game.describe(move))));
}

/**
 * The field by which moves differ, where it is a card each time and there is nothing else in them.
 * @param {AnyMove[]} moves
 * @param {DeckShown} deck
 */
function cardField(moves, deck) {
  const field = Object.keys(moves[0]).find((name) => name !== "move") || "";
  return moves.every((move) => Object.keys(move).length === 2 && move[field] in deck.cards) && field;
}

/**
 * @param {AnyMove[]} moves
 * @param {string} field
 * @param {Drawing} game
 * @param {Send<AnyMove>} send
 * @param {DeckShown} deck
 */
function oneCard(moves, field, game, send, deck) {
  const of = (/** @type {string} */ card) => /** @type {AnyMove} */ (moves.find((move) => move[field] === card));
  return cardPicker({
    cards: moves.map((move) => move[field]),
    title: (card) => deck.names[card] || card,
    picture: (card) => picture(deck, card),
    label: ([card]) => game.describe(of(card)),
    done: ([card]) => send(of(card)),
  });
}

/**
 * Any move that is put together from parts.
 * @param {string} kind
 * @param {Parts} parts
 * @param {Drawing} game
 * @param {Send<AnyMove>} send
 * @param {DeckShown} deck
 */
function assembled(kind, parts, game, send, deck) {
  const move = (/** @type {string[]} */ chosen) => ({ move: kind, [parts.field]: chosen });
  return cardPicker({
    cards: Object.keys(parts.of),
    title: (part) => deck.names[part] || part,
    picture: (part) => picture(deck, part),
    copies: (part) => parts.of[part],
    least: parts.least,
    most: parts.most,
    label: (chosen) => game.describe(move(chosen)),
    done: (chosen) => send(move(chosen)),
  });
}

/**
 * A card that the camera is not sure of: its likeliest names, any other, or none.
 * @param {Question} question
 * @param {DeckShown} deck
 */
export function settle(question, deck) {
  const look = remembering(question.zone);
  const named = (/** @type {string} */ card) => deck.names[card] || card;
  const fix = async (/** @type {string | null} */ card) => {
    if ((await tap("correct", { zone: question.zone, card, rotation: question.rotation })) && card !== null) look.keep(card, named(card));
  };
  const likely = question.guesses.slice(0, LIKELY).map((card) => h("button", { class: "big", onclick: () => fix(card) }, named(card)));
  const others = h("select", { "aria-label": t("Another card") });
  others.addEventListener("change", () => others.value && fix(others.value));
  others.append(h("option", { value: "" }, t("Another card")), ...Object.keys(deck.cards).map((card) => h("option", { value: card }, named(card))));
  const down = h("button", { class: "quiet", onclick: () => fix(null) }, t("It lies face down"));
  return h("div", { class: "question" }, look.crop, h("p", {}, t("Which card lies at {zone}?", { zone: question.place })), h("div", { class: "likely" }, likely), others, down, look.tick);
}

/**
 * Every move that a player may make, asked for when it is wanted: the tablet stands in for the camera.
 * @param {string} player
 * @returns {Promise<Offer<AnyMove> | null>} null: the table did not answer
 */
export async function open(player) {
  try {
    const answer = await fetch(`/api/options?player=${encodeURIComponent(player)}`);
    return answer.ok ? await answer.json() : null;
  } catch (_) {
    return null;
  }
}

/**
 * @param {string} text
 * @param {() => unknown} onclick
 * @param {string} [kind]
 */
export const button = (text, onclick, kind) => h("button", { class: kind || "big", onclick }, t(text));
