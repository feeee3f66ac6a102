// What an evaluation is: labelled cases, the answers of the server to them, and what is measured.
import type { ProofOptions } from '../proofs/run.ts'
import type { SourceCopy, SourceEdit } from '../proofs/tools/copy.ts'

/** Rules and thresholds are chosen on calibration cases only. */
export type Split = 'calibration' | 'held-out'

/** What every line of a data file has; the other fields depend on the evaluation. */
export interface Case {
  /** What is measured together. */
  readonly set: string
  /** Who or what made it. */
  readonly source: string
  readonly split: Split
  readonly id: string
  /** Errors are listed by kind. */
  readonly kind: string
}

export type LabelledCase<Content> = Case & Readonly<Content>

/** A case with the answer to it. */
export interface Judged extends Case {
  /** null = nobody can know. */
  readonly label: string | null
  /** null = left undecided. */
  readonly answer: string | null
  /** What answered, if not the server as it is: a part of it, or a baseline. */
  readonly by?: string
}

export interface Share {
  readonly hits: number
  readonly all: number
}

export interface Goal {
  readonly min?: number
  readonly max?: number
}

export interface Measure {
  readonly name: string
  readonly by?: string
  /** Null if the measure says nothing about these. */
  readonly count: (judged: readonly Judged[]) => Share | null
  readonly goals?: Readonly<Partial<Record<Split | 'all', Goal>>>
}

/** A line of the table. */
export interface Row extends Partial<Pick<Case, 'set' | 'source'>> {
  readonly split?: string
  readonly measure: string
  readonly result: string | number
  readonly goal?: string
  /** Whether the goal is met. */
  readonly met?: boolean
}

export interface Judgement {
  readonly judged: readonly Judged[]
  /** What is no share of the answers. */
  readonly rows?: readonly Row[]
  /** For the end of the output. */
  readonly notes?: readonly string[]
}

export interface Run {
  readonly cases: readonly Case[]
  /** Of --data: goals about the size of our own data do not apply. */
  readonly isBrought: boolean
  readonly options: ProofOptions
  /** The server without the cure. */
  readonly copy: SourceCopy | null
  /** The module of the server, or that of the copy without the cure. */
  readonly load: <Module>(shipped: Module, file: string) => Promise<Module>
}

/** Without it, a goal must be missed. */
export interface Cure {
  readonly title: string
  readonly edit: SourceEdit
}

export interface Evaluation {
  /** A folder of data files. */
  readonly data: URL
  readonly measures: readonly Measure[]
  readonly cures: readonly Cure[]
  /** Makes cases of what was read; all runs share them. */
  prepare?(
    cases: readonly Case[],
    options: ProofOptions,
  ): { readonly cases: readonly Case[]; readonly remove: () => void }
  judge(run: Run): Promise<Judgement>
}

/** The share of these answers that is right. */
export function getPrecision(...answers: readonly string[]) {
  return (judged: readonly Judged[]): Share | null => {
    if (!judged.some(({ label, answer }) => isOneOf(answers, label) || isOneOf(answers, answer))) return null
    const called = judged.filter(({ label, answer }) => label !== null && isOneOf(answers, answer))
    return { hits: called.filter(({ label, answer }) => label === answer).length, all: called.length }
  }
}

/** The share of the cases with this label that has the answer. */
export function getRecall(label: string, answer: string | null = label) {
  return (judged: readonly Judged[]): Share | null => {
    const labelled = judged.filter((one) => one.label === label)
    if (labelled.length === 0) return null
    return { hits: labelled.filter((one) => one.answer === answer).length, all: labelled.length }
  }
}

function isOneOf(answers: readonly string[], answer: string | null): boolean {
  return answer !== null && answers.includes(answer)
}

export function atLeast(measure: string, min: number, result: number): Row {
  return { measure, goal: `≥ ${min}`, result: round(result), met: result >= min }
}

export function zero(measure: string, result: number): Row {
  return { measure, goal: '0', result, met: result === 0 }
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}

/** Fails with the id of the case and the name of a field that is missing. */
export function requireFields<Content>(
  value: unknown,
  ...names: readonly (keyof Content & string)[]
): Content {
  const fields = new Map<string, unknown>(
    typeof value === 'object' && value !== null ? Object.entries(value) : [],
  )
  const missing = names.find((name) => [undefined, null, ''].some((nothing) => fields.get(name) === nothing))
  if (missing === undefined) return value as Content
  const id = fields.get('id')
  throw new Error(`${typeof id === 'string' ? `${id}: ` : ''}"${missing}" is missing`)
}
