/**
 * The indexes where `pattern` occurs in `text`, also where they overlap (the algorithm of Knuth, Morris and Pratt). Its time grows with
 * the length of both, whatever they have: commenters choose them.
 */
export function* findOccurrences(text: ArrayLike<string>, pattern: ArrayLike<string>): Generator<number> {
  if (pattern.length === 0) return
  // How much of the pattern still matches if the next element does not.
  const borders = new Int32Array(pattern.length + 1)
  let matched = 0
  const advance = (element: string | undefined) => {
    while (matched > 0 && element !== pattern[matched]) matched = borders[matched] ?? 0
    if (element === pattern[matched]) matched++
  }
  for (let at = 1; at < pattern.length; at++) {
    advance(pattern[at])
    borders[at + 1] = matched
  }
  matched = 0
  for (let at = 0; at < text.length; at++) {
    advance(text[at])
    if (matched < pattern.length) continue
    yield at + 1 - matched
    matched = borders[matched] ?? 0
  }
}
