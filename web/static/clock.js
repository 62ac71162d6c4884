// The match clock: the server says where it stands, the browser counts on smoothly.

import { byId, write } from "./dom.js";

const shown = (seconds) => {
  const whole = Math.max(0, Math.floor(seconds));
  const pad = (number) => String(number).padStart(2, "0");
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  return hours ? `${hours}:${pad(minutes)}:${pad(whole % 60)}` : `${minutes}:${pad(whole % 60)}`;
};

export class Clock {
  constructor() {
    this.element = byId("clock");
    this.text = this.element.firstElementChild;
    this.told = { reached: 0, running: false, limit: null };
    this.since = performance.now();
    const step = () => {
      this.draw();
      window.requestAnimationFrame(step);
    };
    step();
  }

  tell(clock) {
    this.told = clock;
    this.since = performance.now();
    this.element.classList.toggle("stands", !clock.running);
  }

  draw() {
    const { reached, running, limit } = this.told;
    const now = reached + (running ? (performance.now() - this.since) / 1000 : 0);
    const left = limit === null ? null : Math.max(0, limit - now);
    // A countdown shows 0:01 until the very end: it is over when it says so.
    write(this.text, shown(left === null ? now : Math.ceil(left)));
    this.element.style.setProperty("--left", left === null ? 1 : (left / limit).toFixed(4));
    this.element.classList.toggle("last", left !== null && left <= 60);
  }
}
