import { createDatabase, type TestDatabase } from '../../server/test/database.ts'
import { createKeyInvalidations, type KeyInvalidation } from '../../server/test/key-invalidations.ts'
import { type ApiProcess, startApi } from '../../server/test/process.ts'
import { createTenant, type Tenant } from '../../server/test/tenant.ts'
import { get, runConcurrently } from '../tools/client.ts'
import type { SourceCopy } from '../tools/copy.ts'
import type { Measurement } from '../tools/report.ts'

const CONCURRENCY = 10
const NODES = 3

interface Tally {
  acceptedBefore: number
  acceptedAfter: number
  callsAfter: number
  /** Kinds of keys with the ways in which they became invalid. */
  readonly names: Set<string>
}

/** Every kind of key, invalidated in every way. */
export async function proveKeys(trials: number, copy: SourceCopy | null): Promise<Measurement[]> {
  const database = await createDatabase()
  const limits = { LIMIT_ORGANIZATIONS: 'off', LIMIT_METRICS: 'off' }
  const nodes = await Promise.all(
    Array.from({ length: NODES }, () => startApi(database, limits, copy?.apiEntry)),
  )
  try {
    return toMeasurements(trials, await runTrials(database, nodes, trials))
  } finally {
    await Promise.all(nodes.map((node) => node.stop()))
    await database.drop()
  }
}

async function runTrials(
  database: TestDatabase,
  nodes: readonly ApiProcess[],
  trials: number,
): Promise<Tally> {
  const superuser = database.superuser()
  const tenants: Tenant[] = []
  // Each lane has its own tenant, because the loss of SSO affects all tokens of a workspace.
  for (let lane = 0; lane < CONCURRENCY; lane++) tenants.push(await createTenant(database))
  const invalidations = await Promise.all(tenants.map((tenant) => createKeyInvalidations(tenant, superuser)))
  const tally: Tally = { acceptedBefore: 0, acceptedAfter: 0, callsAfter: 0, names: new Set() }
  let next = 0
  try {
    await runConcurrently(trials, CONCURRENCY, 'trials', async (_index, workerIndex) => {
      const choices = invalidations[workerIndex] ?? []
      const invalidation = choices[next++ % choices.length]
      if (invalidation) await runTrial(invalidation, nodes, tally)
    })
  } finally {
    await superuser.end()
    await Promise.all(tenants.map((tenant) => tenant.close()))
  }
  return tally
}

/** Sends the key to every node before, during and after its invalidation. Only later requests must be rejected. */
async function runTrial(
  { name, key, path, invalidate, restore }: KeyInvalidation,
  nodes: readonly ApiProcess[],
  tally: Tally,
): Promise<void> {
  const callNodes = () => Promise.all(nodes.map((node) => get(`${node.url}${path}`, key)))
  const before = await callNodes()
  tally.acceptedBefore += before.filter(({ status }) => status === 200).length
  const during = callNodes()
  await invalidate()
  const after = await callNodes()
  tally.callsAfter += after.length
  tally.acceptedAfter += after.filter(({ status }) => status === 200).length
  tally.names.add(name)
  await during
  await restore()
}

function toMeasurements(trials: number, tally: Tally): Measurement[] {
  return [
    {
      measure: `keys: trials with ${tally.names.size} pairs of kind and cause`,
      goal: `${trials}`,
      result: tally.callsAfter / NODES,
      met: tally.callsAfter === trials * NODES,
    },
    {
      measure: '… accepted before the change (each of 3 nodes)',
      goal: `${trials * NODES}`,
      result: tally.acceptedBefore,
      met: tally.acceptedBefore === trials * NODES,
    },
    {
      measure: '… accepted after the response to the change',
      goal: '0',
      result: tally.acceptedAfter,
      met: tally.acceptedAfter === 0,
    },
  ]
}
