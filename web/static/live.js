// The live stream: one per page. Every message holds the whole page, so nothing is missed for long.

import { first, lobby, ofTable } from "./bootstrap.js";

const STALE = 20000;
const LOST = 4000;

/** Another match, or the lobby: to the page that this browser has there. */
function moveOn() {
  if (first.role || lobby.places) window.location.replace("/go");
  else window.location.reload();
}

/**
 * Calls `show` with every page, and `stale` with whether the news is old.
 * @param {(page: any) => void} show
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
  const stream = new EventSource(`/events?as=${role}&lang=${first.language}${ofTable}`);
  stream.addEventListener("page", (event) => {
    alive();
    /** @type {AnyPage | LobbyPage} */
    const page = JSON.parse(event.data);
    if (page.build !== first.build) window.location.reload();
    else if (page.match !== first.page.match || page.game === undefined) moveOn();
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
