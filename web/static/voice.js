// The page speaks: rulings, the count, and whose turn it is, in the viewer's language and by the browser's own voice. Off
// until somebody switches it on, on this device; whatever is spoken also stands on the page. A seat's page has a way of
// reading aloud that is made for its player, and not this.

import { first, t } from "./bootstrap.js";
import { maybe } from "./dom.js";
import { keep, recall } from "./kept.js";

const BACKLOG = 4;
const seated = first.page.players.includes(first.role);
let on = !seated && recall("voice") === "on";
let waiting = 0;

const speech = window.speechSynthesis;

/**
 * Say it after what is being said, or, where it cannot wait, at once. What nobody could follow any more is dropped.
 * @param {string} text
 * @param {boolean} [now]
 */
export function speak(text, now) {
  if (!on || !speech || !text) return;
  if (now || waiting >= BACKLOG) {
    speech.cancel();
    waiting = 0;
  }
  const said = new SpeechSynthesisUtterance(text);
  said.lang = first.language;
  said.voice = speech.getVoices().find((voice) => voice.lang.startsWith(first.language)) || null;
  said.onend = said.onerror = () => (waiting = Math.max(0, waiting - 1));
  waiting += 1;
  speech.speak(said);
}

/**
 * What is new on a page, in words.
 * @param {AnyPage} page
 * @param {AnyPage | null} before
 * @param {SaidShown<unknown>[]} news
 * @param {Drawing} game
 */
export function tell(page, before, news, game) {
  if (!before) return;
  if (page.stage === "countdown" && page.count && page.count !== before.count) {
    speak(game.call ? game.call(page.count) : String(page.count), true);
  } else if (page.stage === "reveal" && before.stage !== "reveal") speak(t("Turn up!"), true);
  for (const said of news) speak(said.text);
  speak(turn(page, before));
}

/**
 * Whose turn it is, where that is new: nothing where everybody acts at once.
 * @param {AnyPage} page
 * @param {AnyPage} before
 */
function turn(page, before) {
  const { awaited, players } = page;
  if (page.over || !awaited.length || awaited.length === players.length || awaited.join() === before.awaited.join()) return "";
  return awaited.length === 1 ? t("It is {player}'s turn.", { player: awaited[0] }) : t("Awaited: {players}.", { players: awaited.join(", ") });
}

/** The switch in the head line. */
export function voiceSwitch() {
  const button = maybe("voice");
  if (!button || !speech || seated) return;
  const show = () => {
    button.hidden = false;
    button.setAttribute("aria-pressed", String(on));
    button.title = on ? t("The voice is on") : t("The voice is off");
  };
  button.addEventListener("click", () => {
    on = !on;
    keep("voice", on ? "on" : "off");
    if (on) speak(t("The voice is on"), true);
    else speech.cancel();
    show();
  });
  show();
}
