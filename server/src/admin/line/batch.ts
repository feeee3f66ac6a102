import { createInterface } from 'node:readline'
import type { AdminContext } from '../context.ts'
import { type Command, command } from './command.ts'
import { explainFailure } from './explain.ts'
import { runCommand } from './run.ts'

/** For scripts that run many commands: one process, one connection to the database. */
export function batchCommand(commands: readonly Command[]): Command {
  return command({
    name: 'batch run',
    summary: 'Run commands from standard input, each a line with a JSON array of its words',
    environment: ['the settings of the commands'],
    options: {},
    example: '',
    async run(admin) {
      let failed = 0
      for await (const line of createInterface({ input: process.stdin })) {
        if (line.trim() === '') continue
        const reply = await runLine(admin, commands, line)
        if ('error' in reply) failed += 1
        await admin.write(`${JSON.stringify(reply)}\n`)
      }
      if (failed > 0) throw new Error(`${failed} of the commands failed.`)
      return { written: true }
    },
  })
}

async function runLine(
  admin: AdminContext,
  commands: readonly Command[],
  line: string,
): Promise<{ result: unknown } | { error: string }> {
  try {
    const output = await runCommand(admin, commands, [...parseWords(line), '--json'])
    return { result: JSON.parse(output || 'null') as unknown }
  } catch (error) {
    return { error: explainFailure(error) }
  }
}

function parseWords(line: string): string[] {
  const words: unknown = JSON.parse(line)
  if (Array.isArray(words) && words.every((word) => typeof word === 'string')) return words
  throw new Error('A line must be a JSON array of strings, as in ["workspace","list"].')
}
