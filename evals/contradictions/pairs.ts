// Pairs of Learnings, labelled by hand: do they contradict each other? Every id is in one of two halves, decided by its hash.
import { hash } from 'node:crypto'
import { readJsonLines } from '../../proofs/tools/json-lines.ts'

export interface Pair {
  readonly id: string
  readonly a: string
  readonly b: string
  readonly contradicts: boolean
  readonly kind: string
}

/** The detector was written with a look at one half only. */
export interface Halves {
  readonly developed: readonly Pair[]
  readonly heldOut: readonly Pair[]
}

const labels = ['contradicts', 'compatible'] as const

export function loadPairs(): Halves {
  const pairs = readJsonLines(
    new URL('pairs.jsonl', import.meta.url),
    (record): Pair => ({
      id: record.string('id'),
      contradicts: record.oneOf('label', labels) === 'contradicts',
      kind: record.string('kind'),
      a: record.string('a'),
      b: record.string('b'),
    }),
  )
  return { developed: pairs.filter((pair) => !isHeldOut(pair)), heldOut: pairs.filter(isHeldOut) }
}

function isHeldOut({ id }: Pair): boolean {
  return hash('sha256', id, 'buffer').readUInt8(0) % 2 === 1
}
