// The camera's picture, about twice a second, only while somebody can see it.

import { byId } from "./dom.js";

const EVERY = 500;
const NONE = 5000;

export function watchCamera() {
  const figure = byId("camera");
  if (!figure) return;
  const image = figure.querySelector("img");
  let shown = "";

  async function look() {
    let wait = EVERY;
    try {
      const answer = document.hidden ? null : await fetch("/camera.jpg", { cache: "no-cache" });
      if (answer && answer.status === 200) {
        const next = URL.createObjectURL(await answer.blob());
        image.src = next;
        if (shown) URL.revokeObjectURL(shown);
        shown = next;
        figure.hidden = false;
        figure.parentElement.classList.add("seeing");
      } else if (answer) {
        figure.hidden = true;
        figure.parentElement.classList.remove("seeing");
        wait = NONE;
      }
    } catch (error) {
      wait = NONE; // the live stream says that the table is away
    }
    window.setTimeout(look, wait);
  }
  look();
}
