// Input files and output files, where - is stdin or stdout.
import { createWriteStream } from 'node:fs'
import { readFile, rename, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { CliContext } from './context.ts'
import { CliError, exitCodes } from './exit.ts'

export async function readInput({ stdin, cwd }: CliContext, file: string): Promise<Buffer> {
  if (file === '-') {
    const chunks: Buffer[] = []
    for await (const chunk of stdin) chunks.push(Buffer.from(chunk as Buffer))
    return Buffer.concat(chunks)
  }
  try {
    return await readFile(resolve(cwd, file))
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'EISDIR')) {
      throw new CliError(`${file} is not a file that can be read.`, { exitCode: exitCodes.usage })
    }
    throw error
  }
}

/** Writes to stdout, or to a file that appears under its name only when it is complete. */
export async function writeOutput(
  { stdout, cwd }: CliContext,
  file: string | undefined,
  content: AsyncIterable<string | Uint8Array>,
): Promise<void> {
  if (file === undefined || file === '-') {
    await pipeline(Readable.from(content), stdout, { end: false })
    return
  }
  const target = resolve(cwd, file)
  const temporary = `${target}.part`
  try {
    await pipeline(Readable.from(content), createWriteStream(temporary))
    await rename(temporary, target)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
