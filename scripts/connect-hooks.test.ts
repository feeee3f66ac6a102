// Connectors that follow hooks, with the processes and commands of an installation: a fake forge reports what happens to
// POST /hooks/{connector_id}, and a merge shows in the findings although nothing is polled.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { sendHookByHttp } from '../fake-forge/github/hooks.ts'
import { FakeGithub } from '../fake-forge/github/server.ts'
import { FakeGitlab } from '../fake-forge/gitlab/server.ts'
import { mergePullRequest } from '../fake-forge/pull-request.ts'
import {
  addReviewedPullRequest,
  type ConnectService,
  createEnvironment,
  createFolder,
  repeatUntil,
  runCommands,
  type SeededForge,
  seedForge,
  startService,
} from './connect-fixture.ts'

type Hook = Parameters<typeof sendHookByHttp>[0]

/** Sends hooks and records what the service answers. */
function recordHooks(statuses: number[]) {
  return async (request: Hook) => {
    const status = await sendHookByHttp(request)
    statuses.push(status)
    return status
  }
}

test('a connector of GitHub in the mode hooks reports a merge', async () => {
  await using cleanup = new AsyncDisposableStack()
  const folder = createFolder(cleanup)
  const seeded = seedForge(folder)
  const { forge, organization } = seeded
  const statuses: number[] = []
  const github = await FakeGithub.start({ forge, isEnterprise: true, sendHook: recordHooks(statuses) })
  cleanup.defer(() => github.close())
  const host = new URL(github.url).host
  const service = await startService(cleanup, { provider: 'github', host, organization })
  const app = github.apps.createApp({ name: 'Scholiast', owner: organization })
  github.apps.install(app, organization)
  writeSecret(folder, 'app.pem', app.privateKey)
  writeSecret(folder, 'webhook.secret', app.webhookSecret)

  const environment = createEnvironment(folder, service)
  const keys = `--app-id ${app.id} --private-key-file app.pem --webhook-secret-file webhook.secret`
  await runCommands(`scholiast connect github acme --host ${host} --mode hooks ${keys}`, environment)
  assert.match(app.webhookUrl ?? '', new RegExp(`^${service.url}/hooks/[0-9a-f-]{36}$`))
  await followMerge(seeded, service, environment)
  await github.hooks.flush()
  assert.ok(statuses.length > 0)
  assert.deepEqual(new Set(statuses), new Set([202]))
})

test('a connector of GitLab in the mode hooks reports a merge', async () => {
  await using cleanup = new AsyncDisposableStack()
  const folder = createFolder(cleanup)
  const seeded = seedForge(folder)
  const { forge, organization } = seeded
  const statuses: number[] = []
  const gitlab = await FakeGitlab.start({ forge, sendHook: recordHooks(statuses) })
  cleanup.defer(() => gitlab.close())
  const host = new URL(gitlab.url).host
  const service = await startService(cleanup, { provider: 'gitlab', host, organization })
  writeSecret(folder, 'group.token', gitlab.createToken(organization))

  const environment = createEnvironment(folder, service)
  const connect = `scholiast connect gitlab acme --host ${host} --mode hooks --token-file group.token`
  const connected = await runCommands(connect, environment)
  const [, url] = /^ *URL +(\S+)$/m.exec(connected) ?? []
  const [, secret] = /^ *Secret token +(\S+)$/m.exec(connected) ?? []
  assert.ok(url !== undefined && secret !== undefined, connected)
  const owner = gitlab.createToken(organization, ['api'])
  const added = await fetch(`${gitlab.apiUrl}/groups/${organization.id}/hooks`, {
    method: 'POST',
    headers: { 'private-token': owner, 'content-type': 'application/json' },
    body: JSON.stringify({
      url,
      token: secret,
      note_events: true,
      merge_requests_events: true,
      emoji_events: true,
    }),
  })
  assert.equal(added.status, 201, await added.text())
  await followMerge(seeded, service, environment)
  await gitlab.hooks.flush()
  assert.ok(statuses.length > 0)
  assert.deepEqual(new Set(statuses), new Set([202]))
})

function writeSecret(folder: string, name: string, value: string): void {
  writeFileSync(join(folder, name), value, { mode: 0o600 })
}

/** Merges a pull request when only a hook can report it, and waits until its finding is accepted. */
async function followMerge(
  seeded: SeededForge,
  service: ConnectService,
  environment: Readonly<Record<string, string>>,
): Promise<void> {
  await repeatUntil(/ done /, () => runCommands('scholiast connectors list', environment))
  await repeatUntil(/^true$/, () => isQuiet(service))
  assert.deepEqual(await readFindings(service), [])
  mergePullRequest(seeded.forge, addReviewedPullRequest(seeded), seeded.author, 'squash')
  await repeatUntil(/"accepted":true/, async () => JSON.stringify(await readFindings(service)))
  const [finding] = await readFindings(service)
  assert.equal(finding?.reviewer, 'coderabbit')
  assert.equal(finding?.file, 'src/price.ts')
  assert.equal(await isQuiet(service), 'true', 'the repository was polled or swept')
}

/** Whether the repository was read once and is neither polled nor swept before the night. */
async function isQuiet({ database }: ConnectService): Promise<string> {
  const pool = database.superuser()
  try {
    const { rows } = await pool.query<{ quiet: boolean }>(
      `select backfill_finished_at is not null and poll_due_at = 'infinity'
         and sweep_due_at > now() and sweep_due_at < 'infinity' as quiet
       from connector_repository`,
    )
    return String(rows.length === 1 && rows[0]?.quiet)
  } finally {
    await pool.end()
  }
}

interface Finding {
  readonly reviewer: string
  readonly file: string
  readonly accepted: boolean | null
}

async function readFindings({ url, key }: ConnectService): Promise<readonly Finding[]> {
  const today = new Date().toISOString().slice(0, 10)
  const response = await fetch(`${url}/v1/metrics/findings?start_date=2026-01-01&end_date=${today}`, {
    headers: { 'x-service-api-key': key },
  })
  assert.equal(response.status, 200)
  const { data } = (await response.json()) as { readonly data: readonly Finding[] }
  return data
}
