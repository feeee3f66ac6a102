// Pairs of findings of two bots, labelled by hand: are they the same finding? The hash of a group decides whether its pairs are
// held out; pairs of one group share texts.
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { atLine } from '../../proofs/tools/json-lines.ts'

export interface LabelledFinding {
  readonly bot: string
  readonly file: string
  readonly startLine: number
  readonly endLine: number
  readonly title: string
  readonly text: string
}

export interface LabelledPair {
  readonly id: string
  readonly group: string
  readonly kind: string
  readonly isSame: boolean
  readonly a: LabelledFinding
  readonly b: LabelledFinding
}

/** The threshold was chosen on the developed two thirds. */
export interface Parts {
  readonly developed: readonly LabelledPair[]
  readonly heldOut: readonly LabelledPair[]
}

export function loadPairs(file: URL): Parts {
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  const pairs = lines.map((line, index) => atLine(file, index + 1, () => parsePair(JSON.parse(line))))
  return { developed: pairs.filter((pair) => !isHeldOut(pair)), heldOut: pairs.filter(isHeldOut) }
}

function isHeldOut({ group }: LabelledPair): boolean {
  return hash('sha256', group, 'buffer').readUInt8(0) % 3 === 0
}

function parsePair(value: unknown): LabelledPair {
  const pair = new Fields(value)
  const label = pair.text('label')
  if (label !== 'same' && label !== 'different') throw new Error('"label" must be same or different')
  return {
    id: pair.text('id'),
    group: pair.text('group'),
    kind: pair.text('kind'),
    isSame: label === 'same',
    a: parseFinding(pair.get('a')),
    b: parseFinding(pair.get('b')),
  }
}

function parseFinding(value: unknown): LabelledFinding {
  const finding = new Fields(value)
  const startLine = finding.line('start_line')
  const endLine = finding.line('end_line')
  if (endLine < startLine) throw new Error('"end_line" is before "start_line"')
  return {
    bot: finding.text('bot'),
    file: finding.text('file'),
    startLine,
    endLine,
    title: finding.text('title'),
    text: finding.text('text'),
  }
}

class Fields {
  readonly #fields: ReadonlyMap<string, unknown>

  constructor(value: unknown) {
    if (typeof value !== 'object' || value === null) throw new Error('an object is expected')
    this.#fields = new Map(Object.entries(value))
  }

  get(name: string): unknown {
    return this.#fields.get(name)
  }

  text(name: string): string {
    const value = this.#fields.get(name)
    if (typeof value !== 'string' || value === '') throw new Error(`"${name}" must be a non-empty string`)
    return value
  }

  line(name: string): number {
    const value = this.#fields.get(name)
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 1)
      throw new Error(`"${name}" must be a line`)
    return value
  }
}
