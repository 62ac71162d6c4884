// The live stream: one per page. Every message holds the whole page, so nothing is missed for long.

import { first } from "./bootstrap.js";

const STALE = 20000;
const LOST = 4000;

/**
 * Calls `show` with every page, and `stale` with whether the news is old.
 * @param {(page: AnyPage) => void} show
 * @param {(stale: boolean) => void} stale
 */
export function follow(show, stale) {
  let heard = Date.now();
  let patience = STALE;
  const alive = () => {
    heard = Date.now();
    patience = STALE;
    stale(false);
  };
  const role = encodeURIComponent(first.role);
  const stream = new EventSource(`/events?as=${role}&lang=${first.language}`);
  stream.addEventListener("page", (event) => {
    alive();
    /** @type {AnyPage} */
    const page = JSON.parse(event.data);
    if (page.build !== first.build || page.game !== first.page.game) window.location.reload();
    else show(page);
  });
  stream.addEventListener("beat", alive);
  stream.addEventListener("error", () => {
    patience = LOST;
    // A login that has ended, or a table that is full, does not come back by itself.
    if (stream.readyState === EventSource.CLOSED) window.setTimeout(() => window.location.reload(), 5000);
  });
  window.setInterval(() => stale(Date.now() - heard > patience), 1000);
  window.addEventListener("pagehide", () => stream.close());
}
