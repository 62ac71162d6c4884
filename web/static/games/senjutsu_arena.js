// Where things are in a Senjutsu arena: hexes by their names, the six facings, and how a seat's page is turned.

export const FACINGS = ["N", "NE", "SE", "S", "SW", "NW"];
export const SIDE = 40;
export const TALL = SIDE * Math.sqrt(3);
// Doubled coordinates: the column, and half hexes away from seat 1.
const STEPS = [[0, 2], [1, 1], [1, -1], [0, -2], [-1, -1], [-1, 1]];
/** @type {Record<number, number[]>} */
const LOOKS = { 2: [0, 2], 3: [0, 1, 2], 4: [0, 1, 2, 3] };

/** @param {string} name */
const doubled = (name) => {
  const column = name.charCodeAt(0) - 97;
  return [column, 2 * (Number(name.slice(1)) - 1) + (column % 2)];
};
/** @param {number[]} place */
const named = ([x, y]) => `${String.fromCharCode(97 + x)}${(y - (x % 2)) / 2 + 1}`;

export class Arena {
  /**
   * `own` is the seat whose page this is: its player looks up; a spectator looks with seat 1.
   * @param {Senjutsu.View} view
   * @param {number} own
   */
  constructor(view, own) {
    this.columns = view.columns;
    this.rows = view.rows;
    this.looks = LOOKS[view.samurai.length];
    this.turn = own < 0 ? 0 : this.looks[own];
    this.wide = (1.5 * (this.columns - 1) + 2) * SIDE;
    this.high = (this.rows + (this.columns > 1 ? 0.5 : 0)) * TALL;
    const across = this.turn % 2 === 0;
    /** @type {Point} */
    this.half = [(across ? this.wide : this.high) / 2, (across ? this.high : this.wide) / 2];
  }

  /** Every hex: its name and its column. */
  hexes() {
    /** @type {[string, number][]} */
    const found = [];
    for (let column = 0; column < this.columns; column += 1) {
      for (let row = 1; row <= this.rows; row += 1) found.push([`${String.fromCharCode(97 + column)}${row}`, column]);
    }
    return found;
  }

  /** @param {string} name */
  at(name) {
    const [column, up] = doubled(name);
    const [x, y] = [(1.5 * column + 1) * SIDE - this.wide / 2, this.high / 2 - ((up + 1) * TALL) / 2];
    /** @type {Point[]} */
    const turned = [[x, y], [y, -x], [-x, -y], [-y, x]];
    return turned[this.turn];
  }

  /**
   * Degrees clockwise from up, as it shows on this page.
   * @param {string} facing
   */
  angle(facing) {
    return FACINGS.indexOf(facing) * 60 - this.turn * 90;
  }

  /**
   * Where a seat sits on this page: 0 below, 1 left, 2 above, 3 right.
   * @param {number} seat
   */
  side(seat) {
    return (this.looks[seat] - this.turn + 4) % 4;
  }

  /**
   * Corners of a hex around the origin.
   * @param {number} size
   */
  corners(size) {
    return Array.from({ length: 6 }, (_, corner) => {
      const angle = ((corner * 60 + this.turn * 90) * Math.PI) / 180;
      return `${(size * Math.cos(angle)).toFixed(2)},${(size * Math.sin(angle)).toFixed(2)}`;
    }).join(" ");
  }

  /**
   * The hex that a path of facings leads to; null where it leaves the arena or runs into something.
   * @param {string} from
   * @param {string[]} path
   * @param {(string | null)[]} taken
   */
  end(from, path, taken) {
    let place = doubled(from);
    for (const facing of path) {
      const step = STEPS[FACINGS.indexOf(facing)];
      place = [place[0] + step[0], place[1] + step[1]];
      const name = named(place);
      const inside = place[0] >= 0 && place[0] < this.columns && place[1] >= 0 && Number(name.slice(1)) >= 1 && Number(name.slice(1)) <= this.rows;
      if (!inside || taken.includes(name)) return null;
    }
    return named(place);
  }
}
