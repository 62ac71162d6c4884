// A phone registers its owner: one name, once.

import { t } from "../bootstrap.js";
import { byId, h, replace } from "../dom.js";
import { post } from "../tap.js";
import { follow } from "./follow.js";

/** @type {HTMLFormElement} */
const form = byId("register");
/** @type {HTMLInputElement} */
const name = byId("name");

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const answer = await post("/api/register", { name: name.value });
  replace(byId("fault"), answer.ok ? "" : answer.text);
  replace(byId("done"), answer.ok ? t("{name} is registered. The pairings say where you sit.", { name: name.value }) : "");
  if (answer.ok) {
    window.sessionStorage.setItem("me", name.value.trim());
    form.reset();
  }
});

follow((page) => {
  replace(byId("entrants"), page.entrants.map((each) => h("li", { class: each.left ? "left" : "" }, each.name)));
}, "hall");
