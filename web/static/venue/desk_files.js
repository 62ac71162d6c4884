// The tournament as files: what the arbiter takes home, and one that is brought in.

import { t } from "../bootstrap.js";
import { byId, h, write } from "../dom.js";

export const takeHome = () =>
  h(
    "p",
    { class: "files" },
    h("a", { href: "/report.pdf" }, t("Report (PDF)")),
    " · ",
    h("a", { href: "/results.csv" }, t("Results (CSV)")),
    " · ",
    h("a", { href: "/standings.csv" }, t("Standings (CSV)")),
    " · ",
    h("a", { href: "/tournament.json" }, t("Everything (JSON)")),
  );

/** A tournament that was exported goes on here. */
export function bringIn() {
  const file = h("input", { type: "file", accept: ".json,application/json", id: "bring-in" });
  file.addEventListener("change", async () => {
    if (!file.files || !file.files[0]) return;
    const body = await file.files[0].text();
    const answer = await fetch("/api/tournament", { method: "POST", headers: { "Content-Type": "application/json" }, body });
    const said = await answer.json();
    write(byId("answer"), answer.ok ? "" : said.text);
    file.value = "";
  });
  return h("label", { class: "bring-in" }, h("span", {}, t("Or go on with an exported one (JSON)")), file);
}
