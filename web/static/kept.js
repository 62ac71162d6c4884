// Small wishes that this browser keeps; a browser that keeps nothing forgets them, and that is all.

export function recall(name) {
  try {
    return window.localStorage.getItem(`shinpan.${name}`);
  } catch (error) {
    return null;
  }
}

export function keep(name, value) {
  try {
    window.localStorage.setItem(`shinpan.${name}`, value);
  } catch (error) {
    // blocked or full
  }
}
