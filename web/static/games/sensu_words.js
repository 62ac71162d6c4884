// Sensu in words, and choosing by tap where the camera does not see the cards.

import { h, replace } from "../dom.js";
import { cardPicker, picture } from "../picker.js";
import { words } from "./plain.js";
import { Combining } from "./sensu_combining.js";
import { values } from "./sensu_sums.js";

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
    /** @type {Drawing["pickers"]} */
    this.pickers = {
      discard: (moves, send) => this.pickOne(cardsOf(moves), t("Discard this card"), (card) => send({ move: "discard", card })),
      combine: (_moves, send, parts) => new Combining(this, /** @type {Parts} */ (parts), send).element,
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
    return this.row(cards).join(" → ");
  }

  /**
   * "Hi-ōgi 6 + 7~ + Gun-sen 7".
   * @param {string[]} cards
   */
  inARow(cards) {
    return this.row(cards).join(" + ");
  }

  /** @param {string[]} cards */
  row(cards) {
    return cards.map((card, place) => (place && typeOf(cards[place - 1]) === typeOf(card) ? this.worth(card) : this.title(card)));
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
    return picture(this.deck, card);
  }

  /** @param {string} card */
  fanOf(card) {
    return this.fan(typeOf(card));
  }

  /**
   * As one sorts a hand: by type, then by number, the wilds last.
   * @param {string[]} cards
   */
  sorted(cards) {
    const kinds = this.fans.map(({ type }) => type);
    const rank = (/** @type {string} */ card) => kinds.indexOf(typeOf(card)) * 100 + (values(card).length - 1) * 10 + values(card)[0];
    return cards.slice().sort((one, other) => rank(one) - rank(other) || (one < other ? -1 : 1));
  }

  /**
   * @param {string[]} names
   * @param {string} text
   * @param {(card: string) => unknown} done
   */
  pickOne(names, text, done) {
    return cardPicker({
      cards: this.sorted(names),
      title: (card) => this.title(card),
      picture: (card) => this.picture(card),
      group: (card) => this.fanOf(card),
      label: ([card]) => `${text}: ${this.title(card)}`,
      done: ([card]) => done(card),
    });
  }

  /**
   * What these cards would make if they were laid.
   * @param {string[]} cards
   * @returns {Promise<Sensu.CombinationAdvice | null>}
   */
  async advice(cards) {
    const query = new URLSearchParams({ player: this.own || this.page.view.turn, place: "combination", lang: document.documentElement.lang });
    for (const card of cards) query.append("card", card);
    const answer = await fetch(`/api/advice?${query}`);
    /** @type {{ advice: Sensu.Advice | null }} */
    const { advice } = answer.ok ? await answer.json() : { advice: null };
    return advice && advice.laid;
  }

  /**
   * In the solo game: the card that was drawn, then where it lies.
   * @param {Sensu.DrawFanCard[]} moves
   * @param {Send<Sensu.Move>} send
   */
  openDraw(moves, send) {
    const names = Array.from(new Set(cardsOf(moves)));
    const places = Array.from(new Set(moves.map(({ to }) => to)));
    const goal = h("div", { class: "places go", role: "group", "aria-label": this.t("Where does it lie?") });
    const cards = cardPicker({
      cards: this.sorted(names),
      title: (card) => this.title(card),
      picture: (card) => this.picture(card),
      group: (card) => this.fanOf(card),
      changed: ([card]) => replace(goal, card && [h("b", {}, `${this.title(card)} →`), places.map((to) => h("button", { class: "act", "aria-label": this.describe({ move: "draw", card, to }), onclick: () => send({ move: "draw", card, to }) }, this.place(to || "discards")))]),
    });
    return h("div", { class: "picker" }, h("h3", {}, this.t("Enter the card you drew")), cards, goal);
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
