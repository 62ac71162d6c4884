// The referee's acts by hand as forms: what, how much, and why. A reason is a tap or a sentence of one's own.

import { first, t } from "./bootstrap.js";
import { h, replace } from "./dom.js";
import { chip } from "./rulebook.js";
import { post } from "./tap.js";

const REASONS = {
  time: [t("A dispute"), t("An interruption"), t("A late start")],
  award: [t("A card was touched after ready"), t("Looked at a covered card"), t("A wrong score"), t("Unfair play")],
  rule: [t("A warning."), t("Play on: nothing happened."), t("Cards stay where they lie.")],
  end: [t("The players agree"), t("It is late"), t("Somebody has to leave"), t("Unfair play")],
};
const HOW = { agreed: t("Agreed"), conceded: t("Conceded"), abandoned: t("Abandoned"), disqualified: t("Disqualified") };
let forms = 0;

/**
 * A sentence that is chosen with one tap or written.
 * @param {string} label
 * @param {string[]} known
 * @param {string} [id]
 */
export function worded(label, known, id) {
  forms += 1;
  const input = h("input", { id: id || `reason-${forms}`, placeholder: label, "aria-label": label, autocomplete: "off", maxlength: 200 });
  const taps = known.map((text) => {
    const tap = h("input", { type: "radio", name: `reasons-${forms}`, onchange: () => { input.value = text; } });
    return h("label", { class: "reason" }, tap, h("span", {}, text));
  });
  return { input, element: h("div", { class: "worded" }, input, h("div", { class: "reasons", role: "radiogroup", "aria-label": label }, taps)) };
}

/**
 * Send an act; what is wrong with it stands in the form, and the form stays.
 * @param {TapBody["what"]} what
 * @param {object} data
 * @param {HTMLElement} place
 */
export async function submit(what, data, place) {
  const answer = await post("/api/tap", { what, data, as: first.role });
  replace(place, answer.ok ? null : [answer.text, " ", answer.refused.map(chip)]);
  return answer.ok;
}

/**
 * @param {string} title
 * @param {Child} fields
 * @param {string} label
 * @param {TapBody["what"]} what
 * @param {() => object} data
 * @param {() => void} close
 */
function form(title, fields, label, what, data, close) {
  const wrong = h("p", { class: "wrong", role: "alert" });
  const send = async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (await submit(what, data(), wrong)) close();
  };
  return h("form", { class: "act-form", onsubmit: send, novalidate: true },
    h("h3", {}, title), fields, wrong,
    h("div", { class: "row" }, h("button", { class: "act" }, label), h("button", { class: "quiet", type: "button", onclick: close }, t("Cancel"))));
}

/**
 * @param {string} label
 * @param {number} value
 */
const amount = (label, value) => h("input", { type: "number", value, step: 1, "aria-label": label });

/**
 * @param {string[]} players
 * @param {string} [none]
 */
const whoever = (players, none) => h("select", { "aria-label": t("Player") }, none && h("option", { value: "" }, none), players.map((player) => h("option", { value: player }, player)));

/**
 * @param {number} minutes
 * @param {() => void} close
 */
export function timeForm(minutes, close) {
  const much = amount(t("Minutes"), minutes);
  const why = worded(t("Why?"), REASONS.time);
  const fields = [h("label", { class: "field" }, t("Minutes"), much), why.element];
  return form(t("Move the time limit"), fields, t("Change the time"), "time", () => ({ seconds: Math.round(Number(much.value) * 60), why: why.input.value }), close);
}

/**
 * @param {string} player
 * @param {number} points
 * @param {() => void} close
 */
export function awardForm(player, points, close) {
  const much = amount(t("Points, damage or wounds"), points);
  const why = worded(t("Why?"), REASONS.award);
  const fields = [h("label", { class: "field" }, t("Points, damage or wounds"), much), why.element];
  return form(t("Give or take: {player}", { player }), fields, t("Change the score"), "award", () => ({ player, points: Math.round(Number(much.value)), why: why.input.value }), close);
}

/** @param {() => void} close */
export function ruleForm(close) {
  const say = worded(t("The ruling, in a sentence"), REASONS.rule);
  return form(t("Rule by hand"), say.element, t("Rule so"), "rule", () => ({ say: say.input.value }), close);
}

/**
 * @param {string[]} players
 * @param {() => void} close
 */
export function renameForm(players, close) {
  const who = whoever(players);
  const name = h("input", { placeholder: t("New name"), "aria-label": t("New name"), maxlength: 40, autocomplete: "off" });
  return form(t("Rename a player"), [who, name], t("Rename"), "rename", () => ({ player: who.value, name: name.value }), close);
}

/**
 * @param {string[]} players
 * @param {() => void} close
 */
export function endForm(players, close) {
  const who = whoever(players, t("Nobody in particular"));
  const why = worded(t("Why?"), REASONS.end);
  const ways = Object.entries(HOW).map(([how, text]) => {
    const tap = h("input", { type: "radio", name: "how", value: how, onchange: () => fit(how) });
    tap.checked = how === "agreed";
    return { how, tap, element: h("label", { class: "reason" }, tap, h("span", {}, text)) };
  });
  const winners = players.map((player) => ({ player, tap: h("input", { type: "checkbox" }) }));
  const given = h("input", { type: "checkbox", onchange: () => { won.hidden = !given.checked; } });
  const won = h("div", { class: "reasons" }, winners.map(({ player, tap }) => h("label", { class: "reason" }, tap, h("span", {}, player))));
  won.hidden = true;
  const say = h("label", { class: "field" }, given, t("I say who wins"));
  const whose = h("label", { class: "field" }, t("Who?"), who);
  const fit = (/** @type {string} */ how) => {
    whose.hidden = how !== "conceded" && how !== "disqualified";
    say.hidden = how === "abandoned";
    won.hidden = how === "abandoned" || !given.checked;
  };
  fit("agreed");
  const data = () => {
    const { how } = ways.find(({ tap }) => tap.checked) || ways[0];
    const named = whose.hidden || !who.value ? {} : { player: who.value };
    const chosen = won.hidden ? {} : { winners: winners.filter(({ tap }) => tap.checked).map(({ player }) => player) };
    return Object.assign({ how, why: why.input.value }, named, chosen);
  };
  const fields = [h("div", { class: "reasons", role: "radiogroup", "aria-label": t("How?") }, ways.map(({ element }) => element)), whose, say, won, why.element];
  return form(t("End the match"), fields, t("End the match"), "end", data, close);
}
