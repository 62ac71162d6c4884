// San, Ni, Ichi! in words: cards, moves as buttons, and what is announced before every card.

import { h, replace, s } from "../dom.js";
import { face } from "../faces.js";

const ELEMENTS = { fire: "Fire", water: "Water", wood: "Wood" };
const WEAPONS = { shuriken: "Shuriken", block: "Block", torinoko: "Smoke bomb", sai: "Sai", tonfa: "Tonfa", yoso_kogeki: "Yoso Kogeki" };

export class Words {
  constructor(t, deck, own) {
    this.t = t;
    this.deck = deck;
    this.own = own;
    this.page = null;
    this.pickers = { reveal: (moves, send) => this.pickReveal(moves, send), tonfa: (moves, send) => this.pickTonfa(moves, send) };
  }

  element(name) {
    return this.t(ELEMENTS[name]);
  }

  /** "Fire 3" for fire-3, "Sai 13" for sai-13. */
  title(card) {
    const [kind, number] = card.split("-");
    const name = this.t(ELEMENTS[kind] || WEAPONS[kind] || kind);
    return number === undefined || kind === "torinoko" ? name : `${name} ${number}`;
  }

  /** The top of a pile, and the element that may follow. */
  follows({ element, strength, beaten_by: next }) {
    return this.t("{top}, then {element}", { top: `${this.element(element)} ${strength}`, element: this.element(next) });
  }

  /** A sentence of the view: its cards and elements by their names. */
  note({ say, facts }) {
    const named = {};
    for (const name of Object.keys(facts)) {
      const fact = facts[name];
      if (name === "card" || name === "top_card") named[name] = fact ? this.title(fact) : fact;
      else named[name] = fact in ELEMENTS ? this.element(fact) : fact;
    }
    return this.t(say, named);
  }

  // --- what is announced -----------------------------------------------------------------------------------------

  next(page) {
    const { view } = page;
    const { t } = this;
    if (view.over) return [{ kind: "now", text: t("The Damage Piles are turned up and counted.") }];
    if (view.phase === "damage") {
      const open = view.asked.filter((name) => page.awaited.includes(name));
      return [
        { kind: "now", text: t("Damage Phase: smoke bomb or not, all at once."), rule: "SNI-35" },
        { kind: "may", text: t("Still to answer: {players}", { players: open.join(", ") || "–" }) },
      ];
    }
    if (view.next === null) {
      const cycle = { kind: "not", text: t("Water beats Fire, Fire beats Wood, Wood beats Water."), rule: "SNI-25" };
      const lowest = { kind: "not", text: t("The lowest Strength acts first, then the earlier letter."), rule: "SNI-13" };
      if (view.seats.some((seat) => seat.selected)) {
        return [{ kind: "now", text: t("All cards lie face down: three, two, one!"), rule: "SNI-12" }, lowest, cycle];
      }
      const open = page.awaited.filter((name) => !page.ready.includes(name));
      const still = { kind: "may", text: t("Still to choose: {players}", { players: open.join(", ") || "–" }) };
      return [{ kind: "now", text: t("Everybody chooses a card."), rule: "SNI-11" }, still, cycle];
    }
    const turn = view.order[view.next];
    const parts = [{ kind: "now", text: this.note(turn.why), rule: turn.why.rule, player: turn.player }];
    parts.push({ kind: "may", text: view.may.map((may) => this.may(may)).join(" · ") });
    const blocked = view.block.map((note) => ({ kind: "not", text: this.note(note), rule: note.rule }));
    const barred = Object.keys(view.barred)
      .map((name) => view.barred[name])
      .filter((note) => note.rule !== "SNI-29" && note.rule !== "SNI-30")
      .map((note) => ({ kind: "not", text: this.note(note), rule: note.rule }));
    return parts.concat(blocked.concat(barred.slice(0, 1)).slice(0, 2));
  }

  may({ move, players }) {
    const names = players.join(", ");
    switch (move) {
      case "play": return this.t("May be played on {players}", { players: names });
      case "counter": return this.t("Counter to {players}", { players: names });
      case "sai": return this.t("Swaps two piles of {players}", { players: names });
      case "tonfa": return this.t("Takes a top card from {players}", { players: names });
      case "shuriken": return this.t("Into any Damage Pile");
      case "block": return this.t("Blocks for {players}", { players: names });
      default: return this.t("or discarded");
    }
  }

  // --- moves as buttons ------------------------------------------------------------------------------------------

  describe(move) {
    const { t } = this;
    switch (move.move) {
      case "select": return t("My card lies face down");
      case "sit_out": return t("I hold nothing but smoke bombs ({number})", { number: move.cards.length });
      case "reveal": return this.title(move.card);
      case "play": return this.describePlay(move);
      case "discard": return t("Discard it");
      case "block": return move.for ? t("Block for {mate}", { mate: move.for }) : t("Block for me");
      case "sai": return t("Swap {one} and {other}", { one: move.swap[0], other: move.swap[1] });
      case "shuriken": return move.target === this.own ? t("Into my own Damage Pile") : t("Into {player}'s Damage Pile", { player: move.target });
      case "tonfa": return t("Take {player}'s top card, discard {card}", { player: move.from, card: this.title(move.discard) });
      case "smoke": return this.describeSmoke(move);
      case "pass": return t("No smoke bomb");
      default: return move.move;
    }
  }

  describePlay({ on, counter, element }) {
    const { t } = this;
    const pile = this.pile(on);
    const as = element ? ` (${this.element(element)})` : "";
    if (counter) return t("On my pile, then counter: pile to {player}", { player: counter });
    if (on === this.own) return (pile.length ? t("On my own pile") : t("Start my own pile")) + as;
    if (!pile.length) return t("Start a pile on {player}", { player: on }) + as;
    return t("On {player}'s {card}", { player: on, card: this.title(pile[pile.length - 1]) });
  }

  describeSmoke(move) {
    const { t } = this;
    const bomb = move.for ? t("Smoke bomb for {mate}", { mate: move.for }) : t("Smoke bomb");
    return move.draw ? `${bomb}: ${t("draw {card}", { card: this.title(move.draw) })}` : bomb;
  }

  pile(player) {
    const seat = this.page && this.page.view.seats.find((each) => each.name === player);
    return seat ? seat.pile : [];
  }

  // --- pickers ---------------------------------------------------------------------------------------------------

  choice(card, onclick, chosen) {
    const picture = s("svg", { viewBox: "-33 -46 66 92", "aria-hidden": "true" }, face(this.deck, card, 63));
    return h("button", { class: "card-choice", "aria-pressed": String(Boolean(chosen)), onclick }, picture, h("span", {}, this.title(card)));
  }

  pickReveal(moves, send) {
    return h("div", { class: "card-choices" }, moves.map((move) => this.choice(move.card, () => send(move))));
  }

  /** First whose top card, then which card is given up for it. */
  pickTonfa(moves, send) {
    const place = h("div", { class: "picker" });
    const sources = Array.from(new Set(moves.map((move) => move.from)));
    const draw = (source) => {
      const top = (player) => {
        const pile = this.pile(player);
        return pile.length ? this.title(pile[pile.length - 1]) : "";
      };
      const from = h("div", { class: "choices" }, sources.map((player) =>
        h("button", { class: "big", "aria-pressed": String(player === source), onclick: () => draw(player) }, this.t("Take {player}'s {card}", { player, card: top(player) }))));
      const given = moves.filter((move) => move.from === source);
      replace(place, from, source && h("p", { class: "ask" }, this.t("Which card do you discard?")), source && h("div", { class: "card-choices" }, given.map((move) => this.choice(move.discard, () => send(move)))));
    };
    draw(sources.length === 1 ? sources[0] : null);
    return place;
  }
}
