import { createPublicKey, type KeyObject } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { exportAudit } from '../access/audit/export.ts'
import { createSigner } from '../access/audit/heads.ts'
import {
  AuditChainFault,
  readSignedHeads,
  type SignedHeadsByPosition,
  verifyExport,
} from '../access/audit/verify.ts'
import { rootScope } from '../access/scope.ts'
import { readAuditSettings, readSettings } from '../config.ts'
import { findRootUnscoped } from '../resources/workspaces/find.ts'
import { type AdminCommand, briefOutput, defineCommand, rootOption, UsageError } from './command.ts'
import type { AdminContext } from './context.ts'

const CHUNK_BYTES = 1024 * 1024

const exportCommand = defineCommand({
  name: 'audit export',
  summary: 'Write the audit log of a tenant root as lines of JSON, for audit verify',
  options: {
    root: rootOption,
    clear: { kind: 'flag', summary: 'With names, e-mails and addresses, which the chain holds as digests' },
    out: {
      kind: 'text',
      placeholder: 'FILE',
      maxLength: 4096,
      summary: 'Write to this file (standard output)',
    },
  },
  example: "--root 'Meridian Freight' --out audit.jsonl",
  async run(admin, { root, clear, out }) {
    const { pool } = await admin.operator()
    const { id, name } = await findRootUnscoped(pool, root)
    const chunks = exportAudit(pool, rootScope(id), clear)
    if (out === undefined) {
      for await (const chunk of chunks) await admin.write(chunk)
      return { written: true }
    }
    const file = createWriteStream(out, { mode: 0o600 })
    await pipeline(Readable.from(chunks), file)
    return briefOutput(`Wrote the audit log of ${name} to ${out}.`, {
      root: id,
      file: out,
      bytes: file.bytesWritten,
    })
  },
})

const verifyCommand = defineCommand({
  name: 'audit verify',
  summary: 'Check an export without the service: the chain, the signed heads, the clear values',
  environment: [],
  options: {
    file: {
      kind: 'text',
      placeholder: 'FILE',
      required: true,
      maxLength: 4096,
      summary: 'What audit export wrote',
    },
    heads: { kind: 'list', placeholder: 'FILE,…', summary: 'What the worker wrote to AUDIT_HEADS_FILE' },
    'public-key': {
      kind: 'text',
      placeholder: 'FILE',
      maxLength: 4096,
      summary: 'PEM of audit public-key, one or more',
    },
  },
  positionals: ['file'],
  example: 'audit.jsonl --heads heads.jsonl --public-key audit-key.pem',
  async run(_admin, { file, heads, 'public-key': keyFile }) {
    if ((heads === undefined) !== (keyFile === undefined))
      throw new UsageError('--heads and --public-key belong together: a head is worth its signature.')
    const keys = keyFile === undefined ? [] : readPublicKeys(await readFile(keyFile, 'utf8'))
    const loadHeads = (root: string) =>
      heads === undefined ? Promise.resolve(null) : readSignedHeadFiles(heads, keys, root)
    const verdict = await verifyExport(readChunks(file), loadHeads).catch(explainFault)
    const { rows, last, clear } = verdict
    const message =
      heads === undefined
        ? `The chain holds: ${rows} rows, the last is ${last}. Without --heads nobody can say that it was not rewritten whole.`
        : `The chain holds: ${rows} rows, the last is ${last}; ${verdict.heads} signed heads agree with it.`
    return briefOutput(
      clear === 0 ? message : `${message} ${clear} clear values are those that were sealed.`,
      {
        ...verdict,
      },
    )
  },
})

function explainFault(error: unknown): never {
  throw error instanceof AuditChainFault ? new Error(`The audit log does not hold. ${error.message}`) : error
}

/** All of the files, as if they were one: each worker writes to a file of its own machine. */
function readSignedHeadFiles(
  files: readonly string[],
  keys: readonly KeyObject[],
  root: string,
): Promise<SignedHeadsByPosition> {
  const chunks = async function* () {
    for (const file of files) yield* readChunks(file)
  }
  return readSignedHeads(chunks(), keys, root)
}

function readChunks(file: string): AsyncIterable<string> {
  return createReadStream(file, { encoding: 'utf8', highWaterMark: CHUNK_BYTES })
}

function readPublicKeys(text: string): KeyObject[] {
  const blocks = text.match(/-----BEGIN PUBLIC KEY-----[^-]{1,1000}-----END PUBLIC KEY-----/g) ?? []
  if (blocks.length === 0) throw new UsageError('--public-key must name a file with a public key as PEM.')
  return blocks.map((block) => createPublicKey(block))
}

const publicKey = defineCommand({
  name: 'audit public-key',
  summary: 'Print the public key of AUDIT_SIGNING_KEY, for audit verify',
  environment: ['AUDIT_SIGNING_KEY'],
  options: {},
  example: '',
  async run(admin) {
    const { signer } = readSignerSettings(admin)
    if (signer === null) throw new UsageError('AUDIT_SIGNING_KEY is not set: no heads are signed.')
    await admin.write(signer.publicKey.export({ format: 'pem', type: 'spki' }).toString())
    return { written: true }
  },
})

const statusCommand = defineCommand({
  name: 'audit status',
  summary: 'Say whether heads are signed, where they are written, and how long rows are kept',
  environment: ['AUDIT_SIGNING_KEY', 'AUDIT_HEADS_FILE', 'AUDIT_HEADS_SECONDS', 'AUDIT_RETENTION_MONTHS'],
  options: {},
  example: '',
  run(admin) {
    const { signer, headsFile, headsSeconds, retentionMonths } = readSignerSettings(admin)
    const message =
      signer === null
        ? 'No heads are signed: AUDIT_SIGNING_KEY is not set. A chain that was rewritten whole would not be noticed.'
        : `Heads are signed every ${headsSeconds} seconds.`
    const fields = { key: signer?.keyId ?? null, heads_file: headsFile, retention_months: retentionMonths }
    return Promise.resolve({ message, fields })
  },
})

function readSignerSettings({ env }: AdminContext) {
  const settings = readSettings(env, readAuditSettings)
  return { ...settings, signer: settings.signingKey === null ? null : createSigner(settings.signingKey) }
}

export const auditCommands: readonly AdminCommand[] = [exportCommand, verifyCommand, publicKey, statusCommand]
