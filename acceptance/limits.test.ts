import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { assertError, assertErrors, type Reply } from '../cli/src/conformance/http.ts'
import { modePath, post } from './people-data.ts'
import {
  at,
  call,
  demo,
  home,
  type KeyName,
  organizationsOf,
  organizationsPath,
  repositoriesPath,
} from './service.ts'
import { askInNewWindow, strict } from './windows.ts'

// A window lasts a minute, so one story is played once and each test reads its part of it.
type Story = Awaited<ReturnType<typeof tell>>

const homeRepositories = repositoriesPath(home.id)
const siblingRepositories = repositoriesPath(at(organizationsOf('workspace'), 1).id)
let told: Promise<Story> | undefined

test('the first ten requests of a quiet minute are admitted, by whichever key of the organization [S-limit-9 P1-limit-9]', async () => {
  const { first, admitted } = await story()
  const ten = [at(first, 0), ...admitted]
  assert.deepEqual(
    statuses(ten),
    Array.from({ length: 10 }, () => 200),
  )
})

test('the eleventh request in 60 seconds is 429 RATE_LIMIT_EXCEEDED [S-limit-9 P1-limit-1 P1-limit-9 P1-code-26]', async () => {
  assertError(at((await story()).refused, 0), 429, 'RATE_LIMIT_EXCEEDED')
})

test('two keys of the same organization share its window [P1-limit-4]', async () => {
  for (const reply of (await story()).refused) assertError(reply, 429, 'RATE_LIMIT_EXCEEDED')
})

test('RateLimit-Policy names the window, its quota of 10 and its 60 seconds [P1-limit-6 P1-limit-8]', async () => {
  const { first, admitted, refused, selectedAdmitted } = await story()
  for (const reply of [at(first, 0), ...admitted, ...refused]) {
    assert.equal(reply.headers.get('ratelimit-policy'), '"organizations";q=10;w=60')
  }
  for (const reply of [at(first, 1), ...selectedAdmitted]) {
    assert.equal(reply.headers.get('ratelimit-policy'), '"repositories";q=10;w=60')
  }
})

test('RateLimit counts down what remains and gives the seconds until it grows again [P1-limit-6]', async () => {
  const { first, admitted, refused } = await story()
  const remaining = [at(first, 0), ...admitted].map((reply) => rateLimit(reply).remaining)
  assert.deepEqual(remaining, [9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
  for (const reply of refused) assert.equal(rateLimit(reply).remaining, 0)
  for (const reply of [at(first, 0), ...admitted, ...refused]) {
    const { seconds } = rateLimit(reply)
    assert.ok(seconds >= 1 && seconds <= 60, `${seconds} s`)
  }
})

test('a 429 carries Retry-After in whole seconds, at least 1 and at most the window [P1-limit-7]', async () => {
  const { refused, hammered, selectedRefused, otherRefused } = await story()
  for (const reply of [...refused, ...hammered, ...selectedRefused, otherRefused]) {
    const seconds = retryAfter(reply)
    assert.ok(seconds >= 1 && seconds <= 60, `${seconds} s`)
  }
})

test('a request refused for its shape does not count [P1-order-9 P1-limit-3]', async () => {
  const { badRequests, admitted } = await story()
  for (const reply of badRequests) assertError(reply, 400, 'INVALID_REQUEST')
  assert.equal(rateLimit(at(admitted, 0)).remaining, 8)
})

test('a request for an organization that does not exist does not count [P1-order-9 P1-limit-3]', async () => {
  const { missing, selectedAdmitted } = await story()
  for (const reply of missing) assertError(reply, 404, 'ORGANIZATION_NOT_FOUND')
  assert.equal(rateLimit(at(selectedAdmitted, 0)).remaining, 7)
})

test('requests refused by the limit do not count: Retry-After only falls [P1-limit-3]', async () => {
  const { refused, hammered } = await story()
  const seconds = [...refused, ...hammered].map(retryAfter)
  assert.deepEqual(
    seconds,
    [...seconds].sort((left, right) => right - left),
  )
})

test('a request sent exactly Retry-After seconds later is admitted [P1-limit-7]', async () => {
  assert.equal((await story()).afterWaiting.status, 200)
})

test('the limit is checked last: an exhausted window still answers what is wrong with a request [P1-order-9]', async () => {
  const { bad, noKey, legacy, missing } = (await story()).wrongWhileRefused
  assertError(bad, 400, 'INVALID_REQUEST')
  assertError(noKey, 401, 'UNAUTHORIZED')
  assertError(legacy, 410, 'LEGACY_API_KEY')
  assertError(missing, 404, 'ORGANIZATION_NOT_FOUND')
})

test('repositories have a window of their own beside organizations [P1-limit-9]', async () => {
  const { repositories } = (await story()).ownWindows
  assert.equal(repositories.status, 200)
  assert.equal(rateLimit(repositories).remaining, 8)
})

test('a workspace token that selects no organization has the window of the tenant root [P1-limit-5]', async () => {
  const { workspace } = (await story()).ownWindows
  assert.equal(workspace.status, 200)
  assert.equal(rateLimit(workspace).remaining, 8)
})

test('the window belongs to the selected organization, whether a workspace token or its own key asks [P1-limit-4]', async () => {
  const { selectedAdmitted, selectedRefused } = await story()
  assert.deepEqual(
    statuses(selectedAdmitted),
    Array.from({ length: 8 }, () => 200),
  )
  for (const reply of selectedRefused) assertError(reply, 429, 'RATE_LIMIT_EXCEEDED')
})

test('another organization of the workspace is not affected [P1-limit-4]', async () => {
  const { sibling } = await story()
  assert.equal(sibling.status, 200)
  assert.equal(rateLimit(sibling).remaining, 8)
})

test('another tenant is not affected [P1-limit-4]', async () => {
  const { otherLate } = await story()
  assert.deepEqual(statuses(otherLate), [200, 200, 200, 200, 200])
})

test('the window slides: after a wait only as many are admitted as have left the last 60 seconds [P1-limit-1]', async () => {
  const { otherEarly, otherLate, otherRefused, otherAfterWaiting } = await story()
  assert.deepEqual(
    statuses([...otherEarly, ...otherLate]),
    Array.from({ length: 10 }, () => 200),
  )
  assertError(otherRefused, 429, 'RATE_LIMIT_EXCEEDED')
  assert.deepEqual(statuses(otherAfterWaiting), [200, 200, 200, 200, 200, 429])
})

function story(): Promise<Story> {
  told ??= tell()
  return told
}

async function tell() {
  const first = await newWindows()
  const otherEarly = [at(first, 4), ...(await times(4, () => ask('other_tenant', organizationsPath)))]
  const exhausted = { ...(await exhaustOrganizations()), ...(await exhaustRepositories()) }
  const wrongWhileRefused = {
    bad: await ask('organization', `${organizationsPath}?limit=0`),
    noKey: await ask(undefined, organizationsPath),
    legacy: await ask('legacy', organizationsPath),
    missing: await ask('organization', repositoriesPath(randomUUID())),
  }
  const sibling = await ask('workspace', siblingRepositories)
  return {
    first,
    otherEarly,
    ...exhausted,
    wrongWhileRefused,
    sibling,
    ...(await wait(exhausted.acceptedAgain)),
  }
}

async function exhaustOrganizations() {
  const badRequests = await times(5, () => ask('organization', `${organizationsPath}?limit=0`))
  const admitted = await times(9, (index) =>
    ask(index % 2 === 0 ? 'user' : 'organization', organizationsPath),
  )
  const refused = [await ask('organization', organizationsPath)]
  const acceptedAgain = Date.now() + retryAfter(at(refused, 0)) * 1000
  refused.push(await ask('user', organizationsPath), await ask('agentic', organizationsPath))
  const hammered = await times(20, () => ask('organization', organizationsPath))
  const repositories = await ask('organization', homeRepositories)
  const workspace = await ask('workspace', organizationsPath)
  return { badRequests, admitted, refused, acceptedAgain, hammered, ownWindows: { repositories, workspace } }
}

async function exhaustRepositories() {
  const selectors: KeyName[] = ['workspace', 'organization', 'user']
  const missing = await times(12, () => ask('organization', repositoriesPath(randomUUID())))
  const selectedAdmitted = await times(8, (index) => ask(at(selectors, index % 3), homeRepositories))
  const selectedRefused = await times(3, (index) => ask(at(selectors, index), homeRepositories))
  return { missing, selectedAdmitted, selectedRefused }
}

async function wait(acceptedAgain: number) {
  // Long enough that the other tenant's early five have left the window well before its late five do.
  await sleep(8000)
  const otherLate = await times(5, () => ask('other_tenant', organizationsPath))
  const otherRefused = await ask('other_tenant', organizationsPath)
  const otherAgain = Date.now() + (retryAfter(otherRefused) + 3) * 1000
  await sleep(Math.max(0, acceptedAgain - Date.now()))
  const afterWaiting = await ask('organization', organizationsPath)
  await sleep(Math.max(0, otherAgain - Date.now()))
  const otherAfterWaiting = await times(6, () => ask('other_tenant', organizationsPath))
  return { otherLate, otherRefused, afterWaiting, otherAfterWaiting }
}

test('403s that depend on the organization or the repository take no unit of the limit [P1-order-9]', async () => {
  for (const reply of await times(12, () => post(modePath, 'user', { mode: 'manual' }, strict()))) {
    assertError(reply, 403, 'SELF_HOSTED_ONLY')
    assert.equal(reply.headers.get('ratelimit'), null)
  }
  for (const reply of await times(12, () => ask('user', '/v1/learnings?repository_name=none'))) {
    assertErrors(reply, 403, 'REPOSITORY_ACCESS_REQUIRED')
    assert.equal(reply.headers.get('ratelimit'), null)
  }
})

async function newWindows(): Promise<Reply[]> {
  const windows: [KeyName, string][] = [
    ['organization', organizationsPath],
    ['organization', homeRepositories],
    ['workspace', organizationsPath],
    ['workspace', siblingRepositories],
    ['other_tenant', organizationsPath],
  ]
  return times(windows.length, (index) => askInNewWindow(() => ask(...at(windows, index))))
}

function ask(key: KeyName | undefined, path: string): Promise<Reply> {
  const base = strict()
  return call(path, key === undefined ? { base } : { base, key: demo.keys[key] })
}

async function times(count: number, step: (index: number) => Promise<Reply>): Promise<Reply[]> {
  const replies: Reply[] = []
  for (let index = 0; index < count; index += 1) replies.push(await step(index))
  return replies
}

function statuses(replies: Reply[]): number[] {
  return replies.map(({ status }) => status)
}

function rateLimit(reply: Reply): { remaining: number; seconds: number } {
  const header = reply.headers.get('ratelimit') ?? ''
  const [, remaining, seconds] = /^"(?:organizations|repositories)";r=(\d+);t=(\d+)$/.exec(header) ?? []
  assert.ok(remaining !== undefined && seconds !== undefined, `RateLimit "${header}" on ${reply.status}`)
  return { remaining: Number(remaining), seconds: Number(seconds) }
}

function retryAfter(reply: Reply): number {
  const header = reply.headers.get('retry-after') ?? ''
  assert.match(header, /^[1-9]\d*$/, `Retry-After "${header}" on ${reply.status} ${reply.text}`)
  return Number(header)
}
