// Guided enrolment: card by card through the deck, one look at each, by tap or by itself when a card lies still.

import { setup, t } from "./bootstrap.js";
import { byId, h, replace, s, write } from "./dom.js";
import * as faces from "./faces.js";
import { keep, recall } from "./kept.js";
import { post } from "./tap.js";
import { outline, Viewfinder } from "./viewfinder.js";

/** @type {HTMLButtonElement} */
const takeButton = byId("take");
/** @type {HTMLInputElement} */
const auto = byId("auto");
/** @type {DeckShown} */
let drawn = { cards: {}, back: null, names: {}, moves: {} };
/** What is enrolled; nothing until the table has told it.
 * @type {KnownShown} */
let known = { deck: "", cards: [], revision: 0, used: false, twins: [], trouble: "" };
let at = 0;
/** @type {SpotShown | null} */
let spot = null;
let busy = false;

const loaded = () => known.cards.length > 0;
const current = () => known.cards[at];

/** @param {string} card */
const named = (card) => (known.cards.find((each) => each.card === card) || { name: card }).name;

/**
 * The first card from here on that has no look yet, starting over at the end of the deck; -1: there is none.
 * @param {number} from
 */
function nextMissing(from) {
  for (let step = 0; step < known.cards.length; step += 1) {
    const place = (from + step) % known.cards.length;
    if (!known.cards[place].looks) return place;
  }
  return -1;
}

/** @param {number} place */
function go(place) {
  at = (place + known.cards.length) % known.cards.length;
  window.history.replaceState(null, "", `#${encodeURIComponent(current().card)}`);
  replace(byId("answer"));
  show();
}

/** @param {KnownShown} told */
function begin(told) {
  known = told;
  const kept = decodeURIComponent(window.location.hash.slice(1));
  const place = known.cards.findIndex((each) => each.card === kept);
  go(place >= 0 ? place : Math.max(0, nextMissing(0)));
}

// --- what is shown -------------------------------------------------------------------------------------------------

function show() {
  const done = known.cards.filter((each) => each.looks).length;
  /** @type {HTMLProgressElement} */
  const bar = byId("progress-bar");
  bar.max = known.cards.length;
  bar.value = done;
  write(byId("progress-text"), t("{done} of {all}", { done, all: known.cards.length }));
  wanted();
  looks();
  state(done);
  replace(byId("deck"), known.cards.map(chip));
  deeds();
}

/** @param {string} card */
function proxy(card) {
  const found = card === "back" ? drawn.back : drawn.cards[card];
  if (!found) return null;
  const box = `${-found.width / 2} ${-found.height / 2} ${found.width} ${found.height}`;
  return s("svg", { class: "proxy", viewBox: box, "aria-hidden": "true" }, faces.face(drawn, card === "back" ? null : card, found.width));
}

function wanted() {
  const { card, name, looks: count } = current();
  const ask = count ? t("This card is known. Take another look, or go on.") : card === "back" ? t("Lay any card face down, alone, its top away from seat 1.") : t("Lay this card face up, alone, its top away from seat 1.");
  replace(byId("wanted"), proxy(card), h("div", {}, h("h2", {}, name), h("p", {}, ask)), h("img", { class: "cut", id: "cut", alt: t("The card as it would be kept"), hidden: true }));
}

function looks() {
  const { card, looks: count } = current();
  const each = (/** @type {number} */ place) =>
    h("figure", {},
      h("img", { src: `/api/deck/looks/${encodeURIComponent(card)}/${place}.jpg?${known.revision}`, alt: t("A look at {card}", { card: named(card) }) }),
      h("button", { title: t("Take this look out"), "aria-label": t("Take this look out"), onclick: () => change("drop", { card, place, revision: known.revision }) }, "✕"));
  replace(byId("looks"),
    Array.from({ length: count }, (_, place) => each(place)),
    count > 0 && h("button", { class: "quiet", id: "instead", onclick: () => take(true) }, t("Take it again, instead of these")));
}

/**
 * @param {CardKnown} each
 * @param {number} place
 */
function chip(each, place) {
  const twin = known.twins.some((pair) => pair.includes(each.card));
  const kind = [each.looks ? "done" : "open", place === at ? "now" : "", twin ? "twin" : ""].join(" ");
  return h("li", {}, h("button", { class: kind, onclick: () => go(place), "aria-current": place === at ? "true" : null }, each.name, h("b", {}, each.looks ? (each.looks > 1 ? `✓${each.looks}` : "✓") : "–")));
}

/** @param {number} done */
function state(done) {
  const all = done === known.cards.length;
  const alike = known.twins.map(([one, other]) => h("p", { class: "bad" }, t("{one} and {other} are too alike to tell apart.", { one: named(one), other: named(other) })));
  const use = !known.used && done > 0 && h("button", { class: all ? "big" : "quiet", id: "use", onclick: () => change("use", {}) }, all ? t("Use these cards now") : t("Use them now, {count} are missing", { count: known.cards.length - done }));
  replace(byId("state"),
    known.trouble && h("p", { class: "bad" }, known.trouble),
    alike,
    all && h("p", { class: "good" }, t("Every card is enrolled.")),
    known.used && h("p", { class: "good" }, t("The referee reads with these looks.")),
    setup.simulated && h("p", { class: "about small" }, t("This is the virtual table: what is measured and enrolled here is forgotten with it.")),
    use,
    done > 0 && h("button", { class: "quiet", id: "anew", onclick: () => window.confirm(t("Forget all looks of this deck? The file stays beside it as .old.")) && change("anew", { revision: known.revision }) }, t("Start the deck over")));
}

function deeds() {
  takeButton.disabled = busy || !spot || !spot.card;
  write(takeButton, current().looks ? t("Take another look") : t("Take this look"));
}

// --- looking and taking --------------------------------------------------------------------------------------------

/** @param {SpotShown} news */
function draw(news) {
  spot = news;
  if (!loaded()) {
    load();
    return [];
  }
  const words = news.words.slice();
  const other = news.known && news.known !== current().card ? news.known : null;
  if (other) words.push(t("This looks like {card}, which is known already.", { card: named(other) }));
  byId("words").className = `words${news.card ? "" : " waiting"}`;
  if (byId("words").textContent !== words.join("")) replace(byId("words"), words.map((word) => h("li", {}, word)));
  /** @type {HTMLImageElement} */
  const cut = byId("cut");
  cut.hidden = !news.card;
  if (news.card) cut.src = `/api/deck/look/${news.look}.jpg?card`;
  deeds();
  if (auto.checked && news.still && !current().looks && !words.length) take(false);
  return news.card ? [outline(news.card, news.still ? "found still" : "found", "", 10)] : [];
}

/** @param {boolean} instead */
async function take(instead) {
  if (busy || !spot || !spot.card) return;
  const { card, name } = current();
  if (!(await change("take", { card, look: spot.look, instead }))) return;
  const next = nextMissing(at);
  if (next >= 0) go(next);
  else show();
  replace(byId("answer"), h("p", { class: "good" }, t("{card} is enrolled.", { card: name })));
}

/**
 * @param {"take" | "drop" | "use" | "anew"} what
 * @param {object} body
 */
async function change(what, body) {
  busy = true;
  deeds();
  const answer = await post(`/api/deck/${what}`, body);
  busy = false;
  if (answer.ok) {
    known = answer.said;
    if (what === "anew") at = 0;
    show();
  }
  replace(byId("answer"), answer.ok ? null : h("p", { class: "bad" }, answer.text));
  deeds();
  return answer.ok;
}

/** @param {string} text */
function blind(text) {
  spot = null;
  replace(byId("words"), text && h("li", {}, text));
  if (loaded()) deeds();
}

takeButton.onclick = () => take(false);
byId("skip").onclick = () => loaded() && go(at + 1);
byId("back").onclick = () => loaded() && go(at - 1);
auto.checked = recall("enrol.auto") === "yes";
auto.onchange = () => keep("enrol.auto", auto.checked ? "yes" : "no");

/** Ask what is known of the deck; again, where there was no camera yet. */
async function load() {
  const answer = await fetch("/api/deck/known", { cache: "no-store" });
  const said = await answer.json();
  if (said.cards) begin(said);
}

async function start() {
  drawn = await faces.fetchDeck();
  await load();
  new Viewfinder({ ask: "/api/deck/look", picture: (/** @type {SpotShown} */ news) => `/api/deck/look/${news.look}.jpg`, draw, trouble: blind }).start();
}

start();
