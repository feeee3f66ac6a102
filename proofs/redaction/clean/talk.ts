import type { Random } from '../random.ts'
import * as words from './vocabulary.ts'

/** What a reviewer says without saying a secret. */
export interface Talk {
  readonly random: Random
  /** A whole sentence. */
  readonly rule: string
  readonly reason: string
  readonly module: string
  readonly person: string
  readonly team: string
  readonly library: string
  readonly locale: string
  /** calculatePendingInvoice */
  readonly name: string
  /** PendingInvoice */
  readonly type: string
  /** pending_invoice */
  readonly snake: string
  /** PENDING_INVOICE */
  readonly constant: string
  /** pending-invoice */
  readonly kebab: string
  readonly file: string
  readonly version: string
  readonly number: number
  /** 2026-03-04 */
  readonly day: string
}

export type Line = (talk: Talk) => string

export interface Topic {
  readonly name: string
  readonly lines: readonly Line[]
}

export function makeTalk(random: Random): Talk {
  const pick = (choices: readonly string[]) => random.pick(choices)
  const type = pick(words.qualifiers) + pick(words.nouns)
  const kebab = type.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase()
  const module = pick(words.modules)
  const reason = pick(words.reasons)
  return {
    random,
    rule: `${pick(words.openings)} ${pick(words.objects)} ${pick(words.places)}, ${reason}.`,
    reason,
    module,
    person: pick(words.people),
    team: pick(words.teams),
    library: pick(words.packages),
    locale: pick(words.locales),
    name: pick(words.verbs) + type,
    type,
    snake: kebab.replaceAll('-', '_'),
    constant: kebab.replaceAll('-', '_').toUpperCase(),
    kebab,
    file: `src/${module}/${kebab}.${pick(words.extensions)}`,
    version: `${random.below(20)}.${random.below(40)}.${random.below(60)}`,
    number: random.between(2, 9000),
    day: `2026-${two(random.between(1, 12))}-${two(random.between(1, 28))}`,
  }
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}
