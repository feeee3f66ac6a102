export interface Learning {
  readonly id: string
  readonly text: string
  readonly file?: string
}

export interface Situation {
  readonly id: string
  readonly text?: string
  readonly diff?: string
  readonly files?: readonly string[]
  readonly relevant: readonly string[]
}

export interface DiffRow {
  readonly relevant: readonly [string, ...string[]]
  readonly files: readonly string[]
  readonly diff: string
}
