import { UUID } from '../ids.ts'
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

type OptionOf<Kind extends CommandOption['kind']> = Extract<CommandOption, { readonly kind: Kind }>
type Required = Pick<OptionOf<'list'>, 'required'>

const kinds = {
  text<const More extends Pick<OptionOf<'text'>, 'required' | 'format' | 'maxLength'>>(
    placeholder: string,
    summary: string,
    more?: More,
  ) {
    return { kind: 'text', placeholder, summary, ...(more as More) } as const
  },
  integer<const More extends Required>(min: number, max: number, summary: string, more?: More) {
    return { kind: 'integer', min, max, summary, ...(more as More) } as const
  },
  choice<const Choices extends readonly string[], const More extends Required>(
    choices: Choices,
    summary: string,
    more?: More,
  ) {
    return { kind: 'choice', choices, summary, ...(more as More) } as const
  },
  list<const More extends Required>(placeholder: string, summary: string, more?: More) {
    return { kind: 'list', placeholder, summary, ...(more as More) } as const
  },
  flag: (summary: string) => ({ kind: 'flag', summary }) as const,
}

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
  /** Group and verb, as in `key create`, or one word. */
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
export function defineCommand<const Of extends CommandOptions>(
  definition: Omit<AdminCommand<Of>, 'options' | 'example'> &
    Partial<Pick<AdminCommand<Of>, 'options' | 'example'>>,
): AdminCommand {
  return { options: {}, example: '', ...definition }
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

export function idFormat(description: string): TextFormat {
  return { pattern: UUID, description }
}

export const timeFormat = {
  pattern: /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)$/,
  description: 'a time with its zone, such as 2026-11-16T04:00:00Z',
}

/** Of an option with `timeFormat`, which admits a 13th month and the future. */
export function parsePastTime(name: string, text: string, now: Date): Date {
  const time = new Date(text)
  if (Number.isNaN(time.getTime()) || time > now)
    throw new UsageError(`--${name} must be a time in the past.`)
  return time
}

export const emailFormat = { pattern: /^[^\s@,]+@[^\s@,]+$/, description: 'an e-mail address' }

/** Kinds of options, and the options that many commands have. */
export const option = {
  ...kinds,
  root: kinds.text('ROOT', 'Tenant root: id or name', { required: true }),
  organization: kinds.text('ORGANIZATION', 'Organization: id, org_id, provider:org_id or name', {
    required: true,
  }),
  person: kinds.text('PERSON', 'Person: e-mail or id', { required: true }),
  dryRun: kinds.flag('Show what would happen; change nothing'),
  page: {
    limit: kinds.integer(1, 1000, 'Maximum number of rows (default: 100)'),
    after: kinds.text('ID', 'Continue after this id', { format: idFormat('the last id of a page') }),
  },
}

export const planOption = { kind: 'choice', choices: ['free', 'pro', 'enterprise'] } as const

interface Page {
  readonly limit: number
  readonly after: string | null
}

/** Lists the page that `option.page` selects. */
export async function listPage<Row extends { readonly id: string } & { readonly [Name in keyof Row]: Cell }>(
  {
    limit = 100,
    after = null,
  }: { readonly limit?: number | undefined; readonly after?: string | null | undefined },
  emptyMessage: string,
  read: (page: Page) => Promise<readonly Row[]>,
): Promise<Output> {
  const rows = await read({ limit, after })
  const last = rows.at(-1)
  // A full page may not be the last one.
  const more = last !== undefined && rows.length === limit ? `There may be more: --after ${last.id}` : null
  return { rows: rows.map((row): OutputFields => ({ ...row })), emptyMessage, more }
}
