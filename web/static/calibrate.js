// Calibration: the markers that are seen, where the zones would lie, what is wrong in words, and one button.

import { byId, h, replace, write } from "./dom.js";
import { t } from "./bootstrap.js";
import { post } from "./tap.js";
import { outline, Viewfinder } from "./viewfinder.js";

const PLACES = ["near left", "near right", "far right", "far left"];
let told = "";
let busy = false;

function draw(aim) {
  const size = aim.size[0] / 60;
  const seen = Object.keys(aim.markers).map((number) => outline(aim.markers[number], "marker", number, size * 1.6));
  const hidden = Object.keys(aim.hidden).filter((number) => aim.hidden[number]).map((number) => outline(aim.hidden[number], "marker hidden", number, size * 1.6));
  const zones = Object.keys(aim.zones).map((name) => outline(aim.zones[name], aim.fits ? "zone" : "zone old", aim.places[name].split(": ").pop(), size * 0.8));
  tell(aim);
  return [zones, hidden, seen];
}

function tell(aim) {
  byId("measure").disabled = byId("laid").disabled = busy || !aim.fits;
  byId("laid").hidden = !aim.measured;
  // Only what has changed is drawn again: it is read aloud.
  const key = JSON.stringify([aim.words, Object.keys(aim.markers), aim.fits, aim.scale]);
  if (key === told) return;
  told = key;
  const verdict = byId("verdict");
  verdict.hidden = false;
  verdict.className = `verdict ${aim.fits ? "good" : "bad"}`;
  write(verdict, aim.fits ? t("It can be measured: {scale} pixels to the millimetre.", { scale: aim.scale.toFixed(2) }) : t("It cannot be measured yet."));
  replace(byId("words"), aim.words.map((word) => h("li", {}, word)));
  replace(byId("markers"), PLACES.map((place, number) => h("li", { class: aim.markers[number] ? "seen" : "unseen-marker" }, h("b", {}, String(number)), t(place), h("span", {}, aim.markers[number] ? t("seen") : t("hidden")))));
}

function blind(text) {
  told = "";
  byId("measure").disabled = byId("laid").disabled = true;
  byId("verdict").hidden = true;
  replace(byId("words"), text && h("li", {}, text));
  replace(byId("markers"));
}

async function measure(clear, sure) {
  busy = byId("measure").disabled = byId("laid").disabled = true;
  // A small computer takes its time.
  replace(byId("answer"), h("p", {}, t("Measuring …")));
  const answer = await post("/api/measure", { clear, sure: Boolean(sure) });
  busy = false;
  replace(
    byId("answer"),
    h("p", { class: answer.ok ? "good" : "bad" }, answer.ok ? t("Measured. The referee uses it from now on.") : answer.text),
    answer.said.ask && h("button", { class: "act", onclick: () => measure(clear, true) }, t("It is clear: measure all the same")),
  );
}

byId("measure").onclick = () => measure(true);
byId("laid").onclick = () => measure(false);
new Viewfinder({ ask: "/api/aim", picture: (aim) => `/api/aim/${aim.look}.jpg`, draw, trouble: blind });
