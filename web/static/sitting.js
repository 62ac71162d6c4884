// The dialog of one seat: who sits there, the code to scan, standing up.

import { lobby as first, t } from "./bootstrap.js";
import { byId, h, replace, write } from "./dom.js";
import { badge } from "./seats.js";
import { post } from "./tap.js";

/** @typedef {(answer: {ok: boolean, text: string, said: any}) => void} Fault */

/**
 * @param {number} place
 * @param {LobbyPage} page
 * @param {Fault} fault
 */
export function sitting(place, page, fault) {
  const dialog = /** @type {HTMLDialogElement} */ (byId("sitting"));
  if (dialog.open && dialog.dataset.place === String(place)) return;
  dialog.dataset.place = String(place);
  const bot = page.bots.includes(place);
  const name = bot ? "" : page.seats[place];
  const mine = first.places.includes(place);
  const trouble = h("p", { class: "fault", role: "alert" });
  const input = h("input", { id: "sitting-name", maxlength: 40, value: name, "aria-label": t("Name"), placeholder: t("Name"), autocomplete: "off" });
  const own = h("input", { type: "checkbox", id: "sitting-own", checked: page.virtual });
  const close = () => dialog.close();
  const sit = async (/** @type {string} */ who) => {
    const claim = own.checked && !mine;
    const answer = await post("/api/lobby/sit", { place, name: who, claim });
    if (!answer.ok) write(trouble, answer.text);
    else if (claim) window.location.reload();
    else close();
  };
  const stand = async () => {
    fault(await post("/api/lobby", { what: "stand", data: { place } }));
    close();
  };
  const renew = async () => {
    const answer = await post("/api/seat/renew", { place });
    if (answer.ok) code.src = `/api/lobby/codes/${place}.svg?${Date.now()}`;
    else write(trouble, answer.text);
  };
  const form = h("form", { class: "name" }, input, h("button", { class: "act" }, name ? t("Change the name") : t("Sit down")));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    sit(input.value);
  });
  const code = h("img", { class: "code", alt: t("The code of this seat"), src: first.codes ? `/api/lobby/codes/${place}.svg?${Date.now()}` : null });
  const may = first.arranges || mine;
  replace(
    dialog,
    h("h2", { id: "sitting-title" }, badge(place), name || t("Seat {number}", { number: place + 1 }), bot && h("small", {}, t("a bot plays here"))),
    may ? [page.people.length > 0 && h("p", { class: "people" }, page.people.map((each) => h("button", { class: "quiet", onclick: () => sit(each) }, each))), form] : h("p", {}, t("Scan this seat's code with a phone to sit down.")),
    may && !mine && !name && h("label", { class: "remember" }, own, t("I play with this phone")),
    trouble,
    first.codes && h("figure", {}, code, h("figcaption", {}, t("Scan it with your phone to play from there."))),
    h("p", { class: "deeds" }, name && may ? h("button", { class: "quiet", onclick: stand }, t("Stand up")) : null, first.codes && h("button", { class: "quiet", onclick: renew }, t("A new code: log out every phone")), h("button", { class: "quiet", onclick: close }, t("Close"))),
  );
  if (!dialog.open) dialog.showModal();
  if (may) input.focus();
}
