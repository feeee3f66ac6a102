import { makeDatabase, type TestDatabase } from '../server/test/database.ts'
import { type Ending, makeEndings } from '../server/test/endings.ts'
import { type ApiProcess, startApi } from '../server/test/process.ts'
import { makeTenant } from '../server/test/tenant.ts'
import type { ProofOptions } from './run.ts'
import { get, inParallel } from './tools/client.ts'
import { copyWithout } from './tools/copy.ts'
import { report } from './tools/report.ts'

const LANES = 10

interface Tally {
  acceptedBefore: number
  acceptedAfter: number
  askedAfter: number
}

const remember = {
  file: 'access/authenticate.ts',
  find: `return (await readKey(hashKey(value).toString('hex'))) ?? refuseKey()`,
  replace: `const cache: Map<string, Principal> = ((globalThis as any).remembered ??= new Map())
    const holder = cache.get(value) ?? (await readKey(hashKey(value).toString('hex')))
    if (holder) cache.set(value, holder)
    return holder ?? refuseKey()`,
}

/** A key that was ended is refused by the next request on every node, whichever way it was ended. */
export async function prove({ withoutCure, quick }: ProofOptions): Promise<void> {
  const trials = quick ? 400 : 10_000
  const database = await makeDatabase()
  const copy = withoutCure ? await copyWithout([remember]) : null
  const limits = { LIMIT_ORGANIZATIONS: 'off' }
  const nodes = await Promise.all([1, 2, 3].map(() => startApi(database, limits, copy?.entry)))
  try {
    report(
      `revocation${withoutCure ? ' without its cure (keys remembered by each node)' : ''}: 3 API processes`,
      findings(trials, await runTrials(database, nodes, trials)),
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
  const endings = await Promise.all(Array.from({ length: LANES }, () => makeEndings(tenant, superuser)))
  const tally: Tally = { acceptedBefore: 0, acceptedAfter: 0, askedAfter: 0 }
  try {
    await inParallel(trials, LANES, 'trials', async (index, lane) => {
      const ways = endings[lane] ?? []
      const ending = ways[index % ways.length]
      if (ending) await runTrial(ending, nodes, tally)
    })
  } finally {
    await superuser.end()
    await tenant.close()
  }
  return tally
}

/** Asks every node before, while and after the key is ended; only what starts after the answer must be refused. */
async function runTrial(
  { key, end, restore }: Ending,
  nodes: readonly ApiProcess[],
  tally: Tally,
): Promise<void> {
  const ask = () => Promise.all(nodes.map((node) => get(`${node.url}/v1/organizations`, key)))
  const before = await ask()
  tally.acceptedBefore += before.filter(({ status }) => status === 200).length
  const during = ask()
  await end()
  const after = await ask()
  tally.askedAfter += after.length
  tally.acceptedAfter += after.filter(({ status }) => status === 200).length
  await during
  await restore()
}

function findings(trials: number, tally: Tally) {
  return [
    {
      measure: 'trials',
      goal: `${trials}`,
      result: tally.askedAfter / 3,
      met: tally.askedAfter === trials * 3,
    },
    {
      measure: 'accepted before the end (each of 3 nodes)',
      goal: `${trials * 3}`,
      result: tally.acceptedBefore,
      met: tally.acceptedBefore === trials * 3,
    },
    {
      measure: 'accepted after the end was answered',
      goal: '0',
      result: tally.acceptedAfter,
      met: tally.acceptedAfter === 0,
    },
  ]
}
