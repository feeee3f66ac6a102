import { fold } from '../fold.ts'
import { stopWords } from '../stop-words.ts'
import { concurrency } from './concurrency.ts'
import { data } from './data.ts'
import { delivery } from './delivery.ts'
import { general } from './general.ts'
import { language } from './language.ts'
import { people } from './people.ts'
import { quality } from './quality.ts'
import { security } from './security.ts'
import { web } from './web.ts'

/** Terms that mean nearly the same, and terms that the same talk is about. A phrase has spaces between its terms. */
export interface Group {
  readonly same: readonly string[]
  readonly related: readonly string[]
}

/** Each line of the thesaurus: what means the same, then after a bar what is related to it. */
export function readGroups(): Group[] {
  return [security, data, concurrency, quality, delivery, web, language, people, general].flatMap((area) =>
    area
      .trim()
      .split('\n')
      .map((line) => {
        const [same = '', related = ''] = line.split('|')
        return { same: readTerms(same), related: readTerms(related) }
      }),
  )
}

function readTerms(text: string): string[] {
  const written = text.trim().split(/\s+/).filter(Boolean)
  return [...new Set(written.flatMap(readTerm))]
}

/** Stop words are no tokens of a text, so they are none of a phrase; a phrase that is then one word says something else. */
export function readTerm(written: string): string[] {
  const parts = written.split('_')
  const kept = parts.map(fold).filter((part) => !stopWords.has(part))
  return kept.length === 0 || (parts.length > 1 && kept.length === 1) ? [] : [kept.join(' ')]
}
