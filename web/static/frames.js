// Pages of many moments come as the first one and what changes from each to the next; here they are put together again.

/**
 * @param {SaidShown<any>[]} before
 * @param {SaidChange} change
 */
function said(before, change) {
  const put = new Map(change.put.map((each) => [each.number, each]));
  const kept = before.filter((each) => each.number >= change.first).map((each) => put.get(each.number) || each);
  const known = new Set(kept.map((each) => each.number));
  return kept.concat(change.put.filter((each) => !known.has(each.number)));
}

/**
 * The pages that the server sent, in order.
 * @param {FramesShown} sent
 * @returns {AnyPage[]}
 */
export function unfold(sent) {
  if (!sent.first) return [];
  const pages = [sent.first];
  for (const change of sent.changes) {
    const before = pages[pages.length - 1];
    const page = Object.assign({}, before, change.fields);
    if (change.said) page.said = said(before.said, change.said);
    if (change.tally) page.tally = { title: before.tally.title, steps: before.tally.steps.slice(0, change.tally.keep).concat(change.tally.add) };
    pages.push(page);
  }
  return pages;
}
