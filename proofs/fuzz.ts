import { randomBytes } from 'node:crypto'
import { createBus } from '../server/test/bus.ts'
import { createDatabase } from '../server/test/database.ts'
import { ingestSettings } from '../server/test/ingest.ts'
import { limitsOff } from '../server/test/limits-off.ts'
import { startApi, startWorker } from '../server/test/process.ts'
import { readOperations } from './fuzz/document.ts'
import { type Defect, type FuzzResult, runLane } from './fuzz/lane.ts'
import { listScimOperations } from './fuzz/scim.ts'
import { createVerifier } from './fuzz/verify.ts'
import type { ProofOptions } from './run.ts'
import { copyWithout, type SourceEdit } from './tools/copy.ts'
import { report } from './tools/report.ts'

const LANES = 4
// A fuzz that is only refused shows little.
const MIN_SUCCESS_SHARE = 0.2

/** Some operations need an id that still exists: in the quick form chance may keep them without one. */
const MAX_WITHOUT_SUCCESS = 3

// PostgreSQL stores neither NUL, half a surrogate pair nor the year 0.
const withoutStorableCheck: readonly SourceEdit[] = [
  {
    file: 'http/input.ts',
    name: 'isStorable',
    by: 'export function isStorable(_text: string): boolean { return true }',
  },
  {
    file: 'shape.ts',
    name: 'startsWithValidDate',
    wrap: "(isValid, text) => isValid(text.replace(/^0000/, '2000'))",
  },
]

/** Valid and invalid requests to every operation of openapi.json and of SCIM: no 5xx, and no response that it does not describe. */
export async function prove({ withoutCure, quick, seed }: ProofOptions): Promise<void> {
  const perLane = quick ? 15 : withoutCure ? 40 : 260
  const chosen = seed ?? randomBytes(4).toString('hex')
  console.error(`  seed ${chosen}; repeat with --seed ${chosen}`)
  const operations = [...readOperations(), ...listScimOperations()]
  const verify = createVerifier(operations)
  const [database, bus] = await Promise.all([createDatabase(), createBus()])
  const copy = withoutCure ? await copyWithout(withoutStorableCheck) : null
  const settings = ingestSettings(bus)
  const api = await startApi(database, { ...limitsOff, ...settings }, copy?.apiEntry)
  const worker = await startWorker(database, settings)
  const result: FuzzResult = { counts: new Map(), defects: new Map() }
  try {
    await Promise.all(
      Array.from({ length: LANES }, (_, lane) =>
        runLane(database, api.url, operations, perLane, `${chosen}/${lane}`, verify, result),
      ),
    )
  } finally {
    await Promise.all([api.stop(), worker.stop()])
    await copy?.remove()
    await Promise.all([database.drop(), bus.drop()])
  }
  reportResult(result, operations.length, perLane * LANES, chosen)
}

function reportResult({ counts, defects }: FuzzResult, operations: number, goal: number, seed: string): void {
  const all = [...counts].map(([operationId, counted]) => ({ operationId, ...counted }))
  const sum = (field: 'valid' | 'changed' | 'succeeded') => all.reduce((total, one) => total + one[field], 0)
  const without = all.filter(({ succeeded }) => succeeded === 0).map(({ operationId }) => operationId)
  const share = sum('succeeded') / (sum('valid') + sum('changed'))
  const found = [...defects.values()]
  for (const { operation, fault, request, count } of found)
    console.log(`\n${count} × ${operation}: ${fault}\n${request}`)
  const isServerError = ({ fault }: Defect) => /^status 5|^no response/.test(fault)
  const countOf = (some: readonly Defect[]) => some.reduce((total, { count }) => total + count, 0)
  const fewest = Math.min(...all.map(({ valid, changed }) => valid + changed))
  const errors = countOf(found.filter(isServerError))
  const outside = countOf(found.filter((defect) => !isServerError(defect)))
  report(
    `fuzz: ${sum('valid')} valid and ${sum('changed')} changed requests to ${operations} operations, seed ${seed}`,
    [
      {
        measure: 'fewest requests to an operation',
        goal: `≥ ${goal}`,
        result: fewest,
        met: all.length === operations && fewest >= goal,
      },
      {
        measure: `of all requests, successful (operations without any: ${without.join(', ') || 'none'})`,
        goal: `≥ ${MIN_SUCCESS_SHARE * 100} %`,
        result: `${Math.round(share * 100)} %`,
        met: share >= MIN_SUCCESS_SHARE && without.length <= MAX_WITHOUT_SUCCESS,
      },
      { measure: '5xx and lost connections', goal: '0', result: errors, met: errors === 0 },
      { measure: 'responses outside the schema', goal: '0', result: outside, met: outside === 0 },
    ],
  )
}
