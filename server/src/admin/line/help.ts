import type { Command, Option } from './command.ts'

const CALL = 'npm run admin --'

/** Every command, by family. */
export function renderHelp(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length)) + 2
  const families = [...new Set(commands.map(familyOf))]
  const parts = families.map((family) =>
    commands
      .filter((command) => familyOf(command) === family)
      .map(({ name, summary }) => `  ${name.padEnd(width)}${summary}`)
      .join('\n'),
  )
  return [
    'The operator’s command of Scholiast.',
    `Usage: ${CALL} COMMAND [OPTIONS]`,
    ...parts,
    `Every command takes --json, for scripts, and --help, for its options: ${CALL} key create --help`,
  ].join('\n\n')
}

export function renderCommandHelp(command: Command): string {
  const { name, summary, options, words = [], example, environment = ['WORKER_DATABASE_URL'] } = command
  const lines = Object.entries(options).map(([option, definition]): [string, string] => {
    return [
      `--${option}${takes(definition)}`,
      definition.summary + (isRequired(definition) ? ' (required)' : ''),
    ]
  })
  lines.push(['--json', 'Answer in JSON, for scripts'])
  const width = Math.max(...lines.map(([left]) => left.length)) + 2
  return [
    `${summary}.`,
    `Usage: ${[CALL, name, ...words.map((word) => word.toUpperCase()), '[OPTIONS]'].join(' ')}`,
    lines.map(([left, right]) => `  ${left.padEnd(width)}${right}`).join('\n'),
    `Environment: ${environment.join(', ')}`,
    `Example: ${[CALL, name, example].join(' ').trimEnd()}`,
  ].join('\n\n')
}

export function familyOf({ name }: Command): string {
  return name.slice(0, name.indexOf(' '))
}

function isRequired(option: Option): boolean {
  return 'required' in option && option.required
}

function takes(option: Option): string {
  switch (option.kind) {
    case 'flag':
      return ''
    case 'integer':
      return ' N'
    case 'choice':
      return ` ${option.of.join('|')}`
    case 'text':
    case 'list':
      return ` ${option.takes}`
  }
}
