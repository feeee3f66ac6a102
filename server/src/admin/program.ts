// Turns the list of admin commands into a commander program and runs one command line with it.
import { createInterface } from 'node:readline'
import { Command, CommanderError, Option } from 'commander'
import { hasControl, toLine } from '../names.ts'
import {
  type AdminCommand,
  type CommandOption,
  type CommandOptions,
  defineCommand,
  IncompleteError,
  UsageError,
  type Values,
} from './command.ts'
import type { AdminContext } from './context.ts'
import { explainFailure, renderOutput } from './output.ts'

const PROGRAM = 'npm run admin --'
const HELP_WIDTH = 110
const MAX_TEXT_LENGTH = 200
const helpCodes = new Set(['commander.help', 'commander.helpDisplayed'])

type Execute = (command: AdminCommand, values: Values<CommandOptions>, json: boolean) => Promise<void>

/** Returns the text to print. */
export async function runCommand(
  admin: AdminContext,
  commands: readonly AdminCommand[],
  argv: readonly string[],
): Promise<string> {
  let output = ''
  let commanderOutput = ''
  const execute: Execute = async (command, values, json) => {
    try {
      output = renderOutput(await command.run(admin, values), json)
    } catch (error) {
      if (error instanceof IncompleteError) error.rendered = renderOutput(error.output, json)
      throw error
    }
  }
  const program = createProgram(commands, execute, (text) => {
    commanderOutput += text
  })
  try {
    await program.parseAsync(argv, { from: 'user' })
    return output
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    const text = commanderOutput.trimEnd()
    if (helpCodes.has(error.code)) return text
    throw new UsageError(capitalize(text.replace(/^error: /, '')))
  }
}

function createProgram(
  commands: readonly AdminCommand[],
  execute: Execute,
  print: (text: string) => void,
): Command {
  const program = new Command(PROGRAM)
    .helpOption('-h, --help', 'Show this help')
    .exitOverride()
    .configureOutput({
      writeOut: print,
      writeErr: print,
      getOutHelpWidth: () => HELP_WIDTH,
      getErrHelpWidth: () => HELP_WIDTH,
    })
  for (const [name, members] of Map.groupBy(commands, (command) => splitName(command)[0])) {
    const single = members.find((member) => member.name === name)
    if (single !== undefined) {
      addCommand(program, single, execute)
      continue
    }
    const names = members.map((member) => member.name).join(', ')
    const group = program
      .command(name)
      .usage('COMMAND [options]')
      .helpCommand(false)
      .showHelpAfterError(`Commands: ${names}`)
      .configureHelp({ subcommandTerm: (member) => `${name} ${member.name()}` })
    for (const member of members) addCommand(group, member, execute)
  }
  // Set last: the groups would inherit it.
  return program
    .helpCommand(false)
    .showHelpAfterError(`Usage: ${PROGRAM} COMMAND [options]. List of commands: ${PROGRAM} --help`)
    .configureHelp({ formatHelp: () => renderOverview(commands) })
}

/** Lists every command; commander by itself would list only the groups. */
function renderOverview(commands: readonly AdminCommand[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length)) + 2
  const groups = [...Map.groupBy(commands, (command) => splitName(command)[0]).values()].map((members) =>
    members.map(({ name, summary }) => `  ${name.padEnd(width)}${summary}`).join('\n'),
  )
  return [
    `Usage: ${PROGRAM} COMMAND [options]`,
    'Administer a Scholiast installation.',
    ...groups,
    `Every command accepts --json and --help, as in: ${PROGRAM} key create --help`,
  ].join('\n\n')
}

function addCommand(group: Command, command: AdminCommand, execute: Execute): void {
  const { name, summary, options, positionals = [], example, environment = ['WORKER_DATABASE_URL'] } = command
  const leaf = group
    .command(splitName(command)[1] || name)
    .summary(summary)
    .description(`${summary}.`)
    .showHelpAfterError(`See: ${PROGRAM} ${name} --help`)
  for (const positional of positionals) leaf.argument(`[${positional}]`)
  for (const [option, definition] of Object.entries(options)) {
    leaf.addOption(createOption(leaf, option, definition))
  }
  const settings = environment.length === 0 ? '' : `Environment: ${environment.join(', ')}\n\n`
  const call = [PROGRAM, name, example].join(' ').trimEnd()
  leaf
    .option('--json', 'Print the result as JSON')
    .addHelpText('after', `\n${settings}Example: ${call}`)
    .action(async () => {
      try {
        await execute(command, readValues(leaf, command), leaf.getOptionValue('json') === true)
      } catch (error) {
        // commander adds the hint on where to find the help.
        if (error instanceof UsageError) leaf.error(toLine(error.message))
        throw error
      }
    })
}

function createOption(leaf: Command, name: string, definition: CommandOption): Option {
  const { summary, kind } = definition
  if (kind === 'flag') return new Option(`--${name}`, summary)
  const notes = [
    ...(definition.required ? ['(required)'] : []),
    ...(kind === 'choice' ? [`(one of ${definition.choices.join(', ')})`] : []),
  ]
  const description = [summary, ...notes].join(' ')
  // commander would silently use the last of several values.
  return new Option(`--${name} <${getPlaceholder(name, definition)}>`, description).argParser(
    (text: string, previous: string | undefined) =>
      previous === undefined ? text : leaf.error(`--${name} is given more than once.`),
  )
}

function getPlaceholder(name: string, option: Exclude<CommandOption, { kind: 'flag' }>): string {
  switch (option.kind) {
    case 'integer':
      return 'N'
    case 'choice':
      return name.toUpperCase()
    case 'text':
    case 'list':
      return option.placeholder
  }
}

function readValues(leaf: Command, { options, positionals = [] }: AdminCommand): Values<CommandOptions> {
  const given = new Map<string, unknown>(
    leaf.options.map((option) => [option.name(), leaf.getOptionValue(option.attributeName())]),
  )
  for (const [index, text] of leaf.args.entries()) {
    const name = positionals[index] ?? ''
    if (given.get(name) !== undefined) throw new UsageError(`--${name} is given more than once.`)
    given.set(name, text)
  }
  return Object.fromEntries(
    Object.entries(options).map(([name, option]) => [name, readValue(name, option, given.get(name))]),
  )
}

function readValue(name: string, option: CommandOption, given: unknown): Values<CommandOptions>[string] {
  if (option.kind === 'flag') return given === true
  if (typeof given !== 'string') {
    if (option.required) throw new UsageError(`--${name} is required (${lowerFirst(option.summary)}).`)
    return undefined
  }
  // commander takes the next word as the value, even if it is an option.
  if (given.startsWith('--')) throw new UsageError(`--${name} needs a value, but ${given} follows it.`)
  const invalid = (expected: string) => new UsageError(`--${name} must be ${expected}.`)
  switch (option.kind) {
    case 'text':
      checkText(given, option.maxLength ?? MAX_TEXT_LENGTH, invalid)
      if (option.format && !option.format.pattern.test(given)) throw invalid(option.format.description)
      return given
    case 'integer':
      return readInteger(given, option.min, option.max, invalid)
    case 'choice':
      if (option.choices.includes(given)) return given
      throw invalid(`one of ${option.choices.join(', ')}`)
    case 'list':
      return readList(given, invalid)
  }
}

type Invalid = (expected: string) => UsageError

function readInteger(text: string, min: number, max: number, invalid: Invalid): number {
  const value = /^(0|[1-9]\d{0,15})$/.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  throw invalid(`a whole number from ${min} to ${max}`)
}

function readList(text: string, invalid: Invalid): string[] {
  const items = text.split(',').map((item) => item.trim())
  if (items.includes('')) throw invalid('values separated by commas, none of them empty')
  for (const item of items) checkText(item, MAX_TEXT_LENGTH, invalid)
  return items
}

function checkText(text: string, maxLength: number, invalid: Invalid): void {
  if (text.trim() === '' || text.length > maxLength || hasControl(text)) {
    throw invalid(`1 to ${maxLength} characters on one line`)
  }
}

function splitName({ name }: AdminCommand): [group: string, verb: string] {
  const [group = '', verb = ''] = name.split(' ')
  return [group, verb]
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Lets a script run many commands in one process, with one database connection. */
export function createBatchCommand(commands: readonly AdminCommand[]): AdminCommand {
  return defineCommand({
    name: 'batch run',
    summary: 'Run commands from standard input, one JSON array of words per line',
    // It reads only the settings of the commands it runs.
    environment: [],
    async run(admin) {
      let failed = 0
      for await (const line of createInterface({ input: process.stdin })) {
        if (line.trim() === '') continue
        const reply = await runBatchLine(admin, commands, line)
        if ('error' in reply) failed += 1
        await admin.write(`${JSON.stringify(reply)}\n`)
      }
      if (failed > 0) throw new Error(`${failed} of the commands failed.`)
      return { written: true }
    },
  })
}

async function runBatchLine(
  admin: AdminContext,
  commands: readonly AdminCommand[],
  line: string,
): Promise<{ result: unknown } | { error: string; result?: unknown }> {
  try {
    const output = await runCommand(admin, commands, parseWords(line).toSpliced(2, 0, '--json'))
    return { result: JSON.parse(output || 'null') as unknown }
  } catch (error) {
    const result = error instanceof IncompleteError ? { result: JSON.parse(error.rendered) as unknown } : {}
    return { error: explainFailure(error), ...result }
  }
}

function parseWords(line: string): string[] {
  const words: unknown = JSON.parse(line)
  if (Array.isArray(words) && words.every((word) => typeof word === 'string')) return words
  throw new Error('A line must be a JSON array of strings, as in ["workspace","list"].')
}
