// Small settings that this browser keeps. Where it keeps nothing they are forgotten, and that does no harm.

/** @param {string} name */
export function recall(name) {
  try {
    return window.localStorage.getItem(`shinpan.${name}`);
  } catch (_) {
    return null;
  }
}

/**
 * @param {string} name
 * @param {string} value
 */
export function keep(name, value) {
  try {
    window.localStorage.setItem(`shinpan.${name}`, value);
  } catch (_) {
    // blocked or full
  }
}
