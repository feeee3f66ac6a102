import type { Kind } from '../kind.ts'
import { leaks, samplesOf } from '../shapes.ts'

export type Redact = (text: string) => { readonly text: string }

export interface Recall {
  readonly kinds: number
  readonly samples: number
  readonly leaked: number
  /** Leaked of all, by form and by family; never by kind, so that a held-out kind stays unknown. */
  readonly byForm: ReadonlyMap<string, Share>
  readonly byFamily: ReadonlyMap<string, Share>
  /** Texts that another pass would change. */
  readonly unsettled: number
}

interface Share {
  readonly leaked: number
  readonly all: number
}

/** `every`: only one sample of so many, for a quick run. */
export function measureRecall(kinds: readonly Kind[], redact: Redact, every: number): Recall {
  const byForm = new Map<string, Share>()
  const byFamily = new Map<string, Share>()
  let samples = 0
  let leaked = 0
  let unsettled = 0
  for (const kind of kinds) {
    for (const sample of samplesOf(kind).filter((_, place) => place % every === 0)) {
      const { text } = redact(sample.text)
      const leak = leaks(sample, text)
      samples++
      if (leak) leaked++
      if (redact(text).text !== text) unsettled++
      count(byForm, kind.form, leak)
      count(byFamily, kind.family, leak)
    }
  }
  return { kinds: kinds.length, samples, leaked, byForm, byFamily, unsettled }
}

function count(shares: Map<string, Share>, name: string, leak: boolean): void {
  const { leaked, all } = shares.get(name) ?? { leaked: 0, all: 0 }
  shares.set(name, { leaked: leaked + (leak ? 1 : 0), all: all + 1 })
}

export function recallOf({ samples, leaked }: Recall): number {
  return (samples - leaked) / samples
}

export function describeShares(shares: ReadonlyMap<string, Share>): string {
  return [...shares].map(([name, { leaked, all }]) => `${name} ${all - leaked}/${all}`).join(', ')
}
