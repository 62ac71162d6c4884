// The first visit: what is set up, step by step, with what the table finds at each of them.

import { t, welcome as first } from "./bootstrap.js";
import { byId } from "./dom.js";
import { post } from "./tap.js";

const LOOK = 4000;
const awaited = new Set(first.awaited);
let referee = first.referee;
/** @type {Set<number>} */
const heard = new Set();

const steps = () => /** @type {HTMLElement[]} */ (Array.from(document.querySelectorAll("#steps li")));

function draw() {
  for (const each of steps()) {
    const name = each.dataset.step || "";
    each.classList.toggle("done", !awaited.has(name));
    each.classList.toggle("locked", !referee && name !== "pin");
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

/** @param {CheckShown[]} checks */
function found(checks) {
  for (const place of /** @type {HTMLElement[]} */ (Array.from(document.querySelectorAll(".finding")))) {
    const names = (place.dataset.checks || "").split(" ");
    const mine = checks.filter((each) => names.includes(each.name));
    const trouble = mine.find((each) => each.state === "trouble");
    const shown = trouble || mine.find((each) => each.state === "ok") || mine[0];
    place.textContent = shown ? shown.text : "";
    place.classList.toggle("trouble", Boolean(trouble));
    const step = place.closest("li");
    const name = step ? step.dataset.step || "" : "";
    if (!trouble && mine.length && awaited.has(name)) done(name);
  }
}

async function look() {
  if (!referee) return;
  try {
    const answer = await fetch("/api/doctor");
    if (answer.ok) found((await answer.json()).checks);
    const lobby = await fetch("/api/page");
    const page = await lobby.json();
    if (typeof page.asking === "number") heard.add(page.asking + 1);
    if (heard.size) byId("pressed").textContent = t("Pressed: seat {seats}", { seats: [...heard].sort().join(", ") });
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
look();
setInterval(look, LOOK);
