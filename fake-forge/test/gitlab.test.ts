import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { SimulatedClock } from '../clock.ts'
import { Forge } from '../forge.ts'
import { checkGitlabShape } from '../gitlab/contract.ts'
import type { GitlabHookRequest } from '../gitlab/hooks.ts'
import { FakeGitlab, type GitlabOptions } from '../gitlab/server.ts'
import { mergePullRequest, openPullRequest, pushCommit, rebaseBranch } from '../pull-request.ts'
import {
  addComment,
  addReaction,
  applySuggestion,
  editComment,
  removeReaction,
  resolveThread,
  submitReview,
} from '../review.ts'

async function startFixture(t: TestContext, options: Partial<GitlabOptions> = {}) {
  const gitFolder = mkdtempSync(join(tmpdir(), 'fake-forge-test-'))
  const clock = new SimulatedClock('2026-11-02T09:00:00Z')
  const forge = new Forge({ clock, gitFolder })
  const gitlab = await FakeGitlab.start({ forge, ...options })
  t.after(async () => {
    rmSync(gitFolder, { recursive: true, force: true })
    await gitlab.close()
  })
  const alice = forge.addUser('alice', { name: 'Alice' })
  const bot = forge.addUser('coderabbitai[bot]')
  const acme = forge.addOrganization('acme')
  forge.addMember(acme, alice, 'admin')
  const project = forge.addRepository(acme, 'booking', alice, { files: { 'a.txt': 'one\ntwo\nthree\n' } })
  const mergeRequest = openPullRequest(forge, project, {
    title: 'Round prices',
    author: alice,
    commits: [{ message: 'Round', changes: { 'a.txt': 'one\n2\nthree\n' } }],
  })
  submitReview(forge, mergeRequest, {
    author: bot,
    body: 'Summary',
    threads: [
      { path: 'a.txt', line: 2, body: 'Spell it\n```suggestion:-0+0\ntwo\n```\n' },
      { path: 'a.txt', line: 3, startLine: 2, body: 'Both lines' },
      { path: 'a.txt', line: null, body: 'The file' },
    ],
  })
  addComment(forge, mergeRequest, alice, 'Thanks')
  const token = gitlab.createToken(acme, ['api', 'read_repository'])
  const get = async (path: string, headers: Record<string, string> = { 'private-token': token }) => {
    const response = await fetch(`${gitlab.apiUrl}${path}`, { headers, redirect: 'manual' })
    const text = await response.text()
    const isJson = response.headers.get('content-type') === 'application/json'
    const body: unknown = isJson ? JSON.parse(text) : text
    return { status: response.status, headers: response.headers, body }
  }
  return { gitlab, forge, clock, alice, bot, acme, project, mergeRequest, token, get }
}

interface Discussion {
  readonly individual_note: boolean
  readonly notes: readonly {
    readonly id: number
    readonly resolved?: boolean
    readonly position?: { readonly head_sha: string; readonly new_line: number | null }
    readonly suggestions?: readonly { readonly applied: boolean }[]
  }[]
}

test('every list and object has its documented shape', async (t) => {
  const { get, project, mergeRequest, acme, alice } = await startFixture(t)
  const base = `/projects/${project.id}/merge_requests`
  const [note] = mergeRequest.threads[0]?.comments ?? []
  for (const path of [
    '/user',
    `/users/${alice.id}`,
    '/groups/acme',
    `/groups/${acme.id}/projects?simple=true&include_subgroups=true`,
    '/groups/acme/projects?per_page=100&page=1',
    '/groups/acme/members/all',
    '/groups/acme/merge_requests?updated_after=2026-11-01T00:00:00Z',
    '/projects/acme%2Fbooking',
    `/projects/${project.id}/members/all`,
    `${base}?state=all&order_by=updated_at&sort=asc`,
    `${base}/1`,
    `${base}/1/discussions?per_page=100`,
    `${base}/1/notes`,
    `${base}/1/notes/${note?.id}/award_emoji`,
    `${base}/1/commits`,
    `${base}/1/versions`,
  ]) {
    const { status, body } = await get(path)
    assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`)
  }
  assert.throws(() => checkGitlabShape('discussion', { id: 'x', notes: [] }), /breaks its schema/)
})

test('a suggestion that was applied, a resolution and a push show in discussions', async (t) => {
  const { get, forge, project, mergeRequest, alice } = await startFixture(t)
  const read = async () => {
    const { body } = await get(`/projects/${project.id}/merge_requests/1/discussions`)
    return (body as Discussion[]).filter((one) => !one.individual_note).map(({ notes }) => notes[0])
  }
  const [first, second] = mergeRequest.threads
  assert.ok(first !== undefined && second !== undefined)
  const original = mergeRequest.headSha
  assert.equal(applySuggestion(forge, mergeRequest, first, alice), true)
  resolveThread(forge, mergeRequest, second, alice)
  const [applied, resolved] = await read()
  assert.equal(applied?.suggestions?.[0]?.applied, true)
  assert.equal(applied?.position?.head_sha, original, 'an outdated position stays at its commit')
  assert.equal(resolved?.resolved, true)
})

test('a fast-forward has no merge commit', async (t) => {
  const { get, forge, project, mergeRequest, alice } = await startFixture(t)
  forge.commitToDefaultBranch(project, alice, 'Other', { 'b.txt': 'b\n' })
  assert.throws(() => mergePullRequest(forge, mergeRequest, alice, 'fast_forward'), /rebased/)
  rebaseBranch(forge, mergeRequest, alice)
  mergePullRequest(forge, mergeRequest, alice, 'fast_forward')
  const { body } = await get(`/projects/${project.id}/merge_requests/1`)
  const { state, merge_commit_sha, squash_commit_sha } = body as Record<string, unknown>
  assert.deepEqual(
    { state, merge_commit_sha, squash_commit_sha },
    {
      state: 'merged',
      merge_commit_sha: null,
      squash_commit_sha: null,
    },
  )
})

test('tokens, scopes, limits and moved projects are as documented', async (t) => {
  const { gitlab, get, clock, acme, forge, project, alice, token } = await startFixture(t, {
    requestsPerMinute: 4,
  })
  assert.equal((await get('/groups/acme', {})).status, 401)
  assert.equal((await get('/groups/acme', { authorization: `Bearer ${token}` })).status, 200)
  const reader = { 'private-token': gitlab.createToken(acme) }
  assert.equal((await get(`/projects/${project.id}/hooks`, reader)).status, 403)
  forge.renameRepository(project, 'bookings', alice)
  const moved = await get('/projects/acme%2Fbooking')
  assert.equal(moved.status, 301)
  assert.match(moved.headers.get('location') ?? '', /acme%2Fbookings$/)
  const { headers } = await get('/groups/acme/projects?per_page=1')
  assert.equal(headers.get('x-total'), '1')
  assert.equal((await get('/groups/none')).status, 404)
  const limited = await get('/groups/acme')
  assert.equal(limited.status, 429)
  assert.equal(limited.headers.get('retry-after'), '60')
  clock.advance(60_000)
  assert.equal((await get('/groups/acme')).status, 200)
  gitlab.revokeToken(token)
  assert.equal((await get('/groups/acme')).status, 401)
})

test('hooks of notes, merge requests and emoji have their documented shape; failures disable them', async (t) => {
  const received: GitlabHookRequest[] = []
  let status = 200
  const { gitlab, forge, project, mergeRequest, alice, token } = await startFixture(t, {
    sendHook: async (request) => {
      received.push(request)
      return status
    },
  })
  const created = await fetch(`${gitlab.apiUrl}/projects/${project.id}/hooks`, {
    method: 'POST',
    headers: { 'private-token': token },
    body: JSON.stringify({
      url: 'http://receiver.example/hooks/1',
      token: 'secret',
      note_events: true,
      merge_requests_events: true,
      emoji_events: true,
    }),
  })
  assert.equal(created.status, 201)
  pushCommit(forge, mergeRequest, alice, { message: 'More', changes: { 'b.txt': 'b\n' } })
  const comment = addComment(forge, mergeRequest, alice, 'Hello')
  editComment(forge, mergeRequest, comment, 'Hello again')
  removeReaction(forge, mergeRequest, comment, addReaction(forge, mergeRequest, comment, alice, '-1'))
  for (const thread of mergeRequest.threads) resolveThread(forge, mergeRequest, thread, alice)
  await gitlab.hooks.flush()
  assert.deepEqual(
    received.map(({ headers }) => headers['x-gitlab-event']),
    ['Merge Request Hook', 'Note Hook', 'Note Hook', 'Emoji Hook', 'Emoji Hook', 'Merge Request Hook'],
  )
  assert.ok(received.every(({ headers }) => headers['x-gitlab-token'] === 'secret'))
  status = 500
  for (let index = 0; index < 6; index++) {
    addComment(forge, mergeRequest, alice, 'Again')
    await gitlab.hooks.flush()
  }
  assert.equal(received.length, 10, 'the fourth failure disables the hook')
})
