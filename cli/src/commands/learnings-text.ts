import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CliContext } from '../context.ts'
import { CliError, exitCodes } from '../exit.ts'
import { readInput } from '../files.ts'

/** The text of a Learning: the argument, stdin, or what somebody writes in an editor that begins with `present`. */
export async function readText(
  context: CliContext,
  given: string | undefined,
  present: string,
): Promise<string> {
  const fromStdin = given === '-' || (given === undefined && !context.isInteractive)
  const text = fromStdin
    ? (await readInput(context, '-')).toString('utf8')
    : (given ?? editText(context, present))
  if (text.trim() === '') {
    throw new CliError('The text is empty: nothing was changed.', {
      next: 'Write the text as an argument, or pipe it in with "-".',
      exitCode: exitCodes.usage,
    })
  }
  return text.trim()
}

function editText({ env }: CliContext, present: string): string {
  const editor = env['VISUAL'] || env['EDITOR']
  if (editor === undefined || editor === '') {
    throw new CliError('There is no text, and no editor is set.', {
      next: 'Write the text as an argument, pipe it in with "-", or set EDITOR.',
      exitCode: exitCodes.usage,
    })
  }
  const folder = mkdtempSync(join(tmpdir(), 'scholiast-'))
  try {
    const file = join(folder, 'learning.md')
    writeFileSync(file, present, { mode: 0o600 })
    // EDITOR may have arguments: the shell splits them.
    const { status } = spawnSync('sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit', env })
    if (status !== 0) throw new CliError(`The editor "${editor}" failed: nothing was changed.`)
    return readFileSync(file, 'utf8')
  } finally {
    rmSync(folder, { recursive: true })
  }
}
