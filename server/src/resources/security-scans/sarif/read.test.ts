import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../../../errors.ts'
import type { Finding } from '../finding.ts'
import { MOST_LEVELS } from './bounds.ts'
import { MOST_RESULTS, readSarif } from './read.ts'

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

async function read(fields: object): Promise<Finding> {
  const [scan] = await readSarif(file([result(fields)]))
  return scan?.findings[0] ?? assert.fail('nothing was found')
}

async function refuses(text: string, code: string, says: RegExp): Promise<void> {
  await assert.rejects(readSarif(text), (error) => {
    assert.ok(error instanceof Refusal)
    assert.equal(error.code, code)
    assert.match(error.message, says)
    return true
  })
}

test('a result becomes a finding, with what its rule says', async () => {
  const { code, ...finding } = await read({})
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
  [{ ruleId: 'js/plain', properties: { 'security-severity': 'bad' }, level: 'error' }, 'high'],
]

test('severity: our own word, else the score, else the level', async () => {
  for (const [fields, expected] of severities)
    assert.equal((await read(fields)).severity, expected, JSON.stringify(fields))
})

test('a weakness is named in many ways', async () => {
  const plain = { ruleId: 'js/plain' }
  for (const fields of [
    { properties: { cwe: 'CWE-79' } },
    { properties: { tags: ['a', 'CWE-79: Cross-site scripting'] } },
    { taxa: [{ id: '79', toolComponent: { name: 'CWE' } }] },
    { taxa: [{ id: 'CWE-79', toolComponent: { name: 'cwe' } }] },
  ]) {
    assert.equal((await read({ ...plain, ...fields })).cwe, 'CWE-79', JSON.stringify(fields))
  }
  assert.equal((await read(plain)).cwe, undefined)
})

test('messages: named ones with their arguments; a rule by its index, or by the rule it is a part of', async () => {
  const named = await read({ message: { id: 'flow', arguments: ['a', 'b'] } })
  assert.equal(named.description, 'Flows from a to b. {2}')
  assert.equal((await read({ ruleId: undefined, ruleIndex: 0 })).rule, 'js/sql')
  const part = await read({ ruleId: 'js/sql/part' })
  assert.deepEqual([part.rule, part.title], ['js/sql/part', 'Query from user input'])
})

test('a path is what stands behind the host, as far as it can be decoded', async () => {
  for (const [uri, path] of [
    ['./src/x.ts', 'src/x.ts'],
    ['file:///repo/x.ts', 'repo/x.ts'],
    ['https://host.example.com/x.ts', 'x.ts'],
    ['100%.ts', '100%.ts'],
    ['a%2Fb%0Ac', 'a/b c'],
  ]) {
    const locations = [{ physicalLocation: { artifactLocation: { uri } } }]
    const { path: kept, start } = await read({ locations })
    assert.deepEqual([kept, start], [path, undefined])
  }
})

test('fingerprints: ours alone, else the whole ones, else the parts', async () => {
  const partial = { z: '2', a: '1' }
  assert.equal((await read({ partialFingerprints: partial })).fingerprint, 'a=1 z=2')
  assert.equal(
    (await read({ fingerprints: { full: 'f' }, partialFingerprints: partial })).fingerprint,
    'full=f',
  )
  const own = { ...partial, 'scholiastFinding/v1': 'x:1' }
  assert.equal((await read({ partialFingerprints: own })).fingerprint, 'x:1')
})

test('suppressions that were accepted dismiss; what is absent or passed is no finding', async () => {
  const suppressions = [{ kind: 'external', status: 'accepted', justification: 'wont_fix' }]
  assert.deepEqual((await read({ suppressions })).suppression, { reason: 'wont_fix', comment: null })
  const inSource = [{ kind: 'inSource', justification: 'only in tests' }]
  assert.deepEqual((await read({ suppressions: inSource })).suppression, {
    reason: 'other',
    comment: 'only in tests',
  })
  assert.equal(
    (await read({ suppressions: [{ kind: 'external', status: 'rejected' }] })).suppression,
    undefined,
  )
  const none = [
    result({ baselineState: 'absent' }),
    result({ kind: 'pass' }),
    result({ kind: 'notApplicable' }),
  ]
  assert.deepEqual((await readSarif(file(none)))[0]?.findings, [])
})

test('credentials are taken out of every text, and the code is not kept', async () => {
  const secret = `ghp_${'a1B2c3D4e5'.repeat(3)}f6G7h8`
  const suppressions = [{ kind: 'external', justification: secret }]
  const finding = await read({
    message: { text: `uses ${secret}` },
    properties: { title: `${secret} in code` },
    partialFingerprints: { a: secret },
    suppressions,
  })
  assert.ok(!JSON.stringify(finding).includes(secret))
})

test('each tool and category is a scan; runs of the same are one', async () => {
  const run = (name: string, id: string, fields: object = {}) => ({
    tool: { driver: { name } },
    automationDetails: { id },
    results: [result({ ruleId: name + id })],
    ...fields,
  })
  const version = { versionControlProvenance: [{ branch: 'main', revisionId: 'abc' }] }
  const ended = { invocations: [{ executionSuccessful: true, endTimeUtc: '2026-03-01T10:00:00Z' }] }
  const runs = [run('A', 'java/1', version), run('B', ''), run('A', 'java/2', ended), run('A', 'go/')]
  const scans = await readSarif(JSON.stringify({ version: '2.1.0', runs }))
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

test('what is no SARIF 2.1.0 is refused with what to do', async () => {
  await refuses('{', 'INVALID_REQUEST', /not valid JSON/)
  await refuses('[]', 'INVALID_REQUEST', /2\.1\.0/)
  await refuses('{"version":"2.0.0","runs":[]}', 'INVALID_REQUEST', /Convert it/)
  await refuses('{"version":"2.1.0"}', 'INVALID_REQUEST', /runs/)
  await refuses('{"version":"2.1.0","runs":[]}', 'INVALID_REQUEST', /no run/)
  await refuses('{"version":"2.1.0","runs":[{}]}', 'INVALID_REQUEST', /name the tool/)
  await refuses(
    file(Array.from({ length: MOST_RESULTS + 1 }, () => ({}))),
    'PAYLOAD_TOO_LARGE',
    /50001 results.+Split/,
  )
  await refuses(file([], {}, { runs: Array.from({ length: 101 }, () => ({})) }), 'PAYLOAD_TOO_LARGE', /runs/)
})

test('a file that is made to take memory is refused before it is parsed', async () => {
  const deep = `${'['.repeat(MOST_LEVELS + 1)}${']'.repeat(MOST_LEVELS + 1)}`
  await refuses(`{"version":"2.1.0","runs":${deep}}`, 'INVALID_REQUEST', /nested deeper/)
  await refuses('['.repeat(20_000_000), 'INVALID_REQUEST', /nested deeper/)
  await refuses(`{"version":"2.1.0","x":[${'{},'.repeat(4_000_001)}0]}`, 'PAYLOAD_TOO_LARGE', /values/)
  const brackets = result({ message: { text: '[{'.repeat(500) + '\\"[['.repeat(100) } })
  assert.equal((await readSarif(file([brackets])))[0]?.findings.length, 1)
})

test('fields of the wrong type are as if they were not there', async () => {
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
    const [scan] = await readSarif(
      file([...results, value as never], { invocations: value, versionControlProvenance: value }),
    )
    assert.ok((scan?.findings.length ?? 0) > 0, JSON.stringify(value))
    for (const { title, rule } of scan?.findings ?? []) assert.ok(title !== '' && rule !== '')
  }
})
