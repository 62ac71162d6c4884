// Small tools to make elements. Text always goes in as text: a player may be called anything.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const name of Object.keys(attributes || {})) {
    const value = attributes[name];
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children) add(element, child);
  return element;
}

function add(element, child) {
  if (child === null || child === undefined || child === false) return;
  if (Array.isArray(child)) child.forEach((each) => add(element, each));
  else element.append(child);
}

export const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
export const s = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);
export const byId = (id) => document.getElementById(id);

export function replace(element, ...children) {
  while (element.firstChild) element.firstChild.remove();
  children.forEach((child) => add(element, child));
}

/** Write a text only where it changes, so that nothing flickers and nothing is read aloud twice. */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** A score as people write it: with a real minus, and nothing where there is none. */
export const score = (number) => (number === null || number === undefined ? "" : String(number).replace("-", "−"));

export const calm = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Play an animation where the browser can and the viewer wants it; tells when it is over. */
export function animate(element, frames, options) {
  if (!element.animate || calm()) return Promise.resolve();
  const playing = element.animate(frames, options);
  return new Promise((done) => {
    playing.onfinish = playing.oncancel = done;
  });
}
