// Questions on a terminal. They go to stderr, so that stdout holds results only.
import { createInterface } from 'node:readline/promises'
import type { CliContext } from './context.ts'
import { CliError, exitCodes } from './exit.ts'
import { toLine } from './output.ts'

export async function promptLine({ stdin, stderr }: CliContext, question: string): Promise<string> {
  const reader = createInterface({ input: stdin, output: stderr })
  try {
    return (await reader.question(toLine(question))).trim()
  } finally {
    reader.close()
  }
}

/** Reads a line without showing it. */
export async function promptHidden({ stdin, stderr }: CliContext, question: string): Promise<string> {
  // Before the question, because somebody may paste the answer at once.
  stdin.setRawMode(true)
  stdin.setEncoding('utf8')
  stderr.write(question)
  let typed = ''
  try {
    for await (const chunk of stdin.iterator({ destroyOnReturn: false })) {
      const characters = Array.from(String(chunk))
      for (const [index, character] of characters.entries()) {
        if (character === '\u0003') throw new CliError('Interrupted.')
        if (character === '\r' || character === '\n' || character === '\u0004') {
          // Somebody may paste the answers to several questions.
          stdin.unshift(characters.slice(index + 1).join(''))
          return typed.trim()
        }
        typed = character === '\u007f' || character === '\b' ? typed.slice(0, -1) : typed + character
      }
    }
    return typed.trim()
  } finally {
    stdin.setRawMode(false)
    stdin.pause()
    stderr.write('\n')
  }
}

/** Continues after --yes or a "yes" on the terminal; otherwise throws. */
export async function confirm(context: CliContext, what: string, isConfirmed: boolean): Promise<void> {
  if (isConfirmed) return
  if (!context.isInteractive) {
    throw new CliError(`${what} There is no terminal to confirm this on.`, {
      next: 'Add --yes to continue, or --dry-run to see what would happen.',
      exitCode: exitCodes.usage,
    })
  }
  const answer = await promptLine(context, `${what} Type "yes" to continue: `)
  if (answer !== 'yes') throw new CliError('Nothing was changed.', { exitCode: exitCodes.usage })
}
