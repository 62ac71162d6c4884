// The screen stays on while a page of the table is looked at. Browsers allow it only on https or on the table itself;
// elsewhere the tablet's own setting has to do it, and nothing here claims otherwise.

import { byId } from "./dom.js";
import { t } from "./bootstrap.js";

export function stayAwake() {
  if (!navigator.wakeLock) return;
  const lamp = byId("awake");
  const tell = (held) => {
    document.body.dataset.awake = held ? "held" : "free";
    if (lamp) lamp.hidden = !held;
    if (lamp) lamp.title = t("The screen stays on");
  };
  const hold = async () => {
    if (document.hidden) return;
    try {
      const lock = await navigator.wakeLock.request("screen");
      lock.addEventListener("release", () => tell(false));
      tell(true);
    } catch (error) {
      tell(false); // low battery, or not allowed: the screen may go dark, the match goes on
    }
  };
  document.addEventListener("visibilitychange", hold);
  hold();
}
