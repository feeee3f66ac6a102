import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { createSigner } from '../../access/audit/heads.ts'
import { findUnsignedUnscoped } from '../../access/audit/sql.ts'
import { rootScope } from '../../access/scope.ts'
import { type Environment, readAuditSettings, readSettings } from '../../config.ts'
import type { Pool } from '../../db/connect.ts'
import { readScoped, runUnscoped } from '../../db/transaction.ts'
import type { RootId } from '../../ids.ts'
import { readIndexStatusUnscoped } from '../../learning-index/maintenance/sql.ts'
import { pluralize } from '../../plural.ts'
import { toPublicUrl } from '../../public-url.ts'
import { listKeyStates } from '../../resources/connectors/rotate-secrets.ts'
import { countConnectorsUnscoped } from '../../resources/connectors/sync/connector-sql.ts'
import { listRestorePointsUnscoped, readLastDrillUnscoped } from '../../resources/restore-points/sql.ts'
import { createEmbedders } from '../../text/embed/create.ts'
import { createLocalEmbedder } from '../../text/embed/local.ts'
import { DAY_MS } from '../../time.ts'
import { type Finding, type Result, report, runCheck, runChecks } from './finding.ts'
import { readUnsignedAge } from './sql.ts'

const MAX_DRILL_DAYS = 35
const MAX_UNSIGNED_ROOTS = 20
const MAX_ANSWER_MS = 4_500
const MIGRATE = 'run: npm run admin -- database migrate'

/** Without a database, only what settings, the model and the public address show. */
export async function checkService(env: Environment, pool: Pool | null): Promise<readonly Finding[]> {
  const key = 'set it to an Ed25519 private key: PKCS #8 as PEM, or 32 bytes in base64'
  const address = 'check the name, the certificate and the proxy: PUBLIC_URL must lead to the API'
  const checked = await Promise.all([
    ...['SIGNING_KEYS', 'INGEST_KEYS'].map((name) =>
      runCheck('signing', name, 'set it as for the API', async () => {
        return [pluralize(readSettings(env, (read) => read.keyRing(name)).length, 'key')]
      }),
    ),
    runCheck('signing', 'AUDIT_SIGNING_KEY', key, async () => checkSigningKey(env)),
    runCheck('signing', 'AUDIT_HEADS_FILE', 'let the user of the worker write to it', () =>
      checkHeadsFile(env),
    ),
    runChecks('model', 'Learnings', 'correct the EMBEDDER_* settings', () => checkModel(env, pool)),
    runCheck('public URL', 'PUBLIC_URL', address, () => checkPublicUrl(env)),
    ...(pool === null ? [] : checkStored(env, pool)),
  ])
  return checked.flat()
}

function checkStored(env: Environment, pool: Pool) {
  const run = (check: string, of: string, work: () => Promise<Result>) =>
    runCheck(check, of, 'see the log of PostgreSQL', work)
  return [
    run('signing', 'CONNECTOR_KEYS', () => checkConnectorKeys(env, pool)),
    run('signing', 'audit log', () => checkSignatures(env, pool)),
    run('restore', 'drill', () => checkDrill(pool)),
    run('restore', 'last point', () => checkRestorePoints(pool)),
    run('connectors', 'all', () => checkConnectors(pool)),
  ]
}

function checkSigningKey(env: Environment): Result {
  const { signingKey } = readSettings(env, readAuditSettings)
  if (signingKey !== null) return [`key ${createSigner(signingKey).keyId}`]
  return ['not set', 'set it as for the worker: without it, a rewritten audit log is not noticed']
}

async function checkHeadsFile(env: Environment): Promise<Result> {
  const { headsFile } = readSettings(env, readAuditSettings)
  if (headsFile === null) return ['not set', 'set it as for the worker, to a file outside of the database']
  await access(headsFile, constants.W_OK)
  return ['can be written']
}

async function checkSignatures(env: Environment, pool: Pool): Promise<Result> {
  const { signingKey, headsSeconds } = readSettings(env, readAuditSettings)
  if (signingKey === null) return ['not signed']
  const heads = await runUnscoped<{ root: RootId }>(pool, findUnsignedUnscoped, [MAX_UNSIGNED_ROOTS])
  const ages = heads.map(({ root }) =>
    readScoped(pool, rootScope(root), (tx) => tx.first<{ seconds: number }>(readUnsignedAge, [root])),
  )
  const seconds = Math.max(0, ...(await Promise.all(ages)).map((age) => age?.seconds ?? 0))
  if (seconds <= 2 * headsSeconds + 60) return ['signed in time']
  return [
    `rows wait for ${Math.round(seconds)} s`,
    'start a worker with AUDIT_SIGNING_KEY; its log says more',
  ]
}

async function checkConnectorKeys(env: Environment, pool: Pool): Promise<Result> {
  const name = 'CONNECTOR_KEYS'
  // Without connectors there need be no key.
  const ring = readSettings(env, (read) => (read.list(name).length === 0 ? [] : read.keyRing(name)))
  const lost = (await listKeyStates(pool, ring)).filter((state) => state.can_be_removed === null).length
  const found = `${pluralize(ring.length, 'key')}; ${pluralize(lost, 'other key')} used by secrets`
  const toDo = 'add the pairs that "connector keys" names, or connect these organizations again'
  return [found, lost > 0 ? toDo : null]
}

async function checkModel(env: Environment, pool: Pool | null): Promise<readonly Finding[]> {
  const config = readSettings(env, (read) => ({ embedder: read.embedder() }))
  const local = createLocalEmbedder()
  const [embedder] = createEmbedders(config.embedder, local).configured
  const install = 'run npm run build for the local model, or set EMBEDDER_URL'
  if (embedder === undefined) return [report('model', 'Learnings', 'none: searches use words only', install)]
  const start =
    'start the model server, or correct the EMBEDDER_* settings: until then searches use words only'
  const [answer, index] = await Promise.all([
    embedder.embed(['doctor'], { signal: AbortSignal.timeout(MAX_ANSWER_MS) }).then(
      (): Result => [`${embedder.model} answers`],
      // The message of an embedder quotes no text and no key.
      (error: Error): Result => [error.message, start],
    ),
    pool === null ? [] : runCheck('model', 'index', MIGRATE, () => checkIndex(pool, embedder.model)),
  ])
  await local?.close()
  return [report('model', 'Learnings', ...answer), ...index]
}

async function checkIndex(pool: Pool, configured: string): Promise<Result> {
  const { active, failing } = await readIndexStatusUnscoped(pool)
  const restore = 'restore the EMBEDDER_* settings of that model, or run: npm run admin -- learnings reindex'
  if (active !== null && active !== configured)
    return [`of ${active}, but ${configured} is configured`, restore]
  const toDo = 'check that the worker reaches the model: npm run admin -- learnings status'
  return [`${pluralize(failing, 'Learning')} not indexed`, failing > 0 ? toDo : null]
}

async function checkPublicUrl(env: Environment): Promise<Result> {
  const { url } = readSettings(env, (read) => ({ url: read.publicUrl() }))
  const set = 'set it to the address that browsers use, as in https://scholiast.example.com'
  if (url === null) return ['not set: nobody can sign in', set]
  const signal = AbortSignal.timeout(MAX_ANSWER_MS)
  const { ok, status } = await fetch(toPublicUrl(url, '/healthz'), { redirect: 'manual', signal })
  const toDo = 'check the proxy: PUBLIC_URL must lead to the API'
  return [`${url.protocol.slice(0, -1)}, /healthz returns ${status}`, ok ? null : toDo]
}

async function checkDrill(pool: Pool): Promise<Result> {
  const endedAt = await readLastDrillUnscoped(pool)
  const days = Math.floor((Date.now() - (endedAt ?? 0) * 1000) / DAY_MS)
  const toDo = 'run: npm run admin -- restore drill --folder DIRECTORY (docs/backup.md)'
  return [endedAt === null ? 'never' : `${pluralize(days, 'day')} ago`, days > MAX_DRILL_DAYS ? toDo : null]
}

async function checkRestorePoints(pool: Pool): Promise<Result> {
  const isWaiting = (await listRestorePointsUnscoped(pool)).some((point) => point.confirmed_at === null)
  const toDo = 'finish docs/backup.md#restore, then run: npm run admin -- restore-point confirm'
  return isWaiting ? ['not confirmed: connectors are paused', toDo] : ['none waits for a confirmation']
}

async function checkConnectors(pool: Pool): Promise<Result> {
  const counts = await countConnectorsUnscoped(pool)
  const found = counts.map(({ status, value }) => `${value} ${status}`).join(', ')
  const isFailing = counts.some(({ status, value }) => status === 'failing' && value > 0)
  const toDo = 'see the errors of connectors in the dashboard, and the log of the worker'
  return [found, isFailing ? toDo : null]
}
