// Help texts of commands: examples, which the reference page and its tests read too.
import type { Command } from 'commander'

export interface Example {
  readonly command: string
  readonly explains: string
}

const examples = new WeakMap<Command, readonly Example[]>()

/** Adds examples to the help text of a command. */
export function addExamples(command: Command, added: readonly Example[]): Command {
  examples.set(command, added)
  const lines = added.map(({ command: words, explains }) => `  # ${explains}\n  ${words}`)
  return command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`)
}

export function getExamples(command: Command): readonly Example[] {
  return examples.get(command) ?? []
}
