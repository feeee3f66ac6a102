import { spawnSync } from 'node:child_process'
import { createReadStream, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { setAppendOnly } from '../../server/test/append-only.ts'
import {
  AuditChainError,
  listHeadsFiles,
  loadAppendHeads,
  readSignedHeads,
  type SignedHead,
} from '../../server/test/proofs/audit.ts'
import { copyWithout, type SourceEdit } from '../tools/copy.ts'
import type { Measurement } from '../tools/report.ts'
import { createChainFile, signer } from './chain-file.ts'

/** How the service wrote heads before: append-only storage refuses to truncate. */
const truncateFirst: SourceEdit = {
  file: 'access/audit/heads-file.ts',
  name: 'appendHeads',
  wrap: `async (append, file, heads) => {
    const handle = await open(file, 'a')
    try {
      await handle.truncate((await handle.stat()).size)
    } finally {
      await handle.close()
    }
    await append(file, heads)
  }`,
}

const HEADS_PER_APPEND = 3
const BLOCK_BYTES = 1024

interface Append {
  readonly entry: string | null
  readonly file: string
  readonly heads: readonly SignedHead[]
}

/**
 * Appends heads to files in a folder that the file system lets only grow. Every third append is cut off in the middle by a
 * limit on the size of files. Every head of an append that succeeded must be read again.
 */
export async function proveAppendOnly(appends: number, withCure: boolean): Promise<Measurement[]> {
  const chain = await createChainFile(appends * HEADS_PER_APPEND, 1)
  const copy = withCure ? null : await copyWithout([truncateFirst])
  const folder = mkdtempSync(`${tmpdir()}/scholiast-heads-`)
  const file = `${folder}/heads`
  const acknowledged: SignedHead[] = []
  let [refused, cutOff] = [0, 0]
  setAppendOnly(folder, true)
  try {
    for (let index = 0; index < appends; index++) {
      const heads = chain.heads.slice(index * HEADS_PER_APPEND, (index + 1) * HEADS_PER_APPEND)
      const isInterrupted = index % 3 === 2
      if (runAppend({ entry: copy?.apiEntry ?? null, file, heads }, isInterrupted))
        acknowledged.push(...heads)
      else if (isInterrupted) cutOff += 1
      else refused += 1
      for (const name of readdirSync(folder)) setAppendOnly(`${folder}/${name}`, true)
    }
    const missing = await countMissing(file, chain.root, acknowledged)
    return [
      {
        measure: `append-only storage: ${appends} appends, ${cutOff} of them cut off, ${readdirSync(folder).length} files: refused`,
        goal: '0',
        result: refused,
        met: refused === 0 && cutOff > 0,
      },
      {
        measure: `… ${acknowledged.length} acknowledged heads: not found by the verifier`,
        goal: '0',
        result: missing,
        met: missing === 0 && acknowledged.length > 0,
      },
    ]
  } finally {
    setAppendOnly(folder, false)
    for (const name of readdirSync(folder)) setAppendOnly(`${folder}/${name}`, false)
    rmSync(folder, { recursive: true })
    chain.remove()
    await copy?.remove()
  }
}

/** Appends in another process, so that a limit can end its write in the middle. Returns whether the append succeeded. */
function runAppend(append: Append, isInterrupted: boolean): boolean {
  const program = fileURLToPath(import.meta.url)
  const bytes = Buffer.byteLength(append.heads.map((head) => JSON.stringify(head)).join('\n'))
  const size = `$(stat --format %s $(ls -v ${append.file}* | tail -1))`
  const limit = isInterrupted
    ? `ulimit -f $(( (${size} + ${bytes - BLOCK_BYTES / 2}) / ${BLOCK_BYTES} ))`
    : ':'
  const { status } = spawnSync('bash', [
    '-c',
    `${limit}; exec "$0" "$1" "$2"`,
    process.execPath,
    program,
    JSON.stringify(append),
  ])
  return status === 0
}

async function countMissing(
  file: string,
  root: string,
  acknowledged: readonly SignedHead[],
): Promise<number> {
  const files = (await listHeadsFiles(file)).map((path) => ({
    name: path,
    pieces: createReadStream(path, { encoding: 'utf8' }) as AsyncIterable<string>,
  }))
  try {
    const { byPosition } = await readSignedHeads(files, [signer.publicKey], root)
    return acknowledged.filter(({ position }) => !byPosition.has(position)).length
  } catch (error) {
    if (error instanceof AuditChainError) return acknowledged.length
    throw error
  }
}

// Only if this file is the program and not imported.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { entry, file, heads } = JSON.parse(process.argv[2] ?? '') as Append
  const appendHeads = await loadAppendHeads(entry)
  await appendHeads(file, heads)
}
