interface Rated {
  readonly rate: number | null
  readonly interval_low: number | null
  readonly interval_high: number | null
}

/** The best and the worst, if their intervals do not overlap; else nobody can say that they differ. */
export function findDifference<Item extends Rated>(
  items: readonly Item[],
): { readonly better: Item; readonly worse: Item } | null {
  const rated = items.filter(({ rate }) => rate !== null).toSorted((a, b) => (b.rate ?? 0) - (a.rate ?? 0))
  const [better, worse] = [rated[0], rated.at(-1)]
  if (better === undefined || worse === undefined || better === worse) return null
  return (better.interval_low ?? 0) > (worse.interval_high ?? 1) ? { better, worse } : null
}
