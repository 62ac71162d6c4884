// Sensu in words, and choosing by tap where the camera does not see the cards.

import { h, replace, s } from "../dom.js";
import { face } from "../faces.js";
import { words } from "./plain.js";

const MOST = 5;
/** @param {string} card */
const typeOf = (card) => card.split("-")[0];

/** @param {{ card?: string | null }[]} moves */
const cardsOf = (moves) => moves.map(({ card }) => card || "");

export class Words {
  /**
   * `explain` says what a laid combination makes, and why.
   * @param {Translate} t
   * @param {DeckShown} deck
   * @param {string | null} own
   * @param {(laid: Sensu.CombinationAdvice) => Child[]} explain
   */
  constructor(t, deck, own, explain) {
    this.t = t;
    this.deck = deck;
    this.own = own;
    this.explain = explain;
    /** @type {Sensu.Page} Given with the first page, before anything else is asked. */
    this.page;
    this.newest = "";
    /** @type {Drawing["pickers"]} */
    this.pickers = {
      discard: (moves, send) => this.pickOne(cardsOf(moves), t("Discard this card"), (card) => send({ move: "discard", card })),
      combine: (moves, send) => (this.page.view.solo ? this.buttons(moves, send) : this.combine(send)),
      draw: (moves, send) => (this.page.view.solo ? this.openDraw(moves, send) : this.buttons(moves, send)),
      courage: (moves, send) => this.courage(moves, send),
    };
  }

  /** Every player has all three types of fan, started or not. */
  get fans() {
    return this.page.view.seats[0].fans;
  }

  /** @param {string} kind */
  fan(kind) {
    const known = this.fans.find(({ type }) => type === kind);
    return known ? known.title : kind;
  }

  /**
   * "Hi-ōgi 7~": one wave for each wind, as the rulings say it.
   * @param {string} card
   */
  title(card) {
    return this.deck.names[card] || String(card);
  }

  /**
   * The same without its type.
   * @param {string} card
   */
  worth(card) {
    return this.title(card).replace(`${this.fan(typeOf(card))} `, "");
  }

  /** @param {number} score */
  points(score) {
    return score === 1 ? this.t("{score} point", { score }) : this.t("{score} points", { score });
  }

  /** @param {string} player */
  top(player) {
    const seat = this.page.view.seats.find((each) => each.player === player);
    return seat && seat.discards.length ? this.title(seat.discards[seat.discards.length - 1].card) : "";
  }

  /**
   * The card that Courage would take.
   * @param {string} player
   * @param {string} kind
   */
  last(player, kind) {
    const { fans } = this.page.view.seats[this.page.players.indexOf(player)];
    const { cards } = fans.filter((fan) => fan.type === kind)[0];
    return cards.length ? this.title(cards[cards.length - 1].card) : this.fan(kind);
  }

  /**
   * "Hi-ōgi 6 → 7~ → Gun-sen 7": a type is said once while it lasts.
   * @param {string[]} cards
   */
  inOrder(cards) {
    return cards.map((card, place) => (place && typeOf(cards[place - 1]) === typeOf(card) ? this.worth(card) : this.title(card))).join(" → ");
  }

  /**
   * @param {string} source
   * @param {string | null} [card] which one of the pile; without it the top
   */
  from(source, card) {
    if (source === "deck") return this.t("Draw from the deck");
    const facts = { card: card ? this.title(card) : this.top(source), player: source };
    return source === this.own ? this.t("Take {card} back from your own pile", facts) : this.t("Take {card} from the pile of {player}", facts);
  }

  /**
   * @param {Sensu.Move} move
   * @returns {string}
   */
  describe(move) {
    const { t } = this;
    /** @param {string[]} cards */
    const list = (cards) => cards.map((card) => this.title(card)).join(" + ");
    switch (move.move) {
      case "draw": return move.card ? `${this.title(move.card)} → ${this.place(move.to || "discards")}` : this.from(move.from || "deck");
      case "wisdom": return this.from(move.from, move.card);
      case "harmony": return this.from(move.from);
      case "discard": return t("Discard {card}", { card: this.title(move.card) });
      case "combine": return t("Lay {cards}, redeem {redeemed}", { cards: list(move.cards), redeemed: list(move.redeem || []) });
      case "place": return this.inOrder(move.cards || []);
      case "courage": return Object.entries(move.fans || {}).map(([player, kind]) => `${player}: ${this.last(player, kind)}`).join(", ");
      case "chosen": return this.fan(move.fan);
      case "pass": return t("Pass");
      default: return this.other(move);
    }
  }

  /**
   * A card that the camera is not sure of is offered like a move.
   * @param {AnyMove} move
   */
  other(move) {
    return move.move in this.deck.cards ? this.title(move.move) : words(move, this.t);
  }

  /** @param {string} to */
  place(to) {
    return to === "discards" ? this.t("Discards") : this.t("Column {number}", { number: to.replace("column", "") });
  }

  // --- choosing by tap -----------------------------------------------------------------------------------------

  /**
   * @param {Sensu.Move[]} moves
   * @param {Send<Sensu.Move>} send
   */
  buttons(moves, send) {
    return h("div", { class: "choices" }, moves.map((move) => h("button", { class: "big", onclick: () => send(move) }, this.describe(move))));
  }

  /** @param {string} card */
  picture(card) {
    return s("svg", { viewBox: "-30 -47 60 94", "aria-hidden": "true" }, face(this.deck, card, 58));
  }

  /**
   * Cards as pictures, one type of fan at a time.
   * @param {string[]} names
   * @param {string[]} chosen
   * @param {(card: string) => void} tap
   */
  cards(names, chosen, tap) {
    const kinds = this.fans.map(({ type }) => type).filter((kind) => names.some((card) => typeOf(card) === kind));
    let shown = kinds[0];
    const place = h("div", { class: "card-picker" });
    const draw = () => {
      const tabs = kinds.map((kind) => h("button", { "aria-pressed": String(kind === shown), onclick: () => { shown = kind; draw(); } }, this.fan(kind)));
      const few = names.filter((card) => typeOf(card) === shown);
      /** @param {string} card */
      const each = (card) => h("button", { class: "card-choice", "aria-pressed": String(chosen.includes(card)), "aria-label": this.title(card), onclick: () => { tap(card); draw(); } }, this.picture(card));
      replace(place, h("div", { class: "tabs" }, tabs), h("div", { class: "card-choices" }, few.map(each)));
    };
    draw();
    return place;
  }

  /**
   * @param {string[]} names
   * @param {string} text
   * @param {(card: string) => unknown} done
   */
  pickOne(names, text, done) {
    /** @type {string[]} */
    const chosen = [];
    const go = h("button", { class: "big", disabled: true, onclick: () => done(chosen[0]) }, text);
    const cards = this.cards(names, chosen, (card) => {
      chosen[0] = card;
      go.disabled = false;
      replace(go, `${text}: ${this.title(card)}`);
    });
    return h("div", { class: "picker" }, cards, go);
  }

  /**
   * A combination: tap the cards; the table says what they make and how they may be redeemed.
   * @param {Send<Sensu.Move>} send
   */
  combine(send) {
    const names = Object.keys(this.deck.cards).filter((card) => typeOf(card) !== "closed");
    /** @type {string[]} */
    const chosen = [];
    const told = h("div", { class: "told", "aria-live": "polite" });
    const cards = this.cards(names, chosen, (card) => {
      const at = chosen.indexOf(card);
      if (at >= 0) chosen.splice(at, 1);
      else if (chosen.length < MOST) chosen.push(card);
      this.advise(chosen.slice(), told, send);
    });
    return h("details", { class: "picker" }, h("summary", {}, this.t("Lay a combination of 20")), cards, told);
  }

  /**
   * @param {string[]} cards
   * @param {HTMLElement} told
   * @param {Send<Sensu.Move>} send
   */
  async advise(cards, told, send) {
    const query = new URLSearchParams({ player: this.own || this.page.view.turn, place: "combination" });
    for (const card of cards) query.append("card", card);
    this.newest = query.toString();
    const answer = await fetch(`/api/advice?${query}`);
    /** @type {{ advice: Sensu.Advice | null }} */
    const { advice } = answer.ok ? await answer.json() : { advice: null };
    if (this.newest !== query.toString()) return;
    const laid = advice && advice.laid;
    if (!laid || !cards.length) {
      replace(told);
      return;
    }
    /** @param {string[]} redeem @returns {Sensu.Combine} */
    const move = (redeem) => Object.assign({ move: /** @type {const} */ ("combine"), cards, redeem }, laid.wild === null ? {} : { wild: laid.wild });
    /** @param {string[]} redeem */
    const way = (redeem) => h("button", { class: "big", onclick: () => send(move(redeem)) }, this.t("Redeem {cards}", { cards: redeem.map((card) => this.title(card)).join(" + ") }));
    replace(told, this.explain(laid), laid.redeem.map(way));
  }

  /**
   * In the solo game: the card that was drawn, then where it lies.
   * @param {Sensu.DrawFanCard[]} moves
   * @param {Send<Sensu.Move>} send
   */
  openDraw(moves, send) {
    const names = Array.from(new Set(cardsOf(moves)));
    const places = Array.from(new Set(moves.map(({ to }) => to)));
    /** @type {string[]} */
    const chosen = [];
    const goal = h("div", { class: "choices" });
    const cards = this.cards(names, chosen, (card) => {
      chosen[0] = card;
      replace(goal, places.map((to) => h("button", { class: "big", onclick: () => send({ move: "draw", card, to }) }, this.describe({ move: "draw", card, to }))));
    });
    return h("details", { class: "picker" }, h("summary", {}, this.t("Enter the card you drew")), cards, goal);
  }

  /**
   * One fan of every opponent who has a card to lose.
   * @param {Sensu.Courage[]} moves
   * @param {Send<Sensu.Move>} send
   */
  courage(moves, send) {
    if (moves.length < 4) return this.buttons(moves, send);
    const every = moves.map((move) => move.fans || {});
    const players = Object.keys(every[0]);
    const fans = Object.assign({}, every[0]);
    const place = h("div", { class: "picker" });
    const draw = () => {
      /** @param {string} player */
      const row = (player) => {
        const kinds = Array.from(new Set(every.map((each) => each[player])));
        /** @param {string} kind */
        const each = (kind) => h("button", { "aria-pressed": String(fans[player] === kind), onclick: () => { fans[player] = kind; draw(); } }, this.last(player, kind));
        return h("div", { class: "tabs" }, h("span", {}, player), kinds.map(each));
      };
      replace(place, players.map(row), h("button", { class: "big", onclick: () => send({ move: "courage", fans }) }, this.t("They lose these cards")));
    };
    draw();
    return place;
  }
}
