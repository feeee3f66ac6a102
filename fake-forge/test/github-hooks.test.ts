import assert from 'node:assert/strict'
import { createSign } from 'node:crypto'
import { test } from 'node:test'
import { type HookRequest, signHook } from '../github/hooks.ts'
import {
  closePullRequest,
  convertToDraft,
  markReadyForReview,
  pushCommit,
  reopenPullRequest,
} from '../pull-request.ts'
import {
  addComment,
  deleteComment,
  editComment,
  editReview,
  resolveThread,
  submitReview,
  unresolveThread,
} from '../review.ts'
import { startFixture } from './github-fixture.ts'

function createJwt(appId: number, key: string, now: number): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const iat = Math.floor(now / 1000) - 60
  const head = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode({ iss: appId, iat, exp: iat + 600 })}`
  return `${head}.${createSign('RSA-SHA256').update(head).sign(key, 'base64url')}`
}

test('every hook is valid by GitHub’s description and has a signature', async (t) => {
  const received: HookRequest[] = []
  const fixture = await startFixture(t, {
    sendHook: async (request) => {
      received.push(request)
      return 202
    },
  })
  const { forge, github, app, alice, bob, bot, acme, pullRequest, thread, repository } = fixture
  app.webhookUrl = 'http://receiver.example/hooks/1'
  const push = { message: 'More', changes: { 'src/price.ts': 'one\nnew\nthree\n' } }
  pushCommit(forge, pullRequest, bob, push)
  convertToDraft(forge, pullRequest, bob)
  markReadyForReview(forge, pullRequest, bob)
  const review = submitReview(forge, pullRequest, {
    author: bot,
    body: 'More findings',
    threads: [{ path: 'src/price.ts', line: null, body: 'About the file' }],
  })
  editReview(forge, pullRequest, review, 'Edited')
  unresolveThread(forge, pullRequest, thread, alice)
  resolveThread(forge, pullRequest, thread, alice)
  const [first, reply] = thread.comments
  assert.ok(first !== undefined && reply !== undefined)
  editComment(forge, pullRequest, first, 'Edited')
  deleteComment(forge, pullRequest, reply)
  const comment = addComment(forge, pullRequest, bob, 'Hello')
  editComment(forge, pullRequest, comment, 'Hello again')
  deleteComment(forge, pullRequest, comment)
  closePullRequest(forge, pullRequest, bob)
  reopenPullRequest(forge, pullRequest, bob)
  const [alert] = repository.alerts
  assert.ok(alert !== undefined)
  forge.dismissAlert(repository, alert, 'false positive', alice)
  forge.fixAlert(repository, alert, alice)
  forge.addAlert(repository, { ...alert }, bot)
  const reviewApp = { slug: 'claude', name: 'Claude' }
  const run = { headSha: pullRequest.headSha, name: 'Claude review', app: reviewApp }
  forge.completeCheckRun(
    repository,
    forge.addCheckRun(repository, run, bot),
    { summary: 'Two findings' },
    bot,
  )
  const carol = forge.addUser('carol')
  forge.addMember(acme, carol)
  forge.removeMember(acme, carol)
  forge.renameRepository(repository, 'booking', alice)
  forge.addRepository(acme, 'second', alice)
  forge.transferRepository(repository, forge.addOrganization('other'), alice)
  github.apps.install(app, forge.addOrganization('third'))
  github.apps.uninstall(fixture.installation)
  await github.hooks.flush()
  assert.deepEqual(github.violations, [])
  const names = new Set(received.map(({ headers }) => headers['x-github-event']))
  assert.equal(names.size, 10)
  for (const { body, headers } of received) {
    assert.equal(headers['x-hub-signature-256'], signHook(app.webhookSecret, body))
    assert.notEqual(headers['x-hub-signature-256'], signHook('another secret', body))
  }
})

test('hooks get lost, doubled, late and out of order as planned, and can be delivered again', async (t) => {
  const received: string[] = []
  const fixture = await startFixture(t, {
    sendHook: async ({ headers }) => {
      received.push(headers['x-github-delivery'] ?? '')
      return 202
    },
  })
  const { forge, github, app, bob, pullRequest, clock } = fixture
  app.webhookUrl = 'http://receiver.example/hooks/1'
  github.faults.queueHooks('unsent', 'failed', 'doubled', 'late', 'reordered')
  for (let index = 0; index < 6; index++) addComment(forge, pullRequest, bob, `Comment ${index}`)
  await github.hooks.flush()
  const guids = github.hooks.deliveries.map(({ guid }) => guid)
  const [failed, doubled, late, reordered, last] = guids
  assert.equal(guids.length, 5)
  assert.deepEqual(received, [doubled, doubled, last, reordered])
  await github.hooks.releaseLate()
  assert.equal(received.at(-1), late)
  const call = async (path: string, method = 'GET') => {
    const authorization = `Bearer ${createJwt(app.id, app.privateKey, clock.now())}`
    return await fetch(`${github.apiUrl}${path}`, { method, headers: { authorization } })
  }
  assert.equal((await call('/app')).status, 200)
  assert.equal((await call('/app/installations')).status, 200)
  const list = await call('/app/hook/deliveries?per_page=2')
  assert.match(list.headers.get('link') ?? '', /cursor=\d+>; rel="next"/)
  const failures = (await (await call('/app/hook/deliveries?status=failure')).json()) as { id: number }[]
  assert.equal(failures.length, 1)
  assert.equal((await call(`/app/hook/deliveries/${failures[0]?.id}/attempts`, 'POST')).status, 202)
  await github.hooks.flush()
  assert.equal(received.at(-1), failed, 'a redelivery has the same id')
  clock.advance(4 * 86_400_000)
  assert.equal((await call(`/app/hook/deliveries/${failures[0]?.id}/attempts`, 'POST')).status, 422)
})
