import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../../../errors.ts'
import type { Finding } from '../finding.ts'
import { MAX_NESTING_LEVELS, MAX_RESULTS, readSarif } from './read.ts'

const rules = [
  {
    id: 'js/sql',
    name: 'SqlInjection',
    shortDescription: { text: 'Query from user input', markdown: '**no**' },
    fullDescription: { text: 'A query is built from what a user sent.' },
    messageStrings: { flow: { text: 'Flows from {0} to {1}. {2}' } },
    defaultConfiguration: { level: 'error' },
    properties: { 'security-severity': '9.8', tags: ['security', 'external/cwe/cwe-089'] },
  },
  { id: 'js/plain' },
]

const result = (fields: object = {}) => ({
  ruleId: 'js/sql',
  message: { text: 'It is put together here.' },
  locations: [
    {
      physicalLocation: {
        artifactLocation: { uri: 'src/a%20b.ts', uriBaseId: '%SRCROOT%' },
        region: { startLine: 7, endLine: 9, snippet: { text: 'query(x)' } },
        contextRegion: { snippet: { text: 'a\nquery(x)\nb' } },
      },
    },
  ],
  ...fields,
})

const file = (results: readonly object[], run: object = {}, log: object = {}) =>
  JSON.stringify({
    version: '2.1.0',
    runs: [{ tool: { driver: { name: 'Warden', rules } }, results, ...run }],
    ...log,
  })

function read(fields: object): Finding {
  const [scan] = readSarif(file([result(fields)]))
  return scan?.findings[0] ?? assert.fail('nothing was found')
}

function refuses(text: string, code: string, says: RegExp): void {
  assert.throws(
    () => readSarif(text),
    (error) => {
      assert.ok(error instanceof Refusal)
      assert.equal(error.code, code)
      assert.match(error.message, says)
      return true
    },
  )
}

test('a result becomes a finding with the values of its rule [P10-10]', () => {
  const { code, ...finding } = read({})
  assert.deepEqual(finding, {
    rule: 'js/sql',
    severity: 'critical',
    cwe: 'CWE-89',
    title: 'Query from user input',
    description: 'It is put together here.',
    path: 'src/a b.ts',
    start: 7,
    end: 9,
  })
  assert.equal(code.split('.').length, 4)
  assert.ok(!code.includes('query'))
})

const severities: readonly (readonly [object, string])[] = [
  [{ properties: { severity: 'info' } }, 'info'],
  [{ properties: { 'security-severity': '7.0' } }, 'high'],
  [{ properties: { 'security-severity': 6.9 } }, 'medium'],
  [{ properties: { 'security-severity': '0.1' } }, 'low'],
  [{ properties: { 'security-severity': '0' } }, 'info'],
  [{ ruleId: 'js/plain', level: 'error' }, 'high'],
  [{ ruleId: 'js/plain', level: 'note' }, 'low'],
  [{ ruleId: 'js/plain', level: 'none' }, 'info'],
  [{ ruleId: 'js/plain' }, 'medium'],
  [{ ruleId: 'js/plain', level: 'constructor' }, 'medium'],
  [{ ruleId: 'js/plain', level: '__proto__' }, 'medium'],
  [{ ruleId: 'js/plain', properties: { 'security-severity': 'bad' }, level: 'error' }, 'high'],
]

test('severity: our own property, else the score, else the level', () => {
  for (const [fields, expected] of severities)
    assert.equal(read(fields).severity, expected, JSON.stringify(fields))
})

test('a CWE is read from tags, properties, taxa and relationships', () => {
  const plain = { ruleId: 'js/plain' }
  for (const fields of [
    { properties: { cwe: 'CWE-79' } },
    { properties: { tags: ['a', 'CWE-79: Cross-site scripting'] } },
    { taxa: [{ id: '79', toolComponent: { name: 'CWE' } }] },
    { taxa: [{ id: 'CWE-79', toolComponent: { name: 'cwe' } }] },
  ]) {
    assert.equal(read({ ...plain, ...fields }).cwe, 'CWE-79', JSON.stringify(fields))
  }
  assert.equal(read(plain).cwe, undefined)
})

test('messages: message strings with arguments; a rule by its index or by its parent rule', () => {
  const named = read({ message: { id: 'flow', arguments: ['a', 'b'] } })
  assert.equal(named.description, 'Flows from a to b. {2}')
  assert.equal(read({ ruleId: undefined, ruleIndex: 0 }).rule, 'js/sql')
  const part = read({ ruleId: 'js/sql/part' })
  assert.deepEqual([part.rule, part.title], ['js/sql/part', 'Query from user input'])
})

test('a path is the decoded URI without scheme and host', () => {
  for (const [uri, path] of [
    ['./src/x.ts', 'src/x.ts'],
    ['file:///repo/x.ts', 'repo/x.ts'],
    ['https://host.example.com/x.ts', 'x.ts'],
    ['100%.ts', '100%.ts'],
    ['a%2Fb%0Ac', 'a/b c'],
  ]) {
    const locations = [{ physicalLocation: { artifactLocation: { uri } } }]
    const { path: stored, start } = read({ locations })
    assert.deepEqual([stored, start], [path, undefined])
  }
})

test('fingerprints: our own, else full ones, else partial ones', () => {
  const partial = { z: '2', a: '1' }
  assert.equal(read({ partialFingerprints: partial }).fingerprint, 'a=1 z=2')
  assert.equal(read({ fingerprints: { full: 'f' }, partialFingerprints: partial }).fingerprint, 'full=f')
  const own = { ...partial, 'scholiastFinding/v1': 'x:1' }
  assert.equal(read({ partialFingerprints: own }).fingerprint, 'x:1')
})

test('accepted suppressions dismiss; absent and passed results are not findings', () => {
  const suppressions = [{ kind: 'external', status: 'accepted', justification: 'wont_fix' }]
  assert.deepEqual(read({ suppressions }).suppression, { reason: 'wont_fix', comment: null })
  const inSource = [{ kind: 'inSource', justification: 'only in tests' }]
  assert.deepEqual(read({ suppressions: inSource }).suppression, {
    reason: 'other',
    comment: 'only in tests',
  })
  assert.equal(read({ suppressions: [{ kind: 'external', status: 'rejected' }] }).suppression, undefined)
  const none = [
    result({ baselineState: 'absent' }),
    result({ kind: 'pass' }),
    result({ kind: 'notApplicable' }),
  ]
  assert.deepEqual(readSarif(file(none))[0]?.findings, [])
})

test('credentials are removed from every text, and code is not stored', () => {
  const secret = `ghp_${'a1B2c3D4e5'.repeat(3)}f6G7h8`
  const suppressions = [{ kind: 'external', justification: secret }]
  const finding = read({
    message: { text: `uses ${secret}` },
    properties: { title: `${secret} in code` },
    partialFingerprints: { a: secret },
    suppressions,
  })
  assert.ok(!JSON.stringify(finding).includes(secret))
})

test('runs with the same tool and category form one scan', () => {
  const run = (name: string, id: string, fields: object = {}) => ({
    tool: { driver: { name } },
    automationDetails: { id },
    results: [result({ ruleId: name + id })],
    ...fields,
  })
  const version = { versionControlProvenance: [{ branch: 'main', revisionId: 'abc' }] }
  const invoked = { invocations: [{ executionSuccessful: true, endTimeUtc: '2026-03-01T10:00:00Z' }] }
  const runs = [run('A', 'java/1', version), run('B', ''), run('A', 'java/2', invoked), run('A', 'go/')]
  const scans = readSarif(JSON.stringify({ version: '2.1.0', runs }))
  assert.deepEqual(
    scans.map(({ tool, category, branch, commit, endedAt, findings }) => [
      tool,
      category,
      branch,
      commit,
      endedAt,
      findings.length,
    ]),
    [
      ['A', 'java', 'main', 'abc', '2026-03-01T10:00:00.000Z', 2],
      ['B', '', null, null, null, 1],
      ['A', 'go', null, null, null, 1],
    ],
  )
})

test('a file that is not SARIF 2.1.0 is refused with a hint', () => {
  refuses('{', 'INVALID_REQUEST', /not valid JSON/)
  refuses('[]', 'INVALID_REQUEST', /2\.1\.0/)
  refuses('{"version":"2.0.0","runs":[]}', 'INVALID_REQUEST', /Convert the file/)
  refuses('{"version":"2.1.0"}', 'INVALID_REQUEST', /runs/)
  refuses('{"version":"2.1.0","runs":[]}', 'INVALID_REQUEST', /at least one run/)
  refuses('{"version":"2.1.0","runs":[{}]}', 'INVALID_REQUEST', /driver\.name is required/)
  refuses(
    file(Array.from({ length: MAX_RESULTS + 1 }, () => ({}))),
    'PAYLOAD_TOO_LARGE',
    /50001 results.+Split/,
  )
  refuses(file([], {}, { runs: Array.from({ length: 101 }, () => ({})) }), 'PAYLOAD_TOO_LARGE', /runs/)
})

test('a file crafted to exhaust memory is refused before it is parsed', () => {
  const deep = `${'['.repeat(MAX_NESTING_LEVELS + 1)}${']'.repeat(MAX_NESTING_LEVELS + 1)}`
  refuses(`{"version":"2.1.0","runs":${deep}}`, 'INVALID_REQUEST', /nested deeper/)
  refuses('['.repeat(20_000_000), 'INVALID_REQUEST', /nested deeper/)
  refuses(`{"version":"2.1.0","x":[${'{},'.repeat(4_000_001)}0]}`, 'PAYLOAD_TOO_LARGE', /values/)
  const brackets = result({ message: { text: '[{'.repeat(500) + '\\"[['.repeat(100) } })
  assert.equal(readSarif(file([brackets]))[0]?.findings.length, 1)
})

test('fields of the wrong type are ignored', () => {
  const odd = [null, 5, 'x', [], { a: 1 }, [[1]], true]
  const names = Object.keys(result()).concat([
    'level',
    'kind',
    'rule',
    'ruleIndex',
    'suppressions',
    'taxa',
    'properties',
    'fingerprints',
    'partialFingerprints',
    'provenance',
    'baselineState',
  ])
  for (const value of odd) {
    const results = names.map((name) => result({ [name]: value }))
    const [scan] = readSarif(
      file([...results, value as never], { invocations: value, versionControlProvenance: value }),
    )
    assert.ok((scan?.findings.length ?? 0) > 0, JSON.stringify(value))
    for (const { title, rule } of scan?.findings ?? []) assert.ok(title !== '' && rule !== '')
  }
})
