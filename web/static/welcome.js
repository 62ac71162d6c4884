// The first visit: what is set up, step by step, with what the table finds at each of them.

import { t, welcome as first } from "./bootstrap.js";
import { byId, h, replace } from "./dom.js";
import { post } from "./tap.js";

const LOOK = 4000;
const LISTEN = 700;
const OPEN = ["language", "pin"];
const ANSWERS = ["ok", "simulated"];
const awaited = new Set(first.awaited);
let referee = first.referee;
/** Places whose panel was pressed. @type {Set<number>} */
const heard = new Set();
/** Places whose panel answers. @type {number[]} */
let panels = [];
/** What the game buttons show. */
let drawn = "";

const steps = () => /** @type {HTMLElement[]} */ (Array.from(document.querySelectorAll("#steps li")));

function draw() {
  for (const each of steps()) {
    const name = each.dataset.step || "";
    each.classList.toggle("done", !awaited.has(name));
    each.classList.toggle("locked", !referee && !OPEN.includes(name));
  }
  byId("claim").hidden = referee;
}

/** @param {string} step */
async function done(step) {
  const answer = await post("/api/welcome/done", { step });
  if (!answer.ok) {
    byId("fault").textContent = answer.text;
    return false;
  }
  if (step === "all") awaited.clear();
  else awaited.delete(step);
  draw();
  return true;
}

/** A panel is set up when somebody has pressed it, and not because it answers. */
const pressed = () => panels.every((place) => heard.has(place));

/** @param {CheckShown[]} checks */
function found(checks) {
  for (const place of /** @type {HTMLElement[]} */ (Array.from(document.querySelectorAll(".finding")))) {
    const names = (place.dataset.checks || "").split(" ");
    const mine = checks.filter((each) => names.includes(each.name));
    const trouble = mine.find((each) => each.state === "trouble");
    const undecided = mine.find((each) => each.state === "off" && each.link === "/");
    const shown = trouble || undecided || mine.find((each) => each.state === "ok") || mine[0];
    place.textContent = shown ? shown.text : "";
    place.classList.toggle("trouble", Boolean(trouble));
    const step = place.closest("li");
    const name = step ? step.dataset.step || "" : "";
    const set = mine.length && !trouble && !undecided && (name !== "panels" || pressed());
    if (set && awaited.has(name)) done(name);
  }
}

async function look() {
  if (!referee) return;
  try {
    const answer = await fetch("/api/doctor");
    if (answer.ok) found((await answer.json()).checks);
  } catch (_) {
    // It is tried again.
  }
}

/** @param {LobbyPage} page */
function games(page) {
  const now = JSON.stringify([page.games.map((each) => each.name), page.game]);
  if (now === drawn) return;
  drawn = now;
  replace(byId("games"), page.games.map((each) =>
    h("button", { type: "button", "aria-pressed": String(each.name === page.game), onclick: () => choose(each.name) }, each.title)));
}

/** @param {string} game */
async function choose(game) {
  const answer = await post("/api/lobby", { what: "game", data: { game } });
  byId("fault").textContent = answer.text;
  await listen();
  await look();
}

async function listen() {
  if (!referee) return;
  try {
    const answer = await fetch("/api/page");
    const page = await answer.json();
    if (!page.games) return; // a match is being played
    games(page);
    if (typeof page.asking === "number") heard.add(page.asking);
    panels = Object.entries(page.senses).filter(([name, each]) => /^panel \d+$/.test(name) && ANSWERS.includes(each.state)).map(([name]) => Number(name.slice(6)) - 1);
    const seats = [...heard].sort().map((place) => place + 1);
    if (seats.length) byId("pressed").textContent = t("Pressed: seat {seats}", { seats: seats.join(", ") });
    if (panels.length && pressed() && awaited.has("panels")) done("panels");
  } catch (_) {
    // It is tried again.
  }
}

byId("claim").addEventListener("submit", async (event) => {
  event.preventDefault();
  const answer = await post("/api/welcome/claim", { pin: /** @type {HTMLInputElement} */ (byId("pin")).value });
  byId("fault-pin").textContent = answer.text;
  if (!answer.ok) return;
  referee = true;
  awaited.delete("pin");
  draw();
  await listen();
  look();
});
byId("trial").addEventListener("click", async (event) => {
  if (!referee) return;
  event.preventDefault();
  await done("trial");
  window.location.href = "/?later";
});
byId("all").addEventListener("click", async () => {
  if (await done("all")) window.location.href = "/";
});
draw();
listen().then(look);
setInterval(look, LOOK);
setInterval(listen, LISTEN);
