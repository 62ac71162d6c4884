// The camera's picture, about twice a second while things change before it, and only while somebody can see it. The
// table sends it only when it has changed; otherwise the browser has it already.

import { maybe } from "./dom.js";

const EVERY = 500;
const STILL = 1000;
const NONE = 5000;

export function watchCamera() {
  const figure = maybe("camera");
  const image = figure && figure.querySelector("img");
  if (figure && image) watch(figure, image);
}

/**
 * @param {HTMLElement} figure
 * @param {HTMLImageElement} image
 */
function watch(figure, image) {
  let shown = "";
  let tag = "";

  /** @param {boolean} seeing */
  function show(seeing) {
    figure.hidden = !seeing;
    if (figure.parentElement) figure.parentElement.classList.toggle("seeing", seeing);
  }

  async function look() {
    let wait = EVERY;
    try {
      const answer = document.hidden ? null : await fetch("/camera.jpg", { cache: "no-cache" });
      if (answer && answer.status === 200 && shown && answer.headers.get("ETag") === tag) {
        wait = STILL;
      } else if (answer && answer.status === 200) {
        tag = answer.headers.get("ETag") || "";
        const next = URL.createObjectURL(await answer.blob());
        image.src = next;
        if (shown) URL.revokeObjectURL(shown);
        shown = next;
        show(true);
      } else if (answer) {
        show(false);
        wait = NONE;
      }
    } catch (_) {
      wait = NONE; // the live stream says that the table is away
    }
    window.setTimeout(look, wait);
  }
  look();
}
