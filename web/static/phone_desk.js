// On the referee's desk: how the phone is that is the table's camera, and the way back to the table's own.

import { t } from "./bootstrap.js";
import { byId, h, replace } from "./dom.js";
import { post } from "./tap.js";

const EVERY = 3000;

/** @param {PhoneShown} phone */
function told(phone) {
  if (!phone.sends) return phone.text;
  const facts = { size: phone.size.join(" × "), rate: phone.rate.toFixed(0), late: (1000 * phone.late).toFixed(0) };
  return t("The camera is a phone: {size}, {rate} pictures a second, {late} ms on the way.", facts);
}

export function watchPhone() {
  const place = byId("phone-camera");
  let last = "";

  async function look() {
    try {
      const answer = document.hidden ? null : await fetch("/api/phone", { cache: "no-store" });
      if (answer && answer.ok) show(await answer.json());
    } catch (_) {
      // the live stream says that the table is away
    }
    window.setTimeout(look, EVERY);
  }

  /** @param {PhoneShown} phone */
  function show(phone) {
    const key = phone.chosen ? told(phone) : "";
    if (key === last) return;
    last = key;
    place.hidden = !phone.chosen;
    const back = () => post("/api/phone/own", {});
    replace(place, key, phone.chosen && phone.own && h("button", { class: "quiet", onclick: back }, t("Use {camera} again", { camera: phone.own })));
  }

  look();
}
