// A nudge for whoever has looked away: the phone shakes and sounds when it is one's turn. Browsers allow it after the
// first touch of the page, and a phone on silent stays silent.

import { sound } from "./sounds.js";

let awaited = true; // nobody is nudged for opening the page

/** @param {boolean} turn whether something is asked of this player */
export function nudge(turn) {
  if (turn && !awaited) {
    sound("turn");
    if (navigator.vibrate && navigator.userActivation && navigator.userActivation.hasBeenActive) navigator.vibrate([60, 60, 60]);
  }
  awaited = turn;
}
