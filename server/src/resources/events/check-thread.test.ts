import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEvent } from '../../../test/ingest.ts'
import { eventKinds } from '../../consumers.ts'
import { Refusal } from '../../errors.ts'
import type { BodyText } from '../../http/body.ts'
import type { RootId } from '../../ids.ts'
import { createBatchChecker } from './accept.ts'
import { createThreadChecker } from './check-thread.ts'

const at = new Date('2026-11-01T12:00:00Z')
const retentionMonths = 12
const checkHere = createBatchChecker(eventKinds, retentionMonths)
const checkInThread = createThreadChecker(new URL('../../check-events.ts', import.meta.url), retentionMonths)
const root = 'root' as RootId
const toBody = (value: unknown): BodyText => ({ type: 'application/json', text: JSON.stringify(value) })

const finalized = {
  id: 'event-1',
  type: 'pull_request.finalized',
  version: 1,
  occurred_at: '2026-11-01T11:00:00Z',
  payload: {
    provider: 'github',
    organization: { id: '1', name: 'acme' },
    repository: { id: '2', name: 'acme/api' },
    number: 1,
    url: 'https://example.com/acme/api/pull/1',
    state: 'merged',
    merged_at: '2026-11-01T10:00:00Z',
    author: { id: '3', login: 'mona' },
    findings: [],
  },
}

const old = {
  ...finalized,
  id: 'event-4',
  payload: {
    ...finalized.payload,
    organization: { provider: 'github', id: '1' },
    status: 'merged',
    merged_at: '2025-10-31T23:59:59Z',
  },
}

test('a thread accepts, rejects and warns like the main thread', async () => {
  const body = toBody([
    finalized,
    'not an event',
    createEvent({ id: 'event-2' }),
    { ...finalized, id: 'event-3' },
    old,
  ])
  const expected = await checkHere(body, at)
  assert.ok(expected.rejected.length > 0)
  assert.deepEqual(
    expected.warnings.map(({ path }) => path),
    ['payload.merged_at'],
  )
  assert.deepEqual(await checkInThread(root, body, at), expected)
})

test('a thread refuses a body like the main thread, and checks the next one', async () => {
  for (const text of ['{', '{}', '[]', JSON.stringify(Array.from({ length: 501 }, () => finalized))]) {
    const body = { type: 'application/json', text }
    const refusals = await Promise.all(
      [checkHere(body, at), checkInThread(root, body, at)].map((checked) =>
        checked.catch((error: unknown) => error),
      ),
    )
    const [here, thread] = refusals as [Refusal, Refusal]
    assert.ok(thread instanceof Refusal)
    assert.deepEqual([thread.code, thread.message], [here.code, here.message])
  }
  assert.equal(
    (await checkInThread(root, toBody([finalized]), at)).rejected.length,
    (await checkHere(toBody([finalized]), at)).rejected.length,
  )
})

test('batches of several tenant roots are all checked', async () => {
  const bodies = Array.from({ length: 6 }, (_, index) => toBody([{ ...finalized, id: `many-${index}` }]))
  const results = await Promise.all(
    bodies.map((body, index) => checkInThread(`root-${index % 2}` as RootId, body, at)),
  )
  assert.deepEqual(results, await Promise.all(bodies.map((body) => checkHere(body, at))))
})
