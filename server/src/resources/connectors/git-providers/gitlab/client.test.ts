import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { SimulatedClock } from '../../../../../../fake-forge/clock.ts'
import { Forge } from '../../../../../../fake-forge/forge.ts'
import { getDiscussionId, getUsername } from '../../../../../../fake-forge/gitlab/render.ts'
import { FakeGitlab, type GitlabOptions } from '../../../../../../fake-forge/gitlab/server.ts'
import type { Comment, PullRequest, Reaction, Thread, User } from '../../../../../../fake-forge/model.ts'
import {
  convertToDraft,
  forcePush,
  markReadyForReview,
  mergePullRequest,
  openPullRequest,
  pushCommit,
} from '../../../../../../fake-forge/pull-request.ts'
import {
  addComment,
  addReaction,
  applySuggestion,
  getSuggestion,
  locateThread,
  replyToThread,
  resolveThread,
  submitReview,
} from '../../../../../../fake-forge/review.ts'
import { createForgeSender, toClientClock } from '../../../../../test/connectors/clients.ts'
import type { PullRequestSnapshot, RepositoryRef } from '../../snapshot.ts'
import { createUnlimitedBudget } from '../budget.ts'
import {
  CredentialRejectedError,
  NotFoundError,
  ProviderUnavailableError,
  RateLimitedError,
  RepositoryRefusedError,
} from '../provider-client.ts'
import { createGitlabClient } from './client.ts'
import { GitlabUsers } from './users.ts'

interface StartOptions extends Partial<GitlabOptions> {
  readonly maxBytes?: number
  readonly scopes?: readonly ('read_api' | 'read_repository')[]
}

async function start(t: TestContext, options: StartOptions = {}) {
  const gitFolder = mkdtempSync(join(tmpdir(), 'gitlab-client-test-'))
  const time = new SimulatedClock('2026-11-02T09:00:00.123Z')
  const forge = new Forge({ clock: time, gitFolder })
  const { maxBytes, scopes, ...fake } = options
  const gitlab = await FakeGitlab.start({ forge, ...fake })
  t.after(async () => {
    rmSync(gitFolder, { recursive: true, force: true })
    await gitlab.close()
  })
  const alice = forge.addUser('alice', { name: 'Alice' })
  const bob = forge.addUser('bob', { name: 'Bob' })
  const bot = forge.addUser('coderabbitai[bot]')
  const acme = forge.addOrganization('acme')
  forge.addMember(acme, alice, 'admin')
  forge.addMember(acme, bob)
  const project = forge.addRepository(acme, 'booking', alice, {
    files: { 'a.txt': 'one\ntwo\nthree\nfour\n' },
  })
  const mergeRequest = openPullRequest(forge, project, {
    title: 'Round prices',
    author: alice,
    commits: [{ message: 'Round', changes: { 'a.txt': 'one\n2\nthree\nfour\n' } }],
  })
  time.advance(1000)
  submitReview(forge, mergeRequest, {
    author: bot,
    body: 'Summary',
    threads: [
      { path: 'a.txt', line: 2, body: 'Spell it\n```suggestion:-0+0\ntwo\n```\n' },
      { path: 'a.txt', line: 3, startLine: 2, body: 'Both lines' },
      { path: 'a.txt', line: null, body: 'The file' },
      { path: 'a.txt', line: 2, side: 'LEFT', body: 'The old line' },
    ],
  })
  time.advance(1000)
  addComment(forge, mergeRequest, alice, 'Thanks')
  const token = gitlab.createToken(acme, scopes)
  const clock = toClientClock(time)
  const client = createGitlabClient({
    web: gitlab.url,
    token,
    group: 'acme',
    send: createForgeSender(gitlab, maxBytes),
    budget: createUnlimitedBudget(clock),
    clock,
    users: new GitlabUsers(),
  })
  const ref: RepositoryRef = {
    id: String(project.id),
    fullName: 'acme/booking',
    isPrivate: project.isPrivate,
  }
  return { gitlab, forge, time, alice, bob, bot, acme, project, mergeRequest, token, client, ref }
}

const collect = async <Item>(items: AsyncIterable<Item>) => {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

const toTime = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())
const toUser = (user: User) => ({ id: String(user.id), login: getUsername(user), isBot: user.isBot })

function expectReaction({ user, content }: Reaction) {
  const kind = content === '+1' ? 'thumbs_up' : content === '-1' ? 'thumbs_down' : 'other'
  return { user: toUser(user), content: kind }
}

function expectComment(comment: Comment, isFirst: boolean) {
  return {
    id: String(comment.id),
    user: toUser(comment.author),
    body: comment.body,
    createdAt: toTime(comment.createdAt),
    updatedAt: toTime(comment.updatedAt),
    // Reactions to people's replies are not read.
    reactions: isFirst || comment.author.isBot ? comment.reactions.map(expectReaction) : [],
  }
}

function expectThread(state: PullRequest, thread: Thread) {
  const { isOutdated, line, startLine } = locateThread(state, thread)
  const [end, begin] = isOutdated ? [thread.originalLine, thread.originalStartLine] : [line, startLine]
  return {
    id: getDiscussionId('thread', thread.id),
    path: thread.path,
    originalStartLine: begin ?? end,
    originalEndLine: end,
    side: thread.side.toLowerCase(),
    originalCommit: isOutdated ? thread.originalCommit : state.headSha,
    isResolved: thread.isResolved,
    resolvedBy: thread.resolvedBy === null ? null : toUser(thread.resolvedBy),
    resolvedAt: toTime(thread.resolvedAt),
    isOutdated,
    suggestionApplied: getSuggestion(thread) === null ? null : thread.suggestionCommit !== null,
    comments: thread.comments.map((comment, index) => expectComment(comment, index === 0)),
  }
}

/** Everything of a snapshot, compared with the state of the fake. Summaries of reviews are notes on GitLab. */
function assertEqualsState(snapshot: PullRequestSnapshot | null, state: PullRequest): void {
  assert.ok(snapshot)
  const { threads, comments, commits, url, readAt, ...rest } = snapshot
  const { repository } = state
  const ready = state.timeline.findLast(({ kind }) => kind === 'ready_for_review')
  assert.deepEqual(rest, {
    repository: {
      id: String(repository.id),
      fullName: `${repository.owner.login}/${repository.name}`,
      isPrivate: repository.isPrivate,
    },
    number: state.number,
    state: state.mergedAt === null ? state.state : 'merged',
    author: toUser(state.author),
    createdAt: toTime(state.createdAt),
    readyForReviewAt: state.isDraft ? null : toTime(ready?.at ?? state.createdAt),
    mergedAt: toTime(state.mergedAt),
    closedAt: toTime(state.closedAt),
    updatedAt: toTime(state.updatedAt),
    headSha: state.headSha,
    mergeSha: state.mergeSha,
    reviews: [],
    omittedComments: 0,
  })
  assert.ok(url.endsWith(`/-/merge_requests/${state.number}`))
  assert.equal(new Date(readAt).toISOString(), readAt)
  assert.deepEqual(
    commits,
    state.commits.map(({ sha, message, at }) => ({ sha, message, committedAt: toTime(at) })),
  )
  const summaries = state.reviews.filter(({ body }) => body !== '').map(({ id }) => String(id))
  const withoutUrl = ({ url: link, ...one }: (typeof comments)[number]) => {
    assert.equal(link, `${url}#note_${one.id}`)
    return one
  }
  const byId = (a: { id: string }, b: { id: string }) => Number(a.id) - Number(b.id)
  assert.deepEqual(
    comments
      .filter(({ id }) => !summaries.includes(id))
      .map(withoutUrl)
      .sort(byId),
    state.comments.map((comment) => expectComment(comment, false)).sort(byId),
  )
  assert.equal(comments.length, state.comments.length + summaries.length)
  assert.deepEqual(
    threads.map(({ comments: all, ...one }) => ({ ...one, comments: all.map(withoutUrl) })),
    state.threads.map((thread) => expectThread(state, thread)),
  )
}

void describe('the GitLab client', () => {
  void it('reads a merge request exactly', async (t) => {
    const { client, ref, mergeRequest, forge, alice, bob, bot, time } = await start(t)
    const [first, second] = mergeRequest.threads
    const [comment] = first?.comments ?? []
    assert.ok(first && second && comment)
    assertEqualsState(await client.readPullRequest(ref, 1), mergeRequest)
    replyToThread(forge, mergeRequest, first, bob, 'No')
    addReaction(forge, mergeRequest, comment, alice, '-1')
    addReaction(forge, mergeRequest, comment, bot, '+1')
    addReaction(forge, mergeRequest, comment, bob, 'rocket')
    time.advance(1000)
    resolveThread(forge, mergeRequest, second, alice)
    assertEqualsState(await client.readPullRequest(ref, 1), mergeRequest)
    const text = 'zero\none\n2\nthree\nfour\n'
    pushCommit(forge, mergeRequest, bob, { message: 'Add zero', changes: { 'a.txt': text } })
    assertEqualsState(await client.readPullRequest(ref, 1), mergeRequest)
    time.advance(1000)
    applySuggestion(forge, mergeRequest, first, alice)
    assertEqualsState(await client.readPullRequest(ref, 1), mergeRequest)
    convertToDraft(forge, mergeRequest, alice)
    assertEqualsState(await client.readPullRequest(ref, 1), mergeRequest)
    time.advance(1000)
    markReadyForReview(forge, mergeRequest, alice)
    forcePush(forge, mergeRequest, bob, [{ message: 'Other', changes: { 'a.txt': 'other\n' } }])
    assertEqualsState(await client.readPullRequest(ref, 1), mergeRequest)
    time.advance(1000)
    mergePullRequest(forge, mergeRequest, alice, 'squash')
    assertEqualsState(await client.readPullRequest(ref, 1), mergeRequest)
  })

  void it('follows pages to their ends', async (t) => {
    const { client, ref, mergeRequest, forge, bot } = await start(t)
    for (let index = 0; index < 230; index++) addComment(forge, mergeRequest, bot, `Comment ${index}`)
    const snapshot = await client.readPullRequest(ref, 1)
    assert.equal(snapshot?.comments.length, 232)
    assertEqualsState(snapshot, mergeRequest)
  })

  void it('lists merge requests by creation, with several at the same time, and by update', async (t) => {
    const { client, ref, project, forge, bob, time } = await start(t)
    for (let index = 0; index < 34; index++) {
      // 15 at one moment: more than a page.
      if (index < 8 || index > 22) time.advance(60_000)
      openPullRequest(forge, project, {
        title: 'x',
        author: bob,
        commits: [{ message: 'x', changes: { 'a.txt': `${index}\n` } }],
      })
    }
    const since = toTime(project.pullRequests[4]?.createdAt ?? 0) ?? ''
    const found = new Map<number, PullRequestSnapshot>()
    let examined = 0
    for (let after: string | null = null; ; ) {
      const page = await client.listCreated(ref, { after, since })
      for (const one of page.pullRequests) found.set(one.number, one)
      examined += page.examined
      if (examined <= 5) assert.equal(page.total, 31)
      if (page.after === null) break
      ;({ after } = page)
    }
    assert.deepEqual(
      [...found.keys()].sort((a, b) => a - b),
      project.pullRequests.slice(4).map(({ number }) => number),
    )
    assert.ok(examined <= 45, String(examined))
    for (const [number, snapshot] of found) {
      const state = project.pullRequests[number - 1]
      assert.ok(state)
      assertEqualsState(snapshot, state)
    }
    const updated = await collect(client.listUpdated(ref, since))
    assert.deepEqual(
      updated.map(({ number }) => number).sort((a, b) => a - b),
      project.pullRequests.slice(4).map(({ number }) => number),
    )
  })

  void it('has no merge requests where they are switched off, and reads the rest', async (t) => {
    const { client, ref, project, mergeRequest } = await start(t)
    project.hasPullRequests = false
    const since = '2020-01-01T00:00:00Z'
    assert.deepEqual(await collect(client.listUpdated(ref, since)), [])
    assert.deepEqual(await client.listCreated(ref, { after: null, since }), {
      pullRequests: [],
      failed: [],
      examined: 0,
      total: 0,
      after: null,
    })
    assert.equal((await collect(client.listRepositories())).length, 1)
    assert.ok((await collect(client.listAccess(ref))).length > 0)
    // It is not gone: it may be switched on again.
    await assert.rejects(client.readPullRequest(ref, 1), RepositoryRefusedError)
    project.hasPullRequests = true
    assertEqualsState(await client.readPullRequest(ref, 1), mergeRequest)
  })

  void it('makes pages smaller that are too large, and leaves out a discussion that is too large by itself', async (t) => {
    const { client, ref, project, mergeRequest, forge, bob, time } = await start(t, { maxBytes: 60_000 })
    for (let index = 0; index < 130; index++)
      addComment(forge, mergeRequest, bob, `${index} ${'x'.repeat(index % 25 === 7 ? 20_000 : 100)}`)
    assertEqualsState(await client.readPullRequest(ref, 1), mergeRequest)
    const huge = addComment(forge, mergeRequest, bob, 'x'.repeat(60_000))
    addComment(forge, mergeRequest, bob, 'The last one')
    const { comments } = (await client.readPullRequest(ref, 1)) ?? assert.fail('it is gone')
    const ids = new Set(comments.map(({ id }) => id))
    assert.deepEqual(
      mergeRequest.comments.filter(({ id }) => !ids.has(String(id))),
      [huge],
    )
    for (let index = 0; index < 20; index++) {
      time.advance(60_000)
      openPullRequest(forge, project, {
        title: 'x',
        body: 'x'.repeat(8000),
        author: bob,
        commits: [{ message: index === 4 ? 'x'.repeat(60_000) : 'x', changes: { 'a.txt': `${index}\n` } }],
      })
    }
    const since = '2020-01-01T00:00:00Z'
    assert.equal((await collect(client.listUpdated(ref, since))).length, 21)
    const found: number[] = []
    const failed: number[] = []
    for (let after: string | null = null; ; ) {
      const page = await client.listCreated(ref, { after, since })
      found.push(...page.pullRequests.map(({ number }) => number))
      failed.push(...page.failed)
      if (page.after === null) break
      ;({ after } = page)
    }
    assert.deepEqual(failed, [6])
    assert.deepEqual(
      [...found, ...failed].sort((a, b) => a - b),
      project.pullRequests.map(({ number }) => number),
    )
  })

  void it('reads a bounded part of the notes, and counts the rest', async (t) => {
    const { client, ref, forge, mergeRequest, alice } = await start(t)
    const before = await client.readPullRequest(ref, 1)
    for (let index = 0; index < 300; index++) addComment(forge, mergeRequest, alice, 'a\n\n'.repeat(20_000))
    const read = await client.readPullRequest(ref, 1)
    assert.ok(read)
    const lines = read.comments.map(({ body }) => body.split('\n').length)
    assert.equal(Math.max(...lines), 2000)
    assert.ok(lines.reduce((sum, count) => sum + count, 0) <= 100_000)
    assert.equal(read.threads.length, before?.threads.length)
    assert.ok(read.comments.length < 300)
    assert.equal(read.omittedComments, 300)
  })

  void it('counts the notes that are left out, because GitLab wrote too many itself', async (t) => {
    const { client, ref, forge, time, mergeRequest, alice } = await start(t)
    for (let index = 0; index < 2500; index++) {
      convertToDraft(forge, mergeRequest, alice)
      markReadyForReview(forge, mergeRequest, alice)
    }
    time.advance(1000)
    for (let index = 0; index < 150; index++) addComment(forge, mergeRequest, alice, 'late')
    const read = await client.readPullRequest(ref, 1)
    const late = read?.comments.filter(({ body }) => body === 'late').length ?? 0
    assert.ok(late < 150)
    assert.equal(read?.omittedComments, 150 - late)
  })

  void it('lists projects, members, access and the group', async (t) => {
    const { client, ref, acme, alice, bob, project } = await start(t)
    project.collaborators.set(bob, 'pull')
    assert.deepEqual(await client.readOrganization(), {
      id: String(acme.id),
      name: 'acme',
    })
    assert.deepEqual(await collect(client.listRepositories()), [ref])
    assert.deepEqual(await collect(client.listMembers()), [
      { user: toUser(alice), name: 'Alice', email: null },
      { user: toUser(bob), name: 'Bob', email: null },
    ])
    const access = await collect(client.listAccess(ref))
    assert.deepEqual(
      access.map(({ login }) => login),
      ['alice', 'bob'],
    )
    assert.deepEqual(await collect(client.listCodeScanningAlerts(ref)), [])
  })

  void it('reads the permission of an account', async (t) => {
    const { client, ref, forge, project, alice, bob } = await start(t)
    project.collaborators.set(bob, 'triage')
    const carol = forge.addUser('carol', { name: 'Carol' })
    project.collaborators.set(carol, 'push')
    const stranger = forge.addUser('stranger', { name: 'Stranger' })
    const read = (user: User) => client.readPermission(ref, toUser(user))
    assert.deepEqual(await Promise.all([alice, bob, carol, stranger].map(read)), [
      'admin',
      'read',
      'write',
      'none',
    ])
  })

  void it('finds a project by its id after a rename', async (t) => {
    const { client, ref, project, forge, alice, mergeRequest } = await start(t)
    forge.renameRepository(project, 'tickets', alice)
    assertEqualsState(await client.readPullRequest(ref, 1), mergeRequest)
    assert.match((await client.getCloneCredential(ref)).url, /\/acme\/tickets\.git$/)
  })

  void it('returns null for a merge request that does not exist, and refuses a project that does not', async (t) => {
    const { client, ref } = await start(t)
    assert.equal(await client.readPullRequest(ref, 99), null)
    await assert.rejects(client.readPullRequest({ ...ref, id: '1' }, 1), NotFoundError)
  })

  void it('refuses a token without the scope', async (t) => {
    const { client } = await start(t, { scopes: ['read_repository'] })
    await assert.rejects(client.readOrganization(), CredentialRejectedError)
  })

  void it('reports limits, failures and a revoked token as what they are', async (t) => {
    const { client, ref, gitlab, token, time, mergeRequest } = await start(t)
    await client.readPullRequest(ref, 1)
    gitlab.faults.queue('primaryLimit')
    await assert.rejects(
      client.readPullRequest(ref, 1),
      (error) => error instanceof RateLimitedError && error.retryAt.getTime() > time.now(),
    )
    for (const fault of ['badGateway', 'serverTimeout', 'disconnect', 'truncated'] as const) {
      gitlab.faults.queue(fault)
      await assert.rejects(client.readPullRequest(ref, 1), ProviderUnavailableError, fault)
    }
    assertEqualsState(await client.readPullRequest(ref, 1), mergeRequest)
    gitlab.revokeToken(token)
    await assert.rejects(
      client.readPullRequest(ref, 1),
      (error) => error instanceof CredentialRejectedError && !String(error.stack).includes(token),
    )
  })
})
