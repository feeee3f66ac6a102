import { makeDatabase, type TestDatabase } from '../server/test/database.ts'
import { type KeyInvalidation, makeKeyInvalidations } from '../server/test/key-invalidations.ts'
import { type ApiProcess, startApi } from '../server/test/process.ts'
import { makeTenant } from '../server/test/tenant.ts'
import type { ProofOptions } from './run.ts'
import { get, runConcurrently } from './tools/client.ts'
import { copyWithout } from './tools/copy.ts'
import { report } from './tools/report.ts'

const CONCURRENCY = 10

interface Tally {
  acceptedBefore: number
  acceptedAfter: number
  callsAfter: number
}

const cacheKeys = {
  file: 'access/authenticate.ts',
  find: `return (await readKey(hashKey(value).toString('hex'))) ?? refuseKey()`,
  replace: `const cache: Map<string, Principal> = ((globalThis as any).remembered ??= new Map())
    const holder = cache.get(value) ?? (await readKey(hashKey(value).toString('hex')))
    if (holder) cache.set(value, holder)
    return holder ?? refuseKey()`,
}

/** An invalidated key is rejected by the next request on every node, however it was invalidated. */
export async function prove({ withoutCure, quick }: ProofOptions): Promise<void> {
  const trials = quick ? 400 : 10_000
  const database = await makeDatabase()
  const copy = withoutCure ? await copyWithout([cacheKeys]) : null
  const limits = { LIMIT_ORGANIZATIONS: 'off' }
  const nodes = await Promise.all([1, 2, 3].map(() => startApi(database, limits, copy?.apiEntry)))
  try {
    report(
      `revocation${withoutCure ? ' without its cure (keys remembered by each node)' : ''}: 3 API processes`,
      toMeasurements(trials, await runTrials(database, nodes, trials)),
    )
  } finally {
    await Promise.all(nodes.map((node) => node.stop()))
    await copy?.remove()
    await database.drop()
  }
}

async function runTrials(
  database: TestDatabase,
  nodes: readonly ApiProcess[],
  trials: number,
): Promise<Tally> {
  const tenant = await makeTenant(database)
  const superuser = database.superuser()
  const invalidations = await Promise.all(
    Array.from({ length: CONCURRENCY }, () => makeKeyInvalidations(tenant, superuser)),
  )
  const tally: Tally = { acceptedBefore: 0, acceptedAfter: 0, callsAfter: 0 }
  try {
    await runConcurrently(trials, CONCURRENCY, 'trials', async (index, workerIndex) => {
      const choices = invalidations[workerIndex] ?? []
      const invalidation = choices[index % choices.length]
      if (invalidation) await runTrial(invalidation, nodes, tally)
    })
  } finally {
    await superuser.end()
    await tenant.close()
  }
  return tally
}

/** Sends the key to every node before, during and after its invalidation. Only later requests must be rejected. */
async function runTrial(
  { key, invalidate, restore }: KeyInvalidation,
  nodes: readonly ApiProcess[],
  tally: Tally,
): Promise<void> {
  const callNodes = () => Promise.all(nodes.map((node) => get(`${node.url}/v1/organizations`, key)))
  const before = await callNodes()
  tally.acceptedBefore += before.filter(({ status }) => status === 200).length
  const during = callNodes()
  await invalidate()
  const after = await callNodes()
  tally.callsAfter += after.length
  tally.acceptedAfter += after.filter(({ status }) => status === 200).length
  await during
  await restore()
}

function toMeasurements(trials: number, tally: Tally) {
  return [
    {
      measure: 'trials',
      goal: `${trials}`,
      result: tally.callsAfter / 3,
      met: tally.callsAfter === trials * 3,
    },
    {
      measure: 'accepted before the change (each of 3 nodes)',
      goal: `${trials * 3}`,
      result: tally.acceptedBefore,
      met: tally.acceptedBefore === trials * 3,
    },
    {
      measure: 'accepted after the response to the change',
      goal: '0',
      result: tally.acceptedAfter,
      met: tally.acceptedAfter === 0,
    },
  ]
}
