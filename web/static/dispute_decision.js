// What the referee makes of a dispute: the ruling is upheld or changed, and either is a line of the kifu.

import { t } from "./bootstrap.js";
import { awardForm, ruleForm, submit, worded } from "./desk_forms.js";
import { h, replace } from "./dom.js";

const LONGEST = 480;

/**
 * @param {Doubted} said
 * @param {Dispute} known
 * @param {() => void} done
 */
export function decision(said, known, done) {
  const place = h("div", { class: "change" });
  const wrong = h("p", { class: "wrong", role: "alert" });
  const clear = () => replace(place);
  const uphold = async () => {
    const say = t("Upheld after the clip: {ruling}", { ruling: said.text }).slice(0, LONGEST);
    if (await submit("rule", { say }, wrong)) done();
  };
  const change = () => replace(place,
    h("div", { class: "row" },
      known.back > 0 && h("button", { class: "quiet", onclick: () => replace(place, takeBack(known.back, done, clear)) }, t("Take it back")),
      known.players.map((player) => h("button", { class: "quiet", onclick: () => replace(place, awardForm(player, -1, done)) }, t("Give or take: {player}", { player }))),
      h("button", { class: "quiet", onclick: () => replace(place, ruleForm(done)) }, t("Another ruling"))));
  return h("div", { class: "decision" },
    h("h3", {}, t("Your decision")),
    h("div", { class: "row" }, h("button", { class: "act uphold", onclick: uphold }, t("Uphold")), h("button", { class: "act change", onclick: change }, t("Change"))),
    wrong, place);
}

/**
 * @param {number} moves
 * @param {() => void} done
 * @param {() => void} close
 */
function takeBack(moves, done, close) {
  const why = worded(t("Why?"), [t("A card was misread"), t("A card was touched after ready"), t("The players agree")]);
  const wrong = h("p", { class: "wrong", role: "alert" });
  const send = async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (await submit("undo", { moves, why: why.input.value }, wrong)) done();
  };
  const title = moves === 1 ? t("Take back the last move") : t("Moves to take back: {count}", { count: moves });
  return h("form", { class: "act-form", onsubmit: send, novalidate: true }, h("h3", {}, title), why.element, wrong,
    h("div", { class: "row" }, h("button", { class: "act" }, t("Take back")), h("button", { class: "quiet", type: "button", onclick: close }, t("Cancel"))));
}
