// The commands of the command line for users, from its command tree: as a page of the documentation site, and for check-docs.ts.
import { getExamples } from '../cli/src/command.ts'
import { loadCommandTree } from '../cli/src/program.ts'

type Command = Awaited<ReturnType<typeof loadCommandTree>>
type Argument = Command['registeredArguments'][number]
type Option = Command['options'][number]

const heading = `# Commands

Reference of the command line \`scholiast\`. [Command line](cli.md) explains installation, profiles, output and exit codes.
`

export async function renderCommandReference(): Promise<string> {
  const program = await loadCommandTree()
  const global = ['## Global options', renderOptions(program.options)]
  return [heading, ...global, ...program.commands.flatMap((command) => renderCommand(command, 2))].join('\n')
}

/** The options of every command, by its name without `scholiast`. A group has only its commands and is left out. */
export async function listCommandOptions(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const program = await loadCommandTree()
  const listOptions = (command: Command) => command.options.flatMap(({ long }) => long ?? [])
  const list = (command: Command): [string, ReadonlySet<string>][] => {
    if (command.commands.length > 0) return command.commands.flatMap(list)
    const name = getPath(command).slice('scholiast '.length)
    return [[name, new Set(['--help', ...listOptions(program), ...listOptions(command)])]]
  }
  return new Map(program.commands.flatMap(list))
}

function renderCommand(command: Command, level: number): string[] {
  const path = getPath(command)
  const parts = [`\n${'#'.repeat(level)} ${path}\n`, `${command.description()}.\n`]
  if (command.commands.length > 0) {
    return [...parts, ...command.commands.flatMap((child) => renderCommand(child, level + 1))]
  }
  parts.push(`\`\`\`text\n${path} ${command.usage()}\n\`\`\`\n`)
  const rows = [...command.registeredArguments.map(describeArgument), ...command.options.map(describeOption)]
  if (rows.length > 0) parts.push(renderTable(rows))
  const examples = getExamples(command)
  if (examples.length === 0) throw new Error(`${path} has no examples. Add them with addExamples.`)
  const lines = examples.map(({ command: words, explains }) => `# ${explains}\n${words}`)
  return [...parts, `\`\`\`console\n${lines.join('\n')}\n\`\`\``]
}

function getPath(command: Command): string {
  return command.parent === null ? command.name() : `${getPath(command.parent)} ${command.name()}`
}

function renderOptions(options: readonly Option[]): string {
  return `\n${renderTable(options.map(describeOption))}`
}

function renderTable(rows: readonly (readonly [string, string])[]): string {
  const lines = rows.map(([name, meaning]) => `| \`${name}\` | ${meaning.replaceAll('|', '\\|')} |`)
  return `| | Meaning |\n|---|---|\n${lines.join('\n')}\n`
}

function describeArgument(argument: Argument): [string, string] {
  const name = argument.variadic ? `${argument.name()}...` : argument.name()
  return [argument.required ? `<${name}>` : `[${name}]`, describe(argument.description, argument)]
}

function describeOption(option: Option): [string, string] {
  return [option.flags, describe(option.description, option)]
}

interface Described {
  readonly argChoices?: readonly string[]
  readonly defaultValue?: unknown
  /** For a default that depends on the day. */
  readonly defaultValueDescription?: string | undefined
}

function describe(text: string, { argChoices, defaultValue, defaultValueDescription }: Described): string {
  const choices =
    argChoices === undefined ? '' : `: ${argChoices.map((choice) => `\`${choice}\``).join(', ')}`
  const isShown = typeof defaultValue === 'string' || typeof defaultValue === 'number'
  if (defaultValueDescription !== undefined) return `${text}${choices} (default: ${defaultValueDescription})`
  return `${text}${choices}${isShown ? ` (default: \`${defaultValue}\`)` : ''}`
}
