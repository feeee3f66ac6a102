import type { Service } from './service.ts'

/** A sentence of the contract that can be checked with one key and no other privileges. */
export interface Rule {
  readonly id: string
  readonly title: string
  /** Sentences of the contract, as acceptance/rules.jsonl numbers them. */
  readonly contract: readonly string[]
  /** The check creates and deletes Learnings. */
  readonly writes?: true
  /** Throws an AssertionError if the service breaks the rule, or NotApplicableError. */
  check(service: Service): Promise<void>
}
