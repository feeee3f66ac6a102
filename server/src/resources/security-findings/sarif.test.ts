import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFinding, createFuzzedFindings } from '../../../test/security/fuzzed-findings.ts'
import { checkSarif, type SarifLog } from '../../../test/security/sarif.ts'
import { createSarifFile } from './sarif.ts'
import type { FindingRow } from './sql.ts'

function write(rows: readonly FindingRow[], slice = 500): SarifLog {
  const file = createSarifFile()
  for (let from = 0; from < rows.length; from += slice) file.add(rows.slice(from, from + slice))
  const text = Buffer.concat(file.end()).toString()
  return JSON.parse(text) as SarifLog
}

type Run = SarifLog['runs'][number]

function checkResult({ tool }: Run, result: Run['results'][number], row: FindingRow): void {
  const rule = tool.driver.rules[result.ruleIndex]
  assert.deepEqual([tool.driver.name, result.ruleId, rule?.id], [row.tool, row.rule_id, row.rule_id])
  const { artifactLocation, region } = result.locations[0]?.physicalLocation ?? {}
  assert.equal(decodeURIComponent(artifactLocation?.uri ?? ''), row.file_path)
  const lines = row.file_path === '' ? [null, null] : [row.start_line, row.end_line ?? row.start_line]
  assert.deepEqual([region?.startLine ?? null, region?.endLine ?? null], lines)
  const { title = rule?.shortDescription.text, severity } = result.properties
  assert.deepEqual([title, severity], [row.title, row.severity])
}

test('10,000 fuzzed findings make a file that is valid by the 2.1.0 schema and loses none [P6-5]', (t) => {
  const rows = createFuzzedFindings(10_000, 11)
  const log = write(rows)
  assert.deepEqual(checkSarif(log), [])
  const left = new Map(rows.map((row) => [row.id, row]))
  for (const run of log.runs) {
    const ids = run.tool.driver.rules.map(({ id }) => id)
    assert.equal(new Set(ids).size, ids.length, 'a rule twice')
    for (const result of run.results) {
      const row = left.get(result.correlationGuid) ?? assert.fail('an unknown or repeated finding')
      left.delete(row.id)
      checkResult(run, result, row)
    }
  }
  assert.equal(left.size, 0, 'findings are missing')
  t.diagnostic(`${rows.length} findings in ${log.runs.length} runs, 0 against the schema`)
})

test('the schema check rejects files that are not SARIF', () => {
  const log = write([createFinding()]) as unknown as { runs: { results: Record<string, unknown>[] }[] }
  const [result] = log.runs[0]?.results ?? []
  assert.ok(result)
  for (const broken of [{ level: 'high' }, { markdown: 'x' }, { message: {} }, { correlationGuid: 'x' }]) {
    assert.notDeepEqual(
      checkSarif({ ...log, runs: [{ ...log.runs[0], results: [{ ...result, ...broken }] }] }),
      [],
    )
  }
  const located = (uri: string) => ({
    ...result,
    locations: [{ physicalLocation: { artifactLocation: { uri } } }],
  })
  assert.deepEqual(checkSarif({ ...log, runs: [{ ...log.runs[0], results: [located('a%20b')] }] }), [])
  assert.notDeepEqual(checkSarif({ ...log, runs: [{ ...log.runs[0], results: [located('a b')] }] }), [])
})

test('no path escapes the base of the repository', () => {
  const base = 'https://base.example.com/root/'
  const rows = createFuzzedFindings(3_000, 5).filter(({ file_path }) => file_path !== '')
  const paths = [
    '//evil.example.com/x',
    '/etc/passwd',
    'javascript:alert(1)',
    'file:///x',
    'C:\\x',
    '?q',
    '#f',
  ]
  for (const { results } of write([...rows, ...paths.map((file_path) => createFinding({ file_path }))])
    .runs) {
    for (const { locations } of results) {
      const uri = locations[0]?.physicalLocation.artifactLocation.uri ?? assert.fail()
      const url = new URL(uri, base)
      assert.deepEqual([url.origin, url.search, url.hash], ['https://base.example.com', '', ''], uri)
      assert.ok(!uri.startsWith('/'), uri)
    }
  }
})

test('texts are plain, without Markdown or text that a viewer renders as a link [P6-5]', () => {
  const log = write([
    createFinding({ title: '[a](x)', description: 'See [here](https://evil.example.com).' }),
  ])
  const [run] = log.runs
  assert.equal(run?.results[0]?.message.text, 'See [here] (https://evil.example.com).')
  assert.equal(run?.tool.driver.rules[0]?.shortDescription.text, '[a] (x)')
  assert.ok(!JSON.stringify(log).includes('markdown'))
})

test('one run per tool and repository; each rule once, with the severity of its worst finding', () => {
  const log = write(
    [
      createFinding({ severity: 'low' }),
      createFinding({ tool: 'Other', severity: 'info', cwe: null }),
      createFinding({ severity: 'critical', cwe: 'CWE-564' }),
      createFinding({ rule_id: 'second', severity: 'medium' }),
      createFinding({ repository_id: '8', severity: 'high' }),
    ],
    2,
  )
  assert.deepEqual(
    log.runs.map(({ tool, properties, results }) => [
      tool.driver.name,
      properties.repository_id,
      tool.driver.rules.map(({ id, properties: { tags, 'security-severity': score } }) => [
        id,
        score,
        ...tags,
      ]),
      results.map(({ level, ruleIndex, properties: { severity } }) => [level, ruleIndex, severity]),
    ]),
    [
      [
        'Warden',
        '7',
        [
          ['sql-injection', '9.5', 'security', 'external/cwe/cwe-564', 'external/cwe/cwe-89'],
          ['second', '5.5', 'security', 'external/cwe/cwe-89'],
        ],
        [
          ['note', 0, 'low'],
          ['error', 0, 'critical'],
          ['warning', 1, 'medium'],
        ],
      ],
      ['Other', '7', [['sql-injection', '0.0', 'security']], [['note', 0, 'info']]],
      ['Warden', '8', [['sql-injection', '8.0', 'security', 'external/cwe/cwe-89']], [['error', 0, 'high']]],
    ],
  )
})

test('the fingerprint is the stored one when lines move; states follow the format [P6-5]', () => {
  const [run] = write([
    createFinding(),
    createFinding({ start_line: 900, end_line: 902, file_path: 'src/moved.ts' }),
    createFinding({ state: 'fixed' }),
    createFinding({ state: 'dismissed', dismissal_reason: 'false_positive' }),
  ]).runs
  const results = run?.results ?? []
  assert.equal(new Set(results.map(({ partialFingerprints: prints }) => JSON.stringify(prints))).size, 1)
  assert.deepEqual(
    results.map(({ baselineState, suppressions }) => [baselineState, suppressions]),
    [
      [undefined, []],
      [undefined, []],
      ['absent', []],
      [undefined, [{ kind: 'external', status: 'accepted', justification: 'false_positive' }]],
    ],
  )
})

test('no findings make a valid file without runs', () => {
  const log = write([])
  assert.deepEqual(checkSarif(log), [])
  assert.deepEqual(log.runs, [])
})
