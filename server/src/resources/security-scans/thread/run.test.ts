import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFindings, createLargeEvent, createLargeSarif } from '../../../../test/security/large.ts'
import { describeStall, measureStall } from '../../../../test/security/stall.ts'
import { Refusal } from '../../../errors.ts'
import { decodeOutcome } from '../../../thread-response.ts'
import { toFoundColumns, toTraits } from '../columns.ts'
import { matchFindings } from '../identity/match.ts'
import { normalizeScan } from '../payload.ts'
import { MAX_RESULTS, packScan, readSarif } from '../sarif/read.ts'
import { runTask, TaskLimitError, type TaskLimits } from './run.ts'
import { getTask, runTaskRequest, type TaskInput } from './tasks.ts'

const MIB = 1024 ** 2
const roomy: TaskLimits = { milliseconds: 60_000, mebibytes: 2048 }

/** Adds text that is not read but makes the file large enough for a thread. */
const padded = (text: string) => text + ' '.repeat(MIB)

const largeScan = () =>
  createLargeEvent({ orgId: '1', repositories: [] }, 1).payload as TaskInput<'normalize'>

test('any long text makes an event large', () => {
  const scan = largeScan()
  const short = scan.findings.map((finding) => ({ ...finding, description: '', snippet: '' }))
  const isLarge = (findings: object[]) =>
    getTask('normalize').isLarge({ ...scan, findings } as TaskInput<'normalize'>)
  assert.ok(!isLarge(short))
  for (const name of ['file_path', 'context', 'fingerprint'])
    assert.ok(isLarge(short.map((finding) => ({ ...finding, [name]: 'x'.repeat(600) }))), name)
})

test('reading a large file blocks the event loop only briefly', async (t) => {
  const text = createLargeSarif(25 * MIB, 10_000)
  const stall = await measureStall(() => runTask('readFile', text))
  t.diagnostic(`25 MiB: ${describeStall(stall)}`)
  assert.ok(stall.tookMs > 1000, describeStall(stall))
  assert.ok(stall.longestMs < stall.tookMs / 5, describeStall(stall))
})

test('comparing 50,000 edited findings blocks the event loop only briefly', async (t) => {
  const comparison = {
    known: toFoundColumns(createFindings(50_000)),
    found: toFoundColumns(createFindings(50_000, true)),
  }
  const stall = await measureStall(() => runTask('compare', comparison))
  t.diagnostic(`50,000 findings: ${describeStall(stall)}`)
  assert.ok(stall.tookMs > 1000, describeStall(stall))
  assert.ok(stall.longestMs < stall.tookMs / 5, describeStall(stall))
})

test('a thread returns the same result as the main thread', async () => {
  const text = createLargeSarif(MIB, 300)
  assert.ok(getTask('readFile').isLarge(text))
  assert.deepEqual(await runTask('readFile', text), readSarif(text).map(packScan))
  const [known, found] = [toFoundColumns(createFindings(1500)), toFoundColumns(createFindings(1500, true))]
  assert.ok(getTask('compare').isLarge({ known, found }))
  const pairs = await runTask('compare', { known, found })
  assert.deepEqual([...pairs], matchFindings(toTraits(known), toTraits(found)).flat())
  assert.ok(pairs.length > 2000)
  const sent = largeScan()
  assert.ok(getTask('normalize').isLarge(sent))
  assert.deepEqual(await runTask('normalize', sent), normalizeScan(sent))
})

const refused: readonly string[] = [
  '{',
  '[]',
  '{"version":"2.1.0"}',
  '{"version":"2.1.0","runs":[]}',
  '{"version":"2.1.0","runs":[{}]}',
  '['.repeat(100),
  `{"version":"2.1.0","runs":[${'{},'.repeat(100)}{}]}`,
  `{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"a"}},"results":[${'{},'.repeat(MAX_RESULTS)}{}]}]}`,
  `[${'0,'.repeat(4_000_001)}0]`,
]

test('a thread refuses with the same error as the main thread', async () => {
  for (const text of refused) {
    const here = thrown(() => readSarif(text))
    assert.ok(here instanceof Refusal)
    await assert.rejects(runTask('readFile', padded(text)), (error) => {
      assert.ok(error instanceof Refusal)
      assert.deepEqual([error.code, error.message, error.headers], [here.code, here.message, here.headers])
      return true
    })
  }
  const { refusal } = runTaskRequest({ name: 'readFile', input: '{' }) as { refusal: Refusal }
  const sent = { refusal: { code: refusal.code, message: 'a', headers: { 'retry-after': '2' } } }
  assert.deepEqual((thrown(() => decodeOutcome(sent)) as Refusal).headers, { 'retry-after': '2' })
})

test('a defect reports its stack and nothing of the input', async () => {
  const broken = {
    get length(): number {
      throw new TypeError('secret text')
    },
  }
  const response = runTaskRequest({ name: 'readFile', input: broken as never })
  const error = thrown(() => decodeOutcome(response))
  assert.ok(error instanceof Error && !(error instanceof Refusal))
  assert.match(error.message, /TypeError\n {4}at /)
  assert.doesNotMatch(error.message, /secret/)
})

test('a task that exceeds its time or memory limit is stopped without affecting others', async () => {
  const text = createLargeSarif(4 * MIB, 5000)
  const started = performance.now()
  await assert.rejects(runTask('readFile', text, { ...roomy, milliseconds: 50 }), TaskLimitError)
  assert.ok(performance.now() - started < 5000)
  const many = toFoundColumns(createFindings(20_000))
  await assert.rejects(
    runTask('compare', { known: many, found: many }, { ...roomy, mebibytes: 40 }),
    TaskLimitError,
  )
  assert.equal((await runTask('readFile', padded(createLargeSarif(1000, 1))))[0]?.count, 1)
})

test('the file with the highest known memory use does not crash the process', async (t) => {
  // V8 over-allocates objects with a numeric key, and nested objects need no comma, which is what the limit counts.
  const levels = 60
  const one = `${'{"35":'.repeat(levels)}1${'}'.repeat(levels)}`
  const count = Math.floor((25 * MIB - 100) / (one.length + 1))
  const text = `{"version":"2.1.0","x":[${Array.from({ length: count }, () => one).join(',')}],"runs":[]}`
  const error = await runTask('readFile', text).catch((err: unknown) => err)
  assert.ok(error instanceof Refusal && /at least one run/.test(error.message), String(error))
  t.diagnostic(`${count * levels} objects in ${Math.round(text.length / MIB)} MiB`)
})

function thrown(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  return assert.fail('nothing was thrown')
}
