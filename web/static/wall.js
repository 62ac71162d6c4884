// A screen across the hall: larger letters and nothing cut off. `?wall` asks for it, `?wall=no` for a desk as large.

const LARGE = "(min-width: 1700px) and (min-height: 900px) and (min-aspect-ratio: 3/2)";

export function hangOnTheWall() {
  const asked = new URLSearchParams(window.location.search).get("wall");
  const size = window.matchMedia(LARGE);
  const fit = () => document.body.classList.toggle("wall", asked === null ? size.matches : asked !== "no");
  fit();
  window.addEventListener("resize", fit);
}
