// Follows docs/connect.md to the letter, against a fake forge: the commands run as written, and a
// browser opens the addresses that they print.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Browser } from 'playwright-core'
import { FakeGithub } from '../fake-forge/github/server.ts'
import { FakeGitlab } from '../fake-forge/gitlab/server.ts'
import { mergePullRequest } from '../fake-forge/pull-request.ts'
import { launchBrowser } from '../server/test/browser.ts'
import {
  addReviewedPullRequest,
  createEnvironment,
  createFolder,
  readCommands,
  repeatUntil,
  runCommands,
  seedForge,
  startService,
} from './connect-fixture.ts'

/** The line of the reviewer: one pull request, one finding, accepted. */
const oneAccepted = /^coderabbit +1 +1 +1 /m

test('docs/connect.md leads from nothing at GitHub to the figures of a reviewer', async () => {
  await using cleanup = new AsyncDisposableStack()
  const folder = createFolder(cleanup)
  const seeded = seedForge(folder)
  const { forge, organization, author } = seeded
  mergePullRequest(forge, addReviewedPullRequest(seeded), author, 'squash')
  const github = await FakeGithub.start({ forge, isEnterprise: true })
  cleanup.defer(() => github.close())
  const host = new URL(github.url).host
  const service = await startService(cleanup, { provider: 'github', host, organization })
  const browser = await launchBrowser()
  cleanup.defer(() => browser.close())

  const { connectGithub, list, see } = readConnectPage()
  const environment = {
    ...createEnvironment(folder, service),
    ORGANIZATION: organization.login,
    GITHUB_HOST: host,
  }
  const connected = await runCommands(connectGithub, environment, (address) => press(browser, address))
  assert.match(connected, /^Connected /m)
  assert.match(connected, /Created the App scholiast-acme\./)
  await repeatUntil(/ done /, () => runCommands(list, environment))
  await repeatUntil(oneAccepted, () => runCommands(see, environment))
  assert.doesNotMatch(connected, /PRIVATE KEY/)
  assert.deepEqual(github.violations, [])
})

test('an App whose connector the service refused is used again, and its keys are in no file afterwards', async () => {
  await using cleanup = new AsyncDisposableStack()
  const folder = createFolder(cleanup)
  const { forge, organization } = seedForge(folder)
  const github = await FakeGithub.start({ forge, isEnterprise: true })
  cleanup.defer(() => github.close())
  const host = new URL(github.url).host
  const service = await startService(cleanup, { provider: 'github', host, organization })
  const browser = await launchBrowser()
  cleanup.defer(() => browser.close())
  const environment = createEnvironment(folder, service)
  const connect = `scholiast connect github ${organization.login} --host ${host}`

  const wrongKey = { ...environment, SCHOLIAST_API_KEY: `${service.key.slice(0, -4)}AAAA` }
  const refused = await runCommands(connect, wrongKey, (address) => press(browser, address)).then(
    () => assert.fail('the key is wrong'),
    (error: Error) => error.message,
  )
  assert.match(refused, /Created the App scholiast-acme\..* run the command again/s)
  assert.doesNotMatch(refused, /PRIVATE KEY/)
  const settings = join(folder, '.config', 'scholiast')
  const saved = readdirSync(settings).map((name) => join(settings, name))
  assert.deepEqual(
    saved.map((file) => statSync(file).mode & 0o777),
    [0o600],
  )

  const connected = await runCommands(connect, environment, () => assert.fail('there is an App already'))
  assert.match(connected, /Uses the App scholiast-acme,.*^Connected /ms)
  assert.deepEqual(readdirSync(settings), [])
})

test('docs/connect.md leads from a token of GitLab to the figures of a reviewer', async () => {
  await using cleanup = new AsyncDisposableStack()
  const folder = createFolder(cleanup)
  const seeded = seedForge(folder)
  const { forge, organization, author } = seeded
  mergePullRequest(forge, addReviewedPullRequest(seeded), author, 'merge')
  const gitlab = await FakeGitlab.start({ forge })
  cleanup.defer(() => gitlab.close())
  const host = new URL(gitlab.url).host
  const service = await startService(cleanup, { provider: 'gitlab', host, organization })

  const { storeToken, connectGitlab, list, see } = readConnectPage()
  const token = gitlab.createToken(organization)
  const environment = {
    ...createEnvironment(folder, service),
    GITLAB_TOKEN: token,
    GROUP: organization.login,
    GITLAB_HOST: host,
  }
  await runCommands(storeToken, environment)
  const connected = await runCommands(connectGitlab, environment)
  assert.match(connected, /^Connected /m)
  assert.ok(!connected.includes(token))
  assert.ok(!existsSync(join(folder, 'group.token')))
  await repeatUntil(/ done /, () => runCommands(list, environment))
  await repeatUntil(oneAccepted, () => runCommands(see, environment))
  assert.deepEqual(gitlab.violations, [])
})

function readConnectPage() {
  const blocks = readCommands('docs/connect.md')
  assert.equal(blocks.length, 5, 'connect GitHub, store the token, connect GitLab, list, see')
  const [connectGithub = '', storeToken = '', connectGitlab = '', list = '', see = ''] = blocks
  return { connectGithub, storeToken, connectGitlab, list, see }
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
