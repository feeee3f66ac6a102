import { parseArgs } from 'node:util'
import { type Command, type Option, type Options, UsageError, type Values } from './command.ts'

export interface Parsed {
  readonly values: Values<Options>
  readonly json: boolean
  readonly help: boolean
}

const LONGEST_TEXT = 200

interface Accepted {
  readonly type: 'boolean' | 'string'
  readonly short?: string
}

const everywhere: Readonly<Record<string, Accepted>> = {
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
}

/** Strict: nothing is guessed, nothing is taken twice, nothing is left over. */
export function parseOptions(command: Command, args: readonly string[]): Parsed {
  const { values, positionals, tokens } = parse(command, args)
  const help = values['help'] === true
  const words = (command.words ?? []).slice(0, positionals.length)
  if (positionals.length > words.length) throw tooManyWords()
  const given = [...tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : [])), ...words]
  const repeated = given.find((name, index) => given.indexOf(name) !== index)
  if (repeated !== undefined) throw new UsageError(`--${repeated} is given twice.`)
  const read = Object.entries(command.options).map(([name, option]) => {
    const value = values[name] ?? positionals[words.indexOf(name)]
    return [name, help ? undefined : readOption(name, option, value)]
  })
  return { values: Object.fromEntries(read), json: values['json'] === true, help }
}

function parse(command: Command, args: readonly string[]) {
  const own = Object.entries(command.options).map(([name, { kind }]) => {
    return [name, { type: kind === 'flag' ? 'boolean' : 'string' } as const]
  })
  const options: Record<string, Accepted> = { ...Object.fromEntries(own), ...everywhere }
  try {
    const allowPositionals = command.words !== undefined
    return parseArgs({ args: [...args], options, strict: true, allowPositionals, tokens: true })
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    if (code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL') throw tooManyWords()
    // The rest of Node's sentence tells how to use positional arguments, which few commands take.
    throw new UsageError(message.replace(/\. To specify a positional.*$/s, '.'))
  }
}

function tooManyWords(): UsageError {
  return new UsageError('There is a word too many: every value follows its option, as in --name VALUE.')
}

function readOption(name: string, option: Option, given: unknown): unknown {
  if (option.kind === 'flag') return given === true
  if (typeof given !== 'string') {
    if (option.required) throw new UsageError(`--${name} is missing: ${lowered(option.summary)}.`)
    return undefined
  }
  const wrong = (says: string) => new UsageError(`--${name} must be ${says}.`)
  switch (option.kind) {
    case 'text':
      checkText(given, option.longest ?? LONGEST_TEXT, wrong)
      if (option.shape && !option.shape.pattern.test(given)) throw wrong(option.shape.says)
      return given
    case 'integer':
      return readInteger(given, option.least, option.most, wrong)
    case 'choice':
      if (option.of.includes(given)) return given
      throw wrong(`one of ${option.of.join(', ')}`)
    case 'list':
      return readList(given, wrong)
  }
}

type Wrong = (says: string) => UsageError

function readInteger(given: string, least: number, most: number, wrong: Wrong): number {
  const value = /^(0|[1-9]\d{0,15})$/.test(given) ? Number(given) : Number.NaN
  if (value >= least && value <= most) return value
  throw wrong(`a whole number from ${least} to ${most}`)
}

function readList(given: string, wrong: Wrong): string[] {
  const items = given.split(',').map((item) => item.trim())
  if (items.includes('')) throw wrong('values separated by commas, none of them empty')
  for (const item of items) checkText(item, LONGEST_TEXT, wrong)
  return items
}

function checkText(text: string, longest: number, wrong: Wrong): void {
  if (text.trim() === '' || text.length > longest || /\p{Cc}/u.test(text)) {
    throw wrong(`1 to ${longest} characters on one line`)
  }
}

function lowered(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
