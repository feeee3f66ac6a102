import fc from 'fast-check'
import type { Source } from './model.ts'
import { contents } from './texts.ts'

/** A content and one of its wordings, by index. */
export interface TextChoice {
  readonly content: number
  readonly wording: number
}

/** One step of a history. Learnings are given by their index among all that ever existed. */
export type Command =
  | { readonly do: 'create'; readonly items: readonly (TextChoice & { readonly repository: number })[] }
  /** Repeats the last batch. */
  | { readonly do: 'retry' }
  | ({ readonly do: 'patch'; readonly learning: number } & TextChoice)
  | { readonly do: 'delete'; readonly learning: number }
  | { readonly do: 'decide'; readonly learning: number; readonly decision: 'approve' | 'disapprove' }
  | ({
      readonly do: 'propose'
      readonly repository: number
      readonly source: Source
      readonly number: number | null
      /** Minutes between the event and its arrival. */
      readonly late: number
    } & TextChoice)
  | {
      readonly do: 'close'
      readonly repository: number
      readonly number: number
      readonly merged: boolean
      readonly late: number
    }
  | { readonly do: 'use'; readonly learnings: readonly number[]; readonly late: number }
  /** Repeats the last event. */
  | { readonly do: 'redeliver' }
  | { readonly do: 'delay'; readonly repository: number | null; readonly days: number }
  /** Advances the clock and runs the worker. */
  | { readonly do: 'wait'; readonly hours: number }
  | { readonly do: 'break' }
  | { readonly do: 'mend' }
  | { readonly do: 'repair' }

export const REPOSITORIES = 2

const textChoice = { content: fc.nat(contents.length - 1), wording: fc.nat(1) }
const repository = fc.nat(REPOSITORIES - 1)
const number = fc.integer({ min: 1, max: 2 })
const late = fc.constantFrom(0, 0, 0, 1, 5, 30)
const learning = fc.nat(7)
const source = fc.constantFrom<Source>('chat', 'chat', 'review', 'agent', 'connector')

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('create' as const),
      items: fc.array(fc.record({ ...textChoice, repository }), { minLength: 1, maxLength: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('retry' as const) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('patch' as const), learning, ...textChoice }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('delete' as const), learning }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('decide' as const),
      learning,
      decision: fc.constantFrom('approve' as const, 'disapprove' as const),
    }),
  },
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('propose' as const),
      ...textChoice,
      repository,
      source,
      number: fc.option(number),
      late,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('close' as const),
      repository,
      number,
      merged: fc.boolean(),
      late,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('use' as const),
      learnings: fc.array(learning, { minLength: 1, maxLength: 4 }),
      late,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('redeliver' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('delay' as const),
      repository: fc.option(repository),
      days: fc.constantFrom(0, 1, 2),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('wait' as const), hours: fc.constantFrom(1, 24, 48) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('break' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('mend' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('repair' as const) }) },
)

export const historyArbitrary: fc.Arbitrary<Command[]> = fc.array(command, {
  minLength: 1,
  maxLength: 30,
  size: 'max',
})
