import type { AdminContext } from '../context.ts'

interface Described {
  readonly summary: string
}

/** An option of a command. What is not required and has no fallback may be left out. */
export type Option = Described &
  (
    | {
        readonly kind: 'text'
        readonly takes: string
        readonly required?: true
        readonly shape?: Shape
        /** 200 characters when nothing is said. */
        readonly longest?: number
      }
    | { readonly kind: 'integer'; readonly least: number; readonly most: number; readonly required?: true }
    | { readonly kind: 'choice'; readonly of: readonly string[]; readonly required?: true }
    /** Values separated by commas. */
    | { readonly kind: 'list'; readonly takes: string; readonly required?: true }
    | { readonly kind: 'flag' }
  )

export interface Shape {
  readonly pattern: RegExp
  /** Completes "--name must be …". */
  readonly says: string
}

export type Options = Readonly<Record<string, Option>>

type Given<Of extends Option> = Of extends { kind: 'flag' }
  ? boolean
  : Of extends { kind: 'integer' }
    ? number
    : Of extends { kind: 'list' }
      ? readonly string[]
      : Of extends { kind: 'choice'; of: readonly (infer Choice)[] }
        ? Choice
        : string

type Always<Of extends Option> = Of extends { kind: 'flag' } | { required: true }
  ? Given<Of>
  : Given<Of> | undefined

export type Values<Of extends Options> = { readonly [Name in keyof Of]: Always<Of[Name]> }

export type Cell = string | number | boolean | null | readonly string[]
export type Facts = Readonly<Record<string, Cell>>

/** What a command has to say: a list, or a sentence and the facts behind it. */
export type Output =
  | { readonly rows: readonly Facts[]; readonly none: string; readonly more?: string | null }
  | {
      readonly said: string
      readonly facts: Facts
      /** The sentence says it all to a person; the facts are for scripts. */
      readonly brief?: true
    }
  /** It has written its answer itself. */
  | { readonly written: true }

/** What was done; the facts are for scripts. */
export function done(said: string, facts: Facts): Output {
  return { said, facts, brief: true }
}

export interface Command<Of extends Options = Options> {
  /** Family and verb, as in `key create`. */
  readonly name: string
  readonly summary: string
  readonly options: Of
  /** Options that may be given as plain words too, in this order. */
  readonly words?: readonly string[]
  /** Settings it reads from the environment; WORKER_DATABASE_URL when nothing is said. */
  readonly environment?: readonly string[]
  /** The options of a call that works, to be pasted and changed. */
  readonly example: string
  run(admin: AdminContext, values: Values<Of>): Promise<Output>
}

/** Keeps the types of a command's own options while it is written, and forgets them for the table of contents. */
export function command<const Of extends Options>(definition: Command<Of>): Command {
  return definition
}

/** A call that cannot be understood: told with the way to the help, never with a stack. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function idShape(says: string): Shape {
  return { pattern: uuid, says }
}

export const rootOption = {
  kind: 'text',
  takes: 'ROOT',
  required: true,
  summary: 'Tenant root: its id, or its name',
} as const

export const organizationOption = {
  kind: 'text',
  takes: 'ORGANIZATION',
  required: true,
  summary: 'Organization: its id, org_id, provider:org_id, or name',
} as const

export const personOption = {
  kind: 'text',
  takes: 'PERSON',
  required: true,
  summary: 'Person: e-mail or id',
} as const

export const dryRunOption = { kind: 'flag', summary: 'Say what would happen and change nothing' } as const

export const planOption = { kind: 'choice', of: ['free', 'pro', 'enterprise'] } as const

export const pageOptions = {
  limit: { kind: 'integer', least: 1, most: 1000, summary: 'At most so many (100)' },
  after: {
    kind: 'text',
    takes: 'ID',
    summary: 'Those after this id',
    shape: idShape('the last id of a page'),
  },
} as const

/** The page that was asked for, and the hint with which a full one ends. */
export function pageOf({ limit = 100, after }: { limit?: number | undefined; after?: string | undefined }) {
  return { limit, after: after ?? null }
}

export function moreAfter(rows: readonly { readonly id: string }[], limit: number): string | null {
  const last = rows.at(-1)
  return last !== undefined && rows.length === limit ? `More may follow: --after ${last.id}` : null
}
