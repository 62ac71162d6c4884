// The page that asks for a PIN.

import { byId } from "./dom.js";

/** @type {HTMLFormElement} */
const form = byId("login");
/** @type {HTMLInputElement} */
const pin = byId("pin");
const trouble = byId("trouble");

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const body = JSON.stringify({ role: form.dataset.role, pin: pin.value });
  const headers = { "Content-Type": "application/json" };
  try {
    const answer = await fetch("/api/login", { method: "POST", headers, body });
    if (answer.ok) {
      window.location.reload();
      return;
    }
    trouble.textContent = (await answer.json()).text;
  } catch (_) {
    trouble.textContent = form.dataset.away || "";
  }
  pin.value = "";
  pin.focus();
});
