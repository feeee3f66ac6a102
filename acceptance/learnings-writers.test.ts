import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { assertErrors, type Reply } from '../cli/src/conformance/http.ts'
import { firstRepository, learningsPath, ownText } from './learnings-data.ts'
import { decide, outcomes, patch, post, postBatch, remove, sendJson } from './learnings-writes.ts'
import { at, boundOrganization, home, type KeyName, organizationsOf } from './service.ts'
import { askInNewWindow, strict } from './windows.ts'

const { repository_id } = firstRepository
const item = () => ({ repository_id, learning: ownText() })
type Sending = { key: KeyName; org_id?: string; base?: string }

/** The four writes, each of which needs no Learning to be there to be let in. */
const writes: ((sending: Sending) => Promise<Reply>)[] = [
  (sending) => post([item()], sending),
  (sending) => patch(randomUUID(), ownText(), sending),
  (sending) => remove(randomUUID(), sending),
  (sending) => decide(randomUUID(), 'approve', sending),
]

test('organization, user and workspace keys write Learnings of the home organization [S-what-12 S-lpost-5 S-auth-23 P2-kinds-5]', async () => {
  for (const sending of [
    { key: 'organization' },
    { key: 'user' },
    { key: 'workspace', org_id: home.org_id },
    { key: 'workspace', org_id: `github:${home.org_id}` },
  ] as const) {
    const batch = await postBatch([item()], sending)
    assert.deepEqual(outcomes(batch), ['created'])
    const id = batch.results[0]?.id ?? ''
    assert.equal((await patch(id, ownText(), sending)).status, 200)
    assert.equal((await remove(id, sending)).status, 204)
  }
})

test('instance and agentic keys are 403 on every write, a legacy key is 410 [S-auth-11 P2-kinds-5]', async () => {
  for (const write of writes) {
    assertErrors(await write({ key: 'instance' }), 403, 'KEY_KIND_NOT_ALLOWED')
    assertErrors(await write({ key: 'agentic' }), 403, 'KEY_KIND_NOT_ALLOWED')
    assertErrors(await write({ key: 'legacy' }), 410, 'LEGACY_API_KEY')
  }
})

test('a key that is not valid is 401 with the array errors on every write [S-err-10 P1-errors-2]', async () => {
  for (const write of writes) {
    for (const key of ['expired', 'revoked', 'ingest'] as const)
      assertErrors(await write({ key }), 401, 'UNAUTHORIZED', key)
  }
})

test('a workspace token must name one organization of its workspace on every write [S-lpost-5 S-lpatch-5 S-lother-7 S-auth-20 S-auth-21 S-auth-22 P1-code-3 P2-kinds-5]', async () => {
  const foreign = await boundOrganization('other_tenant')
  for (const write of writes) {
    assertErrors(await write({ key: 'workspace' }), 400, 'ORG_ID_REQUIRED')
    for (const org_id of ['0', foreign.provider_organization_id, foreign.id])
      assertErrors(await write({ key: 'workspace', org_id }), 404, 'ORGANIZATION_NOT_FOUND', org_id)
    assertErrors(await write({ key: 'workspace_demoted_owner', org_id: home.org_id }), 403, 'OWNER_NOT_ADMIN')
  }
})

test('org_id is ignored for organization and user keys [S-auth-3]', async () => {
  const { org_id } = at(organizationsOf('workspace'), 1)
  for (const key of ['organization', 'user'] as const)
    assert.deepEqual(outcomes(await postBatch([item()], { key, org_id })), ['created'])
})

test('the Enterprise plan is required for every write: a lower one is 403 ENTERPRISE_REQUIRED [S-what-3 S-lpost-2 S-lpatch-2]', async () => {
  for (const write of writes) assertErrors(await write({ key: 'lower_plan' }), 403, 'ENTERPRISE_REQUIRED')
})

test('the four writes share a window of 10 in 60 seconds per organization; a repeat is answered when it is full [S-limit-5 P1-order-8 P1-limit-11]', async () => {
  const base = strict()
  const sending = { key: 'other_tenant', base } as const
  const [id, learning] = [randomUUID(), ownText()]
  const repeated = () => patch(id, learning, { ...sending, idempotencyKey: id })
  const admitted = [await askInNewWindow(() => at(writes, 0)(sending)), await repeated()]
  for (let place = 2; place < 10; place += 1) admitted.push(await at(writes, place % 4)(sending))
  for (const [place, reply] of admitted.entries()) {
    assert.ok([200, 204, 404].includes(reply.status), `${reply.status} ${reply.text}`)
    assert.equal(reply.headers.get('ratelimit-policy'), '"learnings-writes";q=10;w=60')
    assert.match(reply.headers.get('ratelimit') ?? '', new RegExp(`^"learnings-writes";r=${9 - place};t=`))
  }
  for (const write of writes) {
    const reply = await write(sending)
    assertErrors(reply, 429, 'RATE_LIMIT_EXCEEDED')
    assert.match(reply.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  }
  const again = await repeated()
  assert.deepEqual([again.status, again.headers.get('idempotency-replayed')], [404, 'true'])
  assert.equal((await at(writes, 0)({ key: 'user', base })).status, 200)
})

test('dry runs have a window of their own, 60 in 60 seconds per organization, and leave the writes theirs [P11-dry-run-2]', async () => {
  const base = strict()
  const { org_id, repositories } = at(organizationsOf('workspace'), 1)
  const data = [{ repository_id: at(repositories, 0).repository_id, learning: ownText() }]
  const sending = { key: 'workspace', org_id, base } as const
  const rehearse = () => sendJson('POST', learningsPath, { data, dry_run: true }, sending)
  const remaining: number[] = []
  for (let round = 0; round < 6; round += 1) {
    for (const reply of await Promise.all(Array.from({ length: 10 }, rehearse))) {
      assert.equal(reply.status, 200, reply.text)
      assert.equal(reply.headers.get('ratelimit-policy'), '"learnings-dry-runs";q=60;w=60')
      remaining.push(Number(/r=(\d+)/.exec(reply.headers.get('ratelimit') ?? '')?.[1]))
    }
  }
  assert.deepEqual(
    remaining.toSorted((a, b) => a - b),
    [...Array(60).keys()],
  )
  const refused = await rehearse()
  assertErrors(refused, 429, 'RATE_LIMIT_EXCEEDED')
  assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  const written = await post(data, sending)
  assert.equal(written.status, 200, written.text)
  assert.match(written.headers.get('ratelimit') ?? '', /^"learnings-writes";r=9;/)
})
