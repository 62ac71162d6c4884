// Small tools to make elements. Text always goes in as text: a player may be called anything.

const SVG = "http://www.w3.org/2000/svg";

/**
 * @template {Element} T
 * @param {T} element
 * @param {Attributes | null | undefined} attributes
 * @param {Child[]} children
 * @returns {T}
 */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) add(element, child);
  return element;
}

/**
 * @param {Element} element
 * @param {Child} child
 */
function add(element, child) {
  if (child === null || child === undefined || child === false) return;
  if (Array.isArray(child)) for (const each of child) add(element, each);
  else element.append(child);
}

/**
 * An HTML element.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes | null} [attributes]
 * @param {Child[]} children
 */
export const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);

/**
 * An SVG element.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes | null} [attributes]
 * @param {Child[]} children
 */
export const s = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

/**
 * An element that this page has.
 * @template {HTMLElement} [T=HTMLElement]
 * @param {string} id
 * @returns {T}
 */
export const byId = (id) => /** @type {T} */ (document.getElementById(id));

/**
 * An element that some pages have.
 * @param {string} id
 */
export const maybe = (id) => document.getElementById(id);

/**
 * @param {Element} element
 * @param {Child[]} children
 */
export function replace(element, ...children) {
  while (element.firstChild) element.firstChild.remove();
  for (const child of children) add(element, child);
}

/**
 * Write a text only where it changes, so that nothing flickers and nothing is read aloud twice.
 * @param {Element} element
 * @param {string} text
 */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * A score as people write it: with a real minus sign, and nothing where there is none.
 * @param {number | string | null | undefined} number
 */
export const score = (number) => (number === null || number === undefined ? "" : String(number).replace("-", "−"));

export const calm = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * Play an animation where the browser can and the viewer wants it; resolves when it is over.
 * @param {Element} element
 * @param {Keyframe[]} frames
 * @param {KeyframeAnimationOptions} options
 * @returns {Promise<unknown>}
 */
export function animate(element, frames, options) {
  if (!element.animate || calm()) return Promise.resolve();
  const playing = element.animate(frames, options);
  return new Promise((done) => {
    playing.onfinish = done;
    playing.oncancel = done;
  });
}
