import { randomBytes, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  type AuditChainHead,
  chainHash,
  contentDigest,
  createSigner,
  genesis,
  type SignedHead,
  sealPersonalValues,
} from '../../server/test/proofs/audit.ts'

export const signer = createSigner(randomBytes(32).toString('base64'))

/** An export on disk, and the heads that were signed while it grew. */
export interface ChainFile {
  readonly rows: number
  readonly root: string
  /** In order of position; the last row is signed. */
  readonly heads: readonly SignedHead[]
  pieces(): AsyncIterable<string>
  remove(): void
}

const actions = ['role_created', 'api_key_revoked', 'learning_updated', 'request_refused'] as const

/** Appends rows as the service chains them, and signs the head at intervals. */
export async function createChainFile(rows: number, signedEvery: number): Promise<ChainFile> {
  const folder = mkdtempSync(`${tmpdir()}/scholiast-audit-`)
  const file = `${folder}/export`
  const root = randomUUID()
  const heads: SignedHead[] = []
  await pipeline(Readable.from(writeRows(root, rows, signedEvery, heads)), createWriteStream(file))
  return {
    rows,
    root,
    heads,
    pieces: () => createReadStream(file, { encoding: 'utf8', highWaterMark: 1024 * 1024 }),
    remove: () => rmSync(folder, { recursive: true }),
  }
}

function* writeRows(root: string, rows: number, signedEvery: number, heads: SignedHead[]): Generator<string> {
  const start = { kind: 'start', version: 1, root, after: { position: 0, hash: genesis.toString('hex') } }
  yield `${JSON.stringify(start)}\n`
  let previous: Buffer = genesis
  let lines = ''
  for (let position = 1; position <= rows; position++) {
    const { content, clear } = createContent(position)
    previous = chainHash(previous, position, contentDigest(content))
    const hash = previous.toString('hex')
    // Every second row has its clear values; those of the others were erased.
    lines += `${JSON.stringify({ ...content, position, hash, ...(position % 2 === 0 && { clear }) })}\n`
    if (position % signedEvery === 0 || position === rows)
      heads.push(signHead({ kind: 'head', root, position, hash }))
    if (position % 1000 === 0 || position === rows) {
      yield lines
      lines = ''
    }
  }
  yield `${JSON.stringify({ kind: 'end', head: { position: rows, hash: previous.toString('hex') } })}\n`
}

function signHead(head: AuditChainHead): SignedHead {
  return signer.sign(head, new Date())
}

function createContent(position: number) {
  const { sealed, clear } = sealPersonalValues({ name: `Person ${position}`, ip_address: '192.0.2.7' })
  const content = {
    action: actions[position % actions.length],
    actor_id: randomUUID(),
    actor_kind: 'key',
    at: new Date(1_760_000_000_000 + position * 1000).toISOString(),
    id: randomUUID(),
    metadata: { code: 'PERMISSION_DENIED', count: position, list: ['a', 'b'] },
    organization_id: position % 3 === 0 ? null : randomUUID(),
    resource_id: randomUUID(),
    resource_type: 'role',
    sealed,
  }
  return { content, clear }
}
