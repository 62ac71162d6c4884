// What the server sent with the page: role, language, words, build and the first page data.

export const first = JSON.parse(document.getElementById("first").textContent);

/** A sentence in the viewer's language; English is the key. */
export function t(template, facts) {
  const words = first.words[template] || template;
  return words.replace(/\{(\w+)\}/g, (all, name) => (facts && name in facts ? String(facts[name]) : all));
}
