import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchFindings } from './match.ts'
import { describeCode, type FindingTraits } from './traits.ts'

interface Spot {
  readonly rule?: string
  readonly print?: string
  readonly first?: string
  readonly path?: string
  readonly line?: number | null
  readonly code?: string | null
  readonly around?: string
}

const query = "const rows = await pool.query('select * from orders where id = ' + id)"
const around = `export async function findOrder(pool, id) {\n${query}\n  return rows.length === 0 ? null : toOrder(rows)\n}`

function spot({
  rule = 'sql',
  print,
  first,
  path = 'src/orders.ts',
  line = 10,
  code = query,
  around: of,
}: Spot = {}): FindingTraits {
  return {
    rule,
    fingerprint: print ?? null,
    firstFingerprint: first ?? print ?? null,
    path,
    start: line,
    end: line,
    ...describeCode(code, of ?? null),
  }
}

const cases: readonly (readonly [
  string,
  readonly Spot[],
  readonly Spot[],
  readonly (readonly [number, number])[],
])[] = [
  ['nothing at all', [], [], []],
  ['the same', [{}], [{}], [[0, 0]]],
  ['another rule', [{}], [{ rule: 'xss' }], []],
  ['moved lines', [{ line: 10 }], [{ line: 900 }], [[0, 0]]],
  ['no line', [{ line: null }], [{ line: null }], [[0, 0]]],
  ['white space, quotes, semicolon', [{}], [{ code: `\t${query.replaceAll("'", '"')} ;` }], [[0, 0]]],
  ['broken into lines', [{}], [{ code: query.replace('(', '(\n    ').replace(' + ', '\n    + ') }], [[0, 0]]],
  ['another folder', [{}], [{ path: 'lib/orders.ts' }], [[0, 0]]],
  ['renamed with its surroundings', [{ around }], [{ around, path: 'lib/other.ts' }], [[0, 0]]],
  [
    'edited in place',
    [{ around }],
    [{ around: around.replace('*', 'id, state'), code: query.replace('*', 'id, state') }],
    [[0, 0]],
  ],
  [
    'other code at the same line',
    [{ around }],
    [{ code: 'return db.run(createReport(request.body.text))', around: 'x' }],
    [],
  ],
  [
    'by fingerprint, everything else changed',
    [{ print: 'a' }],
    [{ print: 'a', code: 'eval(x)', path: 'b.ts' }],
    [[0, 0]],
  ],
  ['another fingerprint, the same code', [{ print: 'a' }], [{ print: 'b' }], [[0, 0]]],
  [
    'by the fingerprint that our files carry',
    [{ print: 'new', first: 'old', code: 'a()' }],
    [{ print: 'old', code: 'b()' }],
    [[0, 0]],
  ],
  [
    'fingerprints before code',
    [{ print: 'a' }, { print: 'b', line: 20 }],
    [{ print: 'b' }, { print: 'a', line: 20 }],
    [
      [0, 1],
      [1, 0],
    ],
  ],
  [
    'two equal lines, both moved',
    [{ line: 10 }, { line: 20 }],
    [{ line: 15 }, { line: 25 }],
    [
      [0, 0],
      [1, 1],
    ],
  ],
  ['two equal lines, one more', [{ line: 10 }], [{ line: 10 }, { line: 60 }], [[0, 0]]],
  ['two equal lines, one less', [{ line: 10 }, { line: 60 }], [{ line: 61 }], [[1, 0]]],
  [
    'without code, the same text',
    [{ code: 'Package left-pad 1.0 is vulnerable' }],
    [{ code: 'Package left-pad 1.0 is vulnerable', line: 3 }],
    [[0, 0]],
  ],
  ['without code, other packages', [{ code: 'openssl 3.0.1 CVE-1' }], [{ code: 'zlib 1.2 CVE-2' }], []],
]

for (const [name, olds, news, expected] of cases) {
  test(`matching: ${name}`, () => {
    const [known, found] = [olds.map(spot), news.map(spot)]
    assert.deepEqual(sorted(matchFindings(known, found)), expected)
    // The order of the input must not matter.
    const reversed = matchFindings(known.toReversed(), found.toReversed())
    const back = reversed.map(([old, now]) => [known.length - 1 - old, found.length - 1 - now] as const)
    assert.deepEqual(sorted(back), expected)
  })
}

test('lines of a file move together: of equal findings the one nearest to its predicted line matches [P6-5]', () => {
  const other = (line: number): Spot => ({ rule: 'xss', code: 'target.innerHTML = note', line })
  const known = [spot(other(5)), spot({ line: 10 }), spot({ line: 30 })]
  const found = [spot(other(25)), spot({ line: 30 })]
  assert.deepEqual(sorted(matchFindings(known, found)), [
    [0, 0],
    [1, 1],
  ])
})

test('50,000 identical findings are each matched once and in bounded time', () => {
  const many = (by: number) =>
    Array.from({ length: 50_000 }, (_, index) => spot({ line: 1 + index * 3 + by }))
  const [known, found] = [many(0), many(2)]
  const started = performance.now()
  const pairs = matchFindings(known, found)
  assert.equal(new Set(pairs.map(([old]) => old)).size, 50_000)
  assert.equal(new Set(pairs.map(([, now]) => now)).size, 50_000)
  assert.ok(performance.now() - started < 30_000)
})

function sorted(pairs: readonly (readonly [number, number])[]): (readonly [number, number])[] {
  return pairs.toSorted(([a], [b]) => a - b)
}
