// Sounds for the big moments, made of nothing but oscillators: wooden clappers for the count, a bell for the reveal and
// the end. Off until somebody switches them on; everything that sounds is also shown, so nobody needs to hear it.

import { t } from "./bootstrap.js";
import { maybe } from "./dom.js";
import { keep, recall } from "./kept.js";

/** @type {AudioContext | null} */
let context = null;
let on = recall("sounds") === "on";

/** Older browsers have it under another name. */
const Context = window.AudioContext || /** @type {{webkitAudioContext?: typeof AudioContext}} */ (/** @type {unknown} */ (window)).webkitAudioContext;

/**
 * Something that is struck: a pitch that dies away, with its overtones.
 * @param {AudioContext} audio
 * @param {number} pitch
 * @param {number} seconds
 * @param {number} loud
 * @param {number[]} overtones
 * @param {number} [after]
 */
function strike(audio, pitch, seconds, loud, overtones, after) {
  const begins = audio.currentTime + (after || 0);
  overtones.forEach((ratio, place) => {
    const tone = audio.createOscillator();
    const level = audio.createGain();
    tone.type = place ? "sine" : "triangle";
    tone.frequency.value = pitch * ratio;
    level.gain.setValueAtTime(loud / (place + 1), begins);
    level.gain.exponentialRampToValueAtTime(0.0001, begins + seconds / (1 + place * 0.5));
    tone.connect(level);
    level.connect(audio.destination);
    tone.start(begins);
    tone.stop(begins + seconds);
  });
}

const WOOD = [1, 2.7, 5.2];
const BELL = [1, 2.01, 2.76, 4.1];

/** @type {Record<string, (audio: AudioContext) => void>} */
const SOUNDS = {
  "count 3": (audio) => strike(audio, 620, 0.18, 0.5, WOOD),
  "count 2": (audio) => strike(audio, 620, 0.18, 0.5, WOOD),
  "count 1": (audio) => strike(audio, 740, 0.22, 0.6, WOOD),
  reveal: (audio) => {
    for (const after of [0, 0.09]) strike(audio, 1180, 0.35, 0.5, WOOD, after);
  },
  warning: (audio) => {
    for (const after of [0, 0.35]) strike(audio, 440, 0.6, 0.4, BELL, after);
  },
  turn: (audio) => {
    for (const after of [0, 0.16]) strike(audio, 523, 0.3, 0.35, BELL, after);
  },
  over: (audio) => strike(audio, 196, 4.5, 0.5, BELL),
};

/** Browsers play nothing before the first touch. */
function wake() {
  if (!on) return;
  if (!context && Context) context = new Context();
  if (context && context.state === "suspended") context.resume();
}

/** @param {string} moment */
export function sound(moment) {
  if (on && context && context.state === "running" && SOUNDS[moment]) SOUNDS[moment](context);
}

/** Switch the sounds on, for whoever needs to hear what others see. */
export function switchSounds() {
  const button = maybe("sound");
  if (button && !on) button.click();
}

/** The switch in the head line. */
export function soundSwitch() {
  const button = maybe("sound");
  if (!button || !Context) return;
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
