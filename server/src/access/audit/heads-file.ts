import { constants, createReadStream } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseSignedHead, type SignedHead } from './heads.ts'

// Signed heads may be on append-only storage, which refuses to truncate and to overwrite. So a file is only ever appended to,
// and a file whose last line is incomplete is left as it is: `heads` continues in `heads.2`, then in `heads.3`.

const NEWLINE = 10
const OPENING_BRACE = 123

/** The file and its continuations, oldest first. Throws if one of them is missing. */
export async function listHeadsFiles(file: string): Promise<string[]> {
  const names = new Set(await readdir(dirname(file)))
  const name = basename(file)
  const numbers = [...names]
    .filter((other) => other.startsWith(`${name}.`))
    .map((other) => other.slice(name.length + 1))
    .filter((number) => /^(?:[2-9]|[1-9]\d{1,8})$/.test(number))
    .map(Number)
  const last = Math.max(names.has(name) ? 1 : 0, ...numbers)
  const all = Array.from({ length: last }, (_, index) => toContinuation(file, index + 1))
  const missing = all.find((path) => !names.has(basename(path)))
  if (missing !== undefined)
    throw new Error(`${missing} is missing, but ${all.at(-1)} continues it: restore the missing file.`)
  return all
}

function toContinuation(file: string, number: number): string {
  return number === 1 ? file : join(dirname(file), `${basename(file)}.${number}`)
}

/** Appends whole lines and syncs them. A new file is started after a line that a crash or a full disk left incomplete. */
export async function appendHeads(file: string, heads: readonly SignedHead[]): Promise<void> {
  const handle = await open(
    await chooseFile(file),
    constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND,
    0o644,
  )
  try {
    await handle.appendFile(heads.map((head) => `${JSON.stringify(head)}\n`).join(''))
    await handle.sync()
  } finally {
    await handle.close()
  }
  await syncFolder(dirname(file))
}

async function chooseFile(file: string): Promise<string> {
  const files = await listHeadsFiles(file)
  const last = files.at(-1)
  if (last === undefined) return file
  return (await endsInLineBreak(last)) ? last : toContinuation(file, files.length + 1)
}

/** True for an empty file. */
async function endsInLineBreak(file: string): Promise<boolean> {
  const handle = await open(file, 'r')
  try {
    const { size } = await handle.stat()
    if (size === 0) return true
    const [first, last] = [Buffer.alloc(1), Buffer.alloc(1)]
    await handle.read(first, 0, 1, 0)
    await handle.read(last, 0, 1, size - 1)
    if (first[0] !== OPENING_BRACE)
      throw new Error(`${file} is not a file of signed heads: AUDIT_HEADS_FILE must name a dedicated file.`)
    return last[0] === NEWLINE
  } finally {
    await handle.close()
  }
}

/** A new file survives a crash only if its folder is synced. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** The time of the latest signature in the file and its continuations; null without any. */
export async function findLatestSignature(file: string): Promise<Date | null> {
  let latest = Number.NEGATIVE_INFINITY
  for (const path of await listHeadsFiles(file)) {
    for await (const line of createInterface({ input: createReadStream(path) })) {
      const at = Date.parse(parseSignedHead(line)?.at ?? '')
      if (at > latest) latest = at
    }
  }
  return Number.isFinite(latest) ? new Date(latest) : null
}
