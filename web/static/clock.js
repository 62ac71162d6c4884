// The match clock: the server says where it stands, the browser counts on smoothly.

import { animate, byId, write } from "./dom.js";
import { sound } from "./sounds.js";

/** @param {number} seconds */
export const elapsed = (seconds) => {
  const whole = Math.max(0, Math.floor(seconds));
  const pad = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  return hours ? `${hours}:${pad(minutes)}:${pad(whole % 60)}` : `${minutes}:${pad(whole % 60)}`;
};

export class Clock {
  constructor() {
    this.element = byId("clock");
    this.text = this.element.firstElementChild || this.element;
    /** @type {ClockShown} */
    this.told = { reached: 0, running: false, limit: null, now: 0 };
    this.since = performance.now();
    const step = () => {
      this.draw();
      window.requestAnimationFrame(step);
    };
    step();
  }

  /** @param {ClockShown} clock */
  tell(clock) {
    this.told = clock;
    this.since = performance.now();
    this.element.classList.toggle("stands", !clock.running);
  }

  /** The end is near: seen and, where sounds are on, heard. */
  warn() {
    sound("warning");
    animate(this.element, [{ opacity: 1 }, { opacity: 0.15 }, { opacity: 1 }], { duration: 700, iterations: 4 });
  }

  draw() {
    const { reached, running, limit } = this.told;
    const now = reached + (running ? (performance.now() - this.since) / 1000 : 0);
    if (limit === null) {
      write(this.text, elapsed(now));
      this.element.style.setProperty("--left", "1");
      this.element.classList.remove("last");
      return;
    }
    const left = Math.max(0, limit - now);
    // A countdown shows 0:01 until the very end: at 0:00 the match is over.
    write(this.text, elapsed(Math.ceil(left)));
    this.element.style.setProperty("--left", (left / limit).toFixed(4));
    this.element.classList.toggle("last", left <= 60);
  }
}
