import { createPublicKey, type KeyObject } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { exportAudit } from '../access/audit/export.ts'
import { createSigner } from '../access/audit/heads.ts'
import { listHeadsFiles } from '../access/audit/heads-file.ts'
import {
  AuditChainError,
  type ChainVerification,
  readSignedHeads,
  type SignedHeads,
  verifyExport,
} from '../access/audit/verify.ts'
import { rootScope } from '../access/scope.ts'
import { readAuditSettings, readSettings } from '../config.ts'
import { pluralize } from '../plural.ts'
import { findRootUnscoped } from '../resources/workspaces/manage.ts'
import { type AdminCommand, briefOutput, defineCommand, option, UsageError } from './command.ts'
import type { AdminContext } from './context.ts'

const CHUNK_BYTES = 1024 * 1024

const exportCommand = defineCommand({
  name: 'audit export',
  summary: 'Export the audit log of a tenant root as JSON lines, for audit verify',
  options: {
    root: option.root,
    clear: option.flag('Include names, e-mails and addresses; the chain contains only their digests'),
    out: option.text('FILE', 'Output file (default: standard output)', { maxLength: 4096 }),
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
  summary: 'Verify an export offline: the hash chain, the signed heads, the clear values',
  environment: [],
  options: {
    file: option.text('FILE', 'Output of audit export', { required: true, maxLength: 4096 }),
    heads: option.list(
      'FILE,…',
      'AUDIT_HEADS_FILE of each worker; files that continue it are found beside it',
    ),
    'public-key': option.text('FILE', 'PEM file with one or more public keys, from audit public-key', {
      maxLength: 4096,
    }),
  },
  positionals: ['file'],
  example: 'audit.jsonl --heads heads.jsonl --public-key audit-key.pem',
  async run(_admin, { file, heads, 'public-key': keyFile }) {
    if ((heads === undefined) !== (keyFile === undefined))
      throw new UsageError(
        '--heads and --public-key are required together: the key verifies the signatures of the heads.',
      )
    const keys = keyFile === undefined ? [] : readPublicKeys(await readFile(keyFile, 'utf8'))
    const loadHeads = (root: string) =>
      heads === undefined ? Promise.resolve(null) : readSignedHeadFiles(heads, keys, root)
    const verdict = await verifyExport(readChunks(file), loadHeads).catch(explainFault)
    const { restores, incompleteFiles, cutOff, ...counts } = verdict
    return briefOutput(describeVerification(verdict, heads !== undefined), {
      ...counts,
      cut_off_heads: cutOff,
      restores: restores.map(describeRestore),
      incomplete_files: incompleteFiles,
    })
  },
})

function describeVerification(verdict: ChainVerification, withHeads: boolean): string {
  const { rows, last, heads, clear, restores, cutOff, incompleteFiles } = verdict
  return [
    withHeads
      ? `The chain is valid: ${pluralize(rows, 'row')}, the last is ${last}; ${pluralize(heads, 'signed head matches', 'signed heads match')}.`
      : `The chain is valid: ${pluralize(rows, 'row')}, the last is ${last}. Only --heads can show that the whole chain was not rewritten.`,
    clear > 0 && `${pluralize(clear, 'clear value matches its digest', 'clear values match their digests')}.`,
    ...restores.map(describeRestore),
    cutOff > 0 &&
      `${pluralize(cutOff, 'signed head belongs', 'signed heads belong')} to rows that were cut off.`,
    ...incompleteFiles.map(
      (name) =>
        `${name} ends in an incomplete line: a write was interrupted, or the end of the file is missing.`,
    ),
  ]
    .filter((sentence) => sentence !== false)
    .join(' ')
}

function describeRestore({ position, at }: ChainVerification['restores'][number]): string {
  return `The database was restored to an earlier point, declared at ${at}: rows after ${position} were cut off.`
}

function explainFault(error: unknown): never {
  throw error instanceof AuditChainError ? new Error(`The audit log is not valid. ${error.message}`) : error
}

/** Reads all files with their continuations: each worker writes to a file on its own machine. */
async function readSignedHeadFiles(
  files: readonly string[],
  keys: readonly KeyObject[],
  root: string,
): Promise<SignedHeads> {
  const lists = await Promise.all(files.map(async (file) => [file, ...(await listHeadsFiles(file))]))
  const paths = new Set(lists.flat().map((file) => resolve(file)))
  const opened = [...paths].map((path) => ({ name: basename(path), pieces: readChunks(path) }))
  return readSignedHeads(opened, keys, root)
}

/** Opens the file when its first chunk is read. */
async function* readChunks(file: string): AsyncGenerator<string, void> {
  yield* createReadStream(file, { encoding: 'utf8', highWaterMark: CHUNK_BYTES }) as AsyncIterable<string>
}

function readPublicKeys(text: string): KeyObject[] {
  const blocks = text.match(/-----BEGIN PUBLIC KEY-----[^-]{1,1000}-----END PUBLIC KEY-----/g) ?? []
  if (blocks.length === 0)
    throw new UsageError('--public-key must be a file with a public key in PEM format.')
  return blocks.map((block) => createPublicKey(block))
}

const publicKey = defineCommand({
  name: 'audit public-key',
  summary: 'Print the public key of AUDIT_SIGNING_KEY, for audit verify',
  environment: ['AUDIT_SIGNING_KEY'],
  async run(admin) {
    const { signer } = readSignerSettings(admin)
    if (signer === null) throw new UsageError('AUDIT_SIGNING_KEY is not set, so no heads are signed.')
    await admin.write(signer.publicKey.export({ format: 'pem', type: 'spki' }).toString())
    return { written: true }
  },
})

const statusCommand = defineCommand({
  name: 'audit status',
  summary: 'Show whether and where heads are signed, and the retention of rows',
  environment: ['AUDIT_SIGNING_KEY', 'AUDIT_HEADS_FILE', 'AUDIT_HEADS_SECONDS', 'AUDIT_RETENTION_MONTHS'],
  run(admin) {
    const { signer, headsFile, headsSeconds, retentionMonths } = readSignerSettings(admin)
    const message =
      signer === null
        ? 'No heads are signed: AUDIT_SIGNING_KEY is not set. A rewrite of the whole chain cannot be detected.'
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
