// Sending: every tap is a POST, and a refusal comes back as a sentence.

import { first, t } from "./bootstrap.js";
import { h, maybe, replace } from "./dom.js";
import { chip } from "./rulebook.js";

/**
 * @param {string} path
 * @param {object} body
 * @returns {Promise<{ok: boolean, status: number, text: string, refused: string[], said: any}>}
 */
export async function post(path, body) {
  try {
    const headers = { "Content-Type": "application/json" };
    const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
    const said = await answer.json();
    return { ok: answer.ok, status: answer.status, text: said.text || "", refused: said.refused || [], said };
  } catch (_) {
    return { ok: false, status: 0, text: t("The table does not answer. Nothing was sent."), refused: [], said: {} };
  }
}

/**
 * Tap something as the role of this page; a refusal is shown where the person looks.
 * @param {TapBody["what"]} what
 * @param {object} [data]
 */
export async function tap(what, data) {
  const answer = await post("/api/tap", { what, data: data || {}, as: first.role });
  const place = maybe("answer");
  if (place) replace(place, answer.ok ? null : [h("p", {}, answer.text), answer.refused.map(chip)]);
  if (answer.status === 403) window.location.reload();
  return answer.ok;
}
