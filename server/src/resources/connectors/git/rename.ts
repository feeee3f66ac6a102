import { basename, extname } from 'node:path/posix'

export interface AddedFile {
  readonly path: string
  readonly id: string
}

/** git's own threshold for a rename. */
const MIN_SIMILARITY = 0.5
const MAX_CANDIDATES = 20

/** Added files that a deleted file may have become, the likeliest first. Only these are fetched. */
export function selectCandidates(path: string, added: readonly AddedFile[]): AddedFile[] {
  const closeness = (file: AddedFile) =>
    Number(basename(file.path) === basename(path)) * 2 + Number(extname(file.path) === extname(path))
  return added
    .map((file) => ({ file, closeness: closeness(file) }))
    .filter((candidate) => candidate.closeness > 0)
    .sort((a, b) => b.closeness - a.closeness)
    .slice(0, MAX_CANDIDATES)
    .map(({ file }) => file)
}

/** The candidate that shares most lines with the deleted file; undefined if none shares half of them. */
export function findMostSimilar<File>(
  deleted: readonly string[],
  candidates: readonly (readonly [File, readonly string[]])[],
): File | undefined {
  let best: { file: File; similarity: number } | undefined
  for (const [file, lines] of candidates) {
    const similarity = compareLines(deleted, lines)
    if (similarity >= MIN_SIMILARITY && similarity > (best?.similarity ?? 0)) best = { file, similarity }
  }
  return best?.file
}

/** The share of characters in lines that both have. */
function compareLines(a: readonly string[], b: readonly string[]): number {
  const counts = new Map<string, number>()
  for (const line of a) counts.set(line, (counts.get(line) ?? 0) + 1)
  let common = 0
  for (const line of b) {
    const left = counts.get(line) ?? 0
    if (left === 0) continue
    counts.set(line, left - 1)
    common += line.length + 1
  }
  return common / Math.max(countCharacters(a), countCharacters(b), 1)
}

function countCharacters(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0)
}
