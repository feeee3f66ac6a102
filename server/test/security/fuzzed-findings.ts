import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { findingStates } from '../../src/resources/security-findings/schema.ts'
import type { FindingRow } from '../../src/resources/security-findings/sql.ts'
import { fuzzedText, seededNumbers } from '../csv.ts'

const severities = ['critical', 'high', 'medium', 'low', 'info'] as const

const defaultFinding: FindingRow = {
  id: '6f0e1a52-93a8-5d3c-8f6f-0d3a4f5b6c7d',
  scan_id: 'scan-1',
  organization_id: '42',
  organization_name: 'Meridian',
  repository_id: '7',
  repository_name: 'booking-api',
  severity: 'high',
  state: 'open',
  cwe: 'CWE-89',
  title: 'SQL built from a request parameter',
  description: 'The text of a query is put together from what a caller sent.',
  file_path: 'src/orders/search.ts',
  start_line: 12,
  end_line: 14,
  first_seen_at: '2026-03-01T08:00:00.000Z',
  last_seen_at: '2026-03-02T08:00:00.000Z',
  rule_id: 'sql-injection',
  tool: 'Warden',
  fingerprint: 'f1',
  dismissal_reason: null,
  position: 1,
}

/** A typical finding with the given fields replaced. */
export const createFinding = (fields: Partial<FindingRow> = {}): FindingRow => ({
  ...defaultFinding,
  ...fields,
})

const pathPieces = [
  'src',
  '..',
  '.',
  'a b',
  'ü',
  '%2e',
  'c:',
  '#',
  '?',
  '//',
  '/',
  '\\',
  '日',
  '😀',
  '[x]',
  '@',
  ':',
]
const hostileMarkup = ['](', '[a](javascript:1)', '{0}', '<b>', '`', '\u2028', '"', '\\', '\n']

/** Findings whose texts are all fuzzed. */
export function createFuzzedFindings(count: number, seed: number): FindingRow[] {
  const random = seededNumbers(seed)
  const next = (below: number) => random.next().value % below
  const pick = <Item>(items: readonly Item[]): Item => items[next(items.length)] ?? assert.fail()
  const text = () => fuzzedText(random) + pick(hostileMarkup) + fuzzedText(random)
  const tools = Array.from({ length: 3 }, text)
  const rules = Array.from({ length: 200 }, text)
  return Array.from({ length: count }, (_, index) => {
    const line = next(4) === 0 ? null : 1 + next(90_000)
    const state = pick(findingStates)
    const hex = createHash('sha256').update(`${seed} ${index}`).digest('hex')
    return createFinding({
      id: `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`,
      repository_id: pick(['7', '8', text()]),
      repository_name: text(),
      organization_name: text(),
      severity: pick(severities),
      state,
      cwe: next(2) === 0 ? null : pick(['CWE-79', 'cwe-0089', text()]),
      title: text(),
      description: next(10) === 0 ? '' : text(),
      file_path: Array.from({ length: next(5) }, () => pick(pathPieces)).join(pick(['/', ''])),
      start_line: line,
      end_line: line === null || next(3) === 0 ? null : line + next(100),
      rule_id: pick(rules),
      tool: pick(tools),
      fingerprint: hex,
      dismissal_reason: state === 'dismissed' ? pick(['wont_fix', 'other']) : null,
      position: index + 1,
    })
  })
}
