import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { folder, runCli, runJson } from './run-cli.ts'

interface Verification {
  readonly valid: boolean
  readonly rows: number
  readonly heads: number
  readonly keys: readonly string[]
}

interface Line {
  readonly kind: string
  row?: { content: string; position: number }
  link?: { position: number; hash: string }
  head?: { signature: string; position: number }
}

const file = join(folder, 'audit.jsonl')
let lines: Line[] = []

before(async () => {
  // The worker signs new heads at intervals; an export without one would prove less.
  for (let attempt = 0; attempt < 60; attempt++) {
    const { code, stderr } = runCli(['audit', 'export', '--out', file])
    assert.equal(code, 0, stderr)
    lines = readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((text) => JSON.parse(text) as Line)
    if (lines.some(({ kind }) => kind === 'head')) return
    await sleep(1000)
  }
})

test('tail shows the newest rows, oldest first', () => {
  const rows = runJson<{ position: number }[]>(['audit', 'tail', '--lines', '5'])
  assert.equal(rows.length, 5)
  assert.deepEqual(
    rows,
    rows.toSorted((a, b) => a.position - b.position),
  )
  const filtered = runCli(['audit', 'tail', '--action', 'api_key_created,nonsense'])
  assert.equal(filtered.code, 0)
  assert.match(filtered.stderr, /nonsense/)
  assert.match(filtered.stdout, /^TIME +ROW +ACTION +ACTOR +RESOURCE$/m)
  assert.equal(runCli(['audit', 'tail', '--lines', '101']).code, 2)
})

test('an export verifies without the service', () => {
  const offline = { key: null, env: { SCHOLIAST_URL: '' } }
  const result = runJson<Verification>(['audit', 'verify', file], offline)
  assert.ok(result.valid && result.rows > 100 && result.heads > 0)
  const pinned = runCli(['audit', 'verify', file, '--keys', result.keys.join()], offline)
  assert.match(pinned.stdout, /^The audit log is valid: \d+ rows/)
  const other = runCli(['audit', 'verify', file, '--keys', '0000000000000000'], offline)
  assert.equal(other.code, 1)
  assert.match(other.stderr, /signed by another key/)
})

test('the log of the service verifies', () => {
  assert.match(runCli(['audit', 'verify'], { key: 'workspace' }).stdout, /^The audit log is valid: /)
})

test('every kind of tampering is found', () => {
  const middle = Math.floor(lines.filter(({ kind }) => kind === 'link').length / 2)
  // Rows after the last signed head can be cut off without a trace.
  const signed = Math.max(...lines.map(({ head }) => head?.position ?? 0))
  const cases: readonly (readonly [string, (copy: Line[]) => Line[], RegExp])[] = [
    [
      'content',
      (copy) => edit(copy, 'row', (line) => replaceContent(line)),
      /its content is not what the chain has/,
    ],
    [
      'missing row',
      (copy) => copy.filter(({ link }) => link?.position !== middle),
      new RegExp(`Row ${middle} is missing`),
    ],
    [
      'cut end',
      (copy) => copy.filter(({ link, row }) => (link?.position ?? row?.position ?? 0) < signed),
      /Row \d+ is missing/,
    ],
    [
      'signature',
      (copy) => edit(copy, 'head', (line) => forgeSignature(line)),
      /The signature of head \d+ is wrong/,
    ],
  ]
  for (const [name, tamper, expected] of cases) {
    const tampered = join(folder, 'tampered.jsonl')
    const copy = tamper(structuredClone(lines))
    writeFileSync(tampered, copy.map((line) => `${JSON.stringify(line)}\n`).join(''))
    const { code, stderr } = runCli(['audit', 'verify', tampered], { key: null })
    assert.equal(code, 1, name)
    assert.match(stderr, expected, name)
  }
  writeFileSync(file, 'not an export\n')
  assert.match(runCli(['audit', 'verify', file]).stderr, /Line 1 of .* is not a line of an export/)
})

function edit(copy: Line[], kind: string, change: (line: Line) => void): Line[] {
  const line = copy.find((candidate) => candidate.kind === kind)
  if (line !== undefined) change(line)
  return copy
}

function replaceContent({ row }: Line): void {
  if (row !== undefined) row.content = row.content.replace('"action":"', '"action":"x')
}

function forgeSignature({ head }: Line): void {
  if (head !== undefined)
    head.signature = head.signature.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))
}
