import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileShape } from '../../shape.ts'
import { findScanFault, ScanPayload } from '../security-scans/payload.ts'
import { type AlertScan, toScans } from './code-scanning.ts'
import type { CodeScanningAlert } from './forge/forge-client.ts'

const repository = { organization: { provider: 'github', id: '1' }, id: '620118401', name: 'booking-api' }
const AT = '2026-10-05T10:00:00.000Z'
const LATER = '2026-10-06T10:00:00.000Z'

const alert: CodeScanningAlert = {
  number: 43,
  url: 'https://github.example/acme/app/security/code-scanning/43',
  state: 'open',
  tool: 'CodeQL',
  ruleId: 'js/sql-injection',
  title: 'Database query built from user-controlled sources',
  severity: 'high',
  cwe: 'CWE-89',
  path: 'src/orders/search.ts',
  startLine: 12,
  endLine: 14,
  commit: 'd'.repeat(40),
  ref: 'refs/heads/main',
  createdAt: AT,
  updatedAt: AT,
  fixedAt: null,
  dismissedAt: null,
  dismissedBy: null,
  dismissedReason: null,
}

const isScan = compileShape(ScanPayload)

/** Every scan must be accepted as an event. */
function scan(alerts: readonly CodeScanningAlert[], isComplete = true): AlertScan[] {
  const scans = toScans(repository, alerts, { isComplete })
  for (const payload of scans) {
    assert.ok(isScan(payload), JSON.stringify(payload).slice(0, 500))
    assert.equal(findScanFault(structuredClone(payload) as Parameters<typeof findScanFault>[0]), null)
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
})

test('alerts that changed since a time are a partial scan, which says nothing about fixed ones', () => {
  assert.equal(scan([alert], false)[0]?.complete, false)
  assert.deepEqual(scan([{ ...alert, state: 'fixed' }], false), [])
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

test('the id of a scan is that of its state: the order of alerts does not matter, a state that returns is new', () => {
  const other = { ...alert, number: 44 }
  const idOf = (alerts: readonly CodeScanningAlert[]) => scan(alerts)[0]?.scan_id
  assert.equal(idOf([alert, other]), idOf([other, alert]))
  assert.notEqual(idOf([alert, other]), idOf([alert]))
  assert.notEqual(idOf([alert]), idOf([{ ...alert, updatedAt: LATER }]))
})

test('more alerts than an event can have are sent in parts that are not complete', () => {
  const many = Array.from({ length: 2001 }, (_, index) => ({ ...alert, number: index + 1 }))
  const scans = scan(many)
  assert.deepEqual(
    scans.map(({ findings }) => findings.length),
    [1000, 1000, 1],
  )
  assert.ok(scans.every(({ complete }) => !complete))
  assert.equal(new Set(scans.map(({ scan_id }) => scan_id)).size, 3)
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
