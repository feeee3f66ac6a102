import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService, type TestResponse } from '../../../../test/call.ts'
import { openTenant } from '../../../../test/fixture.ts'
import { plantOrganizationLearnings } from '../../../../test/planted/learnings.ts'
import type { TestOrganization } from '../../../../test/tenant.ts'
import { DAY_MS, HOUR_MS } from '../../../time.ts'
import { addRepository } from '../../organizations/manage.ts'

const { database, superuser, tenant, use } = await openTenant()
/** How far the clock of the service is ahead. */
let aheadMs = 0
const clock = { now: () => new Date(Date.now() + aheadMs) }
const service = use(startService(database, { LIMIT_METRICS: 'off' }, undefined, undefined, undefined, clock))
const home = tenant.workspace.organizations[0]
const key = (await tenant.createKey('user')).value

interface Page {
  readonly data: readonly { readonly learning: string; readonly repository_name: string | null }[]
  readonly next_cursor: string | null
}

function request(query: Record<string, string>, as = key): Promise<TestResponse> {
  return service.call(`/v1/learnings?${new URLSearchParams(query).toString()}`, { key: as })
}

async function read(query: Record<string, string>, as = key): Promise<Page> {
  const { status, body, text } = await request(query, as)
  assert.equal(status, 200, text)
  return body as unknown as Page
}

const textsOf = ({ data }: Page) => data.map(({ learning }) => learning)

function codeOf({ body }: TestResponse): string | undefined {
  return (body as unknown as { errors?: [{ code: string }] }).errors?.[0].code
}

test('an export during writes neither skips nor repeats a Learning', async (t) => {
  const writers = tenant.workspace.organizations.flatMap((organization) => [organization, organization])
  const written = new Set<string>()
  let writing = true
  const write = async (organization: TestOrganization, number: number) => {
    for (let batch = 0; batch < 40; batch++) {
      const texts = Array.from({ length: 1 + (batch % 4) }, (_, n) => `beside ${number} ${batch} ${n}`)
      for (const text of texts) written.add(text)
      await plantOrganizationLearnings(
        tenant.pool,
        organization,
        texts.map((text) => ({ text, file: 'beside' })),
      )
    }
  }
  const { value: whole } = await tenant.createKey('workspace')
  const listed: string[] = []
  let meanwhile = 0
  const follow = async () => {
    let cursor: string | null = null
    for (;;) {
      const wasWriting = writing
      const page: Page = await read({ files: 'beside', limit: '7', ...(cursor && { cursor }) }, whole)
      // The last page has no cursor: the reader requests it again until it is full, and uses only full pages.
      if (page.next_cursor !== null || !wasWriting) listed.push(...textsOf(page))
      if (page.next_cursor !== null && wasWriting) meanwhile += 1
      cursor = page.next_cursor ?? cursor
      if (page.next_cursor === null && !wasWriting) return
    }
  }
  const following = follow()
  await Promise.all(writers.map(write))
  writing = false
  await following
  assert.equal(new Set(listed).size, listed.length, 'twice')
  assert.deepEqual(new Set(listed), written)
  assert.ok(meanwhile >= 5, `only ${meanwhile} pages were read beside the writers`)
  t.diagnostic(
    `${written.size} by ${writers.length} writers, ${meanwhile} pages meanwhile: 0 missed, 0 twice`,
  )
})

test('relative filters use the time of the first page on every page [P7-get-5]', async () => {
  const file = 'on the edge'
  const old = new Date(Date.now() - 7 * DAY_MS + HOUR_MS)
  await plantOrganizationLearnings(tenant.pool, home, [{ text: 'of today', file }])
  await plantOrganizationLearnings(tenant.pool, home, [{ text: 'of a week ago', file }], old)
  await superuser.query(
    `update learning set usage_count = 1, last_used_at = created_at - interval '23 days' where text = 'of a week ago'`,
  )
  await superuser.query(
    `update learning set usage_count = 1, last_used_at = created_at where text = 'of today'`,
  )
  const filters = ['created_this_week', 'active']
  const firsts = await Promise.all(
    filters.map((stat_filter) => read({ files: file, stat_filter, limit: '1' })),
  )
  aheadMs = HOUR_MS
  for (const [index, stat_filter] of filters.entries()) {
    const { next_cursor: cursor } = firsts[index] ?? assert.fail()
    assert.ok(cursor, 'both fit the filter at first')
    assert.deepEqual(textsOf(await read({ files: file, stat_filter, cursor })), ['of a week ago'])
    assert.deepEqual(textsOf(await read({ files: file, stat_filter })), ['of today'])
  }
  aheadMs = 0
})

test('names are current, and null for an unknown repository', async () => {
  const file = 'names'
  const [repository] = home.repositories
  await plantOrganizationLearnings(tenant.pool, home, [
    { text: 'known', file },
    { text: 'unknown', file, repository: 'nowhere' },
  ])
  await superuser.query('update repository set name = $2 where id = $1', [repository?.id, 'renamed'])
  const { data } = await read({ files: file })
  assert.deepEqual(
    data.map(({ learning, repository_name }) => [learning, repository_name]),
    [
      ['known', 'renamed'],
      ['unknown', null],
    ],
  )
  await superuser.query('update repository set name = $2 where id = $1', [repository?.id, repository?.name])
})

/** The texts returned to a user key for repository_name, or the error code. */
async function requestNamed(name: string, as = key): Promise<string[] | string | undefined> {
  const response = await request({ repository_name: name, files: 'named' }, as)
  return response.status === 200 ? textsOf(response.body as unknown as Page) : codeOf(response)
}

test('repository_name requires recently verified access, a membership and an active repository [S-lother-5]', async () => {
  const [repository] = home.repositories
  const { id, name } = repository ?? assert.fail()
  const { value, owner } = await tenant.createKey('user', { role: 'cr_member' })
  await plantOrganizationLearnings(tenant.pool, home, [{ text: 'readable', file: 'named' }])
  const verified = (hours: number) =>
    superuser.query(
      'update repository_access set verified_at = $3 where repository_id = $1 and person_id = $2',
      [id, owner, new Date(Date.now() - hours * 3_600_000)],
    )
  assert.deepEqual(await requestNamed(name, value), ['readable'])
  await verified(168.1)
  assert.equal(await requestNamed(name, value), 'REPOSITORY_ACCESS_REQUIRED')
  await verified(167.9)
  assert.deepEqual(await requestNamed(name, value), ['readable'])
  await superuser.query('update repository set active = false where id = $1', [id])
  assert.equal(await requestNamed(name, value), 'REPOSITORY_ACCESS_REQUIRED')
  await superuser.query('update repository set active = true where id = $1', [id])
  await superuser.query('delete from repository_access where repository_id = $1 and person_id = $2', [
    id,
    owner,
  ])
  assert.equal(await requestNamed(name, value), 'REPOSITORY_ACCESS_REQUIRED')
  assert.deepEqual(await requestNamed(name), ['readable'], 'the access of others stays')
})

test('a repository that the owner cannot read takes no unit of the rate limit', async () => {
  const limited = startService(database)
  for (let attempt = 0; attempt < 12; attempt += 1) {
    const response = await limited.call('/v1/learnings?repository_name=none', { key })
    assert.deepEqual([response.status, codeOf(response)], [403, 'REPOSITORY_ACCESS_REQUIRED'])
    assert.equal(response.headers['ratelimit'], undefined)
  }
  await limited.stop()
})

test('a non-member cannot use repository_name, not even as a workspace admin [S-lother-5]', async () => {
  const [repository] = home.repositories
  const { value, owner } = await tenant.createKey('user', { role: 'cr_admin', demotedOwner: true })
  await superuser.query('update person set workspace_admin = true where id = $1', [owner])
  assert.deepEqual(await requestNamed(repository?.name ?? '', value), ['readable'])
  await superuser.query('delete from membership where person_id = $1 and organization_id = $2', [
    owner,
    home.id,
  ])
  assert.equal((await request({}, value)).status, 200)
  assert.equal(await requestNamed(repository?.name ?? '', value), 'REPOSITORY_ACCESS_REQUIRED')
})

test('if two repositories share a name, only the readable ones are returned', async () => {
  const [repository] = home.repositories
  const { name } = repository ?? assert.fail()
  await tenant.change(home.root, (change) =>
    addRepository(change, home.id, { providerRepositoryId: 'namesake', name }),
  )
  await plantOrganizationLearnings(tenant.pool, home, [
    { text: 'secret', file: 'named', repository: 'namesake' },
  ])
  assert.deepEqual(await requestNamed(name), ['readable'])
  const narrowed = await request({ repository_name: name, repository_ids: 'namesake' })
  assert.deepEqual(textsOf(narrowed.body as unknown as Page), [])
})

test('the maximum age of verified access is a setting of at least one hour', () => {
  assert.throws(
    () => startService(database, { REPOSITORY_ACCESS_MAX_AGE_HOURS: '0' }),
    /REPOSITORY_ACCESS_MAX_AGE_HOURS must be at least 1/,
  )
})

test('a rejected export returns a list of errors and is audited', async () => {
  const { value, id } = await tenant.createKey('user')
  const response = await request({ repository_name: 'no-such-repository' }, value)
  assert.equal(response.status, 403)
  assert.deepEqual(Object.keys(response.body), ['errors'])
  const { rows } = await superuser.query(
    `select metadata->>'code' as code from audit_log where actor_id = $1 and action = 'request_refused'`,
    [id],
  )
  assert.deepEqual(rows, [{ code: 'REPOSITORY_ACCESS_REQUIRED' }])
})
