import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { openTenant } from '../../../test/fixture.ts'
import {
  createDismissalEvent,
  createScanEvent,
  createScannedFinding,
  createScanWorker,
  storedFindings,
  timestampAtMinute,
} from '../../../test/security/scans.ts'
import type { TestOrganization } from '../../../test/tenant.ts'
import type { IngestEvent } from '../../bus/ingest-event.ts'
import type { ProviderOrganizationId } from '../../ids.ts'
import { createOrganization } from '../organizations/manage.ts'
import { addPerson } from '../people/manage.ts'

let made = 0

const { database, superuser, tenant, use } = await openTenant({ organizations: 1, repositories: 1 })
const worker = use(createScanWorker(database))

async function newOrganization(): Promise<TestOrganization> {
  const { root } = tenant.workspace
  const name = `scanned-${++made}`
  const orgId = String(9000 + made) as ProviderOrganizationId
  const fields = { name, providerOrganizationId: orgId, subscription: null }
  const id = await tenant.change(root, (change) => createOrganization(change, fields))
  return { id, orgId, name, root, instance: null, repositories: [{ id: '', repositoryId: '77', name: 'r' }] }
}

const other = (fields: object = {}) =>
  createScannedFinding({
    rule_id: 'path-traversal',
    start_line: 40,
    end_line: 41,
    snippet: '  const path = join(root, request.query.name)',
    ...fields,
  })

const apply = async (organization: TestOrganization, ...events: IngestEvent[]) =>
  assert.deepEqual(await worker.apply(organization, events), [])
const rowsOf = (organization: TestOrganization) => storedFindings(superuser, organization)
const statesOf = async (organization: TestOrganization) =>
  (await rowsOf(organization)).map(({ state }) => state)

test('findings are stored with location, names and times', async () => {
  const organization = await newOrganization()
  const repository = { id: '77', name: 'booking-api' }
  await apply(
    organization,
    createScanEvent(organization, 5, [createScannedFinding(), other({ severity: 'low' })], { repository }),
  )
  const rows = await superuser.query(
    'select * from security_finding where organization_id = $1 order by start_line',
    [organization.id],
  )
  const [row] = rows.rows as Record<string, unknown>[]
  const expected = {
    organization_name: organization.name,
    provider_organization_id: organization.orgId,
    repository_id: '77',
    repository_name: 'booking-api',
    provider: 'github',
    host: 'github.com',
    scan_id: 'scan-5',
    severity: 'high',
    state: 'open',
    cwe: 'CWE-89',
    file_path: 'src/orders.ts',
    start_line: 12,
    tool: 'Warden',
    rule_id: 'sql-injection',
    first_seen_at: new Date(timestampAtMinute(5)),
    last_seen_at: new Date(timestampAtMinute(5)),
  }
  for (const [name, value] of Object.entries(expected)) assert.deepEqual(row?.[name], value, name)
  assert.equal(rows.rows.length, 2)
})

test('a finding missing in a complete scan is fixed and reopens with the same id when found again', async () => {
  const organization = await newOrganization()
  await apply(organization, createScanEvent(organization, 1, [createScannedFinding(), other()]))
  const earlier = await rowsOf(organization)
  await apply(organization, createScanEvent(organization, 2, [other()]))
  assert.deepEqual(await statesOf(organization), ['fixed', 'open'])
  await apply(
    organization,
    createScanEvent(organization, 3, [createScannedFinding({ start_line: 30, end_line: 30 }), other()]),
  )
  const now = await rowsOf(organization)
  assert.deepEqual(
    now.map(({ id, state, first_seen_at }) => [id, state, first_seen_at]),
    earlier.map(({ id, first_seen_at }) => [id, 'open', first_seen_at]),
  )
  assert.deepEqual(now[0]?.last_seen_at, new Date(timestampAtMinute(3)))
})

test('a partial scan, or a scan of another tool, branch or category, fixes nothing', async () => {
  const organization = await newOrganization()
  await apply(
    organization,
    createScanEvent(organization, 1, [createScannedFinding()], { branch: 'main', category: 'java' }),
  )
  const others = [
    { complete: false, branch: 'main', category: 'java' },
    { branch: 'main' },
    { category: 'java' },
  ]
  for (const [index, fields] of others.entries()) {
    await apply(organization, createScanEvent(organization, 2 + index, [], fields))
  }
  await apply(
    organization,
    createScanEvent(organization, 9, [], { tool: 'Other', branch: 'main', category: 'java' }),
  )
  assert.deepEqual(await statesOf(organization), ['open'])
  await apply(organization, createScanEvent(organization, 10, [], { branch: 'main', category: 'java' }))
  assert.deepEqual(await statesOf(organization), ['fixed'])
})

test('a finding on two branches is open until it is missing on both', async () => {
  const organization = await newOrganization()
  await apply(organization, createScanEvent(organization, 1, [createScannedFinding()], { branch: 'main' }))
  await apply(
    organization,
    createScanEvent(organization, 2, [createScannedFinding({ start_line: 14, end_line: 14 })], {
      branch: 'next',
    }),
  )
  await apply(organization, createScanEvent(organization, 3, [], { branch: 'next' }))
  assert.deepEqual(await statesOf(organization), ['open'])
  await apply(organization, createScanEvent(organization, 4, [], { branch: 'main' }))
  assert.deepEqual(await statesOf(organization), ['fixed'])
})

test('the result depends on scan times, not on order or repetition of arrival [P10-9]', async () => {
  const events = (organization: TestOrganization) => [
    createScanEvent(organization, 1, [createScannedFinding(), other()]),
    createScanEvent(organization, 2, [createScannedFinding({ start_line: 90, end_line: 90 })]),
    createScanEvent(
      organization,
      3,
      [createScannedFinding({ file_path: 'src/moved.ts' }), other({ severity: 'critical' })],
      {
        complete: false,
      },
    ),
    createScanEvent(organization, 4, [other({ title: 'A new title' })]),
  ]
  const results = new Set<string>()
  for (const order of permutations([0, 1, 2, 3])) {
    const organization = await newOrganization()
    const all = events(organization)
    for (const index of [...order, order[0] ?? 0]) await apply(organization, all[index] as IngestEvent)
    const rows = await rowsOf(organization)
    results.add(
      JSON.stringify(
        rows.map(
          ({ state, severity, title, file_path, start_line, scan_id, first_seen_at, last_seen_at }) => [
            state,
            severity,
            title,
            file_path,
            start_line,
            scan_id,
            first_seen_at,
            last_seen_at,
          ],
        ),
      ),
    )
  }
  assert.equal(results.size, 1, [...results].join('\n'))
  const [result = ''] = results
  assert.deepEqual(JSON.parse(result), [
    [
      'fixed',
      'high',
      createScannedFinding().title,
      'src/moved.ts',
      12,
      'scan-3',
      timestampAtMinute(1),
      timestampAtMinute(3),
    ],
    [
      'open',
      'high',
      'A new title',
      'src/orders.ts',
      40,
      'scan-4',
      timestampAtMinute(1),
      timestampAtMinute(4),
    ],
  ])
})

function permutations(items: readonly number[]): number[][] {
  if (items.length <= 1) return [[...items]]
  return items.flatMap((item) =>
    permutations(items.filter((one) => one !== item)).map((rest) => [item, ...rest]),
  )
}

test('a scan sent again changes nothing, not even a position', async () => {
  const organization = await newOrganization()
  const scan = createScanEvent(organization, 1, [createScannedFinding(), other()])
  await apply(organization, scan)
  const earlier = await rowsOf(organization)
  await apply(organization, scan, { ...scan, id: 'another event of the same scan' })
  assert.deepEqual(await rowsOf(organization), earlier)
})

test('a changed finding moves to the end; an unchanged one keeps its position', async () => {
  const organization = await newOrganization()
  await apply(organization, createScanEvent(organization, 1, [createScannedFinding(), other()]))
  const [first, second] = await rowsOf(organization)
  assert.ok(first && second && first.position < second.position)
  await apply(organization, createScanEvent(organization, 2, [createScannedFinding(), other()]))
  assert.deepEqual(
    (await rowsOf(organization)).map(({ position, scan_id }) => [position, scan_id]),
    [
      [first.position, 'scan-2'],
      [second.position, 'scan-2'],
    ],
  )
  await apply(
    organization,
    createScanEvent(organization, 3, [createScannedFinding({ severity: 'critical' }), other()]),
  )
  const [moved, stayed] = await rowsOf(organization)
  assert.equal(stayed?.position, second.position)
  assert.ok(moved && moved.position > second.position)
})

test('credentials in texts, paths and code are not stored', async () => {
  const organization = await newOrganization()
  const secret = `ghp_${'a1B2c3D4e5'.repeat(3)}f6G7h8`
  const scan = createScanEvent(organization, 1, [
    createScannedFinding({
      title: `Token ${secret}`,
      description: `It is ${secret}.`,
      file_path: `src/${secret}.ts`,
      snippet: `x = '${secret}'`,
      fingerprint: secret,
    }),
  ])
  assert.ok(!JSON.stringify(scan).includes(secret))
  await apply(organization, scan)
  const [row] = await rowsOf(organization)
  assert.match(row?.title ?? '', /REDACTED/)
  assert.ok(!JSON.stringify(row).includes(secret))
})

test('a finding stays dismissed until it is reopened, and the audit log records both', async () => {
  const organization = await newOrganization()
  await apply(organization, createScanEvent(organization, 1, [createScannedFinding()]))
  const [{ id } = { id: '' }] = await rowsOf(organization)
  await apply(
    organization,
    createDismissalEvent(organization, 2, id, { reason: 'wont_fix', by: { id: '7', username: 'ada' } }),
  )
  await apply(
    organization,
    createScanEvent(organization, 3, [createScannedFinding()]),
    createScanEvent(organization, 4, []),
  )
  assert.deepEqual(
    (await rowsOf(organization)).map(({ state, dismissal_reason }) => [state, dismissal_reason]),
    [['dismissed', 'wont_fix']],
  )
  await apply(organization, createDismissalEvent(organization, 5, id, { dismissed: false }))
  assert.deepEqual(await statesOf(organization), ['fixed'])
  const { rows } = await superuser.query(
    `select action, resource_id, metadata from audit_log where organization_id = $1 and resource_type = 'security_finding'
     order by position`,
    [organization.id],
  )
  assert.deepEqual(rows, [
    {
      action: 'security_finding_dismissed',
      resource_id: id,
      metadata: {
        repository_id: '77',
        reason: 'wont_fix',
        claimed: ['dismissed_by'],
        before: { state: 'open' },
        after: { state: 'dismissed' },
      },
    },
    {
      action: 'security_finding_reopened',
      resource_id: id,
      metadata: { repository_id: '77', before: { state: 'dismissed' }, after: { state: 'fixed' } },
    },
  ])
})

test('the author of a dismissal is a claim of the credential; its name is erased with the person', async () => {
  const organization = await newOrganization()
  await apply(organization, createScanEvent(organization, 1, [createScannedFinding()]))
  const [{ id } = { id: '' }] = await rowsOf(organization)
  const account = randomUUID()
  const accounts = [{ provider: 'github', host: 'github.com', accountId: account, username: 'grace' }]
  const person = await tenant.change(organization.root, (change) =>
    addPerson(change, { email: `${account}@example.com`, name: 'Grace', accounts, memberships: [] }),
  )
  const by = { id: account, username: 'somebody-else' }
  await apply(organization, createDismissalEvent(organization, 2, id, { by }))
  const { rows } = await superuser.query<{ actor_kind: string; actor_id: string; person_id: string }>(
    `select l.actor_kind, l.actor_id, l.metadata->'claimed' as claimed, c.person_id,
       c.clear->'dismissed_by'->>'value' as name
     from audit_log l join audit_clear c using (root_id, position)
     where l.organization_id = $1 and action = 'security_finding_dismissed'`,
    [organization.id],
  )
  const actor = { actor_kind: 'key', actor_id: worker.credential }
  assert.deepEqual(rows, [{ ...actor, claimed: ['dismissed_by'], person_id: person, name: 'somebody-else' }])
})

test('a scan that changes states writes one audit row with counts, an empty complete one too', async () => {
  const organization = await newOrganization()
  const one = createScannedFinding()
  await apply(organization, createScanEvent(organization, 1, [one, other()]))
  await apply(organization, createScanEvent(organization, 2, [one, other()]))
  await apply(organization, createScanEvent(organization, 3, []))
  await apply(organization, createScanEvent(organization, 4, [one]))
  await apply(organization, createScanEvent(organization, 4, [one]))
  await apply(organization, createScanEvent(organization, 5, [], { tool: 'Other' }))
  const { rows } = await superuser.query<Record<string, unknown>>(
    `select resource_id as scan, actor_id, metadata - '{repository_id,complete}'::text[] as counts from audit_log
     where organization_id = $1 and action = 'security_scan_applied' order by position`,
    [organization.id],
  )
  const none = { created: 0, opened: 0, fixed: 0, dismissed: 0 }
  const rowOf = (scan: string, counts: object, tool = 'Warden') => {
    return { scan, actor_id: worker.credential, counts: { tool, ...none, ...counts } }
  }
  assert.deepEqual(rows, [
    rowOf('scan-1', { findings: 2, created: 2 }),
    rowOf('scan-3', { findings: 0, fixed: 2 }),
    rowOf('scan-4', { findings: 1, opened: 1 }),
    rowOf('scan-5', { findings: 0 }, 'Other'),
  ])
})

test('the later of two dismissals wins in any order of arrival; a repetition changes nothing', async () => {
  const organization = await newOrganization()
  await apply(organization, createScanEvent(organization, 1, [createScannedFinding()]))
  const [{ id } = { id: '' }] = await rowsOf(organization)
  const back = createDismissalEvent(organization, 9, id, { dismissed: false })
  await apply(organization, back)
  await apply(organization, createDismissalEvent(organization, 8, id))
  assert.deepEqual(await statesOf(organization), ['open'])
  const last = createDismissalEvent(organization, 10, id)
  await apply(organization, last)
  const earlier = await rowsOf(organization)
  await apply(organization, last, back)
  assert.deepEqual(await rowsOf(organization), earlier)
  assert.equal(earlier[0]?.state, 'dismissed')
})

test('a finding is dismissed while the code suppresses it', async () => {
  const organization = await newOrganization()
  await apply(
    organization,
    createScanEvent(organization, 1, [createScannedFinding({ suppressed: { reason: 'used_in_tests' } })]),
  )
  assert.deepEqual(
    (await rowsOf(organization)).map(({ state, dismissal_reason }) => [state, dismissal_reason]),
    [['dismissed', 'used_in_tests']],
  )
  await apply(organization, createScanEvent(organization, 2, [createScannedFinding()]))
  assert.deepEqual(await statesOf(organization), ['open'])
})

test('dismissals of unknown findings, other organizations and unauthorized credentials are deferred', async () => {
  const [organization, stranger] = [await newOrganization(), await newOrganization()]
  await apply(organization, createScanEvent(organization, 1, [createScannedFinding()]))
  const [{ id } = { id: '' }] = await rowsOf(organization)
  assert.equal((await worker.apply(stranger, [createDismissalEvent(stranger, 2, id)])).length, 1)
  assert.equal(
    (await worker.apply(organization, [createDismissalEvent(organization, 2, stranger.id)])).length,
    1,
  )
  assert.equal(
    (await worker.apply(organization, [createDismissalEvent(organization, 2, id)], [stranger.id])).length,
    1,
  )
  assert.deepEqual(await statesOf(organization), ['open'])
})

test('equal findings in two organizations, or twice in one scan, are separate', async () => {
  const [one, two] = [await newOrganization(), await newOrganization()]
  const twice = [createScannedFinding(), createScannedFinding({ start_line: 50, end_line: 50 })]
  await apply(one, createScanEvent(one, 1, twice), createScanEvent(one, 2, twice))
  await apply(two, createScanEvent(two, 1, twice))
  const ids = [...(await rowsOf(one)), ...(await rowsOf(two))].map(({ id }) => id)
  assert.equal(ids.length, 4)
  assert.equal(new Set(ids).size, 4)
})

test('scans that nothing depends on are deleted after 90 days, and nothing else changes', async () => {
  const organization = await newOrganization()
  const scansOf = async () => {
    const { rows } = await superuser.query<{ scan_id: string }>(
      'select scan_id from security_scan where organization_id = $1 order by at',
      [organization.id],
    )
    return rows.map(({ scan_id }) => scan_id)
  }
  await apply(
    organization,
    createScanEvent(organization, 0, [], { branch: 'idle' }),
    createScanEvent(organization, 1, [createScannedFinding()]),
    createScanEvent(organization, 2, [createScannedFinding(), other()]),
    createScanEvent(organization, 3, [other()], { complete: false }),
    createScanEvent(organization, 4, [createScannedFinding()], { branch: 'next' }),
    createScanEvent(organization, 5, [createScannedFinding()]),
    createScanEvent(organization, 6, []),
  )
  const earlier = await rowsOf(organization)
  await superuser.query(
    `update security_scan set received_at = now() - case scan_id when 'scan-2' then interval '89 days' else interval '91 days' end
     where organization_id = $1`,
    [organization.id],
  )
  await apply(organization, createScanEvent(organization, 7, [], { tool: 'Other' }))
  assert.equal((await scansOf()).length, 8, 'those of another tool stay')
  await apply(organization, createScanEvent(organization, 8, []))
  // 2 is too recent, 3 and 5 were the last to see a finding, 4 is the last of its branch.
  assert.deepEqual(await scansOf(), ['scan-2', 'scan-3', 'scan-4', 'scan-5', 'scan-7', 'scan-8'])
  await apply(organization, createScanEvent(organization, 1, [createScannedFinding()]))
  assert.deepEqual(await rowsOf(organization), earlier)
})
