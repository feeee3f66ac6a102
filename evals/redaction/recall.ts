import type { CredentialKind, Template } from './corpus.ts'
import { createSamples, leaks } from './samples.ts'

export type Redact = (text: string) => { readonly text: string }

export interface Recall {
  readonly kinds: number
  readonly samples: number
  readonly leaked: number
  /** By form and family, never by kind, so that held-out kinds stay unknown. */
  readonly byForm: ReadonlyMap<string, LeakCount>
  readonly byFamily: ReadonlyMap<string, LeakCount>
  /** Redacted texts that a second pass changes. */
  readonly unstable: number
}

interface LeakCount {
  readonly leaked: number
  readonly samples: number
}

/** `every`: takes every nth sample of a kind. */
export function measureRecall(
  kinds: readonly CredentialKind[],
  templates: readonly Template[],
  redact: Redact,
  every: number,
): Recall {
  const byForm = new Map<string, LeakCount>()
  const byFamily = new Map<string, LeakCount>()
  let samples = 0
  let leaked = 0
  let unstable = 0
  for (const kind of kinds) {
    for (const sample of createSamples(kind, templates).filter((_, index) => index % every === 0)) {
      const { text } = redact(sample.text)
      const leak = leaks(sample, text)
      samples++
      if (leak) leaked++
      if (redact(text).text !== text) unstable++
      count(byForm, kind.form, leak)
      count(byFamily, kind.family, leak)
    }
  }
  return { kinds: kinds.length, samples, leaked, byForm, byFamily, unstable }
}

/**
 * Puts a secret of every kind into one text, so that all rules apply to it: what one rule replaces must not hide the secret
 * of another. Returns the secrets that are left.
 */
export function countCombinedLeaks(
  kinds: readonly CredentialKind[],
  templates: readonly Template[],
  redact: Redact,
  texts: number,
): { readonly leaked: number; readonly samples: number } {
  const all = kinds.map((kind) => createSamples(kind, templates))
  let [leaked, samples] = [0, 0]
  for (let round = 0; round < texts; round++) {
    const chosen = all.flatMap((ofKind) => ofKind[round % ofKind.length] ?? [])
    const { text } = redact(chosen.map((sample) => sample.text).join('\n\n'))
    samples += chosen.length
    leaked += chosen.filter((sample) => leaks(sample, text)).length
  }
  return { leaked, samples }
}

function count(counts: Map<string, LeakCount>, name: string, leak: boolean): void {
  const { leaked, samples } = counts.get(name) ?? { leaked: 0, samples: 0 }
  counts.set(name, { leaked: leaked + (leak ? 1 : 0), samples: samples + 1 })
}

export function getRecall({ samples, leaked }: Recall): number {
  return (samples - leaked) / samples
}

export function renderLeakCounts(counts: ReadonlyMap<string, LeakCount>): string {
  return [...counts].map(([name, { leaked, samples }]) => `${name} ${samples - leaked}/${samples}`).join(', ')
}
