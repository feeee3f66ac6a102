/** How many of the expected were not found, and how many were found beyond them: others, or the same twice. */
export function compareSets(
  expected: Iterable<string>,
  found: readonly string[],
): readonly [missing: number, beyond: number] {
  const wanted = new Set(expected)
  const there = new Set(found)
  const missing = [...wanted].filter((one) => !there.has(one)).length
  return [missing, found.length - (wanted.size - missing)]
}
