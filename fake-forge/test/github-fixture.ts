// A small organization on a fake GitHub, for the tests of the fake.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { SimulatedClock } from '../clock.ts'
import { Forge } from '../forge.ts'
import { readPermissions } from '../github/apps.ts'
import { FakeGithub, type GithubOptions } from '../github/server.ts'
import { openPullRequest } from '../pull-request.ts'
import { addComment, addReaction, replyToThread, resolveThread, submitReview } from '../review.ts'

export async function startFixture(t: TestContext, options: Partial<GithubOptions> = {}) {
  const gitFolder = mkdtempSync(join(tmpdir(), 'fake-forge-test-'))
  const clock = new SimulatedClock('2026-11-02T09:00:00Z')
  const forge = new Forge({ clock, gitFolder })
  const github = await FakeGithub.start({ forge, ...options })
  t.after(async () => {
    rmSync(gitFolder, { recursive: true, force: true })
    await github.close()
  })
  const alice = forge.addUser('alice', { name: 'Alice', email: 'alice@acme.example' })
  const bob = forge.addUser('bob', { name: 'Bob' })
  const bot = forge.addUser('coderabbitai[bot]', { id: 136_622_811 })
  const acme = forge.addOrganization('acme')
  forge.addMember(acme, alice, 'admin')
  forge.addMember(acme, bob)
  const repository = forge.addRepository(acme, 'booking-api', alice, {
    files: { 'README.md': '# Booking\n', 'src/price.ts': 'one\ntwo\nthree\nfour\nfive\n' },
  })
  const team = forge.addTeam(acme, 'Backend', [bob])
  team.repositories.set(repository, 'push')
  const app = github.apps.createApp({
    name: 'Scholiast',
    owner: acme,
    permissions: { ...readPermissions, checks: 'write', issues: 'write' },
  })
  const installation = github.apps.install(app, acme)
  clock.advance(60_000)
  const pullRequest = openPullRequest(forge, repository, {
    title: 'Round prices',
    author: bob,
    commits: [
      { message: 'Round prices', changes: { 'src/price.ts': 'one\ntwo and a half\nthree\nfour\nfive\n' } },
    ],
  })
  clock.advance(60_000)
  submitReview(forge, pullRequest, {
    author: bot,
    body: 'One finding.',
    threads: [{ path: 'src/price.ts', line: 2, body: 'Half?\n\n```suggestion\ntwo\n```\n' }],
  })
  const [thread] = pullRequest.threads
  if (thread === undefined) throw new Error('the review has no thread')
  replyToThread(forge, pullRequest, thread, bob, 'No.')
  const [first] = thread.comments
  if (first === undefined) throw new Error('the thread has no comment')
  addReaction(forge, pullRequest, first, alice, '-1')
  addReaction(forge, pullRequest, first, bot, '+1')
  resolveThread(forge, pullRequest, thread, alice)
  addComment(forge, pullRequest, bot, 'Walkthrough')
  forge.addAlert(
    repository,
    {
      rule: 'js/xss',
      description: 'XSS',
      securitySeverity: 'high',
      path: 'src/price.ts',
      startLine: 2,
      commit: pullRequest.headSha,
    },
    bot,
  )
  const { token } = github.apps.issueToken(installation)
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(path.startsWith('http') ? path : `${github.apiUrl}${path}`, {
      headers: { authorization: `Bearer ${token}`, ...headers },
      redirect: 'manual',
    })
    const text = await response.text()
    const body: unknown = text === '' ? null : JSON.parse(text)
    return { status: response.status, headers: response.headers, body }
  }
  const query = async (text: string, variables: Record<string, unknown> = {}) => {
    const response = await fetch(github.graphqlUrl, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ query: text, variables }),
    })
    return (await response.json()) as { data?: unknown; errors?: { type?: string; message: string }[] }
  }
  return {
    forge,
    github,
    clock,
    alice,
    bob,
    bot,
    acme,
    repository,
    app,
    installation,
    pullRequest,
    thread,
    token,
    get,
    query,
    gitFolder,
  }
}
