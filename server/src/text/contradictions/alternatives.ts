import { readFileSync } from 'node:fs'
import { fold } from '../tokens/fold.ts'

/**
 * What a difference means: another tool for one job; another style or an opposite, if both are about one subject; another part
 * of the code, such as a language; or another subject.
 */
export type AlternativeKind = 'tool' | 'style' | 'opposite' | 'scope' | 'subject'

/** Names and words of which a rule asks for one. A line of alternatives.jsonl also names its `job` and its `source`. */
interface AlternativeGroup {
  readonly kind: AlternativeKind
  /** Each with its synonyms. */
  readonly members: readonly (readonly string[])[]
}

/** A member of a group, in a text. */
export interface Alternative {
  readonly kind: AlternativeKind
  readonly group: number
  readonly member: number
  /** The index of its first word, and how many words it has. */
  readonly at: number
  readonly length: number
}

interface Phrase extends Omit<Alternative, 'at'> {
  readonly words: readonly string[]
}

/** GET and Go are other words than get and go. */
const writtenAsIs = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'Go'])

/** By their first word, longest first. */
const phrases = readPhrases()

function readPhrases(): ReadonlyMap<string, readonly Phrase[]> {
  const lines = readFileSync(new URL('alternatives.jsonl', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
  const all = lines.flatMap((line, group) => {
    const { kind, members } = JSON.parse(line) as AlternativeGroup
    return members.flatMap((synonyms, member) =>
      synonyms.map((synonym): Phrase => {
        const words = synonym.split(' ').map(normalize)
        return { kind, group, member, words, length: words.length }
      }),
    )
  })
  all.sort((a, b) => b.length - a.length)
  return Map.groupBy(all, ({ words }) => words[0] ?? '')
}

function normalize(word: string): string {
  return writtenAsIs.has(word) ? word : fold(word.toLowerCase())
}

/** A word may belong to several groups; of one group, the longest phrase counts. */
export function findAlternatives(words: readonly string[]): Alternative[] {
  const normalized = words.map(normalize)
  return normalized.flatMap((word, at) => {
    const found = (phrases.get(word) ?? []).filter((phrase) =>
      phrase.words.every((one, index) => one === normalized[at + index]),
    )
    return [...Map.groupBy(found, ({ group }) => group).values()].flatMap(([longest]) =>
      longest === undefined ? [] : [{ ...longest, at }],
    )
  })
}
