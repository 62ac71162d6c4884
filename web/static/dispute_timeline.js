// Presses, count, readings and rulings of a clip, one below the other on one line of time.

import { t } from "./bootstrap.js";
import { h } from "./dom.js";
import { badge } from "./seats.js";

const MILLI = 1000;

/**
 * @param {Dispute} known
 * @param {(at: number) => void} seek
 */
export function timeline(known, seek) {
  const long = Math.max(known.seconds, 0.001);
  const share = (/** @type {number} */ at) => `${((100 * Math.min(Math.max(at, 0), long)) / long).toFixed(3)}%`;

  /**
   * @param {string} kind
   * @param {number} from
   * @param {number} until
   * @param {string} title
   * @param {Child} [text]
   */
  const mark = (kind, from, until, title, text) => {
    const element = h("span", { class: `mark ${kind}`, title, onclick: () => seek(from) }, text || "");
    element.style.left = share(from);
    if (until > from) element.style.width = `calc(${share(until)} - ${share(from)})`;
    return element;
  };

  /**
   * @param {Child} label
   * @param {Child} marks
   */
  const lane = (label, marks) => h("div", { class: "lane" }, h("span", { class: "label" }, label), h("div", { class: "track" }, marks));

  const counted = known.counts.map((each, place) => {
    const until = place + 1 < known.counts.length ? known.counts[place + 1].at : long;
    if (each.stage !== "countdown" && each.stage !== "reveal") return null;
    const text = each.stage === "reveal" ? t("Turn up!") : String(each.count);
    return mark(`count ${each.stage}`, each.at, until, text, text);
  });
  const pressed = known.players.map((player, seat) => {
    const own = known.presses.filter((press) => press.player === player);
    return lane([badge(seat), player], own.map((press) => {
      const title = t("{player}: ready at {seconds} s, give or take {margin} ms", { player, seconds: press.at.toFixed(3), margin: Math.ceil(press.uncertainty * MILLI) });
      return [mark("margin", press.at - press.uncertainty, press.at + press.uncertainty, title), mark("press", press.at, press.at, title)];
    }));
  });
  const read = known.readings.filter((each) => each.at > 0).map((each) => mark("reading", each.at, each.at, each.place));
  const said = known.sentences.map((each) => mark(`sentence ${each.kind}`, each.at, each.at, each.text));
  const head = h("div", { class: "playhead" });
  const element = h("div", { class: "timeline" },
    lane(t("Count"), counted), pressed, lane(t("Camera"), [known.frames.map((frame) => mark("frame", frame.at, frame.at, t("A picture"))), read]), lane(t("Rulings"), said),
    h("div", { class: "over" }, head));
  return {
    element,
    /** @param {number} at */
    at: (at) => {
      head.style.left = share(at);
    },
  };
}
