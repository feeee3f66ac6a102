import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { FakeGithub } from '../fake-forge/github/server.ts'
import { FakeGitlab } from '../fake-forge/gitlab/server.ts'
import {
  addReviewedPullRequest,
  createFolder,
  readCommands,
  runCommands,
  seedForge,
} from './connect-fixture.ts'
import { repository } from './installation.ts'

/** The command of docs/connect.md, with values of a fake forge instead of those of its example. */
function readRecorder(provider: 'github' | 'gitlab', values: Readonly<Record<string, string>>): string {
  const command = readCommands('docs/connect.md', 'console').find((block) =>
    block.includes(`record-forge.ts ${provider}`),
  )
  assert.ok(command !== undefined, `the page has no command of the recorder for ${provider}`)
  const start = { 'npx node scripts/record-forge.ts': `node "${repository}scripts/record-forge.ts"` }
  return Object.entries({ ...start, ...values }).reduce((text, [example, value]) => {
    assert.ok(text.includes(example), `the recorder for ${provider} has no ${example}`)
    return text.replace(example, value)
  }, command)
}

function startForge(cleanup: AsyncDisposableStack) {
  const folder = createFolder(cleanup)
  const seeded = seedForge(folder)
  const { headSha: commit } = addReviewedPullRequest(seeded)
  const { forge, code, bot } = seeded
  const about = {
    rule: 'unawaited',
    description: 'Await it',
    securitySeverity: 'low',
    path: 'src/price.ts',
  } as const
  forge.addAlert(code, { ...about, startLine: 2, commit }, bot)
  const environment = { PATH: process.env['PATH'] ?? '', HOME: folder }
  return { ...seeded, folder, environment }
}

/** The recorder fails if something differs. */
const noDifference = /^\d\d? calls, 0 failed, 0 differences$/m

test('the recorder for GitHub of docs/connect.md finds a forge equal to the fake', async () => {
  await using cleanup = new AsyncDisposableStack()
  const { forge, organization, folder, environment } = startForge(cleanup)
  const github = await FakeGithub.start({ forge, isEnterprise: true })
  cleanup.defer(() => github.close())
  const app = github.apps.createApp({ name: 'Recorder', owner: organization })
  const keyFile = join(folder, 'app.pem')
  writeFileSync(keyFile, app.privateKey)
  const command = readRecorder('github', {
    'github.com': github.url,
    APP_ID: String(app.id),
    ' ID ': ` ${github.apps.install(app, organization).id} `,
    'acme/api': 'acme/booking-api',
    '--number 12': '--number 1',
  })
  const output = await runCommands(command, environment)
  assert.match(output, noDifference)
  assert.ok(!output.includes('Save bookings'))
})

test('the recorder for GitLab of docs/connect.md finds a forge equal to the fake', async () => {
  await using cleanup = new AsyncDisposableStack()
  const { forge, organization, environment } = startForge(cleanup)
  const gitlab = await FakeGitlab.start({ forge })
  cleanup.defer(() => gitlab.close())
  const command = readRecorder('gitlab', {
    '…': gitlab.createToken(organization),
    'gitlab.com': gitlab.url,
    'acme/api': 'acme/booking-api',
    '--number 12': '--number 1',
  })
  const output = await runCommands(command, environment)
  assert.match(output, noDifference)
  assert.ok(!output.includes('Save bookings'))
})
