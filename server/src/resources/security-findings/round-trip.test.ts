import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFinding, createFuzzedFindings } from '../../../test/security/fuzzed-findings.ts'
import { readSarif } from '../security-scans/sarif/read.ts'
import { createSarifFile } from './sarif.ts'
import type { FindingRow } from './sql.ts'

function write(rows: readonly FindingRow[]): string {
  const file = createSarifFile()
  file.add(rows)
  return Buffer.concat(file.end()).toString()
}

/** Imports a file and returns its findings as they would be read. */
function take(file: string): FindingRow[] {
  const scans = readSarif(file)
  return scans.flatMap(({ tool, findings }) =>
    findings.map(
      ({
        rule,
        severity,
        cwe = null,
        title,
        description,
        path,
        start,
        end,
        fingerprint,
        suppression,
        firstSeen,
      }) =>
        createFinding({
          rule_id: rule,
          severity,
          cwe,
          title,
          description,
          file_path: path,
          start_line: start ?? null,
          end_line: end ?? null,
          fingerprint: fingerprint ?? assert.fail('our files name every finding'),
          state: suppression ? 'dismissed' : 'open',
          dismissal_reason: suppression?.reason ?? null,
          first_seen_at: firstSeen ?? assert.fail('our files say since when'),
          tool,
        }),
    ),
  )
}

test('10,000 fuzzed findings: exporting, importing and exporting again yields the same file [P6-5]', (t) => {
  const sent = createFuzzedFindings(10_000, 31).map((row) =>
    createFinding({ ...row, repository_id: '7', repository_name: 'one' }),
  )
  // Fixed findings are exported as absent, and absent results are not imported.
  const present = sent.filter(({ state }) => state !== 'fixed')
  const stored = take(write(sent))
  assert.equal(stored.length, present.length)
  const first = write(stored)
  assert.equal(write(take(first)), first)
  t.diagnostic(`${stored.length} findings, ${Buffer.byteLength(first)} bytes, 0 differ`)
})

test('a typical finding is imported exactly as exported', () => {
  const rows = [
    createFinding(),
    createFinding({
      fingerprint: 'f2',
      start_line: 40,
      end_line: 40,
      severity: 'critical',
      cwe: null,
      title: 'Another',
    }),
    createFinding({
      fingerprint: 'f3',
      rule_id: 'no-code',
      start_line: null,
      end_line: null,
      file_path: 'a b/ü.ts',
    }),
    createFinding({ fingerprint: 'f4', state: 'dismissed', dismissal_reason: 'used_in_tests' }),
  ]
  assert.deepEqual(take(write(rows)), rows)
})
