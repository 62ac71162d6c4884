// A table at which nothing is played: who sits there, until there is more to see.

import { t } from "../bootstrap.js";
import { byId, h, replace, write } from "../dom.js";
import { follow } from "./follow.js";

const main = document.querySelector("main");
const id = main ? main.dataset.table : "";

follow((page) => {
  const table = page.tables.find((each) => each.id === id);
  if (!table) return;
  if (table.stage !== "lobby" && table.stage !== "gone") {
    window.location.reload();
    return;
  }
  write(byId("stage"), table.stage === "gone" ? t("This table is not connected. It plays on by itself.") : t("No match is being played here."));
  replace(byId("seated"), table.players.map((player) => h("li", {}, player.name)));
});
