import type { AdminContext } from '../context.ts'
import { type Command, UsageError } from './command.ts'
import { familyOf, renderCommandHelp, renderHelp } from './help.ts'
import { renderOutput } from './output.ts'
import { parseOptions } from './parse.ts'

/** Answers what is to be printed. */
export async function runCommand(
  admin: AdminContext,
  commands: readonly Command[],
  argv: readonly string[],
): Promise<string> {
  const words = argv.slice(0, 2).filter((word) => !word.startsWith('-'))
  const [family, verb] = words
  if (family === undefined) return helpOrRefuse(commands, argv)
  const kin = commands.filter((command) => familyOf(command) === family)
  if (kin.length === 0) throw new UsageError(`There is no command "${family}". See them all: npm run admin`)
  if (verb === undefined) return helpOrRefuse(kin, argv.slice(1))
  const command = kin.find(({ name }) => name === `${family} ${verb}`)
  if (command === undefined) {
    const verbs = kin.map(({ name }) => name.slice(family.length + 1)).join(', ')
    throw new UsageError(`There is no command "${family} ${verb}"; ${family} has: ${verbs}.`)
  }
  try {
    const { values, json, help } = parseOptions(command, argv.slice(2))
    if (help) return renderCommandHelp(command)
    return renderOutput(await command.run(admin, values), json)
  } catch (error) {
    if (error instanceof UsageError) error.message += `\nSee: npm run admin -- ${command.name} --help`
    throw error
  }
}

function helpOrRefuse(commands: readonly Command[], rest: readonly string[]): string {
  if (rest.every((word) => word === '--help' || word === '-h')) return renderHelp(commands)
  throw new UsageError('The command comes first, then its options. See them all: npm run admin')
}
