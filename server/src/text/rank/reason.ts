import { tokenize } from '../tokens/tokenize.ts'
import type { Nearness } from './paths.ts'

const MAX_TERMS = 3

interface ExplainedMatch {
  readonly text: string
  readonly file: string | null
  /** Terms of the query that the text contains, rarest first. */
  readonly shared: readonly string[]
  readonly nearness: Nearness
}

/** One sentence: "Mentions `retry` and `payment`; written for src/billing". */
export function explain({ text, file, shared, nearness }: ExplainedMatch): string {
  const parts = [renderSharedTerms(text, shared), renderNearness(nearness, file)].filter(Boolean)
  const sentence = parts.length === 0 ? 'close in meaning' : parts.join('; ')
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`
}

function renderNearness(nearness: Nearness, file: string | null): string {
  switch (nearness) {
    case 'pull-request':
      return 'written for this pull request'
    case 'file':
    case 'folder':
      return `written for ${file}`
    case 'beside':
    case 'above':
      return `written for ${file}, a file nearby`
    case 'language':
    case 'none':
      return ''
  }
}

/** A name covers the terms that are its parts. */
function renderSharedTerms(text: string, shared: readonly string[]): string {
  if (shared.length === 0) return ''
  const written = restoreSpelling(text, new Set(shared))
  const names = shared.filter((term) => written.names.has(term))
  const words = shared.filter((term) => !names.some((name) => name !== term && name.includes(term)))
  const shown = [...new Set(words.map((term) => written.spelling.get(term) ?? term))].slice(0, MAX_TERMS)
  const quoted = shown.map((term) => `\`${term}\``)
  if (quoted.length === 0) return ''
  if (quoted.length === 1) return `mentions ${quoted[0]}`
  return `mentions ${quoted.slice(0, -1).join(', ')} and ${quoted.at(-1)}`
}

/** Terms are compared without case and endings; show them as the Learning writes them. */
function restoreSpelling(
  text: string,
  shared: ReadonlySet<string>,
): {
  readonly spelling: ReadonlyMap<string, string>
  readonly names: ReadonlySet<string>
} {
  const spelling = new Map<string, string>()
  const names = new Set<string>()
  for (const { term, kind, at } of tokenize(text)) {
    if (!shared.has(term)) continue
    if (kind === 'name') names.add(term)
    if (spelling.has(term)) continue
    const pattern = kind === 'name' ? /^[\w$.:-]{1,64}/ : /^[\p{L}\p{M}\p{N}]{1,64}/u
    const found = pattern.exec(text.slice(at, at + 64))?.[0]?.replace(/[.:-]$/, '')
    // A part of a compound name is shown folded: its end is not marked in the text.
    spelling.set(
      term,
      kind === 'name' || found?.toLowerCase().startsWith(term.slice(0, 3)) ? (found ?? term) : term,
    )
  }
  return { spelling, names }
}
