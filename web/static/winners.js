// Who has won, in a few words.

/**
 * @param {string[]} winners
 * @param {string[]} players
 * @param {Translate} t
 */
export function outcomeTitle(winners, players, t) {
  if (!winners.length) return t("The match is over.");
  if (winners.length === 1) return t("{name} wins", { name: winners[0] });
  return winners.length === players.length ? t("A draw") : t("{names} share the win", { names: winners.join(", ") });
}
