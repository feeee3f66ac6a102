import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { startEmbeddingServer } from '../../test/engines/embedding-server.ts'
import { openDatabase } from '../../test/fixture.ts'
import { commands } from '../commands.ts'
import { createAdminContext } from './context.ts'
import { explainFailure } from './output.ts'
import { runCommand } from './program.ts'

const MODEL = 'http:test:64'
const scratch = mkdtempSync(join(tmpdir(), 'scholiast-test-'))

const { database, superuser, use, defer } = await openDatabase()
const model = use(await startEmbeddingServer({ dimensions: 64 }))
await superuser.query(`insert into learning_model values ('${MODEL}', 64, 'active')`)
defer(() => rmSync(scratch, { recursive: true }))

async function run(...args: string[]): Promise<string> {
  const settings = { EMBEDDER_URL: model.url, EMBEDDER_MODEL: 'test', EMBEDDER_DIMENSIONS: '64' }
  const admin = createAdminContext({ WORKER_DATABASE_URL: database.urls.worker, ...settings }, () => {})
  try {
    return await runCommand(admin, commands, ['learnings', ...args])
  } catch (error) {
    return `rejected: ${explainFailure(error)}`
  } finally {
    await admin.close()
  }
}

async function readStored(): Promise<Record<string, unknown>[]> {
  const { rows } = await superuser.query<Record<string, unknown>>(
    'select model, similarity, terms, floor, unshared_floor, strong from learning_calibration',
  )
  return rows
}

test('a dry run shows figures and stores nothing; --apply stores what the status and searches use', async () => {
  assert.match(
    await run('status'),
    /^Searches use words only, because nobody has calibrated http:test:64: run learnings calibrate --apply\./,
  )
  assert.match(await run('status', '--json'), /"searches_use": ?"words"/)
  const shown = JSON.parse(await run('calibrate', '--json')) as Record<string, unknown>[]
  assert.deepEqual(await readStored(), [])
  const [earlier, chosen] = shown
  assert.match(String(earlier?.['calibration']), /words only, http:test:64 has no calibration/)
  assert.equal(earlier?.['similarity'], 0)
  assert.equal(chosen?.['similarity'], 1)
  assert.match(String(chosen?.['nonsense_found']), /^\d+ of 52$/)

  assert.match(await run('calibrate', '--apply'), /use the new calibration within seconds/)
  const { terms, floor, unshared_floor, strong } = chosen ?? assert.fail()
  assert.deepEqual(await readStored(), [
    { model: MODEL, similarity: 1, terms, floor, unshared_floor, strong },
  ])
  assert.match(await run('status'), /^Searches use http:test:64\.\s/)
  assert.match(await run('calibrate'), /before: calibrated earlier/)
})

test('situations of a team count besides the shipped ones', async () => {
  const file = join(scratch, 'own.jsonl')
  const records = [
    { id: 'cents', learning: 'Amounts are integers in cents.', file: 'src/billing' },
    { id: 'float', diff: '+const total = 0.1 + price', files: ['src/billing/total.ts'], relevant: ['cents'] },
    { id: 'typo', text: 'Fixes a typo in the footer.', relevant: [] },
  ]
  writeFileSync(file, records.map((record) => JSON.stringify(record)).join('\n'))
  const counted = (output: string) => (JSON.parse(output) as { empty: string }[])[0]?.empty.split(' of ')[1]
  const shipped = await run('calibrate', '--json')
  const withOwn = await run('calibrate', '--data', file, '--json')
  // Which half a situation belongs to depends on its id.
  assert.equal(Number(counted(withOwn)) - Number(counted(shipped)), 1)
})

const invalid: readonly (readonly [string, RegExp])[] = [
  ['{"id": "a"', /own\.jsonl:1: The line is not JSON\. Write one object per line\./],
  ['{"id": "a", "text": "x"}', /own\.jsonl:1: The situation is not valid: relevant is required/],
  ['{"id": "a", "learning": "x", "files": []}', /own\.jsonl:1: The Learning has an unknown field "files"/],
  ['{"id": "a", "text": "x", "relevant": ["b"]}', /own\.jsonl has no Learning with the id "b"\./],
  [
    '{"id": "a", "learning": "x"}\n{"id": "a", "learning": "y"}',
    /own\.jsonl has two records with the id "a"\./,
  ],
]

test('a file that is not valid is rejected with its line and what is allowed; nothing is embedded', async () => {
  const file = join(scratch, 'own.jsonl')
  const calls = model.calls.length
  for (const [text, message] of invalid) {
    writeFileSync(file, text)
    assert.match(await run('calibrate', '--data', file), message)
  }
  assert.match(await run('calibrate', '--data', join(scratch, 'missing.jsonl')), /rejected: .*missing\.jsonl/)
  assert.equal(model.calls.length, calls)
})

test('an unavailable model is reported, and the stored calibration stays', async () => {
  const stored = await readStored()
  await model.setFault('refusal')
  assert.match(await run('calibrate', '--apply'), /rejected: .*returned 401/)
  await model.setFault('none')
  assert.deepEqual(await readStored(), stored)
})
