import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createBus } from '../../server/test/bus.ts'
import { createDatabase } from '../../server/test/database.ts'
import { createEvent, ingestSettings, sendEvents } from '../../server/test/ingest.ts'
import { type ApiProcess, startApi, startWorker } from '../../server/test/process.ts'
import { createTenant } from '../../server/test/tenant.ts'
import { runConcurrently } from '../tools/client.ts'
import type { SourceCopy } from '../tools/copy.ts'
import type { Measurement } from '../tools/report.ts'
import { revokeByCommand } from './revoke.ts'

const CONCURRENCY = 5
/** The contract: a node accepts no event of a revoked credential later than this after the response. */
const MAX_DELAY_MS = 5000
const WATCHED_MS = 7000
const PAUSE_MS = 100

interface Tally {
  trials: number
  late: number
  longestMs: number
}

/** Nodes verify ingest credentials without the database. Half of the trials run while no worker does. */
export async function proveIngestCredentials(
  trials: number,
  copy: SourceCopy | null,
): Promise<Measurement[]> {
  const [database, bus] = await Promise.all([createDatabase(), createBus()])
  const tenant = await createTenant(database)
  const settings = ingestSettings(bus)
  const worker = await startWorker(database, settings, copy?.workerEntry)
  const nodes = await Promise.all([1, 2, 3].map(() => startApi(database, settings, copy?.apiEntry)))
  const prove = async (label: string, count: number): Promise<Measurement> => {
    const tally: Tally = { trials: 0, late: 0, longestMs: 0 }
    await runConcurrently(count, CONCURRENCY, label, async () => {
      const key = await tenant.createKey('ingest')
      await Promise.all(nodes.map((node) => waitUntilAccepted(node, key.value)))
      await revokeByCommand(database, settings, key)
      await Promise.all(nodes.map((node) => watch(node, key.value, tally)))
      tally.trials += 1
    })
    return {
      measure: `ingest credentials, ${label}: ${tally.trials} revoked (last accepted after ${Math.round(tally.longestMs)} ms): accepted more than 5 s after the response`,
      goal: '0',
      result: tally.late,
      met: tally.late === 0 && tally.trials === count,
    }
  }
  try {
    const withWorker = await prove('with a worker', Math.ceil(trials / 2))
    await worker.stop('SIGKILL')
    return [withWorker, await prove('without a worker', Math.floor(trials / 2))]
  } finally {
    await Promise.all([...nodes, worker].map((one) => one.stop()))
    await tenant.close()
    await Promise.all([database.drop(), bus.drop()])
  }
}

async function isAccepted(node: ApiProcess, credential: string): Promise<boolean> {
  const event = createEvent({ id: randomUUID(), type: 'pull_request.closed' })
  const response = await sendEvents(node.url, credential, [event])
  await response.body?.cancel()
  // The event itself may be rejected: only the credential counts.
  return ![401, 429, 503].includes(response.status)
}

async function waitUntilAccepted(node: ApiProcess, credential: string): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    if (await isAccepted(node, credential)) return
    await sleep(PAUSE_MS)
  }
  throw new Error('A new ingest credential was not accepted.')
}

async function watch(node: ApiProcess, credential: string, tally: Tally): Promise<void> {
  const answered = performance.now()
  for (let elapsed = 0; elapsed < WATCHED_MS; elapsed = performance.now() - answered) {
    if (await isAccepted(node, credential)) {
      tally.longestMs = Math.max(tally.longestMs, elapsed)
      if (elapsed > MAX_DELAY_MS) tally.late += 1
    }
    await sleep(PAUSE_MS)
  }
}
