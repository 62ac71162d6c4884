// What every page of the venue does: follow the news, and show where the round stands.

import { t, venue } from "../bootstrap.js";
import { byId, h, replace, write } from "../dom.js";
import { elapsed } from "../clock.js";

const STALE = 20000;

/**
 * @param {(page: VenuePage) => void} show
 * @param {string} [of] "hall": without the tables, and only when something has changed
 */
export function follow(show, of) {
  let heard = Date.now();
  let page = venue.page;
  let told = performance.now();
  const draw = () => head(page, (performance.now() - told) / 1000);
  const take = (/** @type {VenuePage} */ next) => {
    page = next;
    told = performance.now();
    show(page);
    draw();
  };
  take(page);
  const stream = new EventSource(`/events?as=${venue.role}&lang=${venue.language}&of=${of || ""}`);
  stream.addEventListener("page", (event) => {
    heard = Date.now();
    const next = JSON.parse(event.data);
    if (next.build !== venue.build) window.location.reload();
    else take(next);
  });
  stream.addEventListener("beat", () => {
    heard = Date.now();
  });
  stream.addEventListener("error", () => {
    if (stream.readyState === EventSource.CLOSED) window.setTimeout(() => window.location.reload(), 5000);
  });
  window.setInterval(() => {
    draw();
    const old = Date.now() - heard > STALE;
    const wanted = old ? t("No news from the venue. What you see may be old; trying again …") : page.broker ? "" : t("The venue does not reach its broker. The tables play on by themselves.");
    const banners = byId("banners");
    if (banners.textContent !== wanted) replace(banners, wanted ? h("p", { class: "banner lost" }, wanted) : null);
  }, 500);
  window.addEventListener("pagehide", () => stream.close());
}

/**
 * @param {VenuePage} page
 * @param {number} since
 */
function head(page, since) {
  const { round } = page;
  write(byId("title"), round.title || page.name);
  write(byId("progress"), standing(round));
  const clock = byId("round-clock");
  const left = round.ends ? round.ends - page.now - since : 0;
  clock.hidden = !round.ends && !round.paused;
  write(clock, round.paused ? t("Paused") : left > 0 ? elapsed(Math.ceil(left)) : t("Time is over"));
  clock.classList.toggle("last", Boolean(round.ends) && left < 60);
}

/** @param {RoundOut} round */
export function standing(round) {
  const facts = { round: round.round, rounds: round.rounds };
  if (round.stage === "registration") return t("Registration is open");
  if (round.stage === "called") return t("Round {round} of {rounds}: take your seats", facts);
  if (round.stage === "playing") return t("Round {round} of {rounds}", facts);
  if (round.stage === "break") return t("Round {round} of {rounds} is over", facts);
  if (round.stage === "over") return t("The tournament is over");
  return t("No tournament");
}

/**
 * Points as people write them: ½ for a half.
 * @param {number} scored
 */
export function points(scored) {
  const whole = Math.floor(scored);
  const rest = scored - whole;
  if (Math.abs(rest - 0.5) < 1e-6) return `${whole || ""}½`;
  return rest < 1e-6 ? String(whole) : scored.toFixed(2);
}
