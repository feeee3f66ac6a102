import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  asLines,
  calendarOf,
  changesPath,
  createEvent,
  type Finding,
  findingOf,
  mergedOn,
  readWhole,
  store,
  windowOf,
} from './metrics-data.ts'
import { call, demo } from './service.ts'

const nextDay = calendarOf(1985)

const details = {
  file: 'src/planted/secret-place.ts',
  start_line: 12,
  end_line: 14,
  commit: '3f9d2c1ab04e5d6f7a8b9c0d1e2f3a4b5c6d7e8f',
  posted_as: 'inline',
  raw_severity: 'planted-severity',
  bot_key: 'planted-key',
  parser: 'planted-parser@1',
  sketch: [1, 2, 3],
}

function outcomeBy(
  pullRequest: ReturnType<typeof mergedOn>,
  {
    source,
    accepted,
    occurredAt,
    ...reason
  }: {
    readonly source: string
    readonly accepted: boolean | null
    readonly occurredAt: string
    readonly rule?: string
    readonly evidence?: unknown
  },
) {
  const { organization, repository, number, findings } = pullRequest
  const finding_id = (findings[0] as Finding).id
  return createEvent('finding.outcome', occurredAt, {
    organization,
    repository,
    number,
    finding_id,
    accepted,
    source,
    ...reason,
  })
}

test('location, time, parser and evidence never appear in review comments or changes [P14-fields-1]', async () => {
  const day = nextDay()
  const url = 'https://github.com/meridian/booking-api/pull/999001'
  const posted_at = `${day}T09:00:00.000Z`
  const pullRequest = mergedOn(day, { findings: [findingOf(url, 1, { ...details, posted_at })] })
  await store({ ...pullRequest, reviewers: ['planted-reviewer'] })
  await store(
    outcomeBy(pullRequest, {
      source: 'detector',
      accepted: true,
      occurredAt: `${day}T13:00:00.000Z`,
      rule: 'planted-rule',
      evidence: [{ kind: 'planted-kind', at: `${day}T11:00:00.000Z` }],
    }),
  )
  const entries = await readWhole(windowOf(day))
  assert.equal(entries[0]?.coderabbit_comments[0]?.accepted, true)
  const changes = await call(`${changesPath}?limit=100000`, { key: demo.keys.workspace, headers: asLines })
  assert.equal(changes.status, 200, changes.text)
  assert.match(changes.text, new RegExp(pullRequest.url))
  for (const text of [JSON.stringify(entries), changes.text])
    assert.doesNotMatch(text, /planted|3f9d2c1a|start_line|sketch|evidence/)
})

test('a person counts before the provider, the provider before a detector, and the latest from one source [P14-sources-1]', async () => {
  const day = nextDay()
  const pullRequest = mergedOn(day)
  await store(pullRequest)
  const report = async (hour: number, source: string, accepted: boolean | null) => {
    await store(outcomeBy(pullRequest, { source, accepted, occurredAt: `${day}T${hour}:00:00.000Z` }))
    return (await readWhole(windowOf(day)))[0]?.coderabbit_comments[0]?.accepted
  }
  assert.equal(await report(13, 'detector', true), true)
  assert.equal(await report(14, 'provider', false), false)
  assert.equal(await report(15, 'detector', true), false, 'the provider counts before a detector')
  assert.equal(await report(14, 'person', true), true)
  assert.equal(await report(16, 'provider', false), true, 'a person counts before the provider')
  assert.equal(await report(17, 'person', false), false, 'of one source the latest counts')
  assert.equal(await report(15, 'person', true), false)
  assert.equal(await report(18, 'person', null), false, 'withdrawn: the provider counts again')
})
