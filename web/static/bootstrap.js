// What the server sent along with the page: language and words, and whatever this kind of page needs besides.

import { byId } from "./dom.js";

/** @type {any} */
const sent = JSON.parse(byId("first").textContent || "{}");

/** @type {LiveBootstrap<any, any, any, any>} */
export const first = sent;

/** @type {SetupBootstrap} */
export const setup = sent;

/** @type {CameraBootstrap} */
export const camera = sent;

/** @type {CardsBootstrap} */
export const cards = sent;

/** @type {UpkeepBootstrap} */
export const upkeep = sent;

/** @type {WelcomeBootstrap} */
export const welcome = sent;

/** @type {LobbyBootstrap} */
export const lobby = sent;

/** @type {VenueBootstrap} */
export const venue = sent;

/** At a venue, the part of an address that says which table is meant. */
export const ofTable = first.of ? `&of=${encodeURIComponent(first.of)}` : "";

/** @type {RulesBootstrap} */
const rules = sent;

/**
 * The address of something about the game that this page is about, in the viewer's language.
 * @param {string} path
 */
export const aboutGame = (path) => `${path}?lang=${first.language}${rules.game ? `&game=${encodeURIComponent(rules.game)}` : ""}${ofTable}`;

/** @type {HistoryBootstrap} */
export const past = sent;

/** @type {PeopleBootstrap} */
export const people = sent;

/** @type {ReviewBootstrap} */
export const review = sent;

/** Where a match is looked back at, the part of an address that says which one; empty: the one that has the table. */
export const ofMatch = review.match ? `match=${encodeURIComponent(review.match.name)}` : "";

/**
 * A sentence in the viewer's language; the English text is the key.
 * @type {Translate}
 */
export function t(template, facts) {
  const words = first.words[template] || template;
  return words.replace(/\{(\w+)\}/g, (all, name) => (facts && name in facts ? String(facts[name]) : all));
}
