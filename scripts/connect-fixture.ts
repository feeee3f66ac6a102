// What the tests of connectors share: a repository at a fake forge, a service with a key of an admin, and commands of a page.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Operator } from '../demo/operator.ts'
import { Forge } from '../fake-forge/forge.ts'
import type { Organization, PullRequest, Repository, User } from '../fake-forge/model.ts'
import { openPullRequest } from '../fake-forge/pull-request.ts'
import { applySuggestion, submitReview } from '../fake-forge/review.ts'
import { createBus } from '../server/test/bus.ts'
import { createDatabase, type TestDatabase } from '../server/test/database.ts'
import { ingestSettings } from '../server/test/ingest.ts'
import { startApi, startWorker } from '../server/test/process.ts'
import { repository } from './installation.ts'

const MAX_WAIT_MS = 120_000

/** A folder for the git repositories of a forge and the files of the commands. */
export function createFolder(cleanup: AsyncDisposableStack): string {
  const folder = mkdtempSync(join(tmpdir(), 'scholiast-connect-'))
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export interface SeededForge {
  readonly forge: Forge
  readonly organization: Organization
  readonly code: Repository
  readonly author: User
  readonly bot: User
}

/** An organization `acme` with one repository and a review bot. */
export function seedForge(folder: string): SeededForge {
  const forge = new Forge({ clock: Date, gitFolder: join(folder, 'git') })
  const author = forge.addUser('alice', { name: 'Alice', email: 'alice@acme.example' })
  const bot = forge.addUser('coderabbitai[bot]', { id: 136_622_811 })
  const organization = forge.addOrganization('acme')
  forge.addMember(organization, author, 'admin')
  const files = { 'src/price.ts': 'one\ntwo\nthree\nfour\nfive\n' }
  const code = forge.addRepository(organization, 'booking-api', author, { files })
  return { forge, organization, code, author, bot }
}

/** Opens a pull request, reviews it with one finding, and applies its suggestion. */
export function addReviewedPullRequest({ forge, code, author, bot }: SeededForge): PullRequest {
  const changes = { 'src/price.ts': 'one\nsaveBooking(booking)\nthree\nfour\nfive\n' }
  const pullRequest = openPullRequest(forge, code, {
    title: 'Save bookings',
    author,
    commits: [{ message: 'Save bookings', changes }],
  })
  const body = `_🎯 Functional Correctness_ | _🔴 Critical_ | _⚡ Quick win_

**Await the insert before the response is sent.**

\`\`\`suggestion
await saveBooking(booking)
\`\`\`

<!-- cr-comment:v1:00000000000000000000abcd -->
`
  submitReview(forge, pullRequest, {
    author: bot,
    body: '',
    threads: [{ path: 'src/price.ts', line: 2, body }],
  })
  const [thread] = pullRequest.threads
  if (thread === undefined) throw new Error('The review has no thread.')
  applySuggestion(forge, pullRequest, thread, author)
  return pullRequest
}

export interface ConnectService {
  readonly url: string
  /** User key of an admin of the organization. */
  readonly key: string
  readonly database: TestDatabase
}

/** An API and a worker that may read from the host, and an organization of it. */
export async function startService(
  cleanup: AsyncDisposableStack,
  {
    provider,
    host,
    organization,
  }: {
    readonly provider: 'github' | 'gitlab'
    readonly host: string
    readonly organization: Organization
  },
): Promise<ConnectService> {
  const [database, bus] = await Promise.all([createDatabase(), createBus()])
  const settings = {
    ...ingestSettings(bus),
    CONNECTOR_HOSTS: `http://${host}`,
    CONNECTOR_KEYS: `test:${'cd'.repeat(32)}`,
    // The tests read until the figures are there.
    LIMIT_METRICS: 'off',
  }
  const [api, worker] = await Promise.all([startApi(database, settings), startWorker(database, settings)])
  cleanup.defer(async () => {
    await Promise.all([api.stop(), worker.stop()])
    await Promise.all([database.drop(), bus.drop()])
  })
  const operator = new Operator([process.execPath, `${repository}server/src/admin.ts`], {
    ...process.env,
    ...settings,
    WORKER_DATABASE_URL: database.urls.worker,
  })
  cleanup.defer(() => operator.close())
  const plan = ['--plan', 'enterprise', '--seats', '5']
  const forge = ['--provider', provider, '--host', host, '--org-id', String(organization.id)]
  const { root, id } = await operator.run<{ root: string; id: string }>(
    'organization',
    'create',
    '--name',
    'Acme',
    ...forge,
    ...plan,
  )
  const email = 'alice@acme.example'
  const accounts = ['--accounts', `${provider}@${host}:1001:alice`]
  const role = ['--organizations', id, '--role', 'cr_admin']
  await operator.run(
    'person',
    'add',
    '--root',
    root,
    '--email',
    email,
    '--name',
    'Alice',
    ...accounts,
    ...role,
  )
  const owner = ['--root', root, '--organization', id, '--owner', email]
  const { value } = await operator.run<{ value: string }>(
    'key',
    'create',
    '--kind',
    'user',
    '--name',
    'Connect',
    ...owner,
  )
  return { url: api.url, key: value, database }
}

/** The blocks of a page: `bash` runs as written, `console` needs values of the reader. */
export function readCommands(page: string, language: 'bash' | 'console' = 'bash'): string[] {
  const text = readFileSync(join(repository, page), 'utf8')
  return [...text.matchAll(/^```(\w+)\n([^]*?)^```$/gm)]
    .filter((block) => block[1] === language)
    .map((block) => block[2] ?? '')
}

/** The environment of somebody who installed the package and signed in. */
export function createEnvironment(folder: string, { url, key }: ConnectService): Record<string, string> {
  return {
    PATH: `${installCommand(folder)}:${process.env['PATH']}`,
    HOME: folder,
    SCHOLIAST_URL: url,
    SCHOLIAST_API_KEY: key,
  }
}

/** `scholiast` in a folder of its own, as an installation of the package puts it into the PATH. */
function installCommand(folder: string): string {
  const file = join(folder, 'scholiast')
  writeFileSync(file, `#!/bin/sh\nexec "${process.execPath}" "${repository}cli/dist/scholiast.js" "$@"\n`)
  chmodSync(file, 0o755)
  return folder
}

/** Runs commands and opens what they ask to be opened. Returns everything that they print. */
export async function runCommands(
  commands: string,
  env: Readonly<Record<string, string>>,
  open: (address: string) => Promise<void> = async () => {},
): Promise<string> {
  const child = spawn('bash', ['-euc', commands], {
    env,
    cwd: env['HOME'],
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const opened = new Set<string>()
  const opening: Promise<void>[] = []
  const read = (chunk: Buffer) => {
    output += chunk.toString()
    for (const [, address = ''] of output.matchAll(/^Open (http:\S+) .*\n/gm)) {
      if (opened.has(address)) continue
      opened.add(address)
      opening.push(open(address))
    }
  }
  child.stdout.on('data', read)
  child.stderr.on('data', read)
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
  await Promise.all(opening)
  assert.equal(code, 0, output)
  return output
}

/** Runs commands until they print what is expected. */
export async function repeatUntil(expected: RegExp, run: () => Promise<string>): Promise<void> {
  const deadline = Date.now() + MAX_WAIT_MS
  let output = await run()
  while (!expected.test(output)) {
    assert.ok(Date.now() < deadline, output)
    await sleep(500)
    output = await run()
  }
}
