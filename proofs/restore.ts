import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { limitsOff } from '../server/test/limits-off.ts'
import {
  connect,
  createSigner,
  exportRoot,
  listHeadsFiles,
  readSignedHeads,
} from '../server/test/proofs/audit.ts'
import {
  type Backups,
  createBackups,
  installPgBackRest,
  toBackupSettings,
} from '../server/test/proofs/pgbackrest.ts'
import { toReviewTarget } from '../server/test/pull-requests.ts'
import { createPoller, type Poller } from './audit/poller.ts'
import { findChainFault } from './audit/tampering.ts'
import { createNumberedEvents } from './ingest/events.ts'
import { type Installation, startInstallation } from './ingest/installation.ts'
import { countEvents, noneAcknowledged, sendBlocks } from './ingest/sender.ts'
import {
  createWriteLog,
  measureStored,
  verifyOutcomes,
  verifyPullRequests,
  waitUntilStored,
} from './ingest/verify.ts'
import { CursorBeyondRestoreError, type Reader, readChanges } from './paging/readers.ts'
import { measureDrill } from './restore/drill.ts'
import {
  checkRevoked,
  measureRevocations,
  plantRevocable,
  type Revocable,
  type Revocations,
  revokeRepeatedly,
} from './restore/revocable.ts'
import { timeBackups } from './restore/size.ts'
import type { ProofOptions } from './run.ts'
import { runAdmin } from './tools/admin.ts'
import { get } from './tools/client.ts'
import { compareSets } from './tools/compare-sets.ts'
import { type Measurement, report, reportWithoutCures } from './tools/report.ts'

const PUBLIC_URL = 'https://scholiast.example.com'
const MAX_IDLE_MS = 60_000
const FOLLOW_MS = 100
const RETRY_MS = 200
/** How long the worker is lost before the database: what is taken away then is not relayed. */
const UNRELAYED_MS = 1_500

interface Plan {
  readonly rounds: number
  /** Before the point and after it, at most. */
  readonly loadMs: number
  readonly revocations: number
  readonly withCures: boolean
}

/** The database is lost under load and restored to a random point: the archive and the record of restrictions make up for what was lost. */
export async function prove({ withoutCure, quick, pullRequests }: ProofOptions): Promise<void> {
  installPgBackRest()
  const small = quick || withoutCure
  const plan = {
    rounds: small ? 1 : 5,
    loadMs: small ? 6_000 : 20_000,
    revocations: small ? 150 : 1_800,
    withCures: !withoutCure,
  }
  const title = 'restore: the database is lost under load and restored to a random point'
  if (withoutCure) return reportWithoutCures(`${title}; no archive, no declaration`, await run(plan))
  report(title, await run(plan))
  if (!quick) report('restore: by size', await timeBackups(pullRequests ?? 1_000_000))
}

async function run(plan: Plan): Promise<Measurement[]> {
  const folder = await mkdtemp(join(tmpdir(), 'scholiast-proof-'))
  const signing = Buffer.alloc(32, 9).toString('base64')
  const audit = { AUDIT_SIGNING_KEY: signing, AUDIT_HEADS_FILE: join(folder, 'heads') }
  let planted: readonly Revocable[] = []
  const installation = await startInstallation({
    settings: {
      ...audit,
      ...limitsOff,
      AUDIT_HEADS_SECONDS: '1',
      PUBLIC_URL,
      INGEST_ARCHIVE_DAYS: plan.withCures ? '1' : '0',
    },
    postgresSettings: toBackupSettings,
    async plant(tenant, database) {
      planted = await plantRevocable(tenant, database, plan.revocations, PUBLIC_URL)
    },
  })
  const superuser = installation.database.superuser()
  try {
    await superuser.query(createWriteLog)
    const backups = createBackups(installation.folder, installation.database.superuserUrl)
    backups.full()
    const environment = {
      ...audit,
      WORKER_DATABASE_URL: installation.database.urls.worker,
      NATS_URL: installation.natsUrl,
      BUS_PREFIX: installation.busPrefix,
    }
    const targets = installation.root.organizations.map((organization) => toReviewTarget(organization))
    const events = createNumberedEvents(targets)
    const acknowledged = noneAcknowledged()
    const readers = createReaders(installation)
    const revocations = { left: [...planted], done: [], violations: 0, unrelayed: 0, asked: 0 }
    const load = { on: true }
    const sending = sendBlocks(installation, events, acknowledged, () => load.on)
    const following = follow(readers, load)
    let beyond = 0
    for (let round = 1; round <= plan.rounds; round++) {
      const loss = { installation, backups, environment, plan, revocations, readers, superuser }
      const lost = await loseAndRestore(loss)
      beyond += lost
      console.error(
        `  round ${round}: ${countEvents(acknowledged)} events acknowledged; ${lost} pull requests were stored after the point`,
      )
    }
    load.on = false
    await Promise.all([sending, following])
    // The worker still stores what was sent.
    const drill = plan.withCures ? [await measureDrill(installation.folder, environment, folder)] : []
    await waitUntilStored(superuser, acknowledged, plan.withCures ? MAX_IDLE_MS : MAX_IDLE_MS / 6)
    await readAll(readers)
    const measured = [
      {
        measure: `restores to a point, under a load of ${countEvents(acknowledged)} acknowledged events; pull requests stored after it`,
        goal: `${plan.rounds}; > 0`,
        result: `${plan.rounds}; ${beyond}`,
        met: beyond > 0,
      },
    ]
    const cured = [
      measureStored('pull requests', await verifyPullRequests(superuser, events, acknowledged)),
      measureStored('outcomes', await verifyOutcomes(superuser, events, acknowledged)),
      measureRevocations(revocations),
      ...(await measureReaders(readers, superuser)),
      await measureChain(installation, audit.AUDIT_HEADS_FILE, signing),
    ]
    return plan.withCures ? [...measured, ...cured, ...drill] : cured
  } finally {
    await superuser.end()
    await installation.stop()
    await rm(folder, { recursive: true })
  }
}

interface Loss {
  readonly installation: Installation
  readonly backups: Backups
  readonly environment: Readonly<Record<string, string>>
  readonly plan: Plan
  readonly revocations: Revocations
  readonly readers: Readers
  readonly superuser: Superuser
}

type Superuser = ReturnType<Installation['database']['superuser']>

/** What docs/backup.md says, step by step. Returns how many stored pull requests the restored database does not have. */
async function loseAndRestore(loss: Loss): Promise<number> {
  const { installation, backups, environment, plan, revocations, readers, superuser } = loss
  const { worker, api, postgres } = installation.controls
  const stopping = new AbortController()
  const revoking = revokeRepeatedly(installation, revocations, stopping.signal)
  await sleep(plan.loadMs * (0.3 + 0.7 * Math.random()))
  const point = await readText(
    superuser,
    `select to_char(clock_timestamp() at time zone 'UTC', $$YYYY-MM-DD"T"HH24:MI:SS.MS"Z"$$)`,
  )
  await sleep(plan.loadMs * (0.3 + 0.7 * Math.random()))
  const archived = `select (last_archived_time > '${point}'::timestamptz + interval '2 s')::text from pg_stat_archiver`
  while ((await readText(superuser, archived)) !== 'true') await sleep(RETRY_MS)
  await worker.kill()
  await sleep(UNRELAYED_MS)
  stopping.abort()
  await revoking
  const stored = Number(await readText(superuser, countPullRequests))
  await Promise.all([postgres.kill(), api.kill()])

  backups.restore(new Date(point))
  await postgres.start()
  while ((await readText(superuser, 'select pg_is_in_recovery()::text')) !== 'false') await sleep(RETRY_MS)
  const lost = stored - Number(await readText(superuser, countPullRequests))
  await readKept(readers, superuser)
  let until: Date | null = null
  if (plan.withCures) {
    const declared = await runAdmin(environment, 'restore-point', 'declare', '--restored-to', point)
    until = new Date(String(declared['restrictions_until']))
  }
  await worker.start()
  await api.start()
  if (plan.withCures) {
    await runAdmin(environment, 'queue', 'replay', '--from', point)
    await runAdmin(environment, 'restore-point', 'confirm')
  }
  await checkRevoked(installation, revocations, until)
  return lost
}

const countPullRequests = 'select count(*)::text from pull_request'

async function readText(superuser: Superuser, select: string): Promise<string> {
  const { rows } = await superuser.query<{ value: string }>(`select (${select}) as value`)
  return rows[0]?.value ?? ''
}

interface Readers {
  readonly follower: Reader
  readonly poller: Poller
  /** What the restored database has of what they have seen. */
  readonly kept: { urls: ReadonlySet<string>; keys: ReadonlySet<string> }
  /** How often a cursor was refused, because it was beyond the point. */
  refused: number
}

const selectRevoked = `select resource_id as value from audit_log where action = 'api_key_revoked'`

/** A follower of the changes and one of the audit log. */
function createReaders(installation: Installation): Readers {
  const { key } = installation
  const call: typeof get = async (path, of) => {
    for (;;) {
      const response = await get(installation.url() + path, of).catch(() => null)
      if (response !== null && response.status < 500) return response
      await sleep(RETRY_MS)
    }
  }
  return {
    follower: readChanges({ name: 'changes', baseUrl: '', key, call }),
    poller: createPoller('audit log', '', key, 'actions=api_key_revoked', {
      call,
      identify: ({ metadata }) => metadata.resource_id,
    }),
    kept: { urls: new Set(), keys: new Set() },
    refused: 0,
  }
}

async function readKept({ kept }: Readers, superuser: Superuser): Promise<void> {
  kept.urls = new Set(await readValues(superuser, 'select url as value from pull_request'))
  kept.keys = new Set(await readValues(superuser, selectRevoked))
}

async function readValues(superuser: Superuser, select: string): Promise<string[]> {
  return (await superuser.query<{ value: string }>(select)).rows.map(({ value }) => value)
}

async function follow(readers: Readers, load: { readonly on: boolean }): Promise<void> {
  while (load.on) {
    await readAll(readers)
    await sleep(FOLLOW_MS)
  }
}

async function readAll(readers: Readers): Promise<void> {
  const { follower, poller, kept } = readers
  for (const { reader, isKept } of [
    { reader: follower, isKept: (url: string) => kept.urls.has(url) },
    { reader: poller, isKept: (key: string) => kept.keys.has(key) },
  ]) {
    for (let more = true; more; ) {
      try {
        more = await reader.poll()
      } catch (error) {
        if (!(error instanceof CursorBeyondRestoreError)) throw error
        readers.refused += 1
        reader.restart(error.cursor, isKept)
      }
    }
  }
}

async function measureReaders(
  { follower, poller, refused }: Readers,
  superuser: Superuser,
): Promise<Measurement[]> {
  const urls = await readValues(superuser, 'select url as value from pull_request')
  const keys = await readValues(superuser, selectRevoked)
  const [missed, beyond] = compareSets(urls, follower.seen)
  const [unlogged, loggedBeyond] = compareSets(keys, poller.seen)
  return [
    {
      measure: `a follower of ${urls.length} pull requests (${refused} cursors refused): missed, beyond them, out of order`,
      goal: '0, 0, 0',
      result: `${missed}, ${beyond}, ${follower.discontinuities}`,
      met: missed + beyond + follower.discontinuities === 0 && urls.length > 0,
    },
    {
      measure: `a follower of ${keys.length} rows of the audit log: missed, beyond them`,
      goal: '0, 0',
      result: `${unlogged}, ${loggedBeyond}`,
      met: unlogged + loggedBeyond === 0,
    },
  ]
}

async function measureChain(
  { database, root }: Installation,
  file: string,
  key: string,
): Promise<Measurement> {
  const pool = connect({ url: database.urls.worker, name: 'proof', connections: 1 })
  const files = (await listHeadsFiles(file)).map((name) => ({ name, pieces: createReadStream(name, 'utf8') }))
  const heads = await readSignedHeads(files, [createSigner(key).publicKey], root.root)
  const fault = await findChainFault(exportRoot(pool, root.root), heads)
  await pool.end()
  return {
    measure: 'the audit log against its signed heads',
    goal: 'verifies',
    result: fault === null ? 'verifies' : fault.message.slice(0, 80),
    met: fault === null,
  }
}
