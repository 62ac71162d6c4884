// A phone becomes the table's camera: one button, then it sends what it sees and shows what the table makes of it.

import { stayAwake } from "./awake.js";
import { camera, t } from "./bootstrap.js";
import { byId, h, replace, write } from "./dom.js";
import { PhoneStream } from "./phone_stream.js";
import { post } from "./tap.js";
import { outline } from "./viewfinder.js";

/** Milliseconds between two questions how the table lies in the picture: while it is being aimed, and afterwards. */
const AIMING = 1200;
const AIMED = 5000;
const NAME = "shinpan phone";

/** @type {HTMLVideoElement} */
const video = byId("picture");
/** @type {HTMLButtonElement} */
const beginButton = byId("begin");
/** @type {HTMLButtonElement} */
const measureButton = byId("measure");
/** @type {HTMLInputElement} */
const zoom = byId("zoom");
const torch = byId("torch");
let aiming = 0;

/** A page that is loaded again is the same phone. */
function ownName() {
  const known = window.sessionStorage.getItem(NAME);
  const name = known || Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  window.sessionStorage.setItem(NAME, name);
  return name;
}

const stream = new PhoneStream(video, ownName(), { sent, away, taken, opened });

/** @param {boolean} running */
function show(running) {
  byId("stage").dataset.state = running ? "seeing" : "waiting";
  beginButton.hidden = running;
  byId("dials").hidden = !running;
  byId("verdict").hidden = !running;
  byId("pace").hidden = !running;
  byId("pairing").hidden = running || !camera.referee;
  if (!running) {
    measureButton.hidden = true;
    replace(byId("words"));
    replace(byId("drawn"));
    write(byId("caption"), t("This phone is not the camera yet."));
  }
}

/**
 * @param {string} text
 * @param {string} [label]
 * @param {() => void} [act]
 */
function tell(text, label, act) {
  replace(byId("answer"), text && h("p", { class: "bad" }, text), label && h("button", { class: "act", onclick: act }, label));
}

/** @param {boolean} instead */
async function begin(instead) {
  beginButton.disabled = true;
  tell("");
  try {
    await stream.open();
    if (await claim(instead)) {
      stayAwake();
      show(true);
      stream.start();
      aim();
    }
  } catch (problem) {
    tell(problem instanceof Error ? problem.message : "");
  }
  if (!stream.running) stream.close();
  beginButton.disabled = false;
}

/**
 * Whether this phone is the camera now; where another one is, that is asked.
 * @param {boolean} instead
 */
async function claim(instead) {
  const answer = await post("/api/phone/begin", { phone: stream.phone, instead });
  if (answer.status === 403) window.location.reload();
  if (!answer.ok) tell(answer.text, answer.said.ask ? t("Use this phone instead") : "", () => begin(true));
  return answer.ok;
}

/** The table was started anew, or another phone has taken over. */
async function taken() {
  if (await claim(false)) return true;
  window.clearTimeout(aiming);
  stream.close();
  show(false);
  return false;
}

/**
 * @param {number} late
 * @param {number} rate
 */
function sent(late, rate) {
  byId("stage").dataset.state = "seeing";
  write(byId("caption"), "");
  const size = `${stream.canvas.width} × ${stream.canvas.height}`;
  write(byId("pace"), t("{size} · {rate} pictures a second · {late} ms on the way", { size, rate: rate.toFixed(0), late: late.toFixed(0) }));
}

/** @param {string} text */
function away(text) {
  byId("stage").dataset.state = "away";
  write(byId("caption"), text);
}

/** @param {MediaStreamTrack} track */
function opened(track) {
  /** @type {any} */
  const can = track.getCapabilities ? track.getCapabilities() : {};
  torch.hidden = !can.torch;
  torch.setAttribute("aria-pressed", "false");
  byId("zoom-field").hidden = !can.zoom;
  if (can.zoom) {
    zoom.min = String(can.zoom.min);
    zoom.max = String(Math.min(can.zoom.max, can.zoom.min * 5));
    zoom.step = String(can.zoom.step || 0.1);
    zoom.value = String(can.zoom.min);
  }
}

/** @param {object} setting */
function set(setting) {
  /** @type {any} */
  const advanced = { advanced: [setting] };
  if (stream.track) stream.track.applyConstraints(advanced).catch(() => {}); // some offer what they cannot do
}

/** What the table makes of the picture, until it has been measured and now and then afterwards. */
async function aim() {
  let wait = AIMING;
  try {
    const answer = document.hidden ? null : await fetch("/api/aim", { cache: "no-store" });
    if (answer && answer.ok && stream.running) wait = draw(await answer.json());
  } catch (_) {
    wait = AIMED;
  }
  if (stream.running) aiming = window.setTimeout(aim, wait);
}

/** @param {any} news */
function draw(news) {
  if (news.blind) {
    write(byId("verdict"), news.blind);
    byId("verdict").className = "verdict bad";
    return AIMING;
  }
  /** @type {AimShown} */
  const seen = news;
  const size = seen.size[0] / 40;
  byId("drawn").setAttribute("viewBox", `0 0 ${seen.size[0]} ${seen.size[1]}`);
  replace(
    byId("drawn"),
    seen.measured ? null : Object.keys(seen.zones).map((name) => outline(seen.zones[name], "zone", "", size)),
    Object.entries(seen.hidden).map(([number, corners]) => corners && outline(corners, "marker hidden", number, size)),
    Object.keys(seen.markers).map((number) => outline(seen.markers[number], "marker", number, size)),
  );
  write(byId("verdict"), verdict(seen));
  byId("verdict").className = `verdict ${seen.fits ? "good" : "bad"}`;
  replace(byId("words"), seen.words.map((word) => h("li", {}, word)));
  measureButton.hidden = !camera.referee || seen.measured || !seen.fits;
  return seen.fits && seen.measured ? AIMED : AIMING;
}

/** @param {AimShown} seen */
function verdict(seen) {
  if (!seen.fits) return t("The table is not whole in the picture yet.");
  if (!seen.measured) return camera.referee ? t("The whole table is in the picture: measure it.") : t("The whole table is in the picture: the referee can measure it now.");
  return t("The table sees through this phone.");
}

async function measure() {
  measureButton.disabled = true;
  const answer = await post("/api/measure", { clear: true, sure: true });
  measureButton.disabled = false;
  tell(answer.ok ? "" : answer.text);
}

async function stop() {
  window.clearTimeout(aiming);
  stream.stop();
  show(false);
  await post("/api/phone/leave", { phone: stream.phone });
}

beginButton.onclick = () => begin(false);
measureButton.onclick = measure;
byId("stop").onclick = stop;
torch.onclick = () => {
  const on = torch.getAttribute("aria-pressed") !== "true";
  torch.setAttribute("aria-pressed", String(on));
  set({ torch: on });
};
zoom.oninput = () => set({ zoom: Number(zoom.value) });
if (camera.referee) {
  byId("pairing").hidden = false;
  byId("code").setAttribute("src", "/api/phone/code.svg");
}
