// What the desk asks before it does something, and how it is sent.

import { t, venue } from "../bootstrap.js";
import { byId, h, replace, write } from "../dom.js";
import { post } from "../tap.js";

/**
 * @param {string} words
 * @param {() => unknown} then
 * @param {string} [kind]
 */
export const action = (words, then, kind) => h("button", { type: "button", class: kind || "", onclick: () => then() }, words);

/**
 * Do something at the desk; what stands in its way is said below. What the venue answered, or null.
 * @param {object} body
 */
export async function send(body) {
  const answer = await post("/api/desk", body);
  write(byId("answer"), answer.ok ? "" : answer.text);
  if (answer.status === 403) window.location.reload();
  return answer.ok ? answer.said : null;
}

/**
 * @param {string} question
 * @param {Child[]} fields
 * @returns {Promise<boolean>}
 */
export function ask(question, fields) {
  /** @type {HTMLDialogElement} */
  const dialog = byId("ask");
  return new Promise((done) => {
    const end = (/** @type {boolean} */ sure) => {
      dialog.close();
      done(sure);
    };
    replace(
      dialog,
      h("form", { method: "dialog", onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        end(true);
      } }, h("h2", { id: "ask-title" }, question), fields, h("div", { class: "steps" }, h("button", { class: "ready" }, t("Yes")), h("button", { type: "button", onclick: () => end(false) }, t("No")))),
    );
    dialog.oncancel = () => done(false);
    dialog.showModal();
  });
}

export function beginForm() {
  const title = h("input", { value: "", maxlength: 60, required: true, id: "begin-title" });
  const game = h("select", { id: "begin-game" }, venue.games.map((each) => h("option", { value: each.id }, each.title)));
  /** @type {[string, string][]} */
  const kinds = [["swiss", t("Swiss, for two")], ["round_robin", t("Everybody against everybody")], ["knockout", t("Knock-out")], ["tables", t("Swiss, tables of three to six")]];
  const kind = h("select", { id: "begin-kind" }, kinds.map(([value, words]) => h("option", { value }, words)));
  const number = (/** @type {string} */ id, /** @type {number} */ value) => h("input", { id, type: "number", min: 0, max: 999, value });
  const rounds = number("begin-rounds", 0);
  const minutes = number("begin-minutes", 0);
  const between = number("begin-between", 3);
  const most = number("begin-most", 4);
  const alone = h("input", { id: "begin-alone", type: "checkbox", checked: true });
  const hold = h("input", { id: "begin-hold", type: "checkbox" });
  const row = (/** @type {string} */ words, /** @type {HTMLElement} */ field) => h("label", {}, h("span", {}, words), field);
  const size = row(t("Players at a table, at most"), most);
  const fit = () => {
    size.hidden = kind.value !== "tables";
  };
  kind.addEventListener("change", fit);
  fit();
  const begin = (/** @type {Event} */ event) => {
    event.preventDefault();
    const known = venue.games.find((each) => each.id === game.value);
    const many = kind.value === "tables";
    const least = many && known ? Math.max(3, known.least) : 2;
    send({
      what: "begin",
      rules: { title: title.value, kind: kind.value, game: game.value, rounds: Number(rounds.value), least, most: many ? Math.max(least, Number(most.value)) : 2, minutes: Number(minutes.value), between: Number(between.value), alone: alone.checked, hold: hold.checked },
    });
  };
  return h(
    "form",
    { class: "begin", onsubmit: begin },
    row(t("Name"), title),
    row(t("Game"), game),
    row(t("Kind"), kind),
    size,
    row(t("Rounds (0: as many as it takes)"), rounds),
    row(t("Minutes of a round (0: no limit)"), minutes),
    row(t("Minutes from the call to the start"), between),
    row(t("It runs by itself"), alone),
    row(t("Results wait for the arbiter"), hold),
    h("button", { class: "ready" }, t("Begin")),
  );
}
