interface Rated {
  readonly rate: number | null
  readonly interval_low: number | null
  readonly interval_high: number | null
}

/** The two whose intervals are farthest apart; null if all of them overlap, because nobody can say then that any differ. */
export function findDifference<Item extends Rated>(
  items: readonly Item[],
): { readonly better: Item; readonly worse: Item } | null {
  const rated = items.filter(({ rate }) => rate !== null)
  const [better] = rated.toSorted((a, b) => (b.interval_low ?? 0) - (a.interval_low ?? 0))
  const [worse] = rated.toSorted((a, b) => (a.interval_high ?? 1) - (b.interval_high ?? 1))
  if (better === undefined || worse === undefined) return null
  return (better.interval_low ?? 0) > (worse.interval_high ?? 1) ? { better, worse } : null
}
