import { type Token, tokenize } from '../tokens/tokenize.ts'
import type { QueryTerms } from './rank.ts'

const MAX_TEXT_TERMS = 64
const MAX_DIFF_TERMS = 128

/** The terms of a text and of a diff. Those of a diff are the ones that it adds more often than it removes, or less. */
export function readQueryTerms(text: string, diff = ''): QueryTerms {
  const terms = new Map<string, Token['kind']>()
  for (const { term, kind } of tokenize(text)) {
    if (terms.size < MAX_TEXT_TERMS && hasLetter(term)) terms.set(term, kind)
  }
  const changed = countChanges(diff)
  for (const [term, { kind, count }] of changed) {
    if (terms.size >= MAX_TEXT_TERMS + MAX_DIFF_TERMS) break
    if (count !== 0 && hasLetter(term) && !terms.has(term)) terms.set(term, kind)
  }
  return terms
}

/** The changed lines without their signs: what is embedded. */
export function renderChangedLines(diff: string): string {
  return diff.replaceAll(/^[+-]/gm, '')
}

/** Names first, then long words: the rarest terms, as far as can be seen without counting them. */
export function sortByLikelyRarity(terms: QueryTerms): string[] {
  const isName = (term: string) => (terms.get(term) === 'name' ? 1 : 0)
  return [...terms.keys()].sort((a, b) => isName(b) - isName(a) || b.length - a.length)
}

/** Numbers alone say nothing about a subject. */
function hasLetter(term: string): boolean {
  return /\p{L}/u.test(term)
}

function countChanges(diff: string): Map<string, { kind: Token['kind']; count: number }> {
  const counts = new Map<string, { kind: Token['kind']; count: number }>()
  for (const line of diff.split('\n')) {
    const sign = line.startsWith('-') ? -1 : 1
    for (const { term, kind } of tokenize(line.replace(/^[+-]/, ''))) {
      const counted = counts.get(term) ?? { kind, count: 0 }
      counted.count += sign
      counts.set(term, counted)
    }
  }
  return counts
}
