// The lobby: a game, people round the table, how it is played, whether the table is well, and Start.

import { lobby as first, t } from "./bootstrap.js";
import { byId, h, maybe, replace, write } from "./dom.js";
import { picture } from "./faces.js";
import { follow } from "./live.js";
import { forms } from "./options.js";
import { badge, colour } from "./seats.js";
import { post } from "./tap.js";
import { sitting } from "./sitting.js";

const CHECK_EVERY = 4000;
const FIELDS = ["game", "players", "options"];

/** @type {LobbyPage} */
let page = first.page;
/** @type {Record<string, string>} */
const drawn = {};

/**
 * Draw a part of the page where what it shows has changed; the focus stays where it was.
 * @param {string} part
 * @param {unknown} shown
 * @param {() => void} draw
 */
function once(part, shown, draw) {
  const now = JSON.stringify(shown);
  if (drawn[part] === now) return;
  drawn[part] = now;
  const held = document.activeElement ? document.activeElement.id : "";
  draw();
  const again = held && maybe(held);
  if (again) again.focus();
}

/**
 * @param {ArrangeBody["what"]} what
 * @param {object} [data]
 */
async function arrange(what, data) {
  fault(await post("/api/lobby", { what, data: data || {} }));
}

/**
 * A refusal stands at the field that it is about, and the form shows again what holds.
 * @param {{ok: boolean, text: string, said: any}} answer
 */
function fault(answer) {
  for (const each of FIELDS) write(byId(`fault-${each}`), "");
  if (answer.ok) return;
  drawn.how = "";
  show(page);
  const place = at(answer.said.field);
  write(place, answer.text);
  place.scrollIntoView({ block: "nearest" });
}

/**
 * Where sentences about a field stand; an option has a place of its own.
 * @param {string} field
 */
function at(field) {
  const own = maybe(`fault-option-${field}`);
  if (own) /** @type {HTMLDetailsElement} */ (byId("all-options")).open = true;
  return own || maybe(`fault-${field}`) || byId("fault-options");
}

/** @param {LobbyPage} now */
function show(now) {
  page = now;
  once("banners", now.notices.concat(now.broken), () => replace(byId("banners"), now.notices.concat(now.broken).map((text) => h("p", { class: "banner" }, text))));
  once("tiles", [now.games, now.game], () => replace(byId("tiles"), now.games.map(tile)));
  once("round", [now.seats, now.bots, now.asking, now.game], round);
  once("how", [now.options, now.presets, now.game, now.seats, now.obstacle], how);
  once("start", [now.obstacle, now.game, now.bots], start);
  if (now.asking !== null && first.arranges) sitting(now.asking, page, fault);
}

/** @param {GameTile} game */
function tile(game) {
  const count = game.least === game.most ? String(game.least) : `${game.least}–${game.most}`;
  const facts = [t("Players: {count}", { count })];
  if (game.minutes) facts.push(t("{minutes} min", { minutes: game.minutes.join("–") }));
  const chosen = String(game.name === page.game);
  return h(
    "button",
    { class: "tile", id: `tile-${game.name}`, "aria-pressed": chosen, disabled: !first.arranges, onclick: () => arrange("game", { game: game.name }) },
    picture(game.face),
    h("strong", {}, game.title),
    h("span", { class: "facts" }, facts.map((each) => h("span", {}, each))),
    h("span", { class: "about" }, game.about),
  );
}

function round() {
  const chosen = page.games.find((game) => game.name === page.game);
  const seats = page.seats.map((name, place) => {
    const state = place === page.asking ? "asking" : name ? "taken" : "free";
    const mine = first.places.includes(place);
    const label = name || (place === page.asking ? t("Who is that?") : t("Sit down"));
    const seat = h(
      "button",
      { class: `place ${state}${mine ? " mine" : ""}`, id: `place-${place}`, "aria-label": t("Seat {number}: {name}", { number: place + 1, name: label }), onclick: () => sitting(place, page, fault) },
      badge(place),
      h("span", {}, label),
      mine ? h("small", {}, t("this phone")) : page.bots.includes(place) ? h("small", {}, t("bot")) : null,
    );
    seat.style.setProperty("--seat", colour(place));
    return seat;
  });
  const title = h("p", { class: "cloth" }, chosen ? chosen.title : t("Choose a game"), h("small", {}, t("At the table: {count}", { count: page.seats.filter(Boolean).length })));
  replace(byId("round"), seats, title);
}

function how() {
  byId("how").hidden = !page.game;
  const now = JSON.stringify(answers(page.options));
  const chips = page.presets.map((preset, place) =>
    h(
      "span",
      { class: "preset" },
      h("button", { class: "quiet", id: `preset-${place}`, "aria-pressed": String(JSON.stringify(answersOf(preset)) === now), disabled: !first.arranges, onclick: () => arrange("options", { options: preset.options }) }, preset.title),
      preset.own && h("button", { class: "drop", id: `drop-${place}`, "aria-label": t("Drop {title}", { title: preset.title }), onclick: () => arrange("drop_preset", { title: preset.title }) }, "×"),
    ),
  );
  replace(byId("presets"), chips);
  replace(byId("options"), forms(page, first.arranges, (options) => arrange("options", { options })), keeping());
  // Answers that contradict each other stay as they are; what is wrong stands with the one it is about.
  const { obstacle } = page;
  if (obstacle && page.options.some(({ name }) => name === obstacle.field)) write(at(obstacle.field), obstacle.text);
}

/**
 * What differs from what is usual.
 * @param {OptionShown[]} options
 */
function answers(options) {
  /** @type {Record<string, unknown>} */
  const found = {};
  for (const each of options) if (JSON.stringify(each.value) !== JSON.stringify(each.usual)) found[each.name] = each.value;
  return found;
}

/** @param {PresetShown} preset */
function answersOf(preset) {
  return answers(page.options.map((each) => Object.assign({}, each, { value: each.name in preset.options ? preset.options[each.name] : each.usual })));
}

/** A preset of one's own: the options as they are, under a name. */
function keeping() {
  if (!first.arranges) return null;
  const title = h("input", { id: "preset-title", maxlength: 40, placeholder: t("A name for these options"), "aria-label": t("A name for these options") });
  const keep = () => arrange("keep_preset", { title: title.value, options: answers(page.options) });
  return h("div", { class: "keeping" }, title, h("button", { type: "button", class: "quiet", id: "keep-preset", onclick: keep }, t("Keep")), h("p", { class: "fault", id: "fault-title", role: "alert" }));
}

function start() {
  const button = /** @type {HTMLButtonElement} */ (byId("start"));
  button.disabled = !first.arranges || page.obstacle !== null;
  const told = first.arranges ? (page.obstacle ? page.obstacle.text : "") : t("Here only the referee starts a match. Scan a seat's code to sit down.");
  const alone = page.virtual && page.bots.length === page.seats.filter(Boolean).length;
  write(byId("obstacle"), told || (alone ? t("Start, and watch the bots; or tap a seat and sit down yourself.") : ""));
  write(button, alone ? t("Watch") : t("Start"));
}

async function check() {
  if (!first.arranges || document.hidden) return;
  try {
    const answer = await fetch(`/api/lobby/checks?lang=${first.language}`);
    if (!answer.ok) return;
    /** @type {ChecksAnswer} */
    const found = await answer.json();
    once("checks", found, () =>
      replace(
        byId("checks"),
        found.checks.map((each) => h("li", { class: each.state }, h("span", {}, each.text), each.link && h("a", { href: each.link }, t("Mend it")))),
      ),
    );
  } catch (_) {
    // The table does not answer; the stream says so.
  }
}

byId("start").addEventListener("click", () => arrange("start"));
byId("options").addEventListener("submit", (event) => event.preventDefault());
const own = first.role ? [h("a", { href: "/upkeep" }, t("Looking after the table")), h("a", { href: "/cards" }, t("Cards"))] : h("a", { href: "/referee" }, t("Referee"));
replace(byId("doors"), h("a", { id: "to-rules", href: "/rules" }, t("Rules")), h("a", { href: "/history" }, t("History")), own);
show(page);
follow(show, (stale) => document.body.classList.toggle("stale", stale));
check();
window.setInterval(check, CHECK_EVERY);
