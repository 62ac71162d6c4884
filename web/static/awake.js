// The screen stays on while a page of the table is looked at. Browsers allow it only on https or on the table itself;
// elsewhere the tablet's own setting has to do it.

import { t } from "./bootstrap.js";
import { maybe } from "./dom.js";

export function stayAwake() {
  if (!navigator.wakeLock) return;
  const lamp = maybe("awake");
  const tell = (/** @type {boolean} */ held) => {
    document.body.dataset.awake = held ? "held" : "free";
    if (!lamp) return;
    lamp.hidden = !held;
    lamp.title = t("The screen stays on");
  };
  const hold = async () => {
    if (document.hidden) return;
    try {
      const lock = await navigator.wakeLock.request("screen");
      lock.addEventListener("release", () => tell(false));
      tell(true);
    } catch (_) {
      tell(false); // low battery, or not allowed: the screen may go dark, the match goes on
    }
  };
  document.addEventListener("visibilitychange", hold);
  hold();
}
