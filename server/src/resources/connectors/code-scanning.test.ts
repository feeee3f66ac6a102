import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAlert } from '../../../test/connectors/alert.ts'
import { compileShape } from '../../shape.ts'
import { findScanFault, ScanPayload } from '../security-scans/payload.ts'
import { type AlertScan, toAlertSeries, toScan } from './code-scanning.ts'
import type { CodeScanningAlert } from './git-providers/provider-client.ts'

const repository = { organization: { provider: 'github', id: '1' }, id: '620118401', name: 'booking-api' }
const AT = '2026-10-05T10:00:00.000Z'
/** Limit per event. */
const MAX_EVENT_BYTES = 512 * 1024
const LATER = '2026-10-06T10:00:00.000Z'

const alert = createAlert(43, {
  path: 'src/orders/search.ts',
  createdAt: AT,
  updatedAt: AT,
})

const isScan = compileShape(ScanPayload)

/** Every scan must be accepted as an event. */
function scan(alerts: readonly CodeScanningAlert[], at = AT): AlertScan[] {
  const scans = toAlertSeries(alerts).map((series) => toScan(repository, series, at))
  for (const payload of scans) {
    assert.ok(isScan(payload), JSON.stringify(payload).slice(0, 500))
    assert.equal(findScanFault(structuredClone(payload) as Parameters<typeof findScanFault>[0]), null)
    assert.ok(Buffer.byteLength(JSON.stringify(payload)) < MAX_EVENT_BYTES)
  }
  return scans
}

test('open alerts are the findings of a complete scan of their tool and branch', () => {
  const [only, ...others] = scan([alert])
  assert.deepEqual(others, [])
  assert.deepEqual(only, {
    organization: { provider: 'github', id: '1' },
    repository: { id: '620118401', name: 'booking-api' },
    scan_id: only?.scan_id,
    tool: 'CodeQL',
    category: 'code-scanning',
    branch: 'main',
    commit: 'd'.repeat(40),
    complete: true,
    scanned_at: AT,
    findings: [
      {
        rule_id: 'js/sql-injection',
        severity: 'high',
        cwe: 'CWE-89',
        title: 'Database query built from user-controlled sources',
        file_path: 'src/orders/search.ts',
        start_line: 12,
        end_line: 14,
        fingerprint: 'alert-43',
        suppressed: null,
      },
    ],
  })
})

test('a dismissed alert is suppressed with its reason, and a fixed one is missing', () => {
  const dismissed: CodeScanningAlert = { ...alert, state: 'dismissed', dismissedReason: 'false_positive' }
  assert.deepEqual(scan([dismissed])[0]?.findings[0]?.suppressed, { reason: 'false_positive' })
  assert.deepEqual(scan([{ ...dismissed, dismissedReason: null }])[0]?.findings[0]?.suppressed, {
    reason: 'other',
  })
  const [fixed] = scan([{ ...alert, state: 'fixed', fixedAt: LATER }])
  assert.equal(fixed?.complete, true)
  assert.deepEqual(fixed?.findings, [])
  assert.deepEqual(scan([]), [])
})

test('tools and branches are scans of their own; alerts of pull requests are left out', () => {
  const scans = scan([
    alert,
    { ...alert, number: 44, tool: 'zizmor' },
    { ...alert, number: 45, ref: 'refs/heads/release/2' },
    { ...alert, number: 46, ref: 'refs/pull/7/merge' },
    { ...alert, number: 47, ref: null },
  ])
  assert.deepEqual(
    scans.map(({ tool, branch, findings }) => [tool, branch, findings.length]),
    [
      ['CodeQL', 'main', 1],
      ['zizmor', 'main', 1],
      ['CodeQL', 'release/2', 1],
      ['CodeQL', null, 1],
    ],
  )
})

test('the digest is that of the state in any order; ids of scans differ by time and series', () => {
  const other = { ...alert, number: 44 }
  const digestOf = (alerts: readonly CodeScanningAlert[]) => toAlertSeries(alerts)[0]?.digest
  assert.equal(digestOf([alert, other]), digestOf([other, alert]))
  assert.equal(digestOf([alert]), digestOf([{ ...alert, updatedAt: LATER }]))
  assert.notEqual(digestOf([alert, other]), digestOf([alert]))
  assert.notEqual(scan([alert])[0]?.scan_id, scan([alert], LATER)[0]?.scan_id)
  const fixed = { ...alert, state: 'fixed' } as const
  const ids = scan([fixed, { ...fixed, ref: 'refs/heads/next' }]).map(({ scan_id }) => scan_id)
  assert.equal(new Set(ids).size, 2)
})

test('every hundred numbers are a complete scan of their own, which an event can hold', () => {
  const path = '\u{4E00}'.repeat(2000)
  const many = Array.from({ length: 250 }, (_, index) => ({ ...alert, path, title: path, number: index + 1 }))
  assert.deepEqual(
    scan(many).map(({ category, complete, findings }) => [category, complete, findings.length]),
    [
      ['code-scanning', true, 100],
      ['code-scanning-2', true, 100],
      ['code-scanning-3', true, 50],
    ],
  )
})

test('what a scanner leaves out or writes badly is still an event', () => {
  const odd: CodeScanningAlert = {
    ...alert,
    ruleId: '',
    title: ' \n\u0000',
    severity: null,
    cwe: null,
    path: `${'a/'.repeat(1000)}b.ts`,
    startLine: 9,
    endLine: 3,
    commit: null,
  }
  const [finding] = scan([odd])[0]?.findings ?? []
  assert.equal(finding?.title, 'unknown')
  assert.equal(finding?.severity, 'medium')
  assert.equal(finding?.end_line, 9)
  assert.equal(finding?.file_path?.length, 1024)
  assert.deepEqual(
    scan([{ ...alert, path: null, startLine: null, endLine: 4 }])[0]?.findings[0]?.end_line,
    null,
  )
})
