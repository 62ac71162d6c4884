// What the camera kept of a match that is looked back at: beside its rulings, and in a list of its own, where calls and
// refusals stand that no line of the kifu tells. Only the referee is sent any of it.

import { clipOf } from "./dispute.js";
import { byId, h, replace } from "./dom.js";
import { pictureOf } from "./evidence.js";
import { beside } from "./rulings.js";

export class EvidenceKept {
  /**
   * @param {(line: number) => string} wording What happened at a line.
   * @param {(clock: number, line: number) => string} follow Goes to the moment that a clip has come to, and says which it is.
   */
  constructor(wording, follow) {
    this.wording = wording;
    this.page = { follow };
    /** @type {Map<number, KeptShown>} Line -> what was kept of it. */
    this.lines = new Map();
    beside.clip = (said) => clipOf(said, this.page);
  }

  /** @param {KeptShown[]} kept */
  take(kept) {
    this.lines = new Map(kept.filter((each) => !each.text).map((each) => [each.line, each]));
    /** @type {HTMLDetailsElement} */
    const all = byId("evidence");
    all.hidden = !kept.length;
    replace(byId("evidence-count"), String(kept.length));
    replace(byId("evidence-kept"), kept.map((each) => this.row(each)));
  }

  /** @param {KeptShown} kept */
  row(kept) {
    const text = kept.text || this.wording(kept.line);
    const said = { kind: "", rules: [], text, line: kept.text ? 0 : kept.line, picture: kept.picture, clip: kept.clip };
    return h("li", {},
      h("a", { href: `#${kept.line}` }, h("b", {}, String(kept.line)), " ", text),
      h("span", { class: "chips" }, kept.clip && clipOf(said, this.page), kept.picture && pictureOf(said)));
  }

  /**
   * The sentences of a page with what was kept of each.
   * @param {AnyPage} page
   * @returns {AnyPage}
   */
  withKept(page) {
    if (!this.lines.size) return page;
    const said = page.said.map((each) => {
      const kept = each.line ? this.lines.get(each.line) : undefined;
      return kept ? Object.assign({}, each, { picture: kept.picture, clip: kept.clip }) : each;
    });
    return Object.assign({}, page, { said });
  }
}
