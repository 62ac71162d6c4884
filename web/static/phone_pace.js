// How large and how good the pictures of a phone are: as the way to the table allows. Another size means that the table
// has to be measured again, so quality goes first, and a size comes back only after a long good while.

const STEPS = [
  { side: 1920, quality: 0.82 },
  { side: 1920, quality: 0.65 },
  { side: 1920, quality: 0.5 },
  { side: 1600, quality: 0.5 },
  { side: 1280, quality: 0.5 },
  { side: 1280, quality: 0.35 },
];
/** Milliseconds on the way that are too many, and those that leave room for more. */
const SLOW = 450;
const QUICK = 150;
/** Pictures in a row after which it changes: for worse, for a better quality, for a larger size. */
const SOON = 4;
const LATER = 60;
const MUCH_LATER = 600;

export class Pace {
  constructor() {
    this.step = 0;
    this.slow = 0;
    this.quick = 0;
  }

  get now() {
    return STEPS[this.step];
  }

  /** @param {number} milliseconds that the last picture was on the way */
  took(milliseconds) {
    this.slow = milliseconds > SLOW ? this.slow + 1 : 0;
    this.quick = milliseconds < QUICK ? this.quick + 1 : 0;
    const better = STEPS[this.step - 1];
    if (this.slow >= SOON && this.step < STEPS.length - 1) this.turn(1);
    else if (better && this.quick >= (better.side === this.now.side ? LATER : MUCH_LATER)) this.turn(-1);
  }

  /** @param {number} by */
  turn(by) {
    this.step += by;
    this.slow = 0;
    this.quick = 0;
  }
}

/**
 * How many degrees clockwise a picture has to be turned so that it lies as it did in the beginning: phones turn it with
 * their screen, and one that lies on its back changes its mind about that at any touch.
 * @param {number} began angle of the screen
 * @param {number} angle of the screen now
 * @param {boolean} swapped whether the picture was upright and is broad now, or the other way round
 */
export function turned(began, angle, swapped) {
  const by = (((angle - began) % 360) + 360) % 360;
  return by === 180 || (by % 180 === 90 && swapped) ? by : 0;
}
