import assert from 'node:assert/strict'
import { test } from 'node:test'
import { demo, openDashboard } from './open.ts'
import { measureFilters, measureLargestPaint } from './times.ts'

// The times are printed, not judged: this machine may be busy. docs/results.md has those of a quiet one.

test('prints the largest paint of Overview on a throttled processor', async (t) => {
  const visit = await openDashboard({ screen: 'overview' })
  const { median, samples } = await measureLargestPaint(visit.page, 4)
  assert.ok(samples.every((ms) => ms > 0))
  t.diagnostic(
    `largest contentful paint with 4 × CPU throttle, demo year: ${Math.round(median)} ms (goal 1,500)`,
  )
  await visit.close()
})

test('prints the time from a filter to new data', async (t) => {
  assert.ok(demo.organizations.length > 0)
  const visit = await openDashboard({ screen: 'overview' })
  const { median, p95 } = await measureFilters(visit.page)
  t.diagnostic(
    `filter to new data, demo year: median ${Math.round(median)} ms, p95 ${Math.round(p95)} ms (goal 400)`,
  )
  await visit.close()
})
