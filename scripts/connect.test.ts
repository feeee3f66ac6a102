// Follows docs/connect-github.md to the letter, against a fake GitHub: its commands run as written, and a browser opens the addresses
// that they print.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import { Operator } from '../demo/operator.ts'
import { Forge } from '../fake-forge/forge.ts'
import { FakeGithub } from '../fake-forge/github/server.ts'
import { mergePullRequest, openPullRequest } from '../fake-forge/pull-request.ts'
import { applySuggestion, submitReview } from '../fake-forge/review.ts'
import { launchBrowser } from '../server/test/browser.ts'
import { makeBus } from '../server/test/bus.ts'
import { makeDatabase } from '../server/test/database.ts'
import { ingestSettings } from '../server/test/ingest.ts'
import { startApi, startWorker } from '../server/test/process.ts'
import { repository } from './installation.ts'

const ORGANIZATION = 'acme'
const MAX_WAIT_MS = 120_000

test('docs/connect-github.md leads from nothing to the figures of a reviewer', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'scholiast-connect-'))
  await using cleanup = new AsyncDisposableStack()
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }))
  const forge = new Forge({ clock: Date, gitFolder: join(folder, 'git') })
  const github = await FakeGithub.start({ forge, isEnterprise: true })
  cleanup.defer(() => github.close())
  const organization = seedForge(forge)
  const host = new URL(github.url).host
  const { url, key } = await startService(cleanup, { host, organizationId: String(organization.id) })
  const browser = await launchBrowser()
  cleanup.defer(() => browser.close())

  const blocks = readCommands('docs/connect-github.md')
  assert.equal(blocks.length, 3, 'connect, list, see')
  const environment = {
    PATH: `${installCommand(folder)}:${process.env['PATH']}`,
    HOME: folder,
    SCHOLIAST_URL: url,
    SCHOLIAST_API_KEY: key,
    ORGANIZATION,
    GITHUB_HOST: host,
  }
  const [connect = '', list = '', see = ''] = blocks
  const connected = await runCommands(connect, environment, (address) => press(browser, address))
  assert.match(connected, /^Connected /m)
  assert.match(connected, /Created the App scholiast-acme\./)
  await repeatUntil(/ done /, () => runCommands(list, environment))
  await repeatUntil(/^coderabbit\b/m, () => runCommands(see, environment))
  assert.doesNotMatch(connected, /PRIVATE KEY/)
  assert.deepEqual(github.violations, [])
})

/** One repository with a merged pull request whose suggestion was applied. */
function seedForge(forge: Forge) {
  const alice = forge.addUser('alice', { name: 'Alice', email: 'alice@acme.example' })
  const bot = forge.addUser('coderabbitai[bot]', { id: 136_622_811 })
  const organization = forge.addOrganization(ORGANIZATION)
  forge.addMember(organization, alice, 'admin')
  const files = { 'src/price.ts': 'one\ntwo\nthree\nfour\nfive\n' }
  const code = forge.addRepository(organization, 'booking-api', alice, { files })
  const changes = { 'src/price.ts': 'one\nsaveBooking(booking)\nthree\nfour\nfive\n' }
  const pullRequest = openPullRequest(forge, code, {
    title: 'Save bookings',
    author: alice,
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
  applySuggestion(forge, pullRequest, thread, alice)
  mergePullRequest(forge, pullRequest, alice, 'squash')
  return organization
}

async function startService(
  cleanup: AsyncDisposableStack,
  { host, organizationId }: { readonly host: string; readonly organizationId: string },
): Promise<{ readonly url: string; readonly key: string }> {
  const [database, bus] = await Promise.all([makeDatabase(), makeBus()])
  const settings = {
    ...ingestSettings(bus),
    CONNECTOR_HOSTS: `http://${host}`,
    CONNECTOR_KEYS: `test:${'cd'.repeat(32)}`,
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
  const forge = ['--provider', 'github', '--host', host, '--org-id', organizationId]
  const { root, id } = await operator.run<{ root: string; id: string }>(
    'organization',
    'create',
    '--name',
    'Acme',
    ...forge,
    ...plan,
  )
  const email = 'alice@acme.example'
  const accounts = ['--accounts', `github@${host}:1001:alice`]
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
  return { url: api.url, key: value }
}

/** The ```bash blocks of a page. */
function readCommands(page: string): string[] {
  const text = readFileSync(join(repository, page), 'utf8')
  return [...text.matchAll(/^```bash\n([^]*?)^```$/gm)].map((block) => block[1] ?? '')
}

/** `scholiast` in a folder of its own, as an installation of the package puts it into the PATH. */
function installCommand(folder: string): string {
  const file = join(folder, 'scholiast')
  writeFileSync(file, `#!/bin/sh\nexec "${process.execPath}" "${repository}cli/dist/scholiast.js" "$@"\n`)
  chmodSync(file, 0o755)
  return folder
}

/** Runs commands and opens what they ask to be opened. Returns everything that they print. */
async function runCommands(
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

/** Does what a page asks for: its one button, and the one of the page that follows. */
async function press(browser: Browser, address: string): Promise<void> {
  const page = await browser.newPage()
  await page.goto(address)
  while ((await page.getByRole('button').count()) > 0) {
    await Promise.all([page.waitForEvent('load'), page.getByRole('button').first().click()])
  }
  await page.close()
}

async function repeatUntil(expected: RegExp, run: () => Promise<string>): Promise<void> {
  const deadline = Date.now() + MAX_WAIT_MS
  let output = await run()
  while (!expected.test(output)) {
    assert.ok(Date.now() < deadline, output)
    await sleep(500)
    output = await run()
  }
}
