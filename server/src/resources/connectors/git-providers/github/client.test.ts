import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { Comment, PullRequest, Reaction, User } from '../../../../../../fake-forge/model.ts'
import {
  forcePush,
  mergePullRequest,
  openPullRequest,
  pushCommit,
} from '../../../../../../fake-forge/pull-request.ts'
import {
  addComment,
  addReaction,
  deleteComment,
  locateThread,
  replyToThread,
  resolveThread,
  submitReview,
} from '../../../../../../fake-forge/review.ts'
import { startFixture } from '../../../../../../fake-forge/test/github-fixture.ts'
import { createForgeSender, createGithubClients } from '../../../../../test/connectors/clients.ts'
import { readConnectorHosts } from '../../../../settings/connector-hosts.ts'
import type { ProviderComment, PullRequestSnapshot, RepositoryRef } from '../../snapshot.ts'
import {
  CredentialRejectedError,
  canWrite,
  NotFoundError,
  type ProviderClient,
  ProviderUnavailableError,
  RateLimitedError,
} from '../provider-client.ts'
import { createSender, type ProviderRequest, type ProviderResponse, type SendRequest } from '../request.ts'
import { toGithubAddress } from './address.ts'
import { InstallationTokens } from './tokens.ts'

type Fixture = Awaited<ReturnType<typeof startFixture>>
type Fault = (request: ProviderRequest) => Partial<ProviderResponse> | null

interface TestClient extends Fixture {
  readonly client: ProviderClient
  readonly ref: RepositoryRef
  readonly requests: ProviderRequest[]
  /** Answers instead of the fake; null = the fake answers. */
  readonly setFault: (fault: Fault | null) => void
}

async function start(t: TestContext, limits: { readonly maxBytes?: number } = {}): Promise<TestClient> {
  const fixture = await startFixture(t, { isEnterprise: true })
  const { github, repository } = fixture
  const sender = createForgeSender(github, limits.maxBytes)
  const requests: ProviderRequest[] = []
  let fault: Fault | null = null
  const send: SendRequest = (request) => {
    requests.push(request)
    const answer = fault?.(request) ?? null
    if (answer === null) return sender(request)
    const body = answer.body ?? Buffer.from('{}')
    return Promise.resolve({ status: 200, url: request.url, headers: {}, ...answer, body })
  }
  const client = createGithubClients(fixture, send)()
  const ref = { id: String(repository.id), fullName: 'acme/booking-api', isPrivate: repository.isPrivate }
  return {
    ...fixture,
    client,
    ref,
    requests,
    setFault(given) {
      fault = given
    },
  }
}

const collect = async <Item>(items: AsyncIterable<Item>) => {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

const toTime = (ms: number | null) => (ms === null ? null : `${new Date(ms).toISOString().slice(0, 19)}Z`)
const toUser = ({ id, login, isBot }: User) => ({ id: String(id), login, isBot })

function expectReaction({ user, content }: Reaction) {
  const kind = content === '+1' ? 'thumbs_up' : content === '-1' ? 'thumbs_down' : 'other'
  return { user: user.isBot ? null : toUser(user), content: kind }
}

function expectComment(comment: Comment): Omit<ProviderComment, 'url'> {
  return {
    id: String(comment.id),
    user: toUser(comment.author),
    body: comment.body,
    createdAt: toTime(comment.createdAt) ?? '',
    updatedAt: toTime(comment.updatedAt) ?? '',
    isEdited: comment.updatedAt !== comment.createdAt,
    reactions: comment.reactions.map(expectReaction) as ProviderComment['reactions'],
  }
}

const withoutUrl = <Item extends { url: string }>({ url, ...rest }: Item) => {
  assert.match(url, /^http:\/\/127\.0\.0\.1/)
  return rest
}

/** Everything of a snapshot, compared with the state of the fake. */
function assertEqualsState(snapshot: PullRequestSnapshot, state: PullRequest): void {
  const { threads, comments, reviews, commits, url, readAt, checkRuns, ...rest } = snapshot
  const { repository } = state
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
    readyForReviewAt: state.isDraft ? null : toTime(getReadyTime(state)),
    mergedAt: toTime(state.mergedAt),
    closedAt: toTime(state.closedAt),
    updatedAt: toTime(state.updatedAt),
    headSha: state.headSha,
    mergeSha: state.mergeSha,
    omittedComments: 0,
  })
  assert.ok(url.endsWith(`/pull/${state.number}`))
  assert.equal(new Date(readAt).toISOString(), readAt)
  assert.ok(checkRuns === undefined || Array.isArray(checkRuns))
  assert.deepEqual(
    commits,
    state.commits.slice(0, 250).map(({ sha, message, at }) => ({ sha, message, committedAt: toTime(at) })),
  )
  assert.deepEqual(
    reviews.map(withoutUrl),
    state.reviews.map((review) => ({
      id: String(review.id),
      user: toUser(review.author),
      state: review.state.toLowerCase(),
      body: review.body,
      commit: review.commit,
      submittedAt: toTime(review.submittedAt),
    })),
  )
  assert.deepEqual(comments.map(withoutUrl), state.comments.map(expectComment))
  assert.deepEqual(
    threads.map(({ id, comments: all, ...thread }) => {
      assert.match(id, /^PRRT_/)
      return { ...thread, comments: all.map(withoutUrl) }
    }),
    state.threads.map((thread) => ({
      path: thread.path,
      originalStartLine: thread.originalStartLine ?? thread.originalLine,
      originalEndLine: thread.originalLine,
      side: thread.side.toLowerCase(),
      originalCommit: thread.originalCommit,
      isResolved: thread.isResolved,
      resolvedBy: thread.resolvedBy === null || thread.resolvedBy.isBot ? null : toUser(thread.resolvedBy),
      resolvedAt: null,
      isOutdated: locateThread(state, thread).isOutdated,
      suggestionApplied: null,
      comments: thread.comments.map(expectComment),
    })),
  )
}

function getReadyTime({ timeline, createdAt }: PullRequest): number {
  return timeline.findLast(({ kind }) => kind === 'ready_for_review')?.at ?? createdAt
}

function assertRead(snapshot: PullRequestSnapshot | null, state: PullRequest): void {
  assert.ok(snapshot)
  assertEqualsState(snapshot, state)
}

void describe('the GitHub client', () => {
  void it('reads a pull request exactly', async (t) => {
    const { client, ref, pullRequest, forge, bob, alice, clock } = await start(t)
    assertRead(await client.readPullRequest(ref, 1), pullRequest)
    clock.advance(1000)
    const text = 'zero\none\ntwo and a half\nthree\nfour\nfive\n'
    pushCommit(forge, pullRequest, bob, { message: 'Add zero', changes: { 'src/price.ts': text } })
    assertRead(await client.readPullRequest(ref, 1), pullRequest)
    forcePush(forge, pullRequest, bob, [{ message: 'Other', changes: { 'src/price.ts': 'other\n' } }])
    assertRead(await client.readPullRequest(ref, 1), pullRequest)
    clock.advance(1000)
    mergePullRequest(forge, pullRequest, alice, 'squash')
    assertRead(await client.readPullRequest(ref, 1), pullRequest)
  })

  void it('follows nested pages to their ends', async (t) => {
    const { client, ref, pullRequest, forge, bob, bot, alice } = await start(t)
    const threads = Array.from({ length: 130 }, (_, index) => ({
      path: 'src/price.ts',
      line: 2,
      body: `Finding ${index}`,
    }))
    submitReview(forge, pullRequest, { author: bot, body: 'Many.', threads })
    const [, long] = pullRequest.threads
    assert.ok(long)
    for (let index = 0; index < 150; index++) replyToThread(forge, pullRequest, long, bob, `Reply ${index}`)
    for (let index = 0; index < 120; index++) addComment(forge, pullRequest, bot, `Comment ${index}`)
    resolveThread(forge, pullRequest, long, alice)
    const [comment] = long.comments
    assert.ok(comment)
    for (let index = 0; index < 103; index++)
      addReaction(forge, pullRequest, comment, forge.addUser(`person-${index}`, {}), '-1')
    const snapshot = await client.readPullRequest(ref, 1)
    assert.equal(snapshot?.threads.length, 131)
    assert.equal(snapshot?.threads[1]?.comments[0]?.reactions.length, 103)
    assertRead(snapshot, pullRequest)
  })

  void it('reads 250 commits and says that there are more', async (t) => {
    const { client, ref, repository, forge, bob } = await start(t)
    const commits = Array.from({ length: 251 }, (_, index) => ({
      message: `Commit ${index}`,
      changes: { 'many.txt': `${index}\n` },
    }))
    const many = openPullRequest(forge, repository, { title: 'Many', author: bob, commits })
    const snapshot = await client.readPullRequest(ref, many.number)
    assert.equal(snapshot?.commits.length, 250)
    assertRead(snapshot, many)
  })

  void it('reads how the message of a commit begins', async (t) => {
    const { client, ref, repository, forge, bob } = await start(t)
    const message = `Apply suggestions from code review\n\n${'x'.repeat(60_000)}`
    const commits = [{ message, changes: { 'a.txt': 'x\n' } }]
    const long = openPullRequest(forge, repository, { title: 'Long', author: bob, commits })
    const snapshot = await client.readPullRequest(ref, long.number)
    assert.equal(snapshot?.commits[0]?.message, message.slice(0, 500))
  })

  void it('returns null for a pull request that does not exist, and refuses a repository that does not', async (t) => {
    const { client, ref } = await start(t)
    assert.equal(await client.readPullRequest(ref, 99), null)
    await assert.rejects(client.readPullRequest({ ...ref, id: '1', fullName: 'acme/none' }, 1), NotFoundError)
  })

  void it('finds a repository by its id after a rename, and when another one took its name', async (t) => {
    const { client, ref, repository, forge, alice, acme, pullRequest } = await start(t)
    forge.renameRepository(repository, 'tickets', alice)
    assertRead(await client.readPullRequest(ref, 1), pullRequest)
    const other = forge.addRepository(acme, 'booking-api', alice, { files: { 'README.md': 'x\n' } })
    const stranger = openPullRequest(forge, other, {
      title: 'Other',
      author: alice,
      commits: [{ message: 'x', changes: { 'README.md': 'y\n' } }],
    })
    const fresh = { ...ref, fullName: 'acme/booking-api' }
    const [first] = await collect(client.listUpdated(fresh, '2020-01-01T00:00:00Z'))
    assert.equal(first?.updatedAt, toTime(pullRequest.updatedAt))
    assertRead(await client.readPullRequest(fresh, 1), pullRequest)
    const otherRef = { id: String(other.id), fullName: 'acme/booking-api', isPrivate: other.isPrivate }
    assertRead(await client.readPullRequest(otherRef, 1), stranger)
    assert.match((await client.getCloneCredential(fresh)).url, /\/acme\/tickets\.git$/)
  })

  void it('lists pull requests by creation from a time on, page by page', async (t) => {
    const { client, ref, repository, forge, bob, clock } = await start(t)
    for (let index = 0; index < 130; index++) {
      clock.advance(60_000)
      openPullRequest(forge, repository, {
        title: `Change ${index}`,
        author: bob,
        commits: [{ message: 'x', changes: { 'README.md': `${index}\n` } }],
      })
    }
    const since = toTime(repository.pullRequests[104]?.createdAt ?? 0) ?? ''
    const found: PullRequestSnapshot[] = []
    let [examined, pages] = [0, 0]
    for (let after: string | null = null; ; pages++) {
      const page = await client.listCreated(ref, { after, since })
      found.push(...page.pullRequests)
      examined += page.examined
      assert.equal(page.total, 131)
      assert.deepEqual(page.failed, [])
      if (page.after === null) break
      ;({ after } = page)
    }
    assert.equal(examined, 131)
    assert.ok(pages < 6)
    assert.deepEqual(
      found.map(({ number }) => number),
      repository.pullRequests.slice(104).map(({ number }) => number),
    )
    for (const snapshot of found) {
      const state = repository.pullRequests[snapshot.number - 1]
      assert.ok(state)
      assertEqualsState(snapshot, state)
    }
    const updated = await collect(client.listUpdated(ref, since))
    assert.deepEqual(
      updated.map(({ number }) => number),
      found.map(({ number }) => number).toReversed(),
    )
  })

  void it('reads the same in a page of the backfill and one by one, with the check runs of review bots', async (t) => {
    const { client, ref, forge, repository, pullRequest, alice, bob, requests } = await start(t)
    const since = '2000-01-01T00:00:00Z'
    const other = openPullRequest(forge, repository, {
      title: 'Other',
      author: bob,
      commits: [{ message: 'Other', changes: { 'other.txt': 'x\n' } }],
    })
    const addRun = (headSha: string, slug: string) =>
      Object.assign(
        forge.addCheckRun(repository, { headSha, name: slug, app: { slug, name: slug } }, alice),
        {
          summary: `Summary of ${slug}`,
          completedAt: forge.clock.now(),
        },
      )
    addRun(pullRequest.headSha, 'claude')
    addRun(other.headSha, 'github-actions')
    const countCheckRequests = () => requests.filter(({ url }) => url.includes('/check-runs')).length
    const { pullRequests } = await client.listCreated(ref, { after: null, since })
    // Only the head with a check of a bot costs a request.
    assert.equal(countCheckRequests(), 1)
    assert.deepEqual(
      pullRequests.map(({ checkRuns }) => checkRuns?.map(({ app, text }) => [app, text])),
      [[['claude', 'Summary of claude']], []],
    )
    for (const listed of pullRequests) {
      const read = await client.readPullRequest(ref, listed.number)
      assert.deepEqual({ ...read, readAt: '' }, { ...listed, readAt: '' })
    }
  })

  void it('reads a bounded part of the comments, and counts the rest', async (t) => {
    const { client, ref, forge, pullRequest, alice, bot, requests } = await start(t)
    const long = 'a\n\n'.repeat(21_845)
    addComment(forge, pullRequest, bot, 'b\n'.repeat(2500))
    for (let index = 0; index < 400; index++) addComment(forge, pullRequest, alice, long)
    const read = await client.readPullRequest(ref, pullRequest.number)
    assert.ok(read)
    const lines = read.comments.map(({ body }) => body.split('\n').length)
    assert.ok(Math.max(...lines) === 2000, String(Math.max(...lines)))
    const total = lines.reduce((sum, count) => sum + count, 0)
    assert.ok(total <= 100_000 && total > 90_000, String(total))
    // Those that were cut count too, and the first comment of the fixture is whole.
    assert.equal(read.omittedComments, 401)
    assert.equal(read.threads.length, 1)
    // The first page, and one more.
    const pages = requests.filter(({ body }) => body?.includes('page: comments'))
    assert.equal(pages.length, 1)
    pullRequest.comments.length = 0
    for (let index = 0; index < 1200; index++) addComment(forge, pullRequest, alice, 'short')
    const many = await client.readPullRequest(ref, pullRequest.number)
    const kept = many?.comments.length ?? 0
    assert.equal(many?.omittedComments, 1200 - kept)
    assert.ok(kept > 990 && kept < 1000, String(kept))
  })

  void it('counts the reviews and check runs that are left out, because there are too many', async (t) => {
    const { client, forge, ref, repository, pullRequest, alice } = await start(t)
    const reviews = pullRequest.reviews.length
    for (let index = 0; index < 1100; index++)
      submitReview(forge, pullRequest, { author: alice, state: 'APPROVED' })
    const read = await client.readPullRequest(ref, pullRequest.number)
    assert.deepEqual([read?.reviews.length, read?.omittedComments], [1000, reviews + 100])
    pullRequest.reviews.length = reviews
    const app = { slug: 'claude', name: 'claude' }
    for (let index = 0; index < 1010; index++)
      forge.addCheckRun(repository, { headSha: pullRequest.headSha, name: `${index}`, app }, alice)
    assert.equal((await client.readPullRequest(ref, pullRequest.number))?.omittedComments, 10)
  })

  void it('lists repositories, members, access, alerts and the organization', async (t) => {
    const { client, ref, acme, alice, bob, repository } = await start(t)
    assert.deepEqual(await client.readOrganization(), {
      id: String(acme.id),
      name: 'acme',
    })
    assert.deepEqual(await collect(client.listRepositories()), [ref])
    assert.deepEqual(await collect(client.listMembers()), [
      { user: toUser(alice), name: 'Alice', email: 'alice@acme.example' },
      { user: toUser(bob), name: 'Bob', email: null },
    ])
    assert.deepEqual(await collect(client.listAccess(ref)), [toUser(alice), toUser(bob)])
    const [alert] = await collect(client.listCodeScanningAlerts(ref))
    const [state] = repository.alerts
    assert.ok(alert && state)
    assert.deepEqual(
      [alert.number, alert.ruleId, alert.severity, alert.path, alert.startLine, alert.state, alert.commit],
      [state.number, 'js/xss', 'high', 'src/price.ts', 2, 'open', state.commit],
    )
    assert.deepEqual(await client.readCodeScanningAlert(ref, alert.number), alert)
    assert.equal(await client.readCodeScanningAlert(ref, 99), null)
  })

  void it('has no alerts without the permission, or where code scanning is off', async (t) => {
    const { client, ref, app, setFault } = await start(t)
    const { security_events: _, ...others } = app.permissions
    app.permissions = others
    assert.deepEqual(await collect(client.listCodeScanningAlerts(ref)), [])
    assert.equal(await client.readCodeScanningAlert(ref, 1), null)
    for (const status of [403, 404]) {
      setFault(({ url }) => (url.includes('/code-scanning/') ? { status } : null))
      assert.deepEqual(await collect(client.listCodeScanningAlerts(ref)), [])
    }
    setFault(({ url }) =>
      url.includes('/code-scanning/') ? { status: 403, headers: { 'retry-after': '9' } } : null,
    )
    await assert.rejects(collect(client.listCodeScanningAlerts(ref)), RateLimitedError)
  })

  void it('reads the permission of an account, never that of another one with its former login', async (t) => {
    const { client, ref, forge, repository, alice, bob } = await start(t)
    const carol = forge.addUser('carol', { name: 'Carol' })
    const dave = forge.addUser('dave', { name: 'Dave' })
    repository.collaborators.set(carol, 'triage').set(dave, 'maintain')
    const stranger = forge.addUser('stranger', { name: 'Stranger' })
    const read = (user: User) => client.readPermission(ref, toUser(user))
    assert.deepEqual(await Promise.all([alice, bob, carol, dave].map(read)), [
      'admin',
      'write',
      'read',
      'write',
    ])
    assert.equal(canWrite(await read(stranger)), false)
    assert.equal(await client.readPermission(ref, { id: '1', login: 'no-body', isBot: false }), 'none')
    assert.equal(await client.readPermission(ref, { ...toUser(stranger), login: 'alice' }), 'none')
    assert.equal(await client.readPermission(ref, { ...toUser(stranger), login: '../../alice' }), 'none')
  })

  void it('renews a token that expired or was revoked, once', async (t) => {
    const { client, ref, pullRequest, github, clock, requests, installation } = await start(t)
    await client.readPullRequest(ref, 1)
    clock.advance(3_600_000)
    assertRead(await client.readPullRequest(ref, 1), pullRequest)
    github.apps.expireTokens()
    assertRead(await client.readPullRequest(ref, 1), pullRequest)
    assert.equal(requests.filter(({ url }) => url.endsWith('/access_tokens')).length, 3)
    github.apps.uninstall(installation)
    await assert.rejects(client.readPullRequest(ref, 1), CredentialRejectedError)
  })

  void it('refuses a key that is not one without quoting it', async (t) => {
    const { github } = await start(t)
    const send = createSender({ hosts: readConnectorHosts([github.url], [], []) })
    const clock = { now: () => new Date(), sleep: () => Promise.resolve() }
    const credential = { appId: '1', privateKey: 'planted-private-key', installationId: '2' }
    await assert.rejects(
      new InstallationTokens(send, clock).get(toGithubAddress(github.url), credential),
      (error) => error instanceof CredentialRejectedError && !error.stack?.includes('planted-private-key'),
    )
  })

  const isGraphql = ({ url }: ProviderRequest) => url.endsWith('/graphql')
  const graphql = (body: object, headers = {}): Partial<ProviderResponse> => ({
    headers,
    body: Buffer.from(JSON.stringify(body)),
  })

  void it('understands limits, however they are said', async (t) => {
    const { client, ref, setFault, clock } = await start(t)
    const reset = Math.floor(clock.now() / 1000) + 1800
    const spent = {
      'x-ratelimit-limit': '5000',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': `${reset}`,
    }
    const limited = { type: 'RATE_LIMITED', message: 'API rate limit exceeded' }
    for (const [answer, seconds] of [
      [{ status: 403, headers: spent }, 1800],
      [{ status: 429, headers: { 'retry-after': '77' } }, 77],
      [{ status: 403, headers: { 'retry-after': '30' } }, 30],
      [{ status: 403, body: Buffer.from('{"message":"You have exceeded a secondary rate limit."}') }, 60],
      [graphql({ errors: [limited] }, spent), 1800],
      [graphql({ data: null, errors: [{ message: 'You have exceeded a secondary rate limit' }] }), 60],
    ] as const) {
      setFault((request) => (isGraphql(request) ? answer : null))
      await assert.rejects(client.readPullRequest(ref, 1), (error) => {
        assert.ok(error instanceof RateLimitedError, String(error))
        assert.equal(Math.round((error.retryAt.getTime() - clock.now()) / 1000), seconds)
        return true
      })
    }
  })

  void it('does not take 0 of 0 for a spent limit', async (t) => {
    const { client, ref, setFault } = await start(t)
    const headers = { 'x-ratelimit-limit': '0', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '0' }
    setFault((request) => (isGraphql(request) ? { status: 403, headers } : null))
    await assert.rejects(client.readPullRequest(ref, 1), CredentialRejectedError)
  })

  void it('never takes a part for the whole', async (t) => {
    const { client, ref, setFault } = await start(t)
    const part = { repository: { databaseId: Number(ref.id), pullRequest: null } }
    const path = ['repository', 'pullRequest', 'reviewThreads', 'nodes', 0]
    for (const body of [
      { data: part, errors: [{ message: 'Something went wrong', path }] },
      { data: part, errors: [{ type: 'NOT_FOUND', message: 'Could not resolve', path }] },
      { data: null },
      {},
    ]) {
      setFault((request) => (isGraphql(request) ? graphql(body) : null))
      await assert.rejects(client.readPullRequest(ref, 1), ProviderUnavailableError)
    }
    setFault((request) => (isGraphql(request) ? { body: Buffer.from('<html>') } : null))
    await assert.rejects(client.readPullRequest(ref, 1), ProviderUnavailableError)
    setFault((request) =>
      isGraphql(request) ? graphql({ errors: [{ type: 'FORBIDDEN', message: 'x' }] }) : null,
    )
    await assert.rejects(client.readPullRequest(ref, 1), CredentialRejectedError)
  })

  void it('makes pages smaller that are too large, and moves past a pull request that is', async (t) => {
    const { client, ref, pullRequest, repository, forge, bob, bot, setFault } = await start(t, {
      maxBytes: 60_000,
    })
    const threads = Array.from({ length: 20 }, () => ({
      path: 'src/price.ts',
      line: 2,
      body: 'x'.repeat(8000),
    }))
    submitReview(forge, pullRequest, { author: bot, body: 'Many.', threads })
    assertRead(await client.readPullRequest(ref, 1), pullRequest)
    const [first, second] = [1, 2].map(() =>
      openPullRequest(forge, repository, {
        title: 'x',
        author: bob,
        commits: [{ message: 'x', changes: { 'README.md': 'x\n' } }],
      }),
    )
    assert.ok(first && second)
    addComment(forge, first, bob, 'x'.repeat(60_000))
    await assert.rejects(client.readPullRequest(ref, first.number), ProviderUnavailableError)
    // Its check runs cannot be read either.
    forge.addCheckRun(
      repository,
      { headSha: second.headSha, name: 'claude', app: { slug: 'claude', name: 'Claude' } },
      bob,
    )
    setFault(({ url }) => (url.includes('/check-runs') ? { status: 502 } : null))
    const found: number[] = []
    const failed: number[] = []
    for (let after: string | null = null; ; ) {
      const page = await client.listCreated(ref, { after, since: '2020-01-01T00:00:00Z' })
      found.push(...page.pullRequests.map(({ number }) => number))
      failed.push(...page.failed)
      if (page.after === null) break
      ;({ after } = page)
    }
    assert.deepEqual({ found, failed }, { found: [1], failed: [2, 3] })
    await client.checkConnection()
  })

  void it('reads a pull request again whose comment or thread is deleted meanwhile', async (t) => {
    const { client, ref, pullRequest, forge, bob, thread, setFault } = await start(t)
    const comment = addComment(forge, pullRequest, bob, 'Never mind')
    const deleteBefore = (query: string, remove: () => void) => {
      setFault((request) => {
        if (!request.body?.includes(query)) return null
        setFault(null)
        remove()
        return null
      })
    }
    deleteBefore('nodes(ids:', () => deleteComment(forge, pullRequest, comment))
    const during = await client.readPullRequest(ref, 1)
    assert.deepEqual(
      during?.comments.map(({ id }) => id),
      [...pullRequest.comments, comment].map(({ id }) => String(id)),
    )
    assertRead(await client.readPullRequest(ref, 1), pullRequest)
    for (let index = 0; index < 30; index++) replyToThread(forge, pullRequest, thread, bob, `Reply ${index}`)
    deleteBefore('on PullRequestReviewThread', () => {
      for (const one of thread.comments) deleteComment(forge, pullRequest, one)
    })
    await assert.rejects(client.readPullRequest(ref, 1), ProviderUnavailableError)
    assertRead(await client.readPullRequest(ref, 1), pullRequest)
  })

  void it('halves pages that are too slow, and moves past a pull request that cannot be read', async (t) => {
    const { client, ref, setFault, repository, forge, bob } = await start(t)
    for (let index = 0; index < 9; index++)
      openPullRequest(forge, repository, {
        title: 'x',
        author: bob,
        commits: [{ message: 'x', changes: { 'README.md': `${index}\n` } }],
      })
    const readAll = async () => {
      const found: number[] = []
      const failed: number[] = []
      for (let after: string | null = null; ; ) {
        const page = await client.listCreated(ref, { after, since: '2020-01-01T00:00:00Z' })
        found.push(...page.pullRequests.map(({ number }) => number))
        failed.push(...page.failed)
        if (page.after === null) return { found, failed }
        ;({ after } = page)
      }
    }
    const sizes: number[] = []
    const getVariables = (request: ProviderRequest) =>
      (
        JSON.parse(request.body || '{}') as {
          variables?: { first?: number; threads?: number; after?: string | null }
        }
      ).variables
    const onLargePages = (answer: Partial<ProviderResponse>) => (request: ProviderRequest) => {
      const { first = 0, threads } = getVariables(request) ?? {}
      if (!isGraphql(request) || threads === undefined) return null
      sizes.push(first)
      return first > 3 ? answer : null
    }
    for (const answer of [
      { status: 502 },
      { status: 504 },
      graphql({ errors: [{ message: 'Something went wrong. This may be the result of a timeout' }] }),
      graphql({ data: null, errors: [{ type: 'RESOURCE_LIMITS_EXCEEDED', message: 'x' }] }),
    ]) {
      setFault(onLargePages(answer))
      assert.deepEqual(await readAll(), { found: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], failed: [] })
    }
    assert.deepEqual(sizes.slice(0, 3), [10, 5, 2])
    // Number 4 fails whenever it is asked for.
    setFault((request) => {
      const { first = 0, threads, after = null } = getVariables(request) ?? {}
      if (!isGraphql(request) || threads === undefined) return null
      const number = after === null ? 1 : getNumberAt(after) + 1
      return number <= 4 && number + first > 4 ? { status: 502 } : null
    })
    assert.deepEqual(await readAll(), { found: [1, 2, 3, 5, 6, 7, 8, 9, 10], failed: [4] })
  })
})

/** A cursor of the fake is a sort key, which ends in the number. */
function getNumberAt(cursor: string): number {
  const [, number] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [number, number]
  return number
}
