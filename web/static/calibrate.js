// Calibration: the markers that are seen, where the zones would lie, what is wrong in words, and one button.

import { t } from "./bootstrap.js";
import { byId, h, replace, write } from "./dom.js";
import { post } from "./tap.js";
import { outline, Viewfinder } from "./viewfinder.js";

const PLACES = [t("near left"), t("near right"), t("far right"), t("far left")];
/** @type {HTMLButtonElement} */
const clearButton = byId("measure");
/** @type {HTMLButtonElement} */
const laidButton = byId("laid");
let told = "";
let busy = false;

/** @param {AimShown} aim */
function draw(aim) {
  const size = aim.size[0] / 60;
  const seen = Object.keys(aim.markers).map((number) => outline(aim.markers[number], "marker", number, size * 1.6));
  const hidden = Object.entries(aim.hidden).map(([number, corners]) => corners && outline(corners, "marker hidden", number, size * 1.6));
  const zones = Object.keys(aim.zones).map((name) => outline(aim.zones[name], aim.fits ? "zone" : "zone old", aim.places[name].split(": ").pop() || "", size * 0.8));
  tell(aim);
  return [zones, hidden, seen];
}

/** @param {boolean} disabled */
function disable(disabled) {
  clearButton.disabled = disabled;
  laidButton.disabled = disabled;
}

/** @param {AimShown} aim */
function tell(aim) {
  disable(busy || !aim.fits);
  clearButton.disabled = clearButton.disabled || aim.sheet;
  laidButton.hidden = !aim.measured && !aim.sheet;
  write(laidButton, aim.sheet ? t("Measure the lens with the sheet") : t("Measure with the cards lying there"));
  // Only what has changed is drawn again: it is read aloud.
  const key = JSON.stringify([aim.words, Object.keys(aim.markers), aim.fits, aim.scale]);
  if (key === told) return;
  told = key;
  const verdict = byId("verdict");
  verdict.hidden = false;
  verdict.className = `verdict ${aim.fits ? "good" : "bad"}`;
  write(verdict, aim.fits ? t("It can be measured: {scale} pixels to the millimetre.", { scale: aim.scale.toFixed(2) }) : t("It cannot be measured yet."));
  replace(byId("words"), aim.words.map((word) => h("li", {}, word)));
  replace(byId("markers"), PLACES.map((place, number) => h("li", { class: aim.markers[number] ? "seen" : "unseen-marker" }, h("b", {}, String(number)), place, h("span", {}, aim.markers[number] ? t("seen") : t("hidden")))));
}

/** @param {AimShown} aim */
const done = (aim) => (aim.sheet ? t("The lens is measured. Take the sheet away and measure the clear table.") : t("Measured. The referee uses it from now on."));

/** @param {string} text */
function blind(text) {
  told = "";
  disable(true);
  byId("verdict").hidden = true;
  replace(byId("words"), text && h("li", {}, text));
  replace(byId("markers"));
}

/**
 * @param {boolean} clear
 * @param {boolean} [sure]
 */
async function measure(clear, sure) {
  busy = true;
  disable(true);
  // A small computer takes its time.
  replace(byId("answer"), h("p", {}, t("Measuring …")));
  const answer = await post("/api/measure", { clear, sure: Boolean(sure) });
  busy = false;
  replace(
    byId("answer"),
    h("p", { class: answer.ok ? "good" : "bad" }, answer.ok ? done(answer.said) : answer.text),
    answer.said.ask && h("button", { class: "act", onclick: () => measure(clear, true) }, t("It is clear: measure anyway")),
  );
}

clearButton.onclick = () => measure(true);
laidButton.onclick = () => measure(false);
new Viewfinder({ ask: "/api/aim", picture: (/** @type {AimShown} */ aim) => `/api/aim/${aim.look}.jpg`, draw, trouble: blind }).start();
