// One tenant with many connectors of a slow forge, which read a pull request with hostile comments all the time, while another
// tenant's connector reads its own and others send events to the same worker.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { SimulatedClock } from '../../fake-forge/clock.ts'
import { Forge } from '../../fake-forge/forge.ts'
import { FakeGithub } from '../../fake-forge/github/server.ts'
import type { Organization, PullRequest, User } from '../../fake-forge/model.ts'
import { openPullRequest } from '../../fake-forge/pull-request.ts'
import { addComment } from '../../fake-forge/review.ts'
import { createBulkRoots } from '../../server/test/bulk/tenants.ts'
import { createBus } from '../../server/test/bus.ts'
import { createDatabase, type TestDatabase } from '../../server/test/database.ts'
import { createCredential, ingestSettings } from '../../server/test/ingest.ts'
import { limitsOff } from '../../server/test/limits-off.ts'
import { startApi, startWorker } from '../../server/test/process.ts'
import { createOrganizationRoots } from '../../server/test/proofs/connect-organization.ts'
import { testRing } from '../../server/test/tenant.ts'
import { postJson } from '../tools/client.ts'
import { copyWithout, type SourceEdit } from '../tools/copy.ts'
import { p99 } from '../tools/quantile.ts'
import type { Measurement } from '../tools/report.ts'
import { type Observed, observeTenants } from './tenants.ts'

const CONNECTORS = 10
/** Pull requests of the other tenant, enough that there is always one to read. */
const PULL_REQUESTS = 30
const RESPONSE_MS = 200
const COMMENTS = 400
const BODY = 'a\n\n'.repeat(21_845)
const TENANTS = 20
const MARK_MS = 200
/** The fake of both tenants renders the hostile pages in one process, which delays the calls of the other one too. */
const MIN_SHARE = 0.1
const MAX_SETUP_MS = 120_000
/** After so many calls a connector of the attacker has read the hostile comments. */
const CALLS_OF_ATTACK = 8

/** What keeps this attack from the other tenants. */
export const connectorCures: readonly SourceEdit[] = [
  // In rounds, a root starts again when all others have ended.
  {
    file: 'resources/connectors/sync/loop.ts',
    name: 'serveRoots',
    by: `async function serveRoots({ sync, maxStepMs }, stopping) {
      while (!stopping.aborted) {
        await runRound(sync, { maxStepMs }).catch(() => {})
        await sleep(IDLE_MS, undefined, { signal: stopping }).catch(() => {})
      }
    }`,
  },
  ...['MAX_CHARACTERS', 'MAX_LINES', 'MAX_LINES_PER_COMMENT'].map((name) => ({
    file: 'resources/connectors/comment-budget.ts',
    name,
    by: `const ${name} = Infinity`,
  })),
  {
    file: 'resources/connectors/parsers/thread/run.ts',
    name: 'createThreadParser',
    by: `export function createThreadParser() {
      return async (...read) => (await import('../parse-comments.ts')).parseComments(...read)
    }`,
  },
]

interface ConnectedForge {
  readonly github: FakeGithub
  readonly forge: Forge
  readonly organization: Organization
  readonly author: User
  readonly pullRequest: PullRequest
  delayMs: number
  close(): Promise<void>
}

export async function runConnectorAttack(
  { seconds, maxLagMs }: { readonly seconds: number; readonly maxLagMs: number },
  edits: readonly SourceEdit[],
): Promise<Measurement[]> {
  const database = await createDatabase()
  const bus = await createBus()
  const copy = edits.length === 0 ? null : await copyWithout(edits)
  const [slow, other] = await Promise.all([startForge('attacker', 1), startForge('other', PULL_REQUESTS)])
  const settings = {
    ...ingestSettings(bus),
    ...limitsOff,
    CONNECTOR_KEYS: `test:${'cd'.repeat(32)}`,
    CONNECTOR_HOSTS: [slow, other].map(({ github }) => new URL(github.url).origin).join(','),
  }
  const worker = await startWorker(database, settings, copy?.workerEntry)
  const api = await startApi(database, settings, copy?.apiEntry)
  const superuser = database.superuser()
  const stopMarking = new AbortController()
  let marking: Promise<void> = Promise.resolve()
  try {
    const tenants = (await createBulkRoots(database, TENANTS)).map((root) => ({
      ...root,
      credential: createCredential(testRing, root.root).value,
    }))
    await connectForge(database, api.url, slow, CONNECTORS)
    await connectForge(database, api.url, other, 1)
    await waitUntilRead(superuser, CONNECTORS + PULL_REQUESTS)
    marking = markAll(superuser, stopMarking.signal)
    const observe = async (): Promise<Observed & { readonly reads: number }> => {
      const earlier = other.github.limiter.requests.graphql
      const observed = await observeTenants(api.url, tenants, superuser, seconds)
      return { ...observed, reads: other.github.limiter.requests.graphql - earlier }
    }
    const quiet = await observe()
    for (let index = 0; index < COMMENTS; index++) addComment(slow.forge, slow.pullRequest, slow.author, BODY)
    slow.delayMs = RESPONSE_MS
    const { requests } = slow.github.limiter
    const started = requests.graphql
    await waitUntil('attack', () => requests.graphql >= started + CALLS_OF_ATTACK)
    const attacked = await observe()
    return measure(attacked, quiet, maxLagMs)
  } finally {
    stopMarking.abort()
    await marking
    await superuser.end()
    await Promise.all([api.stop('SIGKILL'), worker.stop('SIGKILL')])
    await Promise.all([slow.close(), other.close()])
    await copy?.remove()
    await bus.drop()
    await database.drop()
  }
}

function measure(
  { requests, refused, times, lags, reads }: Observed & { readonly reads: number },
  quiet: Observed & { readonly reads: number },
  maxLagMs: number,
): Measurement[] {
  const lag = p99(lags)
  const share = reads / quiet.reads
  return [
    {
      measure: `connectors: of ${requests} requests of the others, refused; p99 of ${lags.length} ingest lags in ms`,
      goal: `0; ≤ ${maxLagMs}`,
      result: `${refused.length}; ${Math.round(lag)}`,
      met: refused.length === 0 && lag <= maxLagMs && lags.length > 0,
    },
    {
      measure: `connectors: calls of another tenant's connector (${reads}) ÷ those without the attack (${quiet.reads})`,
      goal: `≥ ${MIN_SHARE}`,
      result: share.toFixed(2),
      met: quiet.reads > 0 && share >= MIN_SHARE,
    },
    {
      measure: `connectors: p99 of ${times.length} requests ÷ p99 without the attack (${p99(times).toFixed(0)} ms)`,
      goal: 'shown',
      result: (p99(times) / p99(quiet.times)).toFixed(2),
      met: true,
    },
  ]
}

async function startForge(login: string, pullRequests: number): Promise<ConnectedForge> {
  const gitFolder = mkdtempSync(join(tmpdir(), 'scholiast-fairness-'))
  const forge = new Forge({ clock: new SimulatedClock(new Date().toISOString()), gitFolder })
  const github = await FakeGithub.start({
    forge,
    isEnterprise: true,
    limits: null,
    waitForResponse: () => sleep(connected.delayMs),
  })
  const author = forge.addUser(`${login}-author`)
  const organization = forge.addOrganization(login)
  forge.addMember(organization, author, 'admin')
  const repository = forge.addRepository(organization, 'code', author, { files: { 'a.txt': 'one\n' } })
  const [pullRequest] = Array.from({ length: pullRequests }, (_, index) =>
    openPullRequest(forge, repository, {
      title: 'Change',
      author,
      commits: [{ message: 'Change', changes: { 'a.txt': `${index}\n` } }],
    }),
  )
  if (pullRequest === undefined) throw new Error('There is no pull request.')
  const connected: ConnectedForge = {
    github,
    forge,
    organization,
    author,
    pullRequest,
    delayMs: 0,
    async close() {
      rmSync(gitFolder, { recursive: true, force: true })
      await github.close()
    },
  }
  return connected
}

async function connectForge(
  database: TestDatabase,
  url: string,
  { github, organization }: ConnectedForge,
  connectors: number,
): Promise<void> {
  const { host } = new URL(github.url)
  const { id, login: name } = organization
  const [root] = await createOrganizationRoots(database, [{ provider: 'github', host, id, name }])
  const app = github.apps.createApp({ name, owner: organization })
  const body = {
    provider: 'github',
    host,
    mode: 'polling',
    credential: {
      app_id: String(app.id),
      installation_id: String(github.apps.install(app, organization).id),
      private_key: app.privateKey,
    },
  }
  for (let index = 0; index < connectors; index++) {
    // An organization has one connector for an account; the installation decides what it reads.
    const account = `${name}-${index}`
    const { status, text } = await postJson(
      `${url}/v1/connectors`,
      root?.key ?? '',
      JSON.stringify({ ...body, account }),
    )
    if (status !== 201) throw new Error(`POST /v1/connectors returned ${status}: ${text}`)
  }
}

async function waitUntilRead(
  superuser: ReturnType<TestDatabase['superuser']>,
  pullRequests: number,
): Promise<void> {
  await waitUntil('backfill', async () => {
    const { rowCount } = await superuser.query(
      'select from connector_pull_request where last_read_at is not null',
    )
    return rowCount === pullRequests
  })
}

async function waitUntil(what: string, isReached: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = performance.now() + MAX_SETUP_MS; performance.now() < end; await sleep(50))
    if (await isReached()) return
  throw new Error(`The ${what} did not come to its end.`)
}

/** As hooks do: every pull request is always due. */
async function markAll(superuser: ReturnType<TestDatabase['superuser']>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await superuser.query(
      'update connector_pull_request set dirty_since = now(), due_at = now(), marks = marks + 1 where lease_owner is null',
    )
    await sleep(MARK_MS)
  }
}
