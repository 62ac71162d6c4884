// What is known of the file of a match, and what the referee can do with it: give it a title, delete it.

import { review as first, t } from "./bootstrap.js";
import { byId, h, replace, write } from "./dom.js";
import { openDialog } from "./rulebook.js";
import { post } from "./tap.js";

const base = `/api/history/${encodeURIComponent(first.match.name)}`;

export function keeper() {
  const { match, verified, proven, referee } = first;
  write(byId("played"), [match.began.slice(0, 16), match.seats.map((seat) => seat.name).join(", "), match.ending].join(" · "));
  write(byId("match-title"), match.title);
  const sure = proven === 0 ? "whole" : proven === 1 ? "altered" : "open";
  replace(byId("verified"), h("ul", { class: sure }, verified.map((each) => h("li", {}, each))));
  const links = [];
  if (match.over || referee) links.push(h("a", { href: `/history/${encodeURIComponent(match.name)}.kifu`, download: "" }, t("Kifu")));
  links.push(h("button", { class: "quiet", onclick: link }, t("Link to this moment")));
  if (referee) links.push(h("button", { class: "quiet", onclick: entitle }, t("Give it a title")), h("button", { class: "quiet", onclick: remove }, t("Delete …")));
  replace(byId("keeping"), links);
}

/** Old browsers and open networks have no clipboard: then the address is there to be copied by hand. */
async function link() {
  const address = window.location.href;
  try {
    await navigator.clipboard.writeText(address);
    openDialog("", h("h2", { id: "rule-number" }, t("Copied")), h("p", {}, address));
  } catch (_) {
    openDialog("", h("h2", { id: "rule-number" }, t("Link to this moment")), h("p", {}, address));
  }
}

function entitle() {
  const field = h("input", { id: "new-title", value: first.match.title, maxlength: 120 });
  const trouble = h("p", { class: "fault", role: "alert" });
  const keep = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const answer = await post(`${base}/title`, { title: field.value });
    if (answer.ok) window.location.reload();
    else write(trouble, answer.text);
  };
  openDialog("titling", h("h2", { id: "rule-number" }, t("Give it a title")), h("p", {}, t("It stands beside the kifu, which stays as it was signed.")), h("form", { onsubmit: keep }, h("label", { for: "new-title" }, t("Title")), field, h("button", { class: "act" }, t("Keep"))), trouble);
}

async function remove() {
  const answer = await fetch(`${base}/going`);
  /** @type {GoingAnswer} */
  const goes = answer.ok ? await answer.json() : { told: [], size: 0 };
  const trouble = h("p", { class: "fault", role: "alert" });
  const sure = async () => {
    const done = await post(`${base}/delete`, {});
    if (done.ok) window.location.replace("/history");
    else write(trouble, done.text);
  };
  openDialog(
    "deleting",
    h("h2", { id: "rule-number" }, t("What would go for good:")),
    h("ul", {}, goes.told.map((each) => h("li", {}, each))),
    h("p", {}, t("{size} MB", { size: (goes.size / 1e6).toFixed(2) })),
    trouble,
    h("button", { class: "act danger", onclick: sure }, t("Delete it")),
  );
}
