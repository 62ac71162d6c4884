// The way of a phone's pictures to the table. One is on its way at a time, and the next is taken when the last has
// arrived: what cannot be sent is never taken, so nothing queues and every picture is as new as it can be.

import { t } from "./bootstrap.js";
import { Pace, turned } from "./phone_pace.js";

/** Milliseconds from picture to picture, at best. */
const EVERY = 100;
const AWAY = 1500;
/** Milliseconds after which a picture that has not arrived is given up. */
const LOST = 8000;
const REASONS = {
  NotAllowedError: () => t("The browser may not use the camera: allow it in its settings for this page, then tap again."),
  NotFoundError: () => t("This device has no camera."),
  NotReadableError: () => t("Another program uses this device's camera: close it, then tap again."),
};

/** @param {number} milliseconds */
const pause = (milliseconds) => new Promise((done) => window.setTimeout(done, Math.max(0, milliseconds)));

/** Why there is no camera, in words. */
export class CameraTrouble extends Error {}

/** How long a request may take; old browsers have no way to give one up. */
function givenUp() {
  if (!window.AbortController) return { signal: undefined, done: () => {} };
  const giving = new AbortController();
  const timer = window.setTimeout(() => giving.abort(), LOST);
  return { signal: giving.signal, done: () => window.clearTimeout(timer) };
}

export class PhoneStream {
  /**
   * @param {HTMLVideoElement} video
   * @param {string} phone
   * @param {{sent: (late: number, rate: number) => void, away: (text: string) => void, taken: () => Promise<boolean>, opened: (track: MediaStreamTrack) => void}} tell
   *   `taken`: another phone is the camera; whether this one goes on
   */
  constructor(video, phone, tell) {
    this.video = video;
    this.phone = phone;
    this.tell = tell;
    this.pace = new Pace();
    this.canvas = document.createElement("canvas");
    this.running = false;
    this.late = 0;
    /** @type {number[]} */
    this.times = [];
    /** @type {MediaStreamTrack | null} */
    this.track = null;
    this.began = { angle: 0, broad: true };
    document.addEventListener("visibilitychange", () => this.wake());
  }

  async open() {
    if (!window.isSecureContext || !navigator.mediaDevices) {
      throw new CameraTrouble(t("A browser gives its camera only to encrypted pages. Start the table with `shinpan serve --tls`, and open this page there."));
    }
    this.close();
    const wanted = { facingMode: { ideal: "environment" }, width: { ideal: 1920 }, height: { ideal: 1080 }, frameRate: { ideal: 15, max: 30 } };
    let stream;
    try {
      stream = await navigator.mediaDevices.getUserMedia({ audio: false, video: wanted });
    } catch (problem) {
      const name = problem instanceof Error ? problem.name : "";
      const reason = /** @type {Record<string, () => string>} */ (REASONS)[name];
      throw new CameraTrouble(reason ? reason() : t("The camera of this device cannot be opened."));
    }
    this.track = stream.getVideoTracks()[0];
    this.video.srcObject = stream;
    await this.video.play().catch(() => {});
    this.tell.opened(this.track);
  }

  close() {
    if (this.track) this.track.stop();
    this.track = null;
    this.video.srcObject = null;
  }

  get angle() {
    return window.screen.orientation ? window.screen.orientation.angle : 0;
  }

  start() {
    this.began = { angle: this.angle, broad: this.video.videoWidth >= this.video.videoHeight };
    if (this.running) return;
    this.running = true;
    this.pump();
  }

  stop() {
    this.running = false;
    this.close();
  }

  /** A phone that slept may have lost its camera. */
  async wake() {
    if (this.running && !document.hidden && (!this.track || this.track.readyState === "ended" || this.track.muted)) {
      await this.open().catch((problem) => this.tell.away(problem.message));
    }
  }

  async pump() {
    while (this.running) {
      const begin = performance.now();
      let wait = EVERY;
      if (this.ready()) wait = await this.send(begin);
      else if (!document.hidden) await this.wake();
      await pause(wait - (performance.now() - begin));
    }
  }

  ready() {
    return Boolean(!document.hidden && this.track && this.track.readyState === "live" && this.video.videoWidth);
  }

  /**
   * One picture; how long it may be until the next.
   * @param {number} begin
   */
  async send(begin) {
    const picture = await this.shot();
    if (!picture) return EVERY;
    const limit = givenUp();
    try {
      const headers = { "Content-Type": "image/jpeg", "X-Phone": this.phone, "X-Late": String(Math.round(this.late)) };
      const answer = await fetch("/api/phone/picture", { method: "POST", headers, body: picture, signal: limit.signal });
      if (answer.status === 403) window.location.reload();
      if (answer.status === 409) {
        this.running = await this.tell.taken();
        return EVERY;
      }
      if (!answer.ok) {
        this.pace.took(LOST);
        this.tell.away((await answer.json()).text);
        return AWAY;
      }
      this.arrived(begin);
      return EVERY;
    } catch (_) {
      this.pace.took(LOST);
      this.tell.away(t("The table does not answer; this goes on by itself when it does."));
      return AWAY;
    } finally {
      limit.done();
    }
  }

  /** @param {number} begin */
  arrived(begin) {
    const now = performance.now();
    this.late = now - begin;
    this.pace.took(this.late);
    this.times = [...this.times.slice(-15), now];
    const rate = this.times.length > 1 ? (1000 * (this.times.length - 1)) / (now - this.times[0]) : 0;
    this.tell.sent(this.late, rate);
  }

  /** @returns {Promise<Blob | null>} */
  shot() {
    const { videoWidth: wide, videoHeight: high } = this.video;
    const turn = turned(this.began.angle, this.angle, wide >= high !== this.began.broad);
    const scale = Math.min(1, this.pace.now.side / Math.max(wide, high));
    const [width, height] = [Math.round(wide * scale), Math.round(high * scale)];
    this.canvas.width = turn % 180 ? height : width;
    this.canvas.height = turn % 180 ? width : height;
    const paint = this.canvas.getContext("2d");
    if (!paint) return Promise.resolve(null);
    paint.translate(this.canvas.width / 2, this.canvas.height / 2);
    paint.rotate((turn * Math.PI) / 180);
    paint.drawImage(this.video, -width / 2, -height / 2, width, height);
    return new Promise((done) => this.canvas.toBlob(done, "image/jpeg", this.pace.now.quality));
  }
}
