// What a player can always do: call the referee, and give the match up, which is asked twice.

import { button } from "./acts.js";
import { t } from "./bootstrap.js";
import { h, replace, write } from "./dom.js";
import { tap } from "./tap.js";

export class Call {
  /** @param {string} player */
  constructor(player) {
    this.player = player;
    this.calling = false;
    this.call = h("button", { class: "quiet call", onclick: () => tap(this.calling ? "answer" : "call") });
    this.give = h("div", { class: "give-up" });
    this.element = h("div", { class: "always" }, this.call, this.give);
    this.ask(false);
  }

  /** @param {boolean} sure */
  ask(sure) {
    replace(
      this.give,
      sure
        ? [h("p", { role: "alert" }, t("Do you give this match up? It ends for everybody.")), button("Yes, I concede", () => this.concede(), "act"), button("Play on", () => this.ask(false), "quiet")]
        : button("Concede", () => this.ask(true), "quiet"),
    );
    this.give.classList.toggle("sure", sure);
  }

  async concede() {
    await tap("concede", { why: t("by their own tap") });
    this.ask(false);
  }

  /** @param {AnyPage} page */
  show(page) {
    this.calling = this.player in page.calls;
    write(this.call, this.calling ? t("The referee is called. Never mind?") : t("Call the referee"));
    this.call.setAttribute("aria-pressed", String(this.calling));
    this.give.hidden = page.over;
  }
}
