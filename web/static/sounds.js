// Sounds for the big moments, made of nothing but oscillators: wooden clappers for the count, a bell for the reveal and
// the end. Off until somebody switches them on; every sound has its picture, so nobody needs to hear it.

import { byId } from "./dom.js";
import { t } from "./bootstrap.js";
import { keep, recall } from "./kept.js";

let context = null;
let on = recall("sounds") === "on";

/** A struck thing: a pitch that dies away, with its overtones. */
function strike(pitch, seconds, loud, overtones, after) {
  const begins = context.currentTime + (after || 0);
  overtones.forEach((ratio, place) => {
    const tone = context.createOscillator();
    const level = context.createGain();
    tone.type = place ? "sine" : "triangle";
    tone.frequency.value = pitch * ratio;
    level.gain.setValueAtTime(loud / (place + 1), begins);
    level.gain.exponentialRampToValueAtTime(0.0001, begins + seconds / (1 + place * 0.5));
    tone.connect(level);
    level.connect(context.destination);
    tone.start(begins);
    tone.stop(begins + seconds);
  });
}

const WOOD = [1, 2.7, 5.2];
const BELL = [1, 2.01, 2.76, 4.1];
const SOUNDS = {
  "count 3": () => strike(620, 0.18, 0.5, WOOD),
  "count 2": () => strike(620, 0.18, 0.5, WOOD),
  "count 1": () => strike(740, 0.22, 0.6, WOOD),
  reveal: () => [0, 0.09].forEach((after) => strike(1180, 0.35, 0.5, WOOD, after)),
  over: () => strike(196, 4.5, 0.5, BELL),
};

/** Browsers let nothing sound before the first touch. */
function wake() {
  if (!on) return;
  const Context = window.AudioContext || window.webkitAudioContext;
  if (!context && Context) context = new Context();
  if (context && context.state === "suspended") context.resume();
}

export function sound(moment) {
  if (on && context && context.state === "running" && SOUNDS[moment]) SOUNDS[moment]();
}

/** The switch in the head line. */
export function soundSwitch() {
  const button = byId("sound");
  if (!button || !(window.AudioContext || window.webkitAudioContext)) return;
  const show = () => {
    button.hidden = false;
    button.setAttribute("aria-pressed", String(on));
    button.title = on ? t("Sounds are on") : t("Sounds are off");
  };
  button.addEventListener("click", () => {
    on = !on;
    keep("sounds", on ? "on" : "off");
    wake();
    if (on) sound("count 3");
    show();
  });
  window.addEventListener("pointerdown", wake, { passive: true });
  show();
}
