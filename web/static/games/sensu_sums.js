// What cards add up to, and which can still be added to a combination of 20.

export const TARGET = 20;

/**
 * What a card may count: `hi_ogi-456-0` is a wild.
 * @param {string} card
 */
export const values = (card) => Array.from(card.split("-")[1], Number);

/** @param {string} card */
const wild = (card) => values(card).length > 1;

/**
 * The least that these cards add up to.
 * @param {string[]} cards
 */
export const least = (cards) => cards.reduce((sum, card) => sum + values(card)[0], 0);

/**
 * Whether this card can still be part of a combination with those.
 * @param {string} card
 * @param {string[]} chosen
 */
export const fits = (card, chosen) => least(chosen.concat(card)) <= TARGET && !(wild(card) && chosen.some(wild));
