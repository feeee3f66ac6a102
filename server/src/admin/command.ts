import type { AdminContext } from './context.ts'

/** An option that is not required may be omitted; its value is then undefined. */
export type CommandOption = { readonly summary: string } & (
  | {
      readonly kind: 'text'
      readonly placeholder: string
      readonly required?: true
      readonly format?: TextFormat
      /** Default: 200 characters. */
      readonly maxLength?: number
    }
  | { readonly kind: 'integer'; readonly min: number; readonly max: number; readonly required?: true }
  | { readonly kind: 'choice'; readonly choices: readonly string[]; readonly required?: true }
  /** Values separated by commas. */
  | { readonly kind: 'list'; readonly placeholder: string; readonly required?: true }
  | { readonly kind: 'flag' }
)

export interface TextFormat {
  readonly pattern: RegExp
  /** Completes "--name must be …". */
  readonly description: string
}

export type CommandOptions = Readonly<Record<string, CommandOption>>

type GivenValue<Of extends CommandOption> = Of extends { kind: 'flag' }
  ? boolean
  : Of extends { kind: 'integer' }
    ? number
    : Of extends { kind: 'list' }
      ? readonly string[]
      : Of extends { kind: 'choice'; choices: readonly (infer Choice)[] }
        ? Choice
        : string

type Value<Of extends CommandOption> = Of extends { kind: 'flag' } | { required: true }
  ? GivenValue<Of>
  : GivenValue<Of> | undefined

export type Values<Of extends CommandOptions> = { readonly [Name in keyof Of]: Value<Of[Name]> }

export type Cell = string | number | boolean | null | readonly string[]
export type OutputFields = Readonly<Record<string, Cell>>

/** The result of a command: a list, or a message with fields. */
export type Output =
  | { readonly rows: readonly OutputFields[]; readonly emptyMessage: string; readonly more?: string | null }
  | {
      readonly message: string
      readonly fields: OutputFields
      /** Prints the fields only with --json. */
      readonly brief?: true
    }
  /** The command wrote its result with `admin.write`. */
  | { readonly written: true }

/** A message for people; the fields are printed only with --json. */
export function briefOutput(message: string, fields: OutputFields): Output {
  return { message, fields, brief: true }
}

export interface AdminCommand<Of extends CommandOptions = CommandOptions> {
  /** Group and verb, as in `key create`. */
  readonly name: string
  readonly summary: string
  readonly options: Of
  /** Options whose values may also be given without their names, in this order. */
  readonly positionals?: readonly string[]
  /** Environment variables that the command reads. Default: WORKER_DATABASE_URL. */
  readonly environment?: readonly string[]
  /** The options of a working call. */
  readonly example: string
  run(admin: AdminContext, values: Values<Of>): Promise<Output>
}

/** Infers the types of the command's own options. */
export function defineCommand<const Of extends CommandOptions>(definition: AdminCommand<Of>): AdminCommand {
  return definition
}

/** A mistake in the command line: reported with a hint at the help, without a stack trace. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Part of the work is done and part failed. The output is printed too: it can contain a key, which is shown only once. */
export class IncompleteError extends Error {
  override readonly name = 'IncompleteError'
  /** The output as text. */
  rendered = ''
  readonly output: Output
  constructor(message: string, output: Output, cause?: unknown) {
    super(message, { cause })
    this.output = output
  }
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function idFormat(description: string): TextFormat {
  return { pattern: uuid, description }
}

export const rootOption = {
  kind: 'text',
  placeholder: 'ROOT',
  required: true,
  summary: 'Tenant root: id or name',
} as const

export const organizationOption = {
  kind: 'text',
  placeholder: 'ORGANIZATION',
  required: true,
  summary: 'Organization: id, org_id, provider:org_id or name',
} as const

export const personOption = {
  kind: 'text',
  placeholder: 'PERSON',
  required: true,
  summary: 'Person: e-mail or id',
} as const

export const emailFormat = { pattern: /^[^\s@,]+@[^\s@,]+$/, description: 'an e-mail address' }

export const dryRunOption = { kind: 'flag', summary: 'Show what would happen; change nothing' } as const

export const planOption = { kind: 'choice', choices: ['free', 'pro', 'enterprise'] } as const

export const pageOptions = {
  limit: { kind: 'integer', min: 1, max: 1000, summary: 'Maximum number of rows (default: 100)' },
  after: {
    kind: 'text',
    placeholder: 'ID',
    summary: 'Continue after this id',
    format: idFormat('the last id of a page'),
  },
} as const

export function toPage({ limit = 100, after }: { limit?: number | undefined; after?: string | undefined }) {
  return { limit, after: after ?? null }
}

/** A full page may not be the last one. */
export function renderNextPageHint(rows: readonly { readonly id: string }[], limit: number): string | null {
  const last = rows.at(-1)
  return last !== undefined && rows.length === limit ? `There may be more: --after ${last.id}` : null
}
